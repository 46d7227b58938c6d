"""A crowd of blobs that pass behind standing bars."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from app.sources.simulated.drawing import Floats, Image, add_gaussians, span
from app.sources.simulated.scene import Truth, common, setting
from app.sources.simulated.scenes.blobs import BACKDROP, Blobs

EDGE = 0.7
"""Blur of the bars' edges, px."""
COVERED = 0.02
"""Share of a blob's light behind a bar from which on it is hidden in part, and its row says that it is not visible."""


@dataclass(frozen=True, kw_only=True)
class Bars(Blobs):
    """The blobs of the scene `blobs`, slower, turning inside the picture, behind standing bars as bright as the
    backdrop.

    A blob is half covered for some frames at each edge, and out of sight for as long as it takes to cross, 6 to 60
    frames mostly; some go along a bar. Bars are `widest` px wide at most, and a third of that at least.
    """

    name: ClassVar[str] = "bars"
    summary: ClassVar[str] = "a crowd of blobs behind thin standing bars"
    wobble: ClassVar[float] = 0.5
    margin: ClassVar[float] = -6.0
    width: int = common("width", 256)
    height: int = common("height", 256)
    count: int = setting("count", 50, "blobs", "", 1, 20_000)
    speed: float = setting("speed", 900.0, "typical speed", "px/s", 0, 1e6)
    hidden: float = setting("hidden", 0.0, "share of the time that a blob is hidden elsewhere", "1", 0, 0.9)
    bars: int = setting("bars", 4, "standing bars", "", 0, 100)
    widest: float = setting("widest", 10.0, "width of the widest bar", "px", 1, 1000)

    @cached_property
    def _bars(self) -> tuple[Floats, Floats]:
        """Left and right edges, px."""
        rng, pitch = self.random(2), self.width / max(self.bars, 1)
        wide = rng.uniform(0.3 * self.widest, self.widest, self.bars)
        middle = (np.arange(self.bars) + rng.uniform(0.3, 0.7, self.bars)) * pitch
        return middle - wide / 2, middle + wide / 2

    @cached_property
    def _cover(self) -> Floats:
        """Of each column of pixels, 0..1."""
        cover = np.zeros(self.width)
        for low, high in zip(*self._bars, strict=True):
            cover = np.maximum(cover, span(self.width, low, high, EDGE))
        return cover

    def light(self, index: int) -> Image:
        blobs = np.zeros(self.shape, np.float32)
        x, y = self._positions(index)
        shown = self._shown(index)
        add_gaussians(blobs, x[:, shown].ravel(), y[:, shown].ravel(), self.peak / self.moments, self.sigma)
        return (np.float32(BACKDROP) + blobs * (1 - self._cover).astype(np.float32)).astype(np.float32)

    def truth(self, index: int) -> Truth:
        rows = super().truth(index)
        away = np.arange(self.width)[:, None] - rows["x"]
        share = np.exp(-0.5 * (away / self.sigma) ** 2)
        covered = (self._cover[:, None] * share).sum(0) / np.maximum(share.sum(0), 1e-9)
        rows["visible"] &= covered < COVERED
        return rows
