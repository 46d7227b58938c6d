"""A data channel: a file of samples, which of its columns count, when they were taken, and where it lies in the clip's
time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError

Values = npt.NDArray[np.float64]
SECONDS: Mapping[str, float] = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0}
"""Units of times, in s."""
ENDINGS = (".csv", ".tsv", ".txt", ".dat", ".lvm", ".asc", ".wav", ".tdms")
"""Of files that may hold a data channel."""
MOST_COLUMNS = 8
"""Columns of one channel that are read at once: each has 80 MB where there are ten million samples."""
_MEASURED = re.compile(r"\s*(.*?)\s*[\[(]\s*([^\[\]()]*?)\s*[\])]\s*")


@dataclass(frozen=True, slots=True)
class ChannelColumn:
    """A column that is looked at.

    Args:
        name: as the file calls it.
        unit: of what is shown; "" where nothing says it.
        factor: what is shown is so many times what the file has (N for a V of a load cell).
    """

    name: str
    unit: str = ""
    factor: float = 1.0

    @property
    def label(self) -> str:
        """Name and unit, the unit once: "force (N)" where the file says it so."""
        plain, unit = split_unit(self.name)
        return f"{plain} [{self.unit}]" if self.unit else plain if not unit else self.name


@dataclass(frozen=True, slots=True)
class Channel:
    """A file of samples beside a clip, and how it is read.

    Args:
        path: of the file.
        columns: which are read; () for the first that there is.
        time: column of the times; "" where they follow from the rate.
        time_unit: of these, a key of SECONDS; "" for what the column's name says, else s.
        rate: samples a second, which the file's own say gives way to; None for what it says.
        delimiter, decimal: of a text file; "" for what is found in it.
        offset: s that are added to the channel's own times to give the clip's.
    """

    path: str
    columns: tuple[ChannelColumn, ...] = ()
    time: str = ""
    time_unit: str = ""
    rate: float | None = None
    delimiter: str = ""
    decimal: str = ""
    offset: float = 0.0

    def __post_init__(self) -> None:
        if self.time_unit and self.time_unit not in SECONDS:
            raise InputError(f"times are in {', '.join(SECONDS)}, not in {self.time_unit!r}")
        if self.rate is not None and not (np.isfinite(self.rate) and self.rate > 0):
            raise InputError(f"a sample rate is a positive number of samples a second, not {self.rate}")
        if not np.isfinite(self.offset):
            raise InputError(f"an offset is a number of seconds, not {self.offset}")
        if len(self.columns) > MOST_COLUMNS:
            raise InputError(f"{len(self.columns)} columns are too many at once; choose {MOST_COLUMNS} at most")
        for column in self.columns:
            if not (np.isfinite(column.factor) and column.factor):
                raise InputError(f"the factor of {column.name} is a number other than 0, not {column.factor}")


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file holds, as far as its beginning tells.

    Args:
        kind: "CSV", "WAV" or "TDMS".
        columns: all of them, with the units that their names tell.
        time: that which is likely the one of times; "" for none.
        time_unit: of it, a key of SECONDS.
        rate: samples a second that the file states; None where it does not.
        samples: how many there are; -1 where only reading tells.
        delimiter, decimal: of a text file.
        preview: its first rows as they are written, for people.
        notes: sentences to read with it.
    """

    kind: str
    columns: tuple[ChannelColumn, ...]
    time: str = ""
    time_unit: str = "s"
    rate: float | None = None
    samples: int = -1
    delimiter: str = ""
    decimal: str = ""
    preview: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()

    def chosen(self, channel: Channel, name: str) -> tuple[ChannelColumn, ...]:
        """The columns that a channel looks at.

        Raises:
            InputError: there is none of that name, or none beside the times.
        """
        known = {column.name: column for column in self.columns}
        there = [column for column in self.columns if column.name != self.clock(channel)]
        if not there:
            raise InputError(f"{name} has no column beside that of the times ({self.clock(channel)})")
        for column in channel.columns:
            if column.name not in known:
                raise InputError(f"{name} has no column {column.name!r}; it has {', '.join(known)}")
        return channel.columns or (there[0],)

    def clock(self, channel: Channel) -> str:
        """The column of times; "" where they follow from a rate."""
        return channel.time or ("" if channel.rate is not None else self.time)


