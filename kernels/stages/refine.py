"""Sub-pixel centres of candidate pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.centroids.centroid import ROUNDING, centres_in
from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import ImageType
from kernels.ir.table import FEATURE, Table, TableType
from kernels.loops.language import I64, U8, address, loop
from kernels.loops.neighbours import pairs_within
from kernels.param import Param, Value
from kernels.stage import stage
from kernels.stages.threshold import POLARITY

Array = npt.NDArray[Any]


@stage(
    category="Features",
    inputs=("candidates", "image"),
    params=(
        Param("sigma", "float", 1.5, "width (standard deviation) of the blobs and of the weights", unit="px", low=0.4,
              high=20.0),
        Param("separation", "float", 2.5, "candidates closer than this are one; the brightest stays", unit="px",
              low=0.0, high=200.0),
        Param("min_mass", "float", 0.0, "blobs with less light above their ground are left out"),
        POLARITY,
    ),
    opaque=True,
)  # fmt: skip
def refine(candidates: ValueType, image: ValueType, **_: Value) -> Host:
    """Centres by the iterated Gaussian-weighted centroid (`centres_in`), a row of `FEATURE` each.

    Candidates (a table with columns x and y, px, such as `peaks` makes) closer than `separation` are merged before,
    and once more after they have moved; the brighter one stays. Rows keep the candidates' order. What is left out
    because it has no light, and what is merged, is not overflow; the overflow of the candidates is passed on.
    Blobs that touch are taken out of each other's windows. Noise at the Cramer-Rao bound, S-curve below 0.001 px
    for sigma >= 1.2 px and 0.015 px for 0.8 px; touching blobs 2.5 sigma apart within 0.05 px.

    >>> import numpy as np
    >>> y, x = np.mgrid[0:15, 0:15]
    >>> frame = (200 * np.exp(-((x - 7.3) ** 2 + (y - 6.8) ** 2) / (2 * 1.5**2))).astype(np.float32)
    >>> seeds = np.array([(7, 7), (8, 7)], [("x", "i4"), ("y", "i4")])
    >>> from kernels.ir.image import F32, I32
    >>> body = refine.build([TableType((("x", I32), ("y", I32)), 16), ImageType(F32, 15, 15)])
    >>> found = body.host.run([Table(seeds), frame], body.params)["out"].rows
    >>> found["x"].round(3), found["y"].round(3)
    (array([7.3]), array([6.8]))
    """
    if not isinstance(candidates, TableType) or not {"x", "y"} <= {name for name, _ in candidates.columns}:
        raise DefinitionError(f"its candidates are a table with columns x and y, not {candidates}")
    if not isinstance(image, ImageType) or image.channels != 1:
        raise DefinitionError(f"it takes an image of one channel, not {image}; put a `gray` stage before it")

    grain = 0.0 if image.dtype.is_float else ROUNDING

    def batch(inputs: Sequence[Any], params: Mapping[str, Any]) -> Mapping[str, Sequence[Datum]]:
        tables, images = inputs[0], np.asarray(inputs[1])
        found = refined([t.rows for t in tables], images, params["sigma"], params["separation"], grain,
                        dark=params["polarity"] == "dark")  # fmt: skip
        return {"out": [Table(rows[rows["mass"] > params["min_mass"]], table.overflow)
                        for rows, table in zip(found, tables, strict=True)]}  # fmt: skip

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Any]) -> Mapping[str, Datum]:
        made = batch([[inputs[0]], np.asarray(inputs[1])[None]], params)
        return {name: data[0] for name, data in made.items()}

    return Host({"out": TableType(FEATURE, candidates.capacity)}, run, batch)


def refined(
    candidates: Sequence[Array], images: Array, sigma: float, separation: float, grain: float = 0.0, *,
    dark: bool = False,
) -> list[Array]:  # fmt: skip
    """Rows of `FEATURE` of the blobs near each frame's candidates (columns x and y), as `centres_in` makes them.

    Args:
        images: (frames, height, width).
        dark: whether the blobs are darker than their surroundings.
    """
    height, width = images.shape[1:]
    if not len(candidates):
        return []
    frame = np.repeat(np.arange(len(candidates)), [len(rows) for rows in candidates])
    x, y = (np.concatenate([rows[axis].astype(np.float64) for rows in candidates]) for axis in ("x", "y"))
    # Within the picture's pixels; NaN fails, too.
    real = (x >= -0.5) & (x <= width - 0.5) & (y >= -0.5) & (y <= height - 0.5)
    frame, x, y = frame[real], x[real], y[real]
    column = np.clip(np.rint(x).astype(np.int64), 0, width - 1)
    row = np.clip(np.rint(y).astype(np.int64), 0, height - 1)
    light = images[frame, row, column].astype(np.float64)
    # Before the centres, since near candidates find the same blob; and after, where they have moved together.
    kept = brightest(x, y, -light if dark else light, separation, frame)
    frame = frame[kept]
    found = centres_in(images, frame, x[kept], y[kept], sigma, grain, dark=dark, together=True)
    kept = brightest(found["x"], found["y"], found["peak"], separation, frame)
    found, ends = found[kept], np.searchsorted(frame[kept], np.arange(len(candidates) + 1)).tolist()
    return [found[start:end] for start, end in pairwise(ends)]


def brightest(x: Array, y: Array, brightness: Array, separation: float, group: Array | None = None) -> Array:
    """Indices, rising, of the points that have no brighter one of their group that stays closer than `separation`."""
    stays = np.ones(len(x), np.bool_)
    if len(x) < 2 or separation <= 0:
        return np.flatnonzero(stays)
    rank = np.empty(len(x), np.int64)
    # A stable order: of equally bright points the first one stays.
    rank[np.argsort(-brightness, kind="stable")] = np.arange(len(x))
    winner, loser = pairs_within(x, y, separation, group)
    # Each pair once, by the brighter one.
    first_wins = rank[winner] < rank[loser]
    winner, loser = winner[first_wins], loser[first_wins]
    # By falling brightness: when a winner's turn comes, whether it stays is known.
    order = np.argsort(rank[winner], kind="stable")
    winner, loser = winner[order], loser[order]
    native = suppress.native()
    if native is not None:
        native(address(winner), address(loser), len(order), address(stays))
    else:
        suppress(winner, loser, len(order), stays)
    return np.flatnonzero(stays)


@loop
def suppress(winner: I64, loser: I64, count: int, stays: U8) -> int:
    """Take away what a brighter one that stays is near; pairs by falling brightness of the winner."""
    for n in range(count):
        if stays[winner[n]]:
            stays[loser[n]] = 0
    return 0
