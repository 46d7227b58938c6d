"""Pages of gray, uncompressed TIFF stacks straight from the mapped file: a page whose directory says of its pixels what
the first one's says needs no more than its place. `tifffile` builds an object of each page, which takes ten times as
long as its pixels; it reads all that is not as plain as that.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from app.sources.tiff_directories import Directories
from kernels.errors import BadFrame
from kernels.ir.image import ImageType
from pipelines.frame import Pixels

_OFFSETS = 273
_LAYOUT = frozenset({254, 255, 256, 257, 258, 259, 262, 266, _OFFSETS, 277, 278, 279, 284, 317, 322, 323, 324, 325, 338,
                     339, 32997, 32998, 33421, 33422, 50712, 50717, 50829})  # fmt: skip
"""Tags that say what the pixels are and how they lie; others say who made them, when and why."""


class PlainPages:
    """The pages of one stack.

    Args:
        directories: of the file.
        places: where those of the frames are.
        image: what the first of them holds.
    """

    def __init__(self, directories: Directories, places: Sequence[int], image: ImageType) -> None:
        self._image, self._directories, self._places = image, directories, places
        self._dtype = image.dtype.numpy.newbyteorder("<" if directories.order == "<" else ">")
        self._first = self._directory(places[0])

    @staticmethod
    def of(page: Any, directories: Directories, places: Sequence[int], image: ImageType) -> PlainPages | None:
        """Those of a stack whose first page, as tifffile has it, is as plain as that; None for others."""
        plain = image.channels == 1 and page.is_memmappable and len(page.dataoffsets) == 1
        if not plain or int(page.photometric) == 3 or page.dtype != image.dtype.numpy:
            return None
        if int(page.bitspersample) != 8 * image.dtype.itemsize:
            return None
        with suppress(struct.error, ValueError, KeyError):
            made = PlainPages(directories, places, image)
            if made._first is not None and made._first[_OFFSETS][1] == int(page.dataoffsets[0]):
                return made
        return None

    def read(self, index: int) -> Pixels | None:
        """The pixels of a page, a view of the file; None where tifffile is to look at it."""
        try:
            found = self._directory(self._places[index])
        except (struct.error, ValueError):
            return None
        # A page with other tags, or other values of them than the first, is left to tifffile.
        if found is None or self._first is None or found.keys() != self._first.keys():
            return None
        if any(found[tag] != self._first[tag] for tag in found if tag != _OFFSETS):
            return None
        image, (said, start) = self._image, found[_OFFSETS]
        if said != self._first[_OFFSETS][0]:
            return None
        size = image.dtype.itemsize
        with suppress(BadFrame):
            return self._directories.file.view(index, start, image.shape, self._dtype, (image.width * size, size))
        return None

    def _directory(self, place: int) -> dict[int, tuple[tuple[int, int], int]] | None:
        """What the directory at a place says of its pixels: (type, count) and value by tag; None where a value does not
        lie in it."""
        entries, _ = self._directories.entries(place)
        found: dict[int, tuple[tuple[int, int], int]] = {}
        for entry in entries:
            if entry[0] in _LAYOUT:
                number = self._directories.number(entry)
                if number is None:
                    return None
                found[entry[0]] = entry[1:3], number
        return found
