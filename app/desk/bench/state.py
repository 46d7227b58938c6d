"""The state behind a window, and who listens to its changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from app.desk.bench.fitting import Fitting
from app.desk.bench.topics import Level, Message, Topic
from app.desk.engine import commands, reports
from app.desk.engine.picture_box import Shown
from app.desk.events import Event
from app.desk.pipeline.history import History, Origin
from app.desk.tracks.calibration import Calibration
from app.desk.tracks.colouring import TrackColours
from app.desk.tracks.owners import Owned
from app.desk.tracks.store import TrackStore
from app.exports.skeletons import Skeletons
from kernels.compiling import Compiling
from pipelines.automatic.settling import with_found
from pipelines.definition import load
from pipelines.frame import SourceInfo
from pipelines.graph import Pipeline
from pipelines.streaming.common.states import RunState

MOST_MESSAGES = 1000


@dataclass(eq=False, repr=False)
class OpenState:
    """What is known of what is open, and forgotten when something else is opened.

    Args:
        kept: folder of the run whose tracks are shown as they were written; "" where they are computed here.
        opened, opening, asked: what is open, what was ordered and is not there yet, what was ordered to get what is
            open.
        lost: what was open when a run ended badly.
        clip: what is open, called so from start to start however it is read, "" for nothing.
        built: the groups and outputs of what runs.
        state, position: of the run; the frame that was shown last.
        store: the tracks. `owners`: which ids are whose. `tables`: what trackers tell beside their rows.
        skeletons, point_names: what trackers tell of key points.
        selected: ids of tracks in the order in which they were picked. `names`: what the user calls them. `colours`:
            which colour each of them has in every view.
        shown: the newest picture; its pixels are valid until the next `tick`.
        measured, readings: the newest reading, and the last ones.
        range: of the playback, first frame and one past the last.
        events: frames that the user has marked and named, by frame.
        output, over: which output is shown, and whether over the plain picture.
        recording: the session's path, "" for none. `triggered`: its triggers; `trigger_asked`: whether one is awaited.
        trouble: why the pipeline does not fit what is open, "" if it does. `plain`: nothing of it has run since that
            was opened. `fitting`: finds it out; `fit_again`: the pipeline was changed meanwhile.
    """

    kept: str = ""
    opened: reports.Opened | None = None
    opening: commands.Open | None = None
    asked: commands.Open | None = None
    lost: commands.Open | None = None
    clip: str = ""
    built: reports.Built | None = None
    state: RunState = RunState.IDLE
    position: int = -1
    store: TrackStore = field(default_factory=TrackStore)
    owners: tuple[Owned, ...] = ()
    tables: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    skeletons: Skeletons = field(default_factory=Skeletons)
    point_names: dict[int, str] = field(default_factory=dict)
    selected: list[int] = field(default_factory=list)
    colours: TrackColours = field(default_factory=TrackColours)
    names: dict[int, str] = field(default_factory=dict)
    shown: Shown | None = None
    measured: reports.Measured | None = None
    readings: list[reports.Measured] = field(default_factory=list)
    range: tuple[int, int] = (0, 0)
    events: tuple[Event, ...] = ()
    output: str = ""
    over: bool = False
    recording: str = ""
    triggered: list[reports.Triggered] = field(default_factory=list)
    trigger_asked: bool = False
    trouble: str = ""
    plain: bool = False
    fitting: Fitting | None = None
    fit_again: bool = False


class BenchState(OpenState):
    """The one state behind a window: what is open, and what stays when something else is opened.

    The services of `app.desk.bench.workbench.Workbench` share it: each changes its part of it and tells who listens.

    Attributes:
        history: the user's pipelines and their edits.
        speed, loop, ping_pong: of the playback.
        recorded: sessions of this window, the newest last. `unkept`: what was recorded last, if nothing was in it;
            `before_recording`: the newest reading when the last one began.
        messages: what was said, oldest first.
        bare: clips are opened as pictures alone, of which nothing is computed.
        engine_down: no engine could be started; `start_engine` tries again, and so does `open`.
        compiling: what the engine compiles, while nothing else goes on.
        begins: asked with which history of pipelines something begins that is to be opened: another one where it has
            its own, the one that there is where that goes on, None where its pipeline stays and its steps do not.
    """

    def __init__(self) -> None:
        self._listeners: dict[Topic, list[Callable[[], None]]] = {topic: [] for topic in Topic}
        self.messages: list[Message] = []
        self.recorded: list[reports.Recorded] = []
        self.unkept: reports.Recorded | None = None
        self.before_recording: reports.Measured | None = None
        self.calibration = Calibration()
        self.speed: float | None = 1.0
        self.loop, self.ping_pong = True, False
        self.history = History(load("blobs"), Origin(shipped="blobs"))
        self.begins: Callable[[str], History | None] = lambda _what: self.history
        self.engine_down = self.bare = False
        self.compiling: Compiling | None = None
        self.forget()

    def forget(self) -> None:
        """Nothing is open."""
        OpenState.__init__(self)

    def on(self, topic: Topic, listener: Callable[[], None]) -> None:
        """Have `listener` called after each change of a kind."""
        self._listeners[topic].append(listener)

    def off(self, topic: Topic, listener: Callable[[], None]) -> None:
        """It is called no more: what it belongs to is gone."""
        if listener in self._listeners[topic]:
            self._listeners[topic].remove(listener)

    def tell(self, *topics: Topic) -> None:
        """Call who listens to changes of these kinds."""
        for topic in topics:
            for listener in self._listeners[topic]:
                listener()

    def tell_once(self, topics: Iterable[Topic]) -> None:
        """Call who listens to any of these kinds once, at the last of them."""
        # Read backwards, the first time that a listener occurs is its last one.
        late = dict.fromkeys(one for topic in reversed([*topics]) for one in reversed(self._listeners[topic]))
        for listener in reversed(late):
            listener()

    def speak(self, level: Level, sentence: str, details: str = "") -> None:
        """Tell the user something."""
        self.messages.append(Message(level, sentence, details))
        del self.messages[:-MOST_MESSAGES]
        self.tell(Topic.MESSAGE)

    @property
    def own_events(self) -> tuple[Event, ...]:
        """Those that lie beside no file, since the clip is a simulated scene."""
        return self.events if self.asked is not None and self.asked.what.startswith("sim:") else ()

    @property
    def settled(self) -> Pipeline:
        """The user's pipeline with what the engine has found in place of "auto"."""
        return with_found(self.history.pipeline, {} if self.built is None else self.built.found)

    @property
    def brings(self) -> bool:
        """Whether what is open has brought a pipeline of its own: a session, a run."""
        return self.opened is not None and (self.asked is None or not self.asked.pipeline or bool(self.asked.run))

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
