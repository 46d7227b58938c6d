"""What goes wrong with a simulated camera, and when: a function of the seed and of the frame's number alone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import SourceError

BLOCK = 1024
"""Frames whose faults are drawn at once."""
_STREAM = 0xCA3E2A


class Fault(IntEnum):
    """What happens at a frame; of several at once the greatest does."""

    NONE = 0
    DUPLICATE = 1  # it is delivered twice
    DROP = 2  # it is not delivered
    STALL = 3  # it and all later ones come later
    RESIZE = 4  # the camera says that its pictures have another size from here on, and waits for a start
    DISCONNECT = 5  # the camera is gone for a while, then waits for a start


@dataclass(frozen=True, slots=True)
class When:
    """At which frames a fault happens: a share of all, drawn by the seed, or those named.

    Args:
        share: probability at each frame, 0..1.
        ranges: (first, last) numbers.
    """

    share: float = 0.0
    ranges: tuple[tuple[int, int], ...] = ()

    @property
    def ever(self) -> bool:
        return self.share > 0 or bool(self.ranges)

    def mask(self, first: int, count: int, drawn: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        """Which of `count` frames from `first` on have the fault; `drawn` (count,) is uniform in 0..1."""
        mask = drawn < self.share
        for low, high in self.ranges:
            mask[max(0, low - first) : max(0, min(count, high - first + 1))] = True
        return mask


def parse_when(text: str, where: str) -> When:
    """A text such as "0.01" (of a hundred frames one) or "@5,100-120" (frames 5 and 100 to 120).

    Raises:
        SourceError: it is neither.

    >>> parse_when("@5,7-9", "cam:sim")
    When(share=0.0, ranges=((5, 5), (7, 9)))
    """
    try:
        if text.startswith("@"):
            found = []
            for piece in text[1:].split(","):
                low, dash, high = piece.partition("-")
                found.append((int(low), int(high) if dash else int(low)))
                if not 0 <= found[-1][0] <= found[-1][1] < 2**62:
                    raise ValueError
            return When(ranges=tuple(found))
        share = float(text)
        if not 0 <= share <= 1:
            raise ValueError
        return When(share)
    except ValueError:
        raise SourceError(
            f"{where} is a probability a frame (0.01) or frame numbers (@5,100-120), not {text!r}"
        ) from None


@dataclass(frozen=True, slots=True)
class Schedule:
    """The faults of all frames.

    Args:
        seed: chooses what is drawn.
        when: fault -> when it happens.
        jitter: how far exposures stray from the beat, a share of the frame interval (uniform, half to each side).
    """

    seed: int
    when: tuple[tuple[Fault, When], ...]
    jitter: float = 0.0

    def block(self, number: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
        """(BLOCK,) faults and (BLOCK,) strayings in frame intervals of the frames from `number` * BLOCK on."""
        # Each block has a random stream of its own: any frame's faults are known without drawing those before.
        rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence([self.seed, _STREAM, number])))
        drawn: npt.NDArray[Any] = rng.random((len(Fault), BLOCK))
        faults = np.zeros(BLOCK, np.uint8)
        # In rising order: of several at one frame the greatest stays.
        for fault, when in sorted(self.when):
            faults[when.mask(number * BLOCK, BLOCK, drawn[fault])] = fault
        return faults, (drawn[0] - 0.5) * self.jitter
