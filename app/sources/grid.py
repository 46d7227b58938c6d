"""Even grids in time stamps that a container rounded, and what is uneven in them.

Containers keep stamps in ticks: Matroska, WebM, FLV and ASF in milliseconds, MP4 and MOV in a time scale of their own.
Frame n of a stream of `rate` frames a second then bears the stamp round(n * period) with period = 1 / (rate * tick),
which steps by 1 and 2 ticks at 700 frames/s. Stamps that one rate explains so are that rate's grid, exactly; whole
frames may be missing from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from app.sources.base import describe_rate, plural
from app.sources.distinct import distinct

_HALVES = 2
"""Ticks a period from which halves may be rounded either way, as some programs do to the even tick."""
_DENOMINATOR = 1_000_000
"""Of periods in ticks: products with stamps stay below 2**63."""
_WIDE = 4
"""Ticks a period from which stamps may lie a tick to either side of the grid; below, only rounding is allowed for:
half a tick to either side, for a frame that is missing moves the following ones by hardly more."""
_ROUND = (1000, 500, 250, 100, 50, 25, 10, 5, 1)
"""Rates are tried that are multiples of these, the roundest first."""
_LAGS = 32
"""Distances of frames at most whose stamps bound the period: all of short clips, and of longer ones enough."""
_LOOK = 2000
"""Stamps of a long clip that are looked at first."""
_ARCS = 32
"""Beginnings of the grid at most that are tried: a period's share beyond a tick is the 25th part at 960 frames/s."""
_DECIMALS = 6
"""Of times that may be rounded; more are not worth a word."""
_WRITTEN = 1e-4
"""Share of the last decimal by which a number that was written with it may differ from a multiple of it."""
_MISSING = 0.5
"""Frames of a grid that may be missing, as a share: with more, other grids explain the stamps as well."""
_UNNAMED = 0.2
"""And of a grid whose rate is not named."""
_LOST = 0.05
"""And of a grid of the ticks themselves, on which all stamps lie: FFmpeg names that where the file names none."""
_GAP = 1.5
"""Usual steps from which a step is a gap where there is no grid."""
_PACE = 0.1
"""Share by which the pace of several steps must differ to be another one."""
_FEW = 8
"""Steps of another pace that are a ramp and no jitter."""

Ticks = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Grid:
    """Stamps as places on an even grid.

    Args:
        rate: frames a second.
        numbers: of each frame, from 0, rising; where one is left out, a frame is missing.
    """

    rate: float
    numbers: Ticks

    @property
    def gaps(self) -> Ticks:
        """The frames behind which others are missing."""
        return np.flatnonzero(np.diff(self.numbers) > 1)

    @property
    def missing(self) -> int:
        return int(self.numbers[-1]) + 1 - len(self.numbers)

    def sentence(self) -> str:
        """What is missing, with frame numbers; "" where nothing is.

        >>> Grid(1000.0, np.array([0, 1, 4, 5, 7])).sentence()
        '3 frames are missing: 2 after frame 1, 1 after frame 3'
        """
        places = [f"{self.numbers[i + 1] - self.numbers[i] - 1} after frame {i}" for i in self.gaps[:5]]
        more = f" and {len(self.gaps) - 5} more gaps" if len(self.gaps) > 5 else ""
        verb = "is" if self.missing == 1 else "are"
        return f"{plural(self.missing, 'frame')} {verb} missing: {', '.join(places)}{more}" if places else ""


