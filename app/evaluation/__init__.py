"""What `fusetrack evaluate` shows: tables, files, the figure, a page."""
