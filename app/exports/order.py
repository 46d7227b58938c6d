"""What somebody wants exported, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

from app.exports.axes import Axes
from app.exports.path_picture import By
from app.exports.scale import Scale
from app.progress import Progress
from pipelines.frontend import Roi

Frames = tuple[int | None, int | None]
Showing = Callable[[str, int], AbstractContextManager[Progress]]


@dataclass(frozen=True)
class Order:
    """All that `export.export_results` was asked for, by the names of its arguments; `up`: y points up."""

    frames: Frames | None
    roi: Roi | None
    tracks: str
    min_frames: int
    guesses: bool
    scale: Scale | None
    up: bool
    packed: bool
    bits: int | None
    gray: bool
    blank: bool
    playback: float | None
    start: datetime | None
    about: Mapping[str, str]
    progress: Showing | None
    axes: Axes | None
    names: Mapping[int, str]
    colour: By
