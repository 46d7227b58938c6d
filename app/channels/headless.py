"""A data channel beside a clip or a run without a window: the frames' times, and the channel at them."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.channels.channel import Channel, ChannelColumn, Samples, Values
from app.channels.files import look, read
from app.channels.syncing import first_beyond, offset_of
from app.channels.table import at_frames, frame_times, write_channel
from app.path_kinds import Kind, what_is
from app.runs import read_run
from app.sources.opening import open_source
from app.sources.reading import AS_STORED, Reading
from kernels.errors import InputError
from pipelines.frame import SourceInfo

TABLE = "channel.csv"
"""What is written into a run's folder."""


@dataclass(frozen=True, slots=True)
class FrameTimes:
    """When frames were exposed.

    Args:
        name: of the clip or run.
        frames: (m,) numbers from 0. times: (m,) s.
    """

    name: str
    frames: npt.NDArray[np.int64]
    times: Values

    def time_of(self, frame: int) -> float:
        """Of one of them, s.

        Raises:
            InputError: it is none of them.
        """
        place = int(np.searchsorted(self.frames, frame))
        if place == len(self.frames) or self.frames[place] != frame:
            raise InputError(f"{self.name} has no frame {frame}; it has {self.frames[0]} to {self.frames[-1]}")
        return float(self.times[place])


def frames_of(what: str, reading: Reading = AS_STORED) -> FrameTimes:
    """The frames of a clip, or of a run: those of its clip, where that is gone those that have tracks.

    Args:
        what: a clip or a run's folder.
        reading: how a clip is read, in place of what its file says.

    Raises:
        InputError: it is something else, or nothing tells when its frames were exposed.
    """
    if what_is(what).kind is Kind.RUN:
        record = read_run(what)
        if not record.there:
            frames, first = np.unique(record.tracks()["frame"], return_index=True)
            return FrameTimes(record.name, frames.astype(np.int64), record.tracks()["time"][first])
        what, reading = record.clip, record.reading if reading == AS_STORED else reading
    with closing(open_source(what, reading)) as source:
        return times_of(source.info)


def times_of(info: SourceInfo) -> FrameTimes:
    """The frames of a clip.

    Raises:
        InputError: nothing tells when they were exposed.
    """
    if not info.time.fps > 0:
        raise InputError(f"{info.name} does not say how fast it was taken, so that no sample can be laid beside a "
                         "frame; give its rate with --fps")  # fmt: skip
    return FrameTimes(info.name, np.arange(info.frames), frame_times(info.time, 0, info.frames))


def numbered(path: Path, number: int) -> Path:
    """Of the so-manieth channel beside a clip, from 0.

    >>> numbered(Path("channel.csv"), 0).name, numbered(Path("channel.csv"), 1).name
    ('channel.csv', 'channel-2.csv')
    """
    return path if not number else path.with_name(f"{path.stem}-{number + 1}{path.suffix}")


def write_beside(channel: Channel, folder: Path, found: FrameTimes, number: int = 0) -> Path:
    """The channel at frames as a table in a run's folder, where it is.

    Raises:
        InputError: it cannot be read, has no time in common with the frames, or the table cannot be written.
    """
    samples = read(channel)
    columns = look(Path(channel.path), channel.delimiter, channel.decimal).chosen(channel, Path(channel.path).name)
    made = at_frames(samples, columns, channel.offset, found.times)
    path = numbered(folder / TABLE, number)
    write_channel(path, channel, made, found.frames.tolist(), found.times)
    return path


def triggered(channel: Channel, samples: Samples, rule: str, time: float) -> tuple[Channel, int]:
    """The channel moved so that the first sample that fulfils a rule lies at a time; and that sample.

    Args:
        rule: "COLUMN>VALUE" or "COLUMN<VALUE"; of a channel with one column ">VALUE" is enough.
        time: s of the clip.

    Raises:
        InputError: it is no such rule, or no sample fulfils it.
    """
    found = re.fullmatch(r"\s*(.*?)\s*([<>])\s*([-+0-9.eE]+)\s*", rule)
    try:
        value = float(found[3]) if found else float("nan")
    except ValueError:
        found = None
    if found is None:
        raise InputError(f"a trigger is a column, > or <, and a number, such as force>5, not {rule!r}")
    name = found[1] or next(iter(samples.values))
    if name not in samples.values:
        raise InputError(f"there is no column {name!r} among those that are read: {', '.join(samples.values)}")
    sample = first_beyond(samples, name, value, found[2] == "<")
    return replace(channel, offset=offset_of(samples, sample, time)), sample


def parse_column(text: str) -> ChannelColumn:
    """A column as the command line names it: NAME, NAME=UNIT or NAME=FACTOR UNIT.

    >>> parse_column("U (V)=120 N"), parse_column("force")
    (ChannelColumn(name='U (V)', unit='N', factor=120.0), ChannelColumn(name='force', unit='', factor=1.0))
    """
    name, mark, rest = text.partition("=")
    if not mark:
        return ChannelColumn(text)
    found = re.fullmatch(r"\s*([-+0-9.eE]*)\s*(.*?)\s*", rest)
    assert found is not None
    try:
        factor = float(found[1]) if found[1] else 1.0
    except ValueError:
        return ChannelColumn(name, rest.strip())
    return ChannelColumn(name, found[2], factor)
