"""GenICam cameras of any maker, through harvesters (the extra `genicam`) and the maker's GenTL producer.

"cam:genicam:/opt/maker/producer.cti:SERIAL?PixelFormat=Mono8&Width=512&fps=200": whatever is not `fps` or `buffers` is
a node of the camera, set in the order given. Frames that found no buffer are missing in the camera's numbers.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from app.cameras.formats import delivered
from app.cameras.grabbing import (
    GoneError,
    Grabbed,
    GrabbingCamera,
    buffers_for,
    ctrl_c_kept,
    own_and_nodes,
    quiet_import,
)
from app.cameras.nodes import Nodes, reason
from app.cameras.query import Address
from kernels.errors import CameraLost, SourceError
from pipelines.frame import UNKNOWN, SourceInfo, TimeBase

EXTRA = "pip install 'fusetrack[genicam]'"
PATHS = "GENICAM_GENTL64_PATH"
"""Folders of producers, as the GenTL standard has it."""
LEAST = 1e-6
"""Seconds; harvesters takes 0 for an unlimited wait."""


def library() -> Any:
    """harvesters' module; ImportError if it is not installed."""
    made = quiet_import("harvesters.core")
    # What it has to say we say ourselves, once.
    logging.getLogger("harvesters").setLevel(logging.CRITICAL)
    return made


