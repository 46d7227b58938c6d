"""Opening: recent files, drops, the capture rate that a file does not know, what to do when a run ended badly."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from pyqtgraph.Qt import QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.pipeline.detecting import for_tracker, taker
from app.desk.pipeline.editing import set_param
from app.desk.pipeline.history import History, Origin
from app.desk.services.clip_pipelines import ClipPipelines
from app.desk.services.scales import Scales
from app.desk.tracks.calibration import Calibration
from app.gui.channels.opening import ChannelOpening
from app.gui.project import Projects
from app.gui.reading_dialog import MOST_RATE, ReadingDialog
from app.gui.run_opening import RunOpening
from app.gui.settings import Settings
from app.gui.start import CAMERA, SCENE
from app.gui.strips import Strip, Strips
from app.gui.tracking import Tracking
from app.gui.video.nothing_open import why_not
from app.path_kinds import NO_CLIPS, PROJECT_ENDING, Kind, what_is
from app.points_file import read_points
from app.samples import Sample
from app.sources.reading import AS_STORED, Reading
from kernels.errors import InputError
from pipelines.frame import TimeBase
from pipelines.frontend import Roi
from pipelines.streaming.common.states import RunState

ENDED = "ended"
"""The name of the strip that says that a run has failed."""
SESSION, PIPELINE, TABLES = ".mcap", ".toml", (".csv", ".tsv")
FEW = 80
"""Letters of what is odd about a clip, where several things are."""
PLAYED = 125.0
"""Frames a second up to which a container's rate is rather that of playing than that of taking."""


class Window(Protocol):
    """What opening needs of the main window."""

    bench: Workbench
    settings: Settings
    strips: Strips

    @property
    def tracking(self) -> Tracking: ...
    @property
    def projects(self) -> Projects: ...
    @property
    def pipelines(self) -> ClipPipelines: ...
    @property
    def channel_opening(self) -> ChannelOpening: ...
    @property
    def scales(self) -> Scales: ...
    def guarded(self, work: Callable[[], object]) -> None: ...
    def show_panel(self, name: str) -> None: ...
    def show_cause(self) -> None: ...


def doubtful(time: TimeBase) -> bool:
    """Whether a file hardly says at which rate it was taken."""
    return time.origin == "unknown" or (time.origin == "container" and not time.fps > PLAYED)


def _few(sentence: str) -> str:
    """What a sentence says, without reasons and advice.

    >>> _few("the video is interlaced: odd and even rows are from different times")
    'the video is interlaced'
    """
    words = re.split(r"[:;,] | \(|\. ", sentence, maxsplit=1)[0]
    return words if len(words) <= FEW else f"{words[:FEW]}…"


