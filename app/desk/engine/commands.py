"""What a window tells its engine to do; plain values, so that they can be pickled (`reports.py` has the other way)."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.sources.reading import AS_STORED, Reading
from kernels.param import Value
from pipelines.frontend import Roi

CAMERA = "cam:"
"""How the names of cameras begin."""


@dataclass(frozen=True)
class Open:
    """Open a clip, a session or a camera, in place of what is open.

    Args:
        what: a path, "sim:SCENE", or "cam:...".
        pipeline: the definition, TOML; "" for a session's own.
        reading: how the clip is read, in place of what its file says.
        roi: x, y, width, height in px; None for the whole picture.
        frames: first frame and one past the last; None for all.
        device: as `fusetrack run --device`.
        play: whether to begin at once.
        speed: 1.0 is the clip's own time; None as fast as it goes.
        loop: begin again at the end.
        ping_pong: go back from the end, and on again from the beginning.
        number: comes back in the answer, so that it is known which of two orders it is about.
        run: folder of a run's results, of which `what` is the clip: its tracks are shown as they were written, until
            the pipeline is changed or asked for again; "" has them computed.
        bare: show its pictures, and compute nothing.
    """

    what: str
    pipeline: str
    reading: Reading = AS_STORED
    roi: Roi | None = None
    frames: tuple[int, int] | None = None
    device: str = "auto"
    play: bool = True
    speed: float | None = 1.0
    loop: bool = True
    ping_pong: bool = False
    number: int = 0
    run: str = ""
    bare: bool = False


@dataclass(frozen=True)
class Play:
    """Go on."""


@dataclass(frozen=True)
class Pause:
    """Stop at the frame in hand; a camera is recorded on."""


@dataclass(frozen=True)
class Step:
    """So many frames on, back if negative (clips)."""

    frames: int = 1


@dataclass(frozen=True)
class Seek:
    """Show a frame (clips)."""

    frame: int


@dataclass(frozen=True)
class SetSpeed:
    """1.0 is the clip's own time; None as fast as it goes."""

    speed: float | None


@dataclass(frozen=True)
class SetLoop:
    """Whether to begin again at the end, or to go back from there."""

    loop: bool
    ping_pong: bool = False


@dataclass(frozen=True)
class SetRange:
    """Play these frames only."""

    first: int
    end: int


@dataclass(frozen=True)
class SetParam:
    """Change a parameter from the next batch on; of a clip for all of it."""

    node: str
    param: str
    value: Value


@dataclass(frozen=True)
class SetPipeline:
    """Go over to another pipeline (TOML); compiled in the background."""

    pipeline: str


@dataclass(frozen=True)
class Show:
    """Which picture is wanted: an output "node" or "node.output"; "" for the plain picture of the clip; `over` it,
    as one channel with the maximum of all, or in its place."""

    output: str = ""
    over: bool = False


@dataclass(frozen=True)
class StartRecording:
    """Record from the next frame on, from a camera; the run begins anew with it, so that a replay can be exact.

    Args:
        path: a new file, .mcap.
        before: frames to keep for a trigger; None records everything from the start.
        after: frames to record from a trigger on; None until the end.
        triggers: what triggers besides the user, as `app.sessions.asking` spells it.
        asked: when the user asked for it, ns since 1970; 0 for when the order is carried out.
    """

    path: str
    before: int | None = None
    after: int | None = None
    triggers: tuple[str, ...] = ()
    asked: int = field(default=0, compare=False)


@dataclass(frozen=True)
class SetCamera:
    """Set what can be set of the camera while it delivers, in this order (`app.cameras.controls`).

    Args:
        values: names and values, in the address's words.
    """

    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Trigger:
    """Ask a recording that waits for it to record."""

    reason: str


@dataclass(frozen=True)
class StopRecording:
    """Close the session; the camera goes on."""


@dataclass(frozen=True)
class Close:
    """Close what is open."""


@dataclass(frozen=True)
class Quit:
    """End the process."""


Order = (
    Open | Play | Pause | Step | Seek | SetSpeed | SetLoop | SetRange | SetParam | SetPipeline | Show | StartRecording
    | SetCamera | Trigger | StopRecording | Close | Quit
)  # fmt: skip
