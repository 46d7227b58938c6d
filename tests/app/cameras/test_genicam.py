"""Basler cameras on pylon's emulator, GenICam cameras on a GenTL producer; faults that neither has are put in."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.cameras import genicam, pylon
from app.cameras.base import Numbering
from app.cameras.controls import adjust, controls_of
from app.cameras.formats import delivered
from app.cameras.grabbing import GrabbingCamera
from app.cameras.opening import list_cameras, open_camera
from kernels.errors import CameraLost, InputError, SourceError
from kernels.executors.reference import evaluate
from kernels.stages.unpack import unpack
from pipelines.frame import UNKNOWN
from tests.app.cameras.made import missing, room, start_again, take_all, take_until_lost
from tests.patience import PATIENCE


@pytest.fixture
def basler() -> Callable[..., GrabbingCamera]:
    pytest.importorskip("pypylon")
    return lambda query="", serial="0815-0000": open_camera(f"cam:pylon:{serial}?Width=64&Height=48&fps=200{query}")


def test_basler_settings_are_applied(basler: Callable[..., Any]) -> None:
    with closing(basler("&ExposureTime=800&PixelFormat=Mono12&TestImageSelector=Testimage1")) as camera:
        info = camera.info
        assert (info.width, info.height, info.format.bits) == (64, 48, 12)
        assert info.image.dtype.numpy == np.uint16
        assert info.time.fps == pytest.approx(200)
        assert info.metadata["exposure_us"] == pytest.approx(800)
        assert info.metadata["serial"] == "0815-0000"
        taken = take_all(camera, most=5, keep=True)
    assert np.ptp(taken.pictures[0]) > 255  # a ramp, in more than eight bits
    assert max(p.max() for p in taken.pictures) <= 4095


def test_a_basler_camera_is_set_while_it_delivers(basler: Callable[..., Any]) -> None:
    with closing(basler("&ExposureTime=800&TestImageSelector=Testimage1")) as camera:
        live = {one.name for one in controls_of(camera.info.metadata) if one.live}
        assert live >= {"ExposureTimeAbs", "GainRaw"} or live >= {"ExposureTime", "Gain"}
        assert not live & {"Width", "Height", "PixelFormat"}
        exposure = "ExposureTimeAbs" if "ExposureTimeAbs" in live else "ExposureTime"
        before = take_all(camera, most=3)
        camera.start()
        now = adjust(camera, {exposure: "1500"})
        assert float(now[exposure]) == pytest.approx(1500)
        assert camera.info.metadata["exposure_us"] == pytest.approx(1500)
        assert f"{exposure}={now[exposure]}" in camera.info.identity["address"]
        assert take_all(camera, most=3).ids[0] > before.ids[-1]
        with pytest.raises(SourceError, match="refuses"):
            adjust(camera, {exposure: "-5"})
        with pytest.raises(InputError, match=r"Width of .* cannot be set while it delivers"):
            adjust(camera, {"Width": "32"})


def test_basler_colours(basler: Callable[..., Any]) -> None:
    with closing(basler("&PixelFormat=BGR8Packed")) as camera:
        assert camera.info.format.color == "bgr"
        assert take_all(camera, most=2, keep=True).pictures[0].shape == (48, 64, 3)
    with closing(basler("&PixelFormat=BayerRG8")) as camera:
        assert camera.info.format.color == "rggb"


def test_basler_pictures_that_came_damaged_are_missing_in_the_numbers(basler: Callable[..., Any]) -> None:
    with closing(basler()) as camera:
        ids = take_all(camera, most=3).ids
        nodes = camera._camera.GetNodeMap()
        nodes.GetNode("ForceFailedBufferCount").FromString("3")
        nodes.GetNode("ForceFailedBuffer").Execute()
        pixels, arrivals = room(camera, 1)
        end = time.monotonic() + PATIENCE
        while camera.damaged < 3 or len(ids) < 10:
            assert time.monotonic() < end
            ids += arrivals["camera_id"][: camera.take(pixels, arrivals, 0.5)].tolist()
    assert sum(b - a + 1 for a, b in missing(ids)) == 3


class Proxy:
    """Stands for a library's object until it is told to break."""

    def __init__(self, thing: Any, **changed: Any) -> None:
        self._thing, self._changed = thing, changed

    def __getattr__(self, name: str) -> Any:
        return self._changed[name] if name in self._changed else getattr(self._thing, name)


def unplugged(*_: Any, **__: Any) -> Any:
    raise RuntimeError("The device\nhas been removed")


