"""Changes as events: what is read back is what was set."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sessions import events
from app.sessions.changed import MOST_TEXT, change_facts, read_changes, structure_facts
from app.sessions.shared import MESSAGE_ROOM
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.streaming.common.changes import Change, Structure
from pipelines.writing import dumps
from tests.letters import LETTERS
from tests.shipped import fixed

scalars = st.one_of(st.booleans(), st.integers(-(2**31), 2**31), st.floats(allow_nan=False),
                    st.text(LETTERS, max_size=20))  # fmt: skip
values = st.one_of(scalars, st.lists(st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 9)),
                                     max_size=4).map(tuple))  # fmt: skip


def back(kind: str, frame: int, **facts: Any) -> Any:
    (made,) = read_changes([events.read_event(events.event(kind, frame, **facts))])
    return made


@given(values, st.integers(0, 10**9))
def test_values(value: Any, frame: int) -> None:
    made = back(events.PARAMETER, frame, node="a", param="b", **change_facts(value))
    assert made == Change(frame, "a", "b", value)
    assert type(made.value) is type(value)
    if isinstance(value, float):
        assert math.copysign(1, made.value) == math.copysign(1, value)


def test_no_number() -> None:
    made = back(events.PARAMETER, 3, node="a", param="b", **change_facts(math.nan))
    assert math.isnan(made.value)


def test_pipelines() -> None:
    pipeline = fixed("blobs").with_settings({"bright.level": 0.07, "band.sigma": 1.7})
    made = back(events.PIPELINE, 12, **structure_facts(dumps(pipeline)))
    assert isinstance(made, Structure)
    assert (made.frame, made.pipeline.digest) == (12, pipeline.digest)


def test_long_pipelines_fit_into_an_event() -> None:
    points = tuple((k * 1.25, k * 0.75) for k in range(1500))
    pipeline = load("template").with_settings({f"{load('template').trackers[0].id}.points": points})
    text = dumps(pipeline)
    assert len(text) > MOST_TEXT
    data = events.event(events.PIPELINE, 5, **structure_facts(text))
    assert len(data) < MESSAGE_ROOM
    (made,) = read_changes([events.read_event(data)])
    assert isinstance(made, Structure)
    assert made.pipeline.digest == pipeline.digest


def test_damage_is_said() -> None:
    with pytest.raises(InputError, match="set at frame 5 is damaged"):
        back(events.PIPELINE, 5, pipeline="", compressed="0nonsense0")
    with pytest.raises(InputError, match="the pipeline from frame 5 on"):
        back(events.PIPELINE, 5, pipeline="[stages.nothing]")
