"""What a run leaves behind: tables, pictures, overlay videos, summaries."""
