"""Scales of clips: what is kept comes back, what somebody spoiled does not."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from app.desk.services.scales import Scaled, _key, _plain, _read
from app.desk.tracks.calibration import Calibration
from tests.letters import LETTERS

numbers = st.floats(-1e6, 1e6)
made = st.builds(
    Scaled, st.text(LETTERS, max_size=8), st.integers(1, 9999), st.integers(1, 9999),
    st.builds(Calibration, st.floats(1e-9, 1e9), st.sampled_from(["px", "mm"]), st.tuples(numbers, numbers), numbers,
              st.booleans()),
    st.booleans(),
)  # fmt: skip


@given(st.dictionaries(st.text(LETTERS), made))
def test_what_is_kept_comes_back_in_order(known: dict[str, Scaled]) -> None:
    back = _read(json.dumps({key: _plain(one) for key, one in known.items()}))
    assert list(back.items()) == list(known.items())


def test_what_is_spoiled_is_left_out() -> None:
    good = _plain(Scaled("a", 4, 3, Calibration(0.5, "mm")))
    for text in ("", "[]", "3", "{", "null"):
        assert _read(text) == {}
    bad = {"a": good, "b": good[:-1], "c": [*good[:3], 0.0, *good[4:]], "d": [*good[:3], float("nan"), *good[4:]],
           "e": 3, "f": ["a", "wide", *good[2:]]}  # fmt: skip
    assert list(_read(json.dumps(bad))) == ["a"]


def test_a_camera_stays_where_it_is_whatever_its_rate() -> None:
    assert _key("cam:sim?fps=100", True) == _key("cam:sim?fps=1000&exposure=3", True)
    assert _key("sim:ball?fps=100", False) != _key("sim:ball?fps=200", False)


def test_words() -> None:
    assert Scaled("a", 4, 3, Calibration(0.25, "mm")).words == "a pixel is 0.25 mm"
    assert Scaled("a", 4, 3, Calibration(y_up=True)).words == "with its origin and axes"
