"""Regions in tiles beside regions that are too large for one: nobody's row depends on who is elsewhere in the frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.components.tiling import _regions
from kernels.executors import natives
from kernels.executors.reference import evaluate_clip
from kernels.loops import language
from kernels.plugins import find_stage
from kernels.regions.labels import components

Array = npt.NDArray[Any]
FAR = 110  # columns: what is right of it is elsewhere


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    language.provide(natives.load)
    yield
    language.provide(natives.load)


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
    # Not even the order of the components: the large one's parts alone stand behind the others. Of better centres all
    # in the picture tell how sure each is.
    for name in there.dtype.names:
        if sigma == 0 or name not in ("sigma", "anisotropy"):
            np.testing.assert_array_equal(there[name], alone[name], name)


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


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 3), st.integers(1, 20), st.sampled_from((1, 2, 9, 63, 64, 65, 128, 130)),
       st.sampled_from((0.0, 0.02, 0.1, 0.3, 0.6, 0.9, 1.0)), st.sampled_from((1, 2, 7, 40)),
       st.sampled_from((3, 4096)), st.sampled_from(("4", "8")), st.booleans(), st.booleans(),
       st.integers(0, 9999))  # fmt: skip
def test_regions_are_the_wanted_components_and_the_board_holds_no_other(
    frames: int, height: int, width: int, share: float, least: int, capacity: int, connectivity: str, ones: bool,
    compiled: bool, seed: int,
) -> None:  # fmt: skip
    random = np.random.default_rng(seed)
    mask = (random.random((frames, height, width)) < share).astype(np.uint8)
    if not ones:  # bytes of a mask that came as u8
        mask *= random.integers(1, 256, mask.shape).astype(np.uint8)
    language.provide(natives.load if compiled else None)
    params = {p.name: p.default for p in find_stage("components").params}
    params |= {"min_area": least, "capacity": capacity, "connectivity": connectivity}
    found, _, given_up = _regions(mask.view(np.bool_), 0, frames, params, np.inf)
    assert found.frames == frames
    pixels = np.flatnonzero(mask)
    labels, many = components(pixels, (height, width), int(connectivity))
    wanted, overflow, drawn = [], np.zeros(frames, int), np.zeros(mask.size, np.bool_)
    for label in range(many):
        own = pixels[labels == label]
        frame = own[0] // (height * width)
        if len(own) >= least and [k for k, _ in wanted].count(frame) == capacity:
            overflow[frame] += 1
        elif len(own) >= least:
            wanted.append((frame, own))
            drawn[own] = True
    assert found.count == len(wanted)
    assert given_up.tolist() == overflow.tolist()
    assert found.owner[: found.count].tolist() == [frame for frame, _ in wanted]
    begin = 0
    for i, (_, own) in enumerate(wanted):
        start, number = found.start[2 * i : 2 * i + 2].tolist()
        assert start == begin
        begin += number
        runs = zip(found.own_first[start:begin].tolist(), found.own_last[start:begin].tolist(), strict=True)
        assert [p for a, b in runs for p in range(a, b + 1)] == own.tolist()
        x, y = own % width, own // width
        assert found.box[4 * i : 4 * i + 4].tolist() == [x.min(), x.max(), y.min(), y.max()]
    assert found.runs == begin
    rows = found.board[: frames * height * found.pitch].reshape(-1, found.pitch)
    bits = (rows[:, :, None] >> np.arange(64) & 1).reshape(frames * height, -1) == 1
    assert np.array_equal(bits[:, 64 : 64 + width], drawn.reshape(-1, width))
    assert not bits[:, :64].any()
    assert not bits[:, 64 + width :].any()
    assert found.board[frames * height * found.pitch] == 0


@pytest.mark.parametrize("kind", ["checks", "full", "stairs", "comb", "spiral"])
@pytest.mark.parametrize("connectivity", ["4", "8"])
def test_masks_with_many_runs_in_a_row_or_long_ways_are_labelled(kind: str, connectivity: str) -> None:
    y, x = np.mgrid[:150, :700]
    mask = {"checks": (x + y) % 2 == 0, "full": x >= 0, "stairs": (x + 2 * y) % 5 < 2,
            "comb": (x % 2 == 0) & (y >= 149 - x // 5) | (y == 149), "spiral": x < 0}[kind]  # fmt: skip
    for k in range(0, 74, 2) if kind == "spiral" else ():
        mask[k, max(k - 2, 0) : 700 - k] = mask[149 - k, k : 700 - k] = True
        mask[k : 150 - k, 699 - k] = mask[k + 2 : 150 - k, k] = True
    params = {p.name: p.default for p in find_stage("components").params} | {
        "connectivity": connectivity, "capacity": 10**6, "split": 2.0}  # fmt: skip
    masks = np.stack((mask, mask[::-1], mask[:, ::-1]))
    pixels = np.flatnonzero(masks)
    labels, many = components(pixels, mask.shape, int(connectivity))
    base, areas = 0, []
    while base < 3:  # there is room for one and more
        found = _regions(masks, base, 3 - base, params, np.inf).regions
        lengths = found.own_last[: found.runs] - found.own_first[: found.runs] + 1
        owners = np.repeat(np.arange(found.count), found.start[1 : 2 * found.count : 2])
        areas += np.bincount(owners, lengths, found.count).tolist()
        base += found.frames
    assert areas == np.bincount(labels, minlength=many).tolist()


@pytest.mark.parametrize("width", [1, 63, 65, 130])
def test_no_byte_behind_a_mask_is_one_of_it(width: int) -> None:
    memory = np.ones(2 * 3 * width + 200, np.bool_)
    masks = memory[100 : 100 + 6 * width].reshape(2, 3, width)
    params = {p.name: p.default for p in find_stage("components").params}
    found = _regions(masks, 0, 2, params, np.inf).regions
    assert found.box[: 4 * found.count].tolist() == [0, width - 1, 0, 2, 0, width - 1, 3, 5]
