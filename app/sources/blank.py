"""A blank ground in place of a clip that is not there any more: its tracks can be looked at all the same."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from app.sources.base import ClipSource
from kernels.errors import SourceError
from kernels.ir.image import U8, ImageType
from pipelines.frame import PixelFormat, Pixels, SourceInfo, TimeBase

GROUND = 48
"""The gray of every pixel: dark, so that tracks stand out, and not the black of a picture that is broken."""


class BlankSource(ClipSource):
    """As many gray pictures as a clip had, of its size and time base.

    Args:
        facts: what a summary says of the clip (`app.provenance.source_facts`).

    Raises:
        SourceError: they do not tell how large it was.
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        base = facts.get("time_base") or {}
        fps, begin = base.get("fps"), base.get("begin_s")
        try:
            width, height, frames = (int(facts[name]) for name in ("width_px", "height_px", "frames"))
            if min(width, height, frames) < 1:
                raise ValueError
            time = TimeBase(float(fps) if fps else math.nan, str(base.get("origin", "unknown")),
                            str(base.get("note", "")), begin=float(begin or 0.0))  # fmt: skip
            first = int(facts.get("first_number") or 0)
        except (KeyError, TypeError, ValueError):
            raise SourceError("the summary of the run does not tell how large its pictures were") from None
        super().__init__(SourceInfo(
            str(facts.get("name", "clip")), "blank", width, height, frames, ImageType(U8, height, width, 1),
            PixelFormat(), time, first, identity=dict(facts.get("identity") or {}),
        ))  # fmt: skip
        self._picture = np.full((height, width), GROUND, np.uint8)
        self._picture.flags.writeable = False

    def _frame(self, index: int) -> Pixels:
        del index
        return self._picture

    def close(self) -> None:
        """Nothing is held."""
