"""Dialogs that ask for files, and what is done with the answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyqtgraph.Qt import QtWidgets

from app.desk.workbench import Workbench
from app.gui.settings import Settings
from kernels.errors import InputError

CLIPS = (
    "Clips and sessions (*.cine *.mraw *.cih *.cihx *.mcap *.mp4 *.avi *.mov *.mkv *.tif *.tiff *.npy *.png *.jpg "
    "*.bmp *.pgm);;All files (*)"
)
PIPELINES = "Pipelines (*.toml)"
PICTURES = "Pictures (*.png)"


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
            self._window, "Open a clip or a session", self._settings.folder, CLIPS
        )
        if path:
            self._settings.folder = str(Path(path).parent)
            self._window.open(path)

    def pipeline(self) -> None:
        """Choose a pipeline's file."""
        path, _ = QtWidgets.QFileDialog.getOpenFileName(self._window, "Open a pipeline", "", PIPELINES)
        if path:
            self._bench.choose_pipeline(path)

    def save_pipeline(self) -> None:
        """Write the pipeline to its file, or to one that is asked for."""
        if self._bench.pipeline_path is None:
            self.save_pipeline_as()
        else:
            self._bench.save_pipeline(self._bench.pipeline_path)

    def save_pipeline_as(self) -> None:
        """Write the pipeline to a file that is asked for."""
        name = str(self._bench.pipeline_path or f"{self._bench.pipeline.name}.toml")
        path, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, "Save the pipeline", name, PIPELINES)
        if path:
            self._bench.save_pipeline(Path(path).with_suffix(".toml"))

    def save_picture(self) -> None:
        """Write the video as it is shown."""
        path, _ = QtWidgets.QFileDialog.getSaveFileName(self._window, "Save the picture", "picture.png", PICTURES)
        if path and not self._window.video.graphics.grab().save(path):
            raise InputError(f"{path} cannot be written")
