"""What can be set of a camera, as it says it and as an address says it back."""

from __future__ import annotations

import json
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.cameras import opencv
from app.cameras.base import empty_arrivals
from app.cameras.controls import Control, adjust, controls_of, of_params, with_settings
from app.cameras.nodes import Nodes
from app.cameras.opening import open_camera
from kernels.errors import InputError, SourceError
from kernels.ir.image import ImageType, dtype_of
from kernels.opencv import cv2
from kernels.param import Param
from pipelines.frame import PixelFormat, SourceInfo, TimeBase
from tests.patience import PATIENCE


class Node:
    """A node as pylon has it."""

    def __init__(
        self, value: str, low: float | None = None, high: float | None = None, words: tuple[str, ...] = ()
    ) -> None:
        self.value, self.low, self.high, self.words = value, low, high, words
        if words:
            self.GetSymbolics = lambda: words
        if low is not None:
            self.GetMin, self.GetMax, self.GetInc = (lambda: low), (lambda: high), (lambda: 4)

    def ToString(self) -> str:  # noqa: N802
        return self.value

    def FromString(self, value: str) -> None:  # noqa: N802
        if self.low is not None and self.high is not None and not self.low <= float(value) <= self.high:
            raise ValueError("out of range")
        self.value = value


def nodes(**made: Node) -> Nodes:
    return Nodes("cam:test", made.get, lambda: list(made))


def test_standard_settings_come_with_limits_and_choices() -> None:
    found = nodes(ExposureTime=Node("900.0", 1, 1e7), TriggerMode=Node("Off", words=("Off", "On")),
                  Gain=Node("0", 0, 48), AcquisitionFrameRateAbs=Node("100", 0.01, 5000),
                  AcquisitionFrameRateEnable=Node("true"),
                  DeviceTemperature=Node("40", 0, 90)).controls()  # fmt: skip
    by_name = {one.name: one for one in controls_of({"controls": json.loads(json.dumps(found))})}
    assert set(by_name) == {"ExposureTime", "TriggerMode", "Gain", "AcquisitionFrameRateAbs",
                            "AcquisitionFrameRateEnable"}  # fmt: skip
    exposure = by_name["ExposureTime"]
    assert (exposure.value, exposure.low, exposure.high, exposure.step, exposure.unit) == ("900.0", 1, 1e7, 4, "us")
    assert by_name["TriggerMode"].choices == ("Off", "On")
    enable = by_name["AcquisitionFrameRateEnable"]
    assert (enable.choices, enable.value) == (("1", "0"), "1")


@pytest.mark.parametrize(("wide", "begins"), [("100", "300"), ("400", "0")])
def test_a_region_may_grow_from_where_it_is_and_its_place_follows_its_size(wide: str, begins: str) -> None:
    """Wider than what is right of where it begins; and a place that there is only once it is narrower."""
    width, offset = Node(wide, 4, int(wide)), Node(begins, 0, 300)

    def write(value: str) -> None:
        assert int(value) <= 400 - int(width.value)
        offset.value = value
        width.high = 400 - int(value)

    offset.FromString = write  # type: ignore[method-assign]
    nodes(Width=width, OffsetX=offset).configure({"OffsetX": "40", "Width": "360"}, None)
    assert (width.value, offset.value) == ("360", "40")


def test_own_parameters_are_controls() -> None:
    params = (Param("fps", "float", 0.0, "rate", "1/s", 0, 1e6), Param("gray", "bool", False, "gray"),
              Param("mode", "choice", "a", "how", choices=("a", "b")),
              Param("queue", "int", 4, "room", "", 2))  # fmt: skip
    values = {"fps": 30.0, "gray": True, "mode": "b", "queue": 4}
    fps, gray, mode, queue = controls_of({"controls": of_params(params, values)})
    assert (fps.low, fps.high, fps.is_number) == (0, 1e6, True)
    assert (gray.value, gray.choices) == ("true", ("true", "false"))
    assert (mode.value, mode.choices, mode.is_number) == ("b", ("a", "b"), False)
    assert (queue.low, queue.high, queue.step) == (2, None, 1.0)


def test_settings_go_into_the_address() -> None:
    assert with_settings("cam:sim", {"fps": "100"}) == "cam:sim?fps=100"
    assert with_settings("cam:sim?fps=5&size=64x48", {"fps": "100"}) == "cam:sim?fps=100&size=64x48"
    assert with_settings("cam:0?fourcc=MJPG", {"fourcc": "A&B="}) == "cam:0?fourcc=A%26B%3D"
    with pytest.raises(SourceError):
        with_settings("clip.avi", {"fps": "1"})


def first(camera: Any, beyond: int = -1) -> tuple[int, Any]:
    """The number and the picture of the next frame beyond one."""
    pixels, arrivals = np.zeros((1, *camera.info.image.shape), camera.info.image.dtype.numpy), empty_arrivals(1)
    while int(arrivals["camera_id"][0]) <= beyond:
        while not camera.take(pixels, arrivals, PATIENCE):
            pass
    return int(arrivals["camera_id"][0]), pixels[0]


