"""What an engine tells its window: what changed, what was computed, what went wrong; plain values, as orders are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from app.desk.tracks.owners import Owned
from app.sessions.account import Account
from kernels.compiling import Compiling
from kernels.param import Value
from pipelines.features import Tracks
from pipelines.frame import SourceInfo
from pipelines.streaming.common.meter import MeterReading
from pipelines.streaming.common.states import RunState


@dataclass(frozen=True)
class Ready:
    """The process has started and takes orders; for the link alone."""


@dataclass(frozen=True)
class Opened:
    """Something is open.

    Args:
        info: what the source says of itself.
        live: whether it is a camera.
        pipeline: the definition, TOML, with all that was set.
        device: what computes: "cpu", "cuda:0", "reference".
        groups: the nodes of each program, joined by +.
        outputs: what can be shown, with the words of its type, such as ("smooth", "u8 512x512").
        box: name of the shared memory of the `PictureBox`.
        notes: sentences to warn with.
        found: what was found in place of "auto", by "node.param"; `pipeline` says "auto" there.
        number: of the order; 0 for the newest.
        misfit: why `pipeline` does not fit it, so that the picture is shown without it; "" if it runs.
    """

    info: SourceInfo
    live: bool
    pipeline: str
    device: str
    groups: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]
    box: str
    notes: tuple[str, ...] = ()
    number: int = 0
    found: Mapping[str, Value] = field(default_factory=dict)
    misfit: str = ""


@dataclass(frozen=True)
class Built:
    """Another pipeline runs now; as in `Opened`. `box` may be another one, for larger pictures."""

    pipeline: str
    device: str
    groups: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]
    frame: int
    box: str = ""
    found: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Compiles:
    """What is being compiled, for a while already; `now` is None once nothing is."""

    now: Compiling | None


@dataclass(frozen=True)
class Closed:
    """Nothing is open any more."""


@dataclass(frozen=True)
class Stood:
    """The state, and the frame that was shown last."""

    state: RunState
    position: int


@dataclass(frozen=True)
class Rows:
    """The rows of the frames `first` to `last` (both included), in place of what was known of them; `owners` says which
    ids are whose (clips)."""

    first: int
    last: int
    rows: Tracks
    owners: tuple[Owned, ...] = ()


@dataclass(frozen=True)
class Tables:
    """What the trackers of a clip tell beside their rows, by name (`Tracker.tables`), each in place of what was told
    before.

    It comes at the end of the clip, and now and then before; that of key points whenever there are new ones.
    """

    tables: Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Outdated:
    """A change of the pipeline takes hold for the whole clip: all rows that came before are of other parameters."""


@dataclass(frozen=True)
class Measured:
    """How it goes, a few times a second.

    Args:
        reading: latencies, rates, queues.
        stages: seconds spent in each program, in "track" and in "write", since the start.
        ledger: of a camera's frames: announced, processed, left out ...; {} for clips.
        recording: how far the recording is; None without one.
        shown: pictures that the window has shown, which counts them itself.
    """

    reading: MeterReading
    stages: Mapping[str, float] = field(default_factory=dict)
    ledger: Mapping[str, Any] = field(default_factory=dict)
    recording: Account | None = None
    shown: int = 0


@dataclass(frozen=True)
class Triggered:
    """A trigger came, by a key, the clock or tracks.

    Args:
        reason: for people.
        frame: of the recording, which it is about. time: of it in s, as the run counts; NaN if unknown.
        until: one past the last frame that it asks for; None until the end.
    """

    reason: str
    frame: int
    time: float
    until: int | None = None


@dataclass(frozen=True)
class Recorded:
    """A recording ended.

    Args:
        path: the session.
        account: how it ended.
        losses, reconnects: times that the camera was lost meanwhile, and came back.
        missing: frames that never came, by the camera's own numbers.
        processed: frames that the pipeline was given, of all that came, recorded or not; -1 where all of them were.
        left_out: those that it was not given, by reason.
        triggers: in order.
        kept: whether there is a session; not where no frame came.
        delay: seconds from the click to the first frame; None where nobody knows.
        came_before: frames that came in between; they are not in it.
    """

    path: str
    account: Account
    losses: int = 0
    reconnects: int = 0
    missing: int = 0
    processed: int = -1
    left_out: Mapping[str, int] = field(default_factory=dict)
    triggers: tuple[Triggered, ...] = ()
    kept: bool = True
    delay: float | None = None
    came_before: int = 0


@dataclass(frozen=True)
class Refused:
    """An order could not be carried out, or a run failed: one sentence; what was open before goes on unless `ended`.

    `number` is that of an order to open something, 0 for the newest, -1 where it is about something else;
    `recording` is the session that was to be recorded, "" likewise; `details` is for a report: where the run failed.
    """

    sentence: str
    ended: bool = False
    number: int = 0
    recording: str = ""
    details: str = ""


@dataclass(frozen=True)
class Noted:
    """A sentence for the user."""

    sentence: str


@dataclass(frozen=True)
class Crashed:
    """The engine's process died, and nothing is open any more; a new one was started, unless `down`.

    Args:
        sentence: for people.
        details: what it printed last, to copy into a report.
        down: it died several times before it was ready; none is there until `EngineLink.start_again`.
    """

    sentence: str
    details: str
    down: bool = False


@dataclass(frozen=True)
class CameraIs:
    """The camera was set otherwise.

    Args:
        info: what it says about itself now, its settings and the address that has them among it.
    """

    info: SourceInfo


Report = (
    Ready | Opened | Built | Compiles | Closed | Stood | Rows | Outdated | Tables | Measured | Triggered | Recorded
    | Refused | Noted | CameraIs | Crashed
)  # fmt: skip
