"""Photron .mraw files with their .cih or .cihx header: mapped, O(1) access, nothing copied before unpacking.

Pixels follow each other without any padding. 12-bit samples lie most significant bits first (v0 = b0<<4 | b1>>4,
v1 = (b1&15)<<8 | b2); 10-bit samples are taken to follow the same rule. Colour is red, green, blue.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.sources.base import check_picture, describe_rate, identity_of, missing_sentence, plural
from app.sources.mraw_header import MrawHeader, read_mraw_header
from app.sources.packed import PACKING, packed_size, rows_are_whole
from app.sources.raw_stack import Layout, RawStack, rows_of
from kernels.errors import SourceError
from kernels.ir.image import U8, U16, ImageType
from pipelines.frame import PixelFormat, SourceInfo, TimeBase

_HEADERS = (".cihx", ".cih")
_CHANNELS = {8: 1, 10: 1, 12: 1, 14: 1, 16: 1, 24: 3, 30: 3, 36: 3, 48: 3}
_MAX_RATE = 1e9


@dataclass(frozen=True, slots=True)
class _Samples:
    """How samples are stored: bits of one, how many to a pixel and to a row, bytes of a frame."""

    bits: int
    channels: int
    row: int
    frame_bytes: int


class MrawSource(RawStack):
    """A Photron recording, opened by either file of the pair.

    Args:
        path: the .mraw, .cih or .cihx.

    Raises:
        SourceError: the other half is missing, the header is damaged, or not one frame is whole.
    """

    from_trigger = True

    def __init__(self, path: Path) -> None:
        pixels_path, self._header_path = _pair(path)
        super().__init__(pixels_path)

    def _describe(self, path: Path) -> tuple[SourceInfo, Layout]:
        header = read_mraw_header(self._header_path)
        warnings: list[str] = []
        width, height, declared = header.size("width"), header.size("height"), header.size("frames")
        check_picture(header.path, width, height)
        size = self._file.size
        samples = _samples(header, width, height, declared, size, warnings)
        image, pixels = self._formats(header, samples, width, height, warnings)
        check_picture(header.path, width, height, image.nbytes)
        layout = _layout(samples, image)
        frames = layout.frames_in(path, size, declared, warnings)
        if size > declared * layout.step:
            more = size - declared * layout.step
            warnings.append(f"{plural(more, 'byte')} after the last of {plural(frames, 'frame')} are not used")
        start = header.number("start")
        first = int(start) if start == start else 0
        return SourceInfo(
            path.name, "mraw", width, height, frames, image, pixels, _time_base(header, first, warnings),
            first_number=first, declared_frames=declared, warnings=tuple(warnings),
            metadata=_metadata(header), identity={**identity_of(path), "header": str(header.path.resolve())},
        ), layout  # fmt: skip

    def _formats(
        self, header: MrawHeader, samples: _Samples, width: int, height: int, warnings: list[str]
    ) -> tuple[ImageType, PixelFormat]:
        """What is delivered, and how it spells the picture."""
        color = _color(header, samples.channels, warnings)
        if samples.bits in PACKING:
            if samples.channels == 1 and rows_are_whole(width, samples.bits):
                row = width * samples.bits // 8
                return ImageType(U8, height, row), PixelFormat(color, samples.bits, PACKING[samples.bits])
            return ImageType(U16, height, width, samples.channels, samples.bits), PixelFormat(color, samples.bits)
        if samples.bits == 8:
            return ImageType(U8, height, width, samples.channels, 8), PixelFormat(color, 8)
        depth, bits, shift = header.number("depth"), 16, 0
        if 8 <= depth <= 16:
            bits = int(depth)
            shift = 16 - bits if header.text("side").lower() == "higher" else 0
        else:
            warnings.append(f"the effective depth {header.text('depth')[:20]!r} cannot be; 16 bits are assumed")
        # A left-justified sample needs all 16 bits until it is shifted.
        return ImageType(U16, height, width, samples.channels, 16 if shift else bits), PixelFormat(
            color, bits, "none", shift
        )


def _layout(samples: _Samples, image: ImageType) -> Layout:
    """Frames follow each other without any padding; packed ones are unpacked as a whole where rows share bytes."""
    size = samples.frame_bytes
    if samples.bits in PACKING and image.dtype == U16:
        return Layout((size,), "u1", (1,), 0, size, samples.bits, samples.row * image.height)
    dtype = "u1" if image.dtype == U8 else "<u2"
    return Layout(image.shape, dtype, rows_of(image.shape, dtype, size // image.height), 0, size)


def _pair(path: Path) -> tuple[Path, Path]:
    """The .mraw and its header, whichever was named; endings and names in any case."""
    suffix = path.suffix.lower()
    if not path.exists():
        raise SourceError(missing_sentence(path))
    wanted = (".mraw",) if suffix in _HEADERS else _HEADERS
    siblings = {p.name.casefold(): p for p in sorted(path.parent.iterdir()) if p.is_file()}
    for ending in wanted:
        other = siblings.get((path.stem + ending).casefold())
        if other is not None:
            return (other, path) if suffix in _HEADERS else (path, other)
    names = " or ".join(path.stem + ending for ending in wanted)
    what = "pixels" if suffix in _HEADERS else "header"
    raise SourceError(f"{path} lacks the file with its {what}: put {names} into the same folder")


def _samples(header: MrawHeader, width: int, height: int, declared: int, size: int, warnings: list[str]) -> _Samples:
    """What the header states, unless the file's size says that odd depths lie in 16-bit words."""
    bits = header.size("bits")
    channels = _CHANNELS.get(bits)
    if channels is None:
        known = ", ".join(map(str, _CHANNELS))
        raise SourceError(f"{header.path} gives {bits} bits a pixel, which no Photron camera writes (known: {known})")
    stored, samples = bits // channels, width * channels
    frame_bytes = packed_size(samples * height, stored)
    if stored in (10, 12, 14) and (stored == 14 or size == declared * samples * height * 2 != declared * frame_bytes):
        warnings.append(f"the header says {bits} bits a pixel, the samples are taken as 16-bit words")
        stored, frame_bytes = 16, samples * height * 2
    return _Samples(stored, channels, samples, frame_bytes)


def _color(header: MrawHeader, channels: int, warnings: list[str]) -> str:
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


def _time_base(header: MrawHeader, first: int, warnings: list[str]) -> TimeBase:
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


def _metadata(header: MrawHeader) -> dict[str, Any]:
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
