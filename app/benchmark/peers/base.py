"""What a peer is, and which there are."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from app.benchmark.checkout import why_absent

Array = npt.NDArray[Any]
LIBRARIES = {
    "opencv": "app.benchmark.peers.opencv",
    "scipy": "app.benchmark.peers.scipy",
    "numba": "tests.benchmark_peers.chains.numba",
    "halide": "tests.benchmark_peers.chains.halide",
}
"""Library -> its module; the last two need packages that fusetrack does not (extra `bench`)."""
_PACKAGES = {"opencv": "cv2"}


@dataclass(frozen=True, slots=True)
class Size:
    """What a peer is made for: frames of height x width pixels, and how many threads it may use."""

    height: int
    width: int
    threads: int = 1


Peer = Callable[[Array], Array]
"""From a batch of frames (count, height, width[, 4]) to the mask or picture of each, u8, or the moments (count, 16, 6)
of the regions. It keeps its state from call to call and may return the same memory again."""


@dataclass(frozen=True, slots=True)
class Contender:
    """How a peer is made, and how its output is judged.

    Args:
        make: the peer for a size and a first batch to try variants on.
        margin: pixels at the edges where it differs by its treatment of borders, left out of the comparison.
        same: it computes the same thing, so that its output must agree within the chain's tolerance.
    """

    make: Callable[[Size, Array], Peer]
    margin: int = 0
    same: bool = True


class Library(Protocol):
    """A module of `LIBRARIES`."""

    CONTENDERS: Mapping[str, Mapping[str, Contender]]

    def set_threads(self, threads: int) -> None:
        """From now on."""
        ...


def library(name: str) -> Library | str:
    """The module of `name`, or why it does not take part."""
    why = why_absent(_PACKAGES.get(name, name), LIBRARIES[name], "bench")
    return why or cast(Library, importlib.import_module(LIBRARIES[name]))


class Buffered:
    """Buffers by name, made once; the frames of a batch one by one."""

    def __init__(self, size: Size, _: Array | None = None) -> None:
        self.size = (size.height, size.width)
        self.buffers: dict[str, Array] = {}
        self.first = True

    def buffer(self, name: str, dtype: Any) -> Array:
        if name not in self.buffers:
            self.buffers[name] = np.zeros(self.size, dtype)
        return self.buffers[name]

    def results(self, count: int) -> Array:
        """Memory for the output of a batch."""
        out = self.buffers.get("out")
        if out is None or len(out) != count:
            out = self.buffers["out"] = np.zeros((count, *self.size), np.uint8)
        return out

    def __call__(self, batch: Array) -> Array:
        out = self.results(len(batch))
        for i in range(len(batch)):
            self.frame(batch[i], out[i])
            self.first = False
        return out

    def frame(self, frame: Array, out: Array) -> None:
        """One frame."""
        raise NotImplementedError
