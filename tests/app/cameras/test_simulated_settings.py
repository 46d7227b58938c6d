"""How a simulated camera is written, and what its faults follow from."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.cameras.opening import open_camera
from app.cameras.query import parse_address
from app.cameras.simulated.faults import BLOCK, Fault, Schedule, When, parse_when
from app.cameras.simulated.settings import read_settings
from app.cameras.simulated.truth import LOG_ROW, Kind, count, merged, truth_of
from kernels.errors import SourceError

SMALL = "size=64x48&fps=1000"


def test_too_little_memory_is_one_sentence() -> None:
    with pytest.raises(Exception, match="no memory for 1000000 frames") as caught:
        open_camera("cam:sim?size=4096x4096&ring=1000000")
    assert "smaller ring" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cam:sim?scne=beam", "did you mean 'scene'"),
        ("cam:sim?scene=bem", "did you mean 'beam'"),
        ("cam:sim?particls=3", "did you mean 'particles'"),
        ("cam:sim?drop=2", "a probability a frame"),
        ("cam:sim?drop=@x", "a probability a frame"),
        ("cam:sim?drop=@7-3", "a probability a frame"),
        ("cam:sim?size=12", "WIDTHxHEIGHT"),
        ("cam:sim?fps=nan", "finite"),
        ("cam:sim?fps=fast", "must be a number"),
        ("cam:sim?fps", "name=value"),
        ("cam:sim?fps=1&fps=2", "given twice"),
        ("cam:sim?size=8x8", "outside its range"),
        ("cam:sim?clip=nowhere.cine", "does not exist"),
        ("cam:sim?clip=a.cine&scene=beam", "not both"),
        ("cam:sim?loop=round", "bounce, wrap"),
        ("cam:sim?resize=0.1&resized=512x512", "anyway"),
    ],
)
def test_mistakes_are_one_sentence(text: str, said: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_camera(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.integers(0, 2**31 - 1), st.floats(0, 1), st.integers(0, 3 * BLOCK), st.integers(0, 40))
def test_the_schedule_follows_from_seed_and_number(seed: int, share: float, first: int, length: int) -> None:
    named = When(ranges=((first, first + length),))
    schedule = Schedule(seed, ((Fault.DROP, When(share)), (Fault.STALL, named)), 0.5)
    faults = np.concatenate([schedule.block(k)[0] for k in range(4)])
    again = np.concatenate([schedule.block(k)[0] for k in (3, 2, 1, 0)][::-1])
    np.testing.assert_array_equal(faults, again)
    stalls = np.flatnonzero(faults == Fault.STALL)
    assert stalls.tolist() == list(range(first, min(first + length + 1, 4 * BLOCK)))
    others = 4 * BLOCK - len(stalls)
    spread = 6 * math.sqrt(others * share * (1 - share)) + 1
    assert abs(int((faults == Fault.DROP).sum()) - others * share) <= spread
    assert np.abs(schedule.block(0)[1]).max() <= 0.25


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), max_size=12))
def test_merged_ranges_hold_the_same_numbers(pairs: list[tuple[int, int]]) -> None:
    ranges = [(low, low + length) for low, length in pairs]
    made = merged(ranges)
    numbers = {n for low, high in ranges for n in range(low, high + 1)}
    assert {n for low, high in made for n in range(low, high + 1)} == numbers
    assert count(made) == len(numbers)
    assert all(b[0] > a[1] + 1 for a, b in pairwise(made))


def test_a_log_that_says_things_twice_counts_them_once() -> None:
    rows = np.array([(Kind.DROPPED, 3, 4, 0), (Kind.DROPPED, 4, 4, 0), (Kind.STALLED, 7, 7, 0.5),
                     (Kind.STALLED, 7, 7, 0.5), (Kind.OVERRUN, 5, 5, 0)], LOG_ROW)  # fmt: skip
    truth = truth_of(rows, 10, 7, True)
    assert truth.missing == ((3, 5),)
    assert truth.lost == 3
    assert truth.stalls == ((7, 0.5),)
    assert truth.facts()["lost"] == 3


@settings(max_examples=50)
@given(st.integers(1, 40), st.sampled_from(["bounce", "wrap"]), st.integers(0, 500))
def test_the_order_of_pictures(pictures: int, loop: str, index: int) -> None:
    made = read_settings(parse_address(f"cam:sim?{SMALL}&pictures={pictures}&loop={loop}"))
    here, following = made.order(index), made.order(index + 1)
    assert 0 <= here < pictures
    if loop == "bounce" and pictures > 1:
        assert abs(following - here) == 1
    elif pictures > 1:
        assert following == (here + 1) % pictures


def test_when_is_read() -> None:
    assert parse_when("0.25", "x") == When(0.25)
    assert parse_when("@1,4-6", "x").ranges == ((1, 1), (4, 6))
    assert not parse_when("0", "x").ever
