"""Region, points, mask, parameter, pipeline, correction and event of one clip go back in their order, and end where the
clip was opened; nothing of another clip comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.desk.services.regions import polygons
from pipelines.definition import load
from pipelines.streaming.common.states import RunState
from tests.app.gui.trust.user import User


def _region(user: User) -> object:
    return user.bench.asked.roi if user.bench.asked is not None else None


def _opened_anew(user: User, keys: str) -> None:
    before = user.bench.opened
    user.key(keys)
    user.until(lambda: user.bench.opened is not before and user.bench.shown is not None, keys)


def test_a_region_on_the_second_clip_goes_back_and_its_pipeline_stays(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["beam"])
    user.pipeline("vibration")
    user.open(clips["vortex"])
    assert user.bench.pipeline == load("blobs")
    assert user.undo_words() == "Undo"
    user.key("Q")
    user.drag((80.0, 60.0), (240.0, 200.0))
    _opened_anew(user, "Return")
    assert _region(user) == pytest.approx((80, 60, 160, 140), abs=3)
    assert user.undo_words() == "Undo draw region"
    _opened_anew(user, "Ctrl+Z")
    assert (_region(user), user.bench.pipeline) == (None, load("blobs"))
    assert user.undo_words() == "Undo"
    user.key("Ctrl+Z")  # it ends here: neither the other clip's pipeline nor a compiler
    user.until(lambda: user.bench.compiling is None)
    assert user.bench.pipeline == load("blobs")
    assert "compiling" not in user.window.status.parts["place"].text()
    shown = user.bench.shown
    user.key("Right")
    user.until(lambda: user.bench.shown is not shown, "the clip goes on")
    assert user.bench.info is not None
    assert user.bench.info.name == clips["vortex"].name


def test_all_that_is_done_to_a_clip_goes_back_in_order(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["vortex"])
    user.key("Shift+M")
    for at in ((100.0, 80.0), (200.0, 90.0), (180.0, 180.0)):
        user.point(*at)
    user.key("Return")
    user.until(lambda: len(polygons(user.bench.pipeline)) == 1)
    level = user.window.panels["parameters"].sections["bright"].rows["level"].control
    user.click(level.lineEdit())
    level.selectAll()
    user.type("0.07")
    user.key("Return")
    user.settle()
    assert user.undo_words() == "Undo bright.level 0.07"
    user.stand()
    user.key("Esc")
    user.until(lambda: len(user.window.video.overlay.rows) > 3)
    row = user.window.video.overlay.rows[0]  # where it is now: what the new level makes of the frame may have come
    user.point(float(row["x"]), float(row["y"]))
    (track,) = user.bench.selected
    user.key("Del")
    assert user.undo_words() == f"Undo delete track {track}"
    user.key("H")
    user.type("contact")
    user.key("Return")
    user.until(lambda: bool(user.bench.events))
    assert user.undo_words().startswith("Undo ")
    user.pipeline("template")
    seen = []
    while user.undo_words() != "Undo":
        seen.append(user.undo_words().removeprefix("Undo "))
        user.window.video.graphics.setFocus()
        user.key("Ctrl+Z")
        assert len(seen) < 8, seen
    assert "template" in seen[0]
    assert "contact" in seen[1]
    assert seen[2:4] == [f"delete track {track}", "bright.level 0.07"]
    assert "mask" in seen[4]
    assert len(seen) == 5
    assert user.bench.pipeline == load("blobs")
    assert not user.bench.events
    assert not user.window.tracking.corrector.corrections.actions
    user.until(lambda: user.bench.compiling is None and user.bench.state is not RunState.FAILED)


def test_points_of_one_clip_are_undone_there_and_not_on_the_other(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["beam"])
    user.pipeline("template")
    user.stand()
    user.place_points((121.0, 95.0), (309.0, 95.0))
    placed = user.bench.pipeline
    user.open(clips["vortex"])
    user.key("Ctrl+Z")
    assert user.bench.pipeline == load("blobs")
    user.open(clips["beam"])
    assert user.bench.pipeline == placed
