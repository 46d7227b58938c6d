"""`fusetrack export INPUT`: tracks and frames in the formats of other programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.commands.arguments import (
    add_columns,
    add_figure,
    check_fps,
    look_of_figure,
    parse_frames,
    parse_origin,
    parse_roi,
)
from app.exports.export import Exported, export_results
from app.exports.formats.catalogue import FRAMES, TRACKS, Format
from app.exports.path_picture import BY
from app.exports.video_look import CLOCKS, VideoLook, parse_note
from app.files.atomic import size_text
from app.progress import showing
from kernels.errors import InputError

EXAMPLES = """examples:
  fusetrack export --list                                              the formats
  fusetrack export fusetrack-out/ball-blobs --to hdf5                  tracks of a run, into its folder
  fusetrack export fusetrack-out/ball-blobs -o ball.csv --scale "0.12 mm/px" --y-up
  fusetrack export fusetrack-out/fly-blobs --to nwb --meta subject_id=fly7 --meta species="Drosophila melanogaster" \\
                   --start 2026-05-01T14:30:00+02:00
  fusetrack export fusetrack-out/gait-template --to c3d --to trc --scale "1.9 mm/px" --y-up
  fusetrack export fusetrack-out/beads-blobs --to trackpy              for trackpy.emsd(pandas.read_csv(FILE), mpp, fps)
  fusetrack export fusetrack-out/beam-vibration/spectra.csv --to csv --scale "0.12 mm/px"     spectra_mm.csv beside it
  fusetrack export session.mcap -o shot.mraw --frames 1000:3000        frames of a recorded session, with shot.cih
  fusetrack export clip.cine -o clip.mkv                               lossless, half the size, exact times
  fusetrack export clip.cine --to tiff --roi 100,80,256,256            for ImageJ
  fusetrack export fusetrack-out/ball-blobs --to mp4 --frames 200:400  the overlay of a part
  fusetrack export fusetrack-out/ball-blobs -o fall.mp4 --text "drop 3" --text "120: contact" --stopwatch ms --slower 50
  fusetrack export fusetrack-out/crash-template -o still.mp4 --follow 0,1,2 --roi 200,100,400,300 --levels 0.02,0.5
  fusetrack export fusetrack-out/ball-blobs -o ball.svg --colour speed the paths over the clip's first frame

INPUT is a folder of `fusetrack run`'s results, a recorded session (.mcap), a table of tracks (.csv, .parquet), the
spectra.csv of a run (to csv, with --scale), or any clip that `run` takes. Files come out whole or not at all, and none
is replaced without --force. Frames keep every bit that the camera measured (mp4 alone is for the eye). Tables with a
column a track (wide, dlc, mat, nwb, c3d, trc, trackmate) and trackpy hold the places where something was seen, the
others every row with its state.
exit codes: 0 done; 2 the input is wrong, or the disk is full; 130 stopped by Ctrl-C, nothing half is left
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Writes the tracks or the frames of a run, a session or a clip in other programs' formats."
    command.epilog = EXAMPLES
    command.add_argument("input", nargs="?", metavar="INPUT", help="a folder of results, a session, a table, or a clip")
    command.add_argument(
        "--to", action="append", default=[], metavar="FORMAT", help="may be given several times; --list names them"
    )
    command.add_argument(
        "--out",
        "-o",
        metavar="FILE",
        help="the file, whose ending tells the format, or the folder for it (for png: its own); without it a name "
        "beside the results, or in the current folder",
    )
    command.add_argument("--list", action="store_true", help="list the formats")
    command.add_argument(
        "--frames", metavar="A:B", help="these frames only, B not included; negative numbers count from the end"
    )
    command.add_argument(
        "--roi",
        metavar="X,Y,W,H",
        help="crop the frames to this region, or take the places within it; positions stay those of the whole picture",
    )
    command.add_argument("--force", action="store_true", help="replace files that exist")
    command.add_argument("--quiet", "-q", action="store_true", help="no progress bar")
    command.add_argument(
        "--fps", type=float, metavar="RATE", help="the capture rate, where the input does not know it or is wrong"
    )
    command.add_argument(
        "--turn", type=int, default=0, choices=(90, 180, 270), metavar="DEG",
        help="turn the frames of a clip clockwise by 90, 180 or 270 degrees",
    )  # fmt: skip
    command.add_argument("--clip", metavar="FILE", help="the clip that the tracks are of, where it has moved")
    tracks = command.add_argument_group("tracks")
    tracks.add_argument(
        "--tracks",
        choices=("confirmed", "all"),
        default="confirmed",
        help="all: also those of a session or a table that were never believed",
    )
    tracks.add_argument("--min-frames", type=int, default=1, metavar="N", help="leave out tracks seen in fewer frames")
    tracks.add_argument("--guesses", action="store_true", help="also predicted places, in tables with a column a track")
    add_columns(tracks)
    tracks.add_argument("--smooth", action="store_true", help="velocities from the places before and behind each, as "
                        "fusetrack motion has them; the tracker's are several times as noisy")  # fmt: skip
    tracks.add_argument("--scale", metavar='"0.12 mm/px"', help="lengths in place of pixels; also 8.3 px/mm; "
                        "of a run that had a scale that one, and px for pixels")  # fmt: skip
    tracks.add_argument("--colour", choices=BY, default="track", help="what the colours of --to paths tell (track)")
    tracks.add_argument("--origin", metavar="X,Y", help="positions count from there, px of the picture")
    add_figure(tracks)
    tracks.add_argument("--y-up", action="store_true", help="y points up from the lowest row of pixels, not down; with "
                        "--origin from there")  # fmt: skip
    tracks.add_argument(
        "--meta", action="append", default=[], metavar="KEY=VALUE", help="subject and session for NWB: subject_id=m1"
    )
    tracks.add_argument("--start", metavar="TIME", help="when the recording began, for NWB: 2026-05-01T14:30:00+02:00")
    frames = command.add_argument_group("frames")
    frames.add_argument("--packed", action="store_true", help=".mraw: 12 bits in one and a half bytes, as cameras do")
    frames.add_argument("--bits", type=int, metavar="N", help="bits that the values need, where the clip says more")
    frames.add_argument(
        "--gray", action="store_true", help="one channel of frames whose channels are all the same (gray video)"
    )
    frames.add_argument("--blank", action="store_true", help="a black frame in place of one that cannot be read")
    frames.add_argument("--playback", type=float, metavar="RATE", help="frames a second of mp4 and mkv")
    video = command.add_argument_group("video (mp4)")
    video.add_argument(
        "--text", action="append", default=[], metavar='"[FIRST:END] WORDS"', help="words burnt in at the upper left, "
        "in all frames or in these alone (END not included); may be given several times",
    )  # fmt: skip
    video.add_argument("--stopwatch", choices=CLOCKS, help="the time of each frame burnt in, in this unit")
    video.add_argument("--zero", type=int, metavar="FRAME", help="the frame from which the stopwatch counts; without "
                       "it the clip's trigger, or its first frame")  # fmt: skip
    video.add_argument("--levels", metavar="LOW,HIGH", help="what is shown black and white, as shares of full scale, "
                       "such as 0.02,0.4; found in the first frames without it")  # fmt: skip
    video.add_argument("--gamma", type=float, default=1.0, metavar="G", help="above 1 what is dark becomes brighter")
    video.add_argument("--slower", type=float, metavar="N", help="play N times slower than life")
    video.add_argument("--follow", metavar="TRACK[,TRACK...]", help="the picture stays still beside this track, or "
                       "beside the body of several; --roi is a part of that picture")  # fmt: skip
    video.add_argument("--no-marks", action="store_true", help="draw no tracks")
    command.set_defaults(function=_export)


