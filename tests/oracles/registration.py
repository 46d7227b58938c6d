"""Windows and their fits in NumPy: what the loops of `pipelines.trackers.registration` are tested against, bit for bit.

`in_place` has trackers use these instead, without machine code, so that whole runs can be compared.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.executors import natives
from kernels.loops import language
from pipelines.trackers.registration.batch import warp_models
from pipelines.trackers.registration.batch.warp_model_loops import (
    BENT,
    CHANCE,
    CLEAR,
    GRAIN,
    NEAR,
    SHARE,
    STRAYS,
)  # fmt: skip
from pipelines.trackers.registration.noise import noise_correlation_loops as noise_loops
from pipelines.trackers.registration.noise.aperture import solve_across
from pipelines.trackers.registration.noise.noise_correlation import MOST
from pipelines.trackers.registration.noise.structs import Residuals
from pipelines.trackers.registration.reference.reference_subset import Anchors
from pipelines.trackers.registration.reference.reference_update_translation_loops import LOOKS
from pipelines.trackers.registration.reference.uncertainty import Uncertainty
from pipelines.trackers.registration.warp import fit
from pipelines.trackers.registration.warp import fit_loops as loops
from pipelines.trackers.registration.warp.fit import SETTLED, STEPS, References, inverted
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows import windows
from pipelines.trackers.registration.windows.native import call
from pipelines.trackers.registration.windows.plane_maps import inverse
from pipelines.trackers.registration.windows.taps import BEFORE, EDGE, SLOPE1, SLOPE2, SLOPE3, TABLE, TAPS
from pipelines.trackers.registration.windows.windows import total

Array = npt.NDArray[Any]


@contextmanager
def in_place() -> Iterator[None]:
    """Until the block ends loops are Python, and windows are NumPy's."""
    twins: tuple[tuple[Any, Callable[..., Any]], ...] = (
        (windows.sampled, sampled), (windows.rendered, rendered), (fit.prepare, prepare), (fit.fitted, fitted),
    )  # fmt: skip
    language.provide(None)
    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            if name.startswith(("pipelines.trackers.", "tests.pipelines.trackers.")):
                for key, value in list(vars(module).items()):
                    for original, twin in twins:
                        if value is original:
                            patch.setattr(module, key, twin)
        patch.setattr(Anchors, "take", take)
        patch.setattr(Anchors, "add", add)
        patch.setattr(Anchors, "draw", draw)
        patch.setattr(Uncertainty, "look", look)
        patch.setattr(warp_models.Warps, "bending", bending)
        try:
            yield
        finally:
            language.provide(natives.load)


def weights(fraction: Array) -> Array:
    """Taps for places `fraction` (0..1) beyond a pixel, (..., 8)."""
    t = (fraction - 0.5)[..., None]
    out = TABLE[5] * t + TABLE[4]
    for power in (3, 2, 1, 0):
        out = out * t + TABLE[power]
    made: Array = out
    return made


def tapped(values: Array, taps: Array, axis: int) -> Array:
    """Windows (n, rows, columns) filtered along axis 1 or 2 by taps (n, 8): 7 fewer along it."""
    length = values.shape[axis] - TAPS + 1
    out: Array = np.zeros(0)
    for k in range(TAPS):
        part = values[:, k : k + length] if axis == 1 else values[:, :, k : k + length]
        term = part * taps[:, k, None, None]
        out = term if k == 0 else out + term
    return out