class Producers:
    """The producers that this process has loaded: a producer gives its devices to one harvester at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[str, tuple[Any, int]] = {}

    def hold(self, file: str) -> Any:
        """The harvester of a producer; devices are looked for unless one is in use."""
        with self._lock:
            harvester, users = self._held.get(file, (None, 0))
            if harvester is None:
                harvester = library().Harvester()
                harvester.add_file(file)
            if not users:
                harvester.update()
            self._held[file] = harvester, users + 1
            return harvester

    def drop(self, file: str) -> None:
        """One user less; the last one unloads it."""
        with self._lock:
            harvester, users = self._held.pop(file)
            if users > 1:
                self._held[file] = harvester, users - 1
            else:
                harvester.reset()


PRODUCERS = Producers()


def split_place(place: str, where: str) -> tuple[str, str]:
    """(path of the producer, which camera) of a text such as "/opt/x.cti:SERIAL"; a drive's colon is part of the path.

    Raises:
        SourceError: there is no such file.

    >>> split_place("C:/x.cti", "cam:genicam")
    Traceback (most recent call last):
    kernels.errors.SourceError: 'cam:genicam': there is no GenTL producer C:/x.cti; give the maker's .cti file
    """
    path, cti, wanted = place.partition(".cti")
    file = path + cti
    if not cti or not Path(file).is_file():
        raise SourceError(f"{where!r}: there is no GenTL producer {file or '(none given)'}; give the maker's .cti file")
    return str(Path(file).resolve()), wanted.removeprefix(":")


class GenicamCamera(GrabbingCamera):
    """A camera of a GenTL producer.

    Args:
        address: of kind "genicam"; its place is FILE.cti[:ID], the ID a serial number, a device id, a user-defined
            name or a position in the list; the first camera without.
        fps: the rate to ask for, in place of the address's.

    Raises:
        SourceError: harvesters, the producer or the camera is not there, or it refuses a parameter.
    """

    def __init__(self, address: Address, fps: float | None = None) -> None:
        self._address = address
        self._rate, self._buffers, self._settings = own_and_nodes(address, fps)
        try:
            library()
        except ImportError:
            raise SourceError(f"{address.text!r} needs harvesters; install it with {EXTRA}") from None
        self._file, self._wanted = split_place(address.place, address.text)
        self._acquirer: Any = None
        self._held = False
        self._stamped = self._numbered = True
        super().__init__(address.text)

    def _connect(self) -> SourceInfo:
        self._held = True
        try:
            harvester = PRODUCERS.hold(self._file)
            facts = [_facts(device) for device in harvester.device_info_list]
            index = next((k for k, f in enumerate(facts) if self._wanted in ("", *f.values(), str(k))), None)
            if index is None:
                there = ", ".join(f["serial_number"] or f["id_"] for f in facts) or "none"
                raise CameraLost(f"{self._where}: the producer has no such camera (there are: {there})")
            with ctrl_c_kept():
                self._acquirer = harvester.create(index)
            # Many producers hand on GigE Vision's own block ids, which begin again after 65535.
            self.wrap16 = str(_or(self._acquirer.device, "tl_type", "")).upper() == "GEV"
        except CameraLost:
            self._disconnect()
            raise
        except Exception as error:
            self._disconnect()
            raise CameraLost(f"{self._where} cannot be opened: {reason(error)}") from error
        map_ = self._acquirer.remote_device.node_map
        nodes = Nodes(self._where, map_.get_node, lambda: [name for name in dir(map_) if name[:1].isupper()])
        self._nodes = nodes
        nodes.configure(self._settings, self._rate)
        width, height = int(nodes.number("Width") or 0), int(nodes.number("Height") or 0)
        form = nodes.text("PixelFormat") or ""
        image, spelled = delivered(form, width, height, self._where)
        rate = nodes.rate
        buffers = max(self._buffers or buffers_for(rate, image.nbytes), int(self._acquirer.min_num_buffers))
        self._acquirer.num_buffers = buffers
        said = f"{rate:g} frames/s, says the camera" if math.isfinite(rate) else "the camera does not say its rate"
        return SourceInfo(
            name=self._where, kind="camera", width=width, height=height, frames=0, image=image, format=spelled,
            time=TimeBase(rate, "header", said),
            metadata={"camera": facts[index]["model"], "serial": facts[index]["serial_number"], "pixel_format": form,
                      "producer": self._file, "buffers": buffers, "controls": nodes.controls(),
                      "settings": dict(self._settings),
                      "exposure_us": nodes.number("ExposureTime", "ExposureTimeAbs")},
            identity={"address": self._where, "serial": facts[index]["serial_number"]},
        )  # fmt: skip

    def _disconnect(self) -> None:
        acquirer, self._acquirer = self._acquirer, None
        held, self._held = self._held, False
        try:
            if acquirer is not None:
                with suppress(Exception):
                    acquirer.stop()
                acquirer.destroy()
        finally:
            if held:
                PRODUCERS.drop(self._file)

    def _begin(self) -> None:
        self._acquirer.start()

    def _end(self) -> None:
        self._acquirer.stop()

    @contextmanager
    def _grab(self, timeout: float) -> Iterator[Grabbed | None]:
        if not self._acquirer.is_acquiring():
            raise GoneError("it stopped by itself")
        end = time.monotonic() + timeout
        buffer = None
        while buffer is None:  # None also when a picture was incomplete, which harvesters throws away
            buffer = self._acquirer.try_fetch(timeout=max(LEAST, end - time.monotonic()), is_raw=True)
            if time.monotonic() >= end:
                break
        if buffer is None:
            yield None
            return
        try:
            yield self._grabbed(buffer)
        finally:
            buffer.parent.queue_buffer(buffer)

    def _grabbed(self, buffer: Any) -> Grabbed:
        number = stamp = UNKNOWN
        if self._numbered:
            try:
                number = int(buffer.frame_id)
            except Exception:  # the producer has none
                self._numbered = False
        if self._stamped:
            try:
                stamp = int(buffer.timestamp_ns)
            except Exception:
                self._stamped = False
        width, height = int(buffer.width), int(buffer.height)
        image = self._info.image
        row = image.nbytes // image.height
        padding = int(_or(buffer, "padding_x", 0))
        kind = (width, height, str(_or(buffer, "pixel_format", "")))
        if (width, height) != (self._info.width, self._info.height):
            return Grabbed(number, stamp, kind, np.zeros(0, np.uint8))
        # Rows may be padded, and the picture may begin behind other data.
        data: Any = np.frombuffer(
            buffer.raw_buffer, np.uint8, (row + padding) * height, int(_or(buffer, "image_offset", 0))
        )
        if padding:
            data = np.ascontiguousarray(data.reshape(height, -1)[:, :row])
        return Grabbed(number, stamp, kind, data)


def _or(thing: Any, name: str, default: Any) -> Any:
    """An attribute that a producer need not have."""
    try:
        return getattr(thing, name)
    except Exception:
        return default


def _facts(device: Any) -> dict[str, str]:
    return {name: str(_or(device, name, "") or "") for name in ("serial_number", "id_", "user_defined_name", "model")}


def producers() -> list[str]:
    """The producers that the environment names."""
    folders = [Path(folder) for folder in os.environ.get(PATHS, "").split(os.pathsep) if folder]
    return [str(file) for folder in folders if folder.is_dir() for file in sorted(folder.glob("*.cti"))]


def found(file: str) -> list[tuple[str, str, str]]:
    """(address, model, serial number) of all cameras of a producer.

    Raises:
        ImportError: harvesters is not installed.
    """
    file = str(Path(file).resolve())
    harvester = PRODUCERS.hold(file)
    try:
        facts = [_facts(device) for device in harvester.device_info_list]
    finally:
        PRODUCERS.drop(file)
    return [(f"cam:genicam:{file}:{f['serial_number'] or f['id_']}", f["model"], f["serial_number"]) for f in facts]
