"""Dialogs that ask for files, and what is done with the answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyqtgraph.Qt import QtWidgets

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.pipeline.frame_grid import RESIZES
from app.desk.pipeline.history import Edit
from app.desk.pipeline.pipeline_file import PipelineFileChanged
from app.gui.pipeline.parameter_row import MODELS
from app.gui.settings import Settings
from app.gui.strips import Strip
from app.path_kinds import PROJECT_ENDING
from app.safe_names import safe_file_name
from app.sources.formats import ENDINGS
from kernels.errors import InputError
from pipelines.definition import library, load

CLIPS = (f"Clips, sessions and projects ({' '.join(f'*{ending}' for ending in (*ENDINGS, PROJECT_ENDING))});;"
         f"Projects (*{PROJECT_ENDING});;All files (*)")  # fmt: skip
PIPELINES = "Pipelines (*.toml)"
PICTURES = "Pictures (*.png)"
CHANGED = "changed"
"""The name of the strip that asks about a file that another program has changed."""


class Asking:
    """Asks in dialogs that belong to a window.

    Args:
        window: the window, a `main_window.MainWindow`.
        bench: the state behind it.
        settings: remember the folder.
    """

    def __init__(self, window: Any, bench: Workbench, settings: Settings) -> None:
        self._window, self._bench, self._settings = window, bench, settings

    def clip(self) -> None:
        """Choose a file and open it."""
        path, _ = QtWidgets.QFileDialog.getOpenFileName(
            self._window, "Open a clip, a session or a project", self._settings.folder, CLIPS
        )
        if path:
            self._settings.folder = str(Path(path).parent)
            self._window.open(path)

    def results(self) -> None:
        """Choose the folder of a run's results and open it."""
        home = self._settings.folder
        path = QtWidgets.QFileDialog.getExistingDirectory(self._window, "Open the results of a run", home)
        if path:
            self._settings.folder = str(Path(path).parent)
            self._window.open(path)

    def pipeline(self) -> None:
        """Choose a pipeline's file."""
        path, _ = QtWidgets.QFileDialog.getOpenFileName(self._window, "Open a pipeline", "", PIPELINES)
        if path:
            self._bench.files.choose(path)

    def shipped(self, name: str) -> None:
        """Go over to a pipeline that comes with the program; the networks that it takes are asked for, each file once,
        with the words of its `notes`. Nothing is changed where somebody cancels."""
        if name in library():
            self._bench.files.choose(name)
            return
        pipeline, given = load(name), dict[str, str]()
        nodes: dict[str, list[str]] = {}
        for node in pipeline.nodes:
            if node.stage == RESIZES:
                nodes.setdefault(str(node.params["model"]), []).append(node.id)
        box = QtWidgets.QMessageBox(self._window)
        box.setWindowTitle(name)
        box.setText(f"{name} takes {len(nodes)} network{'s' * (len(nodes) > 1)} of yours: {', '.join(nodes)}")
        box.setInformativeText(" ".join(pipeline.notes.split()))
        box.setStandardButtons(QtWidgets.QMessageBox.StandardButton.Open | QtWidgets.QMessageBox.StandardButton.Cancel)
        if box.exec() != QtWidgets.QMessageBox.StandardButton.Open:
            return
        folder = self._settings.folder
        for model, takers in nodes.items():
            path, _ = QtWidgets.QFileDialog.getOpenFileName(
                self._window, f"The network of {' and '.join(takers)}: {model}", folder, MODELS
            )
            if not path:
                return
            folder = str(Path(path).parent)  # networks that belong together mostly lie together
            given |= {f"{taker}.model": path for taker in takers}
        self._bench.files.choose(name, given)

    def save_pipeline(self) -> None:
        """Write the pipeline to its file, or to one that is asked for; what others wrote there is asked about."""
        path = self._bench.files.path
        if path is None:
            self.save_pipeline_as()
            return
        try:
            self._bench.files.save(path)
        except PipelineFileChanged:
            self.about_changed_file()
        else:
            self._window.strips.remove(CHANGED)

    def save_pipeline_as(self, edit: Edit | None = None) -> None:
        """Write the pipeline, or another one of the history, to a file that is asked for."""
        step = self._bench.history.now if edit is None else edit
        name = str(step.origin.path or f"{safe_file_name(step.pipeline.name, 'pipeline')}.toml")
        text, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, "Save the pipeline", name, PIPELINES)
        if not text:
            return
        path = Path(text if text.endswith(".toml") else f"{text}.toml").absolute()
        if str(path) != str(Path(text).absolute()) and path.exists():  # the dialog asked about another name
            raise InputError(f"{path} exists already; choose another name, or that one to write over it")
        self._bench.files.save(path, over=True, edit=edit)  # the dialog has asked
        self._window.strips.remove(CHANGED)

    def about_changed_file(self) -> None:
        """Another program has changed the pipeline's file: whose is to stay?"""
        bench, strips, path = self._bench, self._window.strips, self._bench.files.path
        if path is None:
            return

        def answer(work: Callable[[], object]) -> Callable[[], None]:
            def do() -> None:
                strips.remove(CHANGED)
                self._window.guarded(work)

            return do

        buttons = [("Save under another name…", answer(self.save_pipeline_as)),
                   (f"Write over {path.name}", answer(lambda: bench.files.save(path, over=True))),
                   ("Take that of the file", answer(lambda: bench.files.choose(path)))]  # fmt: skip
        if not bench.history.dirty:
            buttons = buttons[::-1]
        strips.put(CHANGED, Strip(
            f"{path.name} was changed by another program since it was read here.", Level.WARNING,
            buttons=buttons, closed=lambda: strips.remove(CHANGED),
            tip="Nothing is written until you say which one is to stay; what is taken from the file can be undone",
        ))  # fmt: skip

    def save_picture(self) -> None:
        """Write the video as it is shown."""
        path, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, "Save the picture", "picture.png", PICTURES)
        if path and not self._window.video.graphics.grab().save(path):
            raise InputError(f"{path} cannot be written")
