"""One measurement: a chain at one size, fused and unfused, against its peers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.benchmark.chains import Chain, frames
from app.benchmark.peers import PEERS
from app.benchmark.timing import Timing, interleaved
from kernels.executors.base import executor
from kernels.host.opencv import cv2
from kernels.ir.image import U8, ImageType
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups
from pipelines.graph import bind
from pipelines.streaming.engine import Engine

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """One contender.

    Args:
        timing: seconds a batch.
        differs: share of pixels in which its output differs from the fused one's.
    """

    name: str
    timing: Timing
    differs: float


@dataclass(frozen=True, slots=True)
class Result:
    """All contenders of one chain at one size."""

    chain: Chain
    width: int
    height: int
    batch: int
    threads: int
    back_end: str
    contenders: tuple[Measured, ...]

    def of(self, name: str) -> Measured | None:
        return next((c for c in self.contenders if c.name == name), None)

    def fps(self, contender: Measured) -> float:
        """Frames a second."""
        return self.batch / contender.timing.median

    def ns_per_pixel(self, contender: Measured) -> float:
        return 1e9 * contender.timing.median / (self.batch * self.width * self.height)


def measure(
    chain: Chain, size: int, *, batch: int = 8, threads: int = 2, seconds: float = 3.0, back_end: str = "reference"
) -> Result:
    """Time a chain on frames of size x size pixels, `batch` a call.

    Args:
        threads: of OpenCV and of the back end, where it takes a number.
        seconds: about how long to measure.
        back_end: the executor of the fused and the unfused run.
    """
    clip = frames(chain, batch, size, size)
    cv2.setNumThreads(threads)
    ours = {name: engine(chain, clip, back_end, threads, fused=name == "fused") for name in ("fused", "unfused")}
    peers = {name: peer(size, size) for name, peer in PEERS[chain.name].items()}
    runs: dict[str, Callable[[], Array]] = {name: run for name, (run, _) in ours.items()}
    runs |= {name: lambda peer=peer: peer(clip) for name, peer in peers.items()}  # type: ignore[misc]
    wanted = as_bytes(runs["fused"]())
    differs = {name: float(np.mean(as_bytes(run()) != wanted)) for name, run in runs.items() if name != "fused"}
    timings = interleaved(runs, seconds=seconds)
    contenders = tuple(Measured(name, timings[name], differs.get(name, 0.0)) for name in runs)
    return Result(chain, size, size, batch, threads, back_end, contenders)


def engine(
    chain: Chain, clip: Array, back_end: str, threads: int, *, fused: bool
) -> tuple[Callable[[], Array], Sequence[str]]:
    """A function that runs the chain over `clip` once more, and the names of its programs."""
    source = ImageType(U8, clip.shape[1], clip.shape[2], chain.channels)
    bound = bind(chain.pipeline, source)
    groups = largest_groups(bound, bound.taps) if fused else None
    made = Engine(bound, executor(back_end, threads), groups=groups)
    indices, times = np.arange(len(clip)), np.arange(len(clip)) / 1000.0
    batch = FrameBatch(indices, times, clip)

    def run() -> Array:
        return np.asarray(made.step(batch)[chain.ref])

    return run, tuple(made.programs)


def as_bytes(output: Array) -> Array:
    """A mask as 0 and 255; a picture as it is."""
    return output.astype(np.uint8) * np.uint8(255) if output.dtype == np.bool_ else output
