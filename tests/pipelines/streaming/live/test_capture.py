"""The thread that takes frames from a camera: it neither keeps it waiting nor hurries it."""

from __future__ import annotations

import threading

import pytest

from pipelines.streaming.common.meter import Meter
from pipelines.streaming.live.batching import BatchLength
from pipelines.streaming.live.capture import SPARE, Capture
from pipelines.streaming.live.episode import Episode
from pipelines.streaming.live.ring import Ring
from tests.patience import PATIENCE
from tests.pipelines.clips import moving_spots
from tests.pipelines.streaming.live.cameras import FakeCamera


class Deaf:
    """Nobody to tell of losses."""

    def lost(self, reason: str) -> None:
        raise AssertionError(reason)

    def back(self) -> None:
        raise AssertionError("it was not lost")


@pytest.mark.parametrize("paused", [True, False])
def test_a_camera_that_has_more_than_there_was_room_for_is_not_kept_waiting(
    paused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Frames gather in the camera only while it has room, too: otherwise what nobody has time for is lost there."""
    camera = FakeCamera(moving_spots(8), range(4 * SPARE), most=10_000)
    episode, image = Episode(), camera.info.image
    capture = Capture(camera, episode, Meter(), Deaf(), frames=None, patience=1.0,
                      length=BatchLength(0.25, 64, 16))  # fmt: skip
    monkeypatch.setattr(capture, "_pace", lambda *_: None)
    capture.pace = 600.0  # seconds: whoever waits once fails here
    capture.pause(paused)
    capture.connect()
    thread = threading.Thread(target=capture.run, args=(Ring(SPARE, image),), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    waits = thread.is_alive()
    capture.stop()
    thread.join(PATIENCE)
    assert not waits
    assert (episode.ledger.announced, episode.ledger.left_out) == (4 * SPARE, 4 * SPARE if paused else 3 * SPARE)


def test_frames_gather_where_the_camera_had_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = FakeCamera(moving_spots(8), range(4 * SPARE), most=SPARE // 2)
    capture = Capture(camera, Episode(), Meter(), Deaf(), frames=None, patience=1.0,
                      length=BatchLength(0.25, 64, 16))  # fmt: skip
    waits: list[float | None] = []
    monkeypatch.setattr(capture, "_pace", lambda *_: None)
    monkeypatch.setattr(capture._stop, "wait", waits.append)
    capture.pace = 0.01
    capture.connect()
    capture.run(Ring(8 * SPARE, camera.info.image))
    assert waits == [0.01] * 8
