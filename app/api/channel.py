"""`fusetrack.channel`: a data channel in memory, and its values at frames."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from app.channels import channel as channels
from app.channels.channel import Samples
from app.channels.files import read
from app.channels.headless import parse_column
from app.channels.resampling import Resampling, resampled
from kernels.errors import ArgumentError

from .wording import for_python

Array = npt.NDArray[np.float64]


class DataChannel(Mapping[str, Array]):
    """Samples of a file, by column.

    Attributes:
        times: (n,) s, on the clip's clock: the offset is added.
        rate: samples a second, the mean.
        offset: s; can be set.
        notes: sentences to read with it.
    """

    def __init__(self, samples: Samples, offset: float) -> None:
        self._samples, self.offset, self.notes = samples, offset, samples.notes

    @property
    def times(self) -> Array:
        return self._samples.times_of(0, self._samples.count) + self.offset

    @property
    def rate(self) -> float:
        return self._samples.rate

    def __getitem__(self, column: str) -> Array:
        return self._samples.values[column]

    def __iter__(self) -> Any:
        return iter(self._samples.values)

    def __len__(self) -> int:
        return len(self._samples.values)

    def __repr__(self) -> str:
        return f"DataChannel({', '.join(self)}: {self._samples.count} samples, {self.rate:.6g} a second)"

    def at(self, times: Any, column: str = "", how: str = "linear") -> Array:
        """A column (the first one) at other times of the clip.

        Args:
            times: s, any order: of frames, or `tracks["time"]`.
            column: which.
            how: "linear": interpolated between the samples before and behind; "mean": of all that are nearer to a time
                than to the next one.

        Returns:
            As many values; NaN outside and beside samples without a value.
        """
        name = column or next(iter(self))
        if name not in self:
            raise ArgumentError(f"there is no column {name!r}; there are {', '.join(self)}")
        if how not in {one.value for one in Resampling}:
            raise ArgumentError(f"how takes linear or mean, not {how!r}")
        wanted = np.asarray(times, np.float64)
        unique, places = np.unique(wanted, return_inverse=True)
        made = resampled(self._samples, name, unique - self.offset, Resampling(how))
        return made[places].reshape(wanted.shape)


@for_python
def channel(
    path: str | os.PathLike[str], columns: Sequence[str] = (), *, time: str = "", time_unit: str = "",
    rate: float | None = None, delimiter: str = "", decimal: str = "", offset: float = 0.0,
) -> DataChannel:  # fmt: skip
    """A data channel of a CSV, WAV or TDMS file (`fusetrack channel --help` says how they are read).

    >>> force = fusetrack.channel("hammer.csv", ["force (N)"], offset=0.02)           # doctest: +SKIP
    >>> tracks["time"], force.at(tracks["time"])                                      # doctest: +SKIP

    Args:
        path: of the file.
        columns: which are read, such as "force" or "U=120 N" (N, 120 times the file's numbers); the first one without.
        time: the column of times, in `time_unit` (s, ms, us, ns, min); without what the file tells.
        time_unit: see `time`.
        rate: samples a second, in place of times.
        delimiter: between numbers of a text; without it what is found.
        decimal: "." or ","; without what is found.
        offset: s that are added to its times to give the clip's.

    Raises:
        InputError: the file is not there or damaged, or holds something else than samples at times that rise.
    """
    chosen = (columns,) if isinstance(columns, str) else tuple(columns)
    made = channels.Channel(os.fspath(path), tuple(map(parse_column, chosen)), time, time_unit, rate, delimiter,
                            decimal, offset)  # fmt: skip
    return DataChannel(read(made), offset)
