"""What floats over the picture or stands above it leaves it most of its room, and no place of it out of reach."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore

from tests.app.gui.trust.user import User

MOST = 1 / 3
"""Of the picture that may be hidden."""


def _hidden(user: User) -> float:
    """The share of the picture that something else lies over, looked at in a grid."""
    port, box = user.window.video.graphics.viewport(), user.window.video.box
    image = user.window.video.image
    seen = image.boundingRect()
    count = hidden = 0
    for row in range(24):
        for column in range(24):
            at = QtCore.QPointF(seen.left() + (column + 0.5) / 24 * seen.width(),
                                seen.top() + (row + 0.5) / 24 * seen.height())  # fmt: skip
            place = port.mapTo(user.window, box.mapViewToScene(at).toPoint())
            count += 1
            hidden += user.window.childAt(place) is not port
    return hidden / count


def test_no_tool_hides_a_third_of_the_picture(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["beam"])
    user.pipeline("template")
    user.stand()
    for tool in ("K", "B", "Q", "J", "Shift+B", "Shift+K", "X", "E"):
        user.key(tool)
        assert user.window.tracking.tools.active, tool
        assert _hidden(user) < MOST, tool
        user.key("Escape")
        assert not user.window.tracking.tools.active, tool


def test_both_ends_of_a_ruler_reach_the_edges_of_the_picture(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["falling"])  # high and narrow: its upper edge is that of the video
    user.stand()
    user.key("K")
    tool = user.window.tracking.tools.tool
    user.point(112.0, 380.0)
    user.point(112.0, 2.0)
    assert [round(y) for _, y in tool.points] == pytest.approx([380, 2], abs=2)
    user.drag((112.0, 2.0), (150.0, 20.0), (112.0, 6.0))
    assert tool.points[1][1] == pytest.approx(6, abs=2)


def test_a_ruler_that_begins_at_the_upper_edge(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["falling"])
    user.stand()
    user.key("K")
    tool = user.window.tracking.tools.tool
    user.point(112.0, 2.0)
    user.point(112.0, 380.0)
    assert [round(y) for _, y in tool.points] == pytest.approx([2, 380], abs=2)
    user.type("100")
    user.key("Return")
    assert user.bench.calibration.per_px == pytest.approx(100 / 378, rel=0.02)
