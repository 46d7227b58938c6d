"""People, files and screens: sources, exports, the command line and the window."""
