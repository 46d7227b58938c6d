"""The first minutes: which clip is open when the window appears, and three hints for who has never seen it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Protocol

from app.desk.bench.topics import Level
from app.desk.workbench import Workbench
from app.gui.settings import Settings
from app.gui.strips import Strip, Strips
from kernels.errors import FusetrackError
from pipelines.definition import loads
from pipelines.writing import dumps

HINTS = (
    "<b>Welcome.</b> A sample clip runs. &nbsp;<b>1</b>&nbsp; Drag a slider on the right: the tracks follow at once. "
    "&nbsp;<b>2</b>&nbsp; Click on a marker: its path is drawn below. "
    "&nbsp;<b>3</b>&nbsp; Drop a clip of yours here, or press Ctrl+O. &nbsp;F1 shows all keys."
)
CAMERA, SCENE = "cam:", "sim:"


class Window(Protocol):
    """What the beginning needs of the main window."""

    bench: Workbench
    settings: Settings
    strips: Strips

    def open(self, what: str, fps: float | None = None) -> None: ...


def begin(window: Window, what: str | None, fps: float | None, sample: str, pipeline_given: bool) -> None:
    """Open what was asked for, else what was open last, else the sample.

    Args:
        window: the window.
        what: asked for on the command line; None for nothing.
        fps: its capture rate, if that was given.
        sample: path of the sample clip, "" without one.
        pipeline_given: whether the command line chose the pipeline; otherwise it is the one of last time.
    """
    if not pipeline_given:
        restore_pipeline(window.bench, window.settings)
    last = next(iter(window.settings.recent), "")
    if what is not None:
        window.open(what, fps)
    elif last.startswith(SCENE) or (last and not last.startswith(CAMERA) and Path(last).exists()):
        window.open(last)
    elif not last and sample:
        window.bench.open(sample)
        if window.settings.text("welcomed") != "yes":
            welcome(window)


def welcome(window: Window) -> None:
    """Show the hints; once they are closed they do not come again."""

    def closed() -> None:
        window.settings.set_text("welcomed", "yes")
        window.strips.remove("welcome")

    window.strips.put("welcome", Strip(HINTS, closed=closed))


def keep_pipeline(bench: Workbench, settings: Settings) -> None:
    """Remember the pipeline, with what was changed in it since it was saved."""
    settings.set_text("pipeline", str(bench.pipeline_path or bench.pipeline.name))
    settings.set_text("pipeline_text", dumps(bench.pipeline))


def restore_pipeline(bench: Workbench, settings: Settings) -> None:
    """Take the pipeline of last time; its unsaved changes can be undone."""
    name, text = settings.text("pipeline"), settings.text("pipeline_text")
    if not text:
        return
    with suppress(FusetrackError):  # its file was moved: the text is here
        bench.choose_pipeline(name)
    try:
        bench.edit("the changes of last time", loads(text))
    except FusetrackError as error:  # it is of another version
        bench.speak(Level.WARNING, f"the pipeline of last time cannot be read any more: {error}")
