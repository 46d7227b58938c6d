"""`fusetrack.open`: a clip as a sequence of pictures, read when they are asked for."""

from __future__ import annotations

import operator
import os
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.frame_stack import rate_of
from app.sources.opening import open_source
from app.sources.reading import Reading
from kernels.errors import ArgumentError, ArgumentTypeError
from kernels.ir.image import ImageType
from pipelines.frame import FrameBatch, FrameSource, Pixels, SourceInfo, TimeBase
from pipelines.frontend import front_nodes
from pipelines.graph import Pipeline
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.engine.choice import choose
from pipelines.streaming.engine.engine import Engine

from .pictures import ArrayClip, Pictures, as_pictures, time_of
from .wording import for_python


class _Plain:
    """Makes plain pictures of delivered frames: unpacked, colours of a mosaic computed, red first."""

    def __init__(self, info: SourceInfo) -> None:
        self.type = info.image
        self._engine: Engine | None = None
        if front_nodes(info):
            bound = bound_for(Pipeline("picture", "", (), ()), info)
            made = bound.types[bound.picture]
            assert isinstance(made, ImageType)
            self.type, self._picture = made, bound.picture
            self._engine = Engine(bound, choose("cpu", bound, (bound.picture,), 1).executor, (bound.picture,))

    def __call__(self, pixels: Pixels) -> Pixels:
        if self._engine is None:
            return pixels
        batch = FrameBatch(np.zeros(1, np.int64), np.zeros(1), np.ascontiguousarray(pixels)[np.newaxis])
        made: Pixels = np.asarray(self._engine.step(batch)[self._picture])[0]
        return made


