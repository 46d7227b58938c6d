"""Frames that are looked at for a hint, and what of a pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from kernels.executors.base import Executor, executor
from kernels.ir.table import Table
from kernels.ir.volumes import has_volumes
from kernels.param import Value
from pipelines.frame import FrameBatch, FrameSource
from pipelines.frontend import Roi
from pipelines.fusing import largest_groups, needed_nodes
from pipelines.graph import Bound, BoundNode, Pipeline, Ref
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine

Array = npt.NDArray[Any]

FRAMES = 8
"""Consecutive frames that are looked at, at most."""
PIXELS = 8_000_000
"""Of them together, about: the reference is slow, and a hint must not take longer than the run."""


LARGE = 2_000_000
"""Pixels of a picture that the reference is not given."""
PART = 4_000_000
"""Pixels of the part of a larger picture that is looked at after a run."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a few consecutive frames hold: the values of some outputs, one a frame."""

    frames: list[int]
    times: list[float]
    values: dict[Ref, list[Any]]


def look_at(
    source: FrameSource, bound: Bound, first: int, processed: int, refs: Sequence[Ref], most: int | None = None,
    compiled: bool = False,
) -> Look:  # fmt: skip
    """Frames about the middle of a run, at most `most` (FRAMES); what remembers starts as many before them.

    `compiled` changes no value, and is faster where pictures are large: programs take time before they begin. Where
    they are very large it is done in any case, for what the reference makes on the way takes too much memory.
    """
    info = source.info
    count = frames_of(source, processed, FRAMES if most is None else most)
    start = first + (processed - count) // 2
    wanted = tuple(dict.fromkeys(refs))
    look = Look([], [], {ref: [] for ref in wanted})
    if not wanted:
        return look
    engine = looking(bound, wanted, compiled or info.width * info.height > LARGE)
    pixels = np.empty((1, *info.image.shape), info.image.dtype.numpy)
    # As many frames before those that are looked at, for stages with a memory.
    for frame in range(max(first, start - count), start + count):
        source.read(frame, out=pixels[0])
        time = info.time.time(frame)
        seen = engine.step(FrameBatch(np.array([frame]), np.array([time]), pixels))
        if frame >= start:
            look.frames.append(frame)
            look.times.append(time)
            for ref in wanted:
                value = seen[ref][0]
                look.values[ref].append(value.rows if isinstance(value, Table) else np.array(value))
    return look


def looking(bound: Bound, wanted: Sequence[Ref], compiled: bool = False) -> Engine:
    """What makes some outputs alone. Layers of networks are compiled in any case: the reference takes a thousand times
    as long for them."""
    alone = replace(bound, trackers=(), taps=tuple(wanted))
    layers = any(has_volumes(node.body.roots) for node in needed_nodes(alone, alone.taps))
    groups = largest_groups(alone, alone.taps) if layers else None  # as in a run, whose machine code is kept
    return Engine(alone, _fast() if compiled or layers else executor("reference"), alone.taps, groups)


def frames_of(source: FrameSource, there: int, most: int) -> int:
    """How many of `there` frames are looked at, at most `most`: of PIXELS together, but three in any case."""
    return min(there, most, max(3, PIXELS // max(1, source.info.width * source.info.height)))


def part_of(pipeline: Pipeline, source: FrameSource, roi: Roi | None) -> tuple[Bound, str]:
    """What is looked at after a run: all that ran, or where that is too much, its middle; and words that say so."""
    x, y, width, height = roi or (0, 0, source.info.width, source.info.height)
    if width * height <= PART:
        return prepare(pipeline, source, roi), ""
    share = (PART / (width * height)) ** 0.5
    wide, high = max(1, round(width * share)), max(1, round(height * share))
    part = x + (width - wide) // 2, y + (height - high) // 2, wide, high
    times = width * height / (wide * high)
    # A share of the picture becomes a larger share of its part.
    nodes = [replace(node, params={**node.params, "max_share": min(1.0, times * float(str(node.params["max_share"])))})
             if "max_share" in node.params else node for node in pipeline.nodes]  # fmt: skip
    words = f" (only the middle {wide}x{high} px of the large picture were looked at)"
    return prepare(replace(pipeline, nodes=tuple(nodes)), source, part), words


def _fast() -> Executor:
    """The compiled back end, or the reference where there is no compiler."""
    try:
        return executor("cpu")
    except (InputError, ImportError, OSError):
        return executor("reference")


def nodes_of(bound: Bound, stage: str) -> Iterator[BoundNode]:
    """The nodes of a stage whose first input is there."""
    return (node for node in bound.nodes if node.stage.name == stage and node.inputs[0] is not None)


def number(params: Mapping[str, Value], name: str) -> float:
    """A parameter that is a number."""
    value = params[name]
    assert isinstance(value, int | float)
    return value


def looked_at(bound: Bound) -> list[Ref]:
    """What goes into thresholds and (as a mask) into components."""
    nodes = (*nodes_of(bound, "threshold"), *nodes_of(bound, "components"))
    return [node.inputs[0] for node in nodes if node.inputs[0] is not None]


def middle(look: Look, node: BoundNode) -> Array:
    """What goes into a stage in the middle one of the frames."""
    ref = node.inputs[0]
    assert ref is not None
    return np.asarray(look.values[ref][len(look.frames) // 2])
