"""`fusetrack calibrate CLIP CLIP ... --board 9x6 --square "5 mm"`: how cameras map space to their pictures."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from app.commands.arguments import parse_frames
from app.given_tracks import given_tracks
from app.path_kinds import run_facts
from app.progress import showing
from app.sources.opening import open_source
from app.stereo.board_corners import LOOKED, find_corners
from app.stereo.control_points import read_control
from app.stereo.rig import Rig, describe, parse_length, write_rig
from kernels.errors import InputError
from pipelines.stereo.board import Board, calibrate_by_board
from pipelines.stereo.bundle import Adjusted, Lens
from pipelines.stereo.camera_model import PARAMETERS, Array
from pipelines.stereo.direct_linear import camera_of_known_places
from pipelines.stereo.wand import calibrate_by_wand
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


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Args:
    rig: the cameras.
    focal_errors: standard uncertainties of the focal lengths, px; None where they are not known.
    words: of what was used.
    """

    rig: Rig
    focal_errors: tuple[float, ...] | None
    words: str


def _calibrate(options: argparse.Namespace) -> int:
    offsets = parse_offsets(options.offset, len(options.cameras))
    for given, way in (("square", "board"), ("origin", "board"), ("focal", "wand"), ("ends", "wand")):
        if getattr(options, given) not in (None, []) and getattr(options, way) is None:
            raise InputError(f"--{given} goes with --{way}")
    if options.board is not None:
        made = _by_board(options, offsets)
    elif options.wand is not None:
        made = _by_wand(options, offsets)
    else:
        made = by_control(options.control, options.cameras)
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
    return by_board(options.cameras, parse_board(options.board, length), unit, offsets=offsets, lens=Lens(options.lens),
                    frames=options.frames, origin=options.origin, quiet=options.quiet)  # fmt: skip


def by_board(
    clips: Sequence[Any], board: Board, unit: str, *, offsets: Sequence[int], lens: Lens = Lens.RADIAL,
    frames: str | None = None, origin: int | None = None, quiet: bool = True,
) -> Calibrated:  # fmt: skip
    """Cameras by their clips of a board.

    Raises:
        InputError: a clip cannot be read, or the board does not tell.
    """
    with ExitStack() as stack:
        sources = [stack.enter_context(closing(open_source(clip))) for clip in clips]
        first = sources[0].info.frames
        wanted = parse_frames(frames)
        moments = range(first)[slice(*wanted)] if wanted is not None else range(first)
        if not moments:
            raise InputError(f"--frames {frames} leaves no frame of {sources[0].info.name}")
        with showing("looking for the board", min(LOOKED, len(moments)), quiet=quiet) as progress:
            corners = find_corners(board, sources, offsets, moments, progress.advance)
        sizes = [(source.info.width, source.info.height) for source in sources]
        names = tuple(source.info.name for source in sources)
    try:
        found, poses = calibrate_by_board(board, corners.seen, sizes, lens)
    except InputError as error:
        if max(map(len, corners.seen)) == 0:
            raise InputError(f"no board of {board.columns} x {board.rows} inner corners is seen whole in the "
                             f"{corners.looked} frames that were looked at; corners are those where four squares "
                             "meet") from error  # fmt: skip
        raise
    rig = Rig(found.cameras, names, unit, found.rms, "board", _notes(found), found.covariance_of_cameras())
    if origin is not None:
        if origin not in poses:
            raise InputError(f"--origin {origin}: the board is not among those that count there; these are: "
                             f"{', '.join(map(str, poses))}")  # fmt: skip
        at = poses.index(origin)
        rig = rig.moved(found.rotations[at], found.translations[at], found.covariance_of_cameras(at))
    words = f"{len(poses)} poses of the board, {len(found.sights)} corners"
    return Calibrated(rig, tuple(found.focal_error.tolist()), words)


def _by_wand(options: argparse.Namespace, offsets: Sequence[int]) -> Calibrated:
    length, unit = parse_length(options.wand, "--wand")
    if options.ends and len(options.ends) not in (1, len(options.cameras)):
        raise InputError(f"--ends is given once for all cameras or {len(options.cameras)} times, not "
                         f"{len(options.ends)} times")  # fmt: skip
    if options.focal is not None and not 0 < options.focal < math.inf:
        raise InputError(f"--focal is a length in pixels, not {options.focal:g}")
    size = None if options.size is None else _pair(options.size, "--size")
    wanted = parse_frames(options.frames)
    asked = [_ends(text) for text in options.ends]
    tables, sizes = [], []
    for camera in options.cameras:
        given = given_tracks(camera)
        rows = confirmed(given.rows)
        if wanted is not None:
            frames = np.arange(int(rows["frame"].max(initial=0)) + 1)[slice(*wanted)]
            rows = rows[np.isin(rows["frame"], frames)]
        tables.append(rows)
        sizes.append(size or _size_of(given.home, camera))
    found = by_wand(tables, sizes, length, asked, offsets, Lens(options.lens), options.focal)
    names = tuple(Path(camera).name or str(camera) for camera in options.cameras)
    rig = Rig(found.cameras, names, unit, found.rms, "wand", _notes(found), found.covariance_of_cameras())
    return Calibrated(rig, tuple(found.focal_error.tolist()), f"{len(found.rotations)} places of the wand")


