"""Frames of a clip as pictures: what a network is taught with, what is compared, and what other programs get."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from kernels.executors.base import executor
from kernels.ir.image import ImageType
from pipelines.definition import loads
from pipelines.frame import FrameBatch, FrameSource
from pipelines.graph import SOURCE, Ref
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.engine.engine import Engine

Array = npt.NDArray[Any]
_GRAY = 'name = "gray"\n[stages.gray]\n'


class PlainFrames:
    """Reads frames through a pipeline's front end: unpacked, colours from a mosaic, as a pipeline takes them.

    Args:
        source: the clip; not closed.
        gray: whether colours become gray, as by the stage `gray`.
    """

    def __init__(self, source: FrameSource, gray: bool) -> None:
        self._source = source
        bound = bound_for(loads(_GRAY), source.info)
        self._ref = Ref("gray") if gray else bound.picture
        kind = bound.types[self._ref]
        assert isinstance(kind, ImageType)
        self._white = kind.white
        self._engine = Engine(bound, executor("cpu"), (self._ref,)) if self._ref.node != SOURCE else None

    def fractions(self, index: int) -> Array:
        """A frame, (height, width) or (height, width, channels), f32: fractions of full scale.

        Raises:
            BadFrame: it cannot be read.
        """
        pixels = self._source.read(index)
        if self._engine is not None:
            batch = FrameBatch(np.array([index]), np.array([self._source.info.time.time(index)]), pixels[None])
            made = self._engine.step(batch)[self._ref][0]
            assert isinstance(made, np.ndarray)
            pixels = made
        return np.asarray(pixels, np.float32) / np.float32(self._white)

    def bytes(self, index: int) -> Array:
        """A frame of 8 bits, (height, width) or red, green, blue (height, width, 3).

        Raises:
            BadFrame: it cannot be read.
        """
        made = np.rint(np.clip(self.fractions(index), 0, 1) * 255).astype(np.uint8)
        return np.ascontiguousarray(made[..., :3] if made.ndim == 3 and made.shape[2] > 3 else made)


def check_index(index: int, frames: int, name: str) -> None:
    """See that a labelled frame is one of its clip; raises InputError if not."""
    if index >= frames:
        raise InputError(f"frame {index} of {name} is labelled, which has {frames}")
