"""Messages as JSON, one object a line; NaN is null."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sending.message import Message
from pipelines.features import State

FRAME_COLUMNS = ("frame", "time_s", "camera_time_s", "latency_s")
COLUMNS = ("frame", "track", "x_px", "y_px", "vx_px_per_s", "vy_px_per_s", "sigma_px", "state")
_FIELDS = ("frame", "track", "x", "y", "vx", "vy", "sigma")
_STATES = {state.value: state.name.lower() for state in State}


def encode(message: Message) -> bytes:
    """One line, UTF-8; times to a nanosecond, the rest to 1e-5 of its unit."""
    rows, frames = message.rows, message.frames
    columns = [_plain(rows[name], 5) for name in _FIELDS]
    columns.append([_STATES[state] for state in rows["state"].tolist()])
    by_frame = [_plain(frames[name], 9) for name in frames.dtype.names or ()]
    made = {
        "batch": message.batch, "part": message.part, "parts": message.parts, "frame_columns": FRAME_COLUMNS,
        "frames": list(zip(*by_frame, strict=True)), "columns": COLUMNS, "tracks": list(zip(*columns, strict=True)),
    }  # fmt: skip
    return json.dumps(made, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _plain(values: npt.NDArray[Any], digits: int) -> list[Any]:
    """Numbers as JSON has them: None for what is none, or infinite."""
    if values.dtype.kind != "f":
        return list(values.tolist())
    made: list[Any] = np.round(values.astype(np.float64), digits).tolist()
    for k in np.flatnonzero(~np.isfinite(values)).tolist():
        made[k] = None
    return made
