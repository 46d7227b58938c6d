"""Windows of pixels found again in the next frame: registration of textured points with their uncertainty."""
