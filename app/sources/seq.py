"""NorPix sequences (StreamPix .seq): strided frames, mapped; or JPEG or PNG pictures one after another.

Uncompressed frames begin at 8192 (version 5 and later) or 1024 and lie `step` bytes apart; behind the pixels of each
is its time. Compressed ones begin with their size (u32, which counts itself), and time and padding follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sources.base import MappedFile, check_picture, identity_of, plural, reason_of
from app.sources.image_marks import marks_of
from app.sources.integrity import Examined, Integrity, Tell, examining
from app.sources.raw_stack import Layout, RawStack, rows_of
from app.sources.seq_header import STAMP, Stamps, metadata, mosaic_of, read_header, ticks_of, time_base
from kernels.errors import BadFrame, SourceError
from kernels.ir.image import U8, U16, ImageType
from kernels.opencv import cv2
from pipelines.frame import PixelFormat, Pixels, SourceInfo

_HEADER, _LATER_START, _LATER = 1024, 8192, 5
_COLOR = {100: "mono", 101: "bayer", 112: "mono", 113: "bayer", 114: "mono", 115: "bayer",
          200: "bgr", 400: "rgb", 500: "bgra"}  # fmt: skip
"""Of the codes for formats."""
_LEFT, _SWAPPED = (112, 113, 114, 115), (114, 115)
"""Samples of more than 8 bits at the top of 16; those with the high byte first."""
_CHANNELS = {"mono": 1, "bayer": 1, "bgr": 3, "rgb": 3, "bgra": 4}
_OTHER = {300: "colour in planes", 600: "YUV 4:2:2", 610: "YUV 4:2:2", 620: "YUV 4:2:2", 700: "UYV 4:2:2",
          800: "UYV 4:1:1", 900: "UYV 4:4:4", 905: "BGR 5:5:5", 906: "BGR 5:6:5", 123: "BGR of 10 bits, packed",
          131: "packed samples", 132: "packed samples", 133: "packed samples", 134: "packed samples"}  # fmt: skip
_PICTURES = (1, 2, 102, 201)
"""Codes of other programs for frames that are PNG or JPEG."""
_COMPRESSION = ("none", "JPEG", "RLE", "Huffman", "LZ", "fast RLE", "fast Huffman", "fast LZ", "H.264", "wavelets")
_MARKS = (b"\xff\xd8\xff", b"\x89PNG")
_ENDS = (b"\xff\xd9", b"IEND\xaeB`\x82")
_GAPS = (8, 6, 16, 4, 10, 12, 0)
"""Bytes from the end of a compressed frame to the next: the time, padding."""
_TRIES = 16
"""Compressed frames that are tried for one that tells the type of all."""
_PADDING = 64
"""Bytes to a multiple of which rows may be padded."""


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Where compressed frames lie: first byte and bytes of each, without their size."""

    starts: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]


