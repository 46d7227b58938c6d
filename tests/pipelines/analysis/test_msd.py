"""Mean squared displacements and diffusion coefficients: exact where they can be, calibrated where chance rules."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pipelines.analysis.diffusion import diffusion_of, diffusion_of_all
from pipelines.analysis.drift import common_drift, without_drift
from pipelines.analysis.msd import _together, blurred, ensemble, exponent, lags_of, own_errors, without_floor
from pipelines.analysis.paths import Path, own_share, paths_of
from pipelines.features import State
from tests.pipelines.analysis.walks import walks

D, FPS = 2.0, 100.0


def test_a_lost_frame_is_a_gap_and_not_a_shorter_lag():
    rows = walks(1, tracks=2, frames=40, noise=0.0)
    rows["x"], rows["y"] = 3.0 * rows["time"] * FPS, 0.0
    rows = rows[~np.isin(rows["frame"], (7, 8, 20))]
    rows["frame"] = np.unique(rows["frame"], return_inverse=True)[1]  # as if the clip had never had them
    found = paths_of(rows)
    assert found.interval == pytest.approx(1 / FPS)
    assert found.jitter < 1e-9
    assert np.flatnonzero(np.isnan(found.paths[0].places[0])).tolist() == [7, 8, 20]
    told = ensemble(lags_of(found.paths, 10))
    np.testing.assert_allclose(told.raw, (3.0 * np.arange(1, 11)) ** 2)
    counted = paths_of(rows, fps=50.0)
    assert counted.interval == pytest.approx(0.02)
    assert not np.isnan(counted.paths[0].places).any()


def test_only_tracked_rows_and_long_tracks_count():
    rows = walks(2, tracks=3, frames=30)
    rows["state"][(rows["track"] == 1) & (rows["frame"] > 5)] = State.LOST
    rows["state"][(rows["track"] == 0) & (rows["frame"] == 3)] = State.PREDICTED
    found = paths_of(rows, least=10)
    assert [path.track for path in found.paths] == [0, 2]
    assert found.paths[0].seen == 29


def test_without_times_frames_count():
    rows = walks(3, tracks=1, frames=20)
    rows["time"] = math.nan
    found = paths_of(rows)
    assert (found.interval, found.timed) == (1.0, False)


def test_the_floor_is_what_the_rows_of_each_pair_state():
    rows = walks(4, tracks=1, frames=4)
    rows["x"], rows["y"] = [0.0, 1.0, 3.0, 6.0], 0.0
    rows["sigma"], rows["anisotropy"] = [0.1, 0.2, 0.3, 0.4], [0.0, 0.5, -0.5, 1.0]
    lags = lags_of(paths_of(rows).paths, 3)
    own, floor = without_floor(lags, "stated")
    # The variances of x and y add up to 2 sigma^2, however they share it.
    np.testing.assert_allclose(floor[0], [2 * (0.05 + 0.13 + 0.25), 2 * (0.10 + 0.20), 2 * 0.17], rtol=1e-6)
    np.testing.assert_allclose(own[0] + floor[0], [14.0, 9.0 + 25.0, 36.0])
    np.testing.assert_allclose(without_floor(lags, "seen", 0.01)[1][0], 0.04 * lags.pairs[0])
    assert not without_floor(lags, "none")[1].any()


def test_blurred_is_the_average_of_ways_behind_exposures():
    tau = np.array([1.0, 2.0, 7.0])
    np.testing.assert_allclose(blurred(tau, 1.0, 0.6), tau - 0.2)
    np.testing.assert_allclose(blurred(tau, 2.0, 0.6), tau**2)
    np.testing.assert_allclose(blurred(tau, 0.5, 1e-9), tau**0.5)
    # By the definition: means over both exposures of |t - s|^alpha, less those within one.
    moments = (np.arange(2000) + 0.5) / 2000 * 0.8
    between = np.mean(np.abs(moments[:, None] + 2.0 - moments) ** 0.7)
    within = np.mean(np.abs(moments[:, None] - moments) ** 0.7)
    assert blurred(np.array([2.0]), 0.7, 0.8)[0] == pytest.approx(between - within, rel=1e-4)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("interval", [1e-300, 1e-9, 1e15, 1e300])
def test_the_exponent_has_no_unit_of_time(interval):
    lags = lags_of(paths_of(walks(5)).paths, 10)
    for share in (0.0, 0.5):
        wanted = exponent(lags, 1.0, share, "stated")
        assert exponent(lags, interval, share * interval, "stated") == pytest.approx(wanted, rel=1e-9)


def test_drift_is_found_and_given_back():
    rows = walks(5, tracks=4, frames=50, noise=0.0, d=0.0, flow=(30.0, -10.0))
    drift = common_drift(paths_of(rows).paths)
    np.testing.assert_allclose(drift.steps, np.broadcast_to([[0.3], [-0.1]], (2, 49)))
    free = without_drift(paths_of(rows).paths, drift)
    assert max(float(np.ptp(path.places)) for path in free) < 1e-9
    assert own_share(free) == pytest.approx(0.75)
    single = paths_of(walks(6, tracks=1)).paths
    alone = without_drift(single, common_drift(single))
    np.testing.assert_array_equal(alone[0].places, single[0].places)
    assert not lags_of(alone, 5).pairs.any()  # what is its own of its motion, nobody knows


CASES = [
    {},
    {"exposure": 1.0, "noise": 0.2},
    {"lost": 0.2, "tracks": 8, "frames": 250},
    {"flow": (30.0, -10.0), "tracks": 6, "lost": 0.05, "frames": 200},
]


@pytest.mark.parametrize("case", CASES, ids=["plain", "blurred", "gaps", "drift"])
def test_means_and_errors_are_calibrated(case):
    exposure = case.get("exposure", 0.0) / FPS
    drawn, wanted = [], None
    for seed in range(40):
        paths = paths_of(walks(5000 + seed, d=D, **case)).paths
        if "flow" in case:
            paths = without_drift(paths, common_drift(paths))
        whole, lags = diffusion_of_all(paths, 1 / FPS, exposure), lags_of(paths, 12)
        one, told = diffusion_of(paths[0], 1 / FPS, exposure), ensemble(lags)
        drawn.append([
            (whole.d, whole.d_error), (whole.d_stated, whole.d_stated_error), (whole.noise, whole.noise_error),
            exponent(lags, 1 / FPS, exposure, "stated"), (told.msd[0], told.error[0]), (told.msd[9], told.error[9]),
            (one.d, one.d_error),
        ])  # fmt: skip
        wanted = [D, D, whole.stated, 1.0, 4 * D * (1 / FPS - exposure / 3), 4 * D * (10 / FPS - exposure / 3), D]
    value, error = np.array(drawn).transpose(2, 0, 1)
    scatter = value.std(axis=0)
    bias = (value.mean(axis=0) - wanted) / (scatter / math.sqrt(len(value)))
    assert np.abs(bias).max() < 4, bias
    ratio = np.sqrt(np.nanmean(error**2, axis=0)) / scatter
    assert ((ratio > 0.75) & (ratio < 1.3)).all(), ratio


@pytest.mark.parametrize("lost", [0.0, 0.3])
@pytest.mark.parametrize("noise", [0.0, 0.4])
def test_the_errors_of_single_tracks_are_as_large_as_these_differ(lost, noise):
    """Ways that overlap are few that are independent: of 60 places at lag 40 hardly one."""
    paths = paths_of(walks(3, tracks=400, frames=60, d=D, noise=noise, lost=lost)).paths
    lags = lags_of(paths, 50)
    told = own_errors(paths, lags)
    for lag in (1, 4, 15, 40):
        there = lags.pairs[:, lag - 1] > 0
        own = (without_floor(lags, "stated")[0] / np.maximum(lags.pairs, 1))[there, lag - 1]
        ratio = told[there, lag - 1].mean() / own.std()
        assert 0.88 < ratio < 1.12, (lag, ratio)
    assert np.isnan(told[lags.pairs == 0]).all()
    assert np.isfinite(told[lags.pairs > 0]).all()


@pytest.mark.parametrize(
    ("kind", "lag", "low", "high"),
    [("diffuses", 1, 0.85, 1.15), ("diffuses", 40, 0.85, 1.15), ("straight", 40, 4.0, 9.0), ("confined", 1, 0.85, 1.15),
     ("confined", 40, 2.0, 4.0), ("turns", 1, 0.2, 0.35), ("turns", 40, 0.75, 1.1)],
)  # fmt: skip
def test_the_errors_of_single_tracks_are_those_of_free_diffusion(kind, lag, low, high):
    """How many times as large they are as what these differ by, of what moves as the module and --help say, too."""
    rng = np.random.default_rng(0)
    moves = rng.normal(size=(600, 2, 60))
    if kind in ("confined", "turns"):  # forget a place in 2 frames, or a velocity in 20
        kept = math.exp(-1 / (2.0 if kind == "confined" else 20.0))
        for k in range(1, 60):
            moves[..., k] = kept * moves[..., k - 1] + math.sqrt(1 - kept**2) * moves[..., k]
    if kind == "straight":
        angle = rng.uniform(0, 2 * math.pi, 600)
        moves = 0.2 * moves + 0.4 * np.stack((np.cos(angle), np.sin(angle)), axis=1)[..., None]
    places = moves if kind == "confined" else np.cumsum(moves, axis=2)
    paths = [Path(k, 0, way, np.zeros(way.shape)) for k, way in enumerate(places)]
    lags = lags_of(paths, 40)
    own = lags.square[:, lag - 1] / lags.pairs[:, lag - 1]
    assert low < own_errors(paths, lags)[:, lag - 1].mean() / own.std() < high


@pytest.mark.parametrize("lag", [1, 2, 7, 29, 30, 31, 58, 59, 60])
def test_what_pairs_of_places_have_in_common_is_counted_over_all_two_of_them(lag):
    rng = np.random.default_rng(0)
    places = np.where(rng.random(60) < 0.2, math.nan, rng.normal(size=(2, 60)))
    whole = Path(0, 0, np.zeros((2, 60)), np.zeros((2, 60)))
    for path in (whole, Path(0, 0, places, places), Path(0, 0, places, places, part=np.arange(60) // 40)):
        begins = np.flatnonzero(np.isfinite(path.ways(lag)[0]))
        apart = np.abs(begins[:, None] - begins)
        assert _together(path, lag) == (pytest.approx(np.square(np.maximum(0.0, 1.0 - apart / lag)).sum(), rel=1e-12),
                                        (apart == lag).sum() / 2)  # fmt: skip


def test_the_error_of_few_tracks_without_their_drift():
    """Three tracks less their mean know of each other: what they differ by tells 13 % too little."""
    drawn = []
    for seed in range(700):
        paths = paths_of(walks(20000 + seed, tracks=3, frames=80, flow=(30.0, -10.0), d=D)).paths
        told = diffusion_of_all(without_drift(paths, common_drift(paths)), 1 / FPS)
        drawn.append((told.d_stated, told.d_stated_error))
    value, error = np.array(drawn).T
    assert 0.94 < math.sqrt(np.mean(error**2)) / value.std() < 1.07


def test_what_a_single_track_saw_is_not_compared_without_the_drift():
    """Nobody knows the drift there: taken as 0 it made D of tracks that come and go a tenth too large."""
    d, msd = [], []
    for seed in range(60):
        rows = walks(7000 + seed, tracks=12, frames=200, flow=(30.0, -10.0), d=D)
        rng = np.random.default_rng(seed)
        start = rng.integers(0, 100, 12)
        end = start + rng.integers(50, 100, 12)
        rows = rows[(rows["frame"] >= start[rows["track"]]) & (rows["frame"] < end[rows["track"]])]
        paths = paths_of(rows).paths
        free = without_drift(paths, common_drift(paths))
        whole, told = diffusion_of_all(free, 1 / FPS), ensemble(lags_of(free, 20))
        d.append((whole.d, whole.d_error))
        msd.append((told.msd[19], told.error[19]))
    for found, wanted in ((d, D), (msd, 4 * D * 20 / FPS)):
        value, error = np.array(found).T
        assert abs(value.mean() - wanted) < 4 * value.std() / math.sqrt(len(value))
        assert 0.8 < math.sqrt(np.mean(error**2)) / value.std() < 1.25


def test_two_tracks_without_their_drift_tell_no_error_by_how_they_differ():
    """Less their mean, two tracks are each other's mirror image: they differ by nothing, and D is not sure."""
    drawn = []
    for seed in range(150):
        paths = paths_of(walks(8000 + seed, tracks=2, frames=120, flow=(30.0, 0.0), d=D)).paths
        free = without_drift(paths, common_drift(paths))
        told, lags = diffusion_of_all(free, 1 / FPS), lags_of(free, 12)
        assert math.isnan(told.noise_error)
        assert np.isnan(ensemble(lags).error).all()
        drawn.append((told.d, told.d_error))
    value, error = np.array(drawn).T
    assert abs(value.mean() - D) < 4 * value.std() / math.sqrt(len(value))
    assert 0.85 < math.sqrt(np.mean(error**2)) / value.std() < 1.2


