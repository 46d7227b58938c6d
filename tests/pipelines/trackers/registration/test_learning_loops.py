"""Whose turn it is to learn, by NumPy; white noise without pixels, and with them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from kernels.executors import natives
from kernels.loops import language
from pipelines.trackers.registration.noise.autocovariance_loops import FAR
from pipelines.trackers.registration.response import response as r
from pipelines.trackers.registration.response.calibration_loops import spreads_of
from pipelines.trackers.registration.response.learning_loops import chosen, noise_of, ripe
from pipelines.trackers.registration.response.reference_noise import tables, white
from pipelines.trackers.registration.response.reference_residual_loops import LOOKS
from pipelines.trackers.registration.response.response_loops import NEAR, OUT, OUT_REASON, PIXEL, SHARE, STATE, X, Y
from pipelines.trackers.registration.windows.native import call, scratch
from pipelines.trackers.registration.windows.pack_loops import unpack
from pipelines.trackers.registration.windows.packing import in_blocks
from pipelines.trackers.registration.windows.structs import Means
from pipelines.trackers.registration.windows.subpixel import MARGIN


@pytest.mark.parametrize("joins", [1, 5, 12, 40])
@pytest.mark.parametrize("seed", range(6))
def test_those_join_first_that_are_of_the_fewest_frames(seed, joins):
    random, most, count = np.random.default_rng(seed), 16, 30
    averaged = random.integers(max(0, 14 - 3 * seed), most + 1, count).astype(np.int32)
    rows = np.zeros((count, OUT))
    rows[:, OUT_REASON] = random.integers(0, 4, count) // 3
    young = np.flatnonzero((averaged < most) & (rows[:, OUT_REASON] == 0))
    wanted = np.sort(young[np.argsort(averaged[young], kind="stable")[:joins]])
    for way in (call, lambda one, *values: one(*(v.ravel() if isinstance(v, np.ndarray) else v for v in values))):
        which, levels = np.full(count, -1), np.full(most + 1, 99)
        number = way(chosen, count, most, joins, averaged, rows, which, levels)
        assert which[:number].tolist() == wanted.tolist()


@pytest.mark.parametrize("most", [1, 16])
@pytest.mark.parametrize("share", [0, 2, 6, 50])
def test_complete_means_come_before_bends_alone(most, share):
    random, count = np.random.default_rng(share), 40
    averaged = random.integers(most - 1, most + 1, count).astype(np.int32)
    bent, states = random.integers(0, 2, count), np.zeros((count, STATE))
    noise = random.integers(0, 3, count).astype(float)
    states[:, SHARE] = random.choice((1.0, 1 / 16), count)
    done = np.flatnonzero((averaged >= most) & (states[:, SHARE] == 1.0) & (most > 1))
    done = done[np.argsort(bent[done], kind="stable")][:share]
    others = np.setdiff1d(np.flatnonzero((bent == 0) & (noise > 0)), done)[: share - len(done)]
    which = np.full(count + 1, -1)
    number = call(ripe, count, most, share, averaged, bent, noise, states, which)
    assert which[:number].tolist() == done.tolist()
    assert which[number : number + which[-1]].tolist() == others.tolist()


@pytest.mark.parametrize("along", ["auto", "x"])
@pytest.mark.parametrize("window", [9, 15, 21])
def test_white_noise_does_by_products_of_patterns_what_it_does_by_pixels(window, along):
    size, blocks = window + 2 * MARGIN, -(-window // 8)
    tile = 100 + 60 * gaussian_filter(np.random.default_rng(window).normal(size=(size, size)), 1.5)
    made = r.responses(tile[None], along, np.array([0.3]))
    constants = made.constants[0].copy()
    even = constants[r.EVEN : r.EVEN + 3].copy()
    columns = np.empty((6, window * blocks * 8))
    packed = in_blocks(window)
    call(unpack, made.columns, packed, packed.size, columns[0].size, columns)
    call(spreads_of, columns, columns[0].size, window, blocks, r.masks(window)[8 * blocks :].copy(), white(1),
         constants, np.empty(32 * (window + FAR) * (blocks + 2)), scratch(4096))  # fmt: skip
    np.testing.assert_allclose(even[:2], constants[r.SCALE : r.SCALE + 2], rtol=1e-9)
    np.testing.assert_allclose(even[2], constants[r.SPREAD], rtol=1e-9)
    assert even[2] > 0


@pytest.mark.parametrize("count", [1, 2, 9])
@pytest.mark.parametrize("native", [True, False])
def test_noise_is_what_first_answers_leave_less_what_the_reference_has_of_it(count, native):
    window, size, random = 11, 11 + 2 * MARGIN, np.random.default_rng(count)
    tiles = 100 + 60 * gaussian_filter(random.normal(size=(count, size, size)), (0, 1.5, 1.5))
    constants = r.responses(tiles, "auto").constants
    states, which = np.zeros((count, STATE)), np.arange(count)
    states[:, PIXEL] = random.uniform(1, 4, count)
    states[:, X : Y + 1] = random.uniform(-1.5, 1.5, (count, 2))
    away = np.where(np.abs(states[:, X : Y + 1]) > NEAR, states[:, X : Y + 1] - np.rint(states[:, X : Y + 1]),
                    states[:, X : Y + 1])  # fmt: skip
    one, grain, out = white(1)[0], np.zeros((count, 7, 7)), np.empty((6, count))
    none, nothing, nobody = np.zeros(0), np.zeros(0, np.int32), np.zeros(0, np.int64)
    means = Means(
        count, 1, window, 2, size, MARGIN, 24, none, none, none, nothing, nobody, none, states, constants, none, none,
        none, grain, none, none,
    )  # fmt: skip
    language.provide(natives.load if native else None)
    try:
        call(noise_of, means, which, count, one, tables()[0], float(window**2), out, np.empty(LOOKS + 2))
    finally:
        language.provide(natives.load)
    own, hidden = r.left_by(constants, np.tile(one, (count, 1, 1)), window, away)
    own, light = own + 1, constants[:, r.GRAM] / window**2
    seen = left = 2 * states[:, PIXEL]
    for _ in range(2):
        usual = np.median(2 * left / (own + np.sqrt(np.maximum(own**2 - 4 * hidden * left, 0))))
        gain = np.maximum(1 - usual / light, 0.5)
        left = seen * gain * (1 + gain) / 2
    np.testing.assert_allclose(out[0], left / (own - np.minimum(hidden * usual, 1)), rtol=1e-12)
    assert (grain == one).all()
