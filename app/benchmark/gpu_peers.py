"""What a user could otherwise write for a GPU: cupyx.scipy.ndimage with ufuncs, cupy.fuse, torch.compile.

Each works on whole batches of the seed chains: only the average in time goes frame by frame. From the average on all is
f32, in which the whole numbers of these chains are exact: filters of CuPy compute in f64 where their weights are whole
numbers, which is slow on most cards. CuPy and PyTorch come as arguments, so that the same code runs on NumPy and SciPy
in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from app.benchmark.chains import ALPHA, LEVEL, SIGMA
from app.benchmark.gpu_results import FUSE, NDIMAGE, TORCH

Run = Callable[[Any], Any]
"""From a batch on the device (count, height, width[, 4]) to its masks there (count, height, width), u8."""
BINOMIAL = (1, 4, 6, 4, 1)
SMOOTH, SLOPE = (1, 2, 1), (-1, 0, 1)
LUMA = (9798, 19235, 3735)


@dataclass(frozen=True, slots=True)
class Libraries:
    """CuPy (or NumPy), its ndimage, how it fuses functions, and PyTorch or None.

    Args:
        xp: the module of arrays.
        ndimage: cupyx.scipy.ndimage or scipy.ndimage.
        fuse: cupy.fuse(), or what leaves a function as it is.
        within: makes a stream current for CuPy and PyTorch.
        torch: the module.
        to_torch: an array as a tensor, without a copy.
        from_torch: and back.
        compile: torch.compile, or what leaves a function as it is.
    """

    xp: Any
    ndimage: Any
    fuse: Callable[[Callable[..., Any]], Callable[..., Any]]
    within: Callable[[Any], AbstractContextManager[Any]]
    torch: Any = None
    to_torch: Callable[[Any], Any] = lambda array: array
    from_torch: Callable[[Any], Any] = lambda tensor: tensor
    compile: Callable[[Callable[..., Any]], Callable[..., Any]] = lambda function: function


class _Ndimage:
    """One array operation after the other."""

    def __init__(self, libraries: Libraries, real: bool) -> None:
        self.xp, self.ndimage, self.real = libraries.xp, libraries.ndimage, real
        number = self.xp.float32
        self.alpha, self.level, self.low, self.high = (number(v) for v in (ALPHA, LEVEL, 0, 255))
        self.half, self.share, self.white = number(128), number(1 / 256), self.xp.uint8(255)
        self.state: Any = None
        self.prepare(libraries)

    def prepare(self, libraries: Libraries) -> None:
        """What is made once."""

    def __call__(self, batch: Any) -> Any:
        return self.mask(*self.edges(self.smooth(self.steady(self.gray(batch)))))

    def gray(self, batch: Any) -> Any:
        if batch.ndim == 3:
            return batch
        r, g, b = (batch[..., k].astype(self.xp.int32) for k in range(3))
        return (LUMA[0] * r + LUMA[1] * g + LUMA[2] * b + 16384) >> 15

    def steady(self, gray: Any) -> Any:
        xp = self.xp
        out = xp.empty(gray.shape, xp.float32)
        x = gray.astype(xp.float32, copy=False)
        state = x[0] if self.state is None else self.state
        for t in range(len(x)):
            state = self.average(x[t], state, self.alpha)
            out[t] = state
        self.state = state
        return out if self.real else self.bytes(out, self.low, self.high)

    def average(self, x: Any, state: Any, alpha: Any) -> Any:
        return state + alpha * (x - state)

    def bytes(self, steady: Any, low: Any, high: Any) -> Any:
        return self.xp.clip(self.xp.rint(steady), low, high)

    def smooth(self, steady: Any) -> Any:
        if self.real:
            return self.ndimage.gaussian_filter(steady, (0, SIGMA, SIGMA), radius=(0, 2, 2), mode="mirror")
        return self.rounded(self.across(self.across(steady, BINOMIAL, 2), BINOMIAL, 1), self.half, self.share)

    def rounded(self, sums: Any, half: Any, share: Any) -> Any:
        return self.xp.floor((sums + half) * share)

    def edges(self, smooth: Any) -> tuple[Any, Any]:
        gx = self.across(self.across(smooth, SLOPE, 2), SMOOTH, 1)
        return gx, self.across(self.across(smooth, SLOPE, 1), SMOOTH, 2)

    def across(self, image: Any, weights: tuple[int, ...], axis: int) -> Any:
        return self.ndimage.correlate1d(image, self.xp.asarray(weights, image.dtype), axis, mode="mirror")

    def mask(self, gx: Any, gy: Any) -> Any:
        xp = self.xp
        norm = xp.sqrt(gx * gx + gy * gy) if self.real else xp.abs(gx) + xp.abs(gy)
        return (norm > self.level).astype(xp.uint8) * self.white


class _Fused(_Ndimage):
    """The same with every run of point-wise operations as one kernel."""

    def prepare(self, libraries: Libraries) -> None:
        xp, real, fuse = self.xp, self.real, libraries.fuse

        def luma(r: Any, g: Any, b: Any) -> Any:
            whole = r.astype(xp.int32) * LUMA[0] + g.astype(xp.int32) * LUMA[1] + b.astype(xp.int32) * LUMA[2]
            return ((whole + 16384) >> 15).astype(xp.float32)

        def average(x: Any, state: Any, alpha: Any) -> Any:
            return state + alpha * (x - state)

        def to_bytes(steady: Any, low: Any, high: Any) -> Any:
            return xp.minimum(xp.maximum(xp.rint(steady), low), high)

        def rounded(sums: Any, half: Any, share: Any) -> Any:
            return xp.floor((sums + half) * share)

        def mask(gx: Any, gy: Any, level: Any, white: Any) -> Any:
            norm = xp.sqrt(gx * gx + gy * gy) if real else xp.abs(gx) + xp.abs(gy)
            return (norm > level).astype(xp.uint8) * white

        self._luma, self.average, self.bytes = fuse(luma), fuse(average), fuse(to_bytes)  # type: ignore[method-assign]
        self.rounded, self._mask = fuse(rounded), fuse(mask)  # type: ignore[method-assign]

    def gray(self, batch: Any) -> Any:
        return batch if batch.ndim == 3 else self._luma(batch[..., 0], batch[..., 1], batch[..., 2])

    def mask(self, gx: Any, gy: Any) -> Any:
        return self._mask(gx, gy, self.level, self.white)


class _Torch:
    """Everything in one function that is compiled; stencils as sums of shifted slices, which the compiler fuses."""

    def __init__(self, libraries: Libraries, real: bool) -> None:
        self.libraries, self.torch, self.real = libraries, libraries.torch, real
        self.state: Any = None
        self.function = libraries.compile(self.whole)
        self.weights: tuple[float, ...] = BINOMIAL
        if real:
            taps = [2.718281828459045 ** (-0.5 * (k / SIGMA) ** 2) for k in range(-2, 3)]
            self.weights = tuple(t / sum(taps) for t in taps)

    def __call__(self, batch: Any) -> Any:
        tensor = self.libraries.to_torch(batch)
        if self.state is None:
            first = self.gray(tensor[:1])
            self.state = first[0].to(self.torch.float32)
        mask, self.state = self.function(tensor, self.state)
        return self.libraries.from_torch(mask)

    def gray(self, batch: Any) -> Any:
        if batch.ndim == 3:
            return batch
        c = batch.to(self.torch.int32)
        return (LUMA[0] * c[..., 0] + LUMA[1] * c[..., 1] + LUMA[2] * c[..., 2] + 16384) >> 15

    def whole(self, batch: Any, state: Any) -> tuple[Any, Any]:
        torch = self.torch
        x = self.gray(batch).to(torch.float32)
        frames = []
        for t in range(x.shape[0]):
            state = state + ALPHA * (x[t] - state)
            frames.append(state)
        steady = torch.stack(frames)
        if not self.real:
            steady = torch.clamp(torch.round(steady), 0, 255)
        smooth = self.across(self.across(steady, self.weights, 2), self.weights, 1)
        if not self.real:
            smooth = torch.floor((smooth + 128) / 256)
        gx = self.across(self.across(smooth, SLOPE, 2), SMOOTH, 1)
        gy = self.across(self.across(smooth, SLOPE, 1), SMOOTH, 2)
        norm = torch.sqrt(gx * gx + gy * gy) if self.real else torch.abs(gx) + torch.abs(gy)
        return (norm > LEVEL).to(torch.uint8) * 255, state

    def across(self, image: Any, weights: tuple[float, ...], axis: int) -> Any:
        reach = len(weights) // 2
        pad = (reach, reach, 0, 0) if axis == 2 else (0, 0, reach, reach)
        wide = self.torch.nn.functional.pad(image[None], pad, mode="reflect")[0]
        size = image.shape[axis]
        parts = [w * wide.narrow(axis, k, size) for k, w in enumerate(weights) if w]
        return sum(parts[1:], parts[0])


REAL = {"seed": False, "seed-f32": True}
"""The chains that peers are written for, and whether they stay in f32."""


def gpu_peers(libraries: Libraries, chain: str) -> Mapping[str, Run]:
    """Fresh peers of a chain by name; none where there are none for it."""
    if chain not in REAL:
        return {}
    made: dict[str, Run] = {NDIMAGE: _Ndimage(libraries, REAL[chain]), FUSE: _Fused(libraries, REAL[chain])}
    if libraries.torch is not None:
        made[TORCH] = _Torch(libraries, REAL[chain])
    return made
