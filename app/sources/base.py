"""What every frame source shares: the class they derive from, file checks in one sentence, mapped files.

`app.sources.formats` lists the readers. No reader imports another.
"""

from __future__ import annotations

import math
import mmap
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.files.missing import missing_sentence
from app.sources.integrity import Examined, Integrity, Tell
from app.sources.packed import PACKING, unpack_msb
from kernels.errors import BadFrame, SourceError
from kernels.ir.image import U16, ImageType
from pipelines.frame import BAYER, Pixels, SourceInfo, TimeBase

MAX_SIDE = 1 << 17
"""Longest side of a picture, in pixels, that a header is believed."""
MAX_FRAME_BYTES = 1 << 30
"""Largest decoded frame that a header is believed, in bytes."""
TOUCHED_BYTES = 32 << 20
"""Bytes of a mapped file that are handed out before its pages are given back."""
SAME_RATE = 0.005
"""Share by which a rate that the user gives may differ from that of a clip's stamps to be the same."""
WHOLE = 0.2
"""Share of a frame by which the time between two may differ from whole frames."""
BITS_GIVEN, TURNED, SHOWN_TURNED = "bits_given", "turned_clockwise_deg", "asks_to_be_turned_clockwise_deg"
"""What `SourceInfo.metadata` calls what the user says of a clip (`app.sources.reading`)."""
LFS_POINTER = b"version https://git-lfs"


class NoPictures(SourceError):
    """A file that may hold anything holds no pictures: where all clips of a folder are wanted, it is none."""