def by_wand(
    tables: Sequence[Any], sizes: Sequence[tuple[int, int]], length: float,
    asked: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], offsets: Sequence[int], lens: Lens, focal: float | None,
) -> Adjusted:  # fmt: skip
    """Cameras by tracks of a wand's ends; where it is not given which is which, the assignment that fits best.

    Raises:
        InputError: a camera has no such tracks, or they do not tell.
    """
    ends = []
    first = min(int(rows["frame"].min(initial=0)) - offset for rows, offset in zip(tables, offsets, strict=True))
    last = max(int(rows["frame"].max(initial=0)) - offset for rows, offset in zip(tables, offsets, strict=True))
    for at, (rows, offset) in enumerate(zip(tables, offsets, strict=True)):
        pair = asked[at if len(asked) > 1 else 0] if asked else _longest(rows, at)
        places: Array = np.full((last - first + 1, 2, 2), np.nan)
        for end, tracks in enumerate(pair):
            mine = rows[np.isin(rows["track"], tracks)]
            if not len(mine):
                raise InputError(f"camera {at + 1} has no track {', '.join(map(str, tracks))} that is seen")
            places[mine["frame"] - offset - first, end] = np.column_stack((mine["x"], mine["y"]))
        ends.append(places)
    unsure = [] if asked else [(False, True)] * (len(ends) - 1)
    ways = [(*(False for _ in range(len(ends) - len(rest))), *rest) for rest in product(*unsure)]
    best: Adjusted | None = None
    problem: InputError | None = None
    for way in ways:
        turned = [one[:, ::-1] if back else one for one, back in zip(ends, way, strict=True)]
        try:
            found = calibrate_by_wand(length, turned, sizes, lens, focal)
        except InputError as error:
            problem = problem or error
            continue
        if best is None or (found.left_out, found.rms) < (best.left_out, best.rms):
            best = found
    if best is None:
        assert problem is not None
        raise problem
    return best


def _longest(rows: Any, at: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    tracks, counts = np.unique(rows["track"], return_counts=True)
    if len(tracks) < 2:
        raise InputError(f"camera {at + 1} has {len(tracks)} tracks, and a wand has two ends")
    a, b = sorted(tracks[np.argsort(-counts, kind="stable")[:2]].tolist())
    return (a,), (b,)


def by_control(path: Path, clips: Sequence[Any]) -> Calibrated:
    """Cameras by places that are known.

    Raises:
        InputError: the table or a clip cannot be read, or the places do not tell.
    """
    points = read_control(path, len(clips))
    cameras, names, known, squared, count = [], [], [], 0.0, 0
    for at, (clip, pixels) in enumerate(zip(clips, points.pixels, strict=True)):
        with closing(open_source(clip)) as source:
            size, name = (source.info.width, source.info.height), source.info.name
        seen = np.isfinite(pixels).all(axis=1)
        try:
            found = camera_of_known_places(points.places[seen], pixels[seen], size)
        except InputError as error:
            raise InputError(f"camera {at + 1}: {error}") from None
        cameras.append(found.camera)
        names.append(name)
        known.append(found.covariance)
        squared, count = squared + float((found.residual**2).sum()), count + len(found.residual)
    size_, whole = len(PARAMETERS), np.zeros((len(PARAMETERS) * len(known),) * 2)
    for at, own in enumerate(known):
        whole[size_ * at : size_ * (at + 1), size_ * at : size_ * (at + 1)] = own
    rig = Rig(tuple(cameras), tuple(names), points.unit, math.sqrt(squared / count), "control", covariance=whole)
    return Calibrated(rig, None, f"{len(points.places)} known places")


def _notes(found: Adjusted) -> tuple[str, ...]:
    left = found.left_out
    return (f"{left} sights fit nowhere and were left out",) if left else ()


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
    columns, rows = _pair(text, "--board")
    if min(columns, rows) < 3:
        raise InputError(f"--board counts inner corners, 3 x 3 or more, not {text}")
    return Board(columns, rows, square)


def _pair(text: str, option: str) -> tuple[int, int]:
    match = re.fullmatch(r"\s*(\d{1,5})\s*[xX*]\s*(\d{1,5})\s*", text)
    if match is None or "0" in match.groups():
        raise InputError(f"{option} takes two whole numbers, such as 9x6, not {text!r}")
    return int(match.group(1)), int(match.group(2))


def _ends(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Both ends, each one track or several joined by +."""
    try:
        one, other = (tuple(int(word) for word in part.split("+")) for part in text.split(","))
    except ValueError:
        raise InputError("--ends takes the tracks of both ends, such as 0,3 (or 0+7,3 of one that was lost between), "
                         f"not {text!r}") from None  # fmt: skip
    return one, other


def _size_of(home: Path, camera: str) -> tuple[int, int]:
    facts = run_facts(home)
    source = {} if facts is None else facts.get("source") or {}
    try:
        return int(source["width"]), int(source["height"])
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{camera} does not say how large its pictures are; --size 1024x1024 does") from None


