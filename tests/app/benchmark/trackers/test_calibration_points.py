"""Item 6 of the trackers: sigma of points is true in every scene, by every tracker that takes it.

A track's first frame is in all of its rows, so that one clip of n points scatters by 1 / sqrt(4 n): hence the seeds.
"""

from __future__ import annotations

import pytest

from tests.app.benchmark.trackers.calibration import clip, z_variance

SMALL = "width=136&height=136&points=25&"
PLATES = [("plate", SMALL, 36, 5), ("plate-dim", SMALL, 36, 5), ("plate-flicker", SMALL, 36, 5),
          ("plate-12", SMALL, 36, 5), ("beam", "", 30, 6)]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def forget():
    yield
    clip.cache_clear()


@pytest.mark.parametrize("contender", ["template", "corners", "vibration"])
@pytest.mark.parametrize(("name", "changes", "frames", "seeds"), PLATES, ids=[p[0] for p in PLATES])
def test_sigma_is_true_of_what_moves_a_little(name, changes, frames, seeds, contender):
    assert 0.8 < z_variance(name, contender, 16.0, changes, frames, seeds) < 1.2


def test_sigma_of_a_vibration_has_what_no_noise_shows():
    """Without noise polynomials and splines err by two thousandths of a pixel, and the steps of eight bits by one."""
    assert 0.45 < z_variance("plate", "vibration", 16.0, SMALL + "noise=false&", 36, 3, axes=False) < 1.4
