"""Points that were placed on something else are told of when they are used, once each time."""

from __future__ import annotations

from dataclasses import replace

from app.desk.engine import orders as ask
from app.desk.engine import reports as say
from tests.app.gui.conftest import CLIP, Desk

POINTS = ((20.0, 30.0), (60.0, 40.0))


def opened(desk: Desk, what: str) -> list[str]:
    """Open something; what is said of points."""
    said = len(desk.bench.messages)
    desk.bench.open(what)
    order = next(order for order in reversed(desk.link.orders) if isinstance(order, ask.Open))
    info = replace(desk.source.info, name=what.rpartition("/")[2])
    desk.link.reports.append(say.Opened(info, what.startswith("cam:"), order.pipeline, "cpu", (), (), ""))
    desk.bench.tick()
    return [message.sentence for message in desk.bench.messages[said:] if "placed on" in message.sentence]


def test_points_of_another_clip_are_named(desk: Desk) -> None:
    desk.bench.choose_pipeline("template")
    assert opened(desk, str(CLIP)) == []
    desk.bench.set_param("track", "points", POINTS)
    (sentence,) = opened(desk, "cam:sim")
    assert sentence == (f"the 2 points of track were placed on {CLIP.name}; see where they lie on cam:sim, and move "
                        "them or clear track.points")  # fmt: skip
    assert opened(desk, str(CLIP)) == []
    assert len(opened(desk, "cam:sim")) == 1
    desk.bench.set_param("track", "points", POINTS[:1])  # placed there
    assert opened(desk, "cam:sim") == []
    assert "the point of track was placed on cam:sim" in opened(desk, str(CLIP))[0]
