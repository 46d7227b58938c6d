"""Trackers side by side with their peers: accuracy where the truth is known, and speed."""
