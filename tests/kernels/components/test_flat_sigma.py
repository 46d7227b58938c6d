"""Sigma of flat discs, as painted markers are: their odd residuals keep noise that those of bells lose to the fit."""

from __future__ import annotations

import numpy as np
import pytest

from app.sources.simulated.drawing import discs, step
from kernels.centroids.centroid import ROUNDING
from kernels.executors.reference import evaluate
from kernels.stages.components import components
from tests.centres import gaussian_centres

PITCH, SIDE = 24, 20


def z_variance(radius: float, ground: float, bits: int, light: float = 1.0) -> float:
    """Of the centres of 400 discs in photon noise, 10 000 electrons at white."""
    draw, white = np.random.default_rng(303), 2**bits - 1
    x, y = (np.tile(np.arange(SIDE), SIDE), np.repeat(np.arange(SIDE), SIDE)) * np.array(PITCH)
    x, y = (c + PITCH / 2 + draw.uniform(-0.5, 0.5, c.size) for c in (x, y))
    cover = discs((SIDE * PITCH, SIDE * PITCH), x, y, radius, 0.75, 1.0)
    shown = (ground + cover * (0.86 - ground)) * light
    seen = np.rint((shown + draw.standard_normal(shown.shape) * np.sqrt(shown / 1e4 + 64e-8)) * white)
    rows = gaussian_centres((seen / white).astype(np.float32), np.rint(x), np.rint(y), 1.4, ROUNDING / white**2)
    return float(np.mean(((rows["x"] - x) ** 2 + (rows["y"] - y) ** 2) / (2 * rows["sigma"] ** 2)))


@pytest.mark.parametrize(
    ("radius", "ground", "bits", "light"),
    [(2.8, 0.45, 8, 1.0), (2.8, 0.45, 16, 1.0), (2.8, 0.45, 8, 0.8), (2.8, 0.2, 8, 1.0), (2.3, 0.45, 8, 1.0)],
)
def test_sigma_of_flat_discs_is_true(radius, ground, bits, light):
    found = z_variance(radius, ground, bits, light)
    assert 0.84 < found < 1.15, found


def seen(shapes, level, noise, draw):
    """A picture of 8 bits of `shapes` 0..1, on a level ground in even noise, and a mask of what is brighter than its
    middle."""
    light = 40.0 + 120.0 * shapes
    return np.rint(np.clip(light + draw.normal(0, noise, light.shape), 0, 255)).astype(np.uint8), shapes > level


@pytest.mark.parametrize(("long", "across", "noise"), [
    (5.5, 3.6, 3.0), (6.2, 3.4, 3.0), (6.2, 3.4, 20.0), (5.2, 3.8, 8.0)])  # fmt: skip
def test_of_an_oblong_flat_thing_whose_ends_are_out_of_reach_its_region_tells(long, across, noise):
    draw, pitch, side = np.random.default_rng(304), 40, 10
    shapes, x, y = np.zeros((side * pitch, side * pitch)), np.empty(side**2), np.empty(side**2)
    down, along = np.mgrid[:pitch, :pitch]
    for i in range(side**2):
        turn, (dx, dy) = draw.uniform(0, np.pi), draw.uniform(-1, 1, 2)
        u, v = along - pitch / 2 - dx, down - pitch / 2 - dy
        u, v = u * np.cos(turn) + v * np.sin(turn), v * np.cos(turn) - u * np.sin(turn)
        far = np.hypot(u / long, v / across)
        slope = np.hypot(u / long**2, v / across**2) / np.maximum(far, 1e-9)
        row, column = i // side * pitch, i % side * pitch
        distance = np.where(far > 0.1, (far - 1) / np.maximum(slope, 1e-9), -across)
        shapes[row : row + pitch, column : column + pitch] = step(distance, 0.75)
        x[i], y[i] = column + pitch / 2 + dx, row + pitch / 2 + dy
    picture, mask = seen(shapes, 0.5, noise, draw)
    rows = evaluate(components, mask, picture, refine_sigma=1.4).rows
    rows = rows[np.hypot(rows["x"][:, None] - x, rows["y"][:, None] - y).argmin(axis=0)]
    error = ((rows["x"] - x) ** 2 + (rows["y"] - y) ** 2) / 2
    assert float(np.sqrt(error.mean())) < 0.007 * noise  # .1 to .7 px by weights, which hardly see such a thing's rim
    assert float((error / rows["sigma"] ** 2).mean()) == pytest.approx(1.0, abs=0.25)


@pytest.mark.parametrize("width", [1.2, 1.6, 2.0])
def test_two_bells_that_are_seen_as_one_keep_the_centre_and_the_length_of_their_weights(width):
    draw, pitch, side, apart = np.random.default_rng(305), 40, 10, 3.0
    middle = np.arange(side) * pitch + pitch / 2
    x, y = (m.ravel() + draw.uniform(-1, 1, m.size) for m in np.meshgrid(middle, middle))
    turn, at = draw.uniform(0, np.pi, x.size), np.arange(side * pitch)
    shapes = np.zeros((side * pitch, side * pitch))
    for sign in (-0.5, 0.5):
        columns, rows = x + sign * apart * np.cos(turn), y + sign * apart * np.sin(turn)
        across, down = (np.exp(-((at - one[:, None]) ** 2) / (2 * width**2)) for one in (columns, rows))
        shapes += 0.5 * (down.T @ across)
    picture, mask = seen(shapes, 0.3, 4.0, draw)
    rows = evaluate(components, mask, picture, refine_sigma=1.4).rows
    rows = rows[np.hypot(rows["x"][:, None] - x, rows["y"][:, None] - y).argmin(axis=0)]
    length = rows["stretch"] * np.cos(2 * turn) + rows["lean"] * np.sin(2 * turn)
    assert float(length.mean()) == pytest.approx(apart**2 / 8, rel=0.08)
    assert float(length.std()) < 0.2 * apart**2 / 8
