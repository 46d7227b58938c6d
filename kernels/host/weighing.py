"""Moments of the light above a local background, compiled: `kernels.host.blobs._rows` call by call, with its bits."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host import region_loops as loops
from kernels.host.bell_loops import BINS
from kernels.host.centroid import FEATURE_DTYPE, PLAIN
from kernels.host.labels import Canvas
from kernels.host.loops import Loop, address
from kernels.host.regions import RIDGE

Array = npt.NDArray[Any]
_KEPT = threading.local()
RING = 2  # px, the width of the ring that the background is taken from


def scratch(name: str, count: int, dtype: npt.DTypeLike = np.float64) -> Array:
    """Memory of the thread's own with anything in it, until the same name is asked for again: fresh pages cost more
    than the work on them."""
    kept: dict[str, Array] = _KEPT.__dict__
    if name not in kept or len(kept[name]) < count:
        kept[name] = np.empty(2 * count, dtype)
    return kept[name][:count]


def finished(rows: Array, plain: Array, lever: Array, tilt: Array, noise: Array, grain: float, grow: int) -> None:
    """sigma of rows, and what stands where there is no light; in place.

    Args:
        plain: rows of the mask alone.
        lever: the sum of share^2 r^2 of each row's pixels.
        tilt: variance of the ground's slope for pixels of variance 1.
        noise: variance of a pixel.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        lever = 0.5 * lever + (0.5 * lever) ** 2 * tilt  # the pixels' own noise, and that of the ground's slope
        rows["sigma"] = np.sqrt(lever * np.maximum(noise, grain)) / rows["mass"]
    reach = np.sqrt(plain["area"]) + grow
    dark = ~(rows["mass"] > 0) | ~(np.hypot(rows["x"] - plain["x"], rows["y"] - plain["y"]) <= reach)
    for name in ("x", "y", "sigma"):
        rows[name] = np.where(dark, plain[name], rows[name])
    flat = dark | ~((rows["xx"] > 0) & (rows["yy"] > 0))  # noise can leave a negative second moment
    for name in ("xx", "xy", "yy"):
        rows[name] = np.where(flat, plain[name], rows[name])


def weighed(
    place: Canvas, core: Array, labels: Array, count: int, images: Array, params: Mapping[str, Any], grain: float
) -> Array | None:
    """A row a label; None where nothing is compiled, or not for such images."""
    if images.dtype.name not in PLAIN or loops.beside.native() is None or not count:
        return None
    images = np.ascontiguousarray(images)
    kind, level = images.dtype, params["background"] == "level"
    whole, sign = int(kind.kind in "ui"), -1.0 if params["polarity"] == "dark" else 1.0
    height, width = images.shape[1:]

    def lit(name: str, pixels: Array) -> tuple[Array, Array, Array]:
        value, x, y = (scratch(f"{name}.{part}", len(pixels)) for part in ("value", "x", "y"))
        _call(loops.lights, images, height, width, sign, pixels, len(pixels), value, x, y, pixels=kind)
        return value, x, y

    pixels, high, low, ends = _grown(place, core, labels, params["grow"] + (0 if level else RING))
    n, grown = len(core), ends[params["grow"]]
    ones, (_, cx, cy) = np.ones(n), lit("core", core)
    plain, _ = _moments(cx, cy, labels, ones, ones, n, count)

    ground, noise, tilt = np.zeros((count, 3)), np.full(count, np.nan), np.zeros(count)
    if level:
        ground[:, 0] = params["level"] * sign
    else:
        around, owners, _ = _shared("around", pixels[grown:], high[grown:], low[grown:])
        value, x, y = lit("around", around)
        number, levels, noise = np.empty(count, np.int64), np.empty(count), np.empty(count)
        _call(loops.levels_loop, owners, value, len(around), count, whole, number, np.empty(count, np.int64),
              scratch("sorted", len(around)), scratch("buffer", 2 * len(around) + 1),
              scratch("bins", BINS + 1, np.int64), np.empty(2), levels,
              noise)  # fmt: skip
        if params["background"] == "ring":
            ground[:, 0] = levels
        else:
            ground, noise, tilt = _planes(owners, value, x, y, count, plain, levels, noise)
        bare = number == 0
        if bare.any():
            light, _, _ = lit("core", core)
            darkest = np.full(count, np.inf)
            np.minimum.at(darkest, labels, np.where(np.isfinite(light), light, float(np.float32(3e38))))
            ground[bare, 0] = darkest[bare]
        noise = np.where(bare, np.nan, noise)

    inside, owners, share = _shared(
        "inside",
        np.concatenate((core, pixels[:grown])),
        np.concatenate((labels, high[:grown])),
        np.concatenate((labels, low[:grown])),
    )
    value, x, y = lit("inside", inside)
    v, peak = scratch("v", len(inside)), np.full(count, -np.inf)
    _call(loops.above, value, x, y, owners, share, len(inside), n, ground, np.ascontiguousarray(plain["x"]),
          np.ascontiguousarray(plain["y"]), int(params["background"] == "slope"), v, peak)  # fmt: skip
    rows, lever = _moments(x, y, owners, v, share, len(inside), count)
    rows["area"], rows["peak"] = plain["area"], peak
    finished(rows, plain, lever, tilt, noise, grain, params["grow"])
    return rows


