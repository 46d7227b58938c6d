"""Pixels in x, y and t: the language of stages, the stages, and what executes them."""

import time

BEGAN = time.time()
"""When this process took up the package, before any other file of it was read: seconds since the epoch."""
