"""Screen colours against a formula, pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.gui.video.colours import TABLES, Levels, auto_levels, full_levels, histogram, table, to_screen
from kernels.errors import InputError

KINDS = ("u1", "u2", "i2", "u4", "f4", "f8", "?")


def expected(value: float, levels: Levels, name: str) -> int:
    share = min(1.0, max(0.0, (value - levels.low) / (levels.high - levels.low)))
    return int(table(name)[round(255 * share ** (1 / levels.gamma))])


@given(st.sampled_from(KINDS), st.sampled_from(TABLES), st.integers(0, 2**32), st.floats(0.3, 3.0), st.data())
def test_every_pixel_is_that_of_the_formula(kind: str, name: str, seed: int, gamma: float, data: st.DataObject) -> None:
    rng = np.random.default_rng(seed)
    shape = (data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5)))
    pixels = (rng.normal(100, 400, shape)).clip(0 if kind[0] in "u?" else None).astype(kind)
    low = data.draw(st.floats(-50, 100))
    levels = Levels(0, 1) if kind == "?" else Levels(low, low + data.draw(st.floats(1, 500)), gamma)
    out = np.zeros(shape, np.uint32)
    to_screen(pixels, levels, name, out)
    for y in range(shape[0]):
        for x in range(shape[1]):
            value = float(np.clip(pixels[y, x], *_limits(kind)))
            near = [expected(value + d, levels, name) for d in (-1e-6, 0.0, 1e-6)]
            assert int(out[y, x]) in near


def _limits(kind: str) -> tuple[float, float]:
    return (-np.inf, np.inf) if kind[0] in "f?" else (np.iinfo(kind).min, np.iinfo(kind).max)


@given(st.sampled_from(["u1", "u2", "f4"]), st.integers(3, 4), st.integers(0, 2**32))
def test_colours_keep_their_order(kind: str, channels: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pixels = rng.integers(0, 256, (3, 4, channels)).astype(kind)
    out = np.zeros((3, 4), np.uint32)
    to_screen(pixels, Levels(0, 255), "gray", out)
    r, g, b = (np.rint(pixels[:, :, i]).astype(np.uint32) for i in range(3))
    np.testing.assert_array_equal(out, 0xFF000000 | r << 16 | g << 8 | b)


def test_what_is_no_number_is_black_and_does_no_harm() -> None:
    out = np.zeros((1, 3), np.uint32)
    to_screen(np.array([[np.nan, np.inf, -np.inf]], np.float32), Levels(0, 1), "gray", out)
    assert [hex(v) for v in out[0]] == ["0xff000000", "0xffffffff", "0xff000000"]


def test_levels() -> None:
    assert full_levels(12) == Levels(0, 4095)
    assert full_levels(0) == Levels(0, 1)
    picture = np.full((100, 100), 7, np.uint16)
    assert auto_levels(picture) == Levels(7, 8)
    picture[:50] = 900
    assert auto_levels(picture) == Levels(7, 900)
    assert auto_levels(np.full((4, 4), np.nan)) == Levels(0, 1)
    with pytest.raises(InputError, match="black below white"):
        Levels(3, 3)


@given(st.sampled_from(["u1", "u2", "f4"]), st.integers(1, 40), st.integers(1, 40))
def test_a_histogram_counts_every_sample_of_a_small_picture(kind: str, height: int, width: int) -> None:
    pixels = np.random.default_rng(0).integers(0, 200, (height, width)).astype(kind)
    counts, edges = histogram(pixels)
    assert counts.sum() == pixels.size
    assert len(edges) == len(counts) + 1
    if kind == "u1":
        assert counts[int(pixels[0, 0])] == (pixels == pixels[0, 0]).sum()
