"""Where windows measure: of a surface that stretches, shears and turns their answers are the motion of that place."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.reference.centres import effective_centres

SIZE, POINTS = 120, ((40.0, 40.0), (70.3, 38.6), (44.0, 80.4), (79.0, 77.0))
FIELD = np.array([[2e-3, 1e-3], [-1.5e-3, 3e-3]])
"""du/dx, du/dy; dv/dx, dv/dy."""


def texture(seed, lean=0.0):
    """Light by place: random waves; the more it leans, the more of it is to the right in every window of 40 px."""
    rng = np.random.default_rng(seed)
    wave, phase = rng.normal(0, 0.45, (60, 2)), rng.uniform(0, 2 * np.pi, 60)

    def light(x, y):
        waves = np.cos(np.multiply.outer(x, wave[:, 0]) + np.multiply.outer(y, wave[:, 1]) + phase).sum(axis=-1)
        return 100 + 6 * waves * np.exp(lean * np.sin(2 * np.pi * x / 40))

    return light


def moved(light, by, field):
    """The picture of a surface whose point p is at p + by + field p now."""
    y, x = np.mgrid[0:SIZE, 0:SIZE].astype(float)
    back = np.linalg.inv(np.eye(2) + field)
    px, py = x - by[0], y - by[1]
    return light(back[0, 0] * px + back[0, 1] * py, back[1, 0] * px + back[1, 1] * py).astype(np.float32)


def follow(name, params, light, by, field):
    """What a tracker says of the motion of POINTS, (4, 2), and where it measures, (4, 2, 2) from the points."""
    made = make_tracker(name, {"points": POINTS, **params}, (SIZE, SIZE), 100.0)
    for i in range(4):
        made.update(i, i / 100, {"image": moved(light, (0, 0), np.zeros((2, 2)))})
    rows = made.update(4, 0.04, {"image": moved(light, by, field)})
    table = made.tables()["windows"]
    assert table["track"].tolist() == rows["track"].tolist() == [0, 1, 2, 3]
    at = [[table[f"{axis}_right"], table[f"{axis}_down"]] for axis in "xy"]
    return np.stack((rows["x"], rows["y"]), 1) - np.array(POINTS), np.moveaxis(np.array(at), -1, 0)


TRACKERS = [
    ("vibration", {"along": "both"}),
    ("vibration", {"along": "both", "window": 31}),
    ("template", {"model": "translation"}),
    ("corners", {}),
    ("template", {"model": "rigid"}),
    ("template", {"model": "affine"}),
]


@pytest.mark.parametrize("lean", [0.0, 1.0])
@pytest.mark.parametrize(("name", "params"), TRACKERS)
def test_the_answer_is_the_motion_of_the_place_where_it_measures(name, params, lean):
    """Stretch along the axis that is measured alone: that place is what there is to be known of it."""
    name, params = ("klt", {"max_points": 0, **params}) if name == "corners" else (name, params)
    points, light, worst, beside = np.array(POINTS), texture(3, lean), [], []
    for axis in (0, 1):
        field = np.zeros((2, 2))
        field[axis] = FIELD[axis]
        by = -field @ points.mean(axis=0)
        found, at = follow(name, params, light, by, field)
        there = ((points + at[:, axis]) @ field.T + by)[:, axis]
        worst.append(np.abs(found[:, axis] - there).max())
        beside.append(np.abs(found[:, axis] - (points @ field.T + by)[:, axis]).max())
    assert max(worst) < 0.0012
    if params.get("model") != "affine":
        assert max(beside) > 3 * max(worst)


def test_texture_that_leans_moves_the_place_and_noise_does_not():
    y, x = np.mgrid[0:31, 0:31].astype(float)
    tile = np.where(x > 18, texture(1)(x, y), 100.0)[None]
    still = np.zeros((1, 2))
    right, down = effective_centres(tile, 21, still)[0, 0]
    assert right > 5.0
    rng = np.random.default_rng(2)
    noisy = tile + rng.normal(0, 6.0, (300, 31, 31))
    plain, known = (effective_centres(noisy, 21, still.repeat(300, 0), noise=np.full(300, noise))[:, 0, 0].mean()
                    for noise in (0.0, 36.0))  # fmt: skip
    assert plain < 0.8 * right
    assert known == pytest.approx(right, rel=0.03)
    mirrored = effective_centres(tile[:, :, ::-1], 21, still)[0, 0]
    np.testing.assert_allclose(mirrored, (-right, down), atol=1e-9)


def test_stripes_measure_at_one_place_and_nothing_nowhere():
    _, x = np.mgrid[0:SIZE, 0:SIZE].astype(float)
    stripes = (100 + 40 * np.sin(x / 2) * (x > 45)).astype(np.float32)
    for name in ("vibration", "template"):
        made = make_tracker(name, {"points": ((46.0, 60.0), (20.0, 60.0))}, (SIZE, SIZE), 100.0)
        for i in range(3):
            made.update(i, i / 100, {"image": stripes})
        (row,) = made.tables()["windows"]
        assert row["track"] == 0
        assert 2.0 < row["x_right"] < 8.0
        assert np.isnan(row["y_right"])


def test_a_window_that_is_over_keeps_its_place_in_a_snapshot_too():
    light = texture(5)
    pictures = [moved(light, (0, 0), np.zeros((2, 2)))] * 3 + [np.full((SIZE, SIZE), 100, np.float32)] * 4
    for name in ("vibration", "template"):
        made = make_tracker(name, {"points": POINTS, "max_missed": 1}, (SIZE, SIZE), 100.0)
        for i, picture in enumerate(pictures):
            made.update(i, i / 100, {"image": picture})
            if i == 2:
                before = made.tables()["windows"]
        assert not len(made.t)
        again = make_tracker(name, {"points": POINTS, "max_missed": 1}, (SIZE, SIZE), 100.0)
        again.restore(made.snapshot())
        for one in (made, again):
            assert one.tables()["windows"].tobytes() == before.tobytes()
