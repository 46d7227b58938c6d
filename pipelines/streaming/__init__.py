"""Frames through a bound pipeline, and what happened to each of them."""
