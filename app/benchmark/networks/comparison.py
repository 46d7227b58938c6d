"""How far the outputs of two contenders are apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
TOLERANCE = {"f32": 1e-3, "int8": 0.5}
"""The largest relative difference by kind of network. Sums of floats have another order. Engines round quantised values
at different places, and a unit more or less (1/255 of a layer's range) grows from layer to layer: on noise BlazeFace's
scores by onnxruntime and by OpenVINO are 0.27 apart, and both as far from those of the network of floats."""


def difference(outputs: Sequence[Array], wanted: Sequence[Array]) -> float:
    """The largest difference of any value, relative to the largest value of its output; infinite where the outputs are
    of other shapes, or one is no number and the other is.

    Channels may be last where those of `wanted` are not, or the other way round.
    """
    if len(outputs) != len(wanted):
        return np.inf
    return max((_difference(a, b) for a, b in zip(outputs, wanted, strict=True)), default=0.0)


def _difference(a: Array, b: Array) -> float:
    a = arranged(a, b.shape)
    if a.size != b.size:
        return np.inf
    x, y = a.astype(np.float64).ravel(), b.astype(np.float64).ravel()
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    if same.all():
        return 0.0
    if not np.isfinite(x[~same]).all() or not np.isfinite(y[~same]).all():
        return np.inf
    scale = np.abs(y[np.isfinite(y)]).max()
    return float(np.abs(x - y)[~same].max() / scale) if scale > 0 else np.inf


def arranged(array: Array, shape: tuple[int, ...]) -> Array:
    """An image with channels last as one of this shape with channels first, or the other way round; others stay as
    they are.

    >>> arranged(np.zeros((1, 4, 5, 3)), (1, 3, 4, 5)).shape
    (1, 3, 4, 5)
    """
    if array.ndim == len(shape) == 4 and array.shape != shape:
        for order in ((0, 3, 1, 2), (0, 2, 3, 1)):
            turned = array.transpose(order)
            if turned.shape == shape:
                return turned
    return array
