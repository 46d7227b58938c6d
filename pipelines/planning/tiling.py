"""Tiles: the candidates for one device and image size, and how many pixels they touch, halo included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.executors.base import DeviceModel
from pipelines.planning.plan import Tile

Vector = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
GPU_WIDTHS = (16, 32, 64, 96, 128)
GPU_HEIGHTS = (4, 8, 16, 24, 32, 64)
STRIPS_PER_CORE = (1, 2, 4, 8)


@dataclass(frozen=True, eq=False)
class Grid:
    """Candidates of (tile, batch), sorted by batch, as one vector for each quantity.

    Args:
        width, height: the image that is cut into tiles.
        bx, by, bt, batch: the candidates; bt divides batch.
        batches: the batch lengths, ascending.
    """

    width: int
    height: int
    bx: Vector
    by: Vector
    bt: Vector
    batch: Vector
    batches: tuple[int, ...]
    columns: Vector = field(init=False)
    rows: Vector = field(init=False)
    starts: npt.NDArray[np.intp] = field(init=False)
    _spans: dict[tuple[Any, ...], Vector] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", np.ceil(self.width / self.bx))
        object.__setattr__(self, "rows", np.ceil(self.height / self.by))
        object.__setattr__(self, "starts", np.searchsorted(self.batch, np.asarray(self.batches, float)))

    def tile(self, index: int) -> Tile:
        return Tile(int(self.bx[index]), int(self.by[index]), int(self.bt[index]))

    def segment(self, batch: int) -> slice:
        """The candidates of the batch number `batch`."""
        stop = int(self.starts[batch + 1]) if batch + 1 < len(self.batches) else len(self.batch)
        return slice(int(self.starts[batch]), stop)

    def area(self, width: int, height: int, left: float, right: float, up: float, down: float) -> Vector:
        """Pixels of a width x height image that all tiles together touch, each with its halo, a frame.

        An image of another size than the grid's is cut in the same proportions.
        """
        key = (width, height, left, right, up, down)
        if key not in self._spans:
            x = self._span(width, self.width, self.columns, self.bx, left, right)
            self._spans[key] = x * self._span(height, self.height, self.rows, self.by, up, down)
        return self._spans[key]

    def _span(self, n: int, whole: int, boxes: Vector, tile: Vector, low: float, high: float) -> Vector:
        key = (n, whole, id(boxes), low, high)
        if key not in self._spans:
            self._spans[key] = span(n, boxes, tile * (n / whole), low, high)
        return self._spans[key]

    def block(self, width: int, height: int, left: float, right: float, up: float, down: float) -> Vector:
        """Pixels of one tile with its halo."""
        key = ("block", width, height, left, right, up, down)
        if key not in self._spans:
            x = np.minimum(self.bx * (width / self.width) + left + right, width)
            self._spans[key] = x * np.minimum(self.by * (height / self.height) + up + down, height)
        return self._spans[key]


def span(n: int, boxes: Vector, tile: Vector, low: float, high: float) -> Vector:
    """Sum over the boxes of an axis of n pixels of what each touches: box i has pixels i*tile .. and reaches `low`
    below and `high` above, but not beyond the image.

    >>> span(100, np.array([4.0]), np.array([32.0]), 3, 3)
    array([118.])
    """
    # As if no box met an edge: each has its own pixels, and low + high beyond.
    total = n + boxes * (low + high)
    if low > 0:  # box i begins i * tile behind the edge
        # Boxes 0 .. k - 1 would reach below the image, box i by low - i tile: an arithmetic series.
        k = np.minimum(boxes, np.ceil(low / tile))
        total = total - (k * low - tile * k * (k - 1) / 2)
    if high > 0:  # the last box ends at the edge, the one before it the last one's length from it
        last = n - (boxes - 1) * tile
        # The last box would reach `high` beyond, the k before it each a tile less.
        k = np.minimum(boxes - 1, np.maximum(0.0, np.ceil((high - last) / tile)))
        total = total - high - (k * (high - last) - tile * k * (k - 1) / 2)
    return np.asarray(total)


def grid(device: DeviceModel, width: int, height: int, batches: Sequence[int], tile: Tile | None = None) -> Grid:
    """The candidates for images of width x height.

    A GPU's blocks own rectangles; a CPU's own strips of whole rows, one or a few a core (column tiles break the
    input stream; where they pay all the same, `kernels.fusion.columns` cuts the strips). Depths in t are the powers of
    two (and the batch itself) that divide the batch.

    Args:
        batches: batch lengths.
        tile: consider this one only; its bt must divide every batch.
    """
    if tile is not None:
        spatial = [(min(tile.bx, width), min(tile.by, height))]
    elif device.kind == "cpu":
        cuts = (device.units * k for k in STRIPS_PER_CORE)
        # A few strips a core: shorter strips balance better, but have more seams.
        spatial = [(width, h) for h in dict.fromkeys(-(-height // cut) for cut in cuts)]
    else:
        widths = dict.fromkeys(min(w, width) for w in GPU_WIDTHS)
        spatial = [(w, h) for w in widths for h in dict.fromkeys(min(h, height) for h in GPU_HEIGHTS)]
    ordered = sorted(set(batches))
    rows = [
        (w, h, bt, batch) for batch in ordered
        for bt in ((tile.bt,) if tile else depths(batch)) for w, h in spatial
    ]  # fmt: skip
    bx, by, bt, batch = np.asarray(rows, float).T.copy()
    return Grid(width, height, bx, by, bt, batch, tuple(ordered))


def depths(batch: int) -> tuple[int, ...]:
    """The depths in t for a batch: the powers of two that divide it, and itself.

    >>> depths(8), depths(12)
    ((1, 2, 4, 8), (1, 2, 4, 12))
    """
    return tuple(dict.fromkeys([*(2**k for k in range(batch.bit_length()) if batch % 2**k == 0), batch]))
