"""Connected components measured: moments of the light above a local background, sub-pixel centres.

What the stage `components` does to one frame; its docstring says what the columns mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.centroid import FEATURE_DTYPE, ROUNDING, gaussian_centres
from kernels.host.opencv import cv2
from kernels.host.regions import first_seen, grow, largest, levels, planes, shared, split_at_valleys

Array = npt.NDArray[Any]
_RING = 2  # px


def measure(mask: Array, image: Array | None, params: Mapping[str, Any]) -> tuple[Array, int]:
    """Rows of `FEATURE` for the components of a mask, and how many components found no room.

    Args:
        mask: (height, width) bool.
        image: (height, width) weights of any real type, or None.
        params: the parameters of the stage `components`.
    """
    width = mask.shape[1]
    _, picture, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(
        mask.view(np.uint8), int(params["connectivity"]), cv2.CV_32S, cv2.CCL_BBDT
    )
    area = stats[:, cv2.CC_STAT_AREA]
    wanted = (area >= params["min_area"]) & ((params["max_area"] == 0) | (area <= params["max_area"]))
    wanted[0] = False
    pixels = np.flatnonzero(mask)
    labels = picture.reshape(-1)[pixels]
    inside = wanted[labels]
    pixels, labels = pixels[inside], labels[inside]
    # OpenCV promises no order of its labels.
    order = np.argsort(first_seen(labels, len(area)), kind="stable")[: min(wanted.sum(), params["capacity"])]
    number = np.full(len(area), -1)
    number[order] = np.arange(len(order))
    labels = number[labels]
    pixels, labels = pixels[labels >= 0], labels[labels >= 0]
    overflow = int(wanted.sum()) - len(order)
    y, x = np.divmod(pixels, width)
    if image is None:
        return _moments(x, y, labels, np.ones(len(x)), len(order)), overflow
    light = image.astype(np.float32)
    if params["polarity"] == "dark":
        np.negative(light, out=light)
    grain = 0.0 if image.dtype.kind == "f" else ROUNDING
    return _weighed(x, y, labels, len(order), light, params, grain), overflow


def _weighed(
    x: Array, y: Array, labels: Array, count: int, light: Array, params: Mapping[str, Any], grain: float
) -> Array:
    """Rows from gray values, for core pixels x, y of `count` labels; a pixel's variance is at least `grain`."""
    height, width = light.shape
    core = (y + 1) * (width + 2) + x + 1
    if params["split"] > 0:
        smooth = cv2.GaussianBlur(np.where(np.isfinite(light), light, 0), (0, 0), params["split"] / 4.0)
        smooth = cv2.copyMakeBorder(smooth, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
        labels, count = split_at_valleys(core, labels, count, smooth, params["split"], params["split_depth"])
    canvas = np.zeros((height + 2, width + 2), np.int32)
    canvas.reshape(-1)[core] = labels + 1
    rings = grow(canvas, params["grow"] + (0 if params["background"] == "level" else _RING))
    padded = cv2.copyMakeBorder(light, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0).reshape(-1)
    plain = _moments(x, y, labels, np.ones(len(x)), count)
    ground, noise, tilt = _ground(core, labels, plain, padded, rings[params["grow"] :], params, width + 2)
    pixels, owners, share = shared(rings[: params["grow"]])
    pixels, owners = np.concatenate((core, pixels)), np.concatenate((labels, owners))
    share = np.concatenate((np.ones(len(core)), share))
    value = padded[pixels]
    share = np.where(np.isfinite(value), share, 0.0)  # a dead pixel has no say
    py, px = np.divmod(pixels, width + 2)
    below = ground[owners, 0]
    if params["background"] == "slope":
        below = below + ground[owners, 1] * (px - 1 - plain["x"][owners]) + ground[owners, 2] * (
            py - 1 - plain["y"][owners])  # fmt: skip
    v = np.where(share > 0, value - below, 0.0) * share
    rows = _moments(px - 1, py - 1, owners, v, count)
    rows["area"] = plain["area"]
    rows["peak"] = largest(labels, v[: len(labels)], count)
    lever = np.bincount(owners, share**2 * ((px - 1 - rows["x"][owners]) ** 2 + (py - 1 - rows["y"][owners]) ** 2),
                        count)  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        lever = 0.5 * lever + (0.5 * lever) ** 2 * tilt  # the pixels' own noise, and that of the ground's slope
        rows["sigma"] = np.sqrt(lever * np.maximum(noise, grain)) / rows["mass"]
    reach = np.sqrt(plain["area"]) + params["grow"]
    dark = ~(rows["mass"] > 0) | ~(np.hypot(rows["x"] - plain["x"], rows["y"] - plain["y"]) <= reach)
    for name in ("x", "y", "sigma"):
        rows[name] = np.where(dark, plain[name], rows[name])
    flat = dark | ~((rows["xx"] > 0) & (rows["yy"] > 0))  # noise can leave a negative second moment
    for name in ("xx", "xy", "yy"):
        rows[name] = np.where(flat, plain[name], rows[name])
    if params["refine_sigma"] > 0:
        _refine(rows, light, params["refine_sigma"], grain)
    return rows


def _ground(
    core: Array, labels: Array, plain: Array, padded: Array, rings: list[tuple[Array, Array, Array]],
    params: Mapping[str, Any], row: int,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Background of each label (value at its middle, slopes in x, y); variance of a pixel; `spread` of `planes`."""
    count = len(plain)
    ground, tilt = np.zeros((count, 3)), np.zeros(count)
    if params["background"] == "level":
        ground[:, 0] = params["level"] * (1.0 if params["polarity"] == "bright" else -1.0)
        return ground, np.full(count, np.nan), tilt
    around, owners, _ = shared(rings)
    there = np.isfinite(padded[around])
    around, owners = around[there], owners[there]
    values = padded[around].astype(np.float64)
    if params["background"] == "ring":
        ground[:, 0], noise, _ = levels(owners, values, count)
    else:
        y, x = np.divmod(around, row)
        dx, dy = x - 1 - plain["x"][owners], y - 1 - plain["y"][owners]
        ground, noise, tilt = planes(owners, values, dx, dy, count)
    bare = np.bincount(owners, minlength=count) == 0
    if bare.any():
        value = padded[core]
        darkest = -largest(labels, np.where(np.isfinite(value), -value, -np.float32(3e38)), count)
        ground[bare, 0] = darkest[bare]
    return ground, np.where(bare, np.nan, noise), tilt


def _moments(x: Array, y: Array, labels: Array, v: Array, count: int) -> Array:
    """Rows with the weighted mean and central moments of labelled pixels; `area` counts them, sigma is NaN."""
    rows = np.zeros(count, FEATURE_DTYPE)
    rows["area"] = np.bincount(labels, minlength=count)
    rows["mass"] = mass = np.bincount(labels, v, count)
    rows["peak"], rows["sigma"] = 1.0, np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        for name, place in (("x", x), ("y", y)):
            # From the middle of the label's pixels, so that a far corner of the picture costs no digits.
            middle = np.bincount(labels, place, count) / np.maximum(rows["area"], 1)
            rows[name] = middle + np.bincount(labels, v * (place - middle[labels]), count) / mass
        dx, dy = x - rows["x"][labels], y - rows["y"][labels]
        for name, product in (("xx", dx * dx), ("xy", dx * dy), ("yy", dy * dy)):
            rows[name] = np.bincount(labels, v * product, count) / mass
    return rows


def _refine(rows: Array, light: Array, sigma: float, grain: float) -> None:
    small = np.flatnonzero(0.5 * (rows["xx"] + rows["yy"]) <= 4.0 * sigma * sigma)
    found = gaussian_centres(light, rows["x"][small], rows["y"][small], sigma, grain)
    seen = np.isfinite(found["sigma"])
    for name in ("x", "y", "sigma"):
        rows[name][small[seen]] = found[name][seen]
