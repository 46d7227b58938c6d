"""Tracks: their table, and what is done with them."""
