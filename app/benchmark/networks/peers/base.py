"""What a contender is given, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Network:
    """A network to be made ready.

    Args:
        file: the ONNX file.
        threads: that a run may use.
        inputs: by name, as ONNX has them: (1, channels, height, width); they stay the same for all runs.
        outputs: names.
        folder: for files that are needed as long as the network.
    """

    file: Path
    threads: int
    inputs: Mapping[str, Array]
    outputs: Sequence[str]
    folder: Path


@dataclass(frozen=True, slots=True)
class Prepared:
    """A network that is ready.

    Args:
        run: all of it once, from the inputs to the outputs, both in memory that is there already where the library
            can do that.
        outputs: what the last run gave, by name, as ONNX has it.
        version: of the library.
        note: what else people should know of how it runs; "" for nothing.
        macs: multiply-adds of a run, of what is no network.
    """

    run: Callable[[], object]
    outputs: Callable[[], Mapping[str, Array]]
    version: str
    note: str = ""
    macs: int = 0


def fastest(choices: Mapping[str, Callable[[], object]], seconds: float = 0.05) -> str:
    """The name of the choice whose shortest run is the shortest, of those that can run.

    Raises:
        Exception: none can; what the last one raised.
    """
    best: dict[str, float] = {}
    trouble: Exception | None = None
    for name, run in choices.items():
        try:
            best[name] = shortest(run, seconds)
        except Exception as error:  # another library's
            trouble = error
    if not best:
        assert trouble is not None
        raise trouble
    return min(best, key=best.__getitem__)


def shortest(run: Callable[[], object], seconds: float) -> float:
    """Of some runs, s; the first does not count."""
    run()
    times: list[float] = []
    end = perf_counter() + seconds
    while not times or perf_counter() < end:
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times)
