"""`fusetrack calibrate CLIP CLIP ... --board 9x6 --square "5 mm"`: how cameras map space to their pictures."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from app.commands.arguments import parse_frames
from app.given_tracks import given_tracks
from app.path_kinds import run_facts
from app.progress import showing
from app.stereo.calibrating import (
    Calibrated,
    Ends,
    WandSeen,
    by_board,
    by_control,
    by_wand,
    see_board,
    see_control,
)
from app.stereo.rig import describe, parse_length, write_rig
from kernels.errors import InputError
from pipelines.stereo.board import Board
from pipelines.stereo.bundle import Lens
from pipelines.trackers.base import confirmed

EXAMPLES = """examples:
  fusetrack calibrate board-left.avi board-right.avi --board 9x6 --square "5 mm" -o rig.json
  fusetrack calibrate lens.avi --board 9x6 --square "5 mm"                      one camera: its lens
  fusetrack calibrate wand-left wand-right --wand "120 mm" -o rig.json           runs that followed the wand's ends
  fusetrack calibrate wand-left wand-right --wand "120 mm" --ends 0,3 --ends 1,2
  fusetrack calibrate left.avi right.avi --control frame.csv                     places that are known in space (DLT)
then: fusetrack reconstruct run-left run-right --rig rig.json

CAMERAS are synchronised; --offset says by how many frames each of the others is ahead of the first. Three ways:

--board: a chessboard of so many INNER corners, held in many poses, tilted, in all parts of the pictures; five poses at
least, twenty are good. Each camera alone by OpenCV (Zhang 2000), then all at once (bundle adjustment, Triggs et al.
1999). Space is that of camera 1 (x right, y down, z away from it), or with --origin FRAME the board's in that frame.
--wand: two markers a known length apart, waved through the whole volume (Theriault et al. 2014); give runs or tables
that followed both ends. Without --ends the two tracks that are seen longest are taken, and which of them is which in
each camera is tried. Space is that of camera 1.
--control: a table of known places, six or more, not in one plane, with the columns x_mm, y_mm, z_mm (or another unit)
and u1_px, v1_px, u2_px, v2_px ... (direct linear transformation, Abdel-Aziz, Karara 1971, refined). Space is the
table's.

--lens says what is free of each lens: none (focal length alone), radial (and principal point, k1), full (and k2, p1,
p2; wants a board or wand that reached the corners of the pictures).

results: the file of --out, JSON: each camera's matrix, distortion (OpenCV's k1 k2 p1 p2 k3), rotation, translation, and
the 11 coefficients of the direct linear transformation of undistorted pixels; and the covariance of all that was found
of the cameras, by what is left wrong in the pictures, which `fusetrack reconstruct` carries into sigma of places.
exit codes: 0 done; 2 the input is wrong
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "How cameras map space to their pictures, from a board, a wand or known places."
    command.epilog = EXAMPLES
    command.add_argument("cameras", metavar="CAMERA", nargs="+", help="clips; with --wand runs or tables of tracks")
    way = command.add_mutually_exclusive_group(required=True)
    way.add_argument("--board", metavar="COLUMNSxROWS", help="inner corners of a chessboard")
    way.add_argument("--wand", metavar='"120 mm"', help="length of a wand from end to end")
    way.add_argument("--control", type=Path, metavar="TABLE", help="places that are known in space")
    command.add_argument("--square", metavar='"5 mm"', help="with --board: side of a square")
    command.add_argument("--ends", action="append", default=[], metavar="A,B",
                         help="with --wand: tracks of its ends, once for each camera")  # fmt: skip
    command.add_argument("--focal", type=float, metavar="PX", help="with --wand: about how long focal lengths are")
    command.add_argument("--size", metavar="WxH", help="of the pictures, px, where a table does not say it")
    command.add_argument("--lens", choices=[one.value for one in Lens], default="radial", help="what is free (radial)")
    command.add_argument("--offset", metavar="N,N", help="frames by which cameras 2, 3 ... are ahead of the first (0)")
    command.add_argument("--frames", metavar="A:B", help="look at these frames of the first camera only")
    command.add_argument("--origin", type=int, metavar="FRAME", help="with --board: space is the board's in this frame")
    command.add_argument("--out", "-o", type=Path, default=Path("rig.json"), metavar="FILE", help="(rig.json)")
    command.add_argument("--quiet", "-q", action="store_true", help="no progress bar")
    command.set_defaults(function=_calibrate)


