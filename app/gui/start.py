"""The first minutes: which clip is open when the window appears, and three hints for who has never seen it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from app.desk.workbench import Workbench
from app.gui.leaving import Leaving
from app.gui.sessions.rescued import Rescued
from app.gui.settings import Settings
from app.gui.strips import Strip, Strips
from app.gui.unsaved import Unsaved
from app.sources.formats import split
from app.sources.reading import AS_STORED, Reading
from pipelines.frontend import Roi

HINTS = (
    "<b>Welcome.</b> A sample clip runs.&nbsp; <b>1</b>&nbsp;&nbsp;Drag a slider on the right: the tracks follow at "
    "once.&nbsp; <b>2</b>&nbsp;&nbsp;Click on a marker: its path is drawn below.&nbsp; <b>3</b>&nbsp;&nbsp;Drop a clip "
    "of yours here, or press Ctrl+O.&nbsp; F1 shows all keys."
)
CAMERA, SCENE = "cam:", "sim:"


class Window(Protocol):
    """What the beginning needs of the main window."""

    bench: Workbench
    settings: Settings
    strips: Strips
    unsaved: Unsaved
    leaving: Leaving
    rescued: Rescued

    def open(self, what: str, reading: Reading = AS_STORED, roi: Roi | None = None) -> None: ...
    def open_sample(self, path: str = "") -> None: ...


def begin(window: Window, what: str | None, reading: Reading, sample: str, pipeline_given: bool) -> None:
    """Open what was asked for, else what was open last, else the sample.

    Args:
        window: the window.
        what: asked for on the command line; None for nothing.
        reading: how it is read, as far as that was given.
        sample: path of the sample clip, "" without one.
        pipeline_given: whether the command line chose the pipeline; otherwise it is the one of last time, which undo
            goes back to.
    """
    window.leaving.tell()
    window.rescued.tell()
    left = window.unsaved.take_up(pipeline_given)
    last = next(iter(window.settings.recent), "")
    if what is not None:
        window.open(what, reading, left.region_of(what))
    elif last.startswith(SCENE) or (last and not last.startswith(CAMERA) and Path(split(last)[0]).exists()):
        window.open(last, roi=left.region_of(last))
    elif not last and sample:
        window.open_sample(sample)
        if window.settings.text("welcomed") != "yes":
            welcome(window)


def welcome(window: Window) -> None:
    """Show the hints; once they are closed they do not come again."""

    def closed() -> None:
        window.settings.set_text("welcomed", "yes")
        window.strips.remove("welcome")

    window.strips.put("welcome", Strip(HINTS, closed=closed))
