"""Triggers as they are spelled."""

from __future__ import annotations

from datetime import datetime

import pytest

from app.sessions.asking import parse_triggers
from app.sessions.triggers import Enters, FasterThan, Lost
from kernels.errors import InputError

NOW = datetime(2026, 11, 21, 14, 30, 0)


def test_spellings() -> None:
    asked = parse_triggers(["speed>200", "region:1,2,30,40.5", "lost", "key", "speed > 1e3"], NOW)
    assert asked.conditions == (FasterThan(200.0), Enters((1, 2, 30, 40.5)), Lost(), FasterThan(1000.0))
    assert asked.at == ()
    assert parse_triggers([]).conditions == ()


def test_times_are_the_next_of_their_kind() -> None:
    asked = parse_triggers(["time:14:30:00", "time:14:29:59", "time:23:15"], NOW)
    assert asked.at == (NOW, datetime(2026, 11, 22, 14, 29, 59), datetime(2026, 11, 21, 23, 15))


@pytest.mark.parametrize("text", ["", "speed", "speed<3", "region", "loud", "keys"])
def test_others_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="--trigger"):
        parse_triggers([text], NOW)


@pytest.mark.parametrize(
    ("text", "why"),
    [("speed>fast", "a speed is"), ("speed>-1", "a speed is"), ("speed>nan", "a speed is"),
     ("region:1,2,3", "a region is"), ("region:1,2,0,5", "empty"), ("region:1,2,nan,5", "empty"),
     ("time:noon", "a time is"), ("time:25:00:00", "a time is"), ("time:12:00:00Z", "without a time zone"),
     ("time:12:00:00+02:00", "without a time zone")],
)  # fmt: skip
def test_sentences(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse_triggers([text], NOW)
