"""The first minutes: which clip is open when the window appears, and a tour for who has never seen it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from app.desk.bench.workbench import Workbench
from app.gui.leaving import Leaving
from app.gui.sessions.rescued import Rescued
from app.gui.settings import Settings
from app.gui.tour import SHOWN
from app.gui.unsaved import Unsaved
from app.sources.formats import split
from app.sources.reading import AS_STORED, Reading
from pipelines.frontend import Roi

CAMERA, SCENE = "cam:", "sim:"


class Window(Protocol):
    """What the beginning needs of the main window."""

    bench: Workbench
    settings: Settings
    unsaved: Unsaved
    leaving: Leaving
    rescued: Rescued

    def guarded(self, work: Callable[[], object]) -> None: ...
    def open(self, what: str, reading: Reading = AS_STORED, roi: Roi | None = None) -> None: ...
    def open_sample(self) -> None: ...
    def take_tour(self) -> None: ...


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
        window.guarded(lambda: window.open(what, reading, left.region_of(what)))
    elif last.startswith(SCENE) or (last and not last.startswith(CAMERA) and Path(split(last)[0]).exists()):
        window.guarded(lambda: window.open(last, roi=left.region_of(last)))
    elif not last and sample:
        window.open_sample()
        if window.settings.text(SHOWN) != "yes":  # once: who has left it has seen that there is one
            window.settings.set_text(SHOWN, "yes")
            window.take_tour()
