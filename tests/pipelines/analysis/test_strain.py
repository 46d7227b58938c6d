"""Strains of known deformations, their uncertainties beside what noise does, missing points, points off a grid."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernels.errors import InputError
from pipelines.analysis import strain as model
from pipelines.analysis.displacement import displacements_of, extension_of
from pipelines.analysis.mesh import cells_of
from pipelines.analysis.strain import NAMES, Gauge, overlap
from pipelines.features import TRACK_DTYPE, State

GRID = np.stack(np.meshgrid(np.arange(0.0, 110.0, 10.0), np.arange(0.0, 90.0, 10.0)), axis=-1).reshape(-1, 2)
ZERO = np.zeros_like(GRID)
MIDDLE = 4 * 11 + 5
"""The number of a point with a full window."""


def moved_by(gradient, points=GRID):
    return points @ np.asarray(gradient, float).T + (3.0, -2.0)


def turned(angle):
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])


def test_a_stretch_with_shear_in_all_measures():
    gradient = np.array([[0.10, 0.04], [-0.02, -0.03]])
    deformed = np.eye(2) + gradient
    right = deformed.T @ deformed
    values, vectors = np.linalg.eigh(right)
    true = {"green-lagrange": 0.5 * (right - np.eye(2)), "small": 0.5 * (gradient + gradient.T),
            "hencky": vectors @ np.diag(0.5 * np.log(values)) @ vectors.T}  # fmt: skip
    for measure, tensor in true.items():
        found = Gauge(GRID).strains(moved_by(gradient), ZERO, measure=measure)
        axes = np.linalg.eigvalsh(tensor)[::-1]
        equal = 2 / math.sqrt(3) * math.sqrt(axes[0] ** 2 + axes[0] * axes[1] + axes[1] ** 2)
        wanted = (tensor[0, 0], tensor[1, 1], tensor[0, 1], *axes, equal)
        assert np.allclose(found.values.T, wanted, atol=1e-12)
        way = np.array([math.cos(math.radians(found.angle[0])), math.sin(math.radians(found.angle[0]))])
        assert np.allclose(tensor @ way, axes[0] * way, atol=1e-12)
    assert np.allclose(found.gradient, gradient[:, :, None])


def test_a_rotation_is_no_strain():
    gradient = turned(0.3) - np.eye(2)
    for measure in ("green-lagrange", "hencky"):
        assert np.abs(Gauge(GRID).strains(moved_by(gradient), ZERO, measure=measure).values).max() < 1e-12
    small = Gauge(GRID).strains(moved_by(gradient), ZERO, measure="small").values
    assert np.allclose(small[0], math.cos(0.3) - 1)


@pytest.mark.parametrize("measure", model.MEASURES)
@pytest.mark.parametrize("subset", [None, 25.0])
def test_stated_uncertainties_are_those_of_the_noise(measure, subset):
    """Noise of windows that overlap is alike; a third of the points have twice the noise."""
    rng = np.random.default_rng(3)
    sigmas = np.where(np.arange(len(GRID)) % 3 == 0, 0.02, 0.01)[:, None] * (1.0, 1.5)
    alike = np.eye(len(GRID))
    if subset:
        x, y = GRID.T
        alike = overlap(x[:, None] - x, y[:, None] - y, subset)
    root = np.linalg.cholesky(alike + 1e-12 * np.eye(len(GRID)))
    both = np.linalg.cholesky([[1.0, 0.4], [0.4, 1.0]])  # errors along x and along y, too
    gradient, gauge = np.array([[0.05, 0.10], [-0.04, -0.02]]), Gauge(GRID, 5, subset)
    sample = []
    for _ in range(150):
        noise = (root @ rng.normal(size=(len(GRID), 2)) @ both.T) * sigmas
        found = gauge.strains(moved_by(gradient) + noise, sigmas, np.full(len(GRID), 0.4), measure)
        sample.append(found.values)
    spread = np.std(sample, axis=0)
    for place in (MIDDLE, 0, 5):  # in the middle, at a corner, at an edge
        assert np.allclose(found.sigmas[:, place], spread[:, place], rtol=0.2)
    assert np.sqrt(np.mean(np.square(found.sigmas / spread))) == pytest.approx(1.0, abs=0.04)


def test_missing_points_are_left_out_and_counted():
    gradient = np.array([[0.01, 0.002], [0.0, -0.003]])
    moved = moved_by(gradient)
    moved[[MIDDLE, MIDDLE + 1]] = np.nan
    gauge = Gauge(GRID)
    found = gauge.strains(moved, ZERO)
    whole = gauge.strains(moved_by(gradient), ZERO)
    assert np.isnan(found.values[:, [MIDDLE, MIDDLE + 1]]).all()
    assert found.neighbours[MIDDLE] == 0
    assert found.neighbours[MIDDLE - 1] == 23
    assert whole.neighbours[MIDDLE] == 25
    kept = np.arange(len(GRID)) != MIDDLE
    kept[MIDDLE + 1] = False
    assert np.allclose(found.values[:, kept], whole.values[:, kept], atol=1e-12)
    assert np.array_equal(gauge.strains(moved_by(gradient), ZERO).values, whole.values)  # nothing was kept


@pytest.mark.parametrize(("left", "strained"), [(9, True), (8, False)])
def test_a_third_of_the_window_has_to_be_there(left, strained):
    """`SHARE`: 9 of 25."""
    moved = moved_by(np.zeros((2, 2)))
    near = [k for k in range(len(GRID)) if np.abs(GRID[k] - GRID[MIDDLE]).max() <= 20 and k != MIDDLE]
    moved[near[: 25 - left]] = np.nan
    assert np.isfinite(Gauge(GRID).strains(moved, ZERO).values[0, MIDDLE]) == strained


@pytest.mark.parametrize(("apart", "strained"), [(0, False), (1, True)])
def test_points_on_a_line_tell_no_plane(apart, strained):
    """`SLIM`: two rows do, one does not."""
    row, column = GRID[:, 1] == GRID[MIDDLE, 1], GRID[:, 1] == GRID[MIDDLE, 1] + 10 * apart
    moved = np.where((row | column)[:, None], moved_by(np.zeros((2, 2))), np.nan)
    gauge = Gauge(GRID, 9)
    found = gauge.strains(moved, ZERO)
    assert np.isfinite(found.values[0]).any() == (strained and model.SHARE * 81 <= 18)
    gauge = Gauge(GRID, 3)
    assert np.isfinite(gauge.strains(moved, ZERO).values[0]).any() == strained


def test_points_off_a_grid_and_points_beside_one():
    rng = np.random.default_rng(1)
    gradient = np.array([[0.02, 0.01], [0.0, -0.01]])
    loose = GRID + rng.uniform(-3.0, 3.0, GRID.shape)
    gauge = Gauge(loose, 5, 21.0)
    assert gauge.lattice is None
    found = gauge.strains(moved_by(gradient, loose), np.full_like(loose, 0.01))
    known = np.isfinite(found.values[0])
    assert known.mean() > 0.9
    assert np.allclose(found.gradient[:, :, known], gradient[:, :, None], atol=1e-12)
    assert (found.sigmas[0, known] > 0).all()
    for beside, on_it in ((0.18, True), (0.22, False)):  # `LATTICE`: 2 % of the step
        moved = GRID + np.where(np.arange(len(GRID)) == MIDDLE, beside, 0.0)[:, None]
        assert (Gauge(moved).lattice is not None) == on_it


def test_the_gauge_length():
    """(window - 1) steps and a subset."""
    assert Gauge(GRID, 7, 21.0).length == 6 * 10 + 21
    assert Gauge(GRID, 3).length == 20


@pytest.mark.parametrize(("points", "window", "words"), [
    (GRID, 4, "odd number of points"), (GRID, 1, "odd number of points"), (GRID[:2], 5, "three points or more"),
    (np.zeros((5, 2)), 5, "points that are apart"),
])  # fmt: skip
def test_no_gauges(points, window, words):
    with pytest.raises(InputError, match=words):
        Gauge(points, window)


def test_windows_of_many_points_take_the_nearest():
    """`MOST`."""
    rng = np.random.default_rng(2)
    points = rng.uniform(0, 200, (900, 2))
    gauge = Gauge(points, 31)
    found = gauge.strains(moved_by(np.eye(2) * 0.01, points), np.zeros_like(points))
    assert int(found.neighbours.max()) == 121


def test_cells_leave_holes_open():
    gauge = Gauge(GRID)
    assert len(cells_of(GRID, 10.0, gauge.lattice)) == 10 * 8
    holed = np.delete(GRID, MIDDLE, axis=0)
    assert len(cells_of(holed, 10.0, Gauge(holed).lattice)) == 10 * 8 - 4
    ring = GRID[np.abs(GRID - GRID[MIDDLE]).max(axis=1) > 25]
    triangles = cells_of(ring, 10.0, None)
    middles = ring[triangles].mean(axis=1)
    assert np.abs(middles - GRID[MIDDLE]).max(axis=1).min() > 15  # no side is longer than 2.5 steps
    assert triangles.shape[1] == 3
    assert not len(cells_of(GRID[:5], 10.0, None))  # on a line


def rows_of(places, frames, sigma=0.0, lost=()):
    """Rows of points whose places (F, P, 2) are known; `lost`: pairs of frame and point."""
    count = places.shape[1]
    rows = np.zeros(places.shape[0] * count, TRACK_DTYPE)
    rows["frame"], rows["track"] = np.repeat(frames, count), np.tile(np.arange(count), len(frames))
    rows["time"] = rows["frame"] / 100.0
    rows["x"], rows["y"] = places.reshape(-1, 2).T
    rows["sigma"], rows["state"] = np.where(rows["frame"] == frames[0], 0.0, sigma), State.TRACKED
    for frame, point in lost:
        rows["state"][(rows["frame"] == frame) & (rows["track"] == point)] = State.PREDICTED
    return rows


def test_displacements_count_from_the_first_frame_and_name_what_is_left_out():
    places = GRID + np.arange(4)[:, None, None] * 0.5
    rows = rows_of(places, [5, 6, 7, 8], 0.02, lost=[(5, 3), (7, 4)])
    found = displacements_of(rows)
    assert found.late == 1
    assert 3 not in found.tracks
    assert len(found.tracks) == len(GRID) - 1
    assert found.seen.tolist() == [98, 98, 97, 98]
    assert np.isnan(found.moved[2, list(found.tracks).index(4)]).all()
    assert np.allclose(found.moved[3][:3], 1.5)
    assert found.times.tolist() == [0.05, 0.06, 0.07, 0.08]
    assert np.allclose(found.sigmas[1:][np.isfinite(found.sigmas[1:])], 0.02)
    later = displacements_of(rows[rows["frame"] >= 6])  # its own error is that of all then
    assert np.allclose(later.sigmas[1][:3], 0.02 * math.sqrt(2))
    assert not later.sigmas[0].any()


def test_frames_in_which_all_is_lost_are_counted():
    rows = rows_of(GRID[None] + np.zeros((3, 1, 1)), [0, 1, 2], lost=[(1, k) for k in range(len(GRID))])
    assert displacements_of(rows).seen.tolist() == [99, 0, 99]


def test_an_extensometer_of_areas_and_its_uncertainty():
    rng = np.random.default_rng(5)
    gradient = np.array([[0.02, 0.0], [0.0, -0.006]])
    frames = np.arange(300)
    x, y = GRID.T
    alike = overlap(x[:, None] - x, y[:, None] - y, 25.0)
    root = np.linalg.cholesky(alike + 1e-12 * np.eye(len(GRID)))
    noise = 0.01 * np.einsum("pq,fqc->fpc", root, rng.normal(size=(300, len(GRID), 2)))
    places = GRID + moved_by(gradient) - (3.0, -2.0) + noise
    places[0] = GRID
    field = displacements_of(rows_of(places, frames, 0.01, lost=[(9, 0)]))
    left, right = (np.flatnonzero(np.abs(GRID[:, 0] - edge) <= 10) for edge in (10.0, 90.0))
    found = extension_of(field, "gauge", (left, right), 25.0)
    assert found.length[0] == 80.0
    assert found.points[9] == len(left) + len(right) - 1
    assert np.mean(found.strain[1:]) == pytest.approx(0.02, abs=4e-5)
    assert np.std(found.strain[1:]) == pytest.approx(found.sigma[1], rel=0.1)
    assert extension_of(field, "gauge", (left, right)).sigma[1] < 0.6 * found.sigma[1]  # as if errors were their own
    with pytest.raises(InputError, match="no point at its second end"):
        extension_of(field, "gauge", (left, left[:0]))
    with pytest.raises(InputError, match="at one place"):
        extension_of(field, "gauge", (left, left))


def test_names_are_the_order_of_the_values():
    found = Gauge(GRID).strains(moved_by([[0.01, 0.0], [0.0, 0.0]]), ZERO, measure="small")
    told = dict(zip(NAMES, found.values[:, MIDDLE], strict=True))
    assert told["exx"] == pytest.approx(0.01)
    assert told["e1"] == pytest.approx(0.01)
    assert told["von_mises"] == pytest.approx(0.02 / math.sqrt(3))
