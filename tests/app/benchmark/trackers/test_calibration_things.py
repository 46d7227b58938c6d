"""Item 6 of the trackers: sigma is true from faint to bright, in crowds, in a vortex, of insects, of markers."""

from __future__ import annotations

import pytest

from tests.app.benchmark.trackers.calibration import z_variance

SMALL = "width=224&height=224&count=30&"
THINGS = [("blobs-4", 0.0015, SMALL), ("blobs-10", 0.004, SMALL), ("blobs-40", 0.007, SMALL), ("vortex", 0.06, ""),
          ("insects", 0.035, ""), ("face", 0.06, "")]  # fmt: skip


@pytest.mark.parametrize(("name", "level", "changes"), THINGS, ids=[t[0] for t in THINGS])
def test_sigma_is_true(name, level, changes):
    found = z_variance(name, "blobs", level, changes, 30, 5, median=True)
    assert 0.8 < found < 1.2, found
