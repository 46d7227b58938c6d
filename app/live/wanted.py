"""What is asked of a recording, and what it tells."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from app.sessions.account import Account
from app.sessions.asking import Asked
from app.sessions.manifest import Manifest
from app.sources.reading import AS_STORED, Reading
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.frame import SourceInfo
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import AnyChange
from pipelines.streaming.common.meter import MeterReading
from pipelines.streaming.engine.building import Built
from pipelines.streaming.live.batching import UNKNOWN_FPS
from pipelines.streaming.live.ledger import LiveLedger
from pipelines.streaming.live.options import LATENCY
from pipelines.streaming.live.report import LiveReport

STATES_EVERY = 0.5
"""Seconds between two states that are kept while a recording waits for a trigger."""
STATES_ROOM = 256 << 20
"""Bytes of frames that are held for them besides those that are wanted before a trigger, at most."""
PLACES = "picture"
"""From where places of the recorded pipelines are counted; sessions of older versions do not say it, and count from the
region's corner."""
CAMERA = "cam:"
"""What the names of cameras begin with."""


@dataclass(frozen=True)
class Wanted:
    """What to record.

    Args:
        source: "cam:...", or a clip as `open_source` takes it.
        path: the session, a new file.
        pipeline: by name or path, None to record only.
        settings: parameters by "node.param".
        changes: of the pipeline on the way; their frames are those from which on they hold.
        seconds, frames: when to end; None until it is stopped, or the end of the clip.
        reading: how the source is read, in place of what it says; of a camera the rate alone.
        roi: the region that is processed (the whole picture is recorded).
        before: frames to keep for a trigger; None records from the start, without one.
        after: frames to record from a trigger on; None until the end.
        asked: what triggers.
        device, batch, exact: as `Runner` takes them; `batch` None adapts.
        latency: as `LiveRunner` takes it.
        queue: frames that fit between here and the recorder; None for half a minute of them, 512 MB at most.
        states: seconds between two states of the run that are kept for a trigger to begin at; 0 keeps none, neither
            there nor behind frames that found no room, and such a session is replayed to other tracks than were
            recorded.
        trial: as `RecordingOptions` takes it.
    """

    source: str
    path: Path
    pipeline: str | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    changes: Sequence[AnyChange] = ()
    seconds: float | None = None
    frames: int | None = None
    reading: Reading = AS_STORED
    roi: Roi | None = None
    before: int | None = None
    after: int | None = None
    asked: Asked = field(default_factory=Asked)
    device: str = "auto"
    batch: int | None = None
    exact: bool = True
    latency: float = LATENCY
    queue: int | None = None
    states: float = STATES_EVERY
    trial: bool = False

    @property
    def live(self) -> bool:
        """Whether the source is a camera."""
        return self.source.startswith(CAMERA)


@dataclass(frozen=True)
class Look:
    """How a recording of a camera goes, for a status line.

    Args:
        seconds: since it began; `left` until the end that was asked for, None if none was.
        reading: the meter's; ledger: the run's; account: the recorder's.
        triggers: how many there were; None if none is waited for.
    """

    seconds: float
    left: float | None
    reading: MeterReading
    ledger: LiveLedger
    account: Account
    triggers: int | None


class Hands(Protocol):
    """What a caller gets to hold a recording by, from any thread."""

    def stop(self) -> None:
        """End it cleanly."""

    def trigger(self, reason: str) -> None:
        """Ask for recording."""


@dataclass(frozen=True)
class Recorded:
    """How a recording ended.

    Args:
        path: the session.
        account: the recorder's last, None where it failed with a sentence in `problems`.
        live: the run's report, None for clips.
        triggers: how many there were.
        problems: sentences about what went wrong; without any, all is well.
        notes: sentences to warn with.
        interrupted: the user stopped a clip before its end.
    """

    path: Path
    account: Account | None
    live: LiveReport | None
    triggers: int
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    interrupted: bool = False


def pipeline_of(wanted: Wanted) -> Pipeline | None:
    """The pipeline with its settings.

    Raises:
        InputError: there is none of this name, or a setting or a change is refused.
    """
    if wanted.pipeline is None:
        if wanted.settings or wanted.changes:
            raise InputError("--set and --set-at change a pipeline; give one with --pipeline NAME")
        return None
    return load(wanted.pipeline).with_settings(wanted.settings)


def manifest(wanted: Wanted, info: SourceInfo, pipeline: Pipeline | None, built: Built | None = None) -> Manifest:
    """What the session says about itself."""
    settings: dict[str, Any] = {
        "roi": wanted.roi, "exact": wanted.exact, "before": wanted.before, "after": wanted.after,
        "points": PLACES,
    }  # fmt: skip
    if wanted.live:
        settings["latency_s"] = wanted.latency
    if pipeline is None or built is None:
        return Manifest(info, pipeline, settings=settings)
    plan = {"groups": [unit.name for unit in built.engine.units], **built.choice.facts}
    return Manifest(info, pipeline, built.choice.device, plan, settings)


def rate(info: SourceInfo) -> float:
    """Frames a second that a source announces, or what is reckoned with where it does not."""
    return info.time.fps if info.time.fps > 0 else UNKNOWN_FPS


def state_every(wanted: Wanted, info: SourceInfo) -> int:
    """Frames between two states of the run that are kept for a trigger to begin at, 0 for none."""
    if wanted.before is None or wanted.states <= 0:
        return 0
    room = STATES_ROOM * 2 // 3 // info.image.nbytes
    return max(1, min(math.ceil(rate(info) * wanted.states), room))
