"""Interleaved timing: contenders take turns in random order in one process, so that all meet the same machine."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds a call: median, and the quartiles as spread."""

    median: float
    low: float
    high: float
    rounds: int


def interleaved(
    contenders: Mapping[str, Callable[[], object]], *, seconds: float, least: int = 7, seed: int = 1
) -> dict[str, Timing]:
    """Time each contender until `seconds` are spent in all, at least `least` rounds.

    A round calls each once, in a random order; the first round warms up and does not count.
    """
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    order = list(contenders)
    shuffle = random.Random(seed)
    begin = time.perf_counter()
    rounds = -1
    while rounds < least or time.perf_counter() - begin < seconds:
        shuffle.shuffle(order)
        for name in order:
            start = time.perf_counter()
            contenders[name]()
            if rounds >= 0:
                samples[name].append(time.perf_counter() - start)
        rounds += 1
    return {name: _timing(times) for name, times in samples.items()}


def _timing(times: list[float]) -> Timing:
    low, median, high = np.percentile(times, (25, 50, 75))
    return Timing(float(median), float(low), float(high), len(times))


def copy_bandwidth(megabytes: int = 64, rounds: int = 9) -> float:
    """Bytes a second that one thread copies from memory to memory (read plus written), the median of `rounds`."""
    source = np.ones(megabytes << 20, np.uint8)
    target = np.zeros_like(source)
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        np.copyto(target, source)
        times.append(time.perf_counter() - start)
    return 2 * source.nbytes / float(np.median(times))
