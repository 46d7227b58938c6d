"""A camera through a pipeline: frames to tracks within a bounded time, every frame accounted for."""
