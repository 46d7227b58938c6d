"""Checks and mends the time stamps that a camera wrote for each frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_WILD = 1000.0  # a step of more than this many median steps is a broken stamp or a real pause, never jitter
_UNEVEN = 0.5  # a step that differs from the median by more than this share is worth a word


@dataclass(frozen=True, slots=True)
class StampCheck:
    """What the stamps are worth.

    Args:
        seconds: mended stamps in seconds from frame 0, strictly rising, or None when they cannot be trusted.
        step: median step in seconds (NaN when there is none).
        warnings: sentences about what was odd.
    """

    seconds: npt.NDArray[np.float64] | None
    step: float
    warnings: tuple[str, ...]


def fixed_point_seconds(fractions: npt.NDArray[np.uint32], seconds: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
    """Seconds from the first stamp of 32.32 fixed-point stamps, exact to 2**-32 s.

    The whole seconds are subtracted as integers first: a fraction beside 1.4e9 s would lose nine of its digits
    in float64.

    >>> fixed_point_seconds(np.array([2**31, 2**30], np.uint32), np.array([1_400_000_000, 1_400_000_001], np.uint32))
    array([0.  , 0.75])
    """
    ticks = (seconds.astype(np.int64) - int(seconds[0])) * 2**32 + (fractions.astype(np.int64) - int(fractions[0]))
    return ticks.astype(np.float64) / 2.0**32


def check_stamps(seconds: npt.NDArray[np.float64]) -> StampCheck:
    """Mend single broken stamps, keep real pauses, and refuse what makes no sense.

    A stamp that leaps away while its neighbours agree with each other is broken and replaced by interpolation. So is
    a leap at either end, where no neighbour can vouch for it. A forward leap that the following stamps stay with
    is a pause. Anything that still runs backwards is refused.
    """
    count = len(seconds)
    if count < 2:
        return StampCheck(None, float("nan"), ())
    steps = np.diff(seconds)
    step = float(np.median(steps))
    if not (step > 0 and np.isfinite(step)):
        return StampCheck(None, float("nan"), ("the time stamps do not rise and are not used",))
    # A step that falls, or is far longer than usual, has a broken stamp at one of its ends.
    wild = (steps <= 0) | (steps > _WILD * step)
    bad = np.zeros(count, bool)
    around = seconds[2:] - seconds[:-2]
    bad[1:-1] = (wild[:-1] | wild[1:]) & (around > 0) & (around <= _WILD * step)
    # Two neighbours can both look replaceable (a spike spoils the view from both sides); the sequence decides.
    bad[1:-1] &= ~((steps[:-1] > 0) & (steps[:-1] <= _WILD * step) & (steps[1:] > 0) & (steps[1:] <= _WILD * step))
    # At either end one neighbour alone can vouch.
    if count > 2:
        bad[-1] = wild[-1] and not wild[-2]
        bad[0] = wild[0] and not wild[1]
    good = np.flatnonzero(~bad)
    # Too many broken ones: nothing is left to mend them by.
    if len(good) < 2 or bad.mean() > 0.1 + 2 / count:
        return StampCheck(None, float("nan"), ("most time stamps are broken; they are not used",))
    mended = np.interp(np.arange(count), good, seconds[good])
    # Beyond the first and the last good stamp the usual step goes on.
    mended[: good[0]] = seconds[good[0]] - step * np.arange(good[0], 0, -1)
    mended[good[-1] + 1 :] = seconds[good[-1]] + step * np.arange(1, count - good[-1])
    mended -= mended[0]
    warnings: list[str] = []
    if bad.any():
        which = np.flatnonzero(bad)
        leap = float(np.abs(seconds[which] - seconds[0] - mended[which]).max())
        warnings.append(
            f"{len(which)} of {count} time stamps are broken (first: frame {which[0]}, off by up to {leap:.3g} s) "
            "and are replaced by the neighbours' pace"
        )
    rising = np.diff(mended)
    if (rising <= 0).any():
        return StampCheck(None, float("nan"), ("the time stamps run backwards and are not used",))
    uneven = np.flatnonzero(np.abs(rising - step) > _UNEVEN * step)
    if uneven.size:
        at = int(uneven[np.argmax(rising[uneven])])
        warnings.append(
            f"the time between frames is uneven in {uneven.size} of {count - 1} steps "
            f"(largest: {rising[at]:.6g} s after frame {at}, usual: {step:.6g} s)"
        )
    return StampCheck(mended, step, tuple(warnings))
