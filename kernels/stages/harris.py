"""Harris corner measure."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.filters import structure_tensor
from kernels.param import Param
from kernels.stage import Image, stage

CORNER = (
    Param("block", "int", 3, "side of the window over which the gradients are summed", unit="px", low=1, high=63,
          structural=True),
    Param("aperture", "int", 3, "taps of the Sobel derivative: 3, 5 or 7", unit="px", low=3, high=7, structural=True),
)  # fmt: skip
"""The parameters that corner measures share."""


def corner_tensor(image: Image, block: int, aperture: int) -> tuple[Expr, Expr, Expr]:
    """The structure tensor in OpenCV's scale: gray values by full scale, mean instead of sum."""
    if aperture % 2 == 0:
        raise DefinitionError(f"aperture = {aperture} must be 3, 5 or 7")
    plane = image.mono
    scale = 1.0 / (2 ** (aperture - 1) * block * image.type.white)
    return structure_tensor(plane.expr, plane.border, block, aperture, scale)


@stage(
    category="Edges and spots",
    params=(*CORNER, Param("k", "float", 0.04, "weight of the edge term", unit="1", low=0.0, high=0.25)),
    border=True,
)
def harris(image: Image, block: int, aperture: int, k: Expr) -> Expr:
    """Corner measure, f32: det(M) - k * trace(M)^2; M: gradient products summed over block x block pixels.

    Gradients are Sobel's, divided by 2^(aperture-1) * block * full scale (255 for u8), so that it agrees with
    cv2.cornerHarris on u8 and f32. Gradients and sums of u8 are exact. Harris and Stephens, Alvey Vision Conf. 1988.

    A window of even size reaches from block / 2 px before its pixel to block / 2 - 1 behind it. OpenCV agrees but where
    it uses Intel's IPP (cv2.ipp.useIPP(), the default of its wheels for x86) with the borders replicate and constant
    and apertures 3 and 5: there even windows lie one px further right and down, and out(x, y) is its (x - 1, y - 1).

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> image = np.zeros((9, 9), np.uint8)
    >>> image[4:, 4:] = 255
    >>> response = evaluate(harris, image)
    >>> [int(i) for i in np.unravel_index(response.argmax(), response.shape)], bool(response[7, 4] < 0)
    ([4, 4], True)
    """
    xx, xy, yy = corner_tensor(image, block, aperture)
    trace = xx + yy
    return xx * yy - xy * xy - k * trace * trace
