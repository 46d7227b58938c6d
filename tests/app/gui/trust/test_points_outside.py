"""A clip opens though points lie outside of its picture, and the bar drops those."""

from __future__ import annotations

from pathlib import Path

from pipelines.definition import load
from pipelines.writing import dumps
from tests.app.gui.trust.user import User

INSIDE, OUTSIDE = (121.0, 95.0), (309.0, 95.0)
"""Of the beam, 384 px wide; the falling ball's picture has 224."""


def _points(user: User) -> list[tuple[float, float]]:
    return [(point[0], point[1]) for point in user.bench.pipeline.trackers[0].params.get("points", ())]


def _is_opened_and_told_of(user: User) -> None:
    user.until(lambda: user.bench.shown is not None, "its picture")
    user.until(lambda: user.told("outside the picture"), "the bar")
    user.press("Drop the points")
    user.until(lambda: not user.bench.trouble)
    assert not user.told("outside the picture")
    assert all(x < 224 for x, _ in _points(user))
    user.until(lambda: user.bench.compiling is None and user.bench.built is not None)


def test_points_that_were_placed_on_the_clip_before(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["beam"])
    user.pipeline("template")
    user.stand()
    user.place_points(INSIDE, OUTSIDE)
    user.open(clips["falling"])
    assert user.bench.info is not None
    assert user.bench.info.name == clips["falling"].name
    user.press("Use template")
    user.until(lambda: user.bench.trouble)
    _is_opened_and_told_of(user)
    user.window.video.graphics.setFocus()
    user.key("Ctrl+Z")
    assert len(_points(user)) == 2


def test_points_of_a_pipeline_that_is_dropped_with_the_clip(
    user: User, clips: dict[str, Path], tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(dumps(load("template").with_settings({"track.points": (INSIDE, OUTSIDE)})), "utf-8")
    user.drop(file, clips["falling"])
    user.until(lambda: user.bench.opened is not None)
    _is_opened_and_told_of(user)
    assert user.bench.info is not None
    assert user.bench.info.width == 224
