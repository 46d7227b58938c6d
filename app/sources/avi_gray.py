"""AVI files of uncompressed gray pictures whose code FFmpeg does not know (Y16 and its kin), from the mapped file."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.sources.base import ClipSource, MappedFile, check_file, check_picture, describe_rate, identity_of
from kernels.errors import BadFrame, SourceError
from kernels.ir.image import U8, U16, ImageType
from pipelines.frame import PixelFormat, Pixels, SourceInfo, TimeBase

CODES = {b"Y16 ": U16, b"Y16\0": U16, b"Y1\0\x10": U16, b"Y8\0\0": U8, b"L8  ": U8, b"L16 ": U16}
"""The code of such a picture's compression, and the type of its values; rows run down, values rise upwards."""
_LISTS = (b"RIFF", b"LIST")
_INSIDE = (b"AVI ", b"AVIX", b"hdrl", b"strl", b"movi", b"rec ")
_GIVE_BACK = 4096
"""Pictures that are found before the pages of the file that were touched are given back."""


@dataclass(slots=True)
class _Found:
    """What the chunks say, as they are gone through."""

    streams: int = 0
    number: int = -1  # of the video stream
    scale: int = 0
    rate: int = 0
    declared: int = 0
    width: int = 0
    height: int = 0
    code: bytes = b""
    places: array[int] = field(default_factory=lambda: array("Q"))
    sizes: array[int] = field(default_factory=lambda: array("Q"))
    cut: bool = False


class AviGraySource(ClipSource):
    """Such an AVI file.

    Args:
        path: the file.

    Raises:
        SourceError: damaged, or not one picture is whole.
    """

    def __init__(self, path: Path) -> None:
        check_file(path)
        self._file = self._mapped = MappedFile(path)
        try:
            self._open(path)
        except SourceError:
            self._file.close()
            raise
        except struct.error:
            self._file.close()
            raise SourceError(f"{path} is damaged: its header is cut short") from None

    def _open(self, path: Path) -> None:
        self._found = found = _Found()
        for kind, place, size in self._chunks(0, self._file.size):
            self._take(kind, place, size)
        if found.code not in CODES:
            raise SourceError(f"{path} is damaged: its header says nothing of a picture")
        width, height, dtype = found.width, found.height, CODES[found.code]
        check_picture(path, width, height, width * height * dtype.itemsize)
        image = ImageType(dtype, height, width, 1, dtype.bits)
        if not found.places:
            raise SourceError(f"{path} holds no frames: not one is whole")
        frames, warnings = len(found.places), []
        if found.cut or frames < found.declared:
            warnings.append(f"the file is cut short: {frames} of {max(frames, found.declared)} frames are there")
        time = TimeBase(float("nan"), "unknown", "the file names no frame rate; give it with --fps")
        if found.rate and found.scale:
            fps = found.rate / found.scale
            note = "the container's playback rate; give the camera's rate with --fps if it was higher"
            time = TimeBase(fps, "container", f"{describe_rate(fps)}, {note}")
        super().__init__(
            SourceInfo(
                path.name, "video", width, height, frames, image, PixelFormat("mono", dtype.bits), time,
                declared_frames=max(frames, found.declared), warnings=tuple(warnings),
                metadata={"codec": found.code.decode("latin-1").strip("\0 "), "container": "avi"},
                identity=identity_of(path),
            )
        )  # fmt: skip

    def _chunks(self, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
        """(name, place, bytes) of the chunks from `start` on, lists opened, until one that is not whole."""
        at, seen = start, 0
        while at + 8 <= end:
            kind, size = struct.unpack("<4sI", self._file.bytes(at, 8))
            at += 8
            # Lists are entered; all other chunks are stepped over by their size.
            if kind in _LISTS and self._file.bytes(at, 4) in _INSIDE:
                at += 4  # what is inside follows; its length does not matter
                continue
            if at + size > end:
                self._found.cut = True
                return
            yield kind, at, size
            at += size + size % 2  # RIFF: chunks begin at even bytes
            seen += 1
            if seen % _GIVE_BACK == 0:
                self._file.give_back()

    def _take(self, kind: bytes, place: int, size: int) -> None:
        found = self._found
        if kind == b"strh":
            head = self._file.bytes(place, min(size, 36))
            found.streams += 1
            if head[:4] == b"vids" and found.number < 0:
                found.number = found.streams - 1
                found.scale, found.rate, _, found.declared = struct.unpack_from("<4I", head, 20)
        elif kind == b"strf" and found.number == found.streams - 1 and not found.code:
            _, found.width, height, _, _, found.code = struct.unpack("<IiiHH4s", self._file.bytes(place, 20))
            found.height = abs(height)  # negative for rows from the top down, which these are either way
        # "00db" and "00dc" are pictures of stream 0, uncompressed and compressed by their names; writers use either.
        elif found.code and kind in (b"%02ddb" % found.number, b"%02ddc" % found.number):
            found.places.append(place)
            found.sizes.append(size)

    def _frame(self, index: int) -> Pixels:
        image = self._info.image
        row, size = image.width * image.dtype.itemsize, self._found.sizes[index]
        padded = -(-row // 4) * 4  # rows of a bitmap are filled up to four bytes; some writers leave that out
        if size not in (row * image.height, padded * image.height):
            raise BadFrame(index, f"it holds {size} bytes, a picture takes {row * image.height}")
        stride = row if size == row * image.height else padded
        strides, dtype = (stride, image.dtype.itemsize), image.dtype.numpy.newbyteorder("<")
        pixels = self._file.view(index, self._found.places[index], image.shape, dtype, strides)
        return pixels.astype(image.dtype.numpy, copy=False)

    def close(self) -> None:
        self._file.close()
