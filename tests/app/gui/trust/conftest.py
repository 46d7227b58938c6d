"""A user before a window over an engine of its own, with clips that lie in a folder of the test's."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from app.gui.application import make_window
from app.gui.settings import Settings
from tests.app.gui.trust.user import User

SAMPLES = Path(__file__).parents[4] / "sample_videos"
SLOW = 1 / 300
"""Of real time, at which a clip plays unless the user says otherwise. It plays from its opening on, over and over: in
real time it would keep a processor busy while the user looks elsewhere."""


@pytest.fixture
def clips(tmp_path: Path) -> dict[str, Path]:
    """Copies of the sample clips, since what is done on a clip is kept beside it."""
    folder = tmp_path / "clips"
    folder.mkdir()
    made = {}
    for name in ("vortex_600fps", "beam_1000fps", "falling_ball_1000fps"):
        made[name.partition("_")[0]] = Path(shutil.copy(SAMPLES / f"{name}.avi", folder))
    return made


@pytest.fixture
def user(
    app: QtWidgets.QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[User]:
    """Before a new window; a mistake of ours that it tells of fails the test."""
    del app
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # the window's own, which tells of mistakes
    settings = Settings(tmp_path / "settings.ini")
    for place in ("sessions", "exports", "batch"):
        settings.set_text(place, str(tmp_path / place))
    bench = Workbench(EngineLink())
    bench.speed = SLOW
    window = make_window(bench, settings)
    window.resize(1280, 800)
    window.show()
    QtWidgets.QApplication.setActiveWindow(window)
    window.video.graphics.setFocus()
    made = User(window)
    made.settle()
    yield made
    mistakes = made.mistakes()
    window.leaving._anyway = True
    window.close()
    window.deleteLater()
    QtWidgets.QApplication.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)
    QtWidgets.QApplication.processEvents()
    assert not mistakes