def find_grid(
    ticks: Ticks, tick: Fraction, declared: Iterable[Fraction] = (), written: bool = False
) -> Grid | None:
    """The grid on which stamps lie as their container rounds; None where no rate explains them.

    Args:
        ticks: rising stamps.
        tick: seconds.
        declared: rates that the file names, frames a second; they are tried first.
        written: the stamps are rounded numbers, none of which is off by more than that; containers may be off by a tick
            to either side.

    >>> find_grid(np.array([0, 1, 3, 4, 6, 7, 9, 10]), Fraction(1, 1000), [Fraction(700)]).rate
    700.0
    >>> find_grid(np.array([0, 10, 20, 30, 40, 50, 60, 90, 100]), Fraction(1, 1000)).numbers
    array([ 0,  1,  2,  3,  4,  5,  6,  9, 10])
    >>> find_grid(np.array([0, 1]), Fraction(1, 1000), [Fraction(700)]).rate
    700.0
    >>> find_grid(np.array([0, 100, 240, 340, 480, 580]), Fraction(1, 90000)) is None
    True
    """
    since = ticks - ticks[0]
    steps = np.diff(since)
    declared = [rate for rate in declared if rate > 0]
    if len(ticks) == 2:  # their distance alone tells no rate
        near = [rate for rate in declared if abs(int(since[1]) * tick * rate - 1) < tick * rate]
        return Grid(float(near[0]), np.arange(2)) if near else None
    if len(ticks) < 2:
        return None
    several = since[_FEW // 2 :] - since[: -(_FEW // 2)]  # steps of a tick or two have no median between
    step = float(np.median(several)) / (_FEW // 2) if len(several) else float(np.median(steps))
    # A new part begins behind each step that is a gap: rates are looked for within parts.
    whole, parts = np.zeros(len(ticks), np.int64), np.append(0, np.cumsum(steps > _GAP * step + 0.5))
    usual = 1 / (Fraction(float(np.median(steps))) * tick)
    named = [*declared, *_near(declared)]
    telling = [rate for rate in named if rate * tick < 1]
    # From the surest to the least sure: named rates without gaps, named ones with gaps, rates that the stamps allow.
    tries = ((named, 0.0), (telling, _MISSING), (named, _LOST), (_allowed(since, tick, whole), 0.0),
             (_allowed(since, tick, parts), _UNNAMED), ([*_round(usual), usual], _UNNAMED))  # fmt: skip
    for rates, share in tries:
        for rate in dict.fromkeys(rates):
            if len(since) > 2 * _LOOK and _on(since[:_LOOK], tick, rate, written) is None:
                continue  # long clips need not be sorted for it
            found = _on(since, tick, rate, written)
            if found is not None and found.missing <= share * (len(ticks) + found.missing):
                return found
    return None


def find_rounded(times: npt.NDArray[np.float64], declared: Iterable[Fraction] = ()) -> Grid | None:
    """The grid of times that were written with a few decimals, such as milliseconds; None where there is none, or where
    nothing was rounded.

    Args:
        times: s, rising.
        declared: rates that a file or the user names, frames a second.

    >>> find_rounded(np.array([0.5, 0.501, 0.503, 0.504, 0.506, 0.507, 0.509, 0.51]), [Fraction(700)]).rate
    700.0
    >>> find_rounded(np.arange(8) / 700.0) is None
    True
    """
    for decimals in range(1, _DECIMALS + 1):
        ticks = np.rint(times * 10**decimals)
        if np.abs(times * 10**decimals - ticks).max(initial=0) < _WRITTEN:
            return find_grid(ticks.astype(np.int64), Fraction(1, 10**decimals), declared, written=True)
    return None


def _near(rates: Iterable[Fraction]) -> Iterator[Fraction]:
    """Whole rates, and those of television, that are meant by rates that were rounded."""
    for rate in rates:
        for meant in (Fraction(round(rate)), Fraction(1000 * round(rate * 1001 / 1000), 1001)):
            if meant and abs(rate / meant - 1) < Fraction(1, 100_000):
                yield meant


def _allowed(since: Ticks, tick: Fraction, parts: Ticks) -> Iterator[Fraction]:
    """Rates that stamps allow where no frame is missing within a part, the roundest first: stamps k frames apart are k
    periods apart, up to the ticks by which they may be off."""
    n = len(since)
    lags = np.unique(np.geomspace(1, n - 1, _LAGS).astype(np.int64)) if n > _LAGS else np.arange(1, n)
    apart = [(int(lag), (since[lag:] - since[:-lag])[parts[lag:] == parts[:-lag]]) for lag in lags]
    apart = [(lag, steps) for lag, steps in apart if len(steps)]
    # Containers round stamps by one tick, some by one to either side.
    for off in (1, 2):
        # A rate is allowed whose period lies between the longest lower and the shortest upper bound of all lags.
        shortest = max(Fraction(int(steps.max()) - off, lag) for lag, steps in apart)
        longest = min(Fraction(int(steps.min()) + off, lag) for lag, steps in apart)
        if not 0 < shortest <= longest:
            continue
        middle = 2 / ((shortest + longest) * tick)
        for rate in (*_round(middle), middle):
            if shortest <= 1 / (rate * tick) <= longest:
                yield rate


def _round(rate: Fraction) -> Iterator[Fraction]:
    """The nearest multiples of round numbers."""
    for unit in _ROUND:
        if rate >= unit:
            yield Fraction(unit * round(rate / unit))
    yield Fraction(1000 * round(rate * 1001 / 1000), 1001) if rate > 1 else rate


def _on(since: Ticks, tick: Fraction, rate: Fraction, written: bool) -> Grid | None:
    """The places of stamps on the grid of a rate; None where they do not lie on it.

    Stamps modulo the period lie in one arc of the circle, which is as long as they are off: it begins where a long arc
    without any ends.
    """
    if not rate:
        return None
    period = (1 / (rate * tick)).limit_denominator(_DENOMINATOR)
    a, b = period.numerator, period.denominator
    # Whole-number arithmetic within 64 bits: larger numbers would wrap.
    if a < b or a > 2**62 or int(since[-1]) > 2**62 // b:
        return None
    # In units of tick / b the period is the whole number a.
    scaled = since * b
    rest = distinct(scaled % a)
    # Empty arcs between neighbouring remainders, around the circle.
    empty = np.diff(rest, append=rest[0] + a)
    longest_arc = 2 * b if period >= _WIDE and not written else b if period >= _HALVES else b - 1
    best: Ticks | None = None
    # Of short clips whose period is hardly more than a tick there is more than one such arc: the one with the fewest
    # frames missing is taken.
    for gap in np.argsort(-empty, kind="stable")[:_ARCS]:
        if a - int(empty[gap]) > longest_arc:
            break
        numbers = (scaled - int(rest[(gap + 1) % len(rest)])) // a
        if (np.diff(numbers) >= 1).all() and (best is None or numbers[-1] - numbers[0] < best[-1]):
            best = numbers - numbers[0]
            if best[-1] == len(best) - 1:
                break
    return None if best is None else Grid(float(rate), best)


def uneven_sentence(seconds: npt.NDArray[np.float64]) -> str:
    """What is uneven in stamps without a grid, with frame numbers; "" where nothing is worth a word.

    Args:
        seconds: of each frame, rising.

    >>> uneven_sentence(np.cumsum([0, *[0.01] * 20, *[0.04] * 20]))
    'the pace changes: 100 fps up to frame 20, then 25 fps'
    >>> uneven_sentence(np.cumsum([0, *[0.01] * 20, 0.05, *[0.01] * 20]))
    'a pause of 0.05 s after frame 20 (usual: 0.01 s)'
    """
    steps = np.diff(seconds)
    if len(steps) < 2:
        return ""
    paces = _paces(steps)
    if len(paces) > 1:
        words = [f"{describe_rate(1 / float(np.median(steps[a:b])))} up to frame {b}" for a, b in paces[:4]]
        last = describe_rate(1 / float(np.median(steps[slice(*paces[-1])])))
        if len(paces) <= 4:
            words[-1] = last
        else:
            words += [f"{len(paces) - 5} more paces" if len(paces) > 5 else "", last]
        return f"the pace changes: {', then '.join(word for word in words if word)}"
    step = float(np.median(steps))
    far = np.flatnonzero(steps > _GAP * step)
    if 0 < len(far) <= len(steps) // 10:
        longest = int(far[np.argmax(steps[far])])
        rest = f", the longest of {len(far)} pauses" if len(far) > 1 else ""
        return f"a pause of {steps[longest]:.6g} s after frame {longest} (usual: {step:.6g} s){rest}"
    return f"the time between frames is uneven: {steps.min():.6g} to {steps.max():.6g} s (median {step:.6g} s)"


def _paces(steps: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """Runs [first, last) of steps of one pace, each `_FEW` at least; one for all where it does not change for long."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(steps):
        pace, end = float(np.median(steps[at : at + _FEW])), at
        while end < len(steps):
            block = steps[end : end + _FEW]
            if abs(float(np.median(block)) / pace - 1) > _PACE:
                break
            end += len(block)
        # Where within the last block the pace changed:
        low = max(at + 1, end - _FEW)
        if end < len(steps):
            off = np.abs(steps[low : end + _FEW] / pace - 1) > _PACE
            end = low + _turn(off)
        found.append((at, max(end, at + 1)))
        at = found[-1][1]
    short = [run for run in found if run[1] - run[0] < _FEW]
    return found if not short and len(found) <= max(1, len(steps) // _FEW) else [(0, len(steps))]


def _turn(off: npt.NDArray[np.bool_]) -> int:
    """Where a run of False becomes one of True, by the fewest exceptions."""
    # Exceptions before a cut (True) plus those behind it (False): their sum is least where the run turns.
    before = np.concatenate(([0], np.cumsum(off)))
    after = (~off)[::-1].cumsum()[::-1]
    return int(np.argmin(before + np.concatenate((after, [0]))))
