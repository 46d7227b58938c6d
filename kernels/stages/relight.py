"""Frames as a steady lamp would have lit them."""

from __future__ import annotations

from kernels.ir.expr import Expr, const, maximum
from kernels.ir.image import F32, I32
from kernels.param import Param
from kernels.stage import Image, Picture, stage

MOST = 20.0
"""Factor by which a frame is made brighter, at most: what has no light has no picture either."""


@stage(
    category="Grey values",
    inputs=("image", "light"),
    optional=("light",),
    params=(
        Param("reference", "float", 0.0, "light to which frames are brought, fraction of full scale; 0: they stay as "
              "they are; auto: the most light that the clip has, if it is uneven, else 0", unit="1", low=0.0,
              high=1e6, structural=True, auto=True),
    ),
)  # fmt: skip
def relight(image: Image, light: Image | None, reference: float) -> Picture:
    """Each frame times reference / its light, f32, so that a lamp's ripple does not pass thresholds.

    `light` is a picture of one pixel with the frame's light (the stage `light`). The factor is 20 at most. Noise grows
    with the factor. Without a reference the frames stay as they are, in their type, and their light is not looked at.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(relight, np.array([[10, 20]], np.uint8), np.array([[0.25]], np.float32), reference=0.5)
    array([[20., 40.]], dtype=float32)
    """
    if light is None or not reference:
        return Picture(tuple(plane() for plane in image.planes), image.type.bits)
    here, least = const(0, I32), const(reference / MOST, F32)

    def brought(value: Expr, size: tuple[int, int]) -> Expr:
        return value.to(F32) * (const(reference, F32) / maximum(light.mono.at(here, here, size), least))

    return Picture(tuple(brought(plane(), plane.size) for plane in image.planes))
