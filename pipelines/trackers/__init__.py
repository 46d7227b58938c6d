"""The shipped trackers, one a file; `pipelines.trackers.base.registry` finds them by looking here."""
