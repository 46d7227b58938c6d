"""Regions in tiles beside regions that are too large for one: nobody's row depends on who is elsewhere in the frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors import natives
from kernels.executors.reference import evaluate_clip
from kernels.host import loops
from kernels.host.calling import call
from kernels.host.light_loops import LAST, LIGHT
from kernels.host.run_loops import ASIDE, CELL, board_loop
from kernels.host.tiling import _runs
from kernels.plugins import find_stage

Array = npt.NDArray[Any]
FAR = 110  # columns: what is right of it is elsewhere


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    loops.provide(natives.load)
    yield
    loops.provide(natives.load)


def scene(seed: int, long: int) -> tuple[Array, Array, Array]:
    """A mask of small blobs, some touching; the same with a region of `long` rows elsewhere; the picture of both."""
    random = np.random.default_rng(seed)
    height, width = 60, FAR + 60
    y, x = np.mgrid[:height, :width]
    image = 50.0 + random.normal(0, 3, (height, width))
    for _ in range(12):
        cx, cy, light = random.uniform(4, FAR - 35), random.uniform(2, height - 3), random.uniform(60, 200)
        for k in range(random.integers(1, 4)):
            image += light * np.exp(-((x - cx - 6.5 * k) ** 2 + (y - cy) ** 2) / 4.0)
    small = (image > 75) & (x < FAR - 10)
    large = small.copy()
    large[2 : 2 + long, width - 20 : width - 12] = True
    return small, large, np.clip(image, 0, 255)


def tables(mask: Array, image: Array, **params: Any) -> list[Array]:
    made = evaluate_clip(find_stage("components"), mask[None], image[None], **params)
    assert made[0].overflow == 0
    return [made[0].rows]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 9999), st.sampled_from(("slope", "ring", "level")), st.sampled_from((0.0, 4.0)),
       st.sampled_from((0.0, 1.4)), st.sampled_from((44, 45, 50)),
       st.sampled_from((np.uint8, np.float32, np.float64)))  # fmt: skip
def test_a_large_region_elsewhere_changes_no_row(
    seed: int, ground: str, split: float, sigma: float, long: int, kind: Any
) -> None:
    small, large, image = scene(seed, long)
    params = {"background": ground, "split": split, "refine_sigma": sigma}
    (alone,), (both,) = (tables(mask, image.astype(kind), **params) for mask in (small, large))
    there = both[both["x"] < FAR]
    assert len(there) == len(alone) < len(both)
    assert np.sort(there, order=("y", "x")).tobytes() == np.sort(alone, order=("y", "x")).tobytes()
    # The order of the components, too: the large one's parts alone stand behind the others.
    assert there.tobytes() == alone.tobytes()


@pytest.mark.parametrize("capacity", [2, 3, 4, 4096])
def test_the_large_region_has_its_place_and_capacity_counts_all(capacity: int) -> None:
    image = np.full((70, 90), 20, np.uint8)
    mask = np.zeros(image.shape, np.bool_)
    for y, x, rows, columns in ((2, 2, 3, 3), (5, 20, 60, 12), (6, 50, 3, 4), (40, 60, 2, 5), (60, 4, 4, 4)):
        mask[y : y + rows, x : x + columns] = True
    (made,) = evaluate_clip(find_stage("components"), mask[None], np.where(mask, 90, image)[None].astype(np.uint8),
                            capacity=capacity)  # fmt: skip
    assert made.rows["area"].tolist() == [9.0, 720.0, 12.0, 10.0, 16.0][:capacity]
    assert made.overflow == max(0, 5 - capacity)
    np.testing.assert_allclose(made.rows["x"], [3.0, 25.5, 51.5, 62.0, 5.5][:capacity], atol=1e-9)
    np.testing.assert_allclose(made.rows["peak"], 70.0, atol=1e-9)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_largest_numbers_are_split_without_a_fault(kind: Any) -> None:
    random = np.random.default_rng(0)
    for dark in (False, True):
        values = np.array([-3.4e38, -3.3e38, 3.4e38 if dark else -3e38], kind)
        image = -random.choice(values, (1, 60, 61)) if dark else random.choice(values, (1, 60, 61))
        mask = random.random(image.shape) < 0.7
        (made,) = evaluate_clip(find_stage("components"), mask, image, split=2.5, split_depth=0.0,
                                polarity="dark" if dark else "bright")  # fmt: skip
        assert np.isfinite(made.rows["x"]).all()
        assert made.rows["area"].sum() == mask.sum()


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 3), st.integers(1, 20), st.integers(1, 70), st.floats(0, 1), st.booleans(), st.integers(0, 9999))
def test_runs_are_those_of_each_row(frames: int, height: int, width: int, share: float, ones: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    mask = (random.random((frames, height, width)) < share).astype(np.uint8)
    if not ones:  # bytes of a mask that came as u8
        mask *= random.integers(1, 256, mask.shape).astype(np.uint8)
    edges = np.diff(np.pad((mask.reshape(-1, width) != 0).astype(int), ((0, 0), (1, 1))), axis=1)
    (begin_row, begin), (end_row, end) = np.nonzero(edges == 1), np.nonzero(edges == -1)
    first, last = _runs(mask.view(np.bool_))
    assert first.tolist() == (begin_row * width + begin).tolist()
    assert last.tolist() == (end_row * width + end - 1).tolist()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 400), st.integers(0, 30), st.integers(1, 20), st.integers(0, 9999))
def test_a_board_holds_all_that_is_near_whom_it_is_for(width: int, margin: int, count: int, seed: int) -> None:
    random, height = np.random.default_rng(seed), 40
    picture = np.zeros((height, width), np.bool_)
    start, box = np.zeros((count, 2), np.int64), np.zeros((count, 4), np.int64)
    first: list[int] = []
    last: list[int] = []
    for i in range(count):
        left, top = int(random.integers(width)), int(random.integers(height))
        right, bottom = min(left + int(random.integers(12)), width - 1), min(top + int(random.integers(5)), height - 1)
        start[i], box[i] = (len(first), bottom - top + 1), (left, right, top, bottom)
        first += [row * width + left for row in range(top, bottom + 1)]
        last += [row * width + right for row in range(top, bottom + 1)]
        picture[top : bottom + 1, left : right + 1] = True
    state = np.where(random.random(count) < 0.3, LAST, LIGHT).astype(np.int64)
    pitch = (width + ASIDE + 64) // CELL + 4
    board, touched = np.zeros(height * pitch, np.int64), np.zeros(height * pitch, np.int64)
    call(board_loop, np.array(first), np.array(last), start, box, state, count, LAST, margin, 0, height, width, pitch,
         board, np.zeros(height, np.int64), touched, 0)  # fmt: skip
    drawn = (board.reshape(height, pitch)[:, :, None] >> np.arange(CELL) & 1).reshape(height, -1) == 1
    drawn = drawn[:, ASIDE : ASIDE + width]
    assert not (drawn & ~picture).any()
    for left, right, top, bottom in box[state == LAST].tolist():
        near = np.s_[max(top - margin, 0) : bottom + margin + 1, max(left - margin, 0) : right + margin + 1]
        assert np.array_equal(drawn[near], picture[near])


def test_a_board_lacks_what_is_far_aside() -> None:
    box = np.array([[10, 12, 5, 5], [300, 302, 5, 5], [14, 15, 6, 6]])
    first, last = np.array([2010, 2300, 2414]), np.array([2012, 2302, 2415])
    start = np.array([[0, 1], [1, 1], [2, 1]])
    touched = np.zeros(99, np.int64)
    many = call(board_loop, first, last, start, box, np.array([LAST, LIGHT, LIGHT]), 3, LAST, 4, 0, 40, 400, 24,
                np.zeros(40 * 24, np.int64), np.zeros(40, np.int64), touched, 0)  # fmt: skip
    assert touched[:many].tolist() == [5 * 24 + (ASIDE + 10) // CELL, 6 * 24 + (ASIDE + 14) // CELL]