def _export(options: argparse.Namespace) -> int:
    if options.list:
        _list()
        return 0
    if options.input is None:
        raise InputError("say what to export: a folder of results, a session, a table of tracks or a clip "
                         "(`fusetrack export --help` has examples)")  # fmt: skip
    try:
        made = _made(options)
    except KeyboardInterrupt:
        print("fusetrack: stopped; no file is left half written", file=sys.stderr)
        return 130
    for note in made.notes:
        print(f"note     {note}")
    if made.rows or made.tracks:
        print(f"tracks   {made.tracks} in {made.rows} rows")
    if made.frames:
        print(f"frames   {made.frames}")
    for file in made.files:
        print(f"{file}{'/' if file.is_dir() else ''}  {size_text(_size(file))}")
    return 0


def _made(options: argparse.Namespace) -> Exported:
    return export_results(
        options.input, options.to, options.out, frames=parse_frames(options.frames), roi=parse_roi(options.roi),
        tracks=options.tracks, min_frames=options.min_frames, guesses=options.guesses, scale=options.scale,
        y_up=options.y_up, fps=check_fps(options.fps), turn=options.turn, clip=options.clip, packed=options.packed,
        bits=options.bits, gray=options.gray, blank=options.blank, playback=options.playback,
        start=_start(options.start), about=_about(options.meta), force=options.force,
        progress=partial(showing, quiet=options.quiet), colour=options.colour, look=look_of_figure(options),
        axes=parse_origin(options.origin),
        columns=options.columns, key=options.key, smooth=options.smooth, video=_video(options),
    )  # fmt: skip


def _video(options: argparse.Namespace) -> VideoLook:
    if options.zero is not None and not options.stopwatch:
        raise InputError("--zero says from where the stopwatch counts; add --stopwatch ms, s or us")
    return VideoLook(
        tuple(map(parse_note, options.text)), options.stopwatch or "", options.zero, _levels(options.levels),
        options.gamma, options.slower, _follow(options.follow), not options.no_marks,
    )  # fmt: skip


def _levels(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(value) for value in text.split(","))
    except ValueError:
        raise InputError(f"--levels takes two numbers, such as 0.02,0.4, not {text!r}") from None
    return low, high


def _follow(text: str | None) -> tuple[int, ...]:
    try:
        # Each track once, in the order given.
        return () if text is None else tuple(dict.fromkeys(int(value) for value in text.split(",")))
    except ValueError:
        raise InputError(f"--follow takes numbers of tracks, such as 3 or 0,1,2, not {text!r}") from None


def _size(file: Path) -> int:
    return sum(one.stat().st_size for one in file.iterdir()) if file.is_dir() else file.stat().st_size


def _list() -> None:
    console = Console(highlight=False)
    groups: tuple[tuple[str, Sequence[Format]], ...] = (("tracks", TRACKS), ("frames", FRAMES))
    for title, formats in groups:
        table = Table(title, "file", "what it is", box=None, header_style="bold")
        for one in formats:
            extra = f' (pip install "fusetrack[{one.extra}]")' if one.extra else ""
            endings = " ".join(one.extensions) or "a folder"
            table.add_row(f"[bold]{one.name}[/]", endings, escape(one.summary + extra))
        console.print(table)
        console.print()
    print("`fusetrack export INPUT --to FORMAT`, or -o FILE with one of the endings")


def _start(text: str | None) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise InputError(f"--start takes a date and a time, such as 2026-05-01T14:30:00+02:00, not {text!r}") from None


def _about(texts: Sequence[str]) -> dict[str, str]:
    made = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise InputError(f"--meta takes KEY=VALUE, such as subject_id=m1, not {text!r}")
        made[key.strip()] = value.strip()
    return made
