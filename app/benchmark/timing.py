"""Interleaved timing: contenders take turns in random order in one process, so that all meet the same machine."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[Any]
"""Seconds of each round; NaN where the contender did not take part or the sample was dropped."""

SHARE = 0.97
"""A call on one thread counts if its thread had the processor for this share of it."""
WIDE = 1.25
"""Beyond this ratio of the quartiles a figure is not to be trusted."""
WARM = 1e-3
"""Seconds; a thread that sleeps takes some 0.1 ms to wake."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds a call: median, the quartiles as spread, and the shortest; calls that count and calls that do not."""

    median: float
    low: float
    high: float
    least: float
    rounds: int
    dropped: int = 0

    @property
    def wide(self) -> bool:
        """The spread is too wide, or the calls are too few, for the median to be trusted."""
        return self.rounds < 5 or self.high > WIDE * self.low


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times one contender is as fast as another: of the medians, quartiles of the rounds', of the shortest."""

    median: float
    low: float
    high: float
    least: float


def interleaved(
    contenders: Mapping[str, Callable[[], object]],
    *,
    seconds: float,
    least: int = 3,
    seed: int = 1,
    slow: Collection[str] = (),
    filtered: bool = False,
    warm: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> tuple[dict[str, Samples], bool]:
    """Time each contender until `seconds` are spent in all; also says whether Ctrl-C ended it.

    A round calls each once, in a random order; everyone has `least` rounds, if Ctrl-C lets them.

    Args:
        slow: contenders that sit out while they have had more than a third of the time.
        filtered: drop calls whose thread did not have its processor; only means something where a call works on one
            thread, and is left out for a contender that it would leave with less than half of its calls.
        warm: before each call that counts (but for the slow ones) one that does not, and more until WARM seconds have
            passed, as in a stream, where a batch follows the other: its threads are awake, and the caches hold what it
            left there, not what others did.
        tick: called after every round.
    """
    names = list(contenders)
    rows: dict[str, list[float]] = {name: [] for name in names}
    shares: dict[str, list[float]] = {name: [] for name in names}
    spent = dict.fromkeys(names, 0.0)
    counts = dict.fromkeys(names, 0)
    order, shuffle = list(names), random.Random(seed)
    begin = time.perf_counter()
    stopped = False
    try:
        while min(counts.values()) < least or time.perf_counter() - begin < seconds:
            due = sum(spent.values()) / 3
            late = time.perf_counter() - begin >= seconds
            # Whoever comes first meets caches and clock rates that the one before left: by chance, that evens out.
            shuffle.shuffle(order)
            taken: dict[str, tuple[float, float]] = {}
            for name in order:
                if counts[name] >= least and (late or (name in slow and spent[name] > due)):
                    continue
                if warm and name not in slow:
                    awake = time.perf_counter() + WARM
                    contenders[name]()
                    while time.perf_counter() < awake:
                        contenders[name]()
                # Wall time and this thread's own: their share tells whether the processor was taken away.
                processor, start = time.thread_time(), time.perf_counter()
                contenders[name]()
                wall = time.perf_counter() - start
                taken[name] = wall, (time.thread_time() - processor) / wall
                spent[name] += wall
                counts[name] += 1
            # A row for each round, with NaN for who sat out: ratios pair contenders by rounds.
            for name in names:
                wall, share = taken.get(name, (np.nan, np.nan))
                rows[name].append(wall)
                shares[name].append(share)
            tick()
    except KeyboardInterrupt:
        stopped = True
    samples = {name: np.array(row) for name, row in rows.items()}
    if filtered:
        for name in names:
            without = np.array(shares[name]) < SHARE
            # More than half of the calls without the processor is the contender's own way of working (threads of its
            # own).
            if 2 * without.sum() <= counts[name]:
                # Negative, not gone: they are counted among the dropped.
                samples[name][without] *= -1
    return samples, stopped


def counted(samples: Samples) -> Samples:
    """Without those that were dropped (which are kept negative, so that they can be counted)."""
    return np.where(samples > 0, samples, np.nan)


def summed_up(samples: Samples) -> Timing | None:
    """None where no call counts."""
    good = samples[samples > 0]
    if not len(good):
        return None
    low, median, high = (float(v) for v in np.percentile(good, (25, 50, 75)))
    return Timing(median, low, high, float(good.min()), len(good), int((samples < 0).sum()))


def ratio(slow: Samples, fast: Samples) -> Ratio:
    """Of the times `slow` by the times `fast`; the quartiles are those of the rounds that both took part in."""
    a, b = counted(slow), counted(fast)
    both = (a / b)[np.isfinite(a / b)]
    low, high = np.percentile(both, (25, 75)) if len(both) else (np.nan, np.nan)
    return Ratio(float(np.nanmedian(a) / np.nanmedian(b)), float(low), float(high),
                 float(np.nanmin(a) / np.nanmin(b)))  # fmt: skip
