"""Basler cameras, through pypylon (the extra `pylon`): "cam:pylon:SERIAL?ExposureTime=500&Width=512&fps=800".

Whatever is not `fps` or `buffers` is a node of the camera, set in the order given. Frames that pylon has no buffer for
are missing in the camera's numbers, as are pictures that came damaged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from app.cameras.formats import delivered
from app.cameras.grabbing import GoneError, Grabbed, GrabbingCamera, buffers_for, own_and_nodes, quiet_import
from app.cameras.nodes import Nodes
from app.cameras.query import Address
from kernels.errors import CameraLost, SourceError
from pipelines.frame import UNKNOWN, SourceInfo, TimeBase

NO_NUMBER = 2**64 - 1
EXTRA = "pip install 'fusetrack[pylon]'"


def library() -> Any:
    """pypylon's module; ImportError if it is not installed."""
    return quiet_import("pypylon.pylon")


def installed() -> bool:
    """Whether pypylon can be imported."""
    try:
        library()
    except ImportError:
        return False
    return True


class PylonCamera(GrabbingCamera):
    """A Basler camera, or pylon's emulated one (PYLON_CAMEMU=1).

    Args:
        address: of kind "pylon"; its place is a serial number or a user-defined name, "" for the first camera.
        fps: the rate to ask for, in place of the address's.

    Raises:
        SourceError: pypylon or the camera is not there, or it refuses a parameter.
    """

    def __init__(self, address: Address, fps: float | None = None) -> None:
        self._address = address
        self._rate, self._buffers, self._settings = own_and_nodes(address, fps)
        try:
            self._pylon = library()
        except ImportError:
            raise SourceError(f"{address.text!r} needs pypylon; install it with {EXTRA}") from None
        self._camera: Any = None
        self._ticks = 1_000_000_000
        super().__init__(address.text)

    def _connect(self) -> SourceInfo:
        pylon, wanted = self._pylon, self._address.place
        factory = pylon.TlFactory.GetInstance()
        found = [d for d in factory.EnumerateDevices() if wanted in ("", d.GetSerialNumber(), d.GetUserDefinedName())]
        if not found:
            there = ", ".join(d.GetSerialNumber() for d in factory.EnumerateDevices()) or "none"
            raise CameraLost(f"{self._where}: there is no such Basler camera (there are: {there})")
        device = found[0]
        try:
            self._camera = pylon.InstantCamera(factory.CreateDevice(device))
            self._camera.Open()
        except Exception as error:
            self._camera = None
            raise CameraLost(f"{self._where} cannot be opened: {str(error).split(' : ')[0]}") from error
        self.wrap16 = device.GetDeviceClass() == "BaslerGigE"
        map_ = self._camera.GetNodeMap()
        nodes = Nodes(self._where, lambda n: map_.GetNode(n), lambda: [n.GetNode().GetName() for n in map_.GetNodes()])
        self._nodes = nodes
        nodes.configure(self._settings, self._rate)
        width, height = int(nodes.number("Width") or 0), int(nodes.number("Height") or 0)
        form = nodes.text("PixelFormat") or ""
        image, spelled = delivered(form, width, height, self._where)
        self._ticks = int(nodes.number("GevTimestampTickFrequency") or 1_000_000_000)
        rate = nodes.rate
        buffers = self._buffers or buffers_for(rate, image.nbytes)
        self._camera.MaxNumBuffer.Value = buffers
        exposure = nodes.number("ExposureTime", "ExposureTimeAbs")
        return SourceInfo(
            name=self._where, kind="camera", width=width, height=height, frames=0, image=image, format=spelled,
            time=TimeBase(rate, "header", f"{rate:g} frames/s, says the camera; each frame has its time stamp"),
            metadata={"camera": device.GetModelName(), "serial": device.GetSerialNumber(), "pixel_format": form,
                      "exposure_us": exposure, "buffers": buffers, "controls": nodes.controls(),
                      "settings": dict(self._settings)},
            identity={"address": self._where, "serial": device.GetSerialNumber()},
        )  # fmt: skip

    def _disconnect(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            with suppress(Exception):
                camera.StopGrabbing()
            with suppress(Exception):
                camera.Close()
            camera.DestroyDevice()

    def _begin(self) -> None:
        self._camera.StartGrabbing(self._pylon.GrabStrategy_OneByOne)

    def _end(self) -> None:
        self._camera.StopGrabbing()

    @contextmanager
    def _grab(self, timeout: float) -> Iterator[Grabbed | None]:
        camera, pylon = self._camera, self._pylon
        result = camera.RetrieveResult(int(timeout * 1000), pylon.TimeoutHandling_Return)
        if not result.IsValid():
            if camera.IsCameraDeviceRemoved():
                raise GoneError("it was unplugged")
            if not camera.IsGrabbing():
                raise GoneError("it stopped by itself")
            yield None
            return
        try:
            yield self._grabbed(result)
        finally:
            result.Release()

    def _grabbed(self, result: Any) -> Grabbed:
        number, stamp = result.GetBlockID(), result.GetTimeStamp()
        seen = UNKNOWN if number == NO_NUMBER else number
        # To ns in whole numbers: a float of 64 bits loses the last digits of large stamps.
        clock = stamp * 1_000_000_000 // self._ticks if stamp else UNKNOWN
        if not result.GrabSucceeded():
            return Grabbed(seen, clock, (0, 0, ""), None)
        height, padding = result.GetHeight(), result.GetPaddingX()
        data: Any = np.frombuffer(result.GetImageMemoryView(), np.uint8)
        # The buffer may be longer than its rows.
        if padding:
            data = np.ascontiguousarray(data[: len(data) // height * height].reshape(height, -1)[:, :-padding])
        return Grabbed(seen, clock, (result.GetWidth(), height, str(result.GetPixelType())), data)


def found() -> list[tuple[str, str, str]]:
    """(address, model, serial number) of all Basler cameras that are there.

    Raises:
        ImportError: pypylon is not installed.
    """
    devices = library().TlFactory.GetInstance().EnumerateDevices()
    return [(f"cam:pylon:{d.GetSerialNumber()}", d.GetModelName(), d.GetSerialNumber()) for d in devices]
