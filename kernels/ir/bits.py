"""Masks as words of bits: an eighth of the bytes, and what loops over regions read anyway."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
WORD = 64
"""Pixels of a word: the leftmost is the lowest bit."""


def words_of(width: int) -> int:
    """Words of a row of so many pixels."""
    return -(-width // WORD)


@dataclass(frozen=True, slots=True)
class Bits:
    """Masks of a batch; NumPy sees the bool that they are, which are made each time.

    Args:
        words: (frames, height, words of a row) i64, contiguous; bits beyond the picture are 0.
        width: px.
    """

    words: Array
    width: int

    @staticmethod
    def of(masks: Array) -> Bits:
        """From masks (frames, height, width), nonzero inside.

        >>> Bits.of(np.array([[[True, False, True]]])).words.tolist()
        [[[5]]]
        """
        frames, height, width = masks.shape
        # Bits beyond the picture stay 0: `packbits` pads a row to whole bytes, and the rest of a word was zero.
        packed = np.zeros((frames, height, 8 * words_of(width)), np.uint8)
        packed[:, :, : -(-width // 8)] = np.packbits(masks, axis=2, bitorder="little")
        return Bits(packed.view("<i8"), width)

    @property
    def shape(self) -> tuple[int, int, int]:
        frames, height, _ = self.words.shape
        return frames, height, self.width

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of what is meant."""
        return np.dtype(np.bool_)

    @property
    def size(self) -> int:
        """Pixels of all frames."""
        frames, height, width = self.shape
        return frames * height * width

    def __len__(self) -> int:
        return len(self.words)

    def frame(self, number: int) -> Array:
        """One mask, (height, width) bool."""
        bits = np.unpackbits(self.words[number].view(np.uint8), axis=1, count=self.width, bitorder="little")
        return bits.view(np.bool_)

    def __getitem__(self, frames: slice) -> Bits:
        return Bits(self.words[frames], self.width)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        del copy  # it always is one
        masks = np.empty(self.shape, np.bool_)
        for number in range(len(masks)):
            masks[number] = self.frame(number)
        return masks.astype(dtype or np.bool_, copy=False)