def test_the_simulated_camera_says_what_it_has_and_takes_light() -> None:
    with closing(open_camera("cam:sim?fps=200&size=64x48&exposure=0.5&pictures=1")) as camera:
        by_name = {one.name: one for one in controls_of(camera.info.metadata)}
        assert by_name["exposure"] == Control("exposure", "0.5", by_name["exposure"].words, "1", 0.0, 100.0, live=True)
        assert by_name["fps"].value == "200.0"
        assert [one.name for one in by_name.values() if one.live] == ["exposure"]
        camera.start()
        number, half = first(camera)
        half = half.copy()
        assert adjust(camera, {"exposure": "1"}) == {"exposure": "1"}
        later, whole = first(camera, number + 150)  # more than are under way
        assert later > number, "it goes on counting"
        assert camera.info.identity["address"] == "cam:sim?fps=200&size=64x48&exposure=1&pictures=1"
        assert {one.name: one.value for one in controls_of(camera.info.metadata)}["exposure"] == "1"
        with pytest.raises(InputError, match="only exposure can"):
            adjust(camera, {"size": "32x32"})
        with pytest.raises(SourceError, match="exposure"):
            adjust(camera, {"exposure": "-1"})
    assert abs(half.astype(int) - whole.astype(int) / 2).max() <= 0.5
    assert whole.max() > 20


def test_a_clip_that_is_played_has_no_light_to_set() -> None:
    clip = Path(__file__).parents[3] / "sample_videos" / "vortex_600fps.avi"
    with closing(open_camera(f"cam:sim?clip={clip}")) as camera, pytest.raises(InputError, match="nothing can"):
        adjust(camera, {"exposure": "2"})


def test_nodes_are_set_while_a_camera_delivers_and_say_what_they_have() -> None:
    made = nodes(ExposureTime=Node("900", 1, 1e7), Gain=Node("0", 0, 48), Width=Node("640", 4, 640))
    live = {one["name"]: one["live"] for one in made.controls()}
    assert live == {"ExposureTime": True, "Gain": True, "Width": False}
    assert made.adjust({"ExposureTime": "100", "Gain": "3"}) == {"ExposureTime": "100", "Gain": "3"}
    with pytest.raises(SourceError, match="refuses Gain=99"):
        made.adjust({"ExposureTime": "200", "Gain": "99"})
    assert made.text("ExposureTime") == "200", "what came before stays"


class Driver:
    """A capture whose driver has a gain and no exposure, and clips gains at 50."""

    def __init__(self) -> None:
        self.held = {cv2.CAP_PROP_GAIN: 10.0, cv2.CAP_PROP_FPS: 30.0, cv2.CAP_PROP_EXPOSURE: -1.0}

    def get(self, number: int) -> float:
        return self.held.get(number, -1.0)

    def set(self, number: int, value: float) -> bool:
        if self.held.get(number, -1.0) != -1.0:
            self.held[number] = min(value, 50.0)
        return True


def test_a_driver_of_opencv_is_asked_between_two_frames_by_the_thread_that_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    camera, driver = opened("gain=20", monkeypatch)
    camera._info = SourceInfo(
        name="cam:0", kind="camera", width=64, height=48, frames=0, image=ImageType(dtype_of("uint8"), 48, 64, 1),
        format=PixelFormat("mono", 8), time=TimeBase(30.0, "header", ""), identity={"address": "cam:0?gain=20"},
        metadata={"controls": camera._controls(driver, ImageType(dtype_of("uint8"), 48, 64, 1))},
    )  # fmt: skip
    asked_by = []

    class Capture(Driver):
        def set(self, number: int, value: float) -> bool:
            asked_by.append(threading.current_thread().name)
            return super().set(number, value)

        def grab(self) -> bool:
            time.sleep(0.001)
            return True

        def retrieve(self) -> tuple[bool, Any]:
            return True, np.zeros((48, 64), np.uint8)

        def release(self) -> None:
            pass

    camera._stream = opencv._Stream(Capture(), np.zeros((48, 64), np.uint8), 8, 0, False, 0.0)
    camera._started = True
    camera._stream.begin("cam:0", False)
    assert adjust(camera, {"gain": "80"}) == {"gain": "50"}, "what the driver says that it has"
    assert asked_by == ["camera"]
    assert camera.info.identity["address"] == "cam:0?gain=50"
    with pytest.raises(SourceError, match="gain is a number"):
        adjust(camera, {"gain": "much"})
    with pytest.raises(InputError, match="fps of cam:0 cannot be set"):
        adjust(camera, {"fps": "50"})
    camera.close()


def opened(query: str, monkeypatch: pytest.MonkeyPatch) -> tuple[opencv.OpenCVCamera, Driver]:
    """A camera that has not connected."""
    monkeypatch.setattr(opencv.OpenCVCamera, "_connect", lambda _: (None, None))
    made = open_camera(f"cam:0?{query}")
    assert isinstance(made, opencv.OpenCVCamera)
    return made, Driver()


def test_drivers_of_opencv_are_asked_and_what_they_refuse_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    camera, driver = opened("gain=20", monkeypatch)
    assert camera._ask(driver)[1:] == []
    assert driver.held[cv2.CAP_PROP_GAIN] == 20.0
    camera, driver = opened("gain=80&exposure=-6", monkeypatch)
    said: Any = " ".join(camera._ask(driver))
    assert "asked for gain=80 and says it has 50" in said
    assert "asked for exposure=-6 and says it has -1" in said
    found = controls_of({"controls": camera._controls(driver, ImageType(dtype_of("uint8"), 48, 64, 1))})
    names = [one.name for one in found]
    assert "gain" in names
    assert "exposure" not in names
    with pytest.raises(SourceError, match="gain is a number"):
        opened("gain=much", monkeypatch)
