"""Photron .mraw files with their .cih or .cihx header: mapped, O(1) access, nothing copied before unpacking.

Pixels follow each other without any padding. 12-bit samples lie most significant bits first (v0 = b0<<4 | b1>>4,
v1 = (b1&15)<<8 | b2); 10-bit samples are taken to follow the same rule. Colour is red, green, blue.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.sources.base import (
    ClipSource,
    MappedFile,
    check_file,
    check_picture,
    describe_rate,
    identity_of,
    missing_sentence,
    plural,
)
from app.sources.mraw_header import MrawHeader, read_mraw_header
from app.sources.packed import PACKING, packed_size, rows_are_whole, unpack_msb
from kernels.errors import SourceError
from kernels.ir.image import U8, U16, ImageType
from pipelines.frame import PixelFormat, Pixels, SourceInfo, TimeBase

_HEADERS = (".cihx", ".cih")
_CHANNELS = {8: 1, 10: 1, 12: 1, 14: 1, 16: 1, 24: 3, 30: 3, 36: 3, 48: 3}
_MAX_RATE = 1e9


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a frame lies in the file: stored bits of a sample, samples of a row, bytes of a frame."""

    bits: int
    channels: int
    samples: int
    frame_bytes: int


class MrawSource(ClipSource):
    """A Photron recording, opened by either file of the pair.

    Args:
        path: the .mraw, .cih or .cihx.

    Raises:
        SourceError: the other half is missing, the header is damaged, or not one frame is whole.
    """

    from_trigger = True

    def __init__(self, path: Path) -> None:
        pixels_path, header_path = _pair(path)
        check_file(pixels_path)
        header = read_mraw_header(header_path)
        self._file = self._mapped = MappedFile(pixels_path)
        try:
            self._open(pixels_path, header)
        except BaseException:
            self._file.close()
            raise

    def _open(self, path: Path, header: MrawHeader) -> None:
        warnings: list[str] = []
        width, height, declared = header.size("width"), header.size("height"), header.size("frames")
        check_picture(header.path, width, height)
        layout = self._layout = _layout(header, width, height, declared, self._file.size, warnings)
        frames = min(declared, self._file.size // layout.frame_bytes)
        if not frames:
            raise SourceError(
                f"{path} is cut short: it holds {self._file.size} bytes, one frame of {width} x {height} "
                f"takes {layout.frame_bytes}"
            )
        if frames < declared:
            warnings.append(f"the file is cut short: {frames} of {declared} frames are there")
        elif self._file.size > declared * layout.frame_bytes:
            more = self._file.size - declared * layout.frame_bytes
            warnings.append(f"{plural(more, 'byte')} after the last of {plural(frames, 'frame')} are not used")
        image, pixels = self._formats(header, layout, width, height, warnings)
        check_picture(header.path, width, height, image.nbytes)
        start = header.number("start")
        first = int(start) if start == start else 0
        super().__init__(
            SourceInfo(
                path.name, "mraw", width, height, frames, image, pixels, _time_base(header, first, warnings),
                first_number=first, declared_frames=declared, warnings=tuple(warnings),
                metadata=_metadata(header), identity={**identity_of(path), "header": str(header.path.resolve())},
            )
        )  # fmt: skip

    def _formats(
        self, header: MrawHeader, layout: _Layout, width: int, height: int, warnings: list[str]
    ) -> tuple[ImageType, PixelFormat]:
        """What is delivered, and how it spells the picture."""
        color = _color(header, layout.channels, warnings)
        if layout.bits in PACKING:
            if layout.channels == 1 and rows_are_whole(width, layout.bits):
                row = width * layout.bits // 8
                return ImageType(U8, height, row), PixelFormat(color, layout.bits, PACKING[layout.bits])
            return ImageType(U16, height, width, layout.channels, layout.bits), PixelFormat(color, layout.bits)
        if layout.bits == 8:
            return ImageType(U8, height, width, layout.channels, 8), PixelFormat(color, 8)
        depth, bits, shift = header.number("depth"), 16, 0
        if 8 <= depth <= 16:
            bits = int(depth)
            shift = 16 - bits if header.text("side").lower() == "higher" else 0
        else:
            warnings.append(f"the effective depth {header.text('depth')[:20]!r} cannot be; 16 bits are assumed")
        # A left-justified sample needs all 16 bits until it is shifted.
        return ImageType(U16, height, width, layout.channels, 16 if shift else bits), PixelFormat(
            color, bits, "none", shift
        )

    def _frame(self, index: int) -> Pixels:
        layout, image = self._layout, self._info.image
        offset = index * layout.frame_bytes
        if layout.bits in PACKING and image.dtype == U16:
            data = self._file.view(index, offset, (layout.frame_bytes,), np.uint8, (1,))
            return unpack_msb(data, layout.samples * image.height, layout.bits).reshape(image.shape)
        size = image.dtype.itemsize
        row = image.width * image.channels * size
        strides = (row, size * image.channels, size)[: len(image.shape)]
        return self._file.view(index, offset, image.shape, "u1" if size == 1 else "<u2", strides)

    def close(self) -> None:
        self._file.close()


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


def _layout(header: MrawHeader, width: int, height: int, declared: int, size: int, warnings: list[str]) -> _Layout:
    """The layout that the header states, unless the file's size says that odd depths lie in 16-bit words."""
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
    return _Layout(stored, channels, samples, frame_bytes)


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
