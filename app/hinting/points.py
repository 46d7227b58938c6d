"""Points that are lost, all at once or one after the other: the settings that would have held them, tried on the clip's
own frames; and reference frames that are black or blurred."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from app.exports.tables import rows_of_frame, seen_in_frames, sightings
from app.hinting.look import Look, frames_of, look_at
from kernels.errors import FusetrackError
from kernels.param import Value
from pipelines.features import TRACK_DTYPE, State
from pipelines.frame import FrameSource
from pipelines.graph import Bound, BoundTracker, Ref

Array = npt.NDArray[Any]
POINTS = ("template", "klt", "vibration")
"""Trackers of points."""
TOGETHER = 3
"""Frames within which points are lost that are lost at once."""
KEPT = 0.8
"""Of the rows that points could have, how many they have where there is nothing to ask."""
TRIED = 12
"""Frames of a trial."""
MOST = 24
"""Points of a trial."""
BACK = 2.0
"""px: who is held comes back so near to where it began when the frames run backward (Kalal, Mikolajczyk, Matas:
Forward-backward error, ICPR 2010)."""
NEARLY = 0.9
"""Share of the points that a setting holds which is taken at once; else the one that holds most, at least half."""
MORE = 0.25
"""Share of the points that are lost one after the other, and that a setting holds beyond those that are held anyway."""
AWHILE = 24
"""Frames in which points are lost one after the other, and of the trial then: a window that turns by 3 degrees a frame
looks too different by then."""
STARTS = 64
"""Frames from which on it is looked how many are lost, at most."""
BLACK = 0.02
"""Of the texture that follows: there is none."""
LEAST_WINDOW = 9
BLURRED = 0.3
"""Of the texture that the frames behind it show, what a reference frame shows at least: half the slopes are a quarter
of their squares."""


def lost_at_once(
    source: FrameSource, bound: Bound, frames: tuple[int, int], tracks: Sequence[Mapping[str, float]], table: Path,
    offset: tuple[int, int] = (0, 0),
) -> list[str]:  # fmt: skip
    """A sentence if most points of a run were lost within a few frames for good, or little by little where another
    setting holds them.

    Args:
        source: the clip.
        bound: the pipeline that ran.
        frames: first frame that was processed, and one past the last.
        tracks: entries of `TrackStatistics.facts`.
        table: the run's rows, Parquet, in px of the clip's picture.
        offset: of the pipeline's picture in the clip's, px.

    Raises:
        BadFrame: a frame that is looked at cannot be read.
    """
    trackers = [one for one in bound.trackers if one.type.name in POINTS]
    whole = sum(int(one["seen_frames"]) for one in tracks) > KEPT * len(tracks) * (frames[1] - frames[0])
    if len(bound.trackers) != 1 or not trackers or not tracks or whole:
        return []
    # All at once first; only where that is not so, little by little.
    start, before, after = _fall(*seen_in_frames(table), frames[1])
    at_once = start >= 0
    if not at_once:
        start, before, after = _ebb(*sightings(table), frames[1])
    if start < 0:
        return []
    (tracker,), rows = trackers, rows_of_frame(table, start)
    # Points that are seen in the frame before the fall: from there the trial goes on.
    rows = rows[rows["state"] <= State.TRACKED]
    places = np.stack((rows["x"] - offset[0], rows["y"] - offset[1]), axis=1)
    places = places[:: -(-len(places) // MOST)]
    pictures = _pictures(tracker)
    count = frames_of(source, frames[1] - start, TRIED if at_once else AWHILE)
    look = look_at(source, bound, start, count, [*pictures.values()], count)
    words = f"{before - after} of {before} points were lost" if before > 1 else "the point was lost"
    words = f"{tracker.id}: {words} {'after' if at_once else f'within {AWHILE} frames of'} frame {start}"
    side = max(source.info.width, source.info.height)
    best, held = _best(tracker, look, places, side, 0.5 if at_once else 0.0)
    if best == {}:
        return []  # something passed by, and it would go on from here
    if not at_once and (best is None or held - held_by(tracker, look, places, {}) < max(MORE * len(places), 1)):
        return []  # they leave the picture, or are covered
    if best is None:
        return [f"{words}, and no other model, wider search or smaller window holds them from there on: is there a cut "
                "in the clip, or does the picture change faster than a window can be recognised? A higher frame rate, "
                "or points that begin later (a column frame), may help"]  # fmt: skip
    return [f"{words}: try {_spelt(tracker, best)}, which holds {held} of {len(places)} of them through the next "
            f"{len(look.frames) - 1} frames"]  # fmt: skip


def never_believed(source: FrameSource, bound: Bound, frames: tuple[int, int]) -> list[str]:
    """A sentence if corners are there and none of a run was followed for long enough to be believed.

    Args:
        source, bound, frames: as of `lost_at_once`.

    Raises:
        BadFrame: a frame that is looked at cannot be read.
    """
    hints = []
    for tracker in bound.trackers:
        refs = {one.name: tracker.inputs[one.name] for one in tracker.type.inputs if one.name in tracker.inputs}
        if tracker.type.name != "klt" or "features" not in refs:
            continue
        count = frames_of(source, frames[1] - frames[0], 1 + cast(int, tracker.params["min_hits"]))
        look = look_at(source, bound, frames[0], frames[1] - frames[0], [*refs.values()], count)
        first = {name: look.values[ref][0] for name, ref in refs.items()}
        # The tracker itself tells which corners it begins with.
        born = tracker.type(tracker.params, first["image"].shape[:2], None).update(0, 0.0, first)
        places = np.stack((born["x"], born["y"]), axis=1).astype(np.float64)
        places = places[:: max(1, -(-len(places) // MOST))]
        best, held = _best(tracker, look, places, max(first["image"].shape[:2])) if len(places) else (None, 0)
        if best:
            hints.append(f"{tracker.id}: {len(born)} corners are there, and none was held for long enough: try "
                         f"{_spelt(tracker, best)}, which holds {held} of {len(places)} of them through the next "
                         f"{len(look.frames) - 1} frames")  # fmt: skip
    return hints


def _best(
    tracker: BoundTracker, look: Look, places: Array, side: int, least: float = 0.0
) -> tuple[dict[str, Value] | None, int]:  # fmt: skip
    """The changes of parameters that hold most points, at least this share, and how many they hold: {} where none are
    needed, None where nothing helps. `side`: the longer one of the picture, px."""
    best, held = None, held_by(tracker, look, places, {})
    if held >= NEARLY * len(places):
        return {}, held
    for changes in _candidates(tracker, side):
        many = held_by(tracker, look, places, changes)
        if many > held and many >= least * len(places):
            best, held = changes, many
        if held >= NEARLY * len(places) and best is not None:
            break
    return best, held


def _spelt(tracker: BoundTracker, changes: Mapping[str, Value]) -> str:
    """Changes of parameters as people write them."""
    return " ".join(f"--set {tracker.id}.{name}={value}" for name, value in changes.items())


def _fall(frames: Array, seen: Array, end: int) -> tuple[int, int, int]:
    """The last frame before most points are lost within TOGETHER frames, not to come back: how many are seen in it, and
    how many are from then on, in the middle; -1 and 0 where there is none.

    Args:
        frames, seen: of `seen_in_frames`.
        end: one past the run's last frame.
    """
    # Points seen in each frame, 0 where none was.
    count = np.zeros(max(end - int(frames[0]), 1) if len(frames) else 1, np.int64)
    inside = frames < end
    count[frames[inside] - int(frames[0]) if len(frames) else frames[inside]] = seen[inside]
    for k in range(len(count) - TOGETHER - 1):
        # The median of all that follows: a point that comes back for a few frames does not count as kept.
        after = float(np.median(count[k + 1 :]))
        if count[k] > 0 and count[k + 1] < count[k] and 2 * max(count[k + TOGETHER], after) <= count[k]:
            return int(frames[0]) + k, int(count[k]), int(after)
    return -1, 0, 0


def _ebb(frames: Array, tracks: Array, end: int) -> tuple[int, int, int]:
    """The frame of which most points are not seen AWHILE later, how many there are, and how many of them are seen then;
    -1 and 0 where it is less than MORE of them at any time.

    Args:
        frames, tracks: of the sightings, by rising frame.
        end: one past the run's last frame.
    """
    first = int(frames[0]) if len(frames) else end
    last = end - 1 - AWHILE
    best, share = (-1, 0, 0), MORE
    for start in range(first, last + 1, max(AWHILE // 2, (last + 1 - first) // STARTS)):
        parts = (slice(*np.searchsorted(frames, (k, k + 1))) for k in (start, start + AWHILE))
        now, later = (set(tracks[part].tolist()) for part in parts)
        if now and len(now - later) > share * len(now):
            best, share = (start, len(now), len(now & later)), len(now - later) / len(now)
    return best


def held_by(tracker: BoundTracker, look: Look, places: Array, changes: Mapping[str, Value]) -> int:
    """How many points are followed to the last of some frames, and back to where they began.

    Args:
        tracker: of which all else stays.
        look: the frames, with what the tracker looks at.
        places: (n, 2) of the points in the first frame, px.
        changes: parameters of the tracker.
    """
    # Forward, then backward from where it ended: who comes back was held on the same texture.
    there = _followed(tracker, look, places, changes, range(len(look.frames)))
    known = np.isfinite(there).all(axis=1)
    if not known.any():
        return 0
    back = _followed(tracker, look, there[known], changes, range(len(look.frames) - 1, -1, -1))
    off = np.hypot(*(back - places[known]).T)
    return int(np.count_nonzero(off <= BACK))  # NaN is not


def _followed(
    tracker: BoundTracker, look: Look, places: Array, changes: Mapping[str, Value], order: range
) -> Array:
    """Where points are in the last frame of an order, (n, 2); NaN of those that are not seen in it."""
    made, pictures = np.full((len(places), 2), np.nan), _pictures(tracker)
    given = {**tracker.params, "points": tuple(map(tuple, places.tolist())), **changes}
    # Only the points given, no corners found besides.
    if "max_points" in given:
        given["max_points"] = 0 if tracker.type.name == "klt" else len(places)
    try:
        first = look.values[next(iter(pictures.values()))][0]
        one = tracker.type(given, first.shape[:2], None)
        rows = np.zeros(0, TRACK_DTYPE)
        for number, k in enumerate(order):
            rows = one.update(number, float(number), {name: look.values[ref][k] for name, ref in pictures.items()})
    except FusetrackError:  # such a window does not fit
        return made
    seen = rows[(rows["state"] == State.TRACKED) & (rows["track"] < len(places))]
    made[seen["track"]] = np.stack((seen["x"], seen["y"]), axis=1)
    return made


def _candidates(tracker: BoundTracker, widest: int) -> Iterator[dict[str, Value]]:
    """What may help, the least change first."""
    known = {param.name: param for param in tracker.type.params}
    wider: list[dict[str, Value]] = []
    if "search" in known:
        now, high = cast(int, tracker.params["search"]), cast(float, known["search"].high or widest)
        wider = [{"search": int(min(now * k, high, widest))} for k in (2, 4, 8)]
    models: list[dict[str, Value]] = []
    if "model" in known:
        models = [{"model": one} for one in ("rigid", "affine")
                  if one in (known["model"].choices or ()) and one != tracker.params["model"]]  # fmt: skip
    window = cast(int, tracker.params["window"])
    sides = [int(window * share) // 2 * 2 + 1 for share in (0.7, 0.5)]
    smaller: list[dict[str, Value]] = [{"window": side} for side in sides if LEAST_WINDOW <= side < window]
    # One change at a time before two, two before three.
    yield from wider
    yield from models
    yield from (model | search for model in models for search in wider[:2])
    yield from smaller
    yield from (model | side for side in smaller for model in models)
    yield from (model | side | search for side in smaller for model in models for search in wider[:2])


def poor_references(
    source: FrameSource, bound: Bound, frames: tuple[int, int], offset: tuple[int, int] = (0, 0)
) -> list[str]:
    """A sentence for each frame in which given points begin and which is black or blurred there.

    The texture of a window is the sum of its squared slopes, less those of the picture's noise; what counts is how much
    there is by what the frames behind show at the same place.

    Args:
        source: the clip.
        bound: the pipeline that will run.
        frames: first frame and one past the last.
        offset: of the pipeline's picture in the clip's, px.

    Raises:
        BadFrame: a frame that is looked at cannot be read.
    """
    hints = []
    for tracker in bound.trackers:
        points = cast(Sequence[Sequence[float]], tracker.params.get("points") or ())
        if tracker.type.name in POINTS and points:
            begins = [int(point[2]) if len(point) > 2 else frames[0] for point in points]
            for begin in sorted(set(begins)):
                if frames[0] <= begin < frames[1] - 1:
                    which = [k for k, first in enumerate(begins) if first == begin]
                    hints += _poor(source, bound, tracker, begin, frames[1], which, offset)
    return hints


def _poor(
    source: FrameSource, bound: Bound, tracker: BoundTracker, begin: int, end: int, which: Sequence[int],
    offset: tuple[int, int],
) -> list[str]:  # fmt: skip
    points = cast(Sequence[Sequence[float]], tracker.params["points"])
    ref = next(iter(_pictures(tracker).values()))
    count = frames_of(source, end - begin, TRIED)
    look = look_at(source, bound, begin, count, [ref], count)
    if len(look.frames) < 2:
        return []
    half = cast(int, tracker.params["window"]) // 2
    textures = np.array([[texture(picture, points[k][0], points[k][1], half) for picture in look.values[ref]]
                     for k in which])  # fmt: skip
    later = np.median(textures[:, 1:], axis=1)
    poor = np.flatnonzero((textures[:, 0] < BLURRED * later) & (later > 0))
    if not len(poor):
        return []
    # Frames in which at least four fifths of the poor windows have nearly their usual texture.
    good = np.flatnonzero((textures[poor] >= 0.8 * later[poor, None]).mean(axis=0) >= 0.8)
    better = f"; frame {look.frames[good[0]]} would do" if len(good) else ""
    share = textures[poor, 0] / later[poor]
    black = share <= BLACK
    why = "black, or shows nothing," if black.all() else "blurred or dim"
    names = ", ".join(f"({points[which[k]][0] + offset[0]:.4g}, {points[which[k]][1] + offset[1]:.4g})"
                      for k in poor[:3]) + (" ..." if len(poor) > 3 else "")  # fmt: skip
    much = "" if black.all() else f" (there is {np.median(share):.2g} of the texture that follows)"
    return [f"{tracker.id}: frame {look.frames[0]}, in which {len(poor)} of {len(points)} points begin and which all "
            f"later ones are compared with, is {why} at {names}{much}: let them begin later, by a column frame in the "
            f"table of points{better}"]  # fmt: skip


def texture(picture: Array, x: float, y: float, half: int) -> float:
    """The sum of squared slopes in the window of 2 half + 1 px about x, y, less what noise of the window's own highest
    frequencies makes of it (Immerkaer 1996); 0 where there is no more.

    Args:
        picture: (height, width).
    """
    top, left, bottom, right = (max(round(place) + side, 0) for side in (-half, half + 1) for place in (y, x))
    part = picture[top:bottom, left:right].astype(np.float64)
    if min(part.shape) < 3 or not np.isfinite(part).all():
        return 0.0
    # Central differences over two pixels, twice the slope: their squares are four times those of slopes.
    slopes = sum(float(np.square(part[2:, 1:-1] - part[:-2, 1:-1] if axis == 0 else part[1:-1, 2:] - part[1:-1, :-2])
                       .mean()) for axis in (0, 1))  # fmt: skip
    # Immerkaer's mask, the second difference in both directions: it takes away what is smooth.
    mask = np.outer((1.0, -2.0, 1.0), (1.0, -2.0, 1.0))
    rows, columns = part.shape[0] - 2, part.shape[1] - 2
    shifted = [float(mask[i, j]) * part[i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    fine = np.sum(shifted, axis=0)
    # The median of magnitudes is .6745 deviations of a normal; the mask enlarges variance by the sum of its squares.
    noise = (float(np.median(np.abs(fine))) / 0.6745) ** 2 / float(np.square(mask).sum())
    # Two differences of two pixels each carry four variances of noise.
    return max(slopes - 4.0 * noise, 0.0)


def _pictures(tracker: BoundTracker) -> dict[str, Ref]:
    """What a tracker of points looks at, without the corners that others have found."""
    return {one.name: tracker.inputs[one.name] for one in tracker.type.inputs if one.kind == "image"}
