"""Whole gray values that are meant as fractions of full scale: pixels of one or two bytes in place of four.

    value = whole / white, rounded to f32, as the stage `normalize` makes it

Machine code of loops divides as it loads, so that its numbers are those that it would find in an image of f32, bit by
bit, and that image need not be made, kept or sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
WHOLE = ("uint8", "uint16")
"""Types of pixels that may be meant so: f32 holds their numbers."""
WHITE = "white"
"""The f32 in the memory of machine code in which full scale lies; each copy in a process has its own."""


@dataclass(frozen=True, slots=True)
class Fraction:
    """The type of such pixels, for `kernels.loops.calling.call`.

    Args:
        whole: the type that they have in memory, one of WHOLE.
        white: full scale, at most 65535; 0 for any.
    """

    whole: str
    white: int

    @property
    def name(self) -> str:
        """What these numbers are: "uint8/255"."""
        return f"{self.whole}/{self.white}"

    @property
    def kind(self) -> Fraction:
        """This type with the full scale 0, which stands for any: machine code reads the full scale from memory
        (`WHITE`), so that one program serves pixels of 10 bits and of 12."""
        return Fraction(self.whole, 0)


@dataclass(frozen=True, slots=True)
class Fractions:
    """Frames of such pixels; NumPy sees the f32 that they are meant to be, which are made each time.

    Args:
        whole: (frames, height, width), of one of the types WHOLE.
        white: full scale.
    """

    whole: Array
    white: int

    @property
    def shape(self) -> tuple[int, ...]:
        return self.whole.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of what is meant."""
        return np.dtype(np.float32)

    @property
    def pixels(self) -> Fraction:
        """The type of what lies in memory."""
        return Fraction(self.whole.dtype.name, self.white)

    def __len__(self) -> int:
        return len(self.whole)

    def __getitem__(self, frames: slice) -> Fractions:
        return Fractions(self.whole[frames], self.white)

    def __iter__(self) -> Iterator[Array]:
        """The frames as f32."""
        return (_divided(frame, self.white) for frame in self.whole)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        del copy  # it always is one
        return _divided(self.whole, self.white).astype(dtype or np.float32, copy=False)


def _divided(whole: Array, white: int) -> Array:
    return whole.astype(np.float32) / np.float32(white)


Images = Array | Fractions


def dense(images: Images) -> Images:
    """The same in one block of memory."""
    if isinstance(images, Fractions):
        return Fractions(np.ascontiguousarray(images.whole), images.white)
    return np.ascontiguousarray(images)


def flat(images: Images) -> Array:
    """What lies in memory, in one dimension."""
    return (images.whole if isinstance(images, Fractions) else images).reshape(-1)


def pixels_of(images: Images) -> np.dtype[Any] | Fraction:
    """The type of PIXELS with which a loop is called."""
    return images.pixels if isinstance(images, Fractions) else images.dtype
