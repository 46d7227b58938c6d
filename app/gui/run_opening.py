"""Opens what a run has written: its tracks over its clip, and says so until they are computed here."""

from __future__ import annotations

from functools import partial
from html import escape
from pathlib import Path

from pyqtgraph.Qt import QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.gui.settings import Settings
from app.gui.strips import Strip, Strips
from app.run_pipeline import pipeline_of
from app.runs import RunRecord, read_run
from app.sources.reading import AS_STORED, Reading

KEPT = "kept"
"""The name of the strip that says whose tracks are shown."""


class RunOpening:
    """See the module.

    Args:
        bench: the state behind the window.
        settings: remember the folder of the clip that was looked for.
        strips: of the window.
    """

    def __init__(self, bench: Workbench, settings: Settings, strips: Strips) -> None:
        self._bench, self._settings, self._strips = bench, settings, strips
        self._record: RunRecord | None = None
        self._told = False
        for topic in (Topic.OPENED, Topic.BUILT, Topic.ROWS):
            bench.on(topic, self._follow)

    def open(self, what: str, reading: Reading = AS_STORED, clip: str | None = None) -> RunRecord:
        """Open a run's folder, or a file in it.

        Args:
            what: the folder or file.
            reading: how its clip is read, where that was asked for; else as the run read it.
            clip: where its clip is.

        Raises:
            InputError: it is no run's folder, or tells no pipeline that can be read.
        """
        record = read_run(what, clip)
        made = pipeline_of(record)
        self._bench.open(record.clip, reading=record.reading if reading == AS_STORED else reading, roi=record.roi,
                         frames=record.frames, run=str(record.folder.absolute()), pipeline=made)  # fmt: skip
        self._record, self._told = record, False
        return record

    def find_clip(self) -> None:
        """Ask where the clip of the run is, and show the tracks over it."""
        record = self._record
        if record is None:
            return
        path, _ = QtWidgets.QFileDialog.getOpenFileName(
            self._strips, f"Where is {Path(record.clip).name}?", self._settings.folder
        )
        if path:
            self._settings.folder = str(Path(path).parent)
            self.open(str(record.folder), clip=path)

    def _follow(self) -> None:
        bench, strips, record = self._bench, self._strips, self._record
        # Something else was opened, or tracks are computed anew: they are no longer the run's.
        if record is None or not bench.kept or bench.kept != str(record.folder.absolute()):
            strips.remove(KEPT)
            return
        if self._told:
            return
        self._told = True
        name = f"<b>{escape(record.name)}</b>"
        if record.there:
            part = "" if record.frames is None else f", frames {record.frames[0]} to {record.frames[1] - 1}"
            strips.put(KEPT, Strip(
                f"Tracks as the run {name} has written them{part}; nothing is computed.",
                buttons=(("Compute anew", bench.compute_anew),), closed=partial(strips.remove, KEPT),
                tip=f"{record.folder}\nA change of the pipeline or of a parameter computes them anew, too",
            ))  # fmt: skip
        else:
            strips.put(KEPT, Strip(
                f"The clip of {name} is no longer at {escape(record.clip)}: its tracks stand on a blank ground.",
                Level.WARNING, buttons=(("Find the clip…", self.find_clip),), closed=partial(strips.remove, KEPT),
                tip="Tables, traces, spectra and exports of tracks work; nothing can be computed anew",
            ))  # fmt: skip
        if record.there and record.note:
            bench.speak(Level.WARNING, record.note)
