"""Association: which detection of a frame belongs to which track, and what becomes of the tracks (see `frames.py`)."""
