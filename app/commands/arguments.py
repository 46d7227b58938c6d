"""Arguments that several commands share, and their spelling."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.results import table_in
from app.sources.formats import FORMATS
from app.sources.reading import Reading
from kernels.errors import InputError
from kernels.plugins import load_plugin
from pipelines.streaming.choice import check_device


def add_clip(parser: argparse.ArgumentParser) -> None:
    """CLIP and how it is read."""
    parser.add_argument(
        "clip",
        metavar="CLIP",
        help=f"{', '.join(one.title for one in FORMATS)}; numbered images are one clip (a folder, a pattern such as "
        "shot_%%04d.png, or the first), FILE:NAME is one of several stacks in a file; or sim:SCENE",
    )
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """--fps, --no-gaps, --bits, --turn: what the user says of a clip in place of its file."""
    parser.add_argument(
        "--fps",
        type=float,
        metavar="RATE",
        help="the capture rate in frames a second, where the file does not know it or is wrong",
    )
    parser.add_argument(
        "--no-gaps", action="store_true", help="with --fps: leave no room for frames that are missing from the clip"
    )
    parser.add_argument(
        "--bits", type=int, metavar="N", help="significant bits of a value, such as 12 where they come in 16 and the "
        "file does not say"
    )  # fmt: skip
    parser.add_argument(
        "--turn", type=int, default=0, choices=(90, 180, 270), metavar="DEG",
        help="turn the pictures clockwise by 90, 180 or 270 degrees; places are those of the turned picture",
    )  # fmt: skip


def reading_of(options: argparse.Namespace) -> Reading:
    """What `add_reading` declared, checked."""
    return Reading(check_fps(options.fps), options.bits, options.turn, not options.no_gaps)


def add_plugins(parser: argparse.ArgumentParser) -> None:
    """--plugin."""
    parser.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="FILE",
        help="a Python file with stages or trackers of your own; may be given several times",
    )


def load_plugins(options: argparse.Namespace) -> None:
    """Run the files given by --plugin."""
    for file in options.plugin:
        load_plugin(file)


def check_fps(fps: float | None) -> float | None:
    """--fps, checked."""
    if fps is not None and not 1e-9 <= fps < 1e9:  # squares of it, and of seconds a frame, are numbers
        raise InputError(f"--fps must be a positive number of frames a second, 1e-9 to 1e9, not {fps:g}")
    return fps


def table_of(text: str) -> Path:
    """The table of tracks that is meant: of a run's folder the exacter of its own.

    Raises:
        InputError: a folder without one.
    """
    path = Path(text).expanduser()
    if not path.is_dir():
        return path
    found = table_in(path)
    if found is None:
        raise InputError(f"{text} is a folder without a table of tracks; give a run's folder of results, or a table")
    return found


def parse_roi(text: str | None) -> tuple[int, int, int, int] | None:
    """--roi x,y,width,height in pixels.

    >>> parse_roi("10,20,64,48")
    (10, 20, 64, 48)
    """
    if text is None:
        return None
    try:
        x, y, width, height = (int(v) for v in text.split(","))
    except ValueError:
        raise InputError(f"--roi takes four whole numbers x,y,width,height in pixels, not {text!r}") from None
    return x, y, width, height


def parse_frames(text: str | None) -> tuple[int | None, int | None] | None:
    """--frames a:b (b not included), either may be left out; a single number is one frame.

    >>> parse_frames("100:200"), parse_frames("-50:"), parse_frames("7")
    ((100, 200), (-50, None), (7, 8))
    """
    if text is None:
        return None
    first, colon, end = text.partition(":")
    try:
        a = int(first) if first else None
        b = int(end) if end else None
    except ValueError:
        raise InputError(f"--frames takes a:b with whole numbers, such as 100:200, not {text!r}") from None
    if not colon and a is not None:
        return a, (a + 1 if a != -1 else None)
    return a, b


def add_device(command: argparse.ArgumentParser, default: str, what: str) -> None:
    """--device, into `device`; --back-end is how it was spelled before."""
    command.add_argument("--device", type=check_device, default=default, metavar="NAME", help=what)
    command.add_argument("--back-end", dest="device", type=check_device, default=default, help=argparse.SUPPRESS)


def add_exact(command: argparse.ArgumentParser) -> None:
    """--exact and --fast, into `exact`."""
    precision = command.add_mutually_exclusive_group()
    precision.add_argument(
        "--exact", action="store_true", default=True, help="every bit as the stages are written (the default)"
    )
    precision.add_argument(
        "--fast",
        dest="exact",
        action="store_false",
        help="also add and multiply floats in another order where that saves operations; by how much a value can then "
        "differ is said",
    )
