"""Many windows through the frames of a batch: models, renewal, what leaves as rows."""
