"""The picture of a clip in which nothing moves, of frames from all over it.

A pixel that keeps its value has it there. One that changes has its lower, middle or higher value, whichever is most
likely (Bayes): by how often it was seen, and by what lies around and keeps its value, normally distributed. So what
rests for most of the clip is not in it either, if it goes away from its place once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, nullcontext
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from kernels.errors import BadFrame, DefinitionError
from kernels.stages.light import SIDE
from kernels.stages.relight import MOST
from pipelines.frame import FrameSource, Pixels, SourceInfo
from pipelines.graph import Pipeline

Array = npt.NDArray[Any]

FRAMES = 15
"""Frames that are looked at, at most."""
FEWEST = 3
"""And at the least: of two none is in the middle."""
BYTES = 64 << 20
"""Of frames that are kept for it: of pictures of more than 22 MB none is made."""
FEW = 1 / 8
"""Share of the frames in which a pixel may be lower, or higher, than in all others without anything being there."""
CHANGES = 2.0
"""Times the median of all pixels by which a pixel's values differ, without those FEW, if something was there: of 15
values with Gaussian noise alone one in 1e5 has so much."""
BLOCK = 8
"""Px along each axis in which what lies around is summed up."""
AROUND = 1 / 8
"""Share of the picture's sides that lies around, on each side."""

_FOUND: WeakKeyDictionary[FrameSource, Pixels | None] = WeakKeyDictionary()


