"""Whether texture and light can give the precision that is asked for: looked at before a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from app.hints import FRAMES, PIXELS, look_at
from kernels.param import Value
from pipelines.features import State, Tracks
from pipelines.frame import FrameSource
from pipelines.graph import Bound, BoundTracker

NAMED = 5
"""Points that are named; more are counted."""


@runtime_checkable
class Foreseeing(Protocol):
    """A tracker that knows how precise it can be."""

    def expected(self) -> dict[int, float]:
        """Uncertainties by track, px."""


def precision_hints(
    source: FrameSource, bound: Bound, frames: tuple[int, int], offset: tuple[int, int] = (0, 0)
) -> list[str]:
    """A sentence for each tracker some of whose points cannot be as precise as its parameter `precision` asks.

    The tracker follows its points through the first few frames, aside from the run, and says what uncertainty they have
    then; of a single frame, what its noise and its slopes allow.

    Args:
        source: the clip.
        bound: the pipeline that will run.
        frames: first frame and one past the last.
        offset: of the pipeline's picture in the clip's, px.

    Raises:
        BadFrame: a frame that is looked at cannot be read.
    """
    asking = [tracker for tracker in bound.trackers if _asked(tracker) > 0]
    if not asking:
        return []
    info = source.info
    count = min(frames[1] - frames[0], FRAMES, max(3, PIXELS // max(1, info.width * info.height)))
    look = look_at(source, bound, frames[0], count, [ref for one in asking for ref in one.inputs.values()])
    hints: list[str] = []
    for tracker in asking:
        pictures = [look.values[ref][0] for ref in tracker.inputs.values() if look.frames]
        shape = next((one.shape[:2] for one in pictures if one.ndim > 1), None)
        made = None if shape is None else tracker.type(tracker.params, shape, info.time.fps or None)
        if not isinstance(made, Foreseeing):
            continue
        parts = [
            made.update(frame, time, {name: look.values[ref][i] for name, ref in tracker.inputs.items()})
            for i, (frame, time) in enumerate(zip(look.frames, look.times, strict=True))
        ]
        hints += _sentence(tracker, made.expected(), parts, offset)
    return hints


def _asked(tracker: BoundTracker) -> float:
    value: Value = tracker.params.get("precision", 0.0)
    assert isinstance(value, int | float)
    return float(value)


def _sentence(
    tracker: BoundTracker, expected: dict[int, float], parts: Sequence[Tracks], offset: tuple[int, int]
) -> list[str]:  # fmt: skip
    """What to say about one tracker's points; nothing if all are precise enough."""
    name, asked, first = tracker.id, _asked(tracker), np.concatenate(parts)
    _, index = np.unique(first["track"], return_index=True)
    poor = []
    for row in first[np.sort(index)]:
        sigma = expected.get(int(row["track"]), np.inf)
        if sigma > asked:
            place = f"{row['track']} at ({row['x'] + offset[0]:.4g}, {row['y'] + offset[1]:.4g})"
            lost = "lost at once" if row["state"] == State.LOST else "soon lost"
            poor.append((sigma, f"{place} {sigma:.2g} px" if np.isfinite(sigma) else f"{place} {lost}"))
    if not poor:
        return []
    poor.sort(key=lambda one: -one[0])
    words = ", ".join(text for _, text in poor[:NAMED])
    more = f", and {len(poor) - NAMED} more" if len(poor) > NAMED else ""
    usual = f"; the median of all is {np.median(list(expected.values())):.2g} px" if expected else ""
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
