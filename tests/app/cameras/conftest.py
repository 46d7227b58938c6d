"""Cameras that can be had without a camera: pylon's emulator, the GenTL producer that the genicam package brings."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

from app.cameras.opening import open_camera
from app.sources.simulated.source import make_scene
from app.sources.simulated.writing import write_scene
from pipelines.frame import Camera
from tests.app.cameras.made import threaded

os.environ["PYLON_CAMEMU"] = "2"  # read when pylon is first used


@pytest.fixture(scope="session")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lossless video of 40 frames, 64x48, 200 frames/s."""
    path = tmp_path_factory.mktemp("video") / "beam.avi"
    write_scene(make_scene("sim:beam?width=64&height=48&frames=40&fps=200"), path)
    return path


@pytest.fixture
def producer() -> str:
    """The GenTL producer of the genicam package: three cameras with the serial numbers 0, 1, 2."""
    pytest.importorskip("harvesters")
    found = importlib.util.find_spec("genicam")
    assert found is not None
    assert found.origin is not None
    path = Path(found.origin).with_name("viky.cti")
    if not path.is_file():
        pytest.skip("this genicam package brings no GenTL producer")
    return str(path)


@pytest.fixture
def opened(request: pytest.FixtureRequest, video: Path) -> Camera:
    """A camera of the kind `request.param`; gray pictures."""
    kind: Any = request.param
    if kind == "sim":
        return threaded("cam:sim?size=64x48&fps=500&frames=60&ring=64")
    if kind == "opencv":
        return open_camera(f"cam:{video}?gray=true&queue=64")
    if kind == "pylon":
        pytest.importorskip("pypylon")
        return open_camera("cam:pylon:0815-0001?Width=64&Height=48&fps=200")
    file = request.getfixturevalue("producer")
    return open_camera(f"cam:genicam:{file}:2?PixelFormat=Mono8&fps=100")
