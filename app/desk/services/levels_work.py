"""What goes into thresholds in one frame of a clip; runs in a process beside the window (`levels`)."""

from __future__ import annotations

import math

import numpy as np

from app.desk.services.levels import LevelAsk, LevelLook, Values, bright, divided, look_of
from app.hinting.look import looking
from app.sources.opening import open_source
from kernels.errors import InputError
from kernels.ir.reach import reach
from pipelines.definition import loads
from pipelines.frame import FrameBatch
from pipelines.graph import Bound, Ref
from pipelines.streaming.common.preparing import prepare

WARM = 32
"""Frames that are processed before, at most, where a stage remembers without end."""
PIXELS = 16_000_000
"""Of all frames together, about: the reference is slow."""


def looks(ask: LevelAsk) -> dict[str, LevelLook]:
    """The look at each stage that is asked about.

    Raises:
        InputError: the clip cannot be opened, or the pipeline does not fit it.
        BadFrame: a frame that is needed cannot be read.
    """
    source = open_source(ask.what, ask.reading)
    try:
        pipeline = loads(ask.pipeline)
        bound = prepare(pipeline, source, ask.roi)
        inputs = {node.id: node.inputs[0] for node in bound.nodes if node.id in ask.nodes}
        refs = {name: ref for name, ref in inputs.items() if ref is not None}
        wanted = tuple(dict.fromkeys(refs.values()))
        if not wanted:
            return {}
        info = source.info
        engine = looking(bound, wanted)
        pixels = np.empty((1, *info.image.shape), info.image.dtype.numpy)
        most = max(1, PIXELS // max(1, info.width * info.height))
        # Stages that remember are led up to the frame, as far as there is time for that.
        for frame in range(max(0, ask.frame - min(_past(bound), most - 1)), ask.frame + 1):
            source.read(frame, out=pixels[0])
            seen = engine.step(FrameBatch(np.array([frame]), np.array([info.time.time(frame)]), pixels))
        nodes = {node.id: node for node, _, _ in divided(pipeline)}
        return {name: look_of(_picture(seen[ref][0], ref), ask.frame, bright(nodes[name]))
                for name, ref in refs.items() if name in nodes}  # fmt: skip
    finally:
        source.close()


def _picture(value: object, ref: Ref) -> Values:
    if not isinstance(value, np.ndarray):
        raise InputError(f"{ref} is no picture, so it has no levels")
    return value


def _past(bound: Bound) -> int:
    """Frames before one that the pipeline needs for it, WARM at most."""
    oldest = 0.0
    for node in bound.nodes:
        if node.body.host is None:
            oldest += max((-one.dt for one in reach(node.body.roots).values()), default=0.0)
    return WARM if math.isinf(oldest) else min(WARM, int(oldest))