class Clip:
    """A clip, or some of its frames: a sequence of pictures, each read when it is asked for.

    `len(clip)`, `clip[5]` (a picture, an array (height, width), or (height, width, 3) with red first), `clip[10:20]`
    and `clip[::2]` (clips, nothing is read), `clip[10:20, 50:80, 100:200]`, `clip[[3, 5]]` and `np.asarray(clip)`
    (arrays), `for picture in clip`; NumPy's functions take it as an array, as in `np.mean(clip[:50], axis=0)`. What
    pictures hold is what pipelines see: unpacked, in the camera's own values.

    What takes a clip (`fusetrack.track`, `apply`) takes a part of one, too, with its times and numbers of frames.
    """

    def __init__(self, source: FrameSource, frames: range | None = None, owner: Clip | None = None) -> None:
        self.source = source
        self.numbers = range(source.info.frames) if frames is None else frames
        self._owner = owner  # what closes the source lives as long as its readers
        self._front: _Plain | None = None if owner is None else owner._front
        self._close = weakref.finalize(self, source.close) if owner is None else None

    @property
    def info(self) -> Any:
        """What the file tells of the whole clip: `width`, `height`, `format`, `time`, `warnings`, `metadata` ..."""
        return self.source.info

    @property
    def fps(self) -> float:
        """Frames a second at which the clip was taken (of a part with a step, so many of its frames); NaN if
        unknown."""
        return rate_of(self.source.info.time) / abs(self.numbers.step)

    @property
    def times(self) -> npt.NDArray[np.float64]:
        """Seconds of each frame, (frames,), from the trigger where the file knows it, else from the first frame of the
        file; numbers of frames if the rate is unknown."""
        return np.array([self.source.info.time.time(k) for k in self.numbers], np.float64)

    @property
    def shape(self) -> tuple[int, ...]:
        """(frames, height, width), or with channels behind."""
        return (len(self.numbers), *self._plain.type.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the pixels."""
        return np.dtype(self._plain.type.dtype.numpy)

    @property
    def ndim(self) -> int:
        """3, or 4 with channels."""
        return len(self.shape)

    @property
    def picture_type(self) -> ImageType:
        """Type and shape of one picture, as stages take it."""
        return self._plain.type

    @property
    def _plain(self) -> _Plain:
        if self._front is None:
            self._front = _Plain(self.source.info) if self._owner is None else self._owner._plain
        return self._front

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            first, *rest = key or (slice(None),)
            # An ellipsis first may stand for any axes: NumPy knows which.
            if first is Ellipsis:
                return np.asarray(self)[key]
            taken = np.asarray(self[first])
            # A single frame has lost its axis.
            one = not isinstance(first, slice) and np.ndim(first) == 0
            return taken[tuple(rest) if one else (slice(None), *rest)]
        if isinstance(key, slice):
            return Clip(self.source, self.numbers[key], self._owner or self)
        if key is Ellipsis:
            return self
        if isinstance(key, list | np.ndarray):
            chosen = np.asarray(key)
            if chosen.dtype == bool and chosen.shape != (len(self),):
                raise IndexError(f"a mask of {chosen.shape} frames does not fit {len(self)}")
            if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "bui"):
                raise ArgumentTypeError(f"frames are chosen by their numbers or by a mask, not by {key!r}")
            which = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
            return self._stacked([int(k) for k in which])
        try:
            index = operator.index(key)
        except TypeError:
            raise ArgumentTypeError(f"frames are chosen by numbers, slices and lists, not by {key!r}") from None
        return self._picture(index)

    def _picture(self, index: int) -> Pixels:
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are frames 0 to {len(self) - 1}, not {index}")
        return self._plain(self.source.read(self.numbers[index]))

    def _stacked(self, chosen: Sequence[int]) -> Pixels:
        made = np.empty((len(chosen), *self._plain.type.shape), self.dtype)
        for place, index in enumerate(chosen):
            made[place] = self._picture(index)
        return made

    def __iter__(self) -> Iterator[Pixels]:
        return (self._picture(index) for index in range(len(self)))

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Pixels:
        if copy is False:
            raise ValueError("the frames of a clip have to be read, which makes a copy")
        made = self._stacked(range(len(self)))
        return made if dtype is None else made.astype(dtype)

    def close(self) -> None:
        """Give the file back; of a part, the clip's."""
        if self._owner is not None:
            self._owner.close()
        elif self._close is not None:
            self._close()

    def __enter__(self) -> Clip:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        info, n = self.source.info, len(self)
        rate = f"{self.fps:.6g} fps" if self.fps > 0 else "unknown rate"
        part = "" if self.numbers == range(info.frames) else f", {_spelt(self.numbers)} of {info.frames}"
        frames = f"{n} frame{'s' * (n != 1)}{part}"
        return f"<Clip {info.name!r}: {frames}, {info.width} x {info.height}, {self.dtype}, {rate}>"


def _spelt(numbers: range) -> str:
    step = "" if numbers.step == 1 else f":{numbers.step}"
    return f"{numbers.start}:{numbers.stop}{step}"


class _Part:
    """Every n-th frame of a clip as a clip of its own."""

    def __init__(self, source: FrameSource, numbers: range) -> None:
        old = source.info
        stamps = np.array([old.time.time(k) for k in numbers], np.float64)
        known = stamps if old.time.fps > 0 else None
        time = replace(old.time, fps=old.time.fps / numbers.step, stamps=known, begin=0.0)
        self.info = replace(old, frames=len(numbers), time=time)
        self._source, self._numbers = source, numbers

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        if not 0 <= index < len(self._numbers):
            raise IndexError(f"{self.info.name} has frames 0 to {len(self._numbers) - 1}, not {index}")
        return self._source.read(self._numbers[index], out)

    def close(self) -> None:
        """The clip stays open."""


def in_time(clip: Clip) -> tuple[FrameSource, tuple[int, int], int]:
    """A clip as runs take it: source, first frame and one past the last, and the step between its frames' numbers.

    Raises:
        ArgumentError: no frame, or frames that run backwards.
    """
    numbers = clip.numbers
    if not len(numbers):
        raise ArgumentError(f"no frame of {clip.info.name} is chosen: {_spelt(numbers)} of {clip.info.frames}")
    if len(numbers) > 1 and numbers.step < 0:
        raise ArgumentError(f"the frames {_spelt(numbers)} of {clip.info.name} run backwards in time; reverse pictures "
                            "as an array, and give fps=")  # fmt: skip
    if numbers.step == 1 or len(numbers) == 1:
        return clip.source, (numbers[0], numbers[0] + len(numbers)), 1
    return _Part(clip.source, numbers), (0, len(numbers)), numbers.step


@for_python
def open(  # noqa: A001  # as `tifffile.imread` reads and `gzip.open` opens
    clip: str | os.PathLike[str] | Pictures | FrameSource | Clip, *, fps: float | None = None, times: object = None,
    bits: int | None = None, turn: int = 0, gaps: bool = True, color: str = "rgb",
) -> Clip:  # fmt: skip
    """Open a clip.

    Args:
        clip: a file of any format (README: Clips), a folder or pattern of images ("shot_%04d.png"),
            "file.h5:/entry/data", "sim:SCENE"; or pictures in memory: an array (frames, height, width), (frames,
            height, width, 3), one picture, a list or a generator of pictures, of u8, u16, f32 or other numbers.
        fps: the capture rate, frames a second, in place of the file's. Arrays have none: without it times count frames.
        times: of arrays: seconds of each frame, rising, (frames,).
        bits: significant bits of a value, such as 12 where they come in 16; None for the file's, or all.
        turn: degrees by which pictures are turned clockwise: 0, 90, 180 or 270.
        gaps: whether `fps` leaves room for frames that are missing from a file.
        color: of arrays with three channels: "rgb" (the default) or "bgr", as OpenCV reads; of those with one "rggb",
            "bggr", "grbg" or "gbrg", where they are a colour sensor's mosaic.

    Returns:
        The clip; close it, or use it in a `with`.

    Raises:
        InputError: one sentence that says what is wrong; of arrays a ValueError or a TypeError, too.
    """
    return as_clip(clip, fps=fps, times=times, bits=bits, turn=turn, gaps=gaps, color=color)[0]


def as_clip(
    given: Any, *, fps: float | None = None, times: object = None, bits: int | None = None, turn: int = 0,
    gaps: bool = True, color: str = "rgb",
) -> tuple[Clip, bool]:  # fmt: skip
    """As `open`; and whether a single picture was given."""
    if isinstance(given, Clip) or (hasattr(given, "info") and hasattr(given, "read") and hasattr(given, "close")):
        named = {"fps": fps, "times": times, "bits": bits, "turn": turn or None, "gaps": None if gaps else gaps,
                 "color": None if color == "rgb" else color}  # fmt: skip
        wrong = next((name for name, value in named.items() if value is not None), None)
        if wrong is not None:
            raise ArgumentError(f"{wrong}= is for files and arrays that are opened here; give it to fusetrack.open")
        return (given if isinstance(given, Clip) else Clip(given)), False
    if isinstance(given, str | os.PathLike):
        if times is not None or color != "rgb":
            raise ArgumentError(f"{'times' if times is not None else 'color'}= is for arrays; a file tells its own")
        return Clip(open_source(os.fspath(given), Reading(fps, bits, turn, gaps))), False
    pictures, alone = as_pictures(given)
    reading = Reading(None, bits, turn)
    source = ArrayClip(pictures, time_of(len(pictures), fps, times), color)
    reading.apply(source)
    return Clip(source), alone


def unknown_rate(time: TimeBase) -> bool:
    """Whether times count frames."""
    return not rate_of(time) > 0
