"""Which tracks merge and split, as a table of a run."""

from __future__ import annotations

from pathlib import Path

from app.exports.relations import RELATION_COLUMNS, RELATIONS, RELATIONS_CSV
from app.files.atomic import write_bytes
from pipelines.streaming.clip.runner import Runner


def leave_relations(folder: Path, run: Runner) -> list[str]:
    """Write mergers and splits by frame, those of an earlier run removed; the file's name, if there are some.

    In a `merge` the track shares the detection of the other one from this frame on: its rows are predicted, reason
    `merged`. In a `split` it is seen by itself from this frame on, after a merger with the other one or because it came
    out of it.

    Raises:
        InputError: the file cannot be written.
    """
    (folder / RELATIONS_CSV).unlink(missing_ok=True)
    rows = run.tracking.tables().get("relations")
    if rows is None or not len(rows):
        return []
    lines = [",".join(RELATION_COLUMNS)]
    for row in sorted(rows.tolist()):
        frame, time, kind, track, other, x, y = row
        lines.append(f"{frame},{time:.9g},{RELATIONS[kind]},{track},{other},{x:.3f},{y:.3f}")
    write_bytes(folder / RELATIONS_CSV, ("\n".join(lines) + "\n").encode())
    return [RELATIONS_CSV]
