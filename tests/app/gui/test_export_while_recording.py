"""An export in the very turn in which a recording begins or ends, over the real engine: neither disturbs the other."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from app.desk.services.exporting import What
from app.gui.main_window import MainWindow
from app.gui.sessions.export_dialog import ExportDialog
from app.sources.opening import open_source
from tests.app.gui.test_main_path import CAMERA, press, until
from tests.app.gui.test_main_path import window as window  # the window over the real engine

Row = tuple[int, int]


def export(window: MainWindow, path: Path) -> tuple[ExportDialog, dict[Row, float]]:
    """Begin an export of the tracks that were seen; what was known of x then, by frame and track."""
    known = {(int(row["frame"]), int(row["track"])): float(row["x"])
             for part in window.bench.store.snapshot().parts() for row in part}  # fmt: skip
    window.actions_.made["export"].trigger()
    dialog = window.findChildren(ExportDialog)[-1]
    dialog.what[What.SEEN].setChecked(True)
    dialog.every.setChecked(True)
    dialog.format.setCurrentIndex(dialog.format.findData("csv"))
    dialog.file.setText(str(path))
    press(dialog.export)
    return dialog, known


def check(dialog: ExportDialog, path: Path, known: dict[Row, float]) -> None:
    """The table holds what was known when it was asked for, and nothing that came later."""
    until(lambda: dialog._job is not None and not dialog._job.running)
    assert path.is_file(), dialog.words.text()
    dialog.close()
    with path.open(newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    found = {(int(row["frame"]), int(row["track"])): float(row["x_px"] or "nan") for row in csv.DictReader(lines)}
    assert found.keys() == known.keys()
    assert all(np.isclose(x, known[at], atol=1e-3, equal_nan=True) for at, x in found.items())


def test_an_export_in_the_moment_of_record_and_of_stop(window: MainWindow, tmp_path: Path) -> None:
    bench, bar = window.bench, window.record_bar
    window.open(CAMERA)
    until(lambda: bench.live and bench.shown is not None and len(bench.store) > 100)
    press(bar.record)
    dialog, known = export(window, tmp_path / "begun.csv")
    assert known
    check(dialog, tmp_path / "begun.csv", known)
    until(lambda: bench.measured is not None and bench.measured.recording is not None
          and bench.measured.recording.recorded > 60)  # fmt: skip
    press(bar.record)
    dialog, later = export(window, tmp_path / "ended.csv")
    assert later != known  # a recording begins a run of its own
    check(dialog, tmp_path / "ended.csv", later)
    until(lambda: bool(bench.recorded))
    account = bench.recorded[-1].account
    assert account.dropped == 0
    session = open_source(bench.recorded[-1].path)
    try:
        assert session.info.frames == account.recorded
    finally:
        session.close()
