"""A network in the pipeline of a camera: all is recorded, and what was processed comes again bit for bit."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.live.replay import Wish, replay
from app.sessions.proof import prove
from app.sessions.reader import open_session
from app.sources.simulated.source import make_scene

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")
PIPELINE = """
name = "half"
[stages.gray]
[stages.half]
use = "pyramid_down"
[stages.quarter]
use = "pyramid_down"
[stages.even]
use = "local_contrast"
size = 25
floor = 0.005
[stages.heat]
use = "network"
model = "shipped:quadrant_targets.onnx"
normalize = "none"
[stages.found]
use = "heatmap_peaks"
inputs = { maps = "heat", placement = "heat.placement" }
threshold = 0.6
instances = 16
separation = 6
[trackers.follow]
use = "keypoints"
inputs = "found.points"
sorting = "peak"
"""


def test_a_camera_of_600_frames_a_second_with_a_network_is_recorded_whole_and_replayed(tmp_path: Path) -> None:
    """Of 512x512, which the network sees at a quarter: some half a millisecond of a core a frame."""
    scene = make_scene("targets?width=512&height=512&count=5&radius=36&blur=3&frames=4&seed=5")
    np.save(tmp_path / "c.npy", np.stack([scene.render(k) for k in range(4)]))
    (tmp_path / "p.toml").write_text(PIPELINE)
    camera = f"cam:sim?clip={tmp_path / 'c.npy'}&fps=600&frames=120&ring=120"
    path = tmp_path / "a.mcap"
    orders = ["record", camera, "-o", str(path), "-p", str(tmp_path / "p.toml"), "--no-rehearsal", "-q"]
    assert main([*orders, "--latency", "30"]) == 0  # a slow machine is behind, and catches up
    with open_session(path) as session:
        proof = prove(session)
        rows = session.tracks()
    assert proof.complete
    assert proof.recorded == 120
    assert proof.processing is not None
    assert proof.processing.processed == 120
    assert len(np.unique(rows["track"])) >= 3
    assert (rows["state"] == 1).sum() > 200
    made = replay(Wish(path, check=True, device="cpu", batch=7))
    assert made.identical
    assert made.likeness is not None
    assert made.likeness.rows == len(rows)
