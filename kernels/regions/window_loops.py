"""Where a blob's window lies."""

from __future__ import annotations

from kernels.loops.language import PIXELS, loop, prefetch


@loop
def fits(mx: float, my: float, half: int, height: int, width: int, size: int, pitch: int) -> int:
    """Whether a window, its rows padded, lies in the picture."""
    left, top = int(mx) - half, int(my) - half
    return int(left >= 0 and top >= 0 and left + pitch <= width and top + size <= height)


@loop
def fetched(image: PIXELS, start: int, width: int, columns: int, rows: int) -> int:
    """Have pixels brought near, from `start` on, that are read a little later."""
    for k in range(start, start + rows * width, width):
        prefetch(image, k)
        prefetch(image, k + columns - 1)
    return 0
