"""How much light a frame has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import F32, ImageType
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
    if not isinstance(image, ImageType):
        raise DefinitionError(f"it takes an image, not {image}")
    white = image.white

    def batch(inputs: Sequence[Any], _params: Mapping[str, Value]) -> Mapping[str, Sequence[Datum]]:
        looked = [looked_at(frame).reshape(-1) for frame in inputs[0]]
        if looked and looked[0].dtype.kind != "f":
            return {"out": _means(np.stack(looked), white)}
        scaled = white * (1 << FRACTION)
        return {"out": [_means(_whole(values)[None], scaled)[0] for values in looked]}

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        return {"out": batch([np.asarray(inputs[0])[None]], params)["out"][0]}

    return Host({"out": ImageType(F32, 1, 1)}, run, batch, SECONDS)


def looked_at(frame: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Every n-th row and column of a frame, so that there are at most SIDE of each; a view."""
    rows, columns = (max(1, -(-side // SIDE)) for side in frame.shape[:2])
    # From half a step on, so that the grid lies in the middle.
    return frame[rows // 2 :: rows, columns // 2 :: columns]


def _means(values: npt.NDArray[Any], white: float) -> list[npt.NDArray[np.float32]]:
    """Of each row of whole numbers, (frames, pixels), the mean of its darker ones, as a picture of one pixel."""
    count = math.ceil(GROUND * values.shape[1])
    sums = _sums_of_least(values, count).tolist()
    return [np.full((1, 1), total / (max(1, count) * white), np.float32) for total in sums]


def _sums_of_least(values: npt.NDArray[Any], count: int) -> npt.NDArray[np.int64]:
    """Of each row the sum of its `count` least values."""
    if values.dtype == np.uint8:
        # A histogram takes a third of the time of a partition. Of n values c(v) are v or less: the count least of them
        # sum to 255 count - (min(c(0), count) + ... + min(c(254), count)), each value being 255 less what it lacks.
        frames, levels = len(values), 256
        bins = values + levels * np.arange(frames)[:, None]
        counts = np.bincount(bins.ravel(), minlength=levels * frames).reshape(frames, levels)
        lacking = np.minimum(counts.cumsum(axis=1), count)[:, :-1].sum(axis=1)
        return np.asarray((levels - 1) * count - lacking, np.int64)
    if count < values.shape[1]:
        # Introselect: the count least ones, in no order.
        values = np.partition(values, count, axis=1)[:, :count]
    return np.asarray(values.sum(axis=1, dtype=np.int64))


def _whole(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Those of floats that are finite, in units of 2 ** -FRACTION."""
    finite = values[np.isfinite(values)].astype(np.float64)
    return np.asarray(np.rint(np.clip(finite, -1e6, 1e6) * float(1 << FRACTION)), np.int64)
