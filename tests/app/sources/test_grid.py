"""Stamps that containers rounded become the grid that they were; what is missing or uneven in them is named."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from app.sources.base import frame_numbers
from app.sources.grid import find_grid, uneven_sentence

MS = Fraction(1, 1000)
RATES = [Fraction(n) for n in (24, 25, 30, 60, 120, 240, 300, 480, 500, 600, 700, 800, 960)]
RATES += [Fraction(30000, 1001), Fraction(240000, 1001)]


def rounded(numbers: np.ndarray, rate: Fraction, tick: Fraction, how: str, phase: float) -> np.ndarray:
    """Stamps of frames `numbers` in ticks, rounded or cut off, the first of them not at a whole tick."""
    exact = [n / (rate * tick) + Fraction(phase) for n in numbers.tolist()]
    up = {"round": Fraction(1, 2), "floor": Fraction(0)}  # halves go up, as FFmpeg has them
    return np.array([round(v) if how == "even" else math.floor(v + up[how]) for v in exact], np.int64)


@given(st.sampled_from(RATES), st.sampled_from((MS, Fraction(1, 600), Fraction(1, 12800), Fraction(1, 90000))),
       st.integers(5, 400), st.sampled_from(("round", "floor")), st.sampled_from((0.0, 0.3, 0.5, 0.99)))  # fmt: skip
@example(Fraction(700), MS, 60, "round", 0.0)
@example(Fraction(800), MS, 5, "floor", 0.99)
@example(Fraction(480), MS, 99, "even", 0.0)
def test_a_rounded_grid_that_the_file_names_is_found_again(
    rate: Fraction, tick: Fraction, frames: int, how: str, phase: float
) -> None:
    assume(rate * tick <= 1)
    grid = find_grid(rounded(np.arange(frames), rate, tick, how, phase), tick, [rate])
    assert grid is not None
    assert grid.rate == float(rate)
    assert grid.numbers.tolist() == list(range(frames))
    assert grid.sentence() == ""


@given(st.sampled_from(RATES), st.integers(0, 1000), st.sampled_from(("round", "floor")))
def test_a_rate_that_nobody_names_is_found_as_near_as_stamps_tell(rate: Fraction, seed: int, how: str) -> None:
    """Frames lie within a millisecond of their stamps, which are as much off, whatever rate is taken for theirs."""
    frames = int(np.random.default_rng(seed).integers(10, 300))
    assume(rate <= 900)  # beyond, a missing frame and the rounding of a lower rate look alike
    grid = find_grid(rounded(np.arange(frames), rate, MS, how, 0.25), MS)
    assert grid is not None
    assert not grid.missing
    assert np.abs(grid.numbers / grid.rate - np.arange(frames) / float(rate)).max() <= 0.00201


@given(st.sampled_from([r for r in RATES if r <= 500]), st.integers(0, 10_000), st.sampled_from(("round", "floor")))
def test_missing_frames_keep_their_room(rate: Fraction, seed: int, how: str) -> None:
    rng = np.random.default_rng(seed)
    kept = np.sort(rng.choice(np.arange(1, 199), 198 - int(rng.integers(1, 60)), replace=False))
    numbers = np.concatenate(([0], kept, [199]))
    for tick in (MS, Fraction(1, 90000)):
        grid = find_grid(rounded(numbers, rate, tick, how, 0.0), tick, [rate])
        assert grid is not None
        assert grid.numbers.tolist() == numbers.tolist()
        assert grid.missing == 200 - len(numbers)
        first = int(grid.gaps[0])
        assert f"{numbers[first + 1] - numbers[first] - 1} after frame {first}" in grid.sentence()


def test_a_single_missing_millisecond_is_a_gap_where_the_file_names_the_rate() -> None:
    stamps = np.array([*range(50), *range(51, 100)])
    grid = find_grid(stamps, MS, [Fraction(1000)])
    assert grid is not None
    assert (grid.missing, grid.gaps.tolist(), grid.rate) == (1, [49], 1000.0)
    assert grid.sentence() == "1 frame is missing: 1 after frame 49"


@pytest.mark.parametrize("stamps", [
    np.cumsum([0, *[90, 150] * 40]),  # alternating
    np.cumsum([0, *range(1000, 1080)]),  # ever slower
    np.cumsum([0, *[375] * 40, *[3000] * 40, *[375] * 40]) + np.arange(121) % 7 * 9,  # slow motion that wobbles
])  # fmt: skip
def test_what_no_rate_explains_is_uneven(stamps: np.ndarray) -> None:
    assert find_grid(stamps.astype(np.int64), Fraction(1, 90000), [Fraction(240)]) is None
    assert uneven_sentence(stamps / 90000)


@given(st.lists(st.integers(12, 60), min_size=2, max_size=4), st.integers(0, 99))
def test_paces_are_named_with_the_frames_at_which_they_change(lengths: list[int], seed: int) -> None:
    paces = np.array([0.004, 0.033, 0.001, 0.01])[: len(lengths)]
    steps = np.repeat(paces, lengths) * np.random.default_rng(seed).uniform(0.97, 1.03, sum(lengths))
    said = uneven_sentence(np.concatenate(([0], np.cumsum(steps))))
    assert said.startswith("the pace changes: ")
    for end in np.cumsum(lengths)[:-1]:
        assert f"up to frame {end}" in said


def test_numbers_of_stamps() -> None:
    assert frame_numbers(np.array([0.0])) is None
    assert frame_numbers(np.array([0.0, 0.1, 0.1])) is None
    assert frame_numbers(np.array([0.0, 0.1, 0.2, 0.35])) is None
    found = frame_numbers(np.cumsum([0, 0.101, 0.099, 0.305, 0.1]))
    assert found is not None
    assert found.tolist() == [0, 1, 2, 5, 6]
