"""Live sources: cameras that are there, and one that is simulated by a process of its own."""
