"""Opens any camera by how it is written, and lists those that are there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from app.cameras import genicam, opencv, pylon
from app.cameras.query import parse_address
from app.cameras.simulated.camera import SimulatedCamera
from app.cameras.simulated.settings import read_settings
from kernels.errors import SourceError
from pipelines.frame import Camera


@dataclass(frozen=True, slots=True)
class CameraEntry:
    """A camera that is there.

    Args:
        text: how it is written; `open_camera` takes it.
        kind: "sim", "opencv", "pylon", "genicam".
        name: the model, as far as it says.
        serial: its serial number, "" if unknown.
        sentence: what it is, for people.
    """

    text: str
    kind: str
    name: str
    serial: str
    sentence: str


def open_camera(text: str, *, fps: float | None = None) -> Camera:
    """The camera that `text` names, not started yet.

    Args:
        text: cam:KIND[:PLACE][?name=value&...]: "cam:sim?fps=1000", "cam:0?size=640x480", "cam:rtsp://ADDRESS",
            "cam:pylon:SERIAL?ExposureTime=500", "cam:genicam:FILE.cti:ID?Width=512".
        fps: the rate to ask for, in place of what the text says.

    Raises:
        InputError: one sentence that says what is wrong: no such camera, no such parameter, an extra that is missing.
    """
    if fps is not None and not (math.isfinite(fps) and 0 < fps < 1e9):
        raise SourceError(f"the rate must be a positive number of frames a second, not {fps}")
    address = parse_address(text)
    match address.kind:
        case "sim":
            return SimulatedCamera(read_settings(address, fps), fps)
        case "pylon":
            return pylon.PylonCamera(address, fps)
        case "genicam":
            return genicam.GenicamCamera(address, fps)
        case _:
            return opencv.OpenCVCamera(address, fps)


def list_cameras() -> tuple[list[CameraEntry], list[str]]:
    """The cameras that are there, the simulated one first, and sentences about what could not be looked for."""
    entries = [
        CameraEntry("cam:sim", "sim", "simulated camera", "", "a process that delivers a rendered scene or a clip")
    ]
    notes = []
    for text, name in opencv.found():
        entries.append(CameraEntry(text, "opencv", name, "", f"{name}, through OpenCV"))
    if not Path("/sys/class/video4linux").is_dir():
        notes.append("cameras of OpenCV are found by trying: fusetrack cameras cam:0 --seconds 1, cam:1 ...")
    try:
        for text, name, serial in pylon.found():
            entries.append(CameraEntry(text, "pylon", name, serial, f"Basler {name} {serial}, through pypylon"))
    except ImportError:
        notes.append(f"Basler cameras need pypylon: {pylon.EXTRA}")
    except Exception as error:
        notes.append(f"pypylon does not work: {error}")
    _genicam(entries, notes)
    return entries, notes


def _genicam(entries: list[CameraEntry], notes: list[str]) -> None:
    files = genicam.producers()
    try:
        genicam.library()
    except ImportError:
        notes.append(f"GenICam cameras need harvesters: {genicam.EXTRA}")
        return
    if not files:
        notes.append(f"no GenTL producer is named by {genicam.PATHS}; one can be given as cam:genicam:FILE.cti")
    for file in files:
        try:
            for text, name, serial in genicam.found(file):
                entries.append(
                    CameraEntry(text, "genicam", name, serial, f"{name} {serial}, through {Path(file).name}")
                )
        except Exception as error:
            notes.append(f"{file} does not work: {error}")
