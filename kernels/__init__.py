"""Pixels in x, y and t: the language of stages, the stages, and what executes them."""