def check_loss(camera: Any, part: str, call: str) -> None:
    camera.start()
    pixels, arrivals = room(camera, 4)
    ids: list[int] = []
    end = time.monotonic() + PATIENCE
    while len(ids) < 5:
        assert time.monotonic() < end
        ids += arrivals["camera_id"][: camera.take(pixels, arrivals, 1)].tolist()
    setattr(camera, part, Proxy(getattr(camera, part), **{call: unplugged}))
    _, over = take_until_lost(camera)
    assert isinstance(over, CameraLost)
    assert "The device has been removed" in str(over)
    start_again(camera, end)
    ids += take_all(camera, most=5).ids
    assert ids == sorted(set(ids))


def test_a_basler_camera_that_was_unplugged_comes_back(basler: Callable[..., Any]) -> None:
    with closing(basler()) as camera:
        check_loss(camera, "_camera", "RetrieveResult")


def test_a_basler_camera_that_is_gone_for_good_says_so(basler: Callable[..., Any], monkeypatch: Any) -> None:
    with closing(basler()) as camera:
        camera.start()
        camera._camera = Proxy(camera._camera, RetrieveResult=unplugged)
        take_until_lost(camera)
        monkeypatch.setattr(camera, "_address", type(camera._address)("cam:pylon:gone", "pylon", "gone"))
        with pytest.raises(CameraLost, match="no such Basler camera"):
            camera.start()


def test_a_basler_camera_whose_picture_changes_is_lost(basler: Callable[..., Any]) -> None:
    with closing(basler()) as camera:
        take_all(camera, most=2)
        camera._camera.StopGrabbing()  # as if somebody else had set it meanwhile
        camera._camera.GetNodeMap().GetNode("Width").FromString("80")
        camera._camera.StartGrabbing(camera._pylon.GrabStrategy_OneByOne)
        _, over = take_until_lost(camera)
        assert isinstance(over, CameraLost)
        assert "80x48" in str(over)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("&Hight=3", "did you mean 'Height'"),
        ("&OffsetX=99999999", "smaller than Max"),
        ("&OffsetX=tall", "cannot convert"),
        ("&PixelFormat=RGB16Packed", "ask for another one"),
        ("&buffers=-1", "outside its range"),
    ],
)
def test_basler_mistakes_are_one_sentence(basler: Callable[..., Any], query: str, said: str) -> None:
    with pytest.raises(SourceError if "RGB16" not in query else InputError) as caught:
        basler(query)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    basler().close()  # nothing was left open


def test_no_such_basler_camera(basler: Callable[..., Any]) -> None:
    with pytest.raises(SourceError, match="there are: 0815-0000"):
        basler(serial="4711")


def viky(producer: str, query: str = "", serial: str = "0") -> Any:
    return open_camera(f"cam:genicam:{producer}:{serial}?PixelFormat=Mono8&Width=320&fps=100{query}")


def test_ctrl_c_stays_what_it_was(producer: str) -> None:
    before = signal.getsignal(signal.SIGINT)
    with closing(open_camera(f"cam:genicam:{producer}?PixelFormat=RGBa8")) as camera:
        camera.start()
        assert signal.getsignal(signal.SIGINT) is before


def test_genicam_settings_are_applied(producer: str) -> None:
    with closing(viky(producer)) as camera:
        assert (camera.info.width, camera.info.format.color, camera.info.time.fps) == (320, "mono", 100)
        taken = take_all(camera, most=10, keep=True)
    assert not missing(taken.ids)
    assert np.ptp(taken.pictures[0]) > 0
    with closing(open_camera(f"cam:genicam:{producer}?PixelFormat=RGBa8")) as camera:
        assert camera.info.format.color == "rgba"
        assert take_all(camera, most=1, keep=True).pictures[0].shape[2] == 4


def test_genicam_frames_without_a_buffer_are_missing_in_the_numbers(producer: str) -> None:
    with closing(viky(producer, "&buffers=5")) as camera:
        assert camera.info.metadata["buffers"] == 5
        ids = take_all(camera, most=3).ids
        time.sleep(0.3)  # far more frames than buffers
        ids += take_all(camera, most=20).ids
    assert len(missing(ids)) >= 1
    assert ids == sorted(set(ids))


