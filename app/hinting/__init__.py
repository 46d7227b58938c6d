"""What is looked at for hints about a run, a theme a file."""
