"""The state behind a window: what is open, its pipeline and tracks, what is selected; all that can be done with it.

Views call its methods and listen to its topics; `tick` (called some 60 times a second by whoever owns the window's
thread) looks for what the engine reported. Nothing here waits, and nothing here knows Qt.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Protocol

from app.desk.engine import messages as say
from app.desk.engine.picture_box import Shown
from app.desk.pipeline.editing import declared, member
from app.desk.pipeline.history import History
from app.desk.tracks.calibration import Calibration
from app.desk.tracks.store import TrackStore
from app.sessions.asking import parse_triggers
from kernels.errors import FusetrackError, InputError
from kernels.param import Value
from pipelines.definition import load, loads
from pipelines.frame import SourceInfo
from pipelines.frontend import Roi
from pipelines.graph import Pipeline, TrackerNode
from pipelines.streaming.building import bound_for
from pipelines.streaming.states import RunState
from pipelines.writing import dumps


class Topic(Enum):
    """What views listen to."""

    OPENED = "opened"  # something was opened or closed; everything may differ
    STATE = "state"  # `state`
    PICTURE = "picture"  # a new `shown`
    ROWS = "rows"  # the store has changed
    MEASURED = "measured"  # a new `measured`
    PIPELINE = "pipeline"  # the pipeline as the user edits it
    BUILT = "built"  # the pipeline as it runs: groups, outputs
    SELECTION = "selection"  # `selected`
    VIEW = "view"  # calibration, names, range, speed, loop, shown output
    RECORDING = "recording"  # a recording began or ended
    MESSAGE = "message"  # `messages` grew


class Level(Enum):
    """How loud a message is."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for the user; `details` is for a report."""

    level: Level
    sentence: str
    details: str = ""
    at: float = field(default_factory=time.time)


class Link(Protocol):
    """What the workbench needs of an `EngineLink`."""

    def send(self, order: say.Order) -> None: ...
    def poll(self) -> list[say.Report]: ...
    def picture(self) -> Shown | None: ...
    def close(self) -> None: ...


MOST_MESSAGES = 1000
ROLL = 600
"""Readings that are kept for rolling plots."""


