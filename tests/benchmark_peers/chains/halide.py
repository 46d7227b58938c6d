"""Halide, scheduled by hand: rows sliding through strips of rows, one strip a thread, all vectorised.

One call a frame; states go from one buffer to another and back, since Halide does not write what it reads. The inputs
are mirrored once, not every stage: that is the same for the seed chains and differs near the edges for the others, and
mirroring every stage costs it several times as much.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from app.benchmark.chains import ALPHA, AMOUNT, DEVIATIONS, K_HARRIS, LEARN, LEVEL, MIN_SIGMA, REACH, RESPONSE, SIGMA
from app.benchmark.peers.base import Array, Buffered, Contender, Size
from kernels.ir.filters import gaussian_weights

try:
    import halide as hl
except ImportError:  # `library` looks before it loads; others, such as doctest, may still read this module
    hl = None

LANES = 32
"""Pixels of a vector: 16 to 64 were tried."""
MARGIN = 8
BINOMIAL = (1, 4, 6, 4, 1)
Func = Any
Value = Any
x, y, outer, inner = (hl and hl.Var(name) for name in ("x", "y", "outer", "inner"))


def set_threads(threads: int) -> None:
    """For its pool, which reads this when it starts; strips limit what is used later."""
    os.environ.setdefault("HL_NUM_THREADS", str(max(threads, os.cpu_count() or 1)))


class _Build:
    """A function of images under construction, and its schedule."""

    def __init__(self, size: Size, lanes: int = LANES) -> None:
        self.lanes = lanes
        self.rows, self.width, self.threads = size.height, size.width, size.threads
        self.arguments: list[Any] = []
        self.sliding: list[Func] = []
        self.within: list[tuple[Func, Func | None]] = []

    def image(self, kind: Any, name: str, border: str = "mirror_interior", channels: int = 0) -> Func:
        """An input (x, y) or (channel, x, y) with its border."""
        given = hl.ImageParam(kind, 3 if channels else 2, name)
        at = 1 if channels else 0
        for axis, extent in ((at, self.width), (at + 1, self.rows)):
            given.dim(axis).set_min(0)
            given.dim(axis).set_extent(extent)
        if channels:
            given.dim(0).set_bounds(0, channels)
            given.dim(1).set_stride(channels)
        given.dim(at + 1).set_stride(self.width * max(channels, 1))
        self.arguments.append(given)
        bounds = [(hl.Expr(0), hl.Expr(self.width)), (hl.Expr(0), hl.Expr(self.rows))]
        if channels:
            bounds = [(hl.Expr(0), hl.Expr(channels)), *bounds]
        return getattr(hl.BoundaryConditions, border)(given, bounds)

    def slide(self, name: str, value: Value) -> Func:
        """A stage whose rows are kept while others need them."""
        func = hl.Func(name)
        func[x, y] = value
        self.sliding.append(func)
        return func

    def row(self, name: str, value: Value, at: Func | None = None) -> Func:
        """A row made anew for every row of `at` (None: of the output)."""
        func = hl.Func(name)
        func[x, y] = value
        self.within.append((func, at))
        return func

    def compiled(self, outputs: Value) -> Any:
        """The callable; takes the inputs in order, then the outputs."""
        out = hl.Func("out")
        out[x, y] = outputs
        buffers = out.output_buffers()
        for axis, extent in ((0, self.width), (1, self.rows)):  # of the first; the others have the same
            buffers[0].dim(axis).set_min(0)
            buffers[0].dim(axis).set_extent(extent)
        for buffer in buffers:
            buffer.dim(1).set_stride(self.width)
        out.split(y, outer, inner, -(-self.rows // self.threads)).vectorize(x, self.lanes)
        if self.threads > 1:
            out.parallel(outer)
        for func in self.sliding:
            func.store_at(out, outer).compute_at(out, inner).vectorize(x, self.lanes)
        for func, at in self.within:
            func.compute_at(*((out, inner) if at is None else (at, y))).vectorize(x, self.lanes)
        return out.compile_to_callable(self.arguments, hl.get_jit_target_from_environment())


def _across(func: Func, weights: Any, horizontal: bool) -> Value:
    r = len(weights) // 2
    terms = [(func[x + k - r, y] if horizontal else func[x, y + k - r]) * w for k, w in enumerate(weights)]
    return sum(terms[1:], terms[0])


def _binomial(b: _Build, image: Func) -> Func:
    wide = hl.Func("wide")
    wide[x, y] = hl.u16(image[x, y])
    smooth = hl.Func("smooth")
    down = b.row("down", _across(wide, [hl.u16(w) for w in BINOMIAL], False), smooth)
    smooth[x, y] = hl.u8((_across(down, [hl.u16(w) for w in BINOMIAL], True) + hl.u16(128)) >> 8)
    b.sliding.append(smooth)
    return smooth


def _sobel(smooth: Func, kind: Any) -> tuple[Value, Value]:
    wide = hl.Func("typed")
    wide[x, y] = hl.cast(kind, smooth[x, y])
    two = hl.cast(kind, 2)
    sums = hl.Func("sums")
    sums[x, y] = wide[x, y - 1] + two * wide[x, y] + wide[x, y + 1]
    steps = hl.Func("steps")
    steps[x, y] = wide[x, y + 1] - wide[x, y - 1]
    return sums[x + 1, y] - sums[x - 1, y], steps[x - 1, y] + two * steps[x, y] + steps[x + 1, y]


def _steady(b: _Build, channels: int) -> Value:
    frame = b.image(hl.UInt(8), "frame", channels=channels if channels > 1 else 0)
    before = b.image(hl.Float(32), "before")
    gray = hl.u8(frame[x, y]) if channels == 1 else hl.u8(
        (9798 * hl.i32(frame[0, x, y]) + 19235 * hl.i32(frame[1, x, y]) + 3735 * hl.i32(frame[2, x, y]) + 16384) >> 15
    )  # fmt: skip
    state = before[x, y]
    return state + hl.f32(ALPHA) * (hl.f32(gray) - state)


def _mask(condition: Value) -> Value:
    return hl.select(condition, hl.u8(255), hl.u8(0))


def _seed(size: Size, channels: int) -> Any:
    b = _Build(size)
    state = b.slide("state", _steady(b, channels))
    steady = b.slide("steady", hl.u8(hl.round(state[x, y])))
    gx, gy = _sobel(_binomial(b, steady), hl.Int(16))
    return b.compiled(hl.Tuple([_mask(hl.abs(gx) + hl.abs(gy) > hl.u16(int(LEVEL))), state[x, y]]))


def _seed_float(size: Size) -> Any:
    b = _Build(size)
    state = b.slide("state", _steady(b, 4))
    weights = [hl.f32(w) for w in gaussian_weights(SIGMA, 5)]
    smooth = hl.Func("smooth")
    down = b.row("down", _across(state, weights, False), smooth)
    smooth[x, y] = _across(down, weights, True)
    b.sliding.append(smooth)
    gx, gy = _sobel(smooth, hl.Float(32))
    return b.compiled(hl.Tuple([_mask(hl.sqrt(gx * gx + gy * gy) > hl.f32(LEVEL)), state[x, y]]))


def _harris(size: Size) -> Any:
    b = _Build(size)
    frame = b.image(hl.UInt(8), "frame")
    smooth = _binomial(b, frame)
    dx, dy = _sobel(smooth, hl.Int(16))
    gx, gy = b.slide("gx", dx), b.slide("gy", dy)
    sums = []
    scale = 1.0 / (4 * 3 * 255)
    response = hl.Func("response")
    for name, p, q in (("xx", gx, gx), ("xy", gx, gy), ("yy", gy, gy)):
        product = hl.Func(f"product_{name}")
        product[x, y] = hl.i32(p[x, y]) * hl.i32(q[x, y])
        down = b.row(f"down_{name}", _across(product, (1, 1, 1), False), response)
        sums.append(hl.f32(_across(down, (1, 1, 1), True)) * hl.f32(scale * scale))
    xx, xy, yy = sums
    trace = xx + yy
    response[x, y] = xx * yy - xy * xy - hl.f32(K_HARRIS) * trace * trace
    b.sliding.append(response)
    tallest = b.row("tallest", hl.max(response[x, y - 1], hl.max(response[x, y], response[x, y + 1])))
    best = hl.max(tallest[x - 1, y], hl.max(tallest[x, y], tallest[x + 1, y]))
    return b.compiled(_mask((response[x, y] >= best) & (response[x, y] > hl.f32(RESPONSE))))


def _background(size: Size) -> Any:
    b = _Build(size)
    frame = b.image(hl.UInt(8), "frame", "repeat_edge")
    mean, variance = (b.image(hl.Float(32), name, "repeat_edge") for name in ("mean", "variance"))
    d = hl.f32(frame[x, y]) - mean[x, y]
    limit = hl.f32(DEVIATIONS**2) * hl.max(variance[x, y], hl.f32(MIN_SIGMA**2))
    mask = b.slide("foreground", _mask(d * d > limit))
    for name, pick in (("eroded", hl.min), ("opened", hl.max)):
        down = b.row(f"{name}_down", pick(mask[x, y - 1], pick(mask[x, y], mask[x, y + 1])))
        mask = b.slide(name, pick(down[x - 1, y], pick(down[x, y], down[x + 1, y])))
    means = mean[x, y] + hl.f32(LEARN) * d
    return b.compiled(
        hl.Tuple([mask[x, y], means, variance[x, y] + hl.f32(LEARN) * (d * d - variance[x, y])])
    )  # fmt: skip


def _unsharp(size: Size) -> Any:
    b = _Build(size, LANES // 2)
    frame = b.image(hl.UInt(8), "frame")
    wide = hl.Func("wide")
    wide[x, y] = hl.f32(frame[x, y])
    weights = [hl.f32(w) for w in gaussian_weights(SIGMA, 2 * REACH + 1)]
    down = b.row("down", _across(wide, weights, False))
    sharp = wide[x, y] + hl.f32(AMOUNT) * (wide[x, y] - _across(down, weights, True))
    return b.compiled(hl.u8(hl.clamp(hl.round(sharp), hl.f32(0), hl.f32(255))))


_compiled = lru_cache(maxsize=12)(lambda make, size: make(size))


class Compiled(Buffered):
    """Runs a callable frame by frame; its states swap places."""

    def __init__(
        self, size: Size, _: Array, make: Callable[[Size], Any], starts: tuple[float | None, ...] = ()
    ) -> None:
        super().__init__(size)
        if size.width < LANES:
            raise ValueError(f"its schedule takes frames of at least {LANES} px")
        self.call = _compiled(make, size)
        self.starts = starts  # of each state; None: the first frame
        self.states = [[np.zeros(self.size, np.float32) for _ in starts] for _ in range(2)]
        self.views: dict[int, tuple[Array, Any]] = {}

    def view(self, array: Array) -> Any:
        """The buffer of an array, made once."""
        address = array.ctypes.data
        known = self.views.get(address)
        if known is None:
            known = self.views[address] = (array, hl.Buffer(array))
        return known[1]

    def frame(self, frame: Array, out: Array) -> None:
        now, then = self.states
        if self.first:
            for state, start in zip(now, self.starts, strict=True):
                state[...] = _gray(frame) if start is None else start
        self.call(self.view(frame), *(self.view(s) for s in now), self.view(out), *(self.view(s) for s in then))
        self.states.reverse()


def _gray(frame: Array) -> Array:
    if frame.ndim == 2:
        return frame
    weights = np.array([9798, 19235, 3735, 0])
    gray: Array = (frame.astype(np.int64) @ weights + 16384) >> 15
    return gray


_seed_rgba = partial(_seed, channels=4)


def _contender(make: Callable[[Size], Any], *starts: float | None, margin: int = 0) -> Contender:
    return Contender(lambda size, batch: Compiled(size, batch, make, starts), margin)


CONTENDERS = {
    "seed": {"halide": _contender(_seed_rgba, None)},
    "seed-f32": {"halide": _contender(_seed_float, None)},
    "harris": {"halide": _contender(_harris, margin=MARGIN)},
    "background": {"halide": _contender(_background, None, MIN_SIGMA**2, margin=MARGIN)},
    "unsharp": {"halide": _contender(_unsharp)},
}
