"""Conditions answer once per event, whatever the cutting into calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.sessions.triggers import Condition, Enters, FasterThan, Lost
from pipelines.features import TRACK_DTYPE, Reason, State


def rows(*given: dict[str, Any]) -> Any:
    made = np.zeros(len(given), TRACK_DTYPE)
    for k, facts in enumerate(given):
        made["state"][k] = State.TRACKED
        for name, value in facts.items():
            made[name][k] = value
    return made


def test_speed() -> None:
    condition: Condition = FasterThan(100.0)
    assert condition.look(rows({"vx": 60, "vy": 80})) is None  # exactly 100
    assert "track 0 moves at 101" in str(condition.look(rows({"vx": 101})))
    assert condition.look(rows({"vx": 500})) is None  # still
    assert condition.look(rows({"vx": 50}, {"track": 3, "vy": -70})) is None
    assert "track 3" in str(condition.look(rows({"vx": 50}, {"track": 3, "vy": -170})))
    assert "track 0" in str(condition.look(rows({"vx": 150}, {"track": 3, "vy": -170})))
    assert condition.look(rows({"track": 9, "vx": 1e6, "state": State.TENTATIVE})) is None
    assert condition.look(rows()) is None


def test_region() -> None:
    condition: Condition = Enters((10, 20, 5, 5))
    assert condition.look(rows({"x": 9.9, "y": 22})) is None
    assert condition.look(rows({"x": 10, "y": 20})) == "track 0 enters the region 10,20,5,5"
    assert condition.look(rows({"x": 12, "y": 22})) is None
    assert condition.look(rows({"x": 15, "y": 22})) is None  # out again: the end is not included
    assert condition.look(rows({"x": 14, "y": 22})) is not None
    assert condition.look(rows({"track": 4, "x": 14, "y": 22, "state": State.PREDICTED})) is None


@pytest.mark.parametrize("reason", list(Reason))
def test_lost(reason: Reason) -> None:
    condition: Condition = Lost()
    assert condition.look(rows({"state": State.LOST, "reason": reason})) is None  # never believed
    assert condition.look(rows({})) is None
    found = condition.look(rows({"state": State.LOST, "reason": reason}))
    assert (found is None) == (reason in (Reason.LEFT_IMAGE, Reason.LEFT_REGION))
    assert condition.look(rows({"state": State.LOST, "reason": reason})) is None


@pytest.mark.parametrize("condition", [FasterThan(1.0), Enters((0, 0, 9, 9)), Lost()])
def test_tracks_that_ended_are_forgotten(condition: Any) -> None:
    """A recording may wait for its trigger for days."""
    for track in range(50):
        condition.look(rows({"track": track, "vx": 5, "x": 3, "y": 3}))
        condition.look(rows({"track": track, "x": 3, "y": 3, "state": State.LOST}))
    (kept,) = (value for name, value in vars(condition).items() if name.startswith("_"))
    assert not kept
