"""Moments of the light above a local background, compiled: `kernels.host.blobs._rows` call by call, with its bits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host import weigh_loops as loops
from kernels.host.bell_loops import BINS
from kernels.host.calling import call
from kernels.host.centroid import FEATURE_DTYPE, PLAIN
from kernels.host.correlation_loops import SECTORS, factors_list, levers_of, one_sided_list
from kernels.host.labels import Canvas
from kernels.host.loops import Loop, address
from kernels.host.regions import BLUR, RIDGE
from kernels.host.rim_loops import EDGES, rim_shares
from kernels.host.scratch import scratch
from kernels.host.shot_loops import LESS, SHOTS, shots_of
from kernels.host.tilt import Ground, believed, righted
from kernels.host.tilt_loops import SUMS as TILTS
from kernels.host.weigh_loops import SUMS

Array = npt.NDArray[Any]
CHANCE = {"slope": 1.0 / 6.0, "ring": 1.0 / 9.0, "level": 1.0 / 9.0}
"""Variance of what a pixel at the rim gives, being in or out of a region by chance, by the square of its light
(`kernels.host.rim_loops`): a slope, taken from what lies beyond the rim, goes with it, by half as much again."""
RING = 2  # px, the width of the ring that the background is taken from


def chance(params: Mapping[str, Any]) -> float:
    """CHANCE of a pixel and of those that it takes with it."""
    return CHANCE[params["background"]] * (2.0 * float(params["grow"]) + 1.0)


def finished(
    rows: Array, plain: Array, lever: Array, rim: Array, moment: Array, edges: Array, ground: Ground, tilts: Array,
    shots: Array, grain: float, grow: int, slope: bool, share: float,
) -> None:  # fmt: skip
    """sigma and anisotropy of rows, centres without what tilts their light, and what stands where there is none; in
    place.

    Args:
        plain: rows of the mask alone.
        lever: (2, rows) the sums of share^2 x^2 and share^2 y^2 of each row's pixels.
        rim: (2, rows) those of light^2 x^2 and light^2 y^2 of the pixels of the outermost ring: a rim that still has
            light cuts some of it off, on this side or that.
        moment: (2, rows) the sums of light times x, and times y, of the same pixels.
        tilts: of `kernels.host.tilt.tilts`.
        shots: (rows, SHOTS) of `kernels.host.shot_loops.shot_list`.
        edges: (EDGES, rows) of `kernels.host.rim_loops`.
        share: of `chance`.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        # The pixels' own noise, that of the ground's slope, what is cut off, and the slope of a level ground.
        noise, leans = np.maximum(ground.noise, grain), lever * ground.lean
        cut = np.empty(len(rows))
        call(rim_shares, edges, len(rows), noise, plain["area"] * 1.0, np.minimum(rows["xx"], rows["yy"]), cut)
        core, levers = np.stack((plain["area"] * plain["xx"], plain["area"] * plain["yy"])), np.empty((2, len(rows), 3))
        call(levers_of, lever * 1.0, core, ground.factors * 1.0, len(rows), slope, levers)
        own, lacks, part = levers.transpose(2, 0, 1)
        tilt = part * ground.tilt * noise
        beside = np.empty_like(moment)
        call(one_sided_list, moment, rim, moment.size, slope, beside)
        spread = own * noise + lever * lever * tilt + share * cut * rim + leans * leans + beside
        shot = np.empty((len(rows), 2))
        call(shots_of, shots, len(rows), noise, float(grain), shot)
        light = np.stack([shot[:, 0] * rows["mass"] * rows[name] for name in ("xx", "yy")])
        spread = spread + np.where(light > LESS * (lacks * noise), light, LESS * (lacks * noise))
        dx, dy, reach = rows["x"] - plain["x"], rows["y"] - plain["y"], np.sqrt(plain["area"]) + grow
        dark = ~(rows["mass"] > 0) | ~(dx * dx + dy * dy <= reach * reach)
        square = rows["mass"] * rows["mass"]
        sure = believed(ground.plane, noise * ground.factors[:, 0], ground.tilt)
        kept = np.where(tilts[:, 0] > 0, sure, 0.0)
        off = righted(rows, tilts, kept, ground.plane, shot[:, 1], spread / square, lever / rows["mass"],
                      tilt)
        sx, sy = np.where(kept > 0, off[2:] * square, spread)
        rows["x"], rows["y"] = rows["x"] - off[0], rows["y"] - off[1]
        rows["sigma"] = np.sqrt(0.5 * (sx + sy)) / rows["mass"]
        rows["anisotropy"] = np.where(sx + sy > 0, (sx - sy) / (sx + sy), 0.0)
    for name in ("x", "y", "sigma"):
        rows[name] = np.where(dark, plain[name], rows[name])
    rows["anisotropy"][dark] = 0.0
    flat = dark | ~((rows["xx"] > 0) & (rows["yy"] > 0))  # noise can leave a negative second moment
    for name in ("xx", "xy", "yy"):
        rows[name] = np.where(flat, plain[name], rows[name])
    rows["stretch"], rows["lean"] = 0.5 * (rows["xx"] - rows["yy"]), rows["xy"]