def _calibrate(options: argparse.Namespace) -> int:
    offsets = parse_offsets(options.offset, len(options.cameras))
    # argparse knows groups that exclude each other, but none that belong together.
    for given, way in (("square", "board"), ("origin", "board"), ("focal", "wand"), ("ends", "wand")):
        if getattr(options, given) not in (None, []) and getattr(options, way) is None:
            raise InputError(f"--{given} goes with --{way}")
    if options.board is not None:
        made = _by_board(options, offsets)
    elif options.wand is not None:
        made = _by_wand(options, offsets)
    else:
        made = by_control(see_control(options.control, options.cameras))
    write_rig(options.out, made.rig)
    for line in describe(made.rig, made.focal_errors):
        print(line)
    print(f"residual {made.rig.rms:.3g} px, {made.words}")
    for note in made.rig.notes:
        print(f"note     {note}")
    print(f"results  {options.out}")
    return 0


def _by_board(options: argparse.Namespace, offsets: Sequence[int]) -> Calibrated:
    if options.square is None:
        raise InputError('--board wants the side of a square, too: --square "5 mm"')
    length, unit = parse_length(options.square, "--square")
    board, frames = parse_board(options.board, length), parse_frames(options.frames)
    found = see_board(options.cameras, board, unit, offsets, slice(*frames) if frames is not None else slice(None),
                      partial(showing, quiet=options.quiet))  # fmt: skip
    return by_board(found, Lens(options.lens), options.origin)


def _by_wand(options: argparse.Namespace, offsets: Sequence[int]) -> Calibrated:
    length, unit = parse_length(options.wand, "--wand")
    if options.ends and len(options.ends) not in (1, len(options.cameras)):
        raise InputError(f"--ends is given once for all cameras or {len(options.cameras)} times, not "
                         f"{len(options.ends)} times")  # fmt: skip
    if options.focal is not None and not 0 < options.focal < math.inf:
        raise InputError(f"--focal is a length in pixels, not {options.focal:g}")
    size = None if options.size is None else parse_pair(options.size, "--size")
    wanted = parse_frames(options.frames)
    asked = [parse_ends(text) for text in options.ends]
    tables, sizes = [], []
    for camera in options.cameras:
        given = given_tracks(camera)
        rows = confirmed(given.rows)
        if wanted is not None:
            frames = np.arange(int(rows["frame"].max(initial=0)) + 1)[slice(*wanted)]
            rows = rows[np.isin(rows["frame"], frames)]
        tables.append(rows)
        sizes.append(size or size_of(given.home, camera))
    names = tuple(Path(camera).name or str(camera) for camera in options.cameras)
    return by_wand(WandSeen(length, unit, tuple(tables), tuple(sizes), names, tuple(asked), offsets=tuple(offsets),
                            focal=options.focal), Lens(options.lens))  # fmt: skip


def parse_offsets(text: str | None, cameras: int) -> tuple[int, ...]:
    """Of each camera, the first's 0.

    >>> parse_offsets("3,-1", 3), parse_offsets(None, 2)
    ((0, 3, -1), (0, 0))

    Raises:
        InputError: other than a whole number for each of the others.
    """
    try:
        given = [0] * (cameras - 1) if text is None else [int(word) for word in text.split(",")]
    except ValueError:
        given = []
    if len(given) != cameras - 1:
        raise InputError("--offset takes a whole number of frames for each camera but the first, "
                         f"{cameras - 1} in all, joined by commas, not {text!r}")  # fmt: skip
    return (0, *given)


def parse_board(text: str, square: float) -> Board:
    """A board as people write it, "9x6".

    Raises:
        InputError: it is something else, or too small.
    """
    columns, rows = parse_pair(text, "--board")
    if min(columns, rows) < 3:
        raise InputError(f"--board counts inner corners, 3 x 3 or more, not {text}")
    return Board(columns, rows, square)


def parse_pair(text: str, option: str) -> tuple[int, int]:
    """Two whole numbers above 0, such as 9x6.

    Raises:
        InputError: it is something else.
    """
    match = re.fullmatch(r"\s*(\d{1,5})\s*[xX*]\s*(\d{1,5})\s*", text)
    if match is None or "0" in match.groups():
        raise InputError(f"{option} takes two whole numbers, such as 9x6, not {text!r}")
    return int(match.group(1)), int(match.group(2))


def parse_ends(text: str) -> Ends:
    """Both ends of a wand, each one track or several joined by +.

    >>> parse_ends("0+7,3")
    ((0, 7), (3,))

    Raises:
        InputError: it is something else.
    """
    try:
        one, other = (tuple(int(word) for word in part.split("+")) for part in text.split(","))
    except ValueError:
        raise InputError("--ends takes the tracks of both ends, such as 0,3 (or 0+7,3 of one that was lost between), "
                         f"not {text!r}") from None  # fmt: skip
    return one, other


def size_of(home: Path, camera: str) -> tuple[int, int]:
    """How large the pictures of a run are, px.

    Raises:
        InputError: its folder does not say it.
    """
    facts = run_facts(home)
    source = {} if facts is None else facts.get("source") or {}
    try:
        return int(source["width"]), int(source["height"])
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{camera} does not say how large its pictures are; --size 1024x1024 does") from None
