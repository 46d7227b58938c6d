"""Photron .mraw files with their .cih or .cihx header: mapped, O(1) access, nothing copied before unpacking.

Pixels follow each other without any padding. 12-bit samples lie most significant bits first (v0 = b0<<4 | b1>>4,
v1 = (b1&15)<<8 | b2); 10-bit samples are taken to follow the same rule. Colour is red, green, blue.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.files.missing import missing_sentence
from app.sources.base import check_picture, identity_of, plural
from app.sources.formats import HEADERS
from app.sources.mraw_header import MrawHeader, color_of, metadata, read_mraw_header, time_base
from app.sources.packed import PACKING, packed_size, rows_are_whole
from app.sources.photron import clip_of, header_of
from app.sources.raw_stack import Layout, RawStack, rows_of
from kernels.errors import SourceError
from kernels.ir.image import U8, U16, ImageType
from pipelines.frame import PixelFormat, SourceInfo

_CHANNELS = {8: 1, 10: 1, 12: 1, 14: 1, 16: 1, 24: 3, 30: 3, 36: 3, 48: 3}


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
        if (kind := header.text("format").lower()) not in ("", "mraw", "raw"):
            raise SourceError(f"{header.path} describes {kind[:20].upper()} files, not {path.name}; open those instead")
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
            path.name, "mraw", width, height, frames, image, pixels, time_base(header, first, warnings),
            first_number=first, declared_frames=declared, warnings=tuple(warnings),
            metadata=metadata(header), identity={**identity_of(path), "header": str(header.path.resolve())},
        ), layout  # fmt: skip

    def _formats(
        self, header: MrawHeader, samples: _Samples, width: int, height: int, warnings: list[str]
    ) -> tuple[ImageType, PixelFormat]:
        """What is delivered, and how it spells the picture."""
        color = color_of(header, samples.channels, warnings)
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
    """The .mraw and its header, whichever was named."""
    if not path.exists():
        raise SourceError(missing_sentence(path))
    if path.suffix.lower() in HEADERS:
        return clip_of(path), path
    header = header_of(path)
    if header is None:
        names = " or ".join(path.stem + ending for ending in HEADERS)
        raise SourceError(f"{path} lacks the file with its header: put {names} into the same folder")
    return path, header


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
