"""Points that were placed on something else are told of when they are used, once each time."""

from __future__ import annotations

from dataclasses import replace

from app.desk.engine import commands, reports
from tests.app.gui.conftest import CLIP, Desk

POINTS = ((20.0, 30.0), (60.0, 40.0))


def opened(desk: Desk, what: str) -> list[str]:
    """Open something; what is said of points."""
    said = len(desk.bench.messages)
    desk.bench.open(what)
    order = next(order for order in reversed(desk.link.orders) if isinstance(order, commands.Open))
    info = replace(desk.source.info, name=what.rpartition("/")[2])
    desk.link.reports.append(reports.Opened(info, what.startswith("cam:"), order.pipeline, "cpu", (), (), ""))
    desk.bench.tick()
    return [message.sentence for message in desk.bench.messages[said:] if "placed on" in message.sentence]


def test_points_of_another_clip_are_named(desk: Desk) -> None:
    desk.bench.files.choose("template")
    assert opened(desk, str(CLIP)) == []
    desk.bench.editor.set_param("track", "points", POINTS)
    assert opened(desk, "cam:sim") == []
    assert "points" not in desk.bench.pipeline.trackers[0].params, "a clip keeps its points for itself"
    desk.window.strips["pipeline of before"].buttons["Use template"].click()
    assert desk.bench.pipeline.trackers[0].params["points"] == POINTS
    sentence = desk.bench.messages[-1].sentence
    assert sentence == (f"the 2 points of track were placed on {CLIP.name}; see where they lie on cam:sim, and move "
                        "them or clear track.points")  # fmt: skip
    assert opened(desk, str(CLIP)) == []
    assert opened(desk, "cam:sim") == [], "it is said once"
    desk.bench.editor.set_param("track", "points", POINTS[:1])  # placed there
    assert opened(desk, "cam:sim") == []
    opened(desk, str(CLIP))
    desk.window.strips["pipeline of before"].buttons["Use template"].click()
    assert "the point of track was placed on cam:sim" in desk.bench.messages[-1].sentence
