"""What a good engineer would write without fusetrack: preallocated OpenCV, in bytes where they suffice, and SciPy.

A peer is made for a frame size, keeps its state from call to call, and returns the mask (or picture) of each frame
of a batch, u8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from app.benchmark.chains import ALPHA, AMOUNT, DEVIATIONS, K_HARRIS, LEARN, LEVEL, MIN_SIGMA, RESPONSE, SIGMA
from kernels.host.opencv import cv2

Array = npt.NDArray[Any]
Peer = Callable[[Array], Array]


class _Peer:
    """Buffers by name, made once."""

    def __init__(self, height: int, width: int) -> None:
        self.size = (height, width)
        self.buffers: dict[str, Array] = {}
        self.first = True

    def buffer(self, name: str, dtype: Any) -> Array:
        if name not in self.buffers:
            self.buffers[name] = np.zeros(self.size, dtype)
        return self.buffers[name]

    def __call__(self, batch: Array) -> Array:
        out = self.buffers.get("out")
        if out is None or len(out) != len(batch):
            out = self.buffers["out"] = np.zeros((len(batch), *self.size), np.uint8)
        for i in range(len(batch)):
            self.frame(batch[i], out[i])
            self.first = False
        return out

    def frame(self, frame: Array, out: Array) -> None:
        raise NotImplementedError


class SeedBytes(_Peer):
    """IIR in f32, then bytes, short integers and the L1 norm."""

    def frame(self, frame: Array, out: Array) -> None:
        gray, state = self.buffer("gray", np.uint8), self.buffer("state", np.float32)
        steady, smooth = self.buffer("steady", np.uint8), self.buffer("smooth", np.uint8)
        gx, gy = self.buffer("gx", np.int16), self.buffer("gy", np.int16)
        cv2.cvtColor(frame, cv2.COLOR_RGBA2GRAY, dst=gray)
        if self.first:
            state[...] = gray
        cv2.accumulateWeighted(gray, state, ALPHA)
        cv2.convertScaleAbs(state, dst=steady)
        cv2.GaussianBlur(steady, (5, 5), 0, dst=smooth)
        cv2.Sobel(smooth, cv2.CV_16S, 1, 0, dst=gx)
        cv2.Sobel(smooth, cv2.CV_16S, 0, 1, dst=gy)
        cv2.absdiff(gx, 0, dst=gx)
        cv2.absdiff(gy, 0, dst=gy)
        cv2.add(gx, gy, dst=gx)
        cv2.compare(gx, LEVEL, cv2.CMP_GT, dst=out)


class SeedFloat(_Peer):
    """All of it in f32, the L2 norm."""

    def frame(self, frame: Array, out: Array) -> None:
        gray, state = self.buffer("gray", np.uint8), self.buffer("state", np.float32)
        smooth, gx, gy = (self.buffer(n, np.float32) for n in ("smooth", "gx", "gy"))
        cv2.cvtColor(frame, cv2.COLOR_RGBA2GRAY, dst=gray)
        if self.first:
            state[...] = gray
        cv2.accumulateWeighted(gray, state, ALPHA)
        cv2.GaussianBlur(state, (5, 5), SIGMA, dst=smooth)
        cv2.Sobel(smooth, cv2.CV_32F, 1, 0, dst=gx)
        cv2.Sobel(smooth, cv2.CV_32F, 0, 1, dst=gy)
        cv2.magnitude(gx, gy, magnitude=gx)
        cv2.compare(gx, LEVEL, cv2.CMP_GT, dst=out)


class SeedScipy(_Peer):
    """NumPy and SciPy."""

    def frame(self, frame: Array, out: Array) -> None:
        c = frame.astype(np.int32)
        gray = (9798 * c[..., 0] + 19235 * c[..., 1] + 3735 * c[..., 2] + 16384) >> 15
        state = self.buffer("state", np.float32)
        if self.first:
            state[...] = gray
        state += np.float32(ALPHA) * (gray.astype(np.float32) - state)
        smooth = ndimage.gaussian_filter(state, SIGMA, radius=2, mode="mirror")
        gx, gy = ndimage.sobel(smooth, 1, mode="mirror"), ndimage.sobel(smooth, 0, mode="mirror")
        np.multiply(np.sqrt(gx * gx + gy * gy) > LEVEL, 255, out=out, casting="unsafe")


class HarrisOpencv(_Peer):
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


class BackgroundOpencv(_Peer):
    """Running mean and variance by accumulateWeighted, opening by morphologyEx."""

    kernel = np.ones((3, 3), np.uint8)

    def frame(self, frame: Array, out: Array) -> None:
        x, mean, variance, d, limit = (self.buffer(n, np.float32) for n in ("x", "mean", "variance", "d", "limit"))
        x[...] = frame
        if self.first:
            mean[...] = x
            variance[...] = MIN_SIGMA**2
        cv2.subtract(x, mean, dst=d)
        cv2.multiply(d, d, dst=d)
        cv2.max(variance, MIN_SIGMA**2, dst=limit)
        cv2.multiply(limit, DEVIATIONS**2, dst=limit)
        cv2.compare(d, limit, cv2.CMP_GT, dst=out)
        cv2.accumulateWeighted(x, mean, LEARN)
        cv2.accumulateWeighted(d, variance, LEARN)
        cv2.morphologyEx(out, cv2.MORPH_OPEN, self.kernel, dst=out)


class UnsharpFloat(_Peer):
    """GaussianBlur and addWeighted in f32, back to bytes."""

    def frame(self, frame: Array, out: Array) -> None:
        x, smooth = self.buffer("x", np.float32), self.buffer("smooth", np.float32)
        x[...] = frame
        cv2.GaussianBlur(x, (11, 11), SIGMA, dst=smooth)
        cv2.addWeighted(x, 1 + AMOUNT, smooth, -AMOUNT, 0, dst=out, dtype=cv2.CV_8U)


class UnsharpBytes(_Peer):
    """GaussianBlur and addWeighted in bytes: rounds twice, so it is not the same picture."""

    def frame(self, frame: Array, out: Array) -> None:
        smooth = self.buffer("smooth", np.uint8)
        cv2.GaussianBlur(frame, (11, 11), SIGMA, dst=smooth)
        cv2.addWeighted(frame, 1 + AMOUNT, smooth, -AMOUNT, 0, dst=out)


PEERS: dict[str, dict[str, type[_Peer]]] = {
    "seed": {"opencv": SeedBytes, "opencv f32": SeedFloat},
    "seed-f32": {"opencv": SeedFloat, "opencv bytes": SeedBytes, "scipy": SeedScipy},
    "harris": {"opencv": HarrisOpencv},
    "background": {"opencv": BackgroundOpencv},
    "unsharp": {"opencv": UnsharpFloat, "opencv bytes": UnsharpBytes},
}
"""By chain and name. "opencv" computes the same thing, and its output is compared; the others do nearly the same."""
