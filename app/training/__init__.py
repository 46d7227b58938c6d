"""Scripts that train the networks of the shipped pipelines, and what they learn from."""
