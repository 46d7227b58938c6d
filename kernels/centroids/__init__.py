"""Sub-pixel centres of small blobs, touching ones and those at edges included, with their errors."""
