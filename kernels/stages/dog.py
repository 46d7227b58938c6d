"""Difference of Gaussians."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.filters import gaussian_weights, separable
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Edges and spots",
    params=(
        Param("sigma", "float", 1.0, "standard deviation of the narrow blur", unit="px", low=0.1, high=50.0,
              structural=True),
        Param("ratio", "float", 1.6, "the wide blur's standard deviation by the narrow one's", unit="1", low=1.01,
              high=10.0, structural=True),
    ),
    per_channel=True,
    border=True,
)  # fmt: skip
def dog(image: Plane, sigma: float, ratio: float) -> Expr:
    """Difference of Gaussians, f32: G(sigma) * in - G(ratio * sigma) * in. A band pass; bright spots come out positive.

    A ratio of 1.6 is nearest to the Laplacian of a Gaussian (Marr and Hildreth, Proc. R. Soc. B 207, 1980). A spot of
    radius r answers most at sigma = r / 1.76. Each blur is summed down the columns first, then along the rows.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> image = np.full((9, 9), 50, np.uint8)
    >>> image[4, 4] = 150
    >>> evaluate(dog, image, sigma=0.7)[4, 2:7].round(1)
    array([-2. ,  3.2, 19.8,  3.2, -2. ], dtype=float32)
    """
    if sigma * ratio > 50.0:
        raise DefinitionError(f"the wide blur's standard deviation is {sigma * ratio:g} px; at most 50 px")
    narrow, wide = gaussian_weights(sigma), gaussian_weights(sigma * ratio)
    plane, border = image.expr, image.border
    blurs = [separable(plane, border, weights, weights, columns_first=True) for weights in (narrow, wide)]
    return blurs[0] - blurs[1]
