"""NumPy and SciPy: what is written first, one array operation after the other, one thread."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from app.benchmark.chains import ALPHA, AMOUNT, DEVIATIONS, K_HARRIS, LEARN, LEVEL, MIN_SIGMA, REACH, RESPONSE, SIGMA
from app.benchmark.chains import boxes as boxes_of
from app.benchmark.peers.base import Array, Buffered, Contender, Size

BINOMIAL = np.array([1, 4, 6, 4, 1])


def set_threads(_: int) -> None:
    """Nothing to set: it has one."""


def _binomial(image: Array) -> Array:
    """cv2.GaussianBlur(u8, (5, 5), 0), in i32."""
    across = ndimage.correlate1d(image.astype(np.int32), BINOMIAL, 1, mode="mirror")
    total: Array = ndimage.correlate1d(across, BINOMIAL, 0, mode="mirror")
    return (total + 128) >> 8


class _Steady(Buffered):
    def steady(self, frame: Array) -> Array:
        gray = frame
        if frame.ndim == 3:
            c = frame.astype(np.int32)
            gray = (9798 * c[..., 0] + 19235 * c[..., 1] + 3735 * c[..., 2] + 16384) >> 15
        state = self.buffer("state", np.float32)
        if self.first:
            state[...] = gray
        state += np.float32(ALPHA) * (gray.astype(np.float32) - state)
        return state


class SeedBytes(_Steady):
    """Whole numbers after the IIR."""

    def frame(self, frame: Array, out: Array) -> None:
        smooth = _binomial(np.rint(self.steady(frame)))
        l1 = np.abs(ndimage.sobel(smooth, 1, mode="mirror")) + np.abs(ndimage.sobel(smooth, 0, mode="mirror"))
        np.multiply(l1 > LEVEL, 255, out=out, casting="unsafe")


class SeedFloat(_Steady):
    """f32 throughout."""

    def frame(self, frame: Array, out: Array) -> None:
        smooth = ndimage.gaussian_filter(self.steady(frame), SIGMA, radius=2, mode="mirror")
        gx, gy = ndimage.sobel(smooth, 1, mode="mirror"), ndimage.sobel(smooth, 0, mode="mirror")
        np.multiply(np.sqrt(gx * gx + gy * gy) > LEVEL, 255, out=out, casting="unsafe")


class Moments(SeedBytes):
    """Sums over slices of the mask."""

    def __init__(self, size: Size, _: Array | None = None) -> None:
        super().__init__(size)
        self.regions = boxes_of(min(self.size))

    def __call__(self, batch: Array) -> Array:
        masks = super().__call__(batch)
        table = np.empty((len(batch), len(self.regions), 6), np.int64)
        for t, mask in enumerate(masks):
            for k, (x, y, w, h) in enumerate(self.regions):
                part = (mask[y : y + h, x : x + w] != 0).astype(np.int64)
                i, j = np.arange(w), np.arange(h)
                columns, rows = part.sum(0), part.sum(1)
                table[t, k] = (rows.sum(), columns @ i, rows @ j, columns @ i**2, j @ part @ i, rows @ j**2)
        return table


class Harris(Buffered):
    """The structure tensor by ndimage, its borders mirrored in every step."""

    def frame(self, frame: Array, out: Array) -> None:
        smooth = _binomial(frame)
        gx, gy = ndimage.sobel(smooth, 1, mode="mirror"), ndimage.sobel(smooth, 0, mode="mirror")
        products = ((gx * gx), (gx * gy), (gy * gy))
        scale = np.float32(1.0 / (4 * 3 * 255))
        xx, xy, yy = (_sum3(p).astype(np.float32) * scale * scale for p in products)
        trace = xx + yy
        response = xx * yy - xy * xy - np.float32(K_HARRIS) * trace * trace
        best = ndimage.maximum_filter(response, 3, mode="nearest")
        np.multiply((response >= best) & (response > RESPONSE), 255, out=out, casting="unsafe")


def _sum3(image: Array) -> Array:
    ones = np.ones(3, np.int64)
    across = ndimage.correlate1d(image, ones, 1, mode="mirror")
    total: Array = ndimage.correlate1d(across, ones, 0, mode="mirror")
    return total


class Background(Buffered):
    """Running mean and variance, opening by ndimage; pixels outside do not count."""

    def frame(self, frame: Array, out: Array) -> None:
        mean, variance = self.buffer("mean", np.float32), self.buffer("variance", np.float32)
        x = frame.astype(np.float32)
        if self.first:
            mean[...] = x
            variance[...] = MIN_SIGMA**2
        d = x - mean
        square = d * d
        foreground = (square > np.float32(DEVIATIONS**2) * np.maximum(variance, np.float32(MIN_SIGMA**2))).view(
            np.uint8
        )
        mean += np.float32(LEARN) * d
        variance += np.float32(LEARN) * (square - variance)
        inner = ndimage.minimum_filter(foreground, 3, mode="nearest")
        np.multiply(ndimage.maximum_filter(inner, 3, mode="nearest"), 255, out=out)


class Unsharp(Buffered):
    """gaussian_filter in f32."""

    def frame(self, frame: Array, out: Array) -> None:
        x = frame.astype(np.float32)
        sharp = x + np.float32(AMOUNT) * (x - ndimage.gaussian_filter(x, SIGMA, radius=REACH, mode="mirror"))
        out[...] = np.clip(np.rint(sharp), 0, 255)


CONTENDERS = {
    "seed": {"scipy": Contender(SeedBytes)},
    "seed-f32": {"scipy": Contender(SeedFloat)},
    "harris": {"scipy": Contender(Harris)},
    "background": {"scipy": Contender(Background)},
    "unsharp": {"scipy": Contender(Unsharp)},
    "features": {"scipy": Contender(Moments)},
}
