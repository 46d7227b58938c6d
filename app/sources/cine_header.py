"""The headers of a Phantom cine file, checked against the size of the file before they are believed.

Layout after Vision Research, "Cine File Format": file header, bitmap header, SETUP (whose length grew over the
years: a field beyond its length does not exist), tagged blocks, table of image offsets.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.sources.base import MappedFile, check_picture
from app.sources.packed import packed_size
from kernels.errors import SourceError

_FILE_HEADER = struct.Struct("<2sHHHiIiIIIIII")
_BITMAP_HEADER = struct.Struct("<IiiHHIIiiII")
_SETUP_MARK, _SETUP_MIN = 140, 144
_SAMPLE_BITS = {0: 0, 256: 10, 1024: 12}  # biCompression -> bits of a packed sample, 0 for whole bytes


@dataclass(frozen=True, slots=True)
class Setup:
    """The camera's settings; a field that this file is too old for gives its default."""

    data: bytes

    def integer(self, offset: int, code: str = "I", default: int = 0) -> int:
        return int(self._value(offset, code, default))

    def number(self, offset: int, code: str = "f", default: float = 0.0) -> float:
        return float(self._value(offset, code, default))

    def text(self, offset: int, size: int) -> str:
        return self.data[offset : offset + size].split(b"\0")[0].decode("latin-1").strip()

    def _value(self, offset: int, code: str, default: float) -> float:
        if offset + struct.calcsize(code) > len(self.data):
            return default
        return float(struct.unpack_from("<" + code, self.data, offset)[0])


@dataclass(frozen=True, slots=True)
class CineHeader:
    """What the headers say, after the checks.

    Args:
        compression: 0 gray or interpolated colour, 2 uninterpolated (Bayer) colour.
        first_image: the camera's number of the first image in the file, negative before the trigger.
        declared: images that the header promises.
        offsets: file offsets of the images' annotations, int64, as many as the table in the file holds.
        trigger: seconds since 1970 and fraction / 2**32 of the trigger.
        width, height: picture size in pixels.
        top_down: rows are stored from the top.
        sample_bits: 10 or 12 for packed samples, 0 for samples of whole bytes.
        bit_count: bits of a stored pixel: 8 or 16 (one sample), 24 or 48 (blue, green, red).
        stride: bytes from row to row; 0 when packed rows do not start on whole bytes.
        image_bytes: bytes of one image.
        setup: camera settings.
        blocks: tagged blocks by type.
        warnings: sentences about what is odd.
    """

    compression: int
    first_image: int
    declared: int
    offsets: npt.NDArray[np.int64]
    trigger: tuple[int, int]
    width: int
    height: int
    top_down: bool
    sample_bits: int
    bit_count: int
    stride: int
    image_bytes: int
    setup: Setup
    blocks: dict[int, bytes]
    warnings: tuple[str, ...]


