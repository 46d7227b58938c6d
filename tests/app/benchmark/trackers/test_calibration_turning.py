"""Item 6 of the trackers: sigma is true of what turns, and of markers under a lamp that flickers."""

from __future__ import annotations

import pytest

from tests.app.benchmark.trackers.calibration import z_variance

TURNING = [("disk", "", 30, 5), ("face-points", "", 26, 7)]


@pytest.mark.parametrize("contender", ["template", "corners"])
@pytest.mark.parametrize(("name", "changes", "frames", "seeds"), TURNING, ids=[p[0] for p in TURNING])
def test_sigma_is_true_of_what_turns_and_of_markers(name, changes, frames, seeds, contender):
    assert 0.8 < z_variance(name, contender, 16.0, changes, frames, seeds) < 1.2
