"""What a window does with a workbench, a service a file: each changes the state behind it and tells its listeners."""
