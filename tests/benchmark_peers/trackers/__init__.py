"""Trackers of other packages; see `app.benchmark.trackers.peers`."""
