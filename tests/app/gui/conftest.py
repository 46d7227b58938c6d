"""A window over a workbench whose engine only listens."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench import fitting
from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.engine.picture_box import Shown
from app.desk.labelling import labeller
from app.desk.sidecars import corrections_file, events_file
from app.gui import theme
from app.gui.main_window import MainWindow
from app.gui.settings import Settings
from app.sources.opening import open_source
from pipelines.features import TRACK_DTYPE, State
from pipelines.frame import FrameSource
from tests.shipped import FOUND

CLIP = Path(__file__).parents[3] / "sample_videos" / "vortex_600fps.avi"


@pytest.fixture(autouse=True, scope="module")
def _garbage_is_taken_in_this_thread() -> Iterator[None]:
    """Objects of Qt that are taken apart in a thread end the program; the window's own start does the same."""
    gc.disable()
    yield
    gc.collect()
    gc.freeze()  # what is left lives on: the next file need not look through it again
    gc.enable()


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bench finds out at once whether a pipeline fits, however busy the machine is."""
    monkeypatch.setattr(fitting, "AT_ONCE", 30.0)


class Listening:
    """An engine that keeps the orders, and reports and shows what a test puts in."""

    def __init__(self) -> None:
        self.orders: list[commands.Order] = []
        self.reports: list[reports.Report] = []
        self.pictures: list[Shown] = []
        self.closed = False

    def send(self, order: commands.Order) -> None:
        self.orders.append(order)

    def poll(self) -> list[reports.Report]:
        found, self.reports = self.reports, []
        return found

    def picture(self) -> Shown | None:
        return self.pictures.pop(0) if self.pictures else None

    def close(self) -> None:
        self.closed = True


@dataclass
class Desk:
    """A window, what is behind it, and how a test plays the engine."""

    window: MainWindow
    bench: Workbench
    link: Listening
    source: FrameSource

    def open(self, live: bool = False) -> None:
        """Have the clip opened."""
        self.bench.open(str(CLIP))
        order = self.link.orders[-1]
        assert isinstance(order, commands.Open)
        outputs = tuple((node.id, "u8 384x288") for node in self.bench.pipeline.nodes)
        info, groups = self.source.info, ("gray+smooth",)
        self.link.reports.append(reports.Opened(info, live, order.pipeline, "cpu", groups, outputs, "", found=FOUND))
        self.bench.tick()
        self.link.orders.clear()

    def frame(self, index: int, tracks: int = 3) -> None:
        """Have a frame shown, with tracks on a grid that moves to the right."""
        self.frames([index], tracks)

    def frames(self, indices: Iterable[int], tracks: int = 3) -> None:
        """Have frames come so fast that the window draws the last one alone."""
        for index in indices:
            self._come(index, tracks)
        QtWidgets.QApplication.processEvents()

    def _come(self, index: int, tracks: int) -> None:
        rows = np.zeros(tracks, TRACK_DTYPE)
        rows["frame"], rows["time"], rows["track"] = index, index / 600, np.arange(tracks)
        rows["x"], rows["y"] = 40 + 30 * np.arange(tracks) + index, 50 + 10 * np.arange(tracks)
        rows["state"], rows["score"], rows["sigma"] = State.TRACKED, 0.9, 0.05
        self.link.reports.append(reports.Rows(index, index, rows))
        pixels = np.asarray(self.source.read(index))
        self.link.pictures.append(Shown(index + 1, index, index / 600, "", pixels, 8, rows))
        self.bench.tick()


@pytest.fixture(scope="session")
def app() -> QtWidgets.QApplication:
    """One application for all tests."""
    made = QtWidgets.QApplication.instance() or QtWidgets.QApplication([])
    theme.apply(made, theme.DARK)
    return made


@pytest.fixture(scope="session")
def opened_clip() -> Iterator[FrameSource]:
    """The clip itself; to open it takes longer than to read it."""
    source = open_source(CLIP)
    yield source
    source.close()


@pytest.fixture
def desk(
    app: QtWidgets.QApplication, opened_clip: FrameSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """A window of 1280x800 that is shown, over an engine that only listens."""
    beside = corrections_file.path_for

    def apart(clip: str | Path) -> Path:  # windows of other tests correct the same clip at the same time
        return tmp_path / beside(clip).name if Path(clip) == CLIP else beside(clip)

    monkeypatch.setattr(corrections_file, "path_for", apart)
    monkeypatch.setattr(events_file, "path_for", lambda clip: tmp_path / f"{Path(clip).name}.events.csv")
    monkeypatch.setattr(labeller, "labels_beside", lambda clip: tmp_path / f"{Path(clip).name}.labels.json")
    link = Listening()
    bench = Workbench(link)
    window = MainWindow(bench, Settings(tmp_path / "settings.ini"))
    window._timer.stop()  # tests tick
    window.resize(1280, 800)
    window.show()
    QtWidgets.QApplication.setActiveWindow(window)
    monkeypatch.setattr(opened_clip, "_info", opened_clip.info)  # some say something else of it
    yield Desk(window, bench, link, opened_clip)
    window.leaving._anyway = True  # whatever a test has left running
    window.close()
    window.deleteLater()
    # Without an event loop of its own nothing is deleted; windows that pile up make every change of theme slower.
    QtWidgets.QApplication.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)
    QtWidgets.QApplication.processEvents()
    gc.collect(1)
