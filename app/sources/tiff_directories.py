"""The directories of a TIFF file, one a page: followed once, in time and memory that grow with their number alone, and
sorted into frames and what is none (small copies for previews, masks).

`tifffile` looks for copies of each page among all others, which takes the square of their number.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.sources.base import TOUCHED_BYTES, MappedFile, plural

Entry = tuple[int, int, int, bytes]
"""Tag, type, how many values, and the values, or their place where they do not fit."""
_SUBFILE, _OLD_SUBFILE, _SUB_DIRECTORIES = 254, 255, 330
_PAGE_OF_MANY = 2
_REDUCED = 1
_OLD_REDUCED = 2
_NUMBERS = {1: "B", 3: "H", 4: "I", 13: "I", 16: "Q", 18: "Q"}
"""Types of whole numbers, as `struct` spells them."""
_MOST_TAGS = 4096
_MOST_SUB_DIRECTORIES = 64
_PAGE = 4096
_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Chain:
    """The directories of a file.

    Args:
        frames: where those lie that are frames, in order; of raw photographs the full picture behind its preview.
        warnings: sentences about what was left out.
        cut: whether the last one names another that is not in the file.
    """

    frames: array[int]
    warnings: tuple[str, ...] = ()
    cut: bool = False


class Directories:
    """Reads directories from the mapped file.

    Args:
        path: a file that begins as a TIFF file does.

    Raises:
        SourceError: it cannot be mapped.
    """

    def __init__(self, path: Path) -> None:
        self.file = MappedFile(path)
        head = self.file.bytes(0, 16).ljust(16, b"\0")
        self.order = "<" if head[:2] == b"II" else ">"
        # TIFF has 42 behind its byte order, 16-bit counts and 32-bit places; BigTIFF 43, and 64 bits for both.
        big = 43 in head[2:4]
        count, entry, place = ("Q", "HHQ8s", "Q") if big else ("H", "HHI4s", "I")
        self._count, self._entry, self._place = (struct.Struct(self.order + form) for form in (count, entry, place))
        (self.first,) = self._place.unpack_from(head, 8 if big else 4)

    def entries(self, place: int) -> tuple[Iterator[Entry], int]:
        """The entries of the directory at a place, and where the next one is (0: nowhere).

        Raises:
            ValueError, struct.error: there is no directory.
        """
        (count,) = self._count.unpack(self.file.bytes(place, self._count.size))
        if count > _MOST_TAGS:
            raise ValueError("no directory")
        data = self.file.bytes(place + self._count.size, count * self._entry.size + self._place.size)
        (after,) = self._place.unpack_from(data, count * self._entry.size)
        return self._entry.iter_unpack(data[: count * self._entry.size]), after

    def number(self, entry: Entry) -> int | None:
        """The whole number that an entry holds; None if it is none, or one of several."""
        _, kind, many, value = entry
        if many != 1 or kind not in _NUMBERS:
            return None
        (found,) = struct.unpack_from(self.order + _NUMBERS[kind], value)
        return int(found)

    def chain(self) -> Chain:
        """All directories from the first to the last, or to one that is not there."""
        frames, others = array("Q"), array("Q")
        seen: set[int] = set()
        masks, touched, place, cut, stride = 0, 0, self.first, False, 0
        while place:
            try:
                # A chain that leads back would never end.
                if place in seen:
                    raise ValueError("it leads back")
                found, after = self.entries(place)
                frame, mask = self._frame_of(place, found)
            except (struct.error, ValueError, OverflowError):
                cut = True
                break
            seen.add(place)
            masks += mask
            (others if frame is None else frames).append(place if frame is None else frame)
            more, touched = range(0), touched + _PAGE
            # Two equal steps in a row, and many more are likely: those are checked all at once.
            if frame in (None, place) and after - place == stride > 0 and after not in seen:
                more = self._alike(place, stride)
                seen.update(more)
                (others if frame is None else frames).extend(more)
                masks += mask * len(more)
            stride, place = after - place, self.entries(more[-1])[1] if more else after
            touched += _PAGE * len(more)
            if touched > TOUCHED_BYTES:
                self.file.give_back()
                touched = 0
        if not frames:  # whatever they are called, they are all there is
            return Chain(others, (), cut)
        left = [(len(others) - masks, "small copy", "small copies"), (masks, "mask", "masks")]
        names = [f"{n} {one if n == 1 else more}" for n, one, more in left if n]
        text = f"beside {plural(len(frames), 'frame')} the file holds {' and '.join(names)}, which are left out"
        return Chain(frames, (text,) if others else (), cut)

    def _alike(self, place: int, stride: int) -> range:
        """Where the directories lie that follow one at equal distances and are of its kind, the next of which is known
        to be there: programs write those of one stack alike."""
        count = self._count.unpack(self.file.bytes(place, self._count.size))[0]
        begin, size = self._count.size, self._entry.size
        length = begin + count * size + self._place.size
        first = np.frombuffer(self.file.bytes(place, length), np.uint8)
        entries = first[begin : begin + count * size].reshape(count, size)
        tags = entries[:, :2].copy().view(self.order + "u2")[:, 0]
        if _SUB_DIRECTORIES in tags:
            return range(0)
        same = np.zeros(length, bool)  # the bytes that are as those of the first: the count, all tags, kinds of page
        same[:begin] = True
        rows = same[begin : begin + count * size].reshape(count, size)
        rows[:, :2] = True
        rows[np.isin(tags, (_SUBFILE, _OLD_SUBFILE))] = True
        found = place
        while (most := min(_AT_ONCE, (self.file.size - length - found) // stride)) > 0:
            view = self.file.view(0, found + stride, (most, length), np.uint8, (stride, 1))
            alike = (view[:, same] == first[same]).all(axis=1)
            after = np.ascontiguousarray(view[:, -self._place.size :]).view(f"{self.order}u{self._place.size}")[:, 0]
            # A directory counts if it looks like the first and if the one before it leads there.
            goals = np.uint64(found) + np.uint64(stride) * np.arange(2, most + 2, dtype=np.uint64)
            leads = after == goals
            alike[1:] &= leads[:-1]
            some = most if alike.all() else int(np.argmin(alike))
            found += some * stride
            if some < most or not leads[-1]:
                break
        return range(place + stride, found + 1, stride)

    def _frame_of(self, place: int, entries: Iterator[Entry]) -> tuple[int | None, bool]:
        """Where the frame of a page is: the page itself, or what a preview is before; None for none. Whether the
        page is a mask."""
        kind, inner = 0, None
        for entry in entries:
            if entry[0] == _SUBFILE:
                kind = self.number(entry) or 0
            elif entry[0] == _OLD_SUBFILE:
                kind = kind or (_REDUCED if self.number(entry) == _OLD_REDUCED else 0)
            elif entry[0] == _SUB_DIRECTORIES:
                inner = entry
        # NewSubfileType is a set of bits: reduced, page of many, mask. "Page of many" is an ordinary frame.
        if not kind & ~_PAGE_OF_MANY:
            return place, False
        for other in self._places(inner):
            try:
                found, _ = self.entries(other)
                numbers = [self.number(entry) for entry in found if entry[0] == _SUBFILE]
            except (struct.error, ValueError, OverflowError):
                return other, False  # what is to be there cannot be read, and the preview is not it
            if not any((number or 0) & ~_PAGE_OF_MANY for number in numbers):
                return other, False
        return None, not kind & _REDUCED

    def _places(self, entry: Entry | None) -> tuple[int, ...]:
        """The directories that an entry names."""
        if entry is None or entry[1] not in _NUMBERS:
            return ()
        _, kind, many, value = entry
        many = min(many, _MOST_SUB_DIRECTORIES)
        form = struct.Struct(f"{self.order}{many}{_NUMBERS[kind]}")
        with suppress(struct.error):
            # Values that do not fit into the entry lie elsewhere, and the entry holds their place.
            if form.size > len(value):
                (place,) = self._place.unpack(value)
                value = self.file.bytes(place, form.size)
            return form.unpack_from(value)
        return ()

    def close(self) -> None:
        self.file.close()