def read_header(path: Path, file: MappedFile) -> CineHeader:
    """All headers of a cine.

    Raises:
        SourceError: cut short, damaged, or of a variety that is not supported.
    """
    head = file.bytes(0, _FILE_HEADER.size)
    if len(head) < _FILE_HEADER.size:
        raise SourceError(f"{path} is cut short inside its file header ({file.size} bytes)")
    (mark, _, compression, _, _, _, first, declared, at_bitmap, at_setup, at_offsets, fraction, seconds) = (
        _FILE_HEADER.unpack(head)
    )
    if mark != b"CI":
        raise SourceError(f"{path} is not a cine file: it does not begin with 'CI'")
    if compression not in (0, 2):
        name = "JPEG" if compression == 1 else f"type {compression}"
        raise SourceError(f"{path} is a compressed cine ({name}), which is not supported; save it uncompressed")
    if declared == 0:
        raise SourceError(f"{path} holds no frames: its header counts 0 images")
    warnings: list[str] = []
    bitmap = file.bytes(at_bitmap, _BITMAP_HEADER.size)
    if len(bitmap) < _BITMAP_HEADER.size:
        raise SourceError(f"{path} is cut short or damaged: its bitmap header would lie at byte {at_bitmap}")
    _, width, height, _, bit_count, packing, size_image, *_ = _BITMAP_HEADER.unpack(bitmap)
    # As in Windows bitmaps rows run upwards unless biHeight is negative; packed rows run downwards all the same.
    top_down, height = height < 0 or packing != 0, abs(height)
    check_picture(path, width, height)
    if packing not in _SAMPLE_BITS or (packing and bit_count != 16) or bit_count not in (8, 16, 24, 48):
        raise SourceError(
            f"{path} stores its pixels in a way that is not supported (biBitCount {bit_count}, biCompression {packing})"
        )
    sample_bits = _SAMPLE_BITS[packing]
    stride, image_bytes = _rows(path, width * (sample_bits or bit_count), height, size_image, bool(packing), warnings)
    setup, end = _setup(file, at_setup, at_offsets, warnings)
    blocks = _blocks(file, end, at_offsets)
    return CineHeader(
        compression, first, declared, _offsets(path, file, at_offsets, declared), (seconds, fraction), width, height,
        top_down, sample_bits, bit_count, stride, image_bytes, setup, blocks, tuple(warnings),
    )  # fmt: skip


def _rows(
    path: Path, row_bits: int, height: int, size_image: int, packed: bool, warnings: list[str]
) -> tuple[int, int]:
    """Bytes from row to row and of an image; biSizeImage decides between tight, padded and running rows."""
    # Tight: rows end on a byte. Padded: on four, as in bitmaps. Running: a packed row begins within the byte in which
    # the one before ended.
    tight = -(-row_bits // 8)
    padded = -(-tight // 4) * 4
    running = packed_size(height * row_bits, 1)
    if size_image in (0, tight * height):
        return tight, tight * height
    if size_image == padded * height:
        return padded, size_image
    if packed and size_image == running:
        return 0, running
    if size_image > tight * height:
        warnings.append(f"an image is said to take {size_image} bytes where {tight * height} would do")
        return tight, tight * height
    raise SourceError(
        f"{path} is damaged: its images are said to take {size_image} bytes each, but their size needs {tight * height}"
    )


def _setup(file: MappedFile, at: int, limit: int, warnings: list[str]) -> tuple[Setup, int]:
    """The SETUP structure and where it ends."""
    data = file.bytes(at, _SETUP_MIN)
    if len(data) < _SETUP_MIN or data[_SETUP_MARK : _SETUP_MARK + 2] != b"ST":
        warnings.append("the camera settings are missing or damaged; frame rate, depth and flips are unknown")
        return Setup(b""), 0
    # The structure grew with the cameras' software: its length, behind the mark, says which fields a file has.
    length = struct.unpack_from("<H", data, _SETUP_MARK + 2)[0]
    if at < limit < at + length:
        length = limit - at
        warnings.append("the camera settings are cut short by the image table")
    return Setup(file.bytes(at, length)), at + length


def _blocks(file: MappedFile, at: int, limit: int) -> dict[int, bytes]:
    """Tagged blocks between SETUP and the table of offsets: size, type, reserved, data."""
    blocks: dict[int, bytes] = {}
    while at > 0 and at + 8 <= min(limit, file.size):
        size, kind, _ = struct.unpack("<IHH", file.bytes(at, 8))
        if size < 8 or at + size > min(limit, file.size):
            break
        if kind in (1002, 1003):  # times of the images; their exposures
            blocks[kind] = file.bytes(at + 8, size - 8)
        at += size
    return blocks


def _offsets(path: Path, file: MappedFile, at: int, declared: int) -> npt.NDArray[np.int64]:
    """The table of image offsets, as far as the file goes."""
    held = min(declared, max(0, file.size - at) // 8)
    if held == 0:
        raise SourceError(f"{path} is cut short or damaged: its table of images would lie at byte {at} of {file.size}")
    table: npt.NDArray[np.int64] = file.view(0, at, (held,), "<i8", (8,))
    return table
