"""Graphs, plans and tracks: how stages are wired, ordered, and followed by trackers."""
