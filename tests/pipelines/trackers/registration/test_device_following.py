"""Windows that are followed on a GPU take little of its memory, however large they are and however many."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kernels.ir.image import U8, ImageType
from pipelines.trackers.klt import KltTracker
from pipelines.trackers.lying_images import LyingImages
from pipelines.trackers.registration.response.device_following import DeviceFollowing
from pipelines.trackers.registration.response.response_loops import STATE
from pipelines.trackers.registration.windows.device_windows import BLOCKS, waited
from pipelines.trackers.template import TemplateTracker
from pipelines.trackers.vibration import VibrationTracker


class Counted:
    """A device that does nothing, and counts the bytes that are asked of it and the windows followed side by side."""

    def __init__(self) -> None:
        self.bytes = self.blocks = 0

    def memory(self, size: int) -> int:
        self.bytes += size
        return size

    def launch(self, function: Any, grid: tuple[int, int, int], *_: Any) -> None:
        self.blocks = grid[0]

    def load(self, program: Any) -> dict[str, None]:
        return {"follow_windows": None}

    def pinned(self, size: int) -> np.ndarray:
        return np.zeros(size, np.uint8)

    def stream(self) -> None:
        return None

    event = stream

    def upload(self, *_: Any) -> None:
        return None

    download = record = synchronize = upload


@pytest.mark.parametrize(
    ("window", "points", "least", "most"),
    [
        (21, 2000, 1024, 1024),  # as many as the largest cards hold at a time
        (21, 5, 5, 5),
        (101, 2000, 180, 300),  # 1.1 MB each
        (201, 2000, 64, 64),  # 4.2 MB each; fewer would leave most of a card idle
    ],
)
def test_large_windows_are_followed_fewer_at_a_time(window: int, points: int, least: int, most: int) -> None:
    device, type_ = Counted(), ImageType(U8, 256, 256)
    following: Any = DeviceFollowing(device, window, type_)
    before = device.bytes
    batch: Any = SimpleNamespace(memory=None, hold=None)
    few = np.zeros(1)
    answers: Any = SimpleNamespace(columns=few, constants=few, tiles=few)
    following.follow(LyingImages(batch, count=1), [1.0], answers, 0, np.zeros((points, STATE)), 3, 0.5)
    assert least <= device.blocks <= most
    assert device.bytes - before < 300e6


def test_what_windows_take_there_is_estimated() -> None:
    assert waited(25, 50, 3) == pytest.approx(3e-5, rel=0.3)
    assert waited(25, BLOCKS + 1, 3) == 2 * waited(25, BLOCKS, 3)
    for tracker, window, seconds in (
        (TemplateTracker, 25, 4.3e-5),
        (KltTracker, 21, 3.9e-5),
        (VibrationTracker, 21, 2.3e-5),
    ):
        given: dict[str, Any] = {param.name: param.default for param in tracker.params} | {"window": window}
        assert tracker.seconds_there(given) == pytest.approx(seconds, rel=0.3)
        assert tracker.seconds_there(given) < 0.2 * tracker.seconds