def places(info: SourceInfo) -> list[int]:
    """The frames that are looked at, rising; none where no picture can be made of delivered frames (`FEWEST`, packed
    samples).

    >>> from types import SimpleNamespace as Any
    >>> places(Any(frames=1000, image=Any(nbytes=1000), format=Any(packing="none")))[:5]
    [0, 107, 149, 256, 298]
    """
    count = min(FRAMES, info.frames, BYTES // info.image.nbytes)
    if count < FEWEST or info.format.packing != "none":
        return []
    # One in each of even intervals, where the golden section puts it: in time with that nothing shakes.
    return [int((k + k * 0.5 * (5**0.5 - 1) % 1.0) * info.frames / count) for k in range(count)]


def still_of(source: FrameSource, again: Callable[[], FrameSource] | None = None) -> Pixels | None:
    """What a clip shows where nothing moves, as its frames are delivered; None where there is none (`places`). It is
    made once for a source, and known from then on.

    Args:
        source: the clip.
        again: opens the same clip once more, to read from, where another thread may be reading `source`.
    """
    if source not in _FOUND:
        with nullcontext(source) if again is None else closing(again()) as reader:
            _FOUND[source] = _read(reader)
    return _FOUND[source]


def asking(pipeline: Pipeline) -> list[str]:
    """The stages that ask for that picture before the first frame (`kernels.stages.background`)."""
    return [node.id for node in pipeline.nodes if node.params.get("begin") == "clip"]


def check_unforeseen(pipeline: Pipeline) -> None:
    """Refuse what needs frames of the source before it runs.

    Raises:
        DefinitionError: a stage asks for the clip's still picture.
    """
    if nodes := asking(pipeline):
        instead = " ".join(f"--set {node}.begin=majority" for node in nodes)
        raise DefinitionError(f"{nodes[0]}.begin = clip takes frames from all over a clip before it runs, which are "
                              f"not at hand here: {instead}")  # fmt: skip


def _read(source: FrameSource) -> Pixels | None:
    frames = []
    for place in places(source.info):
        try:
            frames.append(np.array(source.read(place)))
        except BadFrame:
            continue
    if len(frames) < FEWEST:
        return None
    every = np.stack(frames)
    made: Pixels = np.empty_like(every[0])
    # Of a mosaic each of the four places of a colour filter is a picture of its own.
    step = 2 if source.info.format.color.startswith("bayer") else 1
    flat = every.reshape(*every.shape[:3], -1)  # the colours of a pixel, or of a mosaic, each for itself
    into = made.reshape(*flat.shape[1:])
    for y in range(step):
        for x in range(step):
            for channel in range(flat.shape[-1]):
                into[y::step, x::step, channel] = still(flat[:, y::step, x::step, channel])
    return made


def still(frames: Array) -> Array:
    """What of some frames nothing moves in.

    Args:
        frames: (n, height, width), n >= FEWEST, of one colour.

    Returns:
        (height, width), of their type; NaN where no frame has a finite value.
    """
    count, few = len(frames), int(FEW * len(frames))
    # Sorted along time: order statistics of each pixel.
    ordered = np.sort(_evenly_lit(_filled(frames)), axis=0)
    made: Array = ordered[count // 2].copy()
    places = few, count // 2, count - 1 - few
    spread = ordered[places[2]] - ordered[places[0]]
    near = CHANGES * _median(spread)
    # Pixels whose values, without the FEW outermost on each side, lie farther apart than noise explains.
    changes = spread > near
    # What lies around and keeps its value: the prior.
    mean, variance = (one[changes] for one in _around(made, ~changes & np.isfinite(made)))
    values = ordered[:, changes]
    best, where = np.full(values.shape[1], -np.inf), np.zeros(values.shape[1], np.int64)
    for place in places:
        # A mode's weight: values within `near` of it.
        first = (values < values[place] - near).sum(axis=0)
        seen = (values <= values[place] + near).sum(axis=0) - first
        with np.errstate(divide="ignore", invalid="ignore"):
            unlike = np.square(values[place] - mean) / (2.0 * variance)
        # Log of the posterior but for constants: how often it was seen, times the normal prior.
        likely = np.log(seen) - np.where(np.isfinite(unlike), unlike, 0.0)  # 0: nothing around keeps its value
        where, best = np.where(likely > best, first + seen // 2, where), np.maximum(likely, best)
    made[changes] = np.take_along_axis(values, where[None], axis=0)[0]
    if frames.dtype.kind in "ui":
        made = np.rint(made).clip(0, np.iinfo(frames.dtype).max)
    return made > 0.5 if frames.dtype.kind == "b" else made.astype(frames.dtype)


def _filled(frames: Array) -> Array:
    """With the middle one of a pixel's finite values in place of those that are not, so that these tell nothing; NaN
    where none is finite."""
    finite = np.isfinite(frames)
    if finite.all():
        return frames
    ordered = np.sort(np.where(finite, frames, frames.dtype.type(np.nan)), axis=0)  # NaN behind all
    middle = np.take_along_axis(ordered, np.maximum(finite.sum(axis=0, keepdims=True) - 1, 0) // 2, axis=0)
    made: Array = np.where(finite, frames, middle)
    return made


def _median(values: Array) -> float:
    """Of those that are finite; 0 where none is."""
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if len(finite) else 0.0


def _evenly_lit(frames: Array) -> Array:
    """As if each had the light of the median of all (f32): the brighter half of the picture tells it, by the median of
    ratios, whatever passes before that. Where half of it is black nothing does."""
    # A subsample of at most SIDE x SIDE pixels: medians of ratios need no more.
    few = frames[:, :: -(-frames.shape[1] // SIDE), :: -(-frames.shape[2] // SIDE)]
    middle = np.median(few, axis=0)
    lit = middle >= _median(middle)
    tells = lit.any() and middle[lit].min() > 0.0
    # The exposure of each frame by the median of ratios: robust to whatever moves.
    light = np.median(few[:, lit] / middle[lit], axis=1) if tells else np.ones(len(frames))
    made: Array = frames * (1.0 / light.clip(1.0 / MOST)).astype(np.float32)[:, None, None]
    return made


def _around(picture: Array, counts: Array) -> tuple[Array, Array]:
    """Mean and variance of what lies around each pixel and counts, (height, width) each; NaN where nothing does."""
    sums = [_boxes(_blocks(np.where(counts, picture.astype(np.float64) ** power, 0.0))) for power in range(3)]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums[1] / sums[0]
        # E x^2 - (E x)^2, held above rounding.
        variance = np.maximum(sums[2] / sums[0] - mean * mean, 1e-12)
    height, width = picture.shape
    wide = [one.repeat(BLOCK, axis=0).repeat(BLOCK, axis=1)[:height, :width] for one in (mean, variance)]
    return wide[0], wide[1]


def _blocks(values: Array) -> Array:
    """Sums of squares of BLOCK px."""
    rows = np.add.reduceat(values, np.arange(0, values.shape[0], BLOCK), axis=0)
    made: Array = np.add.reduceat(rows, np.arange(0, values.shape[1], BLOCK), axis=1)
    return made


def _boxes(values: Array) -> Array:
    """Sums of what lies within AROUND of the sides of each place."""
    # Box sums by differences of running sums (an integral image, axis by axis).
    for axis in (0, 1):
        size = values.shape[axis]
        reach, total = max(1, int(AROUND * size)), np.insert(values.cumsum(axis=axis), 0, 0.0, axis=axis)
        at = np.arange(size)
        values = total.take(np.minimum(at + reach + 1, size), axis) - total.take(np.maximum(at - reach, 0), axis)
    return values
