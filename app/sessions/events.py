"""What happened during a recording, as JSON: one object an event, with its kind and the frame that it belongs to."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

PARAMETER = "parameter"
"""A parameter changed: `node`, `param`, `value`; frames from `frame` on were processed with it."""
PIPELINE = "structure"
"""The pipeline was replaced: `pipeline`, its definition; frames from `frame` on were processed with it."""
UNPROCESSED = "unprocessed"
"""Recorded frames `first` to `last` were not processed while they were recorded: `reason`."""
UNREADABLE = "unreadable"
"""The source could not read this frame, so that it was not recorded: `time` (s), `reason`. Trackers predicted it."""
PROCESSED = "processed"
"""Now and then, and at the end (`complete`): `count` frames were processed, the last was `frame`; then `facts`."""
CAMERA = "camera"
"""What the camera itself says at the end: `facts`."""
TRIGGER = "trigger"
"""Recording was asked for: `reason`, `after`; `state` is the frame before which the session holds the
state of the run."""
GAP = "gap"
"""The camera's numbers jumped: frames `first_id` to `last_id` never reached the recorder."""
DUPLICATE = "duplicate"
"""The camera gave a number again: `camera_id`."""
LATE = "late"
"""A number that was missing came after a higher one: `camera_id`. A live run records no such frame."""
LOSS = "loss"
"""Announced frames `first` to `last` were not recorded: `reason`."""
SKIPPED = "skipped"
"""Announced frames `first` to `last` were not wanted, for no trigger asked for them: `reason`."""
LOST_MESSAGES = "lost messages"
"""So many (`count`) tables of tracks or events found no room: `reason`."""
RECORDER = "recorder"
"""The recorder died and was started again."""
STATISTICS = "statistics"
"""Every second: `announced`, `recorded`, `synced_bytes`, `free_bytes`, `longest_write_s`, `longest_sync_s`."""
CLOSE = "close"
"""The last event: `announced`, `reason`."""
KEYPOINTS = "keypoints"
"""Tracks that began up to this frame are key points: `tracks` are rows of track, animal, point; `names` of points, by
their numbers; `edges` are rows of animal, point, point that are joined. Tables of several events belong together."""
SETTING = "setting"
"""The camera was set otherwise while it delivered: `name`, `value`, as it says that it is now; frames from a few behind
`frame` on show it."""
SENT = "sent"
"""At the end: what was sent to other programs while it was recorded, and what was dropped: `text`."""
BEGAN = "began"
"""The recording of a camera that was running begins with this frame: it was asked for at `asked` (ns since 1970), and
`came_before` frames came between then and the first, which are not recorded."""
NOTE = "note"
"""Something worth saying: `text`."""


def event(kind: str, frame: int | None, **facts: Any) -> bytes:
    """An event as it is stored; NaN and infinity become null, NumPy numbers become numbers.

    Args:
        kind: one of this module's words, or your own.
        frame: sequence number of the frame that it belongs to, None for none.
        facts: JSON-able.
    """
    return json.dumps(_plain({"kind": kind, "frame": frame, **facts}), allow_nan=False).encode()


def _plain(value: Any) -> Any:
    """The value as JSON can spell it."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def read_event(data: bytes) -> dict[str, Any]:
    """The event in a message.

    Raises:
        ValueError: it is none.
    """
    made = json.loads(data)
    if not isinstance(made, dict) or not isinstance(made.get("kind"), str):
        raise ValueError("an event without a kind")
    return made


