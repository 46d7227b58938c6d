"""Motion beside a ground, distances and angles, path lengths, speeds, dwell."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pipelines.analysis.areas import parse_area
from pipelines.analysis.ground import beside_ground
from pipelines.analysis.measures import angle, direction, distance
from pipelines.analysis.trails import Trail
from pipelines.analysis.travel import Region, dwell_of, speed_histogram, stays, travel_of

N = 300
TIMES = np.arange(N) / 100.0
FORM = np.array([10 + 10j, 110 + 12j, 60 + 90j])


def trail(name: str, places: np.ndarray, sigma: float = 0.02, seed: int = 0, kept: np.ndarray | None = None) -> Trail:
    """A track of complex places with noise."""
    rng = np.random.default_rng([seed, ord(name[0])])
    values = np.stack((places.real, places.imag)) + rng.normal(0.0, sigma, (2, len(places)))
    made = Trail(name, np.arange(N), TIMES, values, np.full((2, N), sigma))
    return made if kept is None else made.part(kept)


@pytest.mark.parametrize("kind", ["shift", "rigid", "similarity"])
def test_what_a_shaking_camera_adds_is_taken_away(kind):
    """The fourth point moves along x; its errors are those of its own place and of the ground at it."""
    shift = 3.0 * np.sin(30.0 * TIMES) + 2j * np.cos(17.0 * TIMES)
    turn = 0.0 * TIMES if kind == "shift" else 0.05 * np.sin(11.0 * TIMES)
    grown = 1.0 + (0.02 * np.sin(5.0 * TIMES) if kind == "similarity" else 0.0 * TIMES)
    camera = grown * np.exp(1j * turn)
    own = 50 + 40j + 4.0 * TIMES
    off = []
    for seed in range(6):
        tracks = [trail(str(k), camera * p + shift, seed=seed) for k, p in enumerate(FORM)]
        tracks[1] = tracks[1].part(np.arange(N) != 7)
        tracks.append(trail("3", camera * own + shift, seed=seed))
        found = beside_ground(tracks, ["0", "1", "2"], kind)
        last = found.trails[3]
        start = camera[0] * own + shift[0]
        rest = last.values[0] + 1j * last.values[1] - start
        off.append(np.stack((rest.real, rest.imag)) / last.sigmas)
        assert found.shift > 3.0
    assert 0.8 < np.sqrt(np.square(np.array(off)).mean()) < 1.3
    assert found.left < 0.03


def test_frames_without_enough_reference_points_are_left_out():
    tracks = [trail(str(k), p + 0.0 * TIMES, kept=np.arange(N) >= 20 * k) for k, p in enumerate(FORM)]
    found = beside_ground(tracks, ["0", "1"], "rigid")
    assert found.trails[0].frames[0] == 20
    assert found.lost == 20
    with pytest.raises(ValueError, match="2 reference points"):
        beside_ground(tracks, ["0"], "rigid")


def test_a_turning_needle_without_jumps():
    """Angle and distance within their errors over 270 degrees and more."""
    turning = np.linspace(0.2, 0.2 + math.radians(700.0), N)
    middle, tip, base = 50 + 50j + 0 * TIMES, 50 + 50j + 30 * np.exp(1j * turning), 90 + 50j + 0 * TIMES
    a, b, c = trail("a", base), trail("b", middle), trail("c", tip)
    for found in (direction(b, c), angle(a, b, c)):
        off = found.values[0] - turning
        assert 0.85 < np.sqrt(np.square(off / found.sigmas[0]).mean()) < 1.15
        assert np.degrees(np.abs(off)).max() < 0.5
    reach = distance(b, c)
    assert 0.85 < np.sqrt(np.square((reach.values[0] - 30.0) / reach.sigmas[0]).mean()) < 1.15
    with pytest.raises(ValueError, match="in no frame seen together"):
        distance(a.part(slice(0, 10)), b.part(slice(10, 20)))


def test_paths_speeds_and_stays():
    circle = np.stack((10.0 * np.cos(2.0 * TIMES), 10.0 * np.sin(2.0 * TIMES)))
    found = travel_of(TIMES, circle, np.full(N, 20.0), 0.01)
    assert found.path == pytest.approx(20.0 * TIMES[-1], rel=1e-4)
    assert found.net == pytest.approx(20.0 * abs(math.sin(TIMES[-1])), rel=1e-9)
    assert found.straightness == pytest.approx(found.net / found.path)
    assert (found.mean_speed, found.highest_speed) == (20.0, 20.0)
    edges, seconds = speed_histogram([np.linspace(1.0, 3.0, N)], [stays(TIMES, 0.01)])
    assert edges[0] == 0.0
    assert seconds.sum() == pytest.approx(N * 0.01)
    assert seconds[edges[1:] < 1.0].sum() == 0.0


def test_dwell_counts_seconds_and_visits_but_no_gaps():
    places = np.stack((np.concatenate((np.zeros(100), np.full(100, 9.0), np.zeros(100))), np.zeros(N)))
    for region in (Region("nest", parse_area("circle:0,0,2")), Region("nest", parse_area("rect:-1,-1,3,2"))):
        found = dwell_of(TIMES, places, region, 0.01)
        assert (found.visits, found.first) == (2, 0.0)
        assert found.time == pytest.approx(2.0, abs=0.011)
        assert found.share == pytest.approx(2 / 3, abs=0.01)
    kept = (np.arange(N) < 50) | (np.arange(N) >= 90)
    lost = dwell_of(TIMES[kept], places[:, kept], Region("nest", parse_area("circle:0,0,2")), 0.01)
    assert lost.time == pytest.approx(1.6, abs=0.02)
