"""Writes the events that the user has marked, as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.desk.jobs.orders import EventsOrder
from app.desk.sidecars.events_file import export_events
from kernels.errors import InputError


def write_events(order: EventsOrder) -> dict[str, Any]:
    """Write them; what was written, as `app.desk.jobs.child` tells it.

    Raises:
        InputError: there are none, the file is there already, or it cannot be written.
    """
    path = Path(order.out)
    if path.suffix.lower() != ".csv":
        raise InputError(f"{path} does not tell its format; let it end in .csv")
    if path.exists() and not order.force:
        raise InputError(f"{path} exists already; choose another name, or have it replaced")
    count = export_events(path, order.events, order.time, order.frames)
    return {"files": [str(path)], "notes": [], "tracks": 0, "rows": 0, "frames": 0, "events": count}
