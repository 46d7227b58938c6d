"""Regions of any size, as lists of pixels: moments of the light above a local background."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.centroids.centroid import FEATURE_DTYPE, PLAIN, frames_of
from kernels.loops.calling import call
from kernels.loops.fractions import Images, dense, pixels_of
from kernels.loops.robust_mean import BINS
from kernels.loops.scratch import scratch
from kernels.regions.labels import Canvas
from kernels.regions.moment_loops import finish_loop, ground_loop, grown_loop, planes_loop, weigh_loop
from kernels.regions.noise_correlation_loops import SECTORS, factors_list
from kernels.regions.pixel_lists import BLUR, RIDGE
from kernels.regions.shot_noise_loops import SHOTS
from kernels.regions.skew_correction_loops import DOUBT
from kernels.regions.skew_correction_loops import SUMS as TILTS
from kernels.regions.structs import (
    Bounds,
    Ground,
    Listed,
    Moments,
    PlaneFit,
    Rim,
    Rings,
    Seen,
    Settings,
    Sorting,
    Surroundings,
)

Array = npt.NDArray[Any]
CHANCE = {"slope": 1.0 / 6.0, "ring": 1.0 / 9.0, "level": 1.0 / 9.0}
"""Variance of what a pixel at the rim gives, being in or out of a region by chance, by the square of its light
(`kernels.regions.boundary_noise_loops`): a slope, taken from what lies beyond the rim, goes with it, by half as much
again."""
RING = 2  # px, the width of the ring that the background is taken from


def chance(params: Mapping[str, Any]) -> float:
    """CHANCE of a pixel and of those that it takes with it."""
    return CHANCE[params["background"]] * (2.0 * float(params["grow"]) + 1.0)


def weighed(
    place: Canvas, core: Array, labels: Array, count: int, images: Images, params: Mapping[str, Any], grain: float
) -> Array:
    """A row of `FEATURE` a region, not refined.

    Args:
        place: clean, and clean again afterwards.
        core: flat canvas indices of the regions' pixels, rising.
        labels: the regions' numbers, from 0; each has a pixel.
        count: how many regions there are.
        images: (frames, height, width).
        params: the parameters of the stage `components`.
        grain: variance of a pixel at least.
    """
    if not count:
        return np.empty(0, FEATURE_DTYPE)
    if images.dtype not in PLAIN:
        images = np.asarray(images, np.float32)  # as light is added up
    given, slope, n = params["background"] == "level", params["background"] == "slope", len(core)
    how = Settings(given, slope, float(params["grow"]), chance(params), grain, BLUR * grain, np.nan)
    frames = frames_of(dense(images), params["polarity"] == "dark")
    labels = labels.astype(np.int64, copy=False)
    rings, bounds = _grown(place, core, labels, params["grow"], 0 if given else RING)
    value, x, y, ones = scratch("weigh.core", 4 * n).reshape(4, n)
    ones.fill(1.0)
    mask = Listed(core, labels, ones, value, x, y, ones)
    most = 2 * (n + bounds.end)
    fit = PlaneFit(scratch("weigh.ok", most, np.int64), np.zeros((count, 3, 3)), np.zeros((count, 3, 1)),
                   np.zeros((count, 3)), np.zeros(count), np.zeros(count, np.int64))  # fmt: skip
    sorting = Sorting(np.empty(count, np.int64), scratch("weigh.sorted", most), scratch("weigh.buffer", 2 * most + 1),
                      scratch("bins", BINS + 1, np.int64), np.empty(2))  # fmt: skip
    listed = Listed(*scratch("weigh.whole", 2 * most, np.int64).reshape(2, most),
                    *scratch("weigh", 5 * most).reshape(5, most))  # fmt: skip
    ground = Ground(None, count)
    around = Surroundings(Moments(None, count), listed, ground, fit, sorting)
    ground.noise[:], ground.factor[:], ground.number[:] = np.nan, 1.0, 1
    found = call(ground_loop, frames, mask, n, count, rings, bounds, how, around, pixels=pixels_of(images))
    if given:
        ground.level[:] = params["level"] * frames.sign
    else:
        # A pixel's worth of ridge holds what the pixels leave open and changes nothing that they fix.
        fit.normal += RIDGE
        # One small system a region: height, and slopes along x and y.
        fit.plane[:] = np.linalg.solve(fit.normal, fit.right)[:, :, 0]
        _, x, y = fit.plane.T
        # Variances of both slopes for pixels of variance 1: the inverse of their second moments.
        spread = 1.0 / fit.normal[:, 1, 1], 1.0 / fit.normal[:, 2, 2]
        if slope:
            ground.tilt_x[:], ground.tilt_y[:] = spread
            call(planes_loop, listed, found, count, fit, ground)
        else:
            ground.level[:] = ground.middle
        call(factors_list, listed, found, count, fit, ground, scratch("weigh.sectors", 2 * SECTORS * count + 2))
        if slope:
            ground.kept[:] = believed(x, y, np.maximum(ground.noise, grain) * ground.factor, sum(spread), DOUBT)
        else:
            part = np.sqrt(believed(x, y, ground.noise, sum(spread), 1.0))
            ground.lean_x[:], ground.lean_y[:] = x * part, y * part
    seen = Seen(Moments(None, count), Rim(None, count), np.empty(count), np.zeros((count, 3)),
                np.zeros((count, TILTS)), np.zeros((count, SHOTS)))  # fmt: skip
    call(weigh_loop, frames, mask, n, count, rings, bounds, how, around, seen, pixels=pixels_of(images))
    rows = np.empty(count, FEATURE_DTYPE)
    call(finish_loop, rows.view(np.float64), count, around, seen, how, np.empty(7))
    return rows


def believed(x: Array, y: Array, noise: Array, tilt: Array, doubt: float) -> Array:
    """Share of slopes x, y that cannot be noise: 0 where they are not above `doubt` times their variance.

    Args:
        noise: variance of a pixel.
        tilt: sum of the variances of both slopes for pixels of variance 1.
    """
    square = x * x + y * y
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(square > 0, np.maximum(1.0 - doubt * (noise * tilt) / square, 0.0), 0.0)


def _grown(place: Canvas, core: Array, labels: Array, own: int, around: int) -> tuple[Rings, Bounds]:
    """All rings one after the other: `own` of the regions, then those that tell the ground."""
    steps = own + around
    room = min(len(place.labels), len(core) * (2 * steps + 1) ** 2)
    rings = Rings(*(scratch(name, room, np.int64) for name in ("pixels", "high", "low")))
    ends, no = np.zeros(steps + 1, np.int64), np.empty(0)
    mask = Listed(core, labels, no, no, no, no, no)
    call(grown_loop, place.labels, place.width, mask, len(core), steps, 3 * room,
         scratch("lists", 9 * room, np.int64), rings, ends)  # fmt: skip
    return rings, Bounds(int(ends[max(own - 2, 0)]), int(ends[max(own - 1, 0)]), int(ends[own]), int(ends[-1]))
