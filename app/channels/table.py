"""A channel at the frames' times, as a table beside the tracks."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from app.channels.channel import Channel, ChannelColumn, Samples, Values
from app.channels.resampling import WORDS, Resampling, resampled
from app.exports.columns import KEY_MARK
from app.files.atomic import replacing
from kernels.errors import InputError
from pipelines.frame import TimeBase

DIGITS = 9
"""Of a value: more than the 24 bits that converters have."""


def frame_times(time: TimeBase, first: int, end: int) -> Values:
    """When the frames from `first` on before `end` were exposed, s."""
    made = time.begin + np.arange(first, end) / time.fps
    if time.stamps is not None:
        known = time.stamps[first:end]
        made[: len(known)] = known
    return made


def at_frames(
    samples: Samples, columns: Sequence[ChannelColumn], offset: float, times: Values,
    how: Resampling = Resampling.LINEAR,
) -> dict[str, Values]:
    """Each column at the frames' times, by its label.

    Args:
        times: (m,) s of the clip, rising.
        offset: s that are added to the channel's times.

    Raises:
        InputError: the channel and the frames have no time in common.
    """
    made = {column.label: resampled(samples, column.name, times - offset, how) for column in columns}
    if len(times) and not any(np.isfinite(value).any() for value in made.values()):
        low, high = samples.span
        raise InputError(f"the channel (from {low + offset:g} to {high + offset:g} s) and the frames (from "
                         f"{times[0]:g} to {times[-1]:g} s) have no time in common; set its offset")  # fmt: skip
    return made


def statement(channel: Channel, how: Resampling) -> str:
    """How the values came to be, in one line."""
    offset = f"{channel.offset:+.9g} s were added to its times; " if channel.offset else ""
    return f"{Path(channel.path).name} at the frames' times: {offset}{WORDS[how]}"


def write_channel(
    path: Path, channel: Channel, made: dict[str, Values], frames: Sequence[int], times: Values,
    how: Resampling = Resampling.LINEAR,
) -> None:
    """A row a frame: frame, time_s, and the columns; a first line that is marked by # says how they came to be.

    Args:
        made: as `at_frames` gave it.
        frames: (m,) numbers of the frames; times: of them, s.

    Raises:
        InputError: the file cannot be written.
    """
    with replacing(path) as temporary:
        temporary.write_text("".join(lines(channel, made, frames, times, how)), "utf-8")


def lines(
    channel: Channel, made: dict[str, Values], frames: Sequence[int], times: Values, how: Resampling
) -> Iterator[str]:
    """Those of the file."""
    yield f"{KEY_MARK} {statement(channel, how)}\n"
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["frame", "time_s", *made])
    for row, (frame, time) in enumerate(zip(frames, times.tolist(), strict=True)):
        cells = [value[row] for value in made.values()]
        writer.writerow([frame, repr(time), *("" if np.isnan(cell) else f"{cell:.{DIGITS}g}" for cell in cells)])
    yield text.getvalue()
