"""How much light a frame has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import BOOL, F32, ImageType
from kernels.param import Value
from kernels.stage import stage

SIDE = 64
"""Rows, and columns, of pixels that are looked at, at most: enough that what moves among them changes little, few
enough that a frame takes microseconds."""
FRACTION = 24
"""Bits behind the point with which values that are no whole numbers are added, so that no order of a sum matters."""
GROUND = 0.95
"""Share of the pixels that count, the darker ones."""
SECONDS = 3e-5
"""What a frame takes, for plans."""


@stage(category="Grey values", opaque=True)
def light(image: ValueType) -> Host:
    """Mean of a frame without its brightest twentieth as a fraction of full scale: a picture of one pixel, f32.

    For `relight`. Bright things that come and go before a dark ground are no change of the lamp. Every n-th row and
    column is looked at, at most 64 of each, always the same ones: a still picture gives the same number but for its
    noise. Values that are no finite numbers are left out; a frame without any gives 0.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(light, np.array([[0, 51], [102, 51]], np.uint8))
    array([[0.2]], dtype=float32)
    """
    if not isinstance(image, ImageType) or image.dtype == BOOL:
        raise DefinitionError(f"it takes gray values, not {image}")
    white = image.white
    rows, columns = (max(1, -(-side // SIDE)) for side in (image.height, image.width))

    def batch(inputs: Sequence[Any], _params: Mapping[str, Value]) -> Mapping[str, Sequence[Datum]]:
        return {"out": [_mean(frame[rows // 2 :: rows, columns // 2 :: columns], white) for frame in inputs[0]]}

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        return {"out": batch([np.asarray(inputs[0])[None]], params)["out"][0]}

    return Host({"out": ImageType(F32, 1, 1)}, run, batch, SECONDS)


def _mean(values: npt.NDArray[Any], white: float) -> npt.NDArray[np.float32]:
    """The mean as a picture of one pixel."""
    scale = 1.0
    if values.dtype.kind == "f":
        values, scale = values[np.isfinite(values)].astype(np.float64), float(1 << FRACTION)
        values = np.rint(np.clip(values, -1e6, 1e6) * scale).astype(np.int64)
    count = math.ceil(GROUND * values.size)
    if count < values.size:
        values = np.partition(values, count, axis=None)[:count]
    total = int(values.sum(dtype=np.int64))
    return np.full((1, 1), total / (max(1, count) * scale * white), np.float32)
