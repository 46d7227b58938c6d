"""Outputs of one pipeline computed in two ways: how far apart they are, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.executors.base import Batch
from kernels.ir.table import Table, TableType
from pipelines.graph import Bound, Ref

ALONE, REFERENCE = "one stage a program", "NumPy reference"
GIVEN, GIVEN_ALONE = "NumPy reference, of the same inputs", "NumPy reference, stage by stage"
SIDE = 1024
"""Pictures to look at are made no larger, so that they come quickly."""
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Pictures:
    """One frame of an output to look at, u8: fused, the other way, and the difference (255 is the largest)."""

    frame: int
    fused: Array
    other: Array
    difference: Array


@dataclass(frozen=True)
class Compared:
    """One output against one other way to compute it.

    Args:
        output: its name; `type` in words.
        against: ALONE, REFERENCE, GIVEN or GIVEN_ALONE.
        frames: how many were compared.
        differing, total: pixels (of a table: rows) that differ in any bit that matters, and how many there are.
        largest: the largest absolute difference; infinite where a value is missing on one side.
        pictures: of the worst frame; None for tables.
        bound: the largest absolute difference that there may be: 0 where every bit must be the same, infinite where no
            bound holds.
    """

    output: str
    type: str
    against: str
    frames: int
    differing: int
    total: int
    largest: float
    pictures: Pictures | None = None
    bound: float = 0.0

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return self.differing == 0

    @property
    def allowed(self) -> bool:
        """Whether it differs by no more than it may."""
        return self.same or self.largest <= self.bound


def compare(
    bound: Bound, outputs: Sequence[Ref], mine: Mapping[Ref, Batch], other: Mapping[Ref, Batch], against: str,
    first: int,
) -> tuple[Compared, ...]:  # fmt: skip
    """Each output of `mine` against that of `other`, as long as both are; `first` is the number of the first frame."""
    found = []
    for ref in outputs:
        a, b, type_ = mine[ref], other[ref], bound.types[ref]
        if isinstance(a, np.ndarray):
            found.append(_images(str(ref), str(type_), against, a, np.asarray(b), first))
        else:
            assert isinstance(type_, TableType)
            words = f"table of {len(type_.columns)} columns"
            found.append(_tables(str(ref), words, against, list(a), list(b)))
    return tuple(found)


def _images(output: str, words: str, against: str, a: Array, b: Array, first: int) -> Compared:
    differs = a != b
    if a.dtype.kind == "f":
        differs &= ~(np.isnan(a) & np.isnan(b))
    apart = _distance(a, b, differs)
    whole = tuple(range(1, a.ndim))
    pixels = differs if differs.ndim == 3 else differs.any(axis=-1)
    worst = int(np.argmax(apart.max(axis=whole)))
    show = Pictures(first + worst, *_visible(a[worst], b[worst]), _shrunk(_scaled(apart[worst])))
    return Compared(output, words, against, len(a), int(pixels.sum()), pixels.size, float(apart.max()), show)


def _distance(a: Array, b: Array, differs: Array) -> npt.NDArray[np.float64]:
    """|a - b| where they differ; infinite where one of them is no number."""
    with np.errstate(invalid="ignore", over="ignore"):
        apart: npt.NDArray[np.float64] = np.abs(a.astype(np.float64) - b.astype(np.float64))
    return np.where(differs, np.where(np.isnan(apart), np.inf, apart), 0.0)


def _tables(output: str, words: str, against: str, a: Sequence[Any], b: Sequence[Any]) -> Compared:
    differing = total = 0
    largest = 0.0
    for mine, other in zip(a, b, strict=True):
        assert isinstance(mine, Table)
        count = min(len(mine.rows), len(other.rows))
        total += max(len(mine.rows), len(other.rows))
        differing += abs(len(mine.rows) - len(other.rows))
        if len(mine.rows) != len(other.rows) or mine.overflow != other.overflow:
            largest = np.inf
        wrong = np.zeros(count, bool)
        for name in mine.rows.dtype.names or ():
            x, y = mine.rows[name][:count], other.rows[name][:count]
            differs = x != y
            if x.dtype.kind == "f":
                differs &= ~(np.isnan(x) & np.isnan(y))
            if differs.any():
                largest = max(largest, float(_distance(x, y, differs).max()))
                wrong |= differs
        differing += int(wrong.sum())
    return Compared(output, words, against, len(a), differing, total, float(largest))


def _visible(a: Array, b: Array) -> tuple[Array, Array]:
    """Both as u8 with one scale."""
    low, high = _span(a)
    return tuple(_shrunk(_scaled(x.astype(np.float64), low, high)) for x in (a, b))  # type: ignore[return-value]


def _span(a: Array) -> tuple[float, float]:
    finite = a[np.isfinite(a)] if a.dtype.kind == "f" else a
    if not finite.size:
        return 0.0, 1.0
    return (0.0, 255.0) if a.dtype == np.uint8 else (float(finite.min()), float(finite.max()))


def _scaled(values: npt.NDArray[np.float64], low: float = 0.0, high: float = 0.0) -> Array:
    """As u8; without a range up to the largest finite value, what is beyond it white."""
    if high <= low:
        finite = values[np.isfinite(values)]
        low, high = 0.0, float(finite.max()) if finite.size else 0.0
    if high <= low:
        return np.where(np.isfinite(values), 0, 255).astype(np.uint8)
    with np.errstate(invalid="ignore"):
        scaled = np.nan_to_num((values - low) * (255.0 / (high - low)), nan=0.0, posinf=255.0, neginf=0.0)
    return np.clip(np.ceil(scaled), 0, 255).astype(np.uint8)


def _shrunk(picture: Array) -> Array:
    """At most SIDE pixels a side; the largest of what becomes one, so that a single pixel stays visible."""
    factor = -(-max(picture.shape[:2]) // SIDE)
    if factor < 2:
        return picture
    height, width = (n // factor * factor for n in picture.shape[:2])
    cut = picture[:height, :width]
    blocks = cut.reshape(height // factor, factor, width // factor, factor, *picture.shape[2:])
    made: Array = blocks.max(axis=(1, 3))
    return made
