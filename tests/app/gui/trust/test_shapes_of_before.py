"""A shape that was worked out of one pipeline does not move over the picture of another, and an open clip with tracks
is not said to have none."""

from __future__ import annotations

from pathlib import Path

from app.desk.jobs.orders import SHAPES
from app.gui.analysis.panel import AnalysisPanel
from tests.app.gui.trust.user import User


def test_a_shape_goes_with_the_pipeline_that_it_is_of(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["beam"])
    user.pipeline("vibration")
    user.stand()
    user.place_points(*((x, 95.0) for x in (121.0, 183.0, 246.0, 309.0)))
    user.until(lambda: user.bench.compiling is None and len(user.window.video.overlay.rows) == 4)
    user.play_through()
    user.menu("View", "Panels", "Analysis")
    panel = user.window.panels["analysis"]
    assert isinstance(panel, AnalysisPanel)
    tabs = panel.bar.tabs
    at = next(k for k in range(tabs.count()) if tabs.tabText(k) == "Shapes")
    user.click(tabs, tabs.tabRect(at).center())
    user.until(lambda: SHAPES in panel.results, "shapes are worked out")
    user.until(lambda: len(panel.bending.places) == 4 and panel.bending.running, "a shape moves over the picture")
    assert not panel.note.isVisible()
    user.pipeline("blobs")
    assert not len(panel.bending.places)
    assert not panel.bending.running
    user.until(lambda: len(user.bench.store) > 0, "tracks of the other pipeline")
    user.until(lambda: "before it was changed" in panel.note.text(), panel.note.text())
    assert "no tracks" not in panel.note.text()
    user.until(lambda: panel.bar.compute.isEnabled())
    user.click(panel.bar.tabs, tabs.tabRect(0).center())
    user.click(panel.bar.tabs, tabs.tabRect(at).center())
    assert not len(panel.bending.places), "nor does it come back with its tab"
    user.open(clips["vortex"])
    user.until(lambda: len(user.bench.store) > 0)
    assert not len(panel.bending.places)
    assert "Answers appear here once a clip has been tracked" not in panel.note.text()
