"""How fast a session grows, for the words about a disk that fills."""

from __future__ import annotations

import pytest

from app.sessions.layout import Picture
from app.sessions.pace import Pace, announced

PICTURE = Picture(640, 512, "u8", 1, 8, 1, 640)


def test_what_was_announced_holds_until_there_are_some_seconds_of_data() -> None:
    pace = Pace(1000.0)
    assert pace.see(0.0, 5000, False) == 1000.0
    for k in range(12):  # what waited comes at once, and in pieces
        assert pace.see(10.0 + k / 4, 5000 + 90_000 * (k > 2), True) == 1000.0
    assert pace.see(13.0, 5000 + 150_000, True) == pytest.approx(50_000.0)


def test_the_last_seconds_count() -> None:
    pace = Pace()
    for k in range(100):
        pace.see(k / 4, min(k, 40) * 250, True)
    assert pace.see(25.0, 10_000, True) == 0.0
    assert pace.see(25.05, 10_000 + 9 * 400, True) == pytest.approx(400.0, rel=0.2)


def test_looks_that_come_often_cost_no_memory() -> None:
    pace = Pace()
    for k in range(20_000):
        pace.see(k / 500, k, True)
    assert len(pace._looks) < 50
    assert pace.see(40.0, 20_000, True) == pytest.approx(500.0, rel=0.01)


def test_nobody_knows_without_an_announcement() -> None:
    pace = Pace()
    assert pace.see(0.0, 100, True) == 0.0
    assert pace.see(1.0, 10**9, True) == 0.0


def test_what_a_session_says_of_its_camera() -> None:
    size = PICTURE.frame_bytes
    assert announced({"camera": {"fps": "200.0"}}, PICTURE) == 200.0 * size
    for facts in ({}, {"camera": {}}, {"camera": {"fps": "null"}}, {"camera": {"fps": "0.0"}}, {"camera": {"fps": "x"}},
                  {"camera": {"fps": "NaN"}}):  # fmt: skip
        assert announced(facts, PICTURE) == 0.0
