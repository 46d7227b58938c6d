"""Adding small pictures to a large one, as a loop."""

from __future__ import annotations

from kernels.host.loops import F32, F64, I64, loop


@loop
def scattered(image: F32, height: int, width: int, tops: I64, lefts: I64, patches: F64, count: int, high: int,
              wide: int, rounded: F32) -> int:  # fmt: skip
    """Add one patch after the other, each pixel rounded to f32 first, as NumPy's `add.at` does.

    Args:
        image, height, width: what is added to.
        tops, lefts: the pixel of each patch's corner, maybe outside; what falls outside is dropped.
        patches, count, high, wide: their pixels, one patch after the other.
        rounded: room for one.
    """
    for n in range(count):
        top, left = tops[n], lefts[n]
        for k in range(max(-top, 0), min(high, height - top)):
            here, there = (n * high + k) * wide, (top + k) * width + left
            for m in range(max(-left, 0), min(wide, width - left)):
                rounded[0] = patches[here + m]
                image[there + m] = image[there + m] + rounded[0]
    return 0
