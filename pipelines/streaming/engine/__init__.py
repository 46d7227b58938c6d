"""A batch of frames through the stages and trackers of a bound pipeline: which back end, state, changes, rescue."""
