"""Starts Qt and the window."""

from __future__ import annotations

import gc
import importlib
import os
import sys
import threading
import traceback
from types import TracebackType

import pyqtgraph
from pyqtgraph.Qt import QtCore, QtWidgets
from pyqtgraph.util.garbage_collector import GarbageCollector

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from app.gui import theme
from app.gui.main_window import MainWindow
from app.gui.settings import Settings
from app.gui.start import begin
from app.sources.reading import AS_STORED, Reading

_kept: list[object] = []
"""The application and its window: Python would take the first of them apart while the other still needs it."""
WARM_UP = 3000
"""Milliseconds after the window has appeared."""
COLLECT = 0.25
"""Seconds between two looks for objects that are no longer needed."""


def make_application(theme_name: str = "dark") -> QtWidgets.QApplication:
    """The Qt application, sharp on dense screens, in a theme; the one that there is, if there is one."""
    found = QtWidgets.QApplication.instance()
    if found is None:
        # Another package may have imported OpenCV, whose own Qt plugins would end this program.
        if "cv2" in os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH", ""):
            del os.environ["QT_QPA_PLATFORM_PLUGIN_PATH"]
        attribute = QtCore.Qt.ApplicationAttribute
        QtWidgets.QApplication.setAttribute(attribute.AA_EnableHighDpiScaling)
        QtWidgets.QApplication.setAttribute(attribute.AA_UseHighDpiPixmaps)
        QtWidgets.QApplication.setHighDpiScaleFactorRoundingPolicy(
            QtCore.Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
        )
        found = QtWidgets.QApplication(["fusetrack"])
        found.setApplicationName("fusetrack")
        _kept.append(found)
    theme.apply(found, theme.THEMES[theme_name])
    pyqtgraph.setConfigOption("exitCleanup", False)
    return found


def make_window(bench: Workbench, settings: Settings) -> MainWindow:
    """The window; mistakes of ours become messages there instead of ending the program."""
    window = MainWindow(bench, settings)

    # PyQt5 would end the program at an exception in a slot if the hook were Python's own.
    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        details = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(details)
        bench.speak(Level.ERROR, f"a mistake in fusetrack: {kind.__name__}: {error}", details)

    sys.excepthook = hook
    return window


def tend_garbage() -> None:
    """Look for what is no longer needed in the window's thread alone, a little at a time.

    Python would take objects of Qt apart in whichever thread it is in, which ends the program now and then.
    """
    _kept.append(GarbageCollector(COLLECT))
    gc.freeze()  # what is there now stays, and need not be looked through again


def _warm_up() -> None:
    """Load what the first spectrum needs, which takes long, in the background.

    No daemon: a program that ends while a thread loads libraries would fall over it.
    """
    importlib.import_module("scipy.signal")


def run(
    what: str | None, *, pipeline: str | None = None, reading: Reading = AS_STORED, theme_name: str | None = None,
    plugins: tuple[str, ...] = (), first: str = "",
) -> int:
    """Show the window until it is closed.

    Args:
        what: a clip, a session or a camera to open at once.
        pipeline: to begin with, by name or path.
        reading: how it is read, in place of what its file says.
        theme_name: "dark" or "light"; None for what was chosen last.
        plugins: files with stages and trackers of the user's.
        first: what is opened at the very first start, where nothing else is asked for.

    Raises:
        InputError: there is no such pipeline.
    """
    settings = Settings()
    name = theme_name or settings.theme
    app = make_application(name)
    bench = Workbench(EngineLink(plugins))
    try:
        if pipeline is not None:
            bench.files.begin_with(pipeline)
        window = make_window(bench, settings)
        _kept.append(window)
        window.sample = first
        window.actions_.refresh()
        if settings.bytes("geometry") is None and window.size() == app.primaryScreen().availableSize():
            window.showMaximized()  # a frame around all of the screen would push the status bar out of it
        else:
            window.show()
        window.video.graphics.setFocus()  # keys are for the video until something else is clicked
        window.leaving.take_signals()
        begin(window, what, reading, first, pipeline is not None)
        tend_garbage()
        QtCore.QTimer.singleShot(WARM_UP, threading.Thread(target=_warm_up).start)
        try:
            return int(app.exec_())
        finally:
            window.leaving.give_signals_back()
            settings.sync()
    finally:
        bench.quit()
