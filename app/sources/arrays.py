"""Files that hold several arrays (HDF5, npz): which one is the clip, and what the others say about its times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.sources.array import NO_TIMES
from app.sources.base import SAME_RATE, NoPictures, describe_rate
from app.sources.stamps import check_stamps
from kernels.errors import SourceError
from pipelines.frame import TimeBase

_SHOWN = 8
_CHANNELS = (1, 3, 4)
_RATES = {"fps", "framerate", "framespersecond", "samplingrate", "samplerate", "samplingfrequency", "acquisitionrate",
          "recordrate", "capturerate", "rate"}  # fmt: skip
_STEPS = {"dt", "frametime", "frameinterval", "timestep", "samplinginterval", "period"}
_ENDS = ("", "hz", "fps", "seconds", "sec", "s")
"""Units behind them; what is in other units is not known."""
_TIMES = ("time", "times", "timestamp", "timestamps", "t", "time_s", "times_s")
_SECONDS = {"s": 1.0, "sec": 1.0, "second": 1.0, "seconds": 1.0, "ms": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
            "us": 1e-6, "µs": 1e-6, "microsecond": 1e-6, "microseconds": 1e-6, "ns": 1e-9,
            "nanosecond": 1e-9, "nanoseconds": 1e-9}  # fmt: skip
_EVEN = 1e-3
"""Share of a step by which stamps may be off an even grid that is taken for what they mean."""


@dataclass(frozen=True, slots=True)
class Held:
    """An array in a file: its name there, shape and type."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __str__(self) -> str:
        return f"{self.name} ({' x '.join(map(str, self.shape)) or 'one value'}, {self.dtype})"


def choose(path: Path, part: str, found: Sequence[Held]) -> Held:
    """The array that is meant: the one named, or the only one that is a stack of pictures.

    Args:
        path: for the sentence.
        part: its name; "" for none.
        found: all that are there.

    Raises:
        SourceError: none, or several.
    """
    if part:
        same = [one for one in found if one.name.strip("/") == part.strip("/")]
        within = [one for one in found if one.name.strip("/").startswith(part.strip("/") + "/")]
        if same:
            return same[0]
        if not within:
            raise SourceError(f"{path} holds nothing called {part}; it holds {listed(found)}")
        found = within
    stacks = [one for one in found if one.dtype.kind in "buif" and min(one.shape, default=0) > 0 and (
        len(one.shape) == 3 or (len(one.shape) == 4 and one.shape[3] in _CHANNELS))]  # fmt: skip
    if len(stacks) == 1:
        return stacks[0]
    if stacks:
        raise SourceError(f"{path} holds {len(stacks)} stacks of pictures: {listed(stacks)}; name one, such as "
                          f"{path}:{stacks[0].name}")  # fmt: skip
    raise NoPictures(f"{path} holds no stack of pictures (frames, height, width), but {listed(found)}")


def listed(found: Sequence[Held]) -> str:
    """The first of them for a sentence."""
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return (", ".join(map(str, found[:_SHOWN])) or "nothing") + more


def is_times(name: str) -> bool:
    """Whether an array so called may hold the time of each frame."""
    return name.rsplit("/", 1)[-1].lower() in _TIMES


def time_base(
    frames: int, fields: Iterable[Mapping[str, Any]], times: Sequence[tuple[str, Any, str]], warnings: list[str]
) -> TimeBase:
    """When the frames were exposed.

    Args:
        frames: of the clip.
        fields: single values by name, those nearest to the pictures first.
        times: name, values and unit ("" for none) of arrays that may be the frames' times (`is_times`).
        warnings: gets what is odd.
    """
    stated = next((found for one in fields if (found := _rates_in(one))), {})
    rates = list(stated.values())
    rate, whence = (rates[0], next(iter(stated))) if rates else (float("nan"), "")
    if rates and max(rates) > min(rates) * (1 + SAME_RATE):
        names = "; ".join(f"{name}: {describe_rate(value)}" for name, value in stated.items())
        warnings.append(f"the file names several rates ({names}), of which none is used; give the one with --fps")
        rate = float("nan")
    made = _by_times(frames, times, rate, warnings)
    if made is not None:
        return made
    return TimeBase(rate, "header", f"{describe_rate(rate)}, by {whence} in the file") if rate > 0 else NO_TIMES


def _rates_in(fields: Mapping[str, Any]) -> dict[str, float]:
    """The rates that values name, by what they are called."""
    found = {}
    for name, value in fields.items():
        letters, number = re.sub(r"[^a-z]", "", name.lower()), _number(value)
        plain = {letters.removesuffix(end) for end in _ENDS}
        if number > 0 and plain & _RATES:
            found[name] = number
        elif number > 0 and plain & _STEPS:
            found[name] = float(f"{1 / number:.12g}")
    return {name: rate for name, rate in found.items() if 1e-9 < rate < 1e9}


def _number(value: Any) -> float:
    """A single number, or a text of one; NaN for anything else."""
    try:
        array = np.asarray(value)
        if array.size != 1 or array.dtype.kind not in "uifSUO":
            return float("nan")
        one = array.reshape(())[()]
        return float(one.decode() if isinstance(one, bytes) else one)
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def _by_times(frames: int, times: Sequence[tuple[str, Any, str]], rate: float, warnings: list[str]) -> TimeBase | None:
    fitting = [one for one in times if np.shape(one[1]) == (frames,) and np.asarray(one[1]).dtype.kind in "uif"]
    if len(fitting) != 1 or frames < 2:
        if len(fitting) > 1:
            warnings.append(f"{', '.join(one[0] for one in fitting)} may all be the times of the frames; none is used")
        return None
    name, values, unit = fitting[0]
    values = np.asarray(values)
    scale = _SECONDS.get(unit.strip().lower())
    # Differences of whole numbers first: nanoseconds since 1970 have no room for fractions in f64.
    since = values.astype(np.int64) if values.dtype.kind in "ui" else values.astype(np.float64)
    since = (since - since[0]).astype(np.float64)
    step = float(np.median(np.diff(since)))
    # Without a unit: the one in which the steps fit the rate that is named.
    if scale is None and rate > 0 and step > 0:
        scale = next((one for one in (1.0, 1e-3, 1e-6, 1e-9) if abs(step * one * rate - 1) < 0.1), None)
    if scale is None and values.dtype.kind == "f":
        scale = 1.0
    if scale is None:
        warnings.append(f"{name} has no unit and is not used for the times of the frames")
        return None
    check = check_stamps(since * scale)
    warnings.extend(f"{name}: {one}" for one in check.warnings)
    if check.seconds is None:
        return None
    mean = (frames - 1) / float(check.seconds[-1])
    even = np.abs(check.seconds - np.arange(frames) / mean).max() * mean < _EVEN
    fps = float(f"{mean if even else 1 / check.step:.9g}")
    if rate > 0 and abs(fps / rate - 1) > 0.01:
        warnings.append(f"the file names {describe_rate(rate)}, {name} says {describe_rate(fps)} and is used")
    return TimeBase(fps, "stamps", f"{describe_rate(fps)} by {name} in the file", None if even else check.seconds)
