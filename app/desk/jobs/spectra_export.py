"""Writes the spectra that a tracker left, as a table or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app.desk.jobs.orders import SpectraOrder
from app.exports.scale import parse_scale
from app.exports.spectra import draw_spectra, write_spectra
from kernels.errors import InputError

PICTURES = (".png", ".svg", ".pdf")


def write_order(order: SpectraOrder) -> dict[str, Any]:
    """Write them; what was written, as `app.desk.jobs.child` tells it.

    Raises:
        InputError: there are none, the file is there already, or it cannot be written.
    """
    path = Path(order.out)
    if not len(order.rows):
        raise InputError("the tracker has left no spectra yet; it needs a known rate and 64 frames or more")
    if path.suffix.lower() not in (".csv", *PICTURES):
        raise InputError(f"{path} does not tell its format; let it end in .csv, .png, .svg or .pdf")
    if path.exists() and not order.force:
        raise InputError(f"{path} exists already; choose another name, or have it replaced")
    scale = parse_scale(order.scale) if order.scale else None
    if path.suffix.lower() in PICTURES:
        draw_spectra(path, order.rows, order.title, scale, order.names)
    else:
        write_spectra(path, order.rows, scale, order.names)
    count = len(np.unique(order.rows["track"]))
    notes = ["x and y are those of the picture; spectra are not turned into your axes"] if order.turned else []
    return {"files": [str(path)], "notes": notes, "tracks": count, "rows": len(order.rows), "frames": 0}
