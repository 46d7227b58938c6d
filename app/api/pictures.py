"""Arrays, lists and generators of pictures as a clip."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from app.sources.base import ClipSource
from app.sources.values import deliver, delivered_type, white_sentence
from kernels.errors import ArgumentError, ArgumentTypeError, ExprError
from kernels.ir.image import ImageType
from pipelines.frame import BAYER, PixelFormat, Pixels, SourceInfo, TimeBase

Pictures = npt.NDArray[Any] | Sequence[Any] | Iterable[Any]
COLORS = ("rgb", "bgr", *BAYER)
NUMBERS = "numbers such as uint8, uint16 or float32"
SHAPES = "(frames, height, width), (frames, height, width, 3) or a single (height, width)"


class ArrayClip(ClipSource):
    """A clip whose frames lie in memory.

    Args:
        pictures: arrays of one shape and type, (height, width) or (height, width, channels); from `as_pictures`.
        time: when they were taken.
        color: what the channels are: "rgb" or "bgr" (with four, and alpha), or of pictures of one channel the order of
            a colour sensor's mosaic ("rggb" ...).
        name: short name for people.

    Raises:
        ArgumentTypeError: they are no numbers.
    """

    def __init__(self, pictures: Sequence[Pixels], time: TimeBase, color: str = "rgb", name: str = "array") -> None:
        first = pictures[0]
        height, width, channels = (*first.shape, 1)[:3]
        try:
            kind = delivered_type(first.dtype.newbyteorder("="))
        except ExprError:
            raise ArgumentTypeError(f"pictures are {NUMBERS}, not {first.dtype}") from None
        if color not in COLORS:
            raise ArgumentError(f"color is one of {', '.join(COLORS)}, not {color!r}")
        if channels == 1:
            form = color if color in BAYER else "mono"
        elif color in BAYER:
            raise ArgumentError(f"color = {color!r} is a mosaic in one channel, and these pictures have {channels}")
        else:
            form = color + ("a" if channels == 4 else "")
        self._pictures, self._kind = pictures, kind
        image = ImageType(kind, height, width, channels)
        super().__init__(SourceInfo(
            name, "array", width, height, len(pictures), image, PixelFormat(form, kind.bits), time,
            declared_frames=len(pictures), warnings=tuple(filter(None, (white_sentence(kind),))),
        ))  # fmt: skip

    def _frame(self, index: int) -> Pixels:
        pixels = deliver(index, np.asarray(self._pictures[index]), self._kind)
        return pixels.reshape(self._info.image.shape)

    def view(self, first: int, end: int) -> Pixels | None:
        """See `pipelines.frame.InMemory`. Floats are read one by one, so that those that are no numbers are seen."""
        whole, image = self._pictures, self._info.image
        if self._turns or not isinstance(whole, np.ndarray):
            return None
        # Other byte orders and types are converted picture by picture.
        if whole.dtype != image.dtype.numpy or whole.dtype.kind == "f":
            return None
        part = whole[first:end]
        return part.reshape(-1, *image.shape) if part.flags.c_contiguous else None

    def close(self) -> None:
        """Nothing is held that others need."""


def as_pictures(given: Pictures) -> tuple[Sequence[Pixels], bool]:
    """Pictures as a sequence of arrays of one shape and type, and whether a single picture was given.

    Args:
        given: an array (frames, height, width[, channels]) or a single picture (height, width[, 3 or 4]), of any
            strides and byte order; a list or a generator of pictures (a generator is read to its end); or whatever
            NumPy makes such an array of. An array of three dimensions whose last is 3 or 4 is a picture in colours.

    Raises:
        ArgumentTypeError: no numbers, or no pictures.
        ArgumentError: empty, or pictures of several shapes or types.
    """
    if given is None or isinstance(given, str | bytes | int | float | complex | dict | set):
        raise ArgumentTypeError(f"frames are an array {SHAPES}, a list or generator of pictures, a path, or what "
                                f"fusetrack.open gives, not {_said(given)}")  # fmt: skip
    # A list of pictures: NumPy would copy all of them into one array first.
    if not hasattr(given, "__array__") and not hasattr(given, "__array_interface__"):
        return _from_many(given), False
    array = _as_array(given, "the array")
    if array.ndim not in (2, 3, 4):
        raise ArgumentTypeError(f"an array of pictures is {SHAPES}, not of shape {array.shape}")
    if 0 in array.shape:
        raise ArgumentError(f"there is no picture in an array of shape {array.shape}")
    if array.ndim == 4 and array.shape[3] not in (1, 3, 4):
        hint = "; put the channels last, as numpy.moveaxis(frames, 1, -1) does" if array.shape[1] in (1, 3, 4) else ""
        raise ArgumentTypeError(f"colours are 3 or 4 channels at the end of an array's shape, not {array.shape}{hint}")
    alone = array.ndim == 2 or (array.ndim == 3 and array.shape[2] in (3, 4))
    return cast(Sequence[Pixels], array[np.newaxis] if alone else array), alone


def _from_many(given: Iterable[Any]) -> list[Pixels]:
    try:
        pictures = [_as_array(one, f"picture {number}") for number, one in enumerate(given)]
    except TypeError as error:
        if isinstance(error, ArgumentTypeError):
            raise
        raise ArgumentTypeError(f"frames are an array {SHAPES}, a list or generator of pictures, a path, or what "
                                f"fusetrack.open gives, not {_said(given)}") from None  # fmt: skip
    if not pictures:
        raise ArgumentError("there are no frames: the list or generator of pictures is empty")
    first = pictures[0]
    if first.ndim not in (2, 3) or 0 in first.shape or (first.ndim == 3 and first.shape[2] not in (1, 3, 4)):
        raise ArgumentTypeError(f"a picture is (height, width) or (height, width, 3), and picture 0 has the shape "
                                f"{first.shape}")  # fmt: skip
    for number, one in enumerate(pictures):
        if one.shape != first.shape or one.dtype != first.dtype:
            raise ArgumentError(f"picture {number} is {one.dtype} of shape {one.shape}, and picture 0 is {first.dtype} "
                                f"of shape {first.shape}; all frames of a clip are alike")  # fmt: skip
    return pictures


def _as_array(given: Any, what: str) -> Pixels:
    if isinstance(given, np.ma.MaskedArray) and given.mask is not np.ma.nomask and given.mask.any():
        raise ArgumentTypeError(f"{what} is masked, and pipelines know no such pixels; fill them, as .filled(0) does")
    array = np.asarray(given)
    if array.dtype.kind not in "buif":
        raise ArgumentTypeError(f"{what} is of {array.dtype}, and pictures are {NUMBERS}")
    return array


def _said(given: object) -> str:
    return "None" if given is None else f"{type(given).__name__} {str(given)[:40]!r}"


def time_of(frames: int, fps: float | None, times: object = None) -> TimeBase:
    """When the frames of arrays were taken.

    Args:
        frames: how many.
        fps: frames a second, None if unknown.
        times: seconds of each, rising; None for even ones.

    Raises:
        ArgumentError: no such rate or times.
    """
    if fps is not None and (isinstance(fps, bool | str) or not hasattr(fps, "__float__")):
        raise ArgumentTypeError(f"fps is a number of frames a second, not {fps!r}")
    if fps is not None and not (1e-9 <= float(fps) < 1e9):
        raise ArgumentError(f"fps must be a positive number of frames a second, 1e-9 to 1e9, not {float(fps):g}")
    if times is None:
        if fps is None:
            return TimeBase(math.nan, "unknown", "arrays have no frame rate; give it with fps=")
        return TimeBase(float(fps), "user", f"{float(fps):g} fps given with the array")
    try:
        stamps = np.asarray(times, np.float64)
    except (TypeError, ValueError):
        raise ArgumentTypeError(f"times are seconds, a number a frame, not {_said(times)}") from None
    if stamps.shape != (frames,):
        raise ArgumentError(f"times are seconds, a number a frame: {frames} of them, not of shape {stamps.shape}")
    steps = np.diff(stamps)
    if not np.isfinite(stamps).all() or (steps <= 0).any():
        at = int(np.argmax(~np.isfinite(stamps) | np.append(False, ~(steps > 0))))
        raise ArgumentError(f"times must rise from frame to frame, and that of frame {at} is {stamps[at]:g} s")
    # The median step: a gap in the times does not lower the rate.
    rate = float(fps) if fps is not None else 1.0 / float(np.median(steps)) if len(steps) else math.nan
    return TimeBase(rate, "user", "times given with the array", stamps)

