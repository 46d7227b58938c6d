"""Cameras through OpenCV: a video file as the device, and a device that does what it likes."""

from __future__ import annotations

import threading
import time
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.cameras import opencv
from app.cameras.opening import open_camera
from app.sources.opening import open_source
from kernels.errors import CameraLost, SourceError
from kernels.opencv import cv2
from pipelines.frame import UNKNOWN
from tests.app.cameras.made import missing, start_again, take_all, take_until_lost
from tests.patience import PATIENCE


class Device:
    """A fake cv2.VideoCapture: pictures of a size it insists on, that fail or change when told to.

    `script` holds what each grab after the first picture gives: True, False (it is gone), or a new (height, width).
    """

    opened: list[Device] = []  # noqa: RUF012
    accepts = True
    there = True
    script: list[Any] = []  # noqa: RUF012
    gate: threading.Event | None = None

    def __init__(self, *target: Any) -> None:
        self.target, self.asked = target, {cv2.CAP_PROP_FPS: 30.0}
        self.size, self.count, self.released = (24, 32), 0, False
        type(self).opened.append(self)

    def isOpened(self) -> bool:  # noqa: N802
        return self.there

    def getBackendName(self) -> str:  # noqa: N802
        return "FAKE"

    def set(self, what: int, value: float) -> bool:
        if self.accepts:
            self.asked[what] = value
            if what == cv2.CAP_PROP_FRAME_WIDTH:
                self.size = self.size[0], int(value)
            if what == cv2.CAP_PROP_FRAME_HEIGHT:
                self.size = int(value), self.size[1]
        return self.accepts

    def get(self, what: int) -> float:
        named = {cv2.CAP_PROP_FRAME_WIDTH: self.size[1], cv2.CAP_PROP_FRAME_HEIGHT: self.size[0]}
        return named.get(what, self.asked.get(what, 0.0))

    def read(self) -> tuple[bool, Any]:
        return self.retrieve()

    def grab(self) -> bool:
        if self.gate is not None:
            self.gate.wait(PATIENCE)
        step = type(self).script.pop(0) if type(self).script else False
        if isinstance(step, tuple):
            self.size = step
        elif isinstance(step, Exception):
            raise step
        return bool(step)

    def retrieve(self) -> tuple[bool, Any]:
        self.count += 1
        return True, np.full((*self.size, 3), self.count % 256, np.uint8)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> type[Device]:
    class Fresh(Device):
        opened: list[Device] = []  # noqa: RUF012
        script: list[Any] = []  # noqa: RUF012

    monkeypatch.setattr(opencv.cv2, "VideoCapture", Fresh)
    return Fresh


def test_a_video_file_is_delivered_frame_by_frame(video: Path) -> None:
    with closing(open_camera(f"cam:{video}?gray=true")) as camera, closing(open_source(video)) as source:
        assert camera.info.time.fps == pytest.approx(200)
        taken = take_all(camera, keep=True)
        assert taken.ids == list(range(40))
        assert np.all(taken.arrivals["camera_time"] == UNKNOWN)
        for k in (0, 7, 39):
            np.testing.assert_allclose(taken.pictures[k].astype(int), source.read(k).astype(int), atol=2)


def test_a_file_that_is_read_too_slowly_loses_frames_by_number(video: Path) -> None:
    with closing(open_camera(f"cam:{video}?gray=true&queue=4&fps=2000")) as camera:
        camera.start()
        end = time.monotonic() + PATIENCE
        while camera._stream.over is None and time.monotonic() < end:
            time.sleep(0.01)
        ids, _ = take_until_lost(camera)
        assert ids == [0, 1, 2, 3]
        camera.start()
        more, _ = take_until_lost(camera, 64)
    assert more[0] >= 40
    assert missing([*ids, *more])[0] == (4, more[0] - 1)


