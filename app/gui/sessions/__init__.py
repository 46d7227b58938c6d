"""Cameras, recordings, batches and exports."""
