"""Blobs beside others: sigma knows what each leaves in the other's window."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.centroids.centroid import FEATURE_DTYPE, ROUNDING, centres_in
from kernels.centroids.centroid_simd import BORDER
from kernels.centroids.gauss_seidel_loops import BEYOND, DAMPED, leap_of, strayed
from kernels.centroids.neighbour_crosstalk import STEPS, crowding
from kernels.centroids.neighbour_crosstalk_loops import FAR, FARS, NEAR, THIN, THINS, crowded_loop
from kernels.ir.table import COLUMNS
from tests.centres import gaussian_centres

Array = npt.NDArray[Any]
SIDE, PITCH = 16, 30


def pairs(apart: float, width: float, second: float, across: bool = False) -> tuple[Array, Array, Array, Array]:
    """Errors by sigma, along x and along y, of pairs of blobs of SNR 20 and `second` times that: (2, pairs) each."""
    rng = np.random.default_rng(5)
    middle = np.arange(SIDE) * PITCH + PITCH / 2
    x, y = (m.ravel() + rng.uniform(-2, 2, SIDE**2) for m in np.meshgrid(middle, middle))
    angle = np.zeros(SIDE**2) if across else rng.uniform(0, 2 * np.pi, SIDE**2)
    half = 0.5 * apart * np.stack((np.cos(angle), np.sin(angle)))
    x, y = np.concatenate((x + half[0], x - half[0])), np.concatenate((y + half[1], y - half[1]))
    pixels = np.arange(SIDE * PITCH)
    height = np.repeat((200.0, 200.0 * second), SIDE**2)
    light = 200.0 + (height[:, None] * np.exp(-((pixels - y[:, None]) ** 2) / (2 * width**2))).T @ np.exp(
        -((pixels - x[:, None]) ** 2) / (2 * width**2))  # fmt: skip
    picture = np.clip(np.rint(light + rng.normal(0, 10, light.shape)), 0, 65535).astype(np.uint16)
    rows = gaussian_centres(picture, x + rng.normal(0, 0.2, x.shape), y + rng.normal(0, 0.2, y.shape), 1.4, ROUNDING)
    zx, zy = ((rows[name] - at) / (rows["sigma"] * np.sqrt(1 + sign * rows["anisotropy"]))
              for name, at, sign in (("x", x, 1), ("y", y, -1)))  # fmt: skip
    good = np.isfinite(zx) & np.isfinite(zy)
    assert good.mean() > 0.94  # noise leaves the fit no valley at the place of others (`gauss_seidel_loops.strayed`)
    return zx, zy, good, rows


@pytest.mark.parametrize(("apart", "width"), [(3.2, 1.0), (3.0, 1.4), (3.5, 1.4), (4.0, 1.4), (4.5, 1.4),
                                              (4.2, 1.9), (4.8, 1.9)])  # fmt: skip
@pytest.mark.parametrize("second", [1.0, 0.4])
def test_the_errors_of_two_near_each_other_are_what_sigma_says(apart: float, width: float, second: float) -> None:
    zx, zy, good, _ = pairs(apart, width, second)
    for half in (slice(None, SIDE**2), slice(SIDE**2, None)):
        both = 0.5 * (zx[half] ** 2 + zy[half] ** 2)[good[half]]
        assert float(both.mean()) == pytest.approx(1.0, abs=0.3)  # without crowding 1.5 to 20


def test_each_axis_knows_its_own_share() -> None:
    zx, zy, good, rows = pairs(3.5, 1.4, 1.0, across=True)  # 4.5 along the way, and 1 across it, without crowding
    assert float((zx[good] ** 2).mean()) == pytest.approx(1.0, abs=0.3)
    assert float((zy[good] ** 2).mean()) == pytest.approx(1.0, abs=0.3)
    assert np.median(rows["anisotropy"]) > 0.5


def test_the_table_falls_from_alone_to_together_and_does_not_depend_on_who_asks() -> None:
    table = crowding(1.4, 5)
    assert (table > 0).all()
    assert (table <= 1).all()
    assert (np.diff(table[:, :, 0], axis=1) > -1e-3).all()  # the farther, the less
    assert (table[:, -1] > 0.95).all()
    assert crowding(1.4, 5) is table


def by_pixels(apart: float, width: float, sigma: float, radius: int) -> Array:
    """Variances of a place along and across, with the sums written as sums over pixels."""
    reach = radius + BORDER + 0.5
    side = np.arange(-np.ceil(reach + apart / 2), np.ceil(reach + apart / 2) + 1)
    x, y = side[None, :], np.arange(-np.ceil(reach), np.ceil(reach) + 1)[:, None]
    changes, sums = [], []
    for middle in (-0.5 * apart, 0.5 * apart):
        dx = x - middle
        square = dx * dx + y * y
        window = (np.abs(dx) <= radius + 0.5) & (np.abs(y) <= radius + 0.5)
        ring = (np.abs(dx) <= reach) & (np.abs(y) <= reach) & ~window
        bell, w = np.exp(-square / (2 * width**2)), np.exp(-square / (2 * sigma**2)) * window
        changes.append([bell * dx, bell * y, bell, bell * square])
        sums.append([w * dx, w * y, w, w * square, ring / ring.sum()])
    flat, kernel = (np.array([[np.broadcast_to(v, square.shape).ravel() for v in one] for one in some])
                    for some in (changes, sums))  # fmt: skip
    jacobian = np.zeros((10, 10))
    for i in range(2):
        for j in range(2):
            jacobian[5 * i : 5 * i + 5, 5 * j : 5 * j + 4] = kernel[i] @ flat[j].T
        jacobian[5 * i + 4, 5 * i : 5 * i + 4] = 0.0
        jacobian[5 * i : 5 * i + 5, 5 * i + 4] = kernel[i].sum(axis=1)
    return (np.linalg.solve(jacobian, np.concatenate(kernel))[:2] ** 2).sum(axis=1)


@pytest.mark.parametrize("seed", range(6))
def test_the_table_is_that_of_sums_over_pixels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sigma = float(rng.uniform(0.5, 4.0))
    radius = math.ceil(rng.uniform(2.0, 4.0) * sigma)
    table = crowding(sigma, radius)
    i, k = int(rng.integers(THINS)), int(rng.integers(FARS))
    width = sigma * THIN * 2.0 ** (0.5 * i)
    alone = by_pixels(3.0 * (radius + BORDER), width, sigma, radius)
    near = by_pixels(width * (NEAR + (FAR - NEAR) * k / (FARS - 1)), width, sigma, radius)
    assert table[i, k] == pytest.approx(np.clip(alone / near, 1.0 / STEPS, 1.0), abs=0.5001 / STEPS)


def test_the_compiled_loop_has_the_bits_of_its_text_and_leaves_the_others_alone() -> None:
    rng = np.random.default_rng(2)
    count, most, sigma = 40, 3, 1.4
    state = np.concatenate((rng.uniform(0, 12, 2 * count), rng.uniform(-0.1, 1, count), rng.uniform(0.7, 2.8, count)))
    near = np.stack([np.argsort(np.hypot(state[:count] - state[i], state[count : 2 * count] - state[count + i]))[1:4]
                     for i in range(count)]).astype(np.int64)  # fmt: skip
    near[::4] = -1
    near[1::4, 1:] = -1
    rows = np.zeros((count, COLUMNS))
    rows[:, 8], rows[:, 9] = rng.uniform(0.05, 0.3, count), rng.uniform(-0.5, 0.5, count)
    rows[2, 8] = np.nan
    plain, fast, table = rows.copy(), rows.copy(), crowding(sigma, 5).reshape(-1)
    crowded_loop(count, near.reshape(-1), most, state, sigma, 5, table, plain.reshape(-1))
    crowded_loop.native()(count, near.ctypes.data, most, state.ctypes.data, sigma, 5, table.ctypes.data,
                          fast.ctypes.data)  # fmt: skip
    assert plain.tobytes() == fast.tobytes()
    changed = (plain[:, 8] != rows[:, 8]) & np.isfinite(rows[:, 8])
    assert not changed[::4].any()
    assert changed.any()
    assert (plain[changed, 8] > rows[changed, 8]).all()
    assert np.isnan(plain[2, 8])


def two(apart: float, second: float, snr: float, many: int = 300) -> tuple[Array, Array, Array]:
    """Rows of pairs of blobs along x, the fainter ones last, and where each is."""
    rng, pixels = np.random.default_rng(11), np.arange(37.0)
    x, y = 17 + rng.uniform(-1, 1, (2, many))
    at_x, at_y = np.concatenate((x, x + apart)), np.concatenate((y, y))
    light = np.zeros((many, 37, 37))
    for height, at in ((100.0, x), (100.0 * second, x + apart)):
        square = (pixels - at[:, None, None]) ** 2 + (pixels[:, None] - y[:, None, None]) ** 2
        light += height * np.exp(-square / (2 * 1.4**2))
    picture = (200 + light + rng.normal(0, 100 / snr, light.shape)).astype(np.float32)
    rows = np.zeros(2 * many, FEATURE_DTYPE)
    order = np.arange(2 * many).reshape(2, many).T.ravel()  # frames rise
    rows[order] = centres_in(picture, order % many, at_x[order], at_y[order], 1.4)
    return rows, at_x, at_y


@pytest.mark.parametrize(("apart", "second", "most"), [(2.5, 1.0, 0.05), (2.5, 0.5, 0.1), (3.0, 0.5, 0.05)])
def test_the_fainter_one_of_two_is_not_drawn_to_the_other(apart: float, second: float, most: float) -> None:
    rows, x, _ = two(apart, second, 40.0)
    off = (rows["x"] - x)[len(x) // 2 :]
    good = np.isfinite(rows["sigma"][len(x) // 2 :])
    assert good.mean() > 0.9
    assert abs(float(off[good].mean())) < most  # as turns left them -.16, -.48 and -.04
    z = off / (rows["sigma"] * np.sqrt(1 + rows["anisotropy"]))[len(x) // 2 :]
    assert float((z[good] ** 2).mean()) < 2.0  # 2.2, 3.3


@pytest.mark.parametrize("apart", [2.5, 3.0, 3.5])
@pytest.mark.parametrize("second", [0.25, 0.5])
def test_no_blob_is_found_where_another_one_began(apart: float, second: float) -> None:
    rows, x, y = two(apart, second, 10.0)
    other = np.roll(x, len(x) // 2)
    found = np.isfinite(rows["sigma"])
    mine, its = (np.hypot(rows["x"] - at, rows["y"] - y) for at in (x, other))
    assert (mine[found] <= its[found] + 0.05).all()  # the last turn is after the last look for that
    assert np.allclose(rows["x"][~found], x[~found], atol=1e-5)
    for name in ("stretch", "lean"):  # it would be that of the other one
        np.testing.assert_array_equal(np.isfinite(rows[name]), found)
    assert found[: len(x) // 2].mean() > 0.97  # as many as .3 of the brighter ones had lost their light to the fainter
    z = (rows["x"] - x) / (rows["sigma"] * np.sqrt(1 + rows["anisotropy"]))
    assert float((z[found] ** 2).mean()) < 1.8  # 2 to 30


@given(rate=st.floats(0.3, 0.99), angle=st.floats(0, 6.28), far=st.floats(1e-3, 0.1))
def test_a_leap_ends_most_of_the_way_to_where_moves_lead_that_shrink_alike(
    rate: float, angle: float, far: float
) -> None:
    near, amplitude = np.array([1, 0]), np.array([1.0, 2.0])
    move = far * np.array((np.cos(angle), np.sin(angle)))  # of the whole way these are 1 - rate, times the relaxation
    before = np.array((*move / rate, 0.0, 0.0, 0.0, 0.0))
    leap = leap_of(0, near, 1, *move, 1.0, amplitude, before, 1.4)
    whole = (1 + BEYOND) / (1 - rate)
    assert leap == pytest.approx(min(DAMPED * whole, 0.7 / far))
    assert leap_of(0, near, 1, *-move, 1.0, amplitude, before, 1.4) == 0.0  # it has turned round
    assert leap_of(0, near, 1, *move, 3.0, amplitude, before, 1.4) == 0.0  # the fainter one leaps
    c, s = np.cos(0.6), np.sin(0.6)
    assert leap_of(0, near, 1, c * move[0] - s * move[1], s * move[0] + c * move[1], 1.0, amplitude, before, 1.4) == 0.0
    before[5] = 1.0
    assert leap_of(0, near, 1, *move, 1.0, amplitude, before, 1.4) == 0.0  # its neighbour has


@pytest.mark.parametrize("other", [0, 1])
def test_a_blob_has_strayed_where_it_is_nearer_to_where_another_began(other: int) -> None:
    start = np.array([10.0, 13.0, 30.0, 5.0, 5.0, 5.0])  # the places along x of three, and along y
    near = np.array([[1, 2, -1], [0, 2, -1], [0, 1, -1]])
    if other:  # the same, numbered otherwise
        start[[1, 2]], near[0] = (30.0, 13.0), (2, 1, -1)
    kept, lost = ((11.45, 5.0), (8.0, 5.0), (10.0, 9.0)), ((11.55, 5.0), (12.9, 5.3), (11.6, 15.0))
    for x, y, gone in (*((*at, 0) for at in kept), *((*at, 1) for at in lost)):
        assert strayed(0, near.ravel(), 3, 3, x, y, start) == gone, (x, y)
    assert strayed(0, np.full(9, -1), 3, 3, 99.0, 5.0, start) == 0
