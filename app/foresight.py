"""Whether texture and light can give the precision that is asked for: looked at before a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast, runtime_checkable

import numpy as np

from app.hinting.look import FRAMES, PIXELS, look_at
from kernels.param import Value
from pipelines.features import State, Tracks
from pipelines.frame import FrameSource
from pipelines.graph import Bound, BoundTracker

NAMED = 5
"""Points that are named; more are counted."""
MOST_BEGINS = 8
"""Frames in which points begin that are looked at, the first ones."""
Points = tuple[tuple[float, ...], ...]


@runtime_checkable
class Foreseeing(Protocol):
    """A tracker that knows how precise it can be."""

    def expected(self) -> dict[int, float]:
        """Uncertainties by track, px."""


def precision_hints(
    source: FrameSource, bound: Bound, frames: tuple[int, int], offset: tuple[int, int] = (0, 0)
) -> list[str]:
    """A sentence for each tracker some of whose points cannot be as precise as its parameter `precision` asks.

    The tracker follows its points through a few frames, each from the one on in which it begins, aside from the run,
    and says what uncertainty they have then; of a single frame, what its noise and its slopes allow.

    Args:
        source: the clip.
        bound: the pipeline that will run.
        frames: first frame and one past the last.
        offset: of the pipeline's picture in the clip's, px.

    Raises:
        BadFrame: a frame that is looked at cannot be read.
    """
    hints: list[str] = []
    for tracker in bound.trackers:
        if _asked(tracker) > 0:
            hints += _sentence(tracker, _looked(source, bound, tracker, frames), offset)
    return hints


@dataclass
class _Looked:
    """What a tracker says of its points: rows in which each was seen first, and what is expected of each, by its
    number; `begins`: the frame in which it begins where that is a later one; `later`: points that were not looked at.
    """

    rows: list[Tracks] = field(default_factory=list)
    expected: dict[int, float] = field(default_factory=dict)
    begins: dict[int, int] = field(default_factory=dict)
    later: int = 0


def _looked(source: FrameSource, bound: Bound, tracker: BoundTracker, frames: tuple[int, int]) -> _Looked:
    """Each point followed through the first frames from the one on in which it begins."""
    info, found = source.info, _Looked()
    most = min(FRAMES, max(3, PIXELS // max(1, info.width * info.height)))
    for place, (begin, numbers) in enumerate(_groups(tracker, frames)):
        if place >= MOST_BEGINS:
            found.later += len(numbers)
            continue
        points = cast(Points, tracker.params.get("points", ()))
        params = {**tracker.params, "points": tuple(points[k][:2] for k in numbers)} if numbers else tracker.params
        look = look_at(source, bound, begin, min(frames[1] - begin, most), [*tracker.inputs.values()])
        pictures = [look.values[ref][0] for ref in tracker.inputs.values() if look.frames]
        shape = next((one.shape[:2] for one in pictures if one.ndim > 1), None)
        made = None if shape is None else tracker.type(params, shape, info.time.fps or None)
        if not isinstance(made, Foreseeing):
            continue
        rows = np.concatenate([
            made.update(frame, time, {name: look.values[ref][i] for name, ref in tracker.inputs.items()})
            for i, (frame, time) in enumerate(zip(look.frames, look.times, strict=True))
        ])  # fmt: skip
        name = numbers.__getitem__ if numbers else int
        rows["track"] = [name(track) for track in rows["track"].tolist()]
        found.rows.append(rows)
        found.expected |= {name(track): sigma for track, sigma in made.expected().items()}
        if begin > frames[0]:
            found.begins |= dict.fromkeys(numbers, begin)
    return found


def _groups(tracker: BoundTracker, frames: tuple[int, int]) -> list[tuple[int, list[int]]]:
    """Frames in which points begin, and the numbers of the points; those that the tracker chooses have none yet."""
    points = cast(Points, tracker.params.get("points", ()))
    groups: dict[int, list[int]] = {}
    for number, point in enumerate(points):
        begin = max(frames[0], int(point[2]) if len(point) > 2 else frames[0])
        if begin < frames[1]:
            groups.setdefault(begin, []).append(number)
    return sorted(groups.items()) if points else [(frames[0], [])]


def _asked(tracker: BoundTracker) -> float:
    value: Value = tracker.params.get("precision", 0.0)
    assert isinstance(value, int | float)
    return float(value)


def _sentence(tracker: BoundTracker, looked: _Looked, offset: tuple[int, int]) -> list[str]:
    """What to say about one tracker's points; nothing if all are precise enough."""
    if not looked.rows:
        return []
    name, asked, first, expected = tracker.id, _asked(tracker), np.concatenate(looked.rows), looked.expected
    _, index = np.unique(first["track"], return_index=True)
    poor = []
    for row in first[np.sort(index)]:
        sigma = expected.get(int(row["track"]), np.inf)
        if sigma > asked:
            place = f"{row['track']} at ({row['x'] + offset[0]:.4g}, {row['y'] + offset[1]:.4g})"
            begin = looked.begins.get(int(row["track"]))
            place += "" if begin is None else f" from frame {begin} on"
            lost = "lost at once" if row["state"] == State.LOST else "soon lost"
            poor.append((sigma, f"{place} {sigma:.2g} px" if np.isfinite(sigma) else f"{place} {lost}"))
    if not poor:
        return []
    poor.sort(key=lambda one: -one[0])
    words = ", ".join(text for _, text in poor[:NAMED])
    more = f", and {len(poor) - NAMED} more" if len(poor) > NAMED else ""
    usual = f"; the median of all is {np.median(list(expected.values())):.2g} px" if expected else ""
    usual += f"; {looked.later} that begin later were not looked at" if looked.later else ""
    return [f"{name}: {len(poor)} of {len(index)} points cannot be measured to {name}.precision = {asked:g} px with "
            f"this texture and light: point {words}{more}{usual}. A window with more texture or a larger one, more "
            f"light, or less compression helps: --set {name}.window={_wider(tracker, poor, asked)}"]  # fmt: skip


def _wider(tracker: BoundTracker, poor: Sequence[tuple[float, str]], asked: float) -> int:
    """The side of a window that would do for most: uncertainty falls with it."""
    window = tracker.params["window"]
    assert isinstance(window, int)
    finite = [sigma for sigma, _ in poor if np.isfinite(sigma)]
    factor = float(np.median(finite)) / asked if finite else 1.5
    return min(int(np.ceil(window * max(factor, 1.1))) // 2 * 2 + 1, 401)