def weighed(
    place: Canvas, core: Array, labels: Array, count: int, images: Array, params: Mapping[str, Any], grain: float
) -> Array | None:
    """A row a label; None where nothing is compiled, or not for such images."""
    if images.dtype not in PLAIN or loops.grown_loop.native() is None or not count:
        return None
    images = np.ascontiguousarray(images)
    level, slope = params["background"] == "level", params["background"] == "slope"
    sign, n = -1.0 if params["polarity"] == "dark" else 1.0, len(core)
    pixels, high, low, ends = _grown(place, core, labels, params["grow"] + (0 if level else RING))
    grown, inner, beneath = (ends[max(params["grow"] - k, 0)] for k in range(3))
    rings, most = len(pixels) - grown, 2 * max(len(pixels) - grown, n + grown)
    image = (images, *images.shape[1:], sign)
    place_of, owners = scratch("weigh.whole", 2 * most, np.int64).reshape(2, most)
    share, value, x, y = scratch("weigh", 4 * most).reshape(4, most)
    light, v = scratch("weigh.core", 2 * (n + most)).reshape(2, n + most)

    plain, sums = np.zeros((2, SUMS, count))
    ground, noise, tilt = np.zeros((count, 3)), np.full(count, np.nan), np.zeros((2, count))
    factors = np.tile((1.0, 0.0), (count, 1))
    lean, kept, form, tilted = np.zeros((2, count)), np.zeros(count), np.zeros((count, 3)), np.zeros((count, TILTS))
    shots = np.zeros((count, SHOTS))
    number, start, used = np.ones((3, count), np.int64)
    levels, left, peak = np.zeros((3, count))
    rim, moment, edges = np.zeros((2, count)), np.zeros((2, count)), np.zeros((EDGES, count))
    ok, normal, right = scratch("weigh.ok", most, np.int64), np.zeros((count, 3, 3)), np.zeros((count, 3, 1))
    lie = _call(loops.ground_loop, *image, core, labels, n, count, pixels[grown:], high[grown:], low[grown:], rings,
                level, images.dtype.kind in "ui", BLUR * grain, light,
                *scratch("weigh.places", 3 * n).reshape(3, n), plain, place_of, owners, share, value, x, y, number,
                start, scratch("weigh.sorted", most), scratch("weigh.buffer", 2 * most + 1),
                scratch("bins", BINS + 1, np.int64), np.empty(2), levels, noise, ok, normal, right,
                pixels=images.dtype)  # fmt: skip
    if level:
        ground[:, 0], noise[:] = params["level"] * sign, np.nan
    else:
        normal += RIDGE
        found = np.ascontiguousarray(np.linalg.solve(normal, right)[:, :, 0])
        spread = 1.0 / np.stack((normal[:, 1, 1], normal[:, 2, 2]))
        if slope:
            ground, tilt, used[:] = found.copy(), spread, 0
            _call(loops.planes_loop, owners, value, x, y, ok, lie, count, ground, levels, left, used, noise)
        else:
            ground[:, 0] = levels
        _call(factors_list, owners, value, x, y, ok, lie, count, number, found, normal, noise,
              scratch("weigh.sectors", 2 * SECTORS * count), factors)  # fmt: skip
        if slope:
            kept = believed(ground, np.maximum(noise, grain) * factors[:, 0], tilt)
        else:
            lean = np.ascontiguousarray(found[:, 1:].T * np.sqrt(believed(found, noise, spread, 1.0)))
    peak[:] = -np.inf
    _call(loops.weigh_loop, *image, core, labels, n, count, pixels, high, low, beneath, inner, grown, slope, light,
          number, ground, noise, kept, np.nan, plain,
          *scratch("weigh.all", 3 * (n + grown), np.int64).reshape(3, n + grown), place_of, owners, share, value, x, y,
          v, peak, sums, rim, moment, edges, form, tilted, shots, pixels=images.dtype)  # fmt: skip
    rows = np.empty(count, FEATURE_DTYPE)
    _call(loops.finish_loop, rows.view(np.float64), plain, sums, peak, rim, moment, edges, np.ascontiguousarray(tilt),
          noise, factors, ground, lean, kept, form, tilted, shots, count, grain, float(params["grow"]), slope,
          chance(params), np.nan, np.empty(7))  # fmt: skip
    return rows


def _call(one: Loop, *values: Any, pixels: npt.DTypeLike = np.float64) -> int:
    native = one.native(pixels)
    assert native is not None
    return int(native(*(address(v) if isinstance(v, np.ndarray) else v for v in values)))


def _grown(place: Canvas, core: Array, labels: Array, steps: int) -> tuple[Array, Array, Array, list[int]]:
    """`grow`: all rings one after the other, and where each step ends."""
    flat = place.labels
    room = min(len(flat), len(core) * (2 * steps + 1) ** 2)
    pixels, high, low = (scratch(name, room, np.int64) for name in ("pixels", "high", "low"))
    ends = np.zeros(steps + 1, np.int64)
    end = _call(loops.grown_loop, flat, place.width, core, labels, len(core), steps, 3 * room,
                scratch("lists", 9 * room, np.int64), pixels, high, low, ends)  # fmt: skip
    return pixels[:end], high[:end], low[:end], ends.tolist()
