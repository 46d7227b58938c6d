"""The real window over the real engine, driven by a script: for screenshots and for measurements."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from app.gui.application import make_application, make_window, tend_garbage
from app.gui.main_window import MainWindow
from app.gui.settings import Settings

SAMPLES = Path(__file__).resolve().parents[2] / "sample_videos"
PATIENCE = 600.0
"""Seconds of the wall until something is given up, many, as others may use the machine; nothing is measured by it."""


class Rig:
    """A window that can be waited for.

    Args:
        size: of the window, in its own pixels; None for its own choice.
        theme: "dark" or "light".
    """

    def __init__(self, size: tuple[int, int] | None = None, theme: str = "dark") -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fusetrack-rig-"))
        self.app: QtWidgets.QApplication = make_application(theme)
        self.bench = Workbench(EngineLink())
        settings = Settings(self.folder / "settings.ini")
        for place in ("batch", "exports", "sessions"):  # nothing is left where it was started
            settings.set_text(place, str(self.folder / place))
        self.window: MainWindow = make_window(self.bench, settings)
        if size is not None:
            self.window.resize(*size)
        self.window.show()
        if size is not None:
            self.window.default_layout()
        self.app.setActiveWindow(self.window)
        self.window.video.graphics.setFocus()
        tend_garbage()

    def wait(self, seconds: float) -> None:
        """Let the window live."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.app.processEvents(QtCore.QEventLoop.ProcessEventsFlag.AllEvents, 20)
            self.app.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)  # only a loop of Qt's own does it
            time.sleep(0.001)

    def until(self, done: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Let it live until something holds."""
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise TimeoutError([message.sentence for message in self.bench.messages])
            self.wait(0.01)

    def open(self, what: str, **options: object) -> None:
        """Open something and wait for its first picture."""
        self.bench.open(what, **options)  # type: ignore[arg-type]
        self.until(lambda: self.bench.opening is None)  # whatever was open before
        self.until(lambda: self.bench.shown is not None)

    def close(self) -> None:
        """End it all."""
        self.bench.recording = ""
        self.window.leaving.stop_and_close()


class Turn(NamedTuple):
    """Seconds between two beats of a clock: of the wall, of the processor that the window's thread used, and those in
    which it was ready but no processor was free for it.

    The first tell of a stall, where the machine has nothing else to do. Without the last they are what the thread works
    and waits for by itself (locks, files, other threads of the window, the display), however busy the machine is.
    """

    wall: float
    cpu: float
    queued: float

    @property
    def own(self) -> float:
        """What it would take with a processor to itself."""
        return max(self.cpu, self.wall - self.queued)


def _now() -> Turn:
    return Turn(time.monotonic(), time.thread_time(), _queued())


def _queued() -> float:
    """Seconds that this thread was ready and waited for a processor; 0 where the system does not tell."""
    try:
        file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        return int(os.read(file, 100).split()[1]) / 1e9
    finally:
        os.close(file)


@dataclass
class Phase:
    """What the window did meanwhile: its turns, and where it was during the worst."""

    name: str
    gaps: list[Turn] = field(default_factory=list)
    slow: dict[str, float] = field(default_factory=dict)
    seen: list[tuple[float, str]] = field(default_factory=list)

    def words(self) -> str:
        """A line, and one more where a turn was long."""
        worst = max((turn.wall for turn in self.gaps), default=0.0)
        own = max((turn.own for turn in self.gaps), default=0.0)
        work = sorted((turn.cpu for turn in self.gaps), reverse=True)
        long = sum(turn.own > LONG for turn in self.gaps)
        line = (f"{self.name:32s} longest gap {1e3 * worst:6.0f} ms, {1e3 * own:4.0f} with a processor to itself, "
                f"{long} above {1e3 * LONG:.0f}; longest work {' '.join(f'{1e3 * cpu:.0f}' for cpu in work[:3])} ms, "
                f"{sum(cpu > MUCH for cpu in work)} above {1e3 * MUCH:.0f}")  # fmt: skip
        if not work or work[0] <= MUCH:
            return line
        slow = sorted(self.slow.items(), key=lambda item: -item[1])[:3]
        seen = [f"\n      {1e3 * spent:.0f} ms {who}" for who, spent in slow]
        seen += [f"\n      in a turn of {1e3 * cpu:.0f} ms: {where}" for cpu, where in sorted(self.seen)[-3:][::-1]]
        return line + "".join(seen)


LONG, MUCH = 0.1, 0.06
"""Seconds without a turn that people see; seconds of work in a turn that may become so many on a slower machine."""


@dataclass(frozen=True)
class Timed:
    """A listener that is timed; it is the same one as often as it is made, since a bench tells each of them once."""

    listener: Callable[[], None]
    watch: Watch

    def __call__(self) -> None:
        """Listen."""
        begin = time.thread_time()
        self.listener()
        self.watch.took(self.listener, time.thread_time() - begin)


class Watch:
    """Beats every few milliseconds in the window's thread, and notes what held it up."""

    BEAT = 4
    SAMPLE = 0.02
    """Seconds of the processor between two looks at where the window's thread is."""

    def __init__(self) -> None:
        self.phases: list[Phase] = []
        self._where: Counter[str] = Counter()
        self._last = _now()
        self._timer = QtCore.QTimer()
        self._timer.setTimerType(QtCore.Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def listen(self, bench: Workbench) -> None:
        """Time whoever listens to a workbench.

        Not by looking at the stack from another thread: that keeps painters alive, and Qt falls over them.
        """
        for topic, listeners in bench._listeners.items():
            bench._listeners[topic] = [Timed(listener, self) for listener in listeners]

    def took(self, listener: Callable[[], None], spent: float) -> None:
        """What a listener took, in seconds of the processor."""
        if self.phases:
            module = (getattr(listener, "__module__", None) or "").removeprefix("app.")
            who = f"{module} {getattr(listener, '__qualname__', repr(listener))}"
            self.phases[-1].slow[who] = max(spent, self.phases[-1].slow.get(who, 0.0))

    def _beat(self) -> None:
        now = _now()
        turn, where = Turn(*(b - a for a, b in zip(self._last, now, strict=True))), self._where
        cpu = turn.cpu
        self._where = Counter()
        if cpu > MUCH and where:
            told = "; ".join(f"{count} x {place}" for place, count in where.most_common(3))
            self.phases[-1].seen.append((cpu, told))
        self.phases[-1].gaps.append(turn)
        self._last = now

    def look(self) -> None:
        """Note where the thread is, some times in each long turn: words alone, no frame, which would keep painters.

        A signal comes in the window's own thread, between two steps of Python; of a long call into Qt or NumPy it tells
        who called.
        """
        def told(_: int, frame: FrameType | None) -> None:
            places: list[str] = []
            while frame is not None and len(places) < 4:
                name = str(frame.f_globals.get("__name__", ""))
                if name.startswith(("app.", "pipelines.", "kernels.")):
                    places.append(f"{name.removeprefix('app.')}.{frame.f_code.co_name}:{frame.f_lineno}")
                frame = frame.f_back
            self._where[" < ".join(places) or "Qt alone"] += 1

        signal.signal(signal.SIGPROF, told)
        signal.setitimer(signal.ITIMER_PROF, self.SAMPLE, self.SAMPLE)

    def look_away(self) -> None:
        """Look no more; a signal that comes as the program ends would end it badly."""
        signal.setitimer(signal.ITIMER_PROF, 0.0)

    @contextmanager
    def phase(self, name: str) -> Iterator[Phase]:
        """Measure a part of the script, and print how it went."""
        self.phases.append(Phase(name))
        self._last = _now()
        self._timer.start(self.BEAT)
        try:
            yield self.phases[-1]
        finally:
            self._beat()
            self._timer.stop()
            print(self.phases[-1].words(), flush=True)
