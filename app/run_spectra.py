"""The spectra that trackers leave, as files of a run."""

from __future__ import annotations

from pathlib import Path

from app.exports.spectra import draw_spectra, write_spectra
from app.exports.spectra_words import spectra_words
from pipelines.streaming.runner import Runner

SPECTRA_CSV, SPECTRA = "spectra.csv", "spectra.png"


def leave_spectra(folder: Path, run: Runner, tracks: int) -> tuple[list[str], list[str]]:
    """Write the spectra that trackers left, those of an earlier run removed; the files' names, and words about them."""
    for name in (SPECTRA_CSV, SPECTRA):
        (folder / name).unlink(missing_ok=True)
    rows = run.tracking.tables().get("spectra")
    if rows is None:
        return [], []
    leaving = [tracker.id for tracker in run.bound.trackers if "spectrum" in tracker.params]
    words = spectra_words(rows, tracks, run.source.info.time.fps, leaving)
    if not len(rows):
        return [], words
    write_spectra(folder / SPECTRA_CSV, rows)
    draw_spectra(folder / SPECTRA, rows, f"{run.source.info.name}: motion and noise")
    return [SPECTRA_CSV, SPECTRA], words
