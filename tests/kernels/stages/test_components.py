"""Connected components: the table against SciPy's labelling and measurements; edges, holes, capacity, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.image import BOOL, F32, U8, ImageType
from kernels.stages.components import components
from tests.kernels.stages.discs import discs, grid, sampled

EIGHT, FOUR = np.ones((3, 3), int), ndimage.generate_binary_structure(2, 1)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 14), st.integers(1, 14), st.floats(0.05, 0.95), st.sampled_from(["4", "8"]),
       st.integers(0, 2**32 - 1))  # fmt: skip
def test_masks_equal_scipy(height, width, share, connectivity, seed):
    mask = np.random.default_rng(seed).random((height, width)) < share
    rows = evaluate(components, mask, connectivity=connectivity).rows
    labels, count = ndimage.label(mask, EIGHT if connectivity == "8" else FOUR)
    assert len(rows) == count
    # SciPy too numbers in raster order of the first pixel or not; sort by it ourselves.
    firsts = sorted(int(np.flatnonzero(labels.ravel() == k)[0]) for k in range(1, count + 1))
    for row, first in zip(rows, firsts, strict=True):
        y, x = np.nonzero(labels == labels.ravel()[first])
        np.testing.assert_allclose([row["x"], row["y"]], [x.mean(), y.mean()], atol=1e-12)
        np.testing.assert_allclose([row["xx"], row["yy"]], [x.var(), y.var()], atol=1e-12)
        np.testing.assert_allclose(row["xy"], np.mean((x - x.mean()) * (y - y.mean())), atol=1e-12)
        assert (row["area"], row["mass"], row["peak"]) == (len(x), len(x), 1)
        assert np.isnan(row["sigma"])


def test_weights_are_sums_above_the_level():
    rng = np.random.default_rng(1)
    image = rng.integers(0, 256, (40, 50)).astype(np.uint8)
    mask = ndimage.gaussian_filter(rng.normal(size=(40, 50)), 2) > 0.1
    rows = evaluate(components, mask, image, background="level", level=10.0, grow=0).rows
    labels, count = ndimage.label(mask, EIGHT)
    v = image.astype(float) - 10
    index = np.arange(1, count + 1)
    order = np.argsort([np.flatnonzero(labels.ravel() == k)[0] for k in index])
    np.testing.assert_allclose(rows["mass"], ndimage.sum(v, labels, index)[order])
    np.testing.assert_allclose(rows["peak"], ndimage.maximum(v, labels, index)[order])
    centre = np.array(ndimage.center_of_mass(v, labels, index))[order]
    np.testing.assert_allclose(np.column_stack((rows["y"], rows["x"])), centre)


@pytest.mark.parametrize("polarity", ["bright", "dark"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_dark_is_bright_turned_over(polarity, dtype):
    rng = np.random.default_rng(2)
    x, y = grid(rng)
    image = sampled(discs((300, 300), x, y, 3.0, 120, 40), 3, rng)
    mask = image > 100
    whole = image if np.issubdtype(dtype, np.integer) else image.astype(dtype)  # whole gray values are known as rounded
    bright = evaluate(components, mask, whole, refine_sigma=1.8).rows
    other = (255 - image if polarity == "dark" else image).astype(dtype)
    rows = evaluate(components, mask, other, refine_sigma=1.8, polarity=polarity).rows
    if polarity == "dark":  # gray values are those of the picture: the least of one is the largest of the other
        rows["min"], rows["max"] = 255 - rows["max"], 255 - rows["min"]
    for name in rows.dtype.names:  # dark blobs hide their ground's shot noise and, as far as it is believed, its slope
        near = 0.25 if (name, polarity) == ("sigma", "dark") else 1e-5  # of f32, on another ground
        away = 1e-3 if name in "xy" and polarity == "dark" else 0.0
        away = 0.3 if (name, polarity) == ("anisotropy", "dark") else away
        away += 1e-5 * (name in ("anisotropy", "stretch", "lean"))
        np.testing.assert_allclose(rows[name], bright[name], rtol=near, atol=away)


def test_a_noisy_large_disc_stays_whole():
    rng = np.random.default_rng(7)
    image = sampled(discs((80, 80), [40.2], [39.7], 25.0, 120, 40), 6, rng)
    rows = evaluate(components, image > 100, image, split=10.0, min_area=20).rows
    assert len(rows) == 1


def test_components_at_the_pictures_edge_and_in_tiny_pictures():
    mask = np.zeros((6, 7), bool)
    mask[0, 0] = mask[5, 6] = mask[0, 5:] = True
    image = np.where(mask, 100, 10).astype(np.uint8)
    rows = evaluate(components, mask, image).rows
    np.testing.assert_allclose(rows["x"], [0, 5.5, 6], atol=1e-9)
    np.testing.assert_allclose(rows["y"], [0, 0, 5], atol=1e-9)
    np.testing.assert_allclose(rows["mass"], [90, 180, 90])
    for shape in ((1, 1), (1, 5), (5, 1)):
        full = evaluate(components, np.ones(shape, bool), np.full(shape, 9, np.uint8), split=2.0, refine_sigma=1.0)
        assert full.rows[["x", "y", "area"]].tolist() == [((shape[1] - 1) / 2, (shape[0] - 1) / 2, shape[0] * shape[1])]
        assert np.isnan(full.rows["sigma"]).all()
        assert len(evaluate(components, np.zeros(shape, bool), np.zeros(shape, np.uint8), split=2.0).rows) == 0


def test_areas_and_capacity():
    mask = np.zeros((9, 40), bool)
    mask[1, 1::4] = True  # ten single pixels
    mask[5:8, 1:4] = mask[5:8, 10:14] = True
    assert len(evaluate(components, mask).rows) == 12
    assert evaluate(components, mask, min_area=2).rows["area"].tolist() == [9, 12]
    assert evaluate(components, mask, min_area=2, max_area=9).rows["area"].tolist() == [9]
    assert evaluate(components, mask, max_share=9 / mask.size).rows["area"].max() == 9
    assert evaluate(components, mask, max_share=8.9 / mask.size).rows["area"].max(initial=0) < 9
    table = evaluate(components, mask, capacity=4)
    assert table.rows["x"].tolist() == [1, 5, 9, 13]
    assert table.overflow == 8


def test_nan_weights_do_not_spread():
    mask = np.zeros((9, 9), bool)
    mask[3:6, 3:6] = True
    image = np.where(mask, np.float32(50), np.float32(10))
    image[0, 0] = image[2, 3] = image[2, 5] = np.nan
    image[4, 4] = np.inf
    rows = evaluate(components, mask, image).rows
    np.testing.assert_allclose([rows["x"][0], rows["y"][0], rows["mass"][0]], [4, 4, 320], atol=1e-5)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 24), st.integers(1, 24), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1.5, 4.0]),
       st.sampled_from([0.0, 0.7, 2.5]), st.integers(0, 4), st.sampled_from(["bright", "dark"]),
       st.sampled_from(["ring", "slope", "level"]))  # fmt: skip
def test_any_mask_gives_finite_rows(height, width, seed, split, sigma, grow, polarity, background):
    rng = np.random.default_rng(seed)
    mask = ndimage.gaussian_filter(rng.normal(size=(height, width)), rng.uniform(0, 2)) > rng.normal() * 0.3
    image = rng.normal(50, 30, (height, width)).astype(np.float32)
    image[rng.random((height, width)) < 0.02] = np.nan
    table = evaluate(components, mask, image, split=split, refine_sigma=sigma, grow=grow, polarity=polarity,
                     background=background)  # fmt: skip
    rows = table.rows
    for name in ("x", "y", "mass", "area", "xx", "xy", "yy"):
        assert np.isfinite(rows[name]).all(), name
    assert rows["area"].sum() == mask.sum()
    assert (abs(rows["x"] - (width - 1) / 2) <= width / 2 + 10).all()
    assert ((rows["sigma"] >= 0) | np.isnan(rows["sigma"])).all()


def test_what_a_window_does_not_tell_comes_from_the_region():
    rng = np.random.default_rng(11)
    columns = np.arange(80)
    x, y = np.array([2.3, 20.0, 40.2, 60.0]), np.array([20.1, 20.0, 20.4, 20.0])  # at the edge; with a hole; ...
    light = np.exp(-((columns - x[:, None]) ** 2) / (2 * 1.4**2))
    image = 20 + 150 * np.exp(-((columns[:40] - y[:, None]) ** 2) / (2 * 1.4**2)).T @ light + rng.normal(0, 1, (40, 80))
    image[13:28, 53:68] = rng.normal(20, 1, (15, 15))  # ... no blob, but pixels of a mask
    image = image.astype(np.float32)
    mask = image > 60
    mask[19:22, 59:62] = True
    image[20:22, 60] = 10
    image[20, 24] = np.nan
    refined, plain = (evaluate(components, mask, image, refine_sigma=sigma, grow=2).rows for sigma in (1.4, 0.0))
    there = np.argsort(refined["x"])
    refined, plain = refined[there], plain[there]
    assert len(refined) == 4
    full = 2 * np.pi * 1.4**2 * 150
    np.testing.assert_allclose(refined["mass"][:3] / full, [0.97, 0.97, 1.0], atol=0.025)
    np.testing.assert_allclose(refined["peak"][:3], 143, atol=8)
    np.testing.assert_allclose(refined["xx"][1:3], 1.4**2, rtol=0.1)
    assert (abs(refined["x"] - x)[:3] < 0.05).all()
    assert np.isnan(refined["sigma"][3])
    assert refined[3].tobytes() == plain[3].tobytes()
    wide = np.zeros((60, 60), np.float32)
    wide[26:35, 26:35] = 100
    wide[27:34, 27:34] = 0  # a frame: wider than it is large
    wide[30, 30] = 100
    mask = ndimage.binary_fill_holes(wide > 50)
    two, one = (evaluate(components, mask, wide, refine_sigma=sigma).rows for sigma in (1.4, 0.0))
    assert 0.5 * (one["xx"] + one["yy"])[0] > 4 * 1.4**2
    assert two.tobytes() == one.tobytes()


def test_a_region_without_a_window_knows_small_ones_near_it():
    image = np.random.default_rng(12).normal(20, 1, (60, 50)).astype(np.float32)
    image[20:33, 15:28] += 100  # too wide for a window
    image[10:14, 18:22] += 90  # six rows above it and below it
    image[39:43, 20:24] += 90
    wide, plain = (evaluate(components, image > 60, image, refine_sigma=sigma).rows for sigma in (1.4, 0.0))
    assert [len(wide), len(plain)] == [3, 3]
    assert wide[1].tobytes() == plain[1].tobytes()
    assert (wide["mass"] != plain["mass"]).tolist() == [True, False, True]


@pytest.mark.parametrize("wide", [False, True])
def test_light_between_two_counts_half_for_each(wide):
    mask, image = np.zeros((20, 90), bool), np.ones((20, 90), np.uint8)
    mask[5, 3] = mask[5, 5] = True
    mask[15, 10:80] = wide  # too large for a tile: the way of lists
    for grow, mass in ((1, 6 + 1.5),) if wide else ((1, 6 + 1.5), (2, 15 + 2.5)):
        rows = evaluate(components, mask, image, background="level", grow=grow).rows
        assert rows["mass"][:2].tolist() == [mass, mass]


def test_plans_hear_what_a_frame_takes():
    types = [ImageType(BOOL, 512, 512), ImageType(U8, 512, 512)]
    seconds = [components.build(types[:many], params).host.seconds
               for many, params in ((1, {}), (2, {}), (2, {"refine_sigma": 1.4}))]  # fmt: skip
    assert 1e-5 < seconds[0] < seconds[1] < seconds[2] < 2e-3


def test_refusals():
    with pytest.raises(DefinitionError, match="mask of one channel"):
        components.build([ImageType(F32, 4, 4)])
    with pytest.raises(DefinitionError, match="differ in size"):
        components.build([ImageType(BOOL, 4, 4), ImageType(U8, 4, 5)])
    with pytest.raises(DefinitionError, match="one channel"):
        components.build([ImageType(BOOL, 4, 4), ImageType(U8, 4, 4, 3)])


def test_a_component_that_may_be_two_things_has_the_shape_of_its_region():
    columns = np.arange(40)
    x, y = np.array([18.6, 21.4]), np.array([20.0, 20.0])
    image = 90 * np.exp(-((columns - y[:, None]) ** 2) / (2 * 1.1**2)).T @ np.exp(
        -((columns - x[:, None]) ** 2) / (2 * 1.1**2)
    )
    image = image.astype(np.float32)
    (refined,), (plain,) = (evaluate(components, image > 30, image, refine_sigma=sigma, grow=2).rows
                            for sigma in (1.4, 0.0))  # fmt: skip
    for name in ("mass", "xx", "xy", "yy"):
        assert refined[name] == plain[name], name
    assert refined["xx"] == pytest.approx(1.1**2 + 1.4**2, rel=0.05)
