"""What `pipelines.frame.Camera` promises, for every kind of camera."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from kernels.errors import CameraLost, EndOfStream
from pipelines.frame import ARRIVAL, UNKNOWN, Camera
from pipelines.frontend import front_nodes
from tests.app.cameras.made import room, take_until_lost
from tests.patience import PATIENCE

KINDS = ("sim", "opencv", "pylon", "genicam")
pytestmark = pytest.mark.parametrize("opened", KINDS, indirect=True)


@pytest.fixture
def camera(opened: Camera) -> Iterator[Camera]:
    yield opened
    opened.close()


def some(camera: Camera, count: int = 8) -> list[np.ndarray]:
    """The next arrivals, at least `count`, and not past the end."""
    pixels, arrivals = room(camera, 4)
    parts, end = [], time.monotonic() + PATIENCE
    while sum(map(len, parts)) < count:
        assert time.monotonic() < end
        parts.append(arrivals[: camera.take(pixels, arrivals, 1.0)].copy())
    return np.concatenate(parts)


def test_info_says_what_comes(camera: Camera) -> None:
    info = camera.info
    assert info.kind == "camera"
    assert info.frames == 0
    assert info.image.height == info.height
    assert info.format.packing != "none" or info.image.width == info.width
    assert front_nodes(info) == []  # gray pictures as they are
    assert info.time.fps > 0
    assert math.isfinite(info.time.fps)
    assert info.identity["address"].startswith("cam:")


def test_frames_come_in_order_each_once(camera: Camera) -> None:
    before = time.time_ns()
    camera.start()
    rows = some(camera, 20)
    assert np.all(np.diff(rows["camera_id"]) > 0)
    assert np.all(np.diff(rows["host_time"]) >= 0)
    assert before <= rows["host_time"][0] <= rows["host_time"][-1] <= time.time_ns()
    known = rows["camera_time"] != UNKNOWN
    assert known.all() or not known.any()
    if known.all():
        assert np.all(np.diff(rows["camera_time"]) > 0)


def test_take_writes_what_it_says_and_no_more(camera: Camera) -> None:
    camera.start()
    image = camera.info.image
    pixels, arrivals = np.full((6, *image.shape), 77, image.dtype.numpy), np.zeros(6, ARRIVAL)
    arrivals["camera_id"] = -7
    count, end = 0, time.monotonic() + PATIENCE
    while not count:
        assert time.monotonic() < end
        count = camera.take(pixels, arrivals, 0.2)
    assert 1 <= count <= 6
    assert np.all(arrivals["camera_id"][:count] >= 0)
    assert np.all(arrivals["camera_id"][count:] == -7)
    assert np.all(pixels[count:] == 77)
    assert not np.all(pixels[:count] == 77)


def test_what_was_delivered_before_a_stop_can_be_taken_after_it(camera: Camera) -> None:
    camera.start()
    first = some(camera, 2)
    time.sleep(0.05)
    camera.stop()
    camera.stop()
    rest, over = take_until_lost(camera)
    assert isinstance(over, EndOfStream)
    assert rest == sorted(rest)
    if rest:
        assert rest[0] > first["camera_id"][-1]
    _, over = take_until_lost(camera)
    assert isinstance(over, EndOfStream)


def test_numbers_go_on_over_a_start(camera: Camera) -> None:
    camera.start()
    first = some(camera, 5)
    camera.stop()
    camera.start()
    second = some(camera, 5)
    rows = np.concatenate([first, second])
    assert np.all(np.diff(rows["camera_id"]) > 0)


def test_start_stop_and_close_may_come_twice_and_anywhere(camera: Camera) -> None:
    camera.stop()
    _, over = take_until_lost(camera)
    assert isinstance(over, EndOfStream)
    camera.start()
    camera.start()
    some(camera, 3)
    camera.close()
    camera.close()
    camera.stop()
    _, over = take_until_lost(camera)
    assert isinstance(over, CameraLost)
    with pytest.raises(CameraLost, match="closed"):
        camera.start()


def test_close_without_a_start(camera: Camera) -> None:
    camera.close()
    assert camera.info.frames == 0


def test_a_close_by_another_thread_ends_a_take_that_waits(camera: Camera) -> None:
    found: list[Exception] = []

    def take() -> None:
        found.append(take_until_lost(camera)[1])

    camera.start()
    thread = threading.Thread(target=take)
    thread.start()
    time.sleep(0.02)
    camera.close()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert isinstance(found[0], CameraLost)


def test_wrong_arrays_are_refused(camera: Camera) -> None:
    camera.start()
    pixels, arrivals = room(camera, 2)
    for wrong in (pixels[:, :-1], pixels.astype(np.float32), pixels[:0]):
        with pytest.raises(ValueError):
            camera.take(wrong, arrivals, 0)
    with pytest.raises(ValueError):
        camera.take(pixels, arrivals[:1], 0)


def test_the_end_of_the_stream_is_no_loss(camera: Camera, request: pytest.FixtureRequest) -> None:
    expected = {"sim": 60, "opencv": 40}.get(request.node.callspec.params["opened"])
    if expected is None:
        pytest.skip("this camera goes on for ever")
    for turn in range(2):
        camera.start()
        ids, over = take_until_lost(camera)
        assert isinstance(over, EndOfStream)
        assert ids == list(range(turn * expected, (turn + 1) * expected))
