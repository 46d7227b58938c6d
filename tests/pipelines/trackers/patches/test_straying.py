"""How far hidden windows may have strayed, against simulated flights whose velocity is forgotten."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.patches.straying import STRAYING_COLUMNS, strayed

FINE = 10  # steps a frame


@pytest.mark.parametrize("gap", [1, 4, 12, 40])
@pytest.mark.parametrize("time", [4.0, 12.0, 60.0])
def test_the_variance_is_that_of_such_flights(time, gap):
    """Seen over one frame, which tells the velocity, then carried on for as long as `template` does."""
    rng, many, speed = np.random.default_rng(1), 20_000, 0.7
    kept = np.exp(-1.0 / (FINE * time))
    v = rng.normal(0, speed, many)
    steps = np.zeros((gap + 1, many))
    for k in range((gap + 1) * FINE):
        v = v * kept + rng.normal(0, speed * np.sqrt(1 - kept * kept), many)
        steps[k // FINE] += v / FINE
    carried = sum(0.8 ** max(k - 10, 0) for k in range(1, gap + 1))
    error = steps[1:].sum(axis=0) - carried * steps[0]
    t = Columns({**dict.fromkeys(STRAYING_COLUMNS, "f8"), "gap": "f8", "p00": "f8"})
    t.append(1, p00=9.0, gap=float(gap), pace=speed**2, jumps=4.0 / 3.0 * speed**2 / time, pvar=0.3**2)
    made = strayed(t, np.array([gap]), 1e6)[0]
    assert made == pytest.approx(np.mean(error**2) + 0.3**2, rel=0.15)
    assert strayed(t, np.array([gap]), 0.05)[0] == 0.05  # nothing is less known than where in the picture
    t["pvar"][:] = 0.0  # seen once alone: nothing is known of how it moves
    assert strayed(t, np.array([gap]), 1e6)[0] == 9.0


def test_what_flies_straight_is_off_by_what_it_is_not_carried_on():
    """A prediction goes on for ten frames, then at .8 of its speed in each further one; a flight does not slow down."""
    t = Columns({**dict.fromkeys(STRAYING_COLUMNS, "f8"), "gap": "f8", "p00": "f8"})
    t.append(3, p00=9.0, gap=np.array([5.0, 20.0, 40.0]), pace=0.49, jumps=1e-9, pvar=0.09)
    carried = np.array([sum(0.8 ** max(k - 10, 0) for k in range(1, g + 1)) for g in (5, 20, 40)])
    own = 2.0 / 3.0 * t["gap"] ** 3 / 1e4  # what is left of a turn every 10 000 frames
    expected = 0.09 + 0.49 * (own + (t["gap"] - carried) ** 2)
    np.testing.assert_allclose(strayed(t, t["gap"], 1e6), expected, rtol=0.02)


@pytest.mark.parametrize("second", [None, np.full((128, 128), 90, np.uint8)], ids=["bad", "blank"])
def test_a_point_that_was_seen_once_alone_is_nowhere_for_sure(scene, second):
    picture = np.rint(120 + 40 * scene.Speckle(seed=9).image(128, 128)).clip(0, 255).astype(np.uint8)
    for name in ("template", "klt"):
        rows = scene.run(make_tracker(name, {"points": ((60, 64),)}, (128, 128), 1000.0), [picture, second], "image")
        guesses = rows[(rows["state"] == State.PREDICTED) & (rows["frame"] == 1)]
        assert (guesses["sigma"] > 1.0).all()  # 0 is for the first frame
        assert len(guesses) or (name == "klt" and second is not None)  # which gives it up
