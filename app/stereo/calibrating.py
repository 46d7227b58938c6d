"""Cameras from what they saw: a board in clips, the ends of a wand that were followed, or places that are known. The
command and the window call this."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from app.progress import Progress, QuietProgress
from app.sources.opening import open_source
from app.stereo.board_corners import LOOKED, find_corners
from app.stereo.control_points import ControlPoints, read_control
from app.stereo.rig import Rig
from kernels.errors import InputError
from pipelines.features import Tracks
from pipelines.stereo.board import Board, calibrate_by_board
from pipelines.stereo.bundle import FAR, Adjusted, Lens
from pipelines.stereo.camera_model import PARAMETERS, Array
from pipelines.stereo.direct_linear import camera_of_known_places
from pipelines.stereo.wand import calibrate_by_wand, poses_of

MOST_LISTED = 8
"""Frames that are named in a sentence; the table of the window has all."""
Telling = Callable[[str, int], AbstractContextManager[Progress]]
"""What shows how far something is: called with a label and how much is to do."""


@contextmanager
def silent(label: str, total: int) -> Iterator[Progress]:
    """Shows nothing."""
    del label, total
    yield QuietProgress()


Ends = tuple[tuple[int, ...], tuple[int, ...]]
"""The tracks of both ends of a wand in one camera; several where an end was lost between."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What the cameras saw of the thing at one moment, or of one known place.

    Args:
        number: the frame as the first camera counts; of a known place its row in the table, from 0.
        seen: of each camera (N, 2) px, NaN of what it does not see.
        wrong: of each camera (N, 2) px, seen less projected, also of what fits nowhere and was left out; NaN where
            the whole view was.
        left_out: of each camera how much of what it saw fits nowhere; () for nothing.
    """

    number: int
    seen: tuple[Array, ...]
    wrong: tuple[Array, ...]
    left_out: tuple[int, ...] = ()

    def rms(self, camera: int) -> float:
        """Root of the mean squared distance, px; NaN where the camera sees nothing of it."""
        each = (self.wrong[camera] ** 2).sum(axis=1)
        each = each[np.isfinite(each)]
        return math.sqrt(float(each.mean())) if len(each) else math.nan


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Args:
    rig: the cameras.
    focal_errors: standard uncertainties of the focal lengths, px; None where they are not known.
    words: of what was used.
    each: of each camera what is left wrong in its pictures, as `rig.rms` is of all; NaN where nothing counts.
    views: what was seen, by number.
    """

    rig: Rig
    focal_errors: tuple[float, ...] | None
    words: str
    each: tuple[float, ...]
    views: tuple[View, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BoardSeen:
    """A board in clips.

    Args:
        board, unit: which, and the unit of its square.
        seen: of each camera, by frame of the first one, the corners in the order of `Board.corners`, px.
        looked: frames that were looked at.
        sizes, names: of each camera's pictures and clip.
    """

    board: Board
    unit: str
    seen: tuple[Mapping[int, Array], ...]
    looked: int
    sizes: tuple[tuple[int, int], ...]
    names: tuple[str, ...]


def see_board(
    clips: Sequence[Any], board: Board, unit: str, offsets: Sequence[int], moments: slice = slice(None),
    progress: Telling = silent,
) -> BoardSeen:  # fmt: skip
    """Look for a board in the clips of synchronised cameras.

    Args:
        clips: one of each camera, as `open_source` takes them.
        board, unit: which, and the unit of its square.
        offsets: by how many frames each clip is ahead of the first.
        moments: frames of the first clip that are looked at.
        progress: shown.

    Raises:
        InputError: a clip cannot be read, or no frame is left.
    """
    with ExitStack() as stack:
        sources = [stack.enter_context(closing(open_source(clip))) for clip in clips]
        inside = range(sources[0].info.frames)[moments]
        if not inside:
            raise InputError(f"no frame of {sources[0].info.name} is among those that are looked at")
        with progress("looking for the board", min(LOOKED, len(inside))) as bar:
            corners = find_corners(board, sources, offsets, inside, bar.advance)
        sizes = tuple((source.info.width, source.info.height) for source in sources)
        names = tuple(source.info.name for source in sources)
    return BoardSeen(board, unit, corners.seen, corners.looked, sizes, names)


def by_board(
    found: BoardSeen, lens: Lens = Lens.RADIAL, origin: int | None = None, without: Collection[int] = ()
) -> Calibrated:
    """Cameras by a board.

    Args:
        found: what was seen of it.
        lens: what is free of each lens.
        origin: the frame in which space is the board's; None: space is that of the first camera.
        without: frames that do not count.

    Raises:
        InputError: the board does not tell.
    """
    board = found.board
    seen = [{frame: corners for frame, corners in one.items() if frame not in without} for one in found.seen]
    try:
        adjusted, poses = calibrate_by_board(board, seen, found.sizes, lens)
    except InputError as error:
        if max(map(len, found.seen)) == 0:
            raise InputError(f"no board of {board.columns} x {board.rows} inner corners is seen whole in the "
                             f"{found.looked} frames that were looked at; corners are those where four squares "
                             "meet") from error  # fmt: skip
        raise
    notes = _notes(adjusted, poses, [sorted(one) for one in seen], "they say that the cameras are elsewhere")
    rig = Rig(adjusted.cameras, found.names, found.unit, adjusted.rms, "board", notes,
              adjusted.covariance_of_cameras())  # fmt: skip
    if origin is not None:
        if origin not in poses:
            raise InputError(f"the board is not among those that count in frame {origin}, which should be the origin; "
                             f"these are: {', '.join(map(str, poses))}")  # fmt: skip
        at = poses.index(origin)
        rig = rig.moved(adjusted.rotations[at], adjusted.translations[at], adjusted.covariance_of_cameras(at))
    words = f"{len(poses)} poses of the board, {len(adjusted.sights)} corners"
    views = _views(adjusted, poses, board.columns * board.rows)
    return Calibrated(rig, tuple(adjusted.focal_error.tolist()), words, adjusted.rms_of_cameras, views)


@dataclass(frozen=True, slots=True, eq=False)
class WandSeen:
    """Tracks of a wand's ends.

    Args:
        length, unit: from end to end.
        tables: of each camera its believed rows.
        sizes, names: of each camera's pictures and tracks.
        ends: which tracks are which end, once for all cameras or for each; () to find it.
        offsets: by how many frames each camera is ahead of the first.
        focal: about how long focal lengths are, px; None: by trying.
    """

    length: float
    unit: str
    tables: tuple[Tracks, ...]
    sizes: tuple[tuple[int, int], ...]
    names: tuple[str, ...]
    ends: tuple[Ends, ...] = ()
    offsets: tuple[int, ...] = field(default=(), kw_only=True)
    focal: float | None = field(default=None, kw_only=True)


def by_wand(found: WandSeen, lens: Lens = Lens.RADIAL, without: Collection[int] = ()) -> Calibrated:
    """Cameras by tracks of a wand's ends; where it is not said which is which, the way round that fits best.

    Args:
        found: the tracks.
        lens: what is free of each lens.
        without: frames of the first camera that do not count.

    Raises:
        InputError: a camera has no such tracks, or they do not tell.
    """
    offsets = found.offsets or (0,) * len(found.tables)
    first, ends = _ends_by_frame(found, offsets)
    # Frames that do not count are as if nothing had been seen in them.
    for frame in without:
        if 0 <= frame - first < len(ends[0]):
            for one in ends:
                one[frame - first] = np.nan
    # Which end is which is unknown: the first camera's choice holds, each other one may be the other way round, and all
    # 2^(cameras - 1) combinations are tried.
    unsure = [] if found.ends else [(False, True)] * (len(ends) - 1)
    ways = [(*(False for _ in range(len(ends) - len(rest))), *rest) for rest in product(*unsure)]
    best: Adjusted | None = None
    of: Sequence[Array] = ends
    problem: InputError | None = None
    for way in ways:
        turned = [one[:, ::-1] if back else one for one, back in zip(ends, way, strict=True)]
        try:
            made = calibrate_by_wand(found.length, turned, found.sizes, lens, found.focal)
        except InputError as error:
            problem = problem or error
            continue
        # The way round that leaves out fewest sights, then the one with the smallest error.
        if best is None or (made.left_out, made.rms) < (best.left_out, best.rms):
            best, of = made, turned
    if best is None:
        assert problem is not None
        raise problem
    numbers, poses = [first + frame for frame in best.poses], poses_of(ends)
    used = [[first + int(frame) for frame in poses.chosen if np.isfinite(one[frame]).any()] for one in ends]
    notes = _notes(best, numbers, used, "their ends lie too near or too far for the length of the wand")
    if len(poses.chosen) < len(poses.useful):
        notes = (f"{len(poses.chosen)} of the {len(poses.useful)} frames in which two cameras see both ends are taken, "
                 "spread over all: more would tell little", *notes)  # fmt: skip
    rig = Rig(best.cameras, found.names, found.unit, best.rms, "wand", notes, best.covariance_of_cameras())
    astray = sorted({number for one in used for number in one} - set(numbers))
    views = (*_views(best, numbers, 2), *(_unused(number, [one[number - first] for one in of]) for number in astray))
    return Calibrated(rig, tuple(best.focal_error.tolist()), f"{len(best.rotations)} places of the wand",
                      best.rms_of_cameras, tuple(sorted(views, key=lambda view: view.number)))  # fmt: skip


def _ends_by_frame(found: WandSeen, offsets: Sequence[int]) -> tuple[int, list[Array]]:
    """The first frame, as the first camera counts, and of each camera where both ends are from it on, (F, 2, 2)."""
    tables = found.tables
    # Frame numbers of all cameras on the clock of the first one.
    first = min(int(rows["frame"].min(initial=0)) - offset for rows, offset in zip(tables, offsets, strict=True))
    last = max(int(rows["frame"].max(initial=0)) - offset for rows, offset in zip(tables, offsets, strict=True))
    ends = []
    for at, (rows, offset) in enumerate(zip(tables, offsets, strict=True)):
        pair = found.ends[at if len(found.ends) > 1 else 0] if found.ends else _longest(rows, at)
        places: Array = np.full((last - first + 1, 2, 2), np.nan)
        for end, tracks in enumerate(pair):
            mine = rows[np.isin(rows["track"], tracks)]
            if not len(mine):
                raise InputError(f"camera {at + 1} has no track {', '.join(map(str, tracks))} that is seen")
            places[mine["frame"] - offset - first, end] = np.column_stack((mine["x"], mine["y"]))
        ends.append(places)
    return first, ends


def _longest(rows: Tracks, at: int) -> Ends:
    tracks, counts = np.unique(rows["track"], return_counts=True)
    if len(tracks) < 2:
        raise InputError(f"camera {at + 1} has {len(tracks)} tracks, and a wand has two ends")
    a, b = sorted(tracks[np.argsort(-counts, kind="stable")[:2]].tolist())
    return (a,), (b,)


@dataclass(frozen=True, slots=True, eq=False)
class ControlSeen:
    """Known places in the pictures of cameras.

    Args:
        points: the places and where they are seen.
        sizes, names: of each camera's pictures and clip.
    """

    points: ControlPoints
    sizes: tuple[tuple[int, int], ...]
    names: tuple[str, ...]


def see_control(path: Path, clips: Sequence[Any]) -> ControlSeen:
    """Known places of a table, and how large the pictures of its cameras are.

    Raises:
        InputError: the table or a clip cannot be read.
    """
    points = read_control(path, len(clips))
    sizes, names = [], []
    for clip in clips:
        with closing(open_source(clip)) as source:
            sizes.append((source.info.width, source.info.height))
            names.append(source.info.name)
    return ControlSeen(points, tuple(sizes), tuple(names))


def by_control(found: ControlSeen, without: Collection[int] = ()) -> Calibrated:
    """Cameras by places that are known.

    Args:
        found: the places.
        without: rows of the table, from 0, that do not count.

    Raises:
        InputError: the places do not tell.
    """
    points, count = found.points, len(found.points.places)
    wanted = ~np.isin(np.arange(count), list(without))
    cameras, wrong, size, total = [], [], len(PARAMETERS), len(found.sizes)
    # Each camera is found by itself here: the covariance of all is block diagonal.
    covariance = np.zeros((size * total, size * total))
    for at, (pixels, its) in enumerate(zip(points.pixels, found.sizes, strict=True)):
        seen = np.isfinite(pixels).all(axis=1) & wanted
        try:
            made = camera_of_known_places(points.places[seen], pixels[seen], its)
        except InputError as error:
            raise InputError(f"camera {at + 1}: {error}") from None
        cameras.append(made.camera)
        covariance[size * at : size * (at + 1), size * at : size * (at + 1)] = made.covariance
        wrong.append(np.full((count, 2), np.nan))
        wrong[-1][seen] = made.residual
    squared = [(one[np.isfinite(one).all(axis=1)] ** 2).sum(axis=1) for one in wrong]
    rig = Rig(tuple(cameras), found.names, points.unit, math.sqrt(float(np.concatenate(squared).mean())), "control",
              covariance=covariance)  # fmt: skip
    parts = [slice(row, row + 1) for row in np.flatnonzero(wanted).tolist()]
    views = tuple(View(part.start, tuple(pixels[part] for pixels in points.pixels), tuple(one[part] for one in wrong))
                  for part in parts)  # fmt: skip
    each = tuple(math.sqrt(float(one.mean())) for one in squared)
    return Calibrated(rig, None, f"{len(parts)} known places", each, views)


def _views(found: Adjusted, numbers: Sequence[int], parts: int) -> tuple[View, ...]:
    """What was seen of each pose; `parts` are seen of it at most."""
    sights = found.every
    whole = np.full((len(numbers), len(found.cameras), parts, 2, 2), np.nan)
    # (pose, camera, part, seen or wrong, x and y), NaN where nothing was seen.
    whole[sights.pose, sights.camera, sights.part, 0] = sights.pixels
    whole[sights.pose, sights.camera, sights.part, 1] = found.wrong
    out = np.zeros((len(numbers), len(found.cameras)), int)
    np.add.at(out, (sights.pose[~found.counts], sights.camera[~found.counts]), 1)
    views = [View(number, tuple(one[..., 0, :]), tuple(one[..., 1, :]), tuple(its.tolist()) if its.any() else ())
             for number, one, its in zip(numbers, whole, out, strict=True)]  # fmt: skip
    return tuple(sorted(views, key=lambda view: view.number))


def _unused(number: int, seen: Sequence[Array]) -> View:
    """Something that was seen and does not count."""
    return View(number, tuple(seen), tuple(np.full_like(one, np.nan) for one in seen))


def _notes(found: Adjusted, numbers: Sequence[int], given: Sequence[Sequence[int]], why: str) -> tuple[str, ...]:
    """Of each camera what of that which it saw was left out, and why.

    Args:
        found: the cameras.
        numbers: frames of its poses.
        given: of each camera the frames in which it saw something.
        why: frames may be left out.
    """
    every, made = found.every, []
    for camera, frames in enumerate(given):
        mine = every.camera == camera
        gone = sorted(set(frames) - {numbers[pose] for pose in every.pose[mine]})
        out = mine & ~found.counts
        parts = []
        if gone:
            parts.append(f"{len(gone)} of {len(frames)} frames, as {why} (frames {_listed(gone)})")
        if out.any():
            where = sorted({numbers[pose] for pose in every.pose[out]})
            parts.append(f"{int(out.sum())} of {int(mine.sum())} sights that fit nowhere, by more than {FAR:g} times "
                         f"the median error, or tell nothing without those (frames {_listed(where)})")  # fmt: skip
        if parts:
            made.append(f"left out of camera {camera + 1}: {'; '.join(parts)}")
    return tuple(made)


def _listed(numbers: Sequence[int]) -> str:
    """Numbers for people, the first of many.

    >>> _listed(range(3, 15))
    '3, 4, 5, 6, 7, 8, 9, 10 and 4 more'
    """
    more = f" and {len(numbers) - MOST_LISTED} more" if len(numbers) > MOST_LISTED else ""
    return ", ".join(map(str, numbers[:MOST_LISTED])) + more
