"""Numba: fused row loops written by hand, one strip of rows a thread, the time loop inside.

Every strip keeps the states of its own rows and of those that its filters look at beyond, as fusetrack does; rows of
intermediates are in rings, mirrored by their reach at both ends. No fastmath, so that it computes the same floats.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.benchmark.chains import boxes as boxes_of
from app.benchmark.peers.base import Array, Buffered, Contender, Size
from tests.benchmark_peers.chains.numba_rows import HALO, PAD, RING, numba
from tests.benchmark_peers.chains.numba_strips import (
    background_strips,
    harris_strips,
    seed_float_strips,
    seed_strips,
    strips,
    unsharp_strips,
)


def set_threads(threads: int) -> None:
    """Of all parallel loops."""
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))


class Strips(Buffered):
    """A compiled loop over strips, with its states (strip, row, x) and rings."""

    loop: Callable[..., None] = staticmethod(seed_strips)
    states = 1
    rings: tuple[type, ...] = (np.uint8, np.uint8, np.uint16, np.float32)

    def __init__(self, size: Size, _: Array | None = None) -> None:
        super().__init__(size)
        threads = max(1, min(size.threads, size.height))
        self.edges = np.array([size.height * i // threads for i in range(threads + 1)])
        rows = int(np.diff(self.edges).max()) + 2 * HALO
        self.memory = [np.zeros((threads, rows, size.width), np.float32) for _ in range(self.states)]
        self.scratch: list[Array] = [np.zeros((threads, RING, size.width + 2 * PAD), kind) for kind in self.rings]

    def __call__(self, batch: Array) -> Array:
        out = self.results(len(batch))
        given = batch if batch.ndim == 4 else batch[..., np.newaxis]
        type(self).loop(given, out, self.edges, self.first, *self.memory, *self.scratch)
        self.first = False
        return out


class SeedFloat(Strips):
    """All of it in f32."""

    loop = staticmethod(seed_float_strips)
    rings = (np.float32, np.float32, np.float32)


class Harris(Strips):
    """Whole numbers up to the sums, f32 from there."""

    loop = staticmethod(harris_strips)
    states = 0
    rings = (np.uint8, np.uint16, np.int32, np.int32, np.int32, np.float32, np.float32, np.int32)


class Background(Strips):
    """Mean and variance in f32."""

    loop = staticmethod(background_strips)
    states = 2
    rings = (np.uint8, np.uint8, np.uint8)


class Unsharp(Strips):
    """f32."""

    loop = staticmethod(unsharp_strips)
    states = 0
    rings = (np.float32,)


@strips
def _moments(masks: Array, regions: Array, table: Array) -> None:
    for job in numba.prange(masks.shape[0] * regions.shape[0]):
        t, k = job // regions.shape[0], job % regions.shape[0]
        left, top, width, height = regions[k]
        m00 = m10 = m01 = m20 = m11 = m02 = np.int64(0)
        for j in range(height):
            n = sx = sxx = np.int32(0)
            for i in range(width):
                on = np.int32(masks[t, top + j, left + i] & 1)
                n += on
                sx += on * np.int32(i)
                sxx += on * np.int32(i * i)
            m00 += n
            m10 += sx
            m20 += sxx
            m01 += n * j
            m11 += sx * j
            m02 += n * j * j
        table[t, k, 0], table[t, k, 1], table[t, k, 2] = m00, m10, m01
        table[t, k, 3], table[t, k, 4], table[t, k, 5] = m20, m11, m02


class Moments(Strips):
    """The moments of the seed chain's masks."""

    def __init__(self, size: Size, _: Array | None = None) -> None:
        super().__init__(size)
        self.regions = np.array(boxes_of(min(self.size)), np.int64)

    def __call__(self, batch: Array) -> Array:
        masks = super().__call__(batch)
        table = np.zeros((len(batch), len(self.regions), 6), np.int64)
        _moments(masks, self.regions, table)
        return table


CONTENDERS = {
    "seed": {"numba": Contender(Strips)},
    "seed-f32": {"numba": Contender(SeedFloat)},
    "harris": {"numba": Contender(Harris)},
    "background": {"numba": Contender(Background)},
    "unsharp": {"numba": Contender(Unsharp)},
    "features": {"numba": Contender(Moments)},
}
