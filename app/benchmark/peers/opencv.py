"""What a good engineer writes with OpenCV: preallocated, in bytes and shorts where they suffice, all threads.

Where several sequences give the same output and which is faster depends on the version and the machine, all are tried
and the fastest is the contender.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from app.benchmark.chains import ALPHA, AMOUNT, DEVIATIONS, K_HARRIS, LEARN, LEVEL, MIN_SIGMA, REACH, RESPONSE, SIGMA
from app.benchmark.chains import boxes as boxes_of
from app.benchmark.peers.base import Array, Buffered, Contender, Peer, Size
from kernels.opencv import cv2

TRIES = 4
TAPS = 2 * REACH + 1


def set_threads(threads: int) -> None:
    """Of all calls of OpenCV."""
    cv2.setNumThreads(threads)


def fastest(*variants: Callable[[Size], Peer]) -> Callable[[Size, Array], Peer]:
    """A new peer of the variant with the shortest of a few calls."""

    def make(size: Size, batch: Array) -> Peer:
        peers = [variant(size) for variant in variants]
        best = [float("inf")] * len(peers)
        for _ in range(TRIES if len(peers) > 1 else 0):
            for k, peer in enumerate(peers):
                start = time.perf_counter()
                peer(batch)
                best[k] = min(best[k], time.perf_counter() - start)
        return variants[best.index(min(best))](size)

    return make


class _Steady(Buffered):
    """Gray (of four channels) and the IIR in f32, which both seed chains begin with."""

    def steady(self, frame: Array) -> Array:
        gray, state = frame, self.buffer("state", np.float32)
        if frame.ndim == 3:
            gray = self.buffer("gray", np.uint8)
            cv2.cvtColor(frame, cv2.COLOR_RGBA2GRAY, dst=gray)
        if self.first:
            state[...] = gray
        cv2.accumulateWeighted(gray, state, ALPHA)
        return state


class SeedBytes(_Steady):
    """Bytes, short integers and the L1 norm; saturating at 255 does not change what is above the level."""

    def __init__(self, size: Size, together: bool = False) -> None:
        super().__init__(size)
        self.together = together

    def frame(self, frame: Array, out: Array) -> None:
        steady, smooth, other = (self.buffer(name, np.uint8) for name in ("steady", "smooth", "other"))
        gx, gy = self.buffer("gx", np.int16), self.buffer("gy", np.int16)
        cv2.convertScaleAbs(self.steady(frame), dst=steady)
        cv2.GaussianBlur(steady, (5, 5), 0, dst=smooth)
        if self.together:
            cv2.spatialGradient(smooth, gx, gy)
        else:
            cv2.Sobel(smooth, cv2.CV_16S, 1, 0, dst=gx)
            cv2.Sobel(smooth, cv2.CV_16S, 0, 1, dst=gy)
        cv2.convertScaleAbs(gx, dst=steady)
        cv2.convertScaleAbs(gy, dst=other)
        cv2.add(steady, other, dst=steady)
        cv2.threshold(steady, LEVEL, 255, cv2.THRESH_BINARY, dst=out)


class SeedFloat(_Steady):
    """All of it in f32, the L2 norm."""

    def frame(self, frame: Array, out: Array) -> None:
        smooth, gx, gy = (self.buffer(n, np.float32) for n in ("smooth", "gx", "gy"))
        cv2.GaussianBlur(self.steady(frame), (5, 5), SIGMA, dst=smooth)
        cv2.Sobel(smooth, cv2.CV_32F, 1, 0, dst=gx)
        cv2.Sobel(smooth, cv2.CV_32F, 0, 1, dst=gy)
        cv2.magnitude(gx, gy, magnitude=gx)
        cv2.compare(gx, LEVEL, cv2.CMP_GT, dst=out)


class Moments:
    """The moments of the regions of another peer's masks: m00, m10, m01, m20, m11, m02 about the region's corner."""

    names = ("m00", "m10", "m01", "m20", "m11", "m02")

    def __init__(self, size: Size, mask: Callable[[Size], Peer] = SeedBytes) -> None:
        self.mask, self.regions = mask(size), boxes_of(min(size.height, size.width))

    def __call__(self, batch: Array) -> Array:
        masks = self.mask(batch)
        table = np.empty((len(batch), len(self.regions), len(self.names)))
        for t, mask in enumerate(masks):
            for k, (x, y, w, h) in enumerate(self.regions):
                found = cv2.moments(mask[y : y + h, x : x + w], binaryImage=True)
                table[t, k] = [found[name] for name in self.names]
        return table


class Harris(Buffered):
    """cornerHarris, dilate, compare."""

    def frame(self, frame: Array, out: Array) -> None:
        smooth, strong = self.buffer("smooth", np.uint8), self.buffer("strong", np.uint8)
        response, largest = self.buffer("response", np.float32), self.buffer("largest", np.float32)
        cv2.GaussianBlur(frame, (5, 5), 0, dst=smooth)
        cv2.cornerHarris(smooth, 3, 3, K_HARRIS, dst=response)
        cv2.dilate(response, None, dst=largest)
        cv2.compare(response, largest, cv2.CMP_GE, dst=out)
        cv2.compare(response, RESPONSE, cv2.CMP_GT, dst=strong)
        cv2.bitwise_and(out, strong, dst=out)


class Background(Buffered):
    """Running mean and variance by accumulateWeighted, opening by morphologyEx; f32, as bytes cannot hold them.

    Multiplying by a number is four times as fast in addWeighted as in multiply.
    """

    kernel = np.ones((3, 3), np.uint8)

    def __init__(self, size: Size, mixed: bool = False) -> None:
        super().__init__(size)
        self.mixed = mixed

    def frame(self, frame: Array, out: Array) -> None:
        mean, variance, d, limit = (self.buffer(n, np.float32) for n in ("mean", "variance", "d", "limit"))
        if self.first:
            mean[...] = frame
            variance[...] = MIN_SIGMA**2
        if self.mixed:
            cv2.subtract(frame, mean, dst=d, dtype=cv2.CV_32F)
        else:
            d[...] = frame
            cv2.subtract(d, mean, dst=d)
        cv2.multiply(d, d, dst=d)
        cv2.max(variance, MIN_SIGMA**2, dst=limit)
        cv2.addWeighted(limit, DEVIATIONS**2, limit, 0, 0, dst=limit)
        cv2.compare(d, limit, cv2.CMP_GT, dst=out)
        cv2.accumulateWeighted(frame, mean, LEARN)
        cv2.accumulateWeighted(d, variance, LEARN)
        cv2.morphologyEx(out, cv2.MORPH_OPEN, self.kernel, dst=out)


class UnsharpFloat(Buffered):
    """A separable filter from bytes to f32, and addWeighted back to bytes."""

    taps = cv2.getGaussianKernel(TAPS, SIGMA, cv2.CV_32F)

    def __init__(self, size: Size, mixed: bool = False) -> None:
        super().__init__(size)
        self.mixed = mixed

    def frame(self, frame: Array, out: Array) -> None:
        smooth, x = self.buffer("smooth", np.float32), frame
        cv2.sepFilter2D(frame, cv2.CV_32F, self.taps, self.taps, dst=smooth)
        if not self.mixed:
            x = self.buffer("x", np.float32)
            x[...] = frame
        cv2.addWeighted(x, 1 + AMOUNT, smooth, -AMOUNT, 0, dst=out, dtype=cv2.CV_8U)


class UnsharpBytes(Buffered):
    """GaussianBlur and addWeighted in bytes: rounds twice, so it is not the same picture."""

    def frame(self, frame: Array, out: Array) -> None:
        smooth = self.buffer("smooth", np.uint8)
        cv2.GaussianBlur(frame, (TAPS, TAPS), SIGMA, dst=smooth)
        cv2.addWeighted(frame, 1 + AMOUNT, smooth, -AMOUNT, 0, dst=out)


def _moments(*masks: Callable[[Size], Peer]) -> Sequence[Callable[[Size], Peer]]:
    return [partial(Moments, mask=mask) for mask in masks]


_BYTES = (SeedBytes, partial(SeedBytes, together=True))
_BACKGROUND = (Background, partial(Background, mixed=True))
_UNSHARP = (UnsharpFloat, partial(UnsharpFloat, mixed=True))

CONTENDERS = {
    "seed": {"opencv": Contender(fastest(*_BYTES)), "opencv f32": Contender(SeedFloat, same=False)},
    "seed-f32": {"opencv": Contender(SeedFloat), "opencv bytes": Contender(fastest(*_BYTES), same=False)},
    "harris": {"opencv": Contender(Harris)},
    "background": {"opencv": Contender(fastest(*_BACKGROUND))},
    "unsharp": {"opencv": Contender(fastest(*_UNSHARP)), "opencv bytes": Contender(UnsharpBytes, same=False)},
    "features": {
        "opencv": Contender(fastest(*_moments(*_BYTES))),
        "opencv to mask": Contender(fastest(*_BYTES), same=False),
        "opencv f32": Contender(fastest(*_moments(SeedFloat)), same=False),
    },
}
"""cornerHarris and the running variance are f32 inside, so that `harris` and `background` have no other f32 form."""