class SeqSource(RawStack):
    """A NorPix sequence.

    Args:
        path: the file.

    Raises:
        SourceError: damaged header, a compression or a format that is not read, or not one frame is whole.
    """

    _pieces: _Pieces | None = None
    _oldest = 0
    """Place in the file of frame 0, where a loop was recorded into."""

    def _describe(self, path: Path) -> tuple[SourceInfo, Layout]:
        header, warnings = read_header(path, self._file), list[str]()
        if (method := header["compression"]) > 1:
            what = _COMPRESSION[method] if method < len(_COMPRESSION) else f"method {method}"
            raise SourceError(f"{path} is compressed ({what}), which only StreamPix reads; export it there without "
                              "compression, or as TIFF or AVI")  # fmt: skip
        if method == 1 or header["format"] in _PICTURES:
            image, pixels = self._compressed(path, header, warnings)
            layout, stamps = Layout((1,), "u1", (1,)), self._stamps_of_pieces()
        else:
            image, pixels, layout = _plain(path, header, warnings)
            stamps = self._recorded(path, header, layout, warnings)
        frames = len(stamps)
        return SourceInfo(
            path.name, "seq", header["width"], header["height"], frames, image, pixels,
            time_base(header, stamps, warnings), declared_frames=max(header["frames"], frames),
            warnings=tuple(warnings), metadata=metadata(header, stamps), identity=identity_of(path),
        ), layout  # fmt: skip

    def _recorded(self, path: Path, header: dict[str, Any], layout: Layout, warnings: list[str]) -> Stamps:
        """The times of the frames that are there, in their order.

        Headers of recordings that were broken off count wrong, and files that are made beforehand hold frames that
        were never recorded, which have no time.
        """
        size, counted = self._file.size, header["frames"]
        # The times lie behind each frame's pixels; the file may end before the last one's.
        most = layout.frames_in(path, size, max(counted, (size - layout.start) // layout.step + 1), [])
        behind = layout.start + header["image_bytes"]
        timed = min(most, (size - behind - STAMP.itemsize) // layout.step + 1)
        stamps = np.zeros(most, STAMP)
        stamps[:timed] = self._file.view(0, behind, (timed,), STAMP, (layout.step,)) if timed > 0 else 0
        empty = 0
        # Frames that were made beforehand have a time of 0: those behind the last one that has one were never recorded.
        if timed == most and stamps["s"][0] and not stamps["s"][-1]:
            empty = most - 1 - int(np.flatnonzero(stamps["s"])[-1])
        frames = most - empty
        if counted > most:
            warnings.append(f"the file is cut short: {most} of {counted} frames are there")
        elif counted and frames > counted:
            warnings.append(f"the header counts {plural(counted, 'frame')}, the file holds {frames}; all are taken")
        if empty and counted > frames:
            left = min(counted, most) - frames
            warnings.append(f"{plural(left, 'frame')} at the end without a time stamp were never recorded and are "
                            "left out")  # fmt: skip
        oldest, ticks = header["oldest"], ticks_of(stamps[:frames])
        # A recording in a loop: its oldest frame is where the time falls; it is served from there on.
        if 0 < oldest < frames and ticks[oldest] < ticks[oldest - 1] and ticks[-1] < ticks[0]:
            self._oldest = oldest
        return np.roll(stamps[:frames], -self._oldest)

    def _compressed(self, path: Path, header: dict[str, Any], warnings: list[str]) -> tuple[ImageType, PixelFormat]:
        """Finds the pieces; what is delivered of them."""
        pieces = self._pieces = _find_pieces(path, self._file)
        there, counted = len(pieces.starts), header["frames"]
        if there < counted:
            warnings.append(f"the file is cut short or damaged: {there} of {counted} frames are there")
        first = next((one for k in range(min(there, _TRIES)) if isinstance(one := self._decode(k), np.ndarray)), None)
        if first is None:
            raise SourceError(f"{path} is damaged: none of its first frames can be decoded ({self._decode(0)})")
        height, width = first.shape[:2]
        if (width, height) != (header["width"], header["height"]):
            raise SourceError(f"{path} is damaged: its header says {header['width']} x {header['height']}, its frames "
                              f"are {width} x {height}")  # fmt: skip
        channels = 1 if first.ndim == 2 else first.shape[2]
        color = {1: _COLOR.get(header["format"], "mono"), 3: "bgr", 4: "bgra"}[channels]
        if color == "bayer":
            color = mosaic_of(header, warnings)
        elif channels == 1:
            color = "mono"
        dtype, bits = (U8, 8) if first.dtype == np.uint8 else (U16, 16)
        return ImageType(dtype, height, width, channels, bits), PixelFormat(color, bits)

    def _stamps_of_pieces(self) -> Stamps:
        assert self._pieces is not None
        ends = self._pieces.starts + self._pieces.sizes
        # The room behind a compressed frame up to the next; the next one's size takes four bytes of it.
        room = np.append(self._pieces.starts[1:] - 4, self._file.size) - ends  # some write six bytes alone
        data = b"".join(
            self._file.bytes(end, min(STAMP.itemsize, count)).ljust(STAMP.itemsize, b"\0")
            for end, count in zip(ends.tolist(), room.tolist(), strict=True)
        )
        return np.frombuffer(data, STAMP)

    def _offset(self, index: int) -> int:
        return self._layout.start + (index + self._oldest) % self._info.frames * self._layout.step

    def _frame(self, index: int) -> Pixels:
        if self._pieces is None:
            return super()._frame(index)
        pixels, image = self._decode(index), self._info.image
        if isinstance(pixels, str):
            raise BadFrame(index, pixels)
        if (pixels.shape, pixels.dtype) != (image.shape, image.dtype.numpy):
            raise BadFrame(index, f"it is {pixels.shape} {pixels.dtype}, the others are {image}")
        return pixels

    @property
    def integrity(self) -> Integrity:
        if self._pieces is None:
            return Integrity.PLAIN
        png = self._file.bytes(int(self._pieces.starts[0]), 4) == _MARKS[1]
        return Integrity.SUMS if png else Integrity.PACKED

    def examine(self, tell: Tell) -> Examined:
        if self._pieces is None:
            return Examined()
        places = zip(self._pieces.starts.tolist(), self._pieces.sizes.tolist(), strict=True)
        pieces = (self._file.bytes(start, size).rstrip(b"\0") for start, size in places)
        found: Examined = examining("pictures").look_at_jpegs(pieces, tell)
        return found

    def _decode(self, index: int) -> Pixels | str:
        """The picture of a piece; a reason where it cannot be decoded."""
        assert self._pieces is not None
        start, size = int(self._pieces.starts[index]), int(self._pieces.sizes[index])
        data = self._file.view(index, start, (size,), np.uint8, (1,))
        whole = data.tobytes()
        # Zeros behind a picture fill up its piece.
        if not whole.rstrip(b"\0").endswith(_ENDS):
            return "its picture has no end"
        if whole.startswith(_MARKS[1]) and (flaw := marks_of(whole).flaw):
            return flaw
        try:
            found: Pixels | None = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
        except (cv2.error, MemoryError) as error:
            return reason_of(error)
        if found is None or found.dtype not in (np.uint8, np.uint16):
            return "it is damaged or no picture"
        return found


def _plain(path: Path, header: dict[str, Any], warnings: list[str]) -> tuple[ImageType, PixelFormat, Layout]:
    """What is delivered of uncompressed frames, and how they lie in the file.

    Raises:
        SourceError: a format that is not read, or sizes that do not fit each other.
    """
    code, width, height = header["format"], header["width"], header["height"]
    color = _COLOR.get(code)
    if color is None:
        what = _OTHER.get(code, f"format {code}")
        raise SourceError(f"{path} holds {what}, which cannot be read; export it in StreamPix as mono, BGR or TIFF")
    channels = _CHANNELS[color]
    size, odd = divmod(header["depth"], 8 * channels)
    if odd or size not in (1, 2):
        raise SourceError(f"{path} gives {header['depth']} bits a pixel for {channels} channels; its header is damaged")
    row, image_bytes = width * channels * size, header["image_bytes"]
    # Rows may be padded to some bytes; a size that no padding makes is damage.
    padded, rest = divmod(image_bytes, height)
    check_picture(path, width, height, row * height)
    if image_bytes != row * height and (rest or not row <= padded < row + _PADDING):
        raise SourceError(f"{path} gives {image_bytes} bytes for a frame of {width} x {height}, which takes "
                          f"{row * height}; its header is damaged")  # fmt: skip
    if header["step"] < image_bytes:
        raise SourceError(f"{path} gives {header['step']} bytes from frame to frame, and a frame takes {image_bytes}; "
                          "its header is damaged")  # fmt: skip
    # Some write the bits of a pixel, some those of a value.
    bits = header["bits"] // channels if header["bits"] > 16 else header["bits"]
    if not 8 <= bits <= 8 * size:
        warnings.append(f"the depth of {header['bits']} bits cannot be; {8 * size} bits are assumed")
        bits = 8 * size
    # "Left" formats have their bits at the top of 16.
    shift = 16 - bits if code in _LEFT and size == 2 else 0
    image = ImageType(U8 if size == 1 else U16, height, width, channels, 16 if shift else bits)
    dtype = "u1" if size == 1 else ">u2" if code in _SWAPPED else "<u2"
    start = _LATER_START if header["version"] >= _LATER else _HEADER
    if color == "bayer":
        color = mosaic_of(header, warnings)
    layout = Layout(image.shape, dtype, rows_of(image.shape, dtype, padded), start, header["step"])
    return image, PixelFormat(color, bits, "none", shift), layout


def _find_pieces(path: Path, file: MappedFile) -> _Pieces:
    """Where the frames of a compressed sequence lie, up to its end or to damage.

    Raises:
        SourceError: not one is whole.
    """
    # Older and newer versions begin the first frame at different places.
    begin = next((at for at in (_HEADER, _LATER_START) if _piece(file, at)), None)
    starts, sizes, at, gap = [], [], begin, _GAPS[0]
    while at is not None and (size := _piece(file, at)):
        starts.append(at + 4)
        sizes.append(size - 4)
        end = at + size
        # The room between frames differs from program to program, not within a file: the last one that fitted is tried
        # first.
        gap = next((one for one in (gap, *_GAPS) if _piece(file, end + one)), -1)
        at = end + gap if gap >= 0 else None
    if not starts:
        raise SourceError(f"{path} is cut short or damaged: not one of its frames is whole")
    return _Pieces(np.array(starts, np.int64), np.array(sizes, np.int64))


def _piece(file: MappedFile, at: int) -> int:
    """Bytes of the piece that begins here, with its size; 0 if none that is whole does."""
    head = file.bytes(at, 8)
    size = int.from_bytes(head[:4], "little")
    return size if head[4:].startswith(_MARKS) and 8 < size <= file.size - at else 0
