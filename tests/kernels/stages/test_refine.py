"""Candidate pixels to sub-pixel centres."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.ir.image import F32, I32, ImageType, dtype_of
from kernels.ir.table import FEATURE, Table, TableType
from kernels.stages.refine import brightest, refine, refined

SEEDS = np.dtype([("x", "i4"), ("y", "i4"), ("value", "f4")])
TABLE = TableType((("x", I32), ("y", I32), ("value", F32)), 5000)


def run(image, x, y, overflow=0, **params):
    seeds = np.zeros(len(x), SEEDS)
    seeds["x"], seeds["y"] = x, y
    body = refine.build([TABLE, ImageType(dtype_of(image.dtype), *image.shape)], params)
    out = body.host.run([Table(seeds, overflow), image], body.params)["out"]
    assert out.rows.dtype == TableType(FEATURE, 1).numpy
    return out


def field(n, sigma, seed, size=256, noise=3.0):
    """Particles at random, at least 3.5 sigma apart, on a noisy ground."""
    rng = np.random.default_rng(seed)
    places: list[np.ndarray] = []
    while len(places) < n:
        new = rng.uniform(6, size - 7, 2)
        if all(np.hypot(*(new - p)) > 3.5 * sigma for p in places):
            places.append(new)
    x, y = np.array(places).T
    pixels = np.arange(size)
    down = np.exp(-((pixels - y[:, None]) ** 2) / (2 * sigma**2)) * rng.uniform(90, 180, n)[:, None]
    image = 30 + down.T @ np.exp(-((pixels - x[:, None]) ** 2) / (2 * sigma**2))
    return x, y, np.clip(np.rint(image + rng.normal(0, noise, image.shape)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("sigma", [1.2, 1.5])
def test_dense_field_with_doubled_candidates(sigma):
    x, y, image = field(350, sigma, 1)
    seed_x = np.concatenate((np.rint(x), np.rint(x) + 1))
    seed_y = np.concatenate((np.rint(y), np.rint(y)))
    rows = run(image, seed_x, seed_y, sigma=sigma, separation=2.2).rows
    assert len(rows) == len(x)
    distance = np.hypot(rows["x"][:, None] - x, rows["y"][:, None] - y)
    assert set(distance.argmin(axis=0)) == set(range(len(x)))
    rms = np.sqrt(np.mean(distance.min(axis=0) ** 2))
    assert rms <= 0.06  # px, both coordinates together
    assert np.sqrt(2 * np.nanmean(rows["sigma"] ** 2)) == pytest.approx(rms, rel=0.3)


def test_order_polarity_and_overflow():
    x, y, image = field(40, 1.5, 2)
    bright = run(image, np.rint(x), np.rint(y), overflow=7, separation=0.0)
    dark = run(255 - image, np.rint(x), np.rint(y), polarity="dark", separation=0.0)
    assert bright.overflow == 7
    np.testing.assert_allclose(bright.rows["x"], x, atol=0.2)
    np.testing.assert_allclose(dark.rows["x"], bright.rows["x"], atol=2e-3)  # what is dark hides slopes, too
    np.testing.assert_allclose(dark.rows["mass"], bright.rows["mass"], rtol=1e-5)


def test_what_has_no_light_is_left_out():
    x, y, image = field(20, 1.5, 3, noise=0.0)
    assert len(run(image, [*np.rint(x)], [*np.rint(y)], min_mass=1e6).rows) == 0
    assert len(run(np.full((30, 30), 9, np.uint8), [5, 14], [5, 20]).rows) == 0
    assert len(run(image, [], []).rows) == 0
    assert len(run(np.full((1, 1), 9, np.uint8), [0], [0]).rows) == 0


def test_brightest_keeps_every_second_of_a_chain():
    x = np.array([0.0, 2.0, 4.0, 6.0, 20.0])
    kept = brightest(x, np.zeros(5), np.array([5.0, 4.0, 3.0, 2.0, 1.0]), 3.0)
    assert kept.tolist() == [0, 2, 4]
    assert brightest(x, np.zeros(5), np.zeros(5), 2.0).tolist() == [0, 1, 2, 3, 4]  # 2.0 is not closer than 2.0


def test_refusals():
    with pytest.raises(DefinitionError, match="columns x and y"):
        refine.build([TableType((("sum", I32),), 3), ImageType(F32, 4, 4)])
    with pytest.raises(DefinitionError, match="columns x and y"):
        refine.build([ImageType(F32, 4, 4), ImageType(F32, 4, 4)])
    with pytest.raises(DefinitionError, match="one channel"):
        refine.build([TABLE, ImageType(F32, 4, 4, 3)])


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 40), st.integers(0, 2**32 - 1), st.floats(0.4, 4.0))
def test_any_candidates_give_finite_rows_near_them(height, width, count, seed, sigma):
    rng = np.random.default_rng(seed)
    image = rng.normal(50, 30, (height, width)).astype(np.float32)
    image[rng.random((height, width)) < 0.02] = np.nan
    x, y = rng.integers(-1, width + 1, count), rng.integers(-1, height + 1, count)
    rows = run(image, x, y, sigma=sigma).rows
    for name in ("x", "y", "mass", "peak", "area", "xx", "yy"):
        assert np.isfinite(rows[name]).all(), name
    for row in rows:
        assert np.hypot(row["x"] - x, row["y"] - y).min() <= 1.5 * max(2, round(3.3 * sigma))
    assert ((rows["sigma"] > 0) | np.isnan(rows["sigma"])).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 30), min_size=1, max_size=6), st.booleans())
def test_frames_of_a_batch_know_nothing_of_each_other(seed, counts, dark):
    rng = np.random.default_rng(seed)
    images = rng.integers(0, 255, (len(counts), 40, 50)).astype(np.uint8)
    seeds = [np.zeros(count, SEEDS) for count in counts]
    for rows in seeds:
        rows["x"], rows["y"] = rng.integers(-2, 52, len(rows)), rng.integers(-2, 42, len(rows))
    whole = refined(seeds, images, 1.2, 3.0, 0.1, dark=dark)
    alone = [refined([rows], images[i : i + 1], 1.2, 3.0, 0.1, dark=dark)[0] for i, rows in enumerate(seeds)]
    assert [found.tobytes() for found in whole] == [found.tobytes() for found in alone]
    for found in whole:
        away = np.hypot(found["x"][:, None] - found["x"], found["y"][:, None] - found["y"])
        assert (away[~np.eye(len(found), dtype=bool)] >= 3.0).all()
