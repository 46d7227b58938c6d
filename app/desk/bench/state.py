"""The state behind a window, and who listens to its changes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy.typing as npt

from app.desk.bench.aftermath import Aftermath
from app.desk.bench.fitting import Fitting
from app.desk.bench.topics import Level, Link, Message, Topic
from app.desk.engine import orders as ask
from app.desk.engine import reports as say
from app.desk.engine.picture_box import Shown
from app.desk.events.events import Event
from app.desk.pipeline.history import History, Origin
from app.desk.tracks.calibration import Calibration
from app.desk.tracks.colouring import TrackColours
from app.desk.tracks.owners import Owned
from app.desk.tracks.store import TrackStore
from app.exports.skeletons import Skeletons
from pipelines.automatic.settling import with_found
from pipelines.definition import load
from pipelines.frame import SourceInfo
from pipelines.graph import Pipeline
from pipelines.streaming.states import RunState

MOST_MESSAGES = 1000


class BenchState:
    """See `app.desk.workbench.Workbench`, whose parts share it.

    Args:
        link: to the engine's process.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._listeners: dict[Topic, list[Callable[[], None]]] = {topic: [] for topic in Topic}
        self.messages: list[Message] = []
        self.recorded: list[say.Recorded] = []
        self.unkept: say.Recorded | None = None  # what was recorded last, if nothing was in it
        self.calibration = Calibration()
        self.speed: float | None = 1.0
        self.loop, self.ping_pong = True, False
        self.history = History(load("blobs"), Origin(shipped="blobs"))
        self.engine_down = False
        self._numbers = itertools.count(1)
        self._ordered: dict[int, ask.Open] = {}
        self._aftermath: Aftermath | None = None
        self._before_recording: say.Measured | None = None
        self._forget()

    def _forget(self) -> None:
        self.opened: say.Opened | None = None
        self.opening: ask.Open | None = None
        self.asked: ask.Open | None = None
        self.lost: ask.Open | None = None
        self.built: say.Built | None = None
        self.state, self.position = RunState.IDLE, -1
        self.store = TrackStore()
        self.owners: tuple[Owned, ...] = ()
        self.tables: Mapping[str, npt.NDArray[Any]] = {}
        self.skeletons, self.point_names = Skeletons(), dict[int, str]()
        self.selected: list[int] = []
        self.colours = TrackColours()
        self.names: dict[int, str] = {}
        self.shown: Shown | None = None
        self.measured: say.Measured | None = None
        self.readings: list[say.Measured] = []
        self.range = (0, 0)
        self.events: tuple[Event, ...] = ()
        self.output, self.over = "", False
        self.recording = ""
        self.triggered: list[say.Triggered] = []
        self.trigger_asked = False
        self.trouble = ""
        self._fitting: Fitting | None = None
        self._again = False

    def on(self, topic: Topic, listener: Callable[[], None]) -> None:
        """Have `listener` called after each change of a kind."""
        self._listeners[topic].append(listener)

    def _tell(self, *topics: Topic) -> None:
        for topic in topics:
            for listener in self._listeners[topic]:
                listener()

    def _look(self) -> Sequence[Topic]:
        """What was found out beside since the last call."""
        return ()

    def _order_pipeline(self) -> None:
        """Have the engine run the pipeline, if it fits what is open."""

    def _bring(self, made: Pipeline, whose: str) -> None:
        """Take the pipeline that a session brings."""

    def speak(self, level: Level, sentence: str, details: str = "") -> None:
        """Tell the user something."""
        self.messages.append(Message(level, sentence, details))
        del self.messages[:-MOST_MESSAGES]
        self._tell(Topic.MESSAGE)

    @property
    def own_events(self) -> tuple[Event, ...]:
        """Those that lie beside no file, since the clip is a simulated scene."""
        return self.events if self.asked is not None and self.asked.what.startswith("sim:") else ()

    @property
    def settled(self) -> Pipeline:
        """The user's pipeline with what the engine has found in place of "auto"."""
        return with_found(self.history.pipeline, {} if self.built is None else self.built.found)

    @property
    def info(self) -> SourceInfo | None:
        """Of what is open."""
        return None if self.opened is None else self.opened.info

    @property
    def ended(self) -> bool:
        """Whether the run of what is open has failed: what was found can be looked at, and opened again."""
        return self.opened is not None and self.state is RunState.FAILED

    @property
    def live(self) -> bool:
        """Whether a camera is open."""
        return self.opened is not None and self.opened.live

    def number(self, frame: int) -> int:
        """A frame as people are told of it: from the trigger where a clip knows it, as its times are."""
        return frame if self.info is None or self.live else frame + self.info.first_number

    @property
    def pipeline(self) -> Pipeline:
        """As the user edits it."""
        return self.history.pipeline