class ClipSource(ABC):
    """Base of the sources: index checks, `out` handling, rate override; a reader gives `_frame`.

    Args:
        info: what the reader found out at opening.

    Attributes:
        from_trigger: whether numbers and times count from a trigger.
    """

    from_trigger = False
    near = True
    """Whether a frame in the middle is read as fast as the first one."""
    _mapped: MappedFile | None = None
    """Where frames are views of a file: as soon as a large one is copied, its pages are given back."""

    def __init__(self, info: SourceInfo) -> None:
        self._info = info
        self._told = False  # that there are values that are no numbers
        self._turns = 0  # quarters, clockwise
        self._shown: tuple[SourceInfo, SourceInfo] | None = None  # as stored, and as turned

    @property
    def info(self) -> SourceInfo:
        """Of what is delivered; `_info` is of what is stored, which readers go by."""
        if not self._turns:
            return self._info
        if self._shown is None or self._shown[0] is not self._info:
            self._shown = self._info, _turned_info(self._info, self._turns)
        return self._shown[1]

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        """The delivered array of frame `index` (see `pipelines.frame.FrameSource.read`)."""
        if not 0 <= index < self._info.frames:
            raise IndexError(f"{self._info.name} has frames 0 to {self._info.frames - 1}, not {index}")
        if self._turns:
            pixels = self._turned(self._frame(index))
        else:
            pixels = self._frame(index) if out is None else self._frame_into(index, out)
        if pixels.dtype.kind == "f" and not self._told and not np.isfinite(pixels).all():
            self._told = True
            self.warn(
                f"frame {index} holds values that are no numbers (NaN or infinite), and what is computed from them "
                "means nothing, in all later frames where a stage remembers (averages in time, backgrounds); replace "
                "them, such as by numpy.nan_to_num, or cut them off with --roi"
            )
        if out is None:
            return pixels
        if pixels is out:
            return out
        if out.shape != pixels.shape:  # copyto would repeat the picture into a larger array
            raise ValueError(f"frames of {self._info.name} have the shape {pixels.shape}, `out` has {out.shape}")
        np.copyto(out, pixels, casting="no")
        if out.nbytes > TOUCHED_BYTES and self._mapped is not None:
            self._mapped.give_back()
        return out

    @abstractmethod
    def _frame(self, index: int) -> Pixels:
        """Frame `index`, 0 <= index < info.frames, as a read-only view or a new array; BadFrame if it is broken."""

    def _frame_into(self, index: int, out: Pixels) -> Pixels:
        """As `_frame`. A reader that makes pixels anew may make them in `out`, where that has their shape and type and
        lies in one piece, and return that."""
        del out
        return self._frame(index)

    @property
    def integrity(self) -> Integrity:
        """By what damage to the pixels can be noticed."""
        return Integrity.PLAIN

    def examine(self, tell: Tell) -> Examined:
        """Look for damage more closely than `read` does; what is found may be refused from then on."""
        del tell
        return Examined()

    @abstractmethod
    def close(self) -> None:
        """Give the file back; reading afterwards is an error."""

    def warn(self, *sentences: str) -> None:
        """Add sentences to `info.warnings`."""
        self._info = replace(self._info, warnings=(*self._info.warnings, *sentences))

    def replace_info(self, info: SourceInfo) -> None:
        """Know the clip better than what the file itself says."""
        self._info = info

    def retime(self, time: TimeBase) -> None:
        """Time the frames by something better than what the file itself says."""
        self._info = replace(self._info, time=time)

    def state_bits(self, bits: int) -> None:
        """Take so many bits of each value for significant, which tells what is white.

        Raises:
            SourceError: values are no whole numbers, or do not have so many.
        """
        info = self._info
        image, form = info.image, info.format
        packed = form.packing != "none"
        most = form.bits if packed else image.dtype.bits - form.shift
        if packed and bits != form.bits:
            raise SourceError(f"{info.name} packs {form.bits} bits a value, which cannot be read as {bits}")
        if image.dtype.kind != "u" or bits > most:
            raise SourceError(f"{info.name} holds values of {image.dtype} of at most {most} bits; --bits {bits} does "
                              "not fit them")  # fmt: skip
        self._info = replace(
            info, image=image if packed else replace(image, bits=bits), format=replace(form, bits=bits),
            metadata={**info.metadata, BITS_GIVEN: bits},
        )  # fmt: skip

    def turn(self, degrees: int) -> None:
        """Deliver the pictures turned clockwise by a multiple of 90 degrees; packed ones are unpacked for it."""
        self._turns = degrees // 90 % 4

    def _turned(self, pixels: Pixels) -> Pixels:
        """A stored picture, turned."""
        form = self._info.format
        if form.packing != "none":
            stored = next(bits for bits, name in PACKING.items() if name == form.packing)
            pixels = unpack_msb(pixels, self._info.width, stored)
        # NumPy turns counter-clockwise.
        return np.ascontiguousarray(np.rot90(pixels, -self._turns))

    def override_rate(self, fps: float, gaps: bool = True) -> None:
        """Time the frames by the user's capture rate; the note says what it replaces.

        Stamps of the same rate stay as they are. Of others it stays which whole frames are missing between two.

        Args:
            fps: frames a second.
            gaps: False for a frame after the other, whatever the stamps say.
        """
        old = self._info.time
        if not gaps:
            begin = self._info.first_number / fps if self.from_trigger else 0.0
            note = f"{describe_rate(fps)} given by the user, one frame after the other without gaps"
            self._info = replace(self._info, time=TimeBase(fps, "user", note, None, begin))
            return
        if old.stamps is not None and old.fps > 0 and abs(fps / old.fps - 1) < SAME_RATE:
            note = f"{describe_rate(fps)} given by the user, with the time of each frame as the clip has it"
            self._info = replace(self._info, time=TimeBase(fps, "user", note, old.stamps, old.begin))
            return
        was = f"{describe_rate(old.fps)} ({old.origin})" if old.fps > 0 else "an unknown rate"
        begin = self._info.first_number / fps if self.from_trigger else 0.0
        note, stamps = f"{describe_rate(fps)} given by the user in place of {was}", None
        numbers: npt.NDArray[Any] | None = None
        if old.stamps is not None:  # those of a source without a rate count in frames
            numbers = old.stamps if old.origin == "unknown" else frame_numbers(old.stamps)
        missing = 0 if numbers is None or not len(numbers) else round(float(numbers[-1])) + 1 - len(numbers)
        if numbers is not None and (missing > 0 or old.origin == "unknown"):
            stamps = begin + numbers / fps
        if missing > 0:
            note += f"; room is left for {plural(missing, 'frame')} that {'is' if missing == 1 else 'are'} missing"
        self._info = replace(self._info, time=TimeBase(fps, "user", note, stamps, begin))


def _turned_info(info: SourceInfo, quarters: int) -> SourceInfo:
    form, image = info.format, info.image
    width, height = (info.height, info.width) if quarters % 2 else (info.width, info.height)
    if form.packing != "none":
        image, form = ImageType(U16, info.height, info.width, 1, form.bits), replace(form, packing="none")
    if form.color in BAYER:
        form = replace(form, color=_turned_mosaic(form.color, info.height, info.width, quarters))
    return replace(
        info, width=width, height=height, image=replace(image, width=width, height=height), format=form,
        metadata={**info.metadata, TURNED: 90 * quarters},
    )  # fmt: skip


def _turned_mosaic(color: str, height: int, width: int, quarters: int) -> str:
    """The order of a colour mosaic whose picture is turned clockwise.

    >>> _turned_mosaic("rggb", 4, 6, 1), _turned_mosaic("rggb", 4, 5, 2)
    ('grbg', 'gbrg')
    """
    tile = np.array(list(color)).reshape(2, 2)
    # Odd sizes put another filter into the corner: the pattern is turned with a picture of that parity.
    corner = np.tile(tile, (2, 2))[: 2 + height % 2, : 2 + width % 2]
    return "".join(np.rot90(corner, -quarters)[:2, :2].ravel().tolist())


