"""What hints propose is tried on the first frames of the run, so that none makes it worse."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from app.result_sinks import TrackSink
from app.spelling import parse_settings
from kernels.errors import FusetrackError
from pipelines.automatic.settling import settle_on
from pipelines.features import State, Tracks, join_tracks
from pipelines.frame import FrameSource
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare

FRAMES = 60
"""Frames of a trial, at most."""
PIXELS = 100_000_000
"""Of them together, about."""
LASTING = 0.3
"""Share of the trial's frames for which a track is seen that is more likely a thing than noise."""
CROSSES = 0.5
"""Of the picture's side (root of its area): a track that covers as much is a thing however short it lasts, as a
projectile that flies through."""
CROSSING = 8
"""Sightings of what crosses the picture, at the least: noise that is linked bends sooner."""
STEADY = 0.2
"""Of the mean distance of things: by how much a thing's way bends from frame to frame at most (root of the mean square
of second differences). Who links noise jumps about among what lies around."""

FEWER = 0.75
"""Of what the best of several hints follows: one that follows less than this takes something else for the things."""


def proposed(hint: str) -> dict[str, object]:
    """The settings that a hint tells people to try, by "node.param".

    >>> proposed("they move about 6 px: try --set follow.max_speed=9, or --set spots.polarity=dark")
    {'follow.max_speed': 9, 'spots.polarity': 'dark'}
    """
    return parse_settings([f"{name}={value.rstrip(',;.')}" for name, value in re.findall(r"--set (\S+?)=(\S+)", hint)])


def without_worse(
    hints: Sequence[str], source: FrameSource, pipeline: Pipeline, roi: Roi | None, first: int, processed: int
) -> list[str]:
    """The hints, without those whose settings follow nothing on the first frames, less than the run did, or far less
    than those of another hint.

    Args:
        hints: sentences, of which some propose settings.
        source, roi, first: of the run.
        pipeline: as it was asked for: what is "auto" is found anew with each setting.
        processed: how many frames it did.
    """
    if not any(proposed(hint) for hint in hints):
        return list(hints)
    before = worth(source, pipeline, {}, roi, first, processed)
    after = {hint: worth(source, pipeline, settings, roi, first, processed)
             for hint in hints if (settings := proposed(hint))}  # fmt: skip
    least = max(before, 1.0, FEWER * max(after.values()))
    return [hint for hint in hints if after.get(hint, least) >= least or _early(proposed(hint), processed)]


def _early(settings: Mapping[str, object], processed: int) -> bool:
    """Whether settings only have tracks believed sooner, in a run of so few frames that nothing lasts."""
    return processed == 1 and all(name.endswith(".min_hits") for name in settings)


def worth(
    source: FrameSource, pipeline: Pipeline, settings: Mapping[str, object], roi: Roi | None, first: int, processed: int
) -> float:
    """Sightings of things, less those of what is none (`things`); -inf where the settings are refused."""
    rows, count = trial(source, pipeline, settings, roi, first, processed)
    if rows is None:
        return -np.inf
    good = things(rows, count, side_of(source, roi))
    return float(good.sum() - (~good).sum())


def side_of(source: FrameSource, roi: Roi | None) -> float:
    """Root of the area that is processed, px."""
    _, _, width, height = roi or (0, 0, source.info.width, source.info.height)
    return float(np.sqrt(width * height))


def trial(
    source: FrameSource, pipeline: Pipeline, settings: Mapping[str, object], roi: Roi | None, first: int, processed: int
) -> tuple[Tracks | None, int]:
    """Sightings in the first frames of a run, None where the settings are refused, and how many frames (FRAMES)."""
    count = max(1, min(processed, FRAMES, PIXELS // max(1, source.info.width * source.info.height)))
    parts: list[Tracks] = []
    try:
        bound = prepare(settle_on(pipeline.with_settings(settings), source, roi).pipeline, source, roi)
        options = RunOptions(device="cpu", roi=roi)
        Runner(source, bound, [TrackSink(parts.append)], frames=(first, first + count), options=options).run()
    except FusetrackError:
        return None, count
    rows = join_tracks(parts)
    return rows[rows["state"] <= State.TRACKED], count


def things(rows: Tracks, frames: int, side: float) -> npt.NDArray[np.bool_]:
    """Which sightings are of tracks that last, or cross the picture, and go steadily.

    Args:
        rows: sightings alone.
        frames: that were looked at.
        side: of the picture, px (`side_of`).
    """
    order = np.lexsort((rows["frame"], rows["track"]))
    track, frame = rows["track"][order], rows["frame"][order]
    _, which, sightings = np.unique(track, return_inverse=True, return_counts=True)
    bend = np.zeros(len(sightings))
    known = np.zeros(len(sightings))
    if len(rows) > 2:
        next_door = (track[2:] == track[:-2]) & (frame[2:] - frame[:-2] == 2)
        squares = sum(np.diff(rows[name][order], 2) ** 2 for name in ("x", "y"))
        np.add.at(bend, which[1:-1][next_door], np.asarray(squares)[next_door])
        np.add.at(known, which[1:-1][next_door], 1.0)
    spacing = side * np.sqrt(frames / max(1, len(rows)))  # mean distance of what is seen
    steady = bend <= (STEADY * spacing) ** 2 * known
    lasts = sightings >= max(2.0, LASTING * frames)
    crosses = (sightings >= CROSSING) & (reach_of(rows[order], which) >= CROSSES * side)
    good = (lasts | crosses) & steady
    found = np.zeros(len(rows), np.bool_)
    found[order] = good[which]
    return found


def reach_of(rows: Tracks, which: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The longer side of what each track lies in, px; `which` track a row is of."""
    sides = []
    for name in ("x", "y"):
        low, high = np.full(which.max(initial=-1) + 1, np.inf), np.full(which.max(initial=-1) + 1, -np.inf)
        np.minimum.at(low, which, rows[name])
        np.maximum.at(high, which, rows[name])
        sides.append(high - low)
    longer: npt.NDArray[np.float64] = np.max(sides, axis=0)
    return longer
