"""Clips whose frames lie in a file as they are, each as large as the others: mapped, O(1), nothing copied."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.sources.base import ClipSource, MappedFile, check_file, plural
from app.sources.packed import unpack_msb
from app.sources.values import deliver
from kernels.errors import BadFrame, SourceError
from pipelines.frame import Pixels, SourceInfo


@dataclass(frozen=True, slots=True)
class Layout:
    """How frames lie in a file.

    Args:
        shape: of one frame's array in the file; of packed samples (..., bytes).
        dtype: there.
        strides: bytes from one element to the next along each axis.
        start: byte at which frame 0 begins.
        step: bytes from one frame to the next.
        bits: of samples that share bytes, most significant bits first, and are unpacked; 0 for others.
        samples: of them along the last axis.
        flips: rows and columns as they are to be taken, where the file has them in another order.
    """

    shape: tuple[int, ...]
    dtype: npt.DTypeLike
    strides: tuple[int, ...]
    start: int = 0
    step: int = 0
    bits: int = 0
    samples: int = 0
    flips: tuple[slice, ...] = ()

    @property
    def span(self) -> int:
        """Bytes from the first of a frame to its last."""
        steps = sum((n - 1) * stride for n, stride in zip(self.shape, self.strides, strict=True))
        return steps + np.dtype(self.dtype).itemsize

    def frames_in(self, path: Path, size: int, declared: int, warnings: list[str]) -> int:
        """How many of `declared` frames a file of `size` bytes holds as a whole; fewer are a warning.

        Raises:
            SourceError: not one.
        """
        frames = min(declared, (size - self.start - self.span) // self.step + 1)
        if frames < 1:
            raise SourceError(
                f"{path} is cut short: it holds {plural(size, 'byte')}, and not one of {plural(declared, 'frame')} of "
                f"{plural(self.span, 'byte')} is whole"
            )
        if frames < declared:
            warnings.append(f"the file is cut short: {frames} of {declared} frames are there")
        return frames


def rows_of(shape: tuple[int, ...], dtype: npt.DTypeLike, row_bytes: int) -> tuple[int, ...]:
    """Strides of pictures (height, width[, channels]) whose rows take `row_bytes`.

    >>> rows_of((4, 5, 3), "<u2", 32)
    (32, 6, 2)
    """
    size = np.dtype(dtype).itemsize
    return (row_bytes, size * (shape[2] if len(shape) > 2 else 1), size)[: len(shape)]


class RawStack(ClipSource):
    """Base of the readers of such files; a reader gives `_describe`, and `_offset` where frames lie in no even steps.

    Args:
        path: the file with the pixels.

    Raises:
        SourceError: it cannot be read, or `_describe` refuses it.
    """

    def __init__(self, path: Path) -> None:
        check_file(path)
        self._file = self._mapped = MappedFile(path)
        try:
            info, self._layout = self._describe(path)
        except BaseException:
            self._file.close()
            raise
        super().__init__(info)
        stored = np.dtype(self._layout.dtype)
        self._cast = not self._layout.bits and stored != info.image.dtype.numpy
        if stored.kind == "u" and info.image.dtype.kind == "i":  # values that may not fit
            try:
                self._frame(0)
            except BadFrame as error:
                self._file.close()
                raise SourceError(f"{path} cannot be used: {error.reason}") from None

    @abstractmethod
    def _describe(self, path: Path) -> tuple[SourceInfo, Layout]:
        """What `self._file` holds, and how it lies there."""

    def _offset(self, index: int) -> int:
        """The byte at which the pixels of a frame begin; BadFrame if unknown."""
        return self._layout.start + index * self._layout.step

    def _frame(self, index: int) -> Pixels:
        layout, image = self._layout, self._info.image
        pixels = self._file.view(index, self._offset(index), layout.shape, layout.dtype, layout.strides)
        if layout.bits:
            pixels = unpack_msb(pixels, layout.samples, layout.bits).reshape(image.shape)
        elif self._cast:
            pixels = deliver(index, pixels, image.dtype)
        return pixels[layout.flips] if layout.flips else pixels

    def close(self) -> None:
        self._file.close()
