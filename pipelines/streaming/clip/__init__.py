"""A whole clip through a pipeline, from the first frame to the last."""
