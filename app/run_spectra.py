"""The spectra that trackers leave, as files of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.plots.beside import Figures
from app.plots.look import LIGHT, SUFFIXES, Look
from pipelines.graph import Bound
from pipelines.streaming.clip.runner import Runner

SPECTRA_CSV, SPECTRA = "spectra.csv", "spectra"


def leave_spectra(
    folder: Path, run: Runner, tracks: int, figures: Figures, look: Look = LIGHT
) -> tuple[list[str], list[str]]:
    """Write the spectra that trackers left, those of an earlier run removed; the files' names, and words about them.
    Their figure is asked for."""
    for name in (SPECTRA_CSV, *(SPECTRA + suffix for suffix in SUFFIXES)):
        (folder / name).unlink(missing_ok=True)
    rows = run.tracking.tables().get("spectra")
    if rows is None:
        return [], []
    words = spectra_words(rows, tracks, run.source.info.time.fps, leaving_spectra(run.bound))
    if not len(rows):
        return [], words
    from app.exports.spectra import draw_spectra, write_spectra  # here: few pipelines leave any

    write_spectra(folder / SPECTRA_CSV, rows)
    title = f"{run.source.info.name}: motion and noise"
    figures.ask(draw_spectra, folder / look.name(SPECTRA), rows, title, None, None, look)
    return [SPECTRA_CSV, look.name(SPECTRA)], words


def leaving_spectra(bound: Bound) -> list[str]:
    """The ids of the trackers that leave spectra."""
    return [tracker.id for tracker in bound.trackers if "spectrum" in tracker.params]


def spectra_words(rows: npt.NDArray[Any], tracks: int, fps: float, trackers: Sequence[str]) -> list[str]:
    """A sentence where points have none, else nothing.

    Args:
        rows: of `pipelines.trackers.vibration.SPECTRA_DTYPE`.
        tracks: how many points were followed.
        fps: of the clip; 0 if unknown.
        trackers: ids of those that leave spectra.
    """
    without = tracks - len(np.unique(rows["track"]))
    if without <= 0:
        return []
    if not fps > 0:
        return ["no spectra were written, because the clip does not say its frame rate: give it with --fps"]
    who = f"no spectra of {without} of {tracks} points" if len(rows) else "no spectra were written"
    shorter = " ".join(f"--set {tracker}.spectrum=64" for tracker in trackers)
    return [f"{who}: a piece of a spectrum must have no gap (a frame that is missing, or in which the point was not "
            f"seen), and none was long enough; {shorter} takes the shortest pieces"]  # fmt: skip
