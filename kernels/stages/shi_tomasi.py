"""Shi and Tomasi's corner measure."""

from __future__ import annotations

from kernels.ir.expr import Expr, sqrt
from kernels.stage import Image, stage
from kernels.stages.harris import CORNER, corner_tensor


@stage(category="Edges and spots", params=CORNER, border=True)
def shi_tomasi(image: Image, block: int, aperture: int) -> Expr:
    """Corner measure, f32: the smaller eigenvalue of M, the gradient products summed over block x block pixels.

    (xx + yy) / 2 - sqrt(((xx - yy) / 2)^2 + xy^2), in the scale of `harris`: agrees with cv2.cornerMinEigenVal on u8
    and f32. Shi and Tomasi, Good features to track, CVPR 1994.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> image = np.zeros((9, 9), np.uint8)
    >>> image[4:, 4:] = 255
    >>> response = evaluate(shi_tomasi, image)
    >>> [int(i) for i in np.unravel_index(response.argmax(), response.shape)], float(response[7, 4])
    ([4, 4], 0.0)
    """
    xx, xy, yy = corner_tensor(image, block, aperture)
    half, lean = (xx + yy) * 0.5, (xx - yy) * 0.5
    return half - sqrt(lean * lean + xy * xy)
