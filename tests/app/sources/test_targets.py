"""The scene `targets`: sectors meet where the truth says, targets keep apart, the light changes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.ndimage import map_coordinates
from scipy.optimize import minimize

from app.sources.simulated.scenes.targets import OWN, Targets


def asymmetry(picture, x, y, reach):
    """How much a disc of the picture differs from itself turned by 180 degrees about (x, y), by its own variance."""
    dy, dx = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    within = np.hypot(dx, dy) <= reach
    here = [map_coordinates(picture, [y + s * dy[within], x + s * dx[within]], order=3, mode="nearest")
            for s in (1, -1)]  # fmt: skip
    return float(((here[0] - here[1]) ** 2).mean() / here[0].var())


@pytest.mark.parametrize(("seed", "index"), [(1, 0), (2, 137)])
def test_sectors_meet_where_the_truth_says(seed, index):
    """Four alternating sectors look the same turned by half about the point where they meet, however they are seen."""
    scene = Targets(noise=False, seed=seed, radius=12, exposure=0.2, clutter=0)
    picture = np.asarray(scene.light(index) / scene._lamp(index), float)
    rows = scene.truth(index)
    near = 0.5 * scene._looks.flat * scene._looks.radius
    for row in rows[rows["visible"]][:4]:
        reach = max(int(near[row["track"]]), 2)
        found = minimize(lambda p, r=reach: asymmetry(picture, *p, r), (row["x"] + 0.3, row["y"] - 0.2),
                         method="Nelder-Mead", options={"xatol": 4e-3, "fatol": 1e-9})  # fmt: skip
        assert found.x == pytest.approx((row["x"], row["y"]), abs=0.02)
        assert np.ptp(picture[int(row["y"]) - 4 : int(row["y"]) + 5, int(row["x"]) - 4 : int(row["x"]) + 5]) > 0.15
    assert rows["visible"].sum() >= 4


def test_targets_keep_apart_while_they_swing():
    scene = Targets(count=20, seed=3)
    for index in range(0, 1000, 90):
        rows = scene.truth(index)
        radius = scene._looks.radius[rows["track"]]
        for a, b in combinations(range(len(rows)), 2):
            away = np.hypot(rows["x"][a] - rows["x"][b], rows["y"][a] - rows["y"][b])
            assert away > max(radius[a], radius[b])


def test_each_swings_by_itself():
    scene = Targets(count=4, seed=4)
    paths = np.array([np.stack((r["x"], r["y"]), 1) for r in map(scene.truth, range(0, 1000, 10))])
    own = paths - paths.mean(1, keepdims=True)
    assert (np.ptp(paths, axis=0) > OWN).all()
    assert (np.ptp(own, axis=0) > 0.5 * OWN).all()


def test_the_light_changes_from_place_to_place_and_in_time():
    scene = Targets(noise=False, swing=0)
    frames = np.stack([scene.render(i) for i in range(0, 500, 20)]).astype(float)
    assert frames.mean((1, 2)).max() > 1.8 * frames.mean((1, 2)).min()
    shares = frames[:, :128].mean((1, 2)) / frames[:, 128:].mean((1, 2))
    assert shares.max() > 1.5 * shares.min()
    steady = Targets(noise=False, swing=0, shadow=0, flicker=0)
    np.testing.assert_array_equal(steady.render(0), steady.render(333))


def test_clutter_is_as_much_as_asked_for():
    def steep(clutter):
        return np.abs(np.diff(Targets(clutter=clutter)._ground)).mean()

    assert steep(4.0) > 1.5 * steep(1.0) > 1.8 * steep(0.0)