def test_noise_and_drift_left_in_would_be_seen():
    """What the corrections are worth: the same walks without them are wrong by many standard errors."""
    paths = paths_of(walks(7, tracks=60, frames=300, d=D, noise=0.2, flow=(20.0, 0.0))).paths
    raw, free = lags_of(paths, 1), without_drift(paths, common_drift(paths))
    with_floor, flowing = ensemble(raw, "none"), ensemble(lags_of(paths, 50))
    assert (with_floor.msd[0] - 4 * D / FPS) / with_floor.error[0] > 20
    assert (flowing.msd[49] - 4 * D * 0.5) / flowing.error[49] > 20
    good = ensemble(lags_of(free, 50))
    assert abs(good.msd[49] - 4 * D * 0.5) < 4 * good.error[49]


def test_nothing_is_invented_where_nothing_is_known():
    still = paths_of(walks(8, tracks=1, frames=2)).paths
    assert math.isnan(diffusion_of(still[0], 0.01).d)
    told = ensemble(lags_of(still, 3))
    assert told.pairs.tolist() == [1, 0, 0]
    assert np.isnan(told.error).all()
    assert math.isnan(told.msd[1])
    assert math.isnan(exponent(lags_of(still, 3), 0.01, 0.0, "none")[0])


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, at trackpy
def test_trackpy_finds_the_same_squares_and_drift():
    trackpy = pytest.importorskip("trackpy")
    import pandas as pd

    rows = walks(9, tracks=7, frames=60, flow=(25.0, 5.0))
    table = pd.DataFrame({"frame": rows["frame"], "particle": rows["track"], "x": rows["x"], "y": rows["y"]})
    paths = paths_of(rows).paths
    lags = lags_of(paths, 20)
    each = trackpy.imsd(table, 1.0, FPS, 20).to_numpy()
    np.testing.assert_allclose((lags.square / lags.pairs).T, each)
    np.testing.assert_allclose(ensemble(lags).raw, trackpy.emsd(table, 1.0, FPS, 20).to_numpy())
    theirs = trackpy.compute_drift(table)[["x", "y"]].to_numpy()
    np.testing.assert_allclose(common_drift(paths).way[:, 1:].T, theirs, atol=1e-9)
