"""Data channels are opened, changed and saved: what is asked of the user, and what is done with the answer."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pyqtgraph.Qt import QtWidgets

from app.channels.channel import ENDINGS, Channel
from app.channels.files import look
from app.channels.resampling import Resampling
from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.services.channels import AtFrames, Channels
from app.gui.beside import Beside
from app.gui.channels.dialog import ChannelDialog
from app.gui.settings import Settings
from app.safe_names import clip_stem
from kernels.errors import InputError

FILES = f"Data channels ({' '.join(f'*{ending}' for ending in ENDINGS)});;All files (*)"
OWN = (".wav", ".tdms", ".lvm")
"""Endings of files that are dropped as nothing else than data channels."""


class Window(Protocol):
    """What this needs of the main window."""

    bench: Workbench
    settings: Settings
    channels: Channels

    def show_panel(self, name: str) -> None: ...


class ChannelOpening:
    """See the module.

    Args:
        window: the window.
        parent: of the dialogs.
    """

    def __init__(self, window: Window, parent: QtWidgets.QWidget) -> None:
        self._window, self._parent = window, parent
        self._beside = Beside(parent, "data channel at frames")
        self._beside.came.connect(self._wrote)

    def ask(self) -> None:
        """Choose a file and say how it is read."""
        settings = self._window.settings
        path, _ = QtWidgets.QFileDialog.getOpenFileName(self._parent, "Open a data channel", settings.folder, FILES)
        if path:
            settings.folder = str(Path(path).parent)
            self.open(path)

    def open(self, path: str) -> ChannelDialog:
        """Ask how a file is read, and have it lie beside the clip then.

        Raises:
            InputError: no clip is open, or the file holds no samples.
        """
        if not self._window.channels.possible:
            raise InputError(f"open a clip first, then {Path(path).name}: a data channel lies beside one")
        return self._ask(Channel(str(Path(path).absolute())))

    def change(self) -> None:
        """Ask how that which is there is read.

        Raises:
            InputError: its file is not there any more.
        """
        channel = self._window.channels.channel
        if channel is not None:
            self._ask(channel)

    def _ask(self, channel: Channel) -> ChannelDialog:
        contents = look(Path(channel.path), channel.delimiter, channel.decimal)
        dialog = ChannelDialog(self._parent, channel, contents, self._take)
        dialog.show()
        return dialog

    def _take(self, channel: Channel) -> None:
        self._window.channels.open(channel)
        self._window.show_panel("traces")

    def takes(self, path: str) -> bool:
        """Whether a file that is dropped is a data channel: by its ending, or a table with times and without places of
        points."""
        ending = Path(path).suffix.lower()
        if ending in OWN:
            return True
        if ending not in ENDINGS:
            return False
        table = ending in (".csv", ".tsv")
        try:
            contents = look(Path(path))
        except InputError:
            return not table  # of tables what takes points tells what is wrong
        names = {column.name.strip().lower() for column in contents.columns}
        places = any({f"{axis}{end}" for axis in "xy"} <= names for end in ("", "_px"))
        return not table or (bool(contents.time) and not places)

    def save(self, how: Resampling) -> None:
        """Ask where the channel is to be written, a row a frame; a thread does it, and what goes wrong is said.

        Raises:
            InputError: there is none, or the clip has no times.
        """
        bench, channels = self._window.bench, self._window.channels
        stem = clip_stem(bench.info.name) if bench.info is not None else "clip"
        name = str(Path(self._window.settings.folder) / f"{stem}.channel.csv")
        text, _ = QtWidgets.QFileDialog.getSaveFileName(self._parent, "Save the channel at the frames' times", name,
                                                        "Table (*.csv)")  # fmt: skip
        if text:
            path = Path(text if Path(text).suffix else f"{text}.csv")
            table = channels.chosen_at_frames()
            self._beside.begin(0, lambda: _written(table, path, how))

    def _wrote(self, _number: int, answer: object) -> None:
        if isinstance(answer, Path):
            self._window.bench.speak(Level.NOTE, f"saved {answer}")
        else:
            self._window.bench.speak(Level.ERROR, str(answer))


def _written(table: AtFrames, path: Path, how: Resampling) -> Path:
    table.write(path, how)
    return path