def test_it_is_asked_for_what_the_address_says(device: type[Device]) -> None:
    with closing(open_camera("cam:3?size=64x48&fps=120&fourcc=MJPG")) as camera:
        made = device.opened[0]
        assert made.target[0] == 3
        assert made.asked[cv2.CAP_PROP_FPS] == 120
        assert made.asked[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
        assert (camera.info.width, camera.info.height) == (64, 48)
        assert camera.info.format.color == "bgr"
        assert not camera.info.warnings
        assert camera.info.time.fps == 120
    assert made.released


class Pictures(BaseHTTPRequestHandler):
    """A network camera: JPEGs one after another at 100 a second, which says nothing of its rate."""

    picture = cv2.imencode(".jpg", np.full((48, 64, 3), 99, np.uint8))[1].tobytes()
    sent: list[float] = []  # noqa: RUF012

    def log_message(self, *args: Any) -> None:
        del args

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        head = b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(self.picture)
        with suppress(OSError):
            while True:
                self.wfile.write(head + self.picture + b"\r\n")
                self.sent.append(time.monotonic())
                time.sleep(0.01)


def test_the_rate_of_a_network_camera_is_measured() -> None:
    """FFmpeg says 25 of any such stream."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pictures)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with closing(open_camera(f"cam:http://127.0.0.1:{server.server_port}/live.mjpg")) as camera:
        time_base = camera.info.time
    sent = Pictures.sent[len(Pictures.sent) // 2 :]
    assert time_base.fps == pytest.approx((len(sent) - 1) / (sent[-1] - sent[0]), rel=0.3)
    assert "as measured at opening" in time_base.note
    server.shutdown()
    server.server_close()


def test_it_says_what_it_gives_instead(device: type[Device], monkeypatch: pytest.MonkeyPatch) -> None:
    device.accepts = False
    monkeypatch.setattr(opencv, "MEASURE", 0.01)
    with closing(open_camera("cam:rtsp://host/live?channel=1#size=64x48&fps=120")) as camera:
        assert device.opened[0].target == ("rtsp://host/live?channel=1",)
        size, rate = camera.info.warnings
        assert "gives 32x24" in size
        assert "says it gives 30" in rate


def test_a_device_that_is_gone_is_lost_and_comes_back(device: type[Device]) -> None:
    device.script = [True, True, False]
    with closing(open_camera("cam:0")) as camera:
        camera.start()
        ids, over = take_until_lost(camera)
        assert ids == [0, 1, 2]
        assert isinstance(over, CameraLost)
        device.there = False
        with pytest.raises(CameraLost, match="no such camera"):
            camera.start()
        device.there, device.script = True, [True, RuntimeError("bus\nreset")]
        start_again(camera, time.monotonic() + PATIENCE)
        ids, over = take_until_lost(camera)
        assert ids == [3, 4]
        assert "bus reset" in str(over)
    assert all(made.released for made in device.opened)


def test_another_size_is_a_loss(device: type[Device]) -> None:
    device.script = [True, (10, 12), True]
    with closing(open_camera("cam:0")) as camera:
        camera.start()
        ids, over = take_until_lost(camera)
        assert ids == [0, 1]
        assert "12x10" in str(over)
        assert camera.info.image.shape == (24, 32, 3)


def test_stop_keeps_what_is_in_the_queue_for_the_next_start(device: type[Device]) -> None:
    device.script = [True] * 5 + [False]
    with closing(open_camera("cam:0")) as camera:
        camera.start()
        end = time.monotonic() + PATIENCE
        while camera._stream.over is None and time.monotonic() < end:
            time.sleep(0.005)
        device.script = [True, False]
        camera.start()
        ids, _ = take_until_lost(camera, 3)
        assert ids == list(range(8))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cam:99", "no such camera"),
        ("cam:/dev/video99", "no such camera"),
        ("cam:0?sise=3x4", "did you mean 'size'"),
        ("cam:0?fourcc=MJ", "four letters"),
        ("cam:0?size=big", "WIDTHxHEIGHT"),
        ("cam:0?queue=1", "outside its range"),
    ],
)
def test_mistakes_are_one_sentence(text: str, said: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_camera(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
