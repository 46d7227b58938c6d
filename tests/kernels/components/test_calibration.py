"""Standard deviations of centres: errors in units of sigma have the variance 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.ndimage import gaussian_filter

from kernels.centroids.centroid import ROUNDING, centres_in
from kernels.executors.reference import evaluate
from kernels.stages.components import components
from kernels.stages.refine import refined
from tests.centres import gaussian_centres

Array = npt.NDArray[Any]
SIDE, PITCH, WELL, READ, BACKDROP = 20, 22, 1e4, 8.0, 0.05


def sensor(snr: float, bits: int, width: float, seed: int = 0) -> tuple[Array, Array, Array, float]:
    """Blobs apart from each other; x, y, the picture of a camera with shot, read and rounding noise, and their peak.

    `snr` is the peak over the noise of the backdrop.
    """
    rng = np.random.default_rng(seed)
    top = 2**bits - 1
    middle = np.arange(SIDE) * PITCH + PITCH / 2
    x, y = (m.ravel() + rng.uniform(-2, 2, SIDE**2) for m in np.meshgrid(middle, middle))
    noise = np.hypot(np.sqrt(READ**2 + WELL * BACKDROP) / WELL, 1 / np.sqrt(12) / top)
    pixels = np.arange(SIDE * PITCH)
    light = np.full((len(pixels), len(pixels)), BACKDROP)
    for i in range(SIDE):
        one = slice(i * SIDE, (i + 1) * SIDE)
        down = np.exp(-((pixels - y[one, None]) ** 2) / (2 * width**2))
        light += snr * noise * down.T @ np.exp(-((pixels - x[one, None]) ** 2) / (2 * width**2))
    taken = rng.poisson(light * WELL) + rng.normal(0, READ, light.shape)
    picture = np.clip(np.rint(taken / WELL * top), 0, top).astype(np.uint8 if bits == 8 else np.uint16)
    return x, y, picture, snr * noise * top


def spread(rows: Array, x: Array, y: Array) -> float:
    """Mean square of (estimate - truth) / sigma of rows, each with the nearest of the places; most must be there."""
    away = np.hypot(rows["x"][:, None] - x, rows["y"][:, None] - y)
    nearest = away.argmin(axis=1)
    ok = (away.min(axis=1) < 2) & np.isfinite(rows["sigma"])
    assert len(np.unique(nearest[ok])) > 0.97 * len(x)
    rows, nearest = rows[ok], nearest[ok]
    both = [float(np.mean((rows[name] - at[nearest]) ** 2 / (rows["sigma"] ** 2 * (1 + sign * rows["anisotropy"]))))
            for name, at, sign in (("x", x, 1), ("y", y, -1))]  # fmt: skip
    assert max(both) < 1.3  # each axis alone, of half the errors
    assert min(both) > 0.7
    return float(np.mean(both))


@pytest.mark.parametrize("bits", [8, 12])
@pytest.mark.parametrize(("snr", "width"), [(6, 1.4), (10, 1.4), (20, 1.4), (40, 1.4), (100, 1.4), (9, 2.2), (90, 2.2)])
def test_a_gaussian_centres_sigma_is_that_of_its_errors(bits: int, snr: float, width: float) -> None:
    x, y, picture, _ = sensor(snr, bits, width)
    rows = gaussian_centres(picture, np.rint(x), np.rint(y), width, ROUNDING)
    assert spread(rows, x, y) == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize(("bits", "snr"), [(8, 10), (8, 100), (12, 10), (12, 100)])
def test_the_stages_pass_it_on(bits: int, snr: float) -> None:
    x, y, picture, peak = sensor(snr, bits, 1.4)
    level = BACKDROP * (2**bits - 1) + 0.5 * peak
    rows = evaluate(components, picture > level, picture, min_area=2, refine_sigma=1.4).rows
    rows = rows[rows["peak"] > 0.6 * peak]  # noise above the level
    assert spread(rows, x, y) == pytest.approx(1.0, abs=0.2)
    seeds = np.zeros(len(x), [("x", "i4"), ("y", "i4")])
    seeds["x"], seeds["y"] = np.rint(x), np.rint(y)
    assert spread(refined([seeds], picture[None], 1.4, 2.5, ROUNDING)[0], x, y) == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize("bits", [8, 12])
@pytest.mark.parametrize("snr", [6, 10, 20, 40, 100])
def test_a_moments_sigma_knows_what_the_region_cuts_off(bits: int, snr: float) -> None:
    x, y, picture, peak = sensor(snr, bits, 1.4)
    light = picture.astype(np.float64)
    mask = gaussian_filter(light, 1.2) - gaussian_filter(light, 3.0) > 0.25 * peak
    rows = evaluate(components, mask, picture, min_area=3).rows
    assert spread(rows, x, y) == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize("bits", [8, 12])
@pytest.mark.parametrize("snr", [10, 40, 100])
def test_so_does_that_of_a_level_ground(bits: int, snr: float) -> None:
    x, y, picture, peak = sensor(snr, bits, 1.4)
    light = picture.astype(np.float64)
    mask = gaussian_filter(light, 1.2) - gaussian_filter(light, 3.0) > 0.25 * peak
    rows = evaluate(components, mask, picture, min_area=3, background="ring").rows
    assert spread(rows, x, y) == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize(("method", "snr", "width"), [
    *(("radial", snr, width) for snr in (6, 20, 100) for width in (0.9, 1.4, 2.0)),
    *(("auto", snr, 0.9) for snr in (6, 20, 40, 100)), ("auto", 30, 1.4), ("auto", 100, 1.4)])  # fmt: skip
def test_every_way_to_a_centre_knows_its_errors(method: str, snr: float, width: float) -> None:
    x, y, picture, _ = sensor(snr, 12, width)
    rows = centres_in(picture[None], np.zeros(len(x), np.int64), np.rint(x), np.rint(y), width, ROUNDING, method=method)
    assert spread(rows, x, y) == pytest.approx(1.0, abs=0.2)
