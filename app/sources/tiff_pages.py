"""Pages of gray, uncompressed TIFF stacks straight from the mapped file: a page whose directory says of its pixels what
the first one's says needs no more than its place. `tifffile` builds an object of each page, which takes ten times as
long as its pixels; it reads all that is not as plain as that.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from app.sources.base import MappedFile
from kernels.errors import BadFrame
from kernels.ir.image import ImageType
from pipelines.frame import Pixels

_OFFSETS = 273
_LAYOUT = frozenset({254, 256, 257, 258, 259, 262, 266, _OFFSETS, 277, 278, 279, 284, 317, 322, 323, 324, 325, 338, 339,
                     32997, 32998})  # fmt: skip
"""Tags that say what the pixels are and how they lie; others say who made them, when and why."""
_MOST_TAGS = 4096


class PlainPages:
    """The pages of one stack.

    Args:
        path: the file.
        tiff: the open `tifffile.TiffFile`.
        image: what its first page holds.
    """

    def __init__(self, path: Path, tiff: Any, image: ImageType) -> None:
        self._image = image
        order: Literal["<", ">"] = "<" if tiff.byteorder == "<" else ">"
        self._dtype = image.dtype.numpy.newbyteorder(order)
        self._count, self._entry, self._next = (
            struct.Struct(order + form) for form in (("Q", "HHQ8s", "Q") if tiff.is_bigtiff else ("H", "HHI4s", "I"))
        )
        self._places = [int(tiff.pages[0].offset)]  # of the directories, as far as they were followed
        self.file = MappedFile(path)
        self._first, _ = self._directory(self._places[0])

    @staticmethod
    def of(path: Path, tiff: Any, image: ImageType) -> PlainPages | None:
        """Those of a stack whose first page is as plain as that; None for others."""
        page = tiff.pages[0]
        plain = image.channels == 1 and page.is_memmappable and len(page.dataoffsets) == 1
        if not plain or int(page.photometric) == 3 or int(page.bitspersample) != 8 * image.dtype.itemsize:
            return None
        with suppress(struct.error, KeyError):
            made = PlainPages(path, tiff, image)
            if made._first is not None and made._first[_OFFSETS][1] == int(page.dataoffsets[0]):
                return made
            made.close()
        return None

    def read(self, index: int) -> Pixels | None:
        """The pixels of a page, a view of the file; None where tifffile is to look at it."""
        try:
            while len(self._places) <= index:
                _, after = self._directory(self._places[-1])
                if after in (0, self._places[-1]):
                    return None
                self._places.append(after)
            found, _ = self._directory(self._places[index])
        except (struct.error, ValueError):
            return None
        if found is None or self._first is None or found.keys() != self._first.keys():
            return None
        if any(found[tag] != self._first[tag] for tag in found if tag != _OFFSETS):
            return None
        image, (said, start) = self._image, found[_OFFSETS]
        if said != self._first[_OFFSETS][0]:
            return None
        size = image.dtype.itemsize
        with suppress(BadFrame):
            return self.file.view(index, start, image.shape, self._dtype, (image.width * size, size))
        return None

    def _directory(self, place: int) -> tuple[dict[int, tuple[tuple[int, int], int]] | None, int]:
        """What the directory at a place says of its pixels: (type, count) and value by tag, None where a value does not
        lie in it; and where the next directory is, 0 for none."""
        (count,) = self._count.unpack(self.file.bytes(place, self._count.size))
        if count > _MOST_TAGS:
            raise ValueError("no directory")
        begin, each = place + self._count.size, self._entry.size
        data = self.file.bytes(begin, count * each + self._next.size)
        (after,) = self._next.unpack_from(data, count * each)
        found: dict[int, tuple[tuple[int, int], int]] = {}
        for k in range(count):
            tag, kind, many, value = self._entry.unpack_from(data, k * each)
            if tag in _LAYOUT:
                if many != 1 or kind not in _NUMBERS:
                    return None, after
                (number,) = struct.unpack_from(self._next.format[0] + _NUMBERS[kind], value)
                found[tag] = (kind, many), number
        return found, after

    def close(self) -> None:
        self.file.close()


_NUMBERS = {1: "B", 3: "H", 4: "I", 16: "Q"}
"""Types of whole numbers, as `struct` spells them."""

