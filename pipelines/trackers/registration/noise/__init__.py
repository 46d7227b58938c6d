"""What a picture's noise does to a window's place: correlation, residuals, stripes (the aperture problem)."""
