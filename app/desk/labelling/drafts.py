"""Where points of a frame probably are, before anybody has set them: from the tracks, else from other frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from app.desk.labelling.sheet import Places, Sheet
from app.keypoints import Keypoints
from pipelines.features import State, Tracks

SAME = 3.0
"""Pixels between a label and a track, at most, for the track to be of that point: more than the error of labels."""


def drafts(sheet: Sheet, frame: int, rows_at: Callable[[int], Tracks], keypoints: Keypoints) -> Places:
    """Places for what is not decided in a frame, (animals, points, 2); NaN where nothing is known.

    A point is where the track is that a network follows under its name; else where the track is that was at its label
    in the nearest labelled frame, as far beside it as there; else on the straight line between its labels before and
    after; else where its only label is.

    Args:
        sheet: what is set.
        frame: of the clip.
        rows_at: rows of tracks of a frame.
        keypoints: which of them are points of a skeleton.
    """
    here, labelled = sheet.at(frame), sheet.labelled
    before = [one for one in labelled if one < frame]
    after = [one for one in labelled if one > frame]
    now = _placed(rows_at(frame))
    named = _named(sheet, now, keypoints)
    animals = max(sheet.animals, named.shape[0])
    made = np.full((animals, len(sheet.points), 2), np.nan)
    decided = here.grown(animals).decided
    # Rows of other frames are read once, however many points were last labelled there.
    seen: dict[int, Mapping[int, tuple[float, float]]] = {}
    for a, p in zip(*np.nonzero(~decided), strict=True):
        if a < len(named) and np.isfinite(named[a, p, 0]):
            made[a, p] = named[a, p]
            continue
        near = [found for found in (_last(sheet, before[::-1], a, p), _last(sheet, after, a, p)) if found is not None]
        # The nearer labelled frame comes first.
        for other, place in sorted(near, key=lambda one: abs(one[0] - frame)):
            if other not in seen:
                seen[other] = _placed(rows_at(other))
            moved = _along(place, seen[other], now)
            if moved is not None:
                made[a, p] = moved
                break
        else:
            # No track leads here from a label: interpolate in time, or take the only label as it is.
            if len(near) == 2:
                (first, begin), (last, end) = near
                made[a, p] = begin + (end - begin) * (frame - first) / (last - first)
            elif near:
                made[a, p] = near[0][1]
    return made


def _placed(rows: Tracks) -> dict[int, tuple[float, float]]:
    """Where each track is that is somewhere."""
    rows = rows[(rows["state"] != State.LOST) & np.isfinite(rows["x"]) & np.isfinite(rows["y"])]
    places = zip(rows["x"].tolist(), rows["y"].tolist(), strict=True)
    return dict(zip(rows["track"].tolist(), places, strict=True))


def _named(sheet: Sheet, now: Mapping[int, tuple[float, float]], keypoints: Keypoints) -> Places:
    """Points that tracks have the names of."""
    found: dict[tuple[int, int], tuple[float, float]] = {}
    # Animals of a sheet count from 0: those of this frame take these numbers in rising order.
    animals = sorted({animal for track, (animal, _) in keypoints.tracks.items() if track in now})
    for track, (animal, point) in keypoints.tracks.items():
        name = keypoints.names.get(point, "")
        if track in now and name in sheet.points:
            found[animals.index(animal), sheet.points.index(name)] = now[track]
    made = np.full((1 + max((a for a, _ in found), default=-1), len(sheet.points), 2), np.nan)
    for key, place in found.items():
        made[key] = place
    return made


def _last(sheet: Sheet, frames: list[int], animal: int, point: int) -> tuple[int, Places] | None:
    """The first of some frames in which a point is placed, and where."""
    for frame in frames:
        marks = sheet.frames[frame]
        if animal < marks.animals and marks.placed[animal, point]:
            return frame, marks.places[animal, point]
    return None


def _along(
    place: Places, then: Mapping[int, tuple[float, float]], now: Mapping[int, tuple[float, float]]
) -> Places | None:
    """Where a place has gone with the track that was there; None without one."""
    near = [(float(np.hypot(*(place - at))), track) for track, at in then.items() if track in now]
    if not near or min(near)[0] > SAME:
        return None
    track = min(near)[1]
    return np.asarray(place + np.subtract(now[track], then[track]))
