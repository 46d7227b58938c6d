"""NumPy .npy files, memory-mapped: (T, H, W), (T, H, W, C) or a single picture (H, W), (H, W, 3), (H, W, 4)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import IO, Any

import numpy as np

from app.sources.base import check_picture, identity_of, reason_of
from app.sources.raw_stack import Layout, RawStack
from app.sources.values import delivered_type, white_sentence
from kernels.errors import ExprError, SourceError
from kernels.ir.image import ImageType
from pipelines.frame import PixelFormat, SourceInfo, TimeBase

_COLOR = {1: "mono", 3: "rgb", 4: "rgba"}
NO_RATE = "the file holds no frame rate; give the capture rate with --fps"
NO_TIMES = TimeBase(float("nan"), "unknown", NO_RATE)


class ArraySource(RawStack):
    """A stack of pictures in one .npy file.

    Args:
        path: the file.

    Raises:
        SourceError: damaged header, a type or shape that is no picture, or not one frame is whole.
    """

    def _describe(self, path: Path) -> tuple[SourceInfo, Layout]:
        with path.open("rb") as file:
            shape, fortran, dtype, start = read_array_header(path, file)
        warnings: list[str] = []
        shape = as_stack(path, shape, warnings)
        image, pixels = picture_of(path, shape, dtype, warnings)
        layout = layout_of(image, shape, dtype, fortran, start)
        frames = layout.frames_in(path, self._file.size, shape[0], warnings)
        return SourceInfo(
            path.name, "npy", image.width, image.height, frames, image, pixels, NO_TIMES,
            declared_frames=shape[0], warnings=tuple(warnings), identity=identity_of(path),
        ), layout  # fmt: skip


def picture_of(
    path: Path, shape: tuple[int, int, int, int], dtype: np.dtype[Any], warnings: list[str]
) -> tuple[ImageType, PixelFormat]:
    """What is delivered of an array of this stack's shape (`as_stack`) and type.

    Raises:
        SourceError: no such pictures.
    """
    _, height, width, channels = shape
    if dtype.hasobject or dtype.fields is not None:
        raise SourceError(f"{path} holds Python objects or records, not pictures")
    try:
        kind = delivered_type(dtype.newbyteorder("="))
    except ExprError as error:
        raise SourceError(f"{path} cannot be used: {error}") from None
    check_picture(path, width, height, height * width * channels * dtype.itemsize)
    warnings += filter(None, (white_sentence(kind),))
    return ImageType(kind, height, width, channels), PixelFormat(_COLOR[channels], kind.bits)


def read_array_header(path: Path, file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Shape, Fortran order, type and start of the data of a .npy file.

    Raises:
        SourceError: it is none, damaged, or holds no numbers; the sentence begins with `path`.
    """
    try:
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
    return tuple(int(n) for n in shape), bool(fortran), dtype, start


def as_stack(path: Path, shape: tuple[int, ...], warnings: list[str]) -> tuple[int, int, int, int]:
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


def layout_of(
    image: ImageType, shape: tuple[int, int, int, int], dtype: np.dtype[Any], fortran: bool, start: int
) -> Layout:
    """How an array of this stack's shape lies behind its header."""
    if fortran:
        steps = tuple(dtype.itemsize * math.prod(shape[:axis]) for axis in range(4))
    else:
        steps = tuple(dtype.itemsize * math.prod(shape[axis + 1 :]) for axis in range(4))
    return Layout(image.shape, dtype, steps[1 : 1 + len(image.shape)], start, steps[0])