def blocks(picture: Array, left: Array, top: Array, rows: int, columns: int) -> Array:
    """Blocks of the picture, each less its middle pixel."""
    height, width = picture.shape
    left, top = left.astype(np.int64), top.astype(np.int64)
    y = np.clip(top[:, None] + np.arange(rows), 0, height - 1)
    x = np.clip(left[:, None] + np.arange(columns), 0, width - 1)
    middle = picture[np.clip(top + rows // 2, 0, height - 1), np.clip(left + rows // 2, 0, width - 1)]
    made: Array = picture[y[:, :, None], x[:, None, :]].astype(np.float64) - middle.astype(np.float64)[:, None, None]
    return made


def sampled(picture: Array, x: Array, y: Array, size: int, columns: int) -> Array:
    """As `windows.sampled`."""
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    out = np.empty((len(x), size, columns))
    kx, ky = np.floor(x), np.floor(y)
    block = blocks(picture, kx - size // 2 - BEFORE, ky - size // 2 - BEFORE, size + TAPS - 1, columns + 8)
    rows = tapped(block[:, :, : columns + TAPS - 1], weights(x - kx), 2)
    out[...] = tapped(rows, weights(y - ky), 1)
    return out


def rendered(tiles: Array, which: Array, bend: Array, w: int, across: int) -> Array:
    """As `windows.rendered`."""
    side, size = tiles.shape[1], w + 2 * EDGE
    out = np.zeros((len(which), size, across))
    a, b, c, d = (part[:, None, None] for part in bend.T)
    reach = np.arange(size, dtype=np.float64) - size // 2
    u, v = reach[None, None, :], reach[None, :, None]
    x = np.minimum(np.maximum(a * u + b * v + float(side // 2), 3.0), float(side - 5))
    y = np.minimum(np.maximum(c * u + d * v + float(side // 2), 3.0), float(side - 5))
    kx, ky = np.floor(x), np.floor(y)
    wx, wy = weights(x - kx), weights(y - ky)
    columns = kx.astype(np.int64)[..., None] - BEFORE + np.arange(TAPS)
    tile = which[:, None, None, None]
    s = np.zeros(0)
    for k in range(TAPS):
        term = tiles[tile, (ky.astype(np.int64) - BEFORE + k)[..., None], columns] * wy[..., k, None]
        s = term if k == 0 else s + term
    s = s * wx
    made = np.zeros(s.shape[:-1])
    for k in range(TAPS):
        made = made + s[..., k]
    out[:, :, :size] = made
    return out


def prepare(ref: References, tiles: Array, slots: Array) -> None:
    """As `fit.prepare`."""
    o = ref.layout
    w, core, wide = o.w, slice(EDGE, EDGE + o.w), slice(EDGE, EDGE + o.pitch)
    size = float(w * w)
    window = tiles[:, core, wide] * o.mask
    mean = total(window) / size
    largest = np.abs(window).max(axis=(1, 2))
    f = (tiles[:, core, wide] - mean[:, None, None]) * o.mask

    def slope(step: tuple[int, int]) -> Array:
        def moved(k: int) -> Array:
            dy, dx = step[0] * k, step[1] * k
            return tiles[:, EDGE + dy : EDGE + dy + w, EDGE + dx : EDGE + dx + o.pitch]

        g = (moved(1) - moved(-1)) * SLOPE1
        g = g + (moved(2) - moved(-2)) * SLOPE2
        made: Array = (g + (moved(3) - moved(-3)) * SLOPE3) * o.mask
        return made

    g, h = slope((0, 1)), slope((1, 0))
    columns = [g, h]
    if o.p == 6:
        lx, ly = o.lever, o.lever[:w, None]
        columns += [g * lx, g * ly, h * lx, h * ly]
    if o.p == 3:
        columns += [h * o.lever - g * o.lever[:w, None]]
    squares = total(f * f)
    norm = np.sqrt(squares)
    alive = (norm > loops.FAINT * largest * float(w)) & (squares > 0.0)
    share = np.where(alive, squares, 1.0)
    jac = np.empty((len(slots), o.p, w, o.pitch))
    for q, column in enumerate(columns):
        middle, part = total(column) / size, total(column * f) / share
        jac[:, q] = (column - middle[:, None, None] - f * part[:, None, None]) * o.mask
    normal = np.empty((len(slots), o.p, o.p))
    for q in range(o.p):
        for u in range(q, o.p):
            normal[:, q, u] = normal[:, u, q] = total(jac[:, q] * jac[:, u])
    a, b, d = normal[:, 0, 0], normal[:, 0, 1], normal[:, 1, 1]
    root = np.sqrt(0.25 * (a - d) * (a - d) + b * b)
    low, high = 0.5 * (a + d) - root, 0.5 * (a + d) + root
    textured = alive & (low > loops.FLAT * high)
    inverse = inverted(normal)
    inverse[~textured] = 0.0
    ref.pixels[slots], ref.norm[slots], ref.jacobian[slots] = f, norm, jac
    ref.inverse[slots], ref.textured[slots] = inverse, textured


def fitted(
    picture: Array, ref: References, slot: Array, x: Array, y: Array, reach: float, which: Array | None = None,
    steps: int = STEPS,
) -> Fit:  # fmt: skip
    """As `fit.fitted`."""
    n, o = len(x), ref.layout
    which = np.arange(n) if which is None else which
    x, y = np.ascontiguousarray(x, np.float64), np.ascontiguousarray(y, np.float64)
    out = Fit.empty(x, y)
    cx, cy, block = np.full(n, np.inf), np.full(n, np.inf), np.zeros((n, o.w + loops.SPAN, o.pitch + 16))
    active = which[ref.textured[slot[which]] != 0]
    for _ in range(steps):
        if not len(active):
            break
        away = (np.abs(out.x[active] - cx[active]) > loops.REACH) | (np.abs(out.y[active] - cy[active]) > loops.REACH)
        again = active[away]
        cx[again], cy[again] = np.rint(out.x[again]), np.rint(out.y[again])
        edge = o.w // 2 + loops.REACH + BEFORE
        block[again] = blocks(picture, cx[again] - edge, cy[again] - edge, o.w + loops.SPAN, o.pitch + 16)
        long = _step(ref, slot[active], active, block, cx, cy, out)
        near = (np.abs(out.x[active] - x[active]) <= reach) & (np.abs(out.y[active] - y[active]) <= reach)
        near &= np.isfinite(long)
        out.converged[active] = near & (long < SETTLED)
        active = active[near & ~(long < SETTLED)]
    return out


def _step(ref: References, own: Array, active: Array, block: Array, cx: Array, cy: Array, out: Fit) -> Array:
    """One step of the windows `active` with references `own`; its length, NaN where the picture is constant."""
    o = ref.layout
    w, pitch, size = o.w, o.pitch, float(o.w * o.w)
    dx, dy = out.x[active] - cx[active], out.y[active] - cy[active]
    kx, ky = np.floor(dx), np.floor(dy)
    tx, ty = weights(dx - kx), weights(dy - ky)
    rows = (ky.astype(np.int64) + loops.REACH)[:, None] + np.arange(w + TAPS - 1)
    columns = (kx.astype(np.int64) + loops.REACH)[:, None] + np.arange(pitch + TAPS - 1)
    g = tapped(tapped(block[active[:, None, None], rows[:, :, None], columns[:, None, :]], tx, 2), ty, 1) * o.mask
    sum_ = total(g)
    squares = total(g * g) - sum_ * sum_ / size
    lit = squares > 0.0
    norm = ref.norm[own]
    gain = norm / np.sqrt(np.where(lit, squares, 1.0))
    score = total(g * ref.pixels[own]) * gain / (norm * norm)
    sums = [total(g * ref.jacobian[own, q]) for q in range(o.p)]
    step = np.empty((o.p, len(active)))
    rest = norm * norm * (1.0 - score * score)
    for q in range(o.p):
        s = np.zeros(len(active))
        for u in range(o.p):
            s = s + ref.inverse[own, q, u] * sums[u]
        step[q] = s * gain
        rest = rest - step[q] * (sums[q] * gain)
    long = np.sqrt(step[0] * step[0] + step[1] * step[1])
    far = long > loops.LONGEST
    scale = np.where(far, loops.LONGEST / np.where(far, long, 1.0), 1.0)
    noise = [np.zeros(len(active)), np.zeros(len(active))]
    for k in range(TAPS):
        noise[0] = noise[0] + tx[:, k] * tx[:, k]
        noise[1] = noise[1] + ty[:, k] * ty[:, k]
    moved = active[lit]
    out.score[active] = np.where(lit, score, 0.0)
    out.x[moved] -= (step[0] * scale)[lit]
    out.y[moved] -= (step[1] * scale)[lit]
    out.rest[moved] = rest[lit]
    out.phase[moved] = (noise[0] * noise[1])[lit]
    if o.p == 6:
        out.bend[moved] = step[2:].T[lit]
    if o.p == 3:
        out.bend[moved, 1], out.bend[moved, 2] = (0.0 - step[2])[lit], step[2][lit]
    return np.where(lit, long, np.nan)


def take(self: Anchors, picture: Array, slots: Array, x: Array, y: Array) -> None:
    """As `Anchors.take`."""
    self.tiles[slots] = sampled(picture, x, y, self.side, self.stride)
    whole = (x == np.floor(x)) & (y == np.floor(y))
    left, top = x[whole] - self.side // 2, y[whole] - self.side // 2
    self.tiles[slots[whole]] = blocks(picture, left, top, self.side, self.stride)
    self.draw(slots)


def add(self: Anchors, picture: Array, slots: Array, x: Array, y: Array, count: Array) -> None:
    """As `Anchors.add`."""
    new = sampled(picture, x, y, self.size, self.layout.across)
    middle = (slots, slice(self.edge, self.edge + self.size), slice(self.edge, self.edge + self.layout.across))
    old, size = self.tiles[middle], float(self.size * self.size)
    sums = [total(part * self.mask) for part in (old, new)]
    squares = [total((part * self.mask) * (part * self.mask)) for part in (old, new)]
    first, second = (s - sum_ * sum_ / size for s, sum_ in zip(squares, sums, strict=True))
    lit = (first > 0.0) & (second > 0.0)
    gain = np.where(lit, np.sqrt(np.where(lit, first, 1.0) / np.where(lit, second, 1.0)), 1.0)
    own, other = sums[0] / size, sums[1] / size
    brought = (new - other[:, None, None]) * gain[:, None, None] + own[:, None, None]
    self.tiles[middle] = old + (brought - old) * (1.0 / count.astype(np.float64))[:, None, None]


def draw(self: Anchors, slots: Array, matrix: Array | None = None) -> None:
    """As `Anchors.draw`."""
    tiles = self.middle(slots)
    if matrix is not None:
        tiles = rendered(self.tiles, slots, inverse(matrix).reshape(-1, 4), self.layout.w, self.layout.across)
    tiles = np.ascontiguousarray(tiles)
    prepare(self.references, tiles, slots)
    if self.stripes:
        solve_across(self.references, tiles, slots)


def look(self: Uncertainty, picture: Array, which: Array, found: Fit) -> tuple[Array, Array]:
    """As `Uncertainty.look`."""
    t, refs = self.t, self.anchors.references
    young = (t["looks"][which] < LOOKS) & self.learns(t["slot"][which], 0, self.age)
    new, fresh = which[young], np.where(young, np.cumsum(young) - 1, -1)
    if not len(new):
        return np.ones(0), fresh
    t["looks"][new] += 1
    moments, gains = seen_noise(picture, refs, t["slot"][new], t["averaged"][new], found, new)
    t["left"][new] += (moments - t["left"][new]) / t["looks"][new][:, None]
    return gains, fresh


def seen_noise(
    picture: Array, ref: References, slots: Array, averaged: Array, found: Fit, which: Array
) -> tuple[Array, Array]:  # fmt: skip
    """The moments of what one frame's fits leave, for means of many; and the light's gains.

    Args:
        picture: as from `ready`.
        ref: references.
        slots: of n windows.
        averaged: frames in their references.
        found: the fits of all windows.
        which: which of those the n are.

    Returns:
        Moments (n, MOMENTS) for `grain`, in units of the white noise that leaves as much. And by what the
        light of each window is multiplied to be that of its reference.
    """
    o, n = ref.layout, len(slots)
    seen = sampled(picture, found.x[which], found.y[which], o.w, o.pitch)
    moments, gains = np.zeros((n, noise_loops.MOMENTS)), np.ones(n)
    room = noise_loops.PLANES + 2 * (o.w + noise_loops.FAR + 1) * (o.pitch + 8)
    phase, rest = np.ascontiguousarray(found.phase[which]), np.ascontiguousarray(found.rest[which])
    left = Residuals(np.ascontiguousarray(slots), n, averaged.astype(np.int64), phase, rest, seen)
    call(noise_loops.moments_of, ref.arrays(), left, moments, gains, np.zeros(room))
    return moments, gains


def bending(self: warp_models.Warps, picture: Array, which: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """As `Warps.bending`."""
    t, o, n, anchors = self.t, self._whole, len(which), self.anchors
    made, misfit = t["warp"][which].copy(), np.zeros(n)
    if not n:
        return made, misfit
    first, size = anchors.edge, anchors.size
    tiles = anchors.tiles[t["slot"][which], first : first + size, first : first + o.across]
    drawn = np.flatnonzero(made > 2)
    if len(drawn):
        matrix = inverse(t["drawn"][which[drawn]]).reshape(-1, 4)
        tiles[drawn] = rendered(anchors.tiles, t["slot"][which[drawn]], matrix, o.w, o.across)
    ref, slots = References(o, n), np.arange(n)
    prepare(ref, np.ascontiguousarray(tiles), slots)
    step = fitted(picture, ref, slots, x, y, 2.0, steps=1)
    u = step.bend
    turn = 0.5 * (u[:, 2] - u[:, 1])
    pure = np.stack((u[:, 0], u[:, 1] + turn, u[:, 2] - turn, u[:, 3]), axis=1)  # stretch and shear
    far = [np.maximum(np.abs(v[:, 0]) + np.abs(v[:, 1]), np.abs(v[:, 2]) + np.abs(v[:, 3])) for v in (u, pure)]
    rows = np.flatnonzero((far[0] > BENT) & (step.score > 0) & (ref.textured[:n] != 0))
    if not len(rows):
        return made, misfit
    normal = inverted(ref.inverse[rows, 2:, 2:])
    left = np.maximum(step.rest[rows], 0.0)
    looked = t["looks"][which[rows]] > 0
    grain = np.where(looked, np.clip(t["grain"][which[rows]], 1.0, MOST), GRAIN)
    least = np.maximum(4.0 * CLEAR * grain / max(float(o.w * o.w) - 8.0, 1.0), SHARE) * left
    large, own = (_size_of(v[rows], normal) for v in (u, pure))
    # Windows that turn may turn on.
    odd = np.where(made[rows] == 2, large, np.where(far[0][rows] < NEAR, own, 0.0))
    odd = float(o.w * o.w - 8) * odd / np.where(left > 0, left, np.inf)
    misfit[rows] = STRAYS * np.maximum(odd - CHANCE, 0.0)
    whole, own = large > least, own > least
    made[rows[whole]] = np.maximum(made[rows[whole]], 3)
    # What turns far is not linear and seems to stretch: that is asked again when it is drawn turned.
    made[rows[own & (far[1][rows] > BENT) & (far[0][rows] < NEAR)]] = 6
    return made, misfit


def _size_of(u: Array, normal: Array) -> Array:
    """u' normal u, (n,)."""
    made = np.zeros(len(u))
    for a in range(4):
        for b in range(4):
            made = made + u[:, a] * normal[:, a, b] * u[:, b]
    return made
