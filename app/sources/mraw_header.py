"""The header beside what Photron's software writes: .cih (text) or .cihx (XML inside a binary).

Both end up as one `MrawHeader`. Text may be UTF-8 or Shift-JIS, keys and values in any case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from app.sources.base import check_file, describe_rate, read_head
from kernels.errors import SourceError
from pipelines.frame import TimeBase

_MAX_HEADER = 64 << 20
_MAX_RATE = 1e9
_ENCODINGS = ("utf-8-sig", "cp932", "latin-1")

# Name used here -> key of the .cih, path in the .cihx.
_FIELDS = {
    "width": ("image width", "imageDataInfo/resolution/width"),
    "height": ("image height", "imageDataInfo/resolution/height"),
    "color": ("color type", "imageDataInfo/colorInfo/type"),
    "bits": ("color bit", "imageDataInfo/colorInfo/bit"),
    "bayer": ("bayer pattern", "imageDataInfo/colorInfo/bayer"),
    "depth": ("effectivebit depth", "imageDataInfo/effectiveBit/depth"),
    "side": ("effectivebit side", "imageDataInfo/effectiveBit/side"),
    "frames": ("total frame", "frameInfo/totalFrame"),
    "start": ("start frame", "frameInfo/startFrame"),
    "step": ("save step", "frameInfo/skipFrame"),
    "rate": ("record rate(fps)", "recordInfo/recordRate"),
    "format": ("file format", "imageFileInfo/fileFormat"),
    "camera": ("camera type", "deviceInfo/deviceName"),
    "date": ("date", "fileInfo/date"),
    "time": ("time", "fileInfo/time"),
    "shutter": ("shutter speed(s)", "recordInfo/shutterSpeed"),
    "shutter_ns": ("shutter type2(nsec)", "recordInfo/shutterSpeedNsec"),
    "trigger": ("trigger mode", "recordInfo/triggerMode/mode"),
    "comment": ("comment text", "basicInfo/comment"),
}


@dataclass(frozen=True, slots=True)
class MrawHeader:
    """The fields of `_FIELDS` as text, "" where the header lacks one."""

    path: Path
    fields: Mapping[str, str]

    def text(self, name: str) -> str:
        return self.fields.get(name, "")

    def number(self, name: str) -> float:
        """The leading number of a field, NaN when there is none.

        >>> MrawHeader(Path("a.cih"), {"rate": "15000 "}).number("rate")
        15000.0
        >>> MrawHeader(Path("a.cih"), {"rate": "1,000,000"}).number("rate")
        1000000.0
        """
        match = re.match(r"\s*[-+]?(\d{1,3}(,\d{3})+|\d{1,18})(\.\d{1,18})?(?![\d,])", self.text(name))
        match = match or re.match(r"\s*[-+]?\d{1,18}(\.\d{1,18})?", self.text(name))
        return float(match.group().replace(",", "")) if match else float("nan")

    def size(self, name: str) -> int:
        """A field that must be a positive whole number.

        Raises:
            SourceError: it is missing or something else.
        """
        value = self.number(name)
        if not value >= 1 or value != int(value):
            key = _FIELDS[name][1 if self.path.suffix.lower() == ".cihx" else 0]
            raise SourceError(f"{self.path} does not give a usable '{key}' ({self.text(name)[:40]!r})")
        return int(value)


def read_mraw_header(path: Path) -> MrawHeader:
    """Either kind of header, distinguished by content.

    Raises:
        SourceError: too large, damaged, or not a Photron header.
    """
    size = check_file(path)
    if size > _MAX_HEADER:
        raise SourceError(f"{path} is too large for a Photron header ({size} bytes)")
    data = read_head(path, size)
    fields = _from_xml(path, data) if b"<cih" in data else _from_text(path, data)
    return MrawHeader(path, fields)


def _decode(data: bytes) -> str:
    for encoding in _ENCODINGS:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 decodes everything")


def _from_text(path: Path, data: bytes) -> dict[str, str]:
    """Fields of a .cih; the first of several equal keys counts, as later sections repeat some for replay."""
    found: dict[str, str] = {}
    for line in _decode(data).splitlines():
        key, colon, value = line.partition(":")
        if colon:
            found.setdefault(key.strip().lower(), value.strip())
    if "image width" not in found and "record rate(fps)" not in found:
        raise SourceError(f"{path} is not a Photron header: it has no line 'Image Width : ...'")
    return {name: found.get(key, "") for name, (key, _) in _FIELDS.items()}


def _from_xml(path: Path, data: bytes) -> dict[str, str]:
    """Fields of a .cihx, whose XML lies between binary parts."""
    start, end = data.find(b"<cih"), data.rfind(b"</cih>")
    if end < start:
        raise SourceError(f"{path} is cut short: its XML part has no end")
    xml = data[start : end + len(b"</cih>")]
    if b"<!DOCTYPE" in xml or b"<!ENTITY" in xml:
        raise SourceError(f"{path} is damaged: its XML part declares entities, which no camera writes")
    trees = import_module("xml.etree.ElementTree")  # of this kind of header alone
    try:
        root = trees.fromstring(_decode(xml))
    except (SyntaxError, ValueError) as error:  # ParseError is one of the former
        raise SourceError(f"{path} is damaged: its XML part cannot be read ({error})") from None
    return {name: (root.findtext(where) or "").strip() for name, (_, where) in _FIELDS.items()}


def color_of(header: MrawHeader, channels: int, warnings: list[str]) -> str:
    """Colour spelling. "Raw" is how the viewer calls unprocessed pixels of mono and colour cameras alike."""
    if channels == 3:
        return "rgb"
    kind = header.text("color").lower()
    color_camera = re.search(r"\btype\s+\S*K-C\b", header.text("camera"), re.IGNORECASE) is not None
    if "bayer" not in kind and not (kind == "raw" and color_camera):
        return "mono"
    letters = re.sub(r"[^rgb]", "", (header.text("bayer") or kind.replace("bayer", "")).lower())
    if letters in ("rggb", "bggr", "grbg", "gbrg"):
        return letters
    warnings.append("the header does not name the order of the Bayer mosaic; red, green / green, blue is assumed")
    return "rggb"


def time_base(header: MrawHeader, first: int, warnings: list[str]) -> TimeBase:
    """Effective rate: the record rate over the save step; the first frame's number counts recorded ones."""
    rate, step = header.number("rate"), header.number("step")
    if not 0 < rate < _MAX_RATE:
        text = header.text("rate")[:20]
        return TimeBase(float("nan"), "unknown", f"the header's record rate is {text!r}; give the rate with --fps")
    if not step >= 1:
        if header.text("step"):
            warnings.append(f"the save step {header.text('step')[:20]!r} cannot be; every frame is taken as saved")
        step = 1.0
    fps, begin = rate / step, first / rate
    if step == 1:
        return TimeBase(fps, "header", f"{describe_rate(fps)}, the header's record rate", begin=begin)
    note = f"{describe_rate(fps)}: recorded at {describe_rate(rate)}, one frame in {step:.0f} saved"
    return TimeBase(fps, "header", note, begin=begin)


def metadata(header: MrawHeader) -> dict[str, Any]:
    """Camera, exposure, date for the summary; fields that the header does not have are left out."""
    data: dict[str, Any] = {
        name: header.text(name) for name in ("camera", "date", "time", "trigger", "comment") if header.text(name)
    }
    data["record_fps"] = header.text("rate")
    data["save_step"] = header.text("step")
    exposure = _exposure(header)
    if exposure is not None:
        data["exposure_s"] = exposure
    return data


def _exposure(header: MrawHeader) -> float | None:
    """Exposure in seconds: nanoseconds where the header has them, else the shutter's "1/15371" or its reciprocal."""
    nanoseconds = header.number("shutter_ns")
    if nanoseconds > 0:
        return nanoseconds * 1e-9
    match = re.match(r"\s*1\s*/\s*(\d{1,12}(\.\d{1,6})?)", header.text("shutter"))
    reciprocal = float(match.group(1)) if match else header.number("shutter")
    return 1.0 / reciprocal if reciprocal > 0 else None
