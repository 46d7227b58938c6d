"""What the rim of a mask cuts off: the next ring by the two outermost ones, without the noise of their pixels."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors.reference import evaluate
from kernels.loops.calling import call
from kernels.regions.boundary_noise_loops import edge_list, rim_share
from kernels.regions.structs import Listed
from kernels.stages.components import components


def shares(square: float, many: float, before: float, fewer: float, noise: float, area: float = 9.0,
           size: float = 2.0) -> float:  # fmt: skip
    return float(rim_share(square, many, before, fewer, noise, area, size))


def test_light_falls_on_as_it_fell_without_noise() -> None:
    # 24 pixels of 9 (squared) beside 16 of 36: a quarter; the next ring has 32, a third farther out and as many more.
    assert shares(24 * 9.0, 24, 16 * 36.0, 16, 0.0) == pytest.approx(0.25 * (32 / 24) ** 3)
    # With noise of 4 in each pixel the same light, as part of all that is there; it moves the rim by 2/3 px.
    clear, noisy = 24 * 9.0, 24 * (9.0 + 4.0)
    moves = np.sqrt(1 + 12 * 4 / 9)
    assert shares(noisy, 24, 16 * (36.0 + 4.0), 16, 4.0) == pytest.approx(0.25 * clear / noisy * (32 / 24) ** 3 * moves)


def test_where_light_falls_steeply_it_falls_more_steeply_farther_out() -> None:
    wider = (32 / 24) ** 3
    # 1/25, half of .08: half of that; without noise and with it.
    assert shares(24 * 4.0, 24, 16 * 100.0, 16, 0.0) == pytest.approx(0.5 / 25 * wider)
    assert shares(24 * 8.0, 24, 16 * 104.0, 16, 4.0) == pytest.approx(0.25 / 25 * wider * np.sqrt(1 + 12 * 4 / 64))
    assert shares(24 * 8.0, 24, 16 * 100.0, 16, 0.0) == pytest.approx(0.08 * wider)  # no step where that begins
    for small in ({"area": 6.0}, {"size": 1.0}):
        assert shares(24 * 4.0, 24, 16 * 100.0, 16, 0.0, **small) == pytest.approx(1 / 25 * wider)


def test_light_does_not_grow_outwards() -> None:
    assert shares(24 * 9.0, 24, 16 * 9.0, 16, 0.0) == pytest.approx((32 / 24) ** 3)  # a disc that goes on
    assert shares(24 * 9.0, 24, 16 * 4.0, 16, 0.0) == pytest.approx((32 / 24) ** 3)
    assert shares(24 * 9.0, 24, 0.0, 0, 0.0) == pytest.approx((32 / 24) ** 3)  # a single ring


def test_noise_moves_the_rim_where_light_falls_slowly() -> None:
    wider, clear = (32 / 24) ** 3, 9.0 / (9.0 + 0.25)
    # From 6 to 3 within a px: noise of .5 moves the rim by 1/6 px.
    moved = shares(24 * (9.0 + 0.25), 24, 16 * (36.0 + 0.25), 16, 0.25)
    assert moved == pytest.approx(0.25 * clear * wider * np.sqrt(1 + 12 / 36))
    # From 3.3 to 3: noise would move it by px, but is believed to move it by sqrt(.6) at most.
    slow = shares(24 * (9.0 + 0.25), 24, 16 * (10.89 + 0.25), 16, 0.25)
    assert slow == pytest.approx(9 / 10.89 * clear * wider * np.sqrt(1 + 12 * 0.6))


@pytest.mark.parametrize("level", [0.2, 0.4, 0.6])
def test_wide_weak_bells_know_how_far_their_masks_are_off(level: float) -> None:
    rng, width, height, pitch, side = np.random.default_rng(7), 3.0, 12.0, 42, 20
    middle = np.arange(side) * pitch + pitch / 2
    x, y = (m.ravel() + rng.uniform(-2, 2, side**2) for m in np.meshgrid(middle, middle))
    pixels = np.arange(side * pitch)
    light = np.full((len(pixels), len(pixels)), 20.0)
    for i in range(side):
        one = slice(i * side, (i + 1) * side)
        down = np.exp(-((pixels - y[one, None]) ** 2) / (2 * width**2))
        light += height * down.T @ np.exp(-((pixels - x[one, None]) ** 2) / (2 * width**2))
    picture = np.rint(rng.normal(light, np.sqrt(0.04 * light + 0.64))).astype(np.uint8)
    rows = evaluate(components, picture > 20 + level * height, picture, min_area=12, background="slope").rows
    far = np.hypot(rows["x"][:, None] - x, rows["y"][:, None] - y)
    nearest, near = far.argmin(axis=1), far.min(axis=1) < 2
    assert len(np.unique(nearest[near])) > 0.97 * side**2
    z = far[np.arange(len(rows)), nearest][near] ** 2 / 2 / rows["sigma"][near] ** 2
    assert np.mean(z) == pytest.approx(1.05, abs=0.2)


@pytest.mark.parametrize("square", [0.0, 24 * 4.0, 24 * 3.0])
def test_of_mere_noise_nothing_is_cut(square: float) -> None:
    assert shares(square, 24, 16 * 36.0, 16, 4.0) == 0


def test_listed_pixels_are_summed_by_their_region() -> None:
    owner = np.array([0, 2, 2, 0, 1], np.int64)
    light, share = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([1.0, 0.5, 1.0, 0.5, 0.0])
    square, many, none = *np.zeros((2, 3)), np.empty(0)
    call(edge_list, Listed(owner, owner, share, none, none, none, light), 5, square, many)
    np.testing.assert_array_equal([square, many], [[17, 25, 13], [1.25, 0, 1.25]])
