"""Opens any camera by how it is written."""

from __future__ import annotations

import math

from app.cameras.query import parse_address
from app.cameras.simulated.camera import SimulatedCamera
from app.cameras.simulated.settings import read_settings
from kernels.errors import SourceError
from pipelines.frame import Camera


def open_camera(text: str, *, fps: float | None = None) -> Camera:
    """The camera that `text` names, not started yet.

    Args:
        text: cam:KIND[:PLACE][?name=value&...].
        fps: the rate, in place of what the text says.

    Raises:
        InputError: one sentence that says what is wrong with it.
    """
    if fps is not None and not (math.isfinite(fps) and fps > 0):
        raise SourceError(f"the rate must be a positive number of frames a second, not {fps}")
    address = parse_address(text)
    return SimulatedCamera(read_settings(address, fps), fps)
