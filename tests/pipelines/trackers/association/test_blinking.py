"""Things that are seen in some frames only, side by side: none takes the place of another that is dark."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import State
from pipelines.trackers.base import make_tracker

SIDE, STEP = 8, 28.0
"""Things in a row, and px between them: less than what starts may have gone where newcomers are rare."""


@pytest.mark.parametrize(("lit", "period"), [(1, 2), (2, 4), (2, 3), (4, 7)])
def test_each_thing_that_blinks_keeps_its_track(scene, lit, period):
    rng = np.random.default_rng(3)
    places = np.stack(np.meshgrid(*(14.0 + STEP * np.arange(SIDE),) * 2), -1).reshape(-1, 2)
    speed, phase = rng.uniform(-0.2, 0.2, places.shape), rng.integers(0, period, len(places))
    tracker, tables, shown = make_tracker("blob", {}, (256, 256), 1000.0), [], []
    for frame in range(60):
        on = np.flatnonzero((frame + phase) % period < lit)
        shown.append(on)
        tables.append(scene.features((places + frame * speed + rng.normal(0, 0.05, places.shape))[on], 100.0, 0.05))
    rows = scene.run(tracker, tables)
    found = [[] for _ in places]
    for frame in range(2 * period, 60):  # one that goes dark behind the first frame begins when it comes back
        here = rows[(rows["frame"] == frame) & (rows["state"] <= State.TRACKED)]
        for thing in shown[frame].tolist():
            away = np.hypot(here["x"] - places[thing, 0] - frame * speed[thing, 0],
                            here["y"] - places[thing, 1] - frame * speed[thing, 1])  # fmt: skip
            found[thing].append(int(here["track"][away.argmin()]))
    assert [len(set(ids)) for ids in found] == [1] * len(places)