@dataclass(frozen=True, slots=True)
class Samples:
    """What was read: n samples at times that rise.

    Args:
        values: (n,) of each column, by its name, in its unit; NaN where nothing was measured.
        start, interval: s, of samples that lie evenly.
        times: (n,) s, of those that do not; None for even ones.
        notes: sentences to read with it.
    """

    values: Mapping[str, Values]
    start: float = 0.0
    interval: float = 1.0
    times: Values | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def count(self) -> int:
        """n."""
        return len(next(iter(self.values.values())))

    @property
    def span(self) -> tuple[float, float]:
        """Times of the first and the last sample, s."""
        return self.time_of(0), self.time_of(self.count - 1)

    @property
    def rate(self) -> float:
        """Samples a second, the mean of them; NaN of a single one."""
        first, last = self.span
        return (self.count - 1) / (last - first) if last > first else float("nan")

    def time_of(self, sample: int) -> float:
        """When a sample was taken, s."""
        return float(self.start + self.interval * sample if self.times is None else self.times[sample])

    def times_of(self, first: int, end: int) -> Values:
        """The same of those from `first` on before `end`."""
        if self.times is not None:
            return self.times[first:end]
        return np.asarray(self.start + self.interval * np.arange(first, end), np.float64)

    def nearest(self, time: float) -> int:
        """The sample that was taken nearest to a time."""
        if self.times is None:
            place = round((time - self.start) / self.interval)
        else:
            place = int(np.searchsorted(self.times, time))
            # searchsorted gives the sample behind; the one before may be nearer.
            if 0 < place < self.count and time - self.times[place - 1] < self.times[place] - time:
                place -= 1
        return min(max(int(place), 0), self.count - 1)


def split_unit(name: str) -> tuple[str, str]:
    """A column's name without the unit behind it, and that.

    >>> split_unit("force (N)"), split_unit("a [m/s^2]"), split_unit("CH1")
    (('force', 'N'), ('a', 'm/s^2'), ('CH1', ''))
    """
    found = _MEASURED.fullmatch(name)
    return (found[1], found[2]) if found and found[1] else (name.strip(), "")


def rising(times: Values, column: str, name: str) -> tuple[float, float, Values | None]:
    """Start, interval and, where they do not lie evenly, the times themselves.

    Args:
        times: (n,) s.
        column: their name. name: of the file.

    Raises:
        InputError: they are not all known, or do not rise.
    """
    known = np.isfinite(times)
    if not known.all():
        row = int(np.argmin(known))
        raise InputError(f"{name}: sample {row} of {len(times)} has no time in column {column!r}; remove such rows, or "
                         "give the sample rate in place of the column")  # fmt: skip
    steps = np.diff(times)
    # NaN was refused above: the smallest step tells.
    if len(steps) and not steps.min() > 0:
        row = int(np.argmax(steps <= 0))
        equal = steps[row] == 0
        what = "the same time as" if equal else "an earlier time than"
        way = "give the sample rate in place of the column" if equal else "sort the rows, or give the sample rate"
        raise InputError(f"{name}: times must rise, and sample {row + 1} has {what} sample {row} ({times[row + 1]:g} "
                         f"and {times[row]:g} s in column {column!r}); {way}")  # fmt: skip
    if len(times) < 2:
        return float(times[0]), 1.0, None
    interval = float(times[-1] - times[0]) / (len(times) - 1)
    # Against an even grid from the first to the last: rounded digits do not make times uneven.
    off = np.abs(times - (times[0] + interval * np.arange(len(times)))).max()
    even = off <= EVEN * interval
    return float(times[0]), interval, None if even else times


EVEN = 0.01
"""Intervals by which times may miss an even grid that takes their place: digits that were cut, which 8 bytes a sample
are not worth."""
