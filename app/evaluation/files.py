"""An evaluation for machines: JSON, and a CSV row a thing."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.files.atomic import write_bytes
from pipelines.evaluation.complete import Evaluation

COLUMNS = {
    "thing": "thing", "first": "first_frame", "last": "last_frame", "visible": "visible_frames",
    "matched": "matched_frames", "recall": "recall", "tracks": "tracks", "track": "main_track",
    "switches": "id_switches", "fragments": "fragmentations", "rmse": "rmse_px", "bias_x": "bias_x_px",
    "bias_y": "bias_y_px", "noise_x": "noise_x_px", "noise_y": "noise_y_px", "drift_x": "drift_x_px_per_s",
    "drift_y": "drift_y_px_per_s", "sigma": "sigma_px", "z_variance": "z_variance",
}  # fmt: skip
"""Field of THING_DTYPE -> column; without a frame rate drifts are per frame and say so in their names."""


def as_json(found: Evaluation) -> dict[str, Any]:
    """The CLEAR MOT figures by their names, the other families in a mapping each, and a list of things."""
    fields = ("identity", "hota", "challenge", "displacement", "calibration")
    families = {name: asdict(getattr(found, name)) for name in fields}
    families["particle_challenge"] = families.pop("challenge")
    names = _columns(found)
    return {
        **asdict(found.clear),
        **families,
        "gate_px": found.gate,
        "frames": found.frames,
        "things": [{names[name]: row[name].item() for name in names} for row in found.things],
        "false_track_ids": found.false_tracks.tolist(),
    }


def _columns(found: Evaluation) -> dict[str, str]:
    if found.displacement.fps:
        return COLUMNS
    return {field: name.replace("px_per_s", "px_per_frame") for field, name in COLUMNS.items()}


def write_csv(path: Path, found: Evaluation) -> None:
    """A row a thing; what is not known is empty.

    Raises:
        InputError: the file cannot be written.
    """
    names = _columns(found)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names.values())
    for row in found.things:
        writer.writerow([_cell(row[name].item()) for name in names])
    write_bytes(path, text.getvalue().encode())


def _cell(value: float | int) -> str:
    if isinstance(value, int):
        return str(value)
    return repr(round(value, 9)) if math.isfinite(value) else ""
