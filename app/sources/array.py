"""NumPy .npy files, memory-mapped: (T, H, W), (T, H, W, C) or a single picture (H, W), (H, W, 3), (H, W, 4)."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from app.sources.base import ClipSource, MappedFile, check_file, check_picture, identity_of, plural, reason_of
from app.sources.values import deliver, delivered_type, white_sentence
from kernels.errors import BadFrame, ExprError, SourceError
from kernels.ir.image import ImageType
from pipelines.frame import PixelFormat, Pixels, SourceInfo, TimeBase

_COLOR = {1: "mono", 3: "rgb", 4: "rgba"}
NO_RATE = "the file holds no frame rate; give the capture rate with --fps"


class ArraySource(ClipSource):
    """A stack of pictures in one .npy file.

    Args:
        path: the file.

    Raises:
        SourceError: damaged header, a type or shape that is no picture, or not one frame is whole.
    """

    def __init__(self, path: Path) -> None:
        check_file(path)
        shape, fortran, dtype, start = _read_header(path)
        warnings: list[str] = []
        shape = _as_stack(path, shape, warnings)
        declared, height, width, channels = shape
        try:
            kind = delivered_type(dtype.newbyteorder("="))
        except ExprError as error:
            raise SourceError(f"{path} cannot be used: {error}") from None
        check_picture(path, width, height, height * width * channels * dtype.itemsize)
        image = ImageType(kind, height, width, channels)
        warnings += filter(None, (white_sentence(kind),))
        self._file = self._mapped = MappedFile(path)
        room = (self._file.size - start) // (height * width * channels * dtype.itemsize)
        frames = min(declared, room)
        if frames < declared and (fortran or frames < 1):
            self._file.close()
            raise SourceError(
                f"{path} is cut short: its header promises {plural(declared, 'frame')}, "
                f"{'their order in the file needs all of them' if frames else 'not one is whole'}"
            )
        if frames < declared:
            warnings.append(f"the file is cut short: {frames} of {declared} frames are there")
        self._dtype, self._start = dtype, start
        self._strides = _strides(shape, dtype.itemsize, fortran)
        color = _COLOR[channels]
        time = TimeBase(float("nan"), "unknown", NO_RATE)
        super().__init__(
            SourceInfo(
                path.name, "npy", width, height, frames, image, PixelFormat(color, kind.bits), time,
                declared_frames=declared, warnings=tuple(warnings), identity=identity_of(path),
            )
        )  # fmt: skip
        if kind.kind == "i" and dtype.kind == "u":  # values that may not fit
            try:
                self._frame(0)
            except BadFrame as error:
                self._file.close()
                raise SourceError(f"{path} cannot be used: {error.reason}") from None

    def _frame(self, index: int) -> Pixels:
        image = self._info.image
        offset = self._start + index * self._strides[0]
        pixels = self._file.view(index, offset, image.shape, self._dtype, self._strides[1 : 1 + len(image.shape)])
        return deliver(index, pixels, image.dtype)

    def close(self) -> None:
        self._file.close()


def _read_header(path: Path) -> tuple[tuple[int, ...], bool, np.dtype[np.generic], int]:
    """Shape, Fortran order, type and start of the data."""
    try:
        with path.open("rb") as file:
            version = np.lib.format.read_magic(file)
            if version == (1, 0):
                shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
            elif version == (2, 0):
                shape, fortran, dtype = np.lib.format.read_array_header_2_0(file)
            else:
                raise SourceError(f"{path} is a .npy file of version {version[0]}.{version[1]}, which is not known")
            start = file.tell()
    except SourceError:
        raise
    except Exception as error:  # NumPy parses the header as Python text: damage raises whatever its parsers raise
        raise SourceError(f"{path} is no usable .npy file: {reason_of(error)}") from None
    if dtype.hasobject or dtype.fields is not None:
        raise SourceError(f"{path} holds Python objects or records, not pictures")
    return tuple(int(n) for n in shape), bool(fortran), dtype, start


def _as_stack(path: Path, shape: tuple[int, ...], warnings: list[str]) -> tuple[int, int, int, int]:
    """The shape as frames, height, width, channels."""
    if any(n < 1 for n in shape):
        raise SourceError(f"{path} holds no frames: its shape is {shape}")
    if len(shape) == 2:
        return 1, shape[0], shape[1], 1
    if len(shape) == 3 and shape[2] in (3, 4):
        warnings.append(f"the shape {shape} is taken as one colour picture")
        return 1, shape[0], shape[1], shape[2]
    if len(shape) == 3:
        return shape[0], shape[1], shape[2], 1
    if len(shape) == 4 and shape[3] in _COLOR:
        return shape[0], shape[1], shape[2], shape[3]
    raise SourceError(
        f"{path} has the shape {shape}; pictures are (frames, height, width), with 1, 3 or 4 channels at the end if any"
    )


def _strides(shape: tuple[int, ...], itemsize: int, fortran: bool) -> tuple[int, ...]:
    """Byte steps along frames, height, width, channels."""
    if fortran:
        return tuple(itemsize * math.prod(shape[:axis]) for axis in range(4))
    return tuple(itemsize * math.prod(shape[axis + 1 :]) for axis in range(4))