class Opening:
    """Opens what the user points at, and asks for what the file does not say.

    Args:
        window: the window.

    Attributes:
        menu: the recent files; filled when it is about to be shown.
        runs: opens what runs have written.
        rate: the field of the strip that asks for the capture rate.
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._bench, self._settings = window.bench, window.settings
        self._what = self._pending = self._sample = ""
        self._lost = False
        self.menu = QtWidgets.QMenu("Open &recent")
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill)
        self.rate = QtWidgets.QDoubleSpinBox()
        self.runs = RunOpening(self._bench, self._settings, window.strips)
        for topic in (Topic.OPENED, Topic.STATE):
            self._bench.on(topic, self._settle)
        self._bench.on(Topic.OPENED, self._opened)
        self._bench.on(Topic.STATE, self._stood)

    # ------------------------------------------------------------------------------------------------- opening

    def open(self, what: str, reading: Reading = AS_STORED, roi: Roi | None = None) -> None:
        """Open a clip, a session, a run's folder, a project or a camera, and remember it; how the user has had it read
        before holds.

        It begins with the pipeline that it had; a session and a run bring their own.

        Raises:
            InputError: it is something else.
        """
        found = what_is(what)
        if found.kind is Kind.RUN:
            self._pending = str(self.runs.open(what, reading).folder.absolute())
            self._settings.add_recent(self._pending)
            return
        if found.kind is Kind.OWN_PROJECT:
            self._window.projects.open(what)
            return
        if found.kind in NO_CLIPS:
            raise InputError(found.wrong("a clip, a session, a run's folder or a project"))
        if reading == AS_STORED:
            reading = self._settings.readings.get(_key(what), AS_STORED)
        self._bench.open(what, reading=reading, roi=roi, pipeline="own" if what.endswith(SESSION) else None)
        self._settings.add_recent(what)
        self._pending = what

    def sample(self, sample: Sample) -> None:
        """Open a scene to try things on, with a pipeline that suits it; it is not remembered, and is part of no
        project: one that is open is closed, once what is not saved of it was asked about.

        Raises:
            InputError: it is not installed.
        """
        if not sample.there:
            raise InputError(f"{sample.what} is not installed; Help > Sample scenes has simulated ones, too")
        if self._window.projects.desk.path is None:
            self._try_on(sample)
            return

        def go() -> None:
            self._window.projects.desk.close()
            self._try_on(sample)

        self._window.projects.may_lose(go)

    def _try_on(self, sample: Sample) -> None:
        window, path = self._window, sample.path
        window.pipelines.give(path, History(sample.graph(), Origin(shipped=sample.pipeline)))
        if sample.mm:
            window.scales.give(path, Calibration(sample.mm, "mm"), False)
        self._sample = path
        self._bench.open(path)
        window.strips.put("sample", Strip(
            f"<b>{sample.title.replace('&', '')}.</b>&nbsp; {html.escape(sample.sentence)}.",
            closed=partial(window.strips.remove, "sample"), tip="Help > Sample scenes has more",
        ))  # fmt: skip

    def dropped(self, paths: Sequence[str]) -> None:
        """Take a pipeline's file as the pipeline, a table as its points, samples as a data channel, and open the first
        of the rest."""
        channels = [path for path in paths if self._window.channel_opening.takes(path)]
        tables = [path for path in paths if path.lower().endswith(TABLES) and path not in channels]
        clips = [path for path in paths if not path.endswith(PIPELINE) and path not in (*tables, *channels)]
        for path in paths:
            if path.endswith(PIPELINE):
                self._window.guarded(partial(self._bench.files.choose, path))
        for path in tables[:1]:
            self._window.guarded(partial(self.place, path))
        for path in channels:
            self._window.guarded(partial(self._window.channel_opening.open, path))
        for path in reversed(clips[1:]):
            self._settings.add_recent(path)
        if clips:
            self.open(clips[0])
        if len(clips) > 1:
            self._bench.speak(Level.NOTE, f"{Path(clips[0]).name} is opened; the other {len(clips) - 1} are in "
                                          "File > Open recent")  # fmt: skip

    def place(self, path: str) -> None:
        """Have the pipeline's tracker follow the points of a table, as `fusetrack run --points` does: a step that can
        be undone.

        Raises:
            InputError: it is no such table, or the pipeline finds its points itself.
        """
        bench, name = self._bench, Path(path).name
        found = taker(bench.pipeline)
        if found is None:
            raise InputError(f"pipeline {bench.pipeline.name!r} finds its points itself; choose template or vibration, "
                             f"and drop {name} again")  # fmt: skip
        points = read_points(Path(path), partial(bench.speak, Level.NOTE))
        frames = [int(point[2]) if len(point) > 2 else None for point in points]
        placed = for_tracker([(point[0], point[1]) for point in points], frames)
        bench.editor.edit(f"the points of {name}", set_param(bench.pipeline, found.name, "points", placed))
        if bench.opened is not None and not bench.live:
            bench.store.forget_from(0)
            bench.player.seek(0)
        count = f"{len(points)} points" if len(points) > 1 else "the point"
        bench.speak(Level.NOTE, f"{found.name} follows {count} of {name}")

    def _settle(self) -> None:
        """What could not be opened is not offered again."""
        bench, what = self._bench, self._pending
        if not what or bench.opening is not None:
            return
        self._pending = ""
        if what not in [order.run or order.what for order in (bench.asked, bench.lost) if order is not None]:
            self._settings.drop_recent(what)

    def _fill(self) -> None:
        self.menu.clear()
        recent = sorted(self._settings.recent, key=lambda what: not what.endswith(PROJECT_ENDING))
        for k, what in enumerate(recent):
            if k and recent[k - 1].endswith(PROJECT_ENDING) and not what.endswith(PROJECT_ENDING):
                self.menu.addSeparator()
            named = what.startswith((CAMERA, SCENE))
            text = what if named else Path(what).name
            why = why_not(what)
            text = f"{text}  ({why})" if why else text
            action = self.menu.addAction(f"&{k + 1}  {text}" if k < 9 else f"    {text}")
            action.setToolTip(f"{what}\n{why}" if why else what)
            action.setEnabled(not why)
            action.triggered.connect(lambda _checked, what=what: self._window.guarded(partial(self.open, what)))
        if not self.menu.actions():
            self.menu.addAction("nothing yet").setEnabled(False)
        self.menu.addSeparator()
        clear = self.menu.addAction("&Clear this list")
        clear.setEnabled(bool(self._settings.recent))
        clear.triggered.connect(lambda _checked: self._settings.clear_recent())

    # ---------------------------------------------------------------------------------------- the capture rate

    def _opened(self) -> None:
        strips, bench = self._window.strips, self._bench
        strips.remove("rate")
        strips.remove("odd")
        now = bench.opening or bench.asked
        if now is None or now.what != self._sample:
            strips.remove("sample")
        if bench.opened is None:
            return
        strips.remove(ENDED)
        self._lost = False
        self._what = bench.asked.what if bench.asked is not None else ""
        self._tell_oddities()
        if bench.live or bench.kept or _key(self._what) in self._settings.readings:
            return
        if not doubtful(bench.opened.info.time):
            return
        fps = bench.opened.info.time.fps
        says = f"says {fps:.6g} fps, which is how it is played" if fps > 0 else "does not say how fast it was taken"
        self.rate = QtWidgets.QDoubleSpinBox()
        self.rate.setDecimals(3)
        self.rate.setRange(0.001, MOST_RATE)
        self.rate.setValue(fps if fps > 0 else 1000.0)
        self.rate.setSuffix(" fps")
        self.rate.setButtonSymbols(QtWidgets.QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.rate.setMinimumWidth(110)
        self.rate.setToolTip("Frames a second of the camera; speeds, times and spectra follow from it")
        keep = f"It was {fps:.6g}" if fps > 0 else "Count frames"
        strip = Strip(
            f"The file {says}. At how many frames a second was it taken?", middle=(self.rate,),
            buttons=(("Apply", self.apply_rate), (keep, self.keep_rate)), closed=lambda: strips.remove("rate"),
            tip=bench.opened.info.time.note,
        )  # fmt: skip
        self.rate.lineEdit().returnPressed.connect(self.apply_rate)
        strips.put("rate", strip)

    def apply_rate(self) -> None:
        """Open the clip again with the rate in the field; it is remembered for the file."""
        self.read_as(replace(self._reading, fps=self.rate.value()))

    def keep_rate(self) -> None:
        """What the file says is right, and is not asked again."""
        self._settings.set_reading(_key(self._what), self._reading)
        self._window.strips.remove("rate")

    @property
    def _reading(self) -> Reading:
        return self._bench.asked.reading if self._bench.asked is not None else AS_STORED

    def read_as(self, reading: Reading) -> None:
        """Open the clip again, read like this; it is remembered for the file."""
        asked = self._bench.asked
        self._settings.set_reading(_key(self._what), reading)
        self._window.strips.remove("rate")
        if asked is not None:
            roi = asked.roi if reading.turn == asked.reading.turn else None  # a region is one of the turned picture
            self._bench.open(asked.what, reading=reading, roi=roi, device=asked.device, frames=asked.frames,
                             again=True, play=self._bench.state is RunState.RUNNING)  # fmt: skip

    def ask_reading(self) -> ReadingDialog | None:
        """Ask how the clip shall be read."""
        opened = self._bench.opened
        if opened is None or self._bench.live:
            return None
        dialog = ReadingDialog(self._window.strips, opened.info, self._reading, self.read_as)
        dialog.show()
        return dialog

    def _tell_oddities(self) -> None:
        """All that is odd about the clip: one thing in full, several in few words each, so that all can be seen; the
        cursor and the messages have the sentences."""
        strips, opened = self._window.strips, self._bench.opened
        found = () if opened is None or self._bench.live else opened.info.warnings
        if not found:
            return
        words = found if len(found) == 1 else [_few(sentence) for sentence in found]
        buttons = [("Read it otherwise…", self.ask_reading)]
        if len(found) > 1:
            buttons.append(("All about it", lambda: self._window.show_panel("messages")))
        strips.put("odd", Strip(
            html.escape(" · ".join(words)), Level.WARNING, buttons=buttons,
            closed=lambda: strips.remove("odd"), tip="\n".join(found),
        ))  # fmt: skip

    # ------------------------------------------------------------------------------------------ what ended badly

    def _stood(self) -> None:
        """Say that a run has ended badly, with a button to begin it again."""
        bench, strips = self._bench, self._window.strips
        if bench.state is not RunState.FAILED:
            if ENDED in strips and bench.opening is None and bench.opened is not None:
                strips.remove(ENDED)
            self._lost = False
            return
        if self._lost or bench.lost is None:
            return
        self._lost = True
        why = next((m.sentence for m in reversed(bench.messages) if m.level is Level.ERROR), "the run ended")
        strips.put(ENDED, Strip(
            why, Level.ERROR, closed=lambda: strips.remove(ENDED),
            buttons=((f"Open {_short(bench.lost.what)} again", self.reopen),
                     ("Show details", self._window.show_cause)),
            tip="The window is well; the process that computes was started anew",
        ))  # fmt: skip

    def reopen(self) -> None:
        """Open again what was open when the run ended, with the pipeline as it is."""
        self._window.strips.remove(ENDED)
        self._window.guarded(self._bench.reopen)


def _key(what: str) -> str:
    return what if what.startswith((CAMERA, SCENE)) else str(Path(what).absolute())


def _short(what: str) -> str:
    text = what.partition("?")[0] if what.startswith((CAMERA, SCENE)) else Path(what).name
    return text if len(text) <= 28 else f"{text[:27]}…"
