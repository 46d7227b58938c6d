"""The job of an export: of what is there, of tracks that the window hands over, or of a run that is made for it."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from app.desk.jobs.handover import taken_over
from app.desk.jobs.orders import ExportOrder
from app.desk.jobs.stopping import Stop
from app.desk.jobs.telling import Tell, telling
from app.exports.export import Exported, export_results
from app.exports.tables import write_tracks_parquet
from app.files.summary import versions, write_summary
from app.results import SUMMARY, TRACKS_PARQUET


def exported(order: ExportOrder, tell: Tell, stop: Stop) -> dict[str, Any]:
    """Write the files; what is to be told at the end (see `app.desk.jobs.child`)."""
    if order.run is not None:
        from app.desk.jobs.running import run  # here: most exports are of what is there, and start sooner

        outcome = run(order.run, tell, stop)
        if outcome.report.interrupted:
            raise KeyboardInterrupt
        stop.started(None)  # the run is over, the rest is broken off
        order = replace(order, source=str(outcome.folder.absolute()), frames=None, run=None)
    if order.rows_file:
        tell({"label": "the tracks", "total": 0})
        order = replace(order, rows=taken_over(order), rows_file="")
    if order.rows is not None:
        wanted = (*order.tracks, *order.video.follow) if order.tracks else ()
        rows = order.rows[np.isin(order.rows["track"], wanted)] if wanted else order.rows
        with tempfile.TemporaryDirectory(prefix="fusetrack-export-") as folder:
            write_tracks_parquet(Path(folder) / TRACKS_PARQUET, rows, {})
            write_summary(Path(folder) / SUMMARY, {"versions": versions(), **order.about})
            return exported(replace(order, source=folder, rows=None), tell, stop)
    made: Exported = export_results(
        order.source, order.to, order.out, frames=order.frames, fps=order.reading.fps,
        turn=order.reading.turn, bits=order.reading.bits, scale=order.scale or None,
        y_up=order.y_up, tracks="all" if order.every else "confirmed", guesses=order.guesses, force=order.force,
        progress=telling(tell), axes=order.axes, names=order.names, clip=order.clip or None,
        colour=order.colour, roi=order.roi, video=order.video,
    )  # fmt: skip
    return {"result": {
        "files": [str(file) for file in made.files], "notes": list(made.notes), "tracks": made.tracks,
        "rows": made.rows, "frames": made.frames,
    }}  # fmt: skip
