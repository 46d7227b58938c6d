"""The language in which a stage says what one output pixel is."""
