"""Where a blob's window lies."""

from __future__ import annotations

from kernels.host.loops import loop


@loop
def fits(mx: float, my: float, half: int, height: int, width: int, size: int, pitch: int) -> int:
    """Whether a window, its rows padded, lies in the picture."""
    left, top = int(mx) - half, int(my) - half
    return int(left >= 0 and top >= 0 and left + pitch <= width and top + size <= height)