@pytest.mark.parametrize(("kind", "wraps"), [("GEV", True), ("U3V", False), ("", False)])
def test_numbers_of_gige_cameras_may_begin_again_after_65535(
    producer: str, kind: str, wraps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two frames are lost there; of other cameras nobody can know how many."""
    plain = genicam._or
    told = {"tl_type": kind}
    monkeypatch.setattr(genicam, "_or", lambda thing, name, default: told.get(name, plain(thing, name, default)))
    with closing(viky(producer)) as camera:
        given = iter([65533, 65534, 2, 3])
        grabbed = camera._grabbed

        def numbered(buffer: Any) -> Any:
            return replace(grabbed(buffer), number=next(given))

        camera._grabbed = numbered
        ids = take_all(camera, most=4).ids[:4]
        camera._grabbed = grabbed
    assert ids == ([65533, 65534, 65537, 65538] if wraps else [65533, 65534, 65535, 65536])


def test_two_genicam_cameras_of_one_producer(producer: str) -> None:
    with closing(viky(producer, serial="0")) as first, closing(viky(producer, serial="1")) as second:
        first.start()
        assert len(take_all(second, most=3).ids) >= 3
        assert len(take_all(first, most=3).ids) >= 3
    with closing(viky(producer, serial="1")) as again:
        assert len(take_all(again, most=3).ids) >= 3


def test_a_genicam_camera_that_was_unplugged_comes_back(producer: str) -> None:
    with closing(viky(producer)) as camera:
        check_loss(camera, "_acquirer", "try_fetch")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (":7", "there are: 0, 1, 2"),
        ("?Widht=3", "did you mean 'Width'"),
        ("?Width=123456", "smaller than Max"),
        ("?PixelFormat=Mono12Packed", "refuses"),
    ],
)
def test_genicam_mistakes_are_one_sentence(producer: str, place: str, said: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_camera(f"cam:genicam:{producer}{place}")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    viky(producer).close()


def test_no_such_producer() -> None:
    pytest.importorskip("harvesters")
    with pytest.raises(SourceError, match=r"no GenTL producer nowhere\.cti"):
        open_camera("cam:genicam:nowhere.cti:1")


def test_all_that_is_there_is_listed_and_can_be_opened(producer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(genicam.PATHS, producer.rpartition("/")[0])
    entries, _ = list_cameras()
    assert [e.serial for e in entries if e.kind == "genicam"] == ["0", "1", "2"]
    text = next(e.text for e in entries if e.kind == "genicam")
    open_camera(text).close()
    if pylon.installed():
        assert [e.serial for e in entries if e.kind == "pylon"] == ["0815-0000", "0815-0001"]
    assert entries[0].text == "cam:sim"


@pytest.mark.parametrize(("module", "text"), [(pylon, "cam:pylon"), (genicam, "cam:genicam:x.cti")])
def test_an_extra_that_is_missing_is_one_sentence(module: Any, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing_module() -> Any:
        raise ImportError

    monkeypatch.setattr(module, "library", missing_module)
    with pytest.raises(SourceError, match=r"pip install 'fusetrack\["):
        open_camera(text)
    _, notes = list_cameras()
    assert any("pip install" in note for note in notes)


def test_packed_formats_are_those_that_the_front_end_unpacks() -> None:
    rng = np.random.default_rng(3)
    for name, bits in (("Mono10pmsb", 10), ("Mono12pmsb", 12)):
        values = rng.integers(0, 2**bits, (3, 8))
        # most significant bits first, as one long number a row
        rows = [int("".join(f"{v:0{bits}b}" for v in row), 2).to_bytes(bits, "big") for row in values.tolist()]
        image, form = delivered(name, 8, 3, "x")
        bytes_ = np.frombuffer(b"".join(rows), np.uint8).reshape(image.shape)
        np.testing.assert_array_equal(evaluate(unpack, bytes_, packing=form.packing, width=8), values)
    with pytest.raises(InputError, match="multiple of 4"):
        delivered("Mono10pmsb", 7, 3, "x")
    for name in ("Mono10p", "Mono12p", "Mono12Packed", "YUV422_8", "RGB12p", ""):
        with pytest.raises(InputError, match=r"\?PixelFormat=Mono"):
            delivered(name, 8, 8, "x")


def test_numbers_that_wrap_and_clocks_that_begin_anew() -> None:
    numbering = Numbering()
    numbering.begin()
    given = [65533, 65534, 65535, 1, 2, 2, 4]
    assert [numbering.number(raw, wrap16=True) for raw in given] == [65533, 65534, 65535, 65536, 65537, 65537, 65539]
    assert numbering.clock(1000, 50_000) == 1000
    numbering.begin()
    assert numbering.number(1, wrap16=True) == 65540
    assert numbering.number(3, wrap16=True) == 65542
    assert numbering.clock(10, 50_700) == 1700  # the host's clock went on by 700 meanwhile
    assert numbering.clock(20, 50_710) == 1710
    glitched = Numbering()
    given = [7, 8, 1 << 40, 10, 11, 11]  # one wrong number, and what follows stays new
    assert [glitched.number(raw) for raw in given] == [7, 8, 2**40, 2**40 + 1, 2**40 + 2, 2**40 + 2]
    assert numbering.number(UNKNOWN) == UNKNOWN
    assert numbering.clock(UNKNOWN, 1) == UNKNOWN
