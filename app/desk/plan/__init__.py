"""The plan of the user's pipeline, and the proof that it computes the same."""
