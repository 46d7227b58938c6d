"""What opaque stages and trackers compute with on the CPU: OpenCV, components, sub-pixel centres, neighbours."""
