"""Which point of which animal each track is, as a table of a run."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from app.exports.atomic import write_bytes
from pipelines.streaming.runner import Runner

KEYPOINTS_CSV = "keypoints.csv"
COLUMNS = ("track", "animal", "point", "name")


def leave_keypoints(folder: Path, run: Runner) -> list[str]:
    """Write which point of which animal each track is, a table of an earlier run removed; the file's name, if there are
    such tracks. Animals and points count from 0, as they came and as the network numbers them.

    Raises:
        InputError: the file cannot be written.
    """
    (folder / KEYPOINTS_CSV).unlink(missing_ok=True)
    rows = run.tracking.tables().get("keypoints")
    if rows is None or not len(rows):
        return []
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(sorted(rows.tolist()))
    write_bytes(folder / KEYPOINTS_CSV, text.getvalue().encode())
    return [KEYPOINTS_CSV]