class Workbench:
    """See the module; used by one thread.

    Args:
        link: to the engine's process.

    Attributes:
        opened: what is open, None for nothing. `opening` is what was ordered and is not there yet, `asked`
            what was ordered to get what is open, `lost` what was open when a run ended badly.
        state, position: of the run; the frame that was shown last.
        history: the user's pipeline and its edits. `trouble` says why it does not fit the clip, "" if it does;
            `pipeline_path` is the file that it was read from or saved to.
        built: the groups and outputs of what runs.
        store: the tracks. `selected`: ids in the order in which they were picked. `names`: what the user calls them.
        shown: the newest picture; its pixels are valid until the next `tick`.
        measured: the newest reading; `readings` the last `ROLL` of them.
        range, speed, loop, output: of the playback; `range` is first frame and one past the last.
        recording: the session's path, "" for none. `recorded`: sessions of this window, the newest last.
        messages: what was said, oldest first.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._listeners: dict[Topic, list[Callable[[], None]]] = {topic: [] for topic in Topic}
        self.messages: list[Message] = []
        self.recorded: list[say.Recorded] = []
        self.calibration = Calibration()
        self.speed: float | None = 1.0
        self.loop = True
        self.history = History(load("blobs"))
        self.pipeline_path: Path | None = None
        self._forget()

    def _forget(self) -> None:
        self.opened: say.Opened | None = None
        self.opening: say.Open | None = None
        self.asked: say.Open | None = None
        self.lost: say.Open | None = None
        self.built: say.Built | None = None
        self.state, self.position = RunState.IDLE, -1
        self.store = TrackStore()
        self.selected: list[int] = []
        self.names: dict[int, str] = {}
        self.shown: Shown | None = None
        self.measured: say.Measured | None = None
        self.readings: list[say.Measured] = []
        self.range = (0, 0)
        self.output = ""
        self.recording = ""
        self.trouble = ""

    # ------------------------------------------------------------------------------------------------ listening

    def on(self, topic: Topic, listener: Callable[[], None]) -> None:
        """Have `listener` called after each change of a kind."""
        self._listeners[topic].append(listener)

    def _tell(self, *topics: Topic) -> None:
        for topic in topics:
            for listener in self._listeners[topic]:
                listener()

    def speak(self, level: Level, sentence: str, details: str = "") -> None:
        """Tell the user something."""
        self.messages.append(Message(level, sentence, details))
        del self.messages[:-MOST_MESSAGES]
        self._tell(Topic.MESSAGE)

    # --------------------------------------------------------------------------------------------------- reports

    def tick(self) -> None:
        """Look for pictures and reports; views are told of what is new, each kind once."""
        changed: dict[Topic, None] = {}
        for report in self._link.poll():
            for topic in self._take(report):
                changed[topic] = None
        shown = self._link.picture() if self.opened is not None else None
        if shown is not None:
            self.shown = shown
            changed[Topic.PICTURE] = None
        self._tell(*changed)

    def _take(self, report: say.Report) -> Sequence[Topic]:
        if isinstance(report, say.Rows):
            self.store.add(report.first, report.last, report.rows)
            return (Topic.ROWS,)
        if isinstance(report, say.Measured):
            self.measured = report
            self.readings.append(report)
            del self.readings[:-ROLL]
            return (Topic.MEASURED,)
        if isinstance(report, say.Stood):
            self.state, self.position = report.state, report.position
            return (Topic.STATE,)
        if isinstance(report, say.Opened):
            return self._take_opened(report)
        if isinstance(report, say.Built):
            self.built = report
            return (Topic.BUILT,)
        if isinstance(report, say.Recorded):
            self.recording = ""
            self.recorded.append(report)
            account = report.account
            lost = f", {account.dropped} had no room" if account.dropped else ""
            self.speak(Level.WARNING if account.dropped or account.problem else Level.NOTE,
                     f"{Path(report.path).name}: {account.recorded} frames recorded{lost}"
                     + (f"; {account.problem}" if account.problem else ""))  # fmt: skip
            return (Topic.RECORDING,)
        if isinstance(report, say.Noted):
            self.speak(Level.NOTE, report.sentence)
            return ()
        if isinstance(report, say.Refused):
            self.speak(Level.ERROR, report.sentence)
            if self.opening is not None:
                self.opening = None
            if report.ended:
                self.lost = self._lost()
                self.state, self.recording = RunState.FAILED, ""
                return (Topic.STATE, Topic.RECORDING)
            return (Topic.OPENED,) if self.opened is None else ()
        if isinstance(report, say.Crashed):
            ended = self.opening or self._lost()
            self._forget()
            self.lost = ended
            self.state = RunState.FAILED
            self.speak(Level.ERROR, report.sentence, report.details)
            return (Topic.OPENED, Topic.STATE, Topic.ROWS, Topic.RECORDING)
        self._forget()  # Closed
        return (Topic.OPENED, Topic.STATE, Topic.ROWS, Topic.RECORDING)

    def _take_opened(self, report: say.Opened) -> Sequence[Topic]:
        asked, calibration = self.opening, self.calibration
        self._forget()
        self.opened, self.asked, self.calibration = report, asked, calibration
        frames = asked.frames if asked is not None and asked.frames else (0, report.info.frames)
        self.range = frames
        self.built = say.Built(report.pipeline, report.device, report.groups, report.outputs, 0)
        running = loads(report.pipeline)
        if running != self.history.pipeline:  # a session's own
            self.history = History(running)
            self.pipeline_path = None
        for sentence in (*report.info.warnings, *report.notes):
            self.speak(Level.WARNING, sentence)
        return (Topic.OPENED, Topic.PIPELINE, Topic.BUILT, Topic.STATE, Topic.ROWS, Topic.SELECTION, Topic.VIEW)

    # --------------------------------------------------------------------------------------------------- opening

    def open(
        self,
        what: str,
        *,
        fps: float | None = None,
        roi: Roi | None = None,
        own_pipeline: bool = False,
        play: bool = True,
        device: str = "auto",
    ) -> None:
        """Open a clip, a session or a camera with the user's pipeline.

        Args:
            what: a path, "sim:SCENE" or "cam:...".
            own_pipeline: take a session's own pipeline in place of the user's.
        """
        text = "" if own_pipeline else dumps(self.history.pipeline)
        self.opening = say.Open(what, text, fps, roi, None, device, play, self.speed, self.loop)
        self._link.send(self.opening)

    def reopen(self) -> None:
        """Open again what was open when a run ended badly, with the user's pipeline as it is."""
        if self.lost is not None:
            lost = self.lost
            self.open(lost.what, fps=lost.fps, roi=lost.roi, own_pipeline=not lost.pipeline, device=lost.device)

    def _lost(self) -> say.Open | None:
        """What is open, to be opened again with the pipeline as the user has it by now."""
        return None if self.asked is None else replace(self.asked, pipeline=dumps(self.pipeline))

    def close(self) -> None:
        """Close what is open."""
        self._link.send(say.Close())

    def quit(self) -> None:
        """End the engine's process; what is recorded is closed properly."""
        self._link.close()

    @property
    def info(self) -> SourceInfo | None:
        """Of what is open."""
        return None if self.opened is None else self.opened.info

    @property
    def live(self) -> bool:
        """Whether a camera is open."""
        return self.opened is not None and self.opened.live

    # ------------------------------------------------------------------------------------------------- playing

    def play(self) -> None:
        """Go on."""
        self._link.send(say.Play())

    def pause(self) -> None:
        """Stop at the frame in hand."""
        self._link.send(say.Pause())

    def toggle(self) -> None:
        """Play or pause."""
        if self.state is RunState.RUNNING:
            self.pause()
        else:
            self.play()

    def step(self, frames: int = 1) -> None:
        """So many frames on, back if negative."""
        if self.opened is not None and not self.live:
            self._link.send(say.Step(frames))

    def seek(self, frame: int) -> None:
        """Show a frame of a clip."""
        if self.opened is not None and not self.live:
            first, end = 0, self.opened.info.frames
            self._link.send(say.Seek(min(max(frame, first), end - 1)))

    def set_speed(self, speed: float | None) -> None:
        """1.0 is the clip's own time; None as fast as it goes."""
        self.speed = speed
        self._link.send(say.SetSpeed(speed))
        self._tell(Topic.VIEW)

    def set_loop(self, loop: bool) -> None:
        """Whether to begin again at the end."""
        self.loop = loop
        self._link.send(say.SetLoop(loop))
        self._tell(Topic.VIEW)

    def set_range(self, first: int, end: int) -> None:
        """Play these frames only.

        Raises:
            InputError: there are none.
        """
        if self.opened is None or self.live:
            return
        first, end = max(0, first), min(end, self.opened.info.frames)
        if first >= end:
            raise InputError("a range needs its in mark before its out mark")
        self.range = (first, end)
        self._link.send(say.SetRange(first, end))
        self._tell(Topic.VIEW)

    def show(self, output: str) -> None:
        """Which picture is wanted: "node", "node.output", or "" for the clip's."""
        self.output = output
        self._link.send(say.Show(output))
        self._tell(Topic.VIEW)

    # --------------------------------------------------------------------------------------------- the pipeline

    @property
    def pipeline(self) -> Pipeline:
        """As the user edits it."""
        return self.history.pipeline

    def set_param(self, node: str, param: str, value: object) -> None:
        """Change a parameter; a live one goes to the engine as it is, others compile.

        Raises:
            DefinitionError: no such parameter, or a bad value.
        """
        made = self.pipeline.with_settings({f"{node}.{param}": value})
        found = member(made, node)
        how = next(p for p in declared(found) if p.name == param)
        self.history.do(f"{node}.{param}", made, f"{node}.{param}", time.monotonic())
        checked: Value = found.params.get(param, how.default)
        self._later_frames_differ()
        if self.opened is not None and not self.trouble and (not how.structural or isinstance(found, TrackerNode)):
            self._link.send(say.SetParam(node, param, checked))
        else:
            self._order_pipeline()
        self._tell(Topic.PIPELINE)

    def edit(self, words: str, pipeline: Pipeline) -> None:
        """Go on to another pipeline (`app.desk.pipeline.editing` makes them); it runs as soon as it is compiled."""
        self.history.do(words, pipeline)
        self._order_pipeline()
        self._tell(Topic.PIPELINE)

    def undo(self) -> None:
        """One edit back."""
        self.history.undo()
        self._order_pipeline()
        self._tell(Topic.PIPELINE)

    def redo(self) -> None:
        """One edit on again."""
        self.history.redo()
        self._order_pipeline()
        self._tell(Topic.PIPELINE)

    def choose_pipeline(self, name_or_path: str | Path) -> None:
        """Take a shipped pipeline, or one of a file; the history begins anew.

        Raises:
            InputError: it cannot be read.
        """
        made = load(name_or_path)
        self.history = History(made)
        path = Path(name_or_path)
        self.pipeline_path = path if path.suffix == ".toml" else None
        self._order_pipeline()
        self._tell(Topic.PIPELINE)

    def save_pipeline(self, path: Path) -> None:
        """Write the pipeline; comments of the file that it came from stay.

        Raises:
            InputError: the file cannot be written.
        """
        try:
            original = path.read_text("utf-8") if path.exists() and path == self.pipeline_path else ""
            path.write_text(dumps(replace(self.pipeline, name=path.stem), original), "utf-8")
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from error
        self.pipeline_path = path
        self.history.saved()
        self._tell(Topic.PIPELINE)

    def _later_frames_differ(self) -> None:
        """What is known of a clip's later frames is of the pipeline as it was."""
        if self.opened is not None and not self.live:
            self.store.forget_from(self.position + 1)
            self._tell(Topic.ROWS)

    def _order_pipeline(self) -> None:
        """Have the engine run it, if it fits what is open."""
        self.trouble = ""
        if self.opened is None:
            return
        try:
            bound_for(self.pipeline, self.opened.info, None if self.asked is None else self.asked.roi)
        except FusetrackError as error:
            self.trouble = str(error)
            return
        self._later_frames_differ()
        self._link.send(say.SetPipeline(dumps(self.pipeline)))

    # ------------------------------------------------------------------------------------------------- tracks

    def select(self, tracks: Sequence[int]) -> None:
        """Pick tracks; the order is that of distances and angles."""
        self.selected = list(dict.fromkeys(tracks))
        self._tell(Topic.SELECTION)

    def name(self, track: int) -> str:
        """What people call a track."""
        return self.names.get(track, str(track))

    def rename_track(self, track: int, name: str) -> None:
        """Call a track otherwise; "" gives it its number back."""
        self.names = {k: v for k, v in self.names.items() if k != track}
        if name.strip():
            self.names[track] = name.strip()
        self._tell(Topic.VIEW)

    def corrected(self, names: Mapping[int, str]) -> None:
        """The store's corrections have changed, and what tracks are called."""
        self.names = dict(names)
        self._tell(Topic.ROWS, Topic.SELECTION, Topic.VIEW)

    def set_calibration(self, calibration: Calibration) -> None:
        """Change scale, origin or axes."""
        self.calibration = calibration
        self._tell(Topic.VIEW)

    # ----------------------------------------------------------------------------------------------- recording

    def record(
        self, path: str, before: int | None = None, after: int | None = None, triggers: Sequence[str] = ()
    ) -> None:
        """Record what the camera delivers.

        Args:
            path: a new file, .mcap.
            before, after, triggers: as in `say.StartRecording`.

        Raises:
            InputError: no camera is open, a recording goes on, the file is there already, or a trigger is no trigger.
        """
        if not self.live:
            raise InputError("only cameras are recorded; a clip is a file already")
        if self.recording:
            raise InputError(f"{Path(self.recording).name} is being recorded; stop it first")
        if Path(path).exists():
            raise InputError(f"{path} exists already and recordings overwrite nothing; choose another name")
        parse_triggers(triggers)
        self.recording = path
        self._link.send(say.StartRecording(path, before, after, tuple(triggers)))
        self._tell(Topic.RECORDING)

    def trigger(self, reason: str = "key", after: int | None = None) -> None:
        """Ask a recording that waits for it to record."""
        self._link.send(say.Trigger(reason, after))

    def stop_recording(self) -> None:
        """Close the session."""
        self._link.send(say.StopRecording())

    def facts(self) -> Mapping[str, object]:
        """What a report about a mistake should hold."""
        return {"opened": None if self.info is None else self.info.name, "state": self.state.value,
                "pipeline": dumps(self.pipeline), "messages": [m.sentence for m in self.messages[-20:]]}  # fmt: skip
