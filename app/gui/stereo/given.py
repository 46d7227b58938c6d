"""What is open in the window, for whoever works with several cameras: clips and tracks that are chosen without a path,
and dialogs that ask for one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pyqtgraph.Qt import QtWidgets

from app.desk.bench.workbench import Workbench
from app.desk.jobs.orders import GivenRows
from app.desk.services.second_clip import Second
from app.gui.asking import CLIPS
from app.gui.settings import Settings
from app.gui.stereo.camera_rows import OF_THE_WINDOW, Choice
from app.path_kinds import Kind, what_is
from app.runs import read_run
from kernels.errors import InputError

OPEN, SECOND = f"{OF_THE_WINDOW}open", f"{OF_THE_WINDOW}second"
"""Choices: the clip that is open, and the one beside it."""
RIGS, MOST_RIGS = "calibrations", 8
"""Name among the settings of the calibrations that were used last, and how many are kept."""


class Given:
    """See the module.

    Args:
        bench, second: what is open.
        settings: remember the folder.
        parent: of dialogs.
    """

    kinds = CLIPS

    def __init__(
        self, bench: Workbench, second: Second, settings: Settings, parent: Callable[[], QtWidgets.QWidget]
    ) -> None:
        self._bench, self._second, self._settings, self._parent = bench, second, settings, parent

    def clips(self) -> list[Choice]:
        """Clips."""
        found = []
        if self._bench.info is not None and not self._bench.live:
            found.append(Choice(OPEN, f"open clip: {self._bench.info.name}", 0))
            if (side := self._second.info) is not None:
                found.append(Choice(SECOND, f"second clip: {side.name}", self._second.ahead))
        return found

    def tracks(self) -> list[Choice]:
        """Tracks, as they are corrected."""
        found = []
        if self._bench.info is not None and len(self._bench.store):
            found.append(Choice(OPEN, f"tracks of the open clip: {self._bench.info.name}", 0))
        side = self._second.side
        if found and side is not None and side.info is not None and len(side.store):
            found.append(Choice(SECOND, f"tracks of the second clip: {side.info.name}", self._second.ahead))
        return found

    def _bench_of(self, value: str) -> Workbench | None:
        return {OPEN: self._bench, SECOND: self._second.side}.get(value)

    def path(self, value: str) -> str:
        """The clip of a choice, or of a path.

        Raises:
            InputError: it is not open any more, or its pictures are turned.
        """
        if value not in (OPEN, SECOND):
            return value if value.startswith("sim:") else str(Path(value).expanduser())
        clip = self._bench.clip if value == OPEN else self._second.clip.path if self._second.clip is not None else ""
        if not clip:
            raise InputError("the clip that was chosen is not open any more")
        self._as_stored(self._bench_of(value))
        return clip

    def _as_stored(self, bench: Workbench | None) -> None:
        """See that its pictures are those of the file.

        Raises:
            InputError: they are turned.
        """
        if bench is not None and bench.asked is not None and bench.asked.reading.turn:
            raise InputError("the clip is shown turned, and cameras are calibrated by pictures as they are stored; "
                             "turn it back (File > How the clip is read)")  # fmt: skip

    def rows(self, value: str) -> GivenRows:
        """The tracks of a choice, or of a path.

        Raises:
            InputError: they are not there any more, or their clip is turned.
        """
        if value not in (OPEN, SECOND):
            return GivenRows(source=str(Path(value).expanduser()))
        bench = self._bench_of(value)
        if bench is None or bench.info is None or not len(bench.store):
            raise InputError("the clip whose tracks were chosen is not open any more, or has none")
        self._as_stored(bench)
        info = bench.info
        return GivenRows(store=bench.store.snapshot(), names={**bench.point_names, **bench.names}, title=info.name,
                         timed=info.time.fps > 0 or bench.live, size=(info.width, info.height))  # fmt: skip

    def clip_of(self, value: str) -> str:
        """The clip of which tracks are; "" where it is not known."""
        if value in (OPEN, SECOND):
            return self.path(value)
        try:
            return read_run(value).clip if what_is(value).kind is Kind.RUN else ""
        except InputError:
            return ""

    def rigs(self) -> list[str]:
        """Files of calibrations that were saved or used last, newest first, as far as they are there."""
        return [path for path in self._settings.text(RIGS).splitlines() if Path(path).is_file()]

    def remember_rig(self, path: str) -> None:
        """It was saved or used."""
        kept = [path, *(one for one in self.rigs() if one != path)]
        self._settings.set_text(RIGS, "\n".join(kept[:MOST_RIGS]))

    def go(self, frame: int) -> None:
        """Show a frame of the clip that is open."""
        if self._bench.info is not None and not self._bench.live:
            self._bench.player.seek(min(max(frame, 0), self._bench.info.frames - 1))

    def ask(self, title: str, kinds: str, folder: bool) -> str:
        """Ask for a file or a folder; "" for none."""
        home, parent = self._settings.folder, self._parent()
        if folder:
            path = QtWidgets.QFileDialog.getExistingDirectory(parent, title, home)
        else:
            path, _ = QtWidgets.QFileDialog.getOpenFileName(parent, title, home, kinds)
        if path:
            self._settings.folder = str(Path(path).parent)
        return str(path)

    def ask_save(self, title: str, name: str, kinds: str) -> tuple[str, str]:
        """Ask where something is to be written, "" for nowhere; and the kind that was chosen."""
        home = str(Path(self._settings.folder) / name)
        path, kind = QtWidgets.QFileDialog.getSaveFileName(self._parent(), title, home, kinds)
        return str(path), str(kind)
