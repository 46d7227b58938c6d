"""fusetrack against the best that a user could otherwise write, side by side in one run."""