def _call(one: Loop, *values: Any, pixels: npt.DTypeLike = np.float64) -> int:
    native = one.native(pixels)
    assert native is not None
    return native(*(address(v) if isinstance(v, np.ndarray) else v for v in values))


def _grown(place: Canvas, core: Array, labels: Array, steps: int) -> tuple[Array, Array, Array, list[int]]:
    """`grow`: all rings one after the other, and where each step ends."""
    flat = place.labels
    flat[core] = labels + 1
    room = min(len(flat), len(core) * (2 * steps + 1) ** 2)
    lists = scratch("lists", 3 * 3 * room, np.int64)
    pixels, high, low = (scratch(name, room, np.int64) for name in ("pixels", "high", "low"))
    edge, ends = core, [0]
    for _ in range(steps):
        end = ends[-1]
        found = _call(loops.grow_loop, flat, place.width, edge, len(edge), 3 * room, lists, pixels[end:], high[end:],
                      low[end:])  # fmt: skip
        edge = pixels[end : end + found]
        ends.append(end + found)
    flat[core] = 0
    flat[pixels[: ends[-1]]] = 0
    return pixels[: ends[-1]], high[: ends[-1]], low[: ends[-1]], ends


def _shared(name: str, pixels: Array, high: Array, low: Array) -> tuple[Array, Array, Array]:
    n = len(pixels)
    out, owner = (scratch(f"{name}.{part}", 2 * n, np.int64) for part in ("pixels", "owner"))
    share = scratch(f"{name}.share", 2 * n)
    found = _call(loops.share_out, pixels, high, low, n, out, owner, share)
    return out[:found], owner[:found], share[:found]


def _moments(x: Array, y: Array, labels: Array, v: Array, share: Array, pixels: int, count: int) -> tuple[Array, Array]:
    s = np.zeros((10, count))
    _call(loops.moments_loop, x, y, labels, v, share, pixels, count, *s)
    rows = np.zeros(count, FEATURE_DTYPE)
    area, mass, _, _, cx, cy, xx, xy, yy, lever = s
    for name, values in (("area", area), ("mass", mass), ("x", cx), ("y", cy), ("xx", xx), ("xy", xy), ("yy", yy)):
        rows[name] = values
    rows["peak"], rows["sigma"] = 1.0, np.nan
    return rows, lever


def _planes(
    owners: Array, value: Array, x: Array, y: Array, count: int, plain: Array, levels: Array, variance: Array
) -> tuple[Array, Array, Array]:
    n = len(value)
    ok, normal, right = scratch("ok", n, np.int64), np.zeros((count, 3, 3)), np.zeros((count, 3, 1))
    _call(loops.plane_sums, owners, value, x, y, n, count, np.ascontiguousarray(plain["x"]),
          np.ascontiguousarray(plain["y"]), levels, variance, ok, normal, right)  # fmt: skip
    normal += RIDGE
    found = np.ascontiguousarray(np.linalg.solve(normal, right)[:, :, 0])
    left, used = np.zeros(count), np.zeros(count, np.int64)
    _call(loops.plane_rest, owners, value, x, y, ok, n, found, left, used)
    found[:, 0] += levels
    spread = 0.5 / normal[:, 1, 1] + 0.5 / normal[:, 2, 2]
    return found, left / np.maximum(used - 3, 1), spread
