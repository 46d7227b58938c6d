"""What a chain cannot be faster than: its bytes over the bandwidth, its operations over the arithmetic rate.

Both rates are those of probes compiled by the same back end and run with the same threads, in turns with the
contenders: one copies as many bytes as the chain's frames, results and states take, so that it meets the same level of
the caches; one multiplies and adds in registers; the third does next to nothing, which tells what a call costs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.benchmark.ours import Array, Own, bound_to, own
from pipelines.definition import loads
from pipelines.graph import Bound, Ref
from pipelines.planning.workload import workload

GAINS = 12
PROBE_FRAMES, PROBE_HEIGHT, PROBE_WIDTH = 8, 256, 512
STREAM, RATE, CALL = "copy", "arithmetic", "call"


@dataclass(frozen=True, slots=True)
class Demand:
    """What a chain asks of the machine, a pixel of the source.

    Args:
        image: bytes of the source and of the outputs.
        state: bytes of the recurrences, each read and written once.
        lanes: operations of the stages, in 32-bit lanes (a byte's takes a quarter).
    """

    image: float
    state: float
    lanes: float

    @property
    def bytes(self) -> float:
        return self.image + self.state


def demand(bound: Bound) -> Demand:
    """The demand of a bound pipeline; host stages count for nothing."""
    work, source = workload(bound), bound.source
    pixels = source.width * source.height
    image = sum(value.frame for value in work.values if value.tapped or value.ref == Ref("source"))
    state = sum(2 * memory.bytes * task.width * task.height for task in work.tasks for memory in task.memories)
    return Demand(image / pixels, state / pixels, sum(task.lanes for task in work.tasks) / pixels)


def stream_probe(need: Demand, clip: Array, back_end: str, threads: int) -> tuple[Own, float]:
    """A copy that is as large as what a batch of the chain touches, and the bytes that it moves."""
    height, width = clip.shape[1:3]
    pixels = height * width
    touched = len(clip) * pixels * need.image + pixels * need.state / 2
    count = max(1, round(touched / (2 * pixels)))
    pipeline = loads('taps = ["invert"]\n[stages.invert]\n', "copy")
    return own(
        pipeline, np.zeros((count, height, width), np.uint8), back_end, threads, fused=True
    ), 2.0 * count * pixels


def call_probe(back_end: str, threads: int) -> Own:
    """The copy of a few pixels."""
    pipeline = loads('taps = ["invert"]\n[stages.invert]\n', "call")
    return own(pipeline, np.zeros((1, 16, 16), np.uint8), back_end, threads, fused=True)


def rate_probe(back_end: str, threads: int) -> tuple[Own, float]:
    """Multiplications and additions in registers, and how many (counted as `Demand.lanes` counts)."""
    stages = "".join(f'[stages.g{k}]\nuse = "gain"\ngain = {1 + k / 64}\noffset = {k / 8}\n' for k in range(GAINS))
    text = f'taps = ["bytes"]\n{stages}[stages.bytes]\nuse = "convert"\ndtype = "u8"\n'
    pipeline = loads(text, "arithmetic")
    clip = np.ones((PROBE_FRAMES, PROBE_HEIGHT, PROBE_WIDTH), np.uint8)
    lanes = demand(bound_to(pipeline, clip)).lanes
    return own(pipeline, clip, back_end, threads, fused=True), lanes * clip.size
