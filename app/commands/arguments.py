"""Arguments that several commands share, and their spelling."""

from __future__ import annotations

import argparse

from app.exports.axes import Axes
from app.plots.look import Look, look_of
from app.sources.formats import FORMATS
from app.sources.reading import Reading
from kernels.errors import InputError
from kernels.plugins import load_plugin
from pipelines.analysis.areas import SPELT
from pipelines.streaming.engine.device_names import check_device


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


def add_columns(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """--columns and --key: what a table of tracks has, and whether it explains itself."""
    parser.add_argument(
        "--columns",
        metavar="NAMES",
        help="which measures the table has besides places, such as area,diameter; none: places alone; without it "
        "all that the pipeline has (`fusetrack pipelines NAME` lists them)",
    )
    parser.add_argument(
        "--key", action="store_true", help="lines before the header of a CSV that say what each column is, marked by # "
        "(pandas: comment=\"#\")"
    )  # fmt: skip


def add_counting(parser: argparse.ArgumentParser, per_clip: str = "") -> None:
    """--scale, --origin and --y-up: how tracks.csv counts."""
    parser.add_argument(
        "--scale", metavar='"0.12 mm/px"', help=f"lengths in place of pixels in tracks.csv; also 8.3 px/mm{per_clip}"
    )
    parser.add_argument("--origin", metavar="X,Y", help="positions in tracks.csv count from there, px of the picture")
    parser.add_argument("--y-up", action="store_true", help="y points up in tracks.csv, from the lowest row of pixels "
                        "or from --origin")  # fmt: skip


def add_grid(parser: argparse.ArgumentParser) -> None:
    """--grid: points on a grid."""
    parser.add_argument(
        "--grid", metavar='"STEP [in AREA] [without AREA]"', help="in place of --points: points STEP px apart along x "
        "and y, whose windows lie inside the picture, for fields of displacement and strain (`fusetrack strain`); in "
        f"the whole picture, or in areas and without others, each {SPELT}, px; the side of the windows is "
        "--set track.window=21",
    )  # fmt: skip


def load_plugins(options: argparse.Namespace) -> None:
    """Run the files given by --plugin."""
    for file in options.plugin:
        load_plugin(file)


def add_figure(parser: argparse._ActionsContainer) -> None:
    """--figure, --dark: how figures look."""
    parser.add_argument(
        "--figure", default="", metavar="HOW",
        help='figures for a "paper" (89 mm wide, 8 pt, no ground) or as wide as two columns ("double"), and as "pdf" '
        'or "svg" in place of PNG; also joined: paper,pdf',
    )  # fmt: skip
    parser.add_argument("--dark", action="store_true", help="figures on dark ground")


def look_of_figure(options: argparse.Namespace) -> Look:
    """What `add_figure` declared, checked."""
    return look_of(options.figure, options.dark)


def check_fps(fps: float | None) -> float | None:
    """--fps, checked."""
    if fps is not None and not 1e-9 <= fps < 1e9:  # squares of it, and of seconds a frame, are numbers
        raise InputError(f"--fps must be a positive number of frames a second, 1e-9 to 1e9, not {fps:g}")
    return fps


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


def parse_origin(text: str | None) -> Axes | None:
    """--origin x,y in pixels: axes of the picture that count from there.

    >>> parse_origin("120.5,88")
    Axes(x=120.5, y=88.0, angle=0.0)
    """
    if text is None:
        return None
    try:
        x, y = (float(v) for v in text.split(","))
    except ValueError:
        raise InputError(f"--origin takes two numbers x,y in pixels of the picture, not {text!r}") from None
    return Axes(x, y)


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
