"""`fusetrack channel FILE [CLIP]`: what a data channel holds, and its values at the frames of a clip."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from app.channels.channel import SECONDS, Channel
from app.channels.files import look, read
from app.channels.headless import TABLE, frames_of, numbered, parse_column, triggered
from app.channels.resampling import Resampling
from app.channels.table import at_frames, statement, write_channel
from app.commands.arguments import add_reading, parse_frames, reading_of
from app.path_kinds import Kind, what_is
from app.project import read_project
from app.safe_names import clip_stem
from app.sources.formats import split
from app.sources.reading import AS_STORED, Reading
from kernels.errors import InputError

EXAMPLES = """examples:
  fusetrack channel hammer.csv                                          what is in it
  fusetrack channel hammer.csv fusetrack-out/beam-template --offset 0.02  its values at the run's frames: channel.csv
  fusetrack channel scope.tdms clip.cine --column "shot/U=120 N" --trigger "shot/U>5" --frame 240 -o force.csv
  fusetrack channel microphone.wav clip.mp4 --fps 1000 --mean           means over each frame
  fusetrack channel study.ftproj                                        as a project of the window has it

FILE is text (CSV with any delimiter and header; decimal commas, too), WAV (integers and floats)
or TDMS (pip install "fusetrack[tdms]"). Times are those of a column (time_s, t, Zeit [ms] ...; --time names another
one), or follow from the rate of the file, or of --rate. They must rise.

Where it lies in the clip's time: --offset is added to its times; or --trigger and --frame: the first sample beyond a
threshold was taken when that frame was exposed.

results, in --out (in a run's folder channel.csv; of a clip CLIP.channel.csv in the current folder; of a project with
several channels the second one's channel-2.csv, and so on): a row a frame, with frame, time_s and the columns; its
first line says how they came to be. Values are interpolated linearly between the samples before and behind each frame's
time and empty outside; --mean takes the mean of the samples within half a frame to both sides, which noise and what is
faster than the frames do not fold into.
exit codes: 0 done; 2 the input is wrong
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Shows what a data channel (force, voltage, sound) holds, or writes it at a clip's frames."
    command.epilog = EXAMPLES
    command.add_argument("file", metavar="FILE", help="the channel: CSV, WAV, TDMS; or a project that has one")
    command.add_argument("clip", metavar="CLIP", nargs="?", help="the clip, or a run's folder, beside which it lies")
    command.add_argument("--out", "-o", type=Path, metavar="FILE", help="the table (.csv) that is written")
    command.add_argument("--column", action="append", default=[], metavar="NAME[=[FACTOR] UNIT]",
                         help="a column that is taken, what its numbers are multiplied by, and in what unit they are "
                              "then; may be given several times (the first one)")  # fmt: skip
    command.add_argument("--time", default="", metavar="NAME", help="the column of times")
    command.add_argument("--time-unit", default="", choices=tuple(SECONDS), help="in what they are")
    command.add_argument("--rate", type=float, metavar="HZ", help="samples a second, in place of times")
    command.add_argument("--delimiter", default="", metavar="MARK", help="the delimiter between numbers")
    command.add_argument("--decimal", default="", choices=(".", ","), help="the decimal mark")
    command.add_argument("--offset", type=float, metavar="S", help="added to the channel's times to give the clip's")
    command.add_argument("--trigger", metavar='"NAME>VALUE"', help="the first sample above (or <, below) is --frame")
    command.add_argument("--frame", type=int, metavar="N", help="the frame of --trigger, counted from 0")
    command.add_argument("--mean", action="store_true", help="means over each frame in place of interpolated values")
    command.add_argument("--frames", metavar="A:B", help="these frames only, B not included")
    add_reading(command)
    command.set_defaults(function=_channel)


def _channel(options: argparse.Namespace) -> int:
    if (options.trigger is None) != (options.frame is None):
        raise InputError("--trigger and --frame belong together: which sample is which frame")
    if options.trigger is not None and options.offset is not None:
        raise InputError("--trigger finds the offset; leave --offset out")
    channels, clip, reading = _given(options)
    if len(channels) > 1 and options.trigger is not None:
        raise InputError(f"{options.file} has {len(channels)} data channels; --trigger takes the file of one of them")
    for number, channel in enumerate(channels):
        _one(channel, number, clip, reading, options)
    return 0


def _one(channel: Channel, number: int, clip: str | None, reading: Reading, options: argparse.Namespace) -> None:
    samples = read(channel)
    columns = look(Path(channel.path), channel.delimiter, channel.decimal).chosen(channel, Path(channel.path).name)
    if clip is None:
        _tell(channel, options)
        low, high = samples.span
        print(f"samples  {samples.count}, {samples.rate:.6g} a second, from {low:.9g} to {high:.9g} s")
        for note in samples.notes:
            print(f"note     {note}")
        return
    found = frames_of(clip, reading)
    if options.trigger is not None:
        channel, sample = triggered(channel, samples, options.trigger, found.time_of(options.frame))
        print(f"trigger  sample {sample} is frame {options.frame}: {channel.offset:+.9g} s are added to its times")
    frames, times = found.frames, found.times
    if (part := parse_frames(options.frames)) is not None:
        chosen = slice(*part)
        frames, times = frames[chosen], times[chosen]
        if not len(frames):
            raise InputError(f"--frames {options.frames}: {found.name} has {len(found.frames)} frames")
    how = Resampling.MEAN if options.mean else Resampling.LINEAR
    made = at_frames(samples, columns, channel.offset, times, how)
    out = numbered(options.out if options.out is not None else _place(clip), number)
    write_channel(out, channel, made, frames.tolist(), times, how)
    for note in samples.notes:
        print(f"note     {note}")
    print(f"values   {statement(channel, how)}")
    print(f"{out}")


def _given(options: argparse.Namespace) -> tuple[tuple[Channel, ...], str | None, Reading]:
    """The channels (several of a project), the clip and how that is read."""
    reading = reading_of(options)
    said = {"columns": tuple(map(parse_column, options.column)), "time": options.time, "rate": options.rate,
            "time_unit": options.time_unit, "delimiter": options.delimiter, "decimal": options.decimal,
            "offset": options.offset}  # fmt: skip
    said = {name: value for name, value in said.items() if value not in ((), "", None)}
    if what_is(options.file).kind is not Kind.OWN_PROJECT:
        return (Channel(options.file, **said),), options.clip, reading
    clip = read_project(what_is(options.file).path).clip
    if not clip.channels:
        raise InputError(f"{options.file} has no data channel; in the window File > Open a data channel adds one")
    place = options.clip or clip.run or clip.path
    channels = tuple(replace(one, **said) for one in clip.channels)
    return channels, place, clip.reading if reading == AS_STORED else reading


def _place(clip: str) -> Path:
    what = what_is(clip)
    if what.kind is Kind.RUN:
        return what.home / TABLE
    return Path(f"{clip_stem(Path(split(clip)[0]).name.partition('?')[0].replace(':', '-'))}.{TABLE}")


def _tell(channel: Channel, options: argparse.Namespace) -> None:
    contents = look(Path(channel.path), options.delimiter, options.decimal)
    for column in contents.columns:
        role = "times" if column.name == contents.clock(channel) else f"[{column.unit}]" if column.unit else ""
        print(f"column   {column.name}  {role}".rstrip())
    if contents.rate is not None:
        print(f"rate     {contents.rate:.6g} samples a second")
