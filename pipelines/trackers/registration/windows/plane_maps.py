"""Linear maps of the plane: 2 x 2 matrices (..., 2, 2), by sums written out.

NumPy's `@` and `linalg` go to the linear algebra that is installed, whose last bits differ from machine to machine and
with the number of threads; a replay would not agree with its recording.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def product(a: Array, b: Array) -> Array:
    """a b: b first, then a."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))  # frames wait for these, and `stack` takes twice as long
    columns = [(b[..., 0, k], b[..., 1, k]) for k in (0, 1)]
    for row in (0, 1):
        left, right = a[..., row, 0], a[..., row, 1]
        for k, (above, below) in enumerate(columns):
            out[..., row, k] = left * above + right * below
    return out


def applied(a: Array, x: Array, y: Array) -> Array:
    """What becomes of vectors (x, y), (..., 2)."""
    return np.stack((a[..., 0, 0] * x + a[..., 0, 1] * y, a[..., 1, 0] * x + a[..., 1, 1] * y), axis=-1)


def determinant(a: Array) -> Array:
    """How areas change."""
    made: Array = a[..., 0, 0] * a[..., 1, 1] - a[..., 0, 1] * a[..., 1, 0]
    return made


def inverse(a: Array) -> Array:
    """The way back."""
    out = np.empty_like(a)
    out[..., 0, 0], out[..., 1, 1], out[..., 0, 1], out[..., 1, 0] = (
        a[..., 1, 1], a[..., 0, 0], -a[..., 0, 1], -a[..., 1, 0])  # fmt: skip
    made: Array = out / determinant(a)[..., None, None]
    return made


def upright(a: Array) -> Array:
    """The nearest rotations."""
    cos, sin = a[..., 0, 0] + a[..., 1, 1], a[..., 1, 0] - a[..., 0, 1]
    size = np.sqrt(cos * cos + sin * sin)
    out = np.empty_like(a)
    out[..., 0, 0] = out[..., 1, 1] = cos / size
    out[..., 1, 0], out[..., 0, 1] = sin / size, -sin / size
    return out