def frame_numbers(stamps: npt.NDArray[np.float64]) -> npt.NDArray[np.int64] | None:
    """The places of frames on the grid of their usual step, from 0; None where steps are no whole numbers of it.

    >>> frame_numbers(np.array([0.2, 0.3, 0.401, 0.7]))
    array([0, 1, 2, 5])
    """
    steps = np.diff(stamps)
    if not len(steps) or not (steps > 0).all():
        return None
    counts = steps / np.median(steps)
    whole = np.rint(counts).astype(np.int64)
    # A step that is no whole number of usual ones is no gap, but another clock.
    if (np.abs(counts - whole) > WHOLE).any() or (whole < 1).any():
        return None
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(whole)))


class MappedFile:
    """A file mapped read-only, whose views are checked against its present size.

    Touching a mapped page beyond the end of a file that was truncated kills the process, so each view asks
    the system for the size first (under a microsecond). Pages that were touched count as the process's memory until
    somebody needs it; they are given back now and then, so that a long clip takes no more than a short one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._touched = 0
        try:
            self._file = path.open("rb")
            self.size = os.fstat(self._file.fileno()).st_size
            self._map = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
            self._bytes: npt.NDArray[np.uint8] = np.frombuffer(self._map, np.uint8)
        except (OSError, ValueError) as error:
            raise SourceError(f"{path} cannot be mapped: {reason_of(error)}") from error

    def view(
        self, index: int, offset: int, shape: tuple[int, ...], dtype: npt.DTypeLike, strides: tuple[int, ...]
    ) -> Pixels:
        """A read-only array over the bytes from `offset` on, for frame `index`.

        Raises:
            BadFrame: the file no longer holds these bytes.
        """
        # The last byte of the last element, by its strides.
        last = sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) + np.dtype(dtype).itemsize
        if self._file.closed:
            raise ValueError(f"{self._path.name} is closed")
        if offset < 0 or offset + last > min(self.size, os.fstat(self._file.fileno()).st_size):
            raise BadFrame(index, f"{self._path.name} ends before its last byte")
        if self._touched > TOUCHED_BYTES:
            self.give_back()
        self._touched += last
        return np.ndarray(shape, dtype, self._bytes.data, offset, strides)

    def give_back(self) -> None:
        """Let go of the pages that were touched. Views stay valid: the pages come back when they are read."""
        self._touched = 0
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def bytes(self, offset: int, count: int) -> bytes:
        """Up to `count` bytes from `offset`; fewer at the end of the file."""
        return self._bytes[offset : offset + count].tobytes() if offset >= 0 else b""

    def close(self) -> None:
        self._file.close()


def describe_rate(fps: float) -> str:
    """The rate for people: "9003.2 fps", "unknown rate".

    >>> describe_rate(15000.0), describe_rate(9003.2183), describe_rate(29.97002997)
    ('15000 fps', '9003.22 fps', '29.97 fps')
    """
    if not fps > 0 or math.isinf(fps):
        return "unknown rate"
    return f"{fps:.0f} fps" if abs(fps - round(fps)) < 1e-3 else f"{fps:.2f} fps"


def reason_of(error: BaseException) -> str:
    """An exception's reason as part of a sentence, without its path and without a line break."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(text.split())[:160]


def check_file(path: Path) -> int:
    """The size of a readable file in bytes.

    Raises:
        SourceError: it is missing (near names are suggested), not a file, empty, unreadable, or a git-LFS pointer.
    """
    try:
        size = path.stat().st_size
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            raise SourceError(missing_sentence(path)) from None
        raise SourceError(f"{path} cannot be read: {reason_of(error)}") from None
    if not path.is_file():
        raise SourceError(f"{path} is not a file")
    if size == 0:
        raise SourceError(f"{path} is empty (0 bytes); copy or download it again")
    if read_head(path, len(LFS_POINTER)) == LFS_POINTER:
        raise SourceError(f"{path} is only a git-LFS pointer, not the clip; fetch it with `git lfs pull`")
    return size


def read_head(path: Path, count: int = 4096) -> bytes:
    """The first bytes of a file."""
    try:
        with path.open("rb") as file:
            return file.read(count)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {reason_of(error)}") from None


def check_picture(path: Path, width: int, height: int, frame_bytes: int = 0) -> None:
    """Refuse a picture size that no camera has, before anything of that size is allocated."""
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        raise SourceError(f"{path} gives the picture size {width} x {height}, which cannot be; its header is damaged")
    if frame_bytes > MAX_FRAME_BYTES:
        raise SourceError(
            f"{path} says that one frame takes {frame_bytes / 2**30:.1f} GiB ({width} x {height}); "
            "its header is damaged or the picture is too large"
        )


def identity_of(path: Path) -> Mapping[str, Any]:
    """What names a file's content for provenance: absolute path, bytes, modification time in ns."""
    stat = path.stat()
    return {"path": str(path.resolve()), "bytes": stat.st_size, "mtime_ns": stat.st_mtime_ns}


def plural(count: int, noun: str) -> str:
    """The count with its noun.

    >>> plural(1, "frame"), plural(20, "frame")
    ('1 frame', '20 frames')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
