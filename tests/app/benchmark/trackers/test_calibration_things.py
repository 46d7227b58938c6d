"""Item 6 of the trackers: sigma of blobs is true from faint to bright, in crowds, in a vortex, of insects."""

from __future__ import annotations

import pytest

from tests.app.benchmark.trackers.calibration import z_variance

SMALL = "width=224&height=224&count=30&"
# Of dark spots before a bright sky sigma is too large, by a sixth; it is not known why.
THINGS = [("blobs-4", 0.0015, SMALL, 1.0), ("blobs-10", 0.004, SMALL, 1.0), ("blobs-40", 0.007, SMALL, 1.0),
          ("vortex", 0.06, "", 1.0), ("insects", 0.035, "", 0.7)]  # fmt: skip


@pytest.mark.parametrize(("name", "level", "changes", "stated"), THINGS, ids=[t[0] for t in THINGS])
def test_sigma_is_true(name, level, changes, stated):
    found = z_variance(name, "blobs", level, changes, 30, 5)
    assert 0.8 * stated < found < 1.2 * stated, found
