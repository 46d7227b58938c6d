"""Orders of single runs as plain values, and back, so that another window can run them again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from app.desk.events import Event
from app.desk.jobs.orders import RunOrder
from app.sources.reading import Reading
from kernels.errors import SourceError


def plain(order: RunOrder) -> dict[str, Any]:
    """An order in values that JSON has."""
    return {**asdict(order), "events": [[event.frame, event.name] for event in order.events]}


def order_of(kept: object) -> RunOrder | None:
    """The order that `plain` has written; None of anything else, for somebody may have edited the file.

    >>> order_of(plain(RunOrder("a.mp4", "", (0, 4), Reading(500.0), (1, 2, 30, 40)))).roi
    (1, 2, 30, 40)
    >>> order_of({"clip": 7}) is None
    True
    """
    if not isinstance(kept, Mapping):
        return None
    try:
        frames, roi, reading = kept["frames"], kept["roi"], Reading(**kept["reading"])
        if frames is not None:
            first, end = frames
            frames = _whole(first), _whole(end)
        if roi is not None:
            x, y, width, height = (int(value) for value in roi)
            roi = x, y, width, height
        texts = [kept[name] for name in ("clip", "pipeline", "out", "device")]
        if not all(isinstance(text, str) for text in texts):
            return None
        clip, pipeline, out, device = texts
        events = tuple(Event(int(frame), str(name)) for frame, name in kept["events"])
        return RunOrder(clip, pipeline, frames, reading, roi, out, bool(kept["overlay"]),
                        device, events)  # fmt: skip
    except (KeyError, TypeError, ValueError, OverflowError, SourceError):
        return None


def _whole(value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise ValueError(f"not a frame: {value!r}")
