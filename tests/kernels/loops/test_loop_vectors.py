"""Vectors of eight that loops bring together and take apart, compiled and in Python."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors import natives
from kernels.loops import language
from kernels.loops.language import (
    F32,
    F64,
    I64,
    PIXELS,
    address,
    compress,
    exponent,
    gather,
    load,
    loop,
    mantissa,
    mask,
    store,
)


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    language.provide(natives.load)
    yield
    language.provide(natives.load)


@loop
def brought(p: PIXELS, places: I64, out: F64) -> int:
    store(out, 1, gather(p, places, 1))
    return 0


@pytest.mark.parametrize("kind", ["uint8", "int8", "uint16", "int32", "int64", "float32", "float64"])
def test_eight_elements_come_from_anywhere(kind: str) -> None:
    pixels = np.random.default_rng(1).integers(0 if kind[0] == "u" else -100, 100, 60).astype(kind)
    places, out = np.array([99, 0, 59, 3, 3, 50, 21, 33, 2]), np.zeros((2, 10))
    native = brought.native(kind)
    assert native is not None
    native(address(pixels), address(places), address(out[0]))
    brought(pixels, places, out[1])
    for one in out:
        assert one.tolist() == [0.0, *pixels[places[1:]].astype(float).tolist(), 0.0]


@loop
def rounded(a: F64, out: F32) -> int:
    store(out, 1, load(a, 0) * 3.0)
    return 0


def test_eight_f64_go_into_an_array_of_f32_as_the_nearest() -> None:
    a, out = np.array([0.1, 1e-50, -7.3, 1e300, 16777217.0, np.nan, -0.0, 2.5]), np.zeros((2, 10), np.float32)
    native = rounded.native()
    assert native is not None
    native(address(a), address(out[0]))
    with np.errstate(over="ignore"):
        rounded(a, out[1])
        np.testing.assert_array_equal(out[0], [0.0, *(a * 3.0).astype(np.float32), 0.0])
    assert out[0].tobytes() == out[1].tobytes()


@loop
def compared(a: F64, least: float) -> int:
    return mask(load(a, 1) >= least)


@given(st.lists(st.sampled_from((0.0, 1.0, np.nan)), min_size=9, max_size=9))
def test_a_mask_says_which_of_eight_hold(values: list[float]) -> None:
    a, native = np.array(values), compared.native()
    assert native is not None
    wanted = sum(1 << k for k in range(8) if values[k + 1] >= 1.0)
    assert native(address(a), 1.0) == compared(a, 1.0) == wanted


@loop
def packed(numbers: F64, places: I64, word: int, out: F64, others: I64) -> int:
    compress(out, 2, numbers, 1, word)
    compress(others, 0, places, 1, word)
    return 0


@given(st.integers(0, 255))
def test_those_of_eight_that_are_in_a_word_lie_one_behind_the_other(word: int) -> None:
    numbers, places = np.arange(9) / 7.0, np.arange(9) - (1 << 60)
    kept = [k + 1 for k in range(8) if word >> k & 1]
    native = packed.native()
    assert native is not None
    for run in (False, True):
        out, others = np.full(10, -1.0), np.zeros(8, np.int64)
        if run:
            native(address(numbers), address(places), word, address(out), address(others))
        else:
            packed(numbers, places, word, out, others)
        assert out[: 2 + len(kept)].tolist() == [-1.0, -1.0, *numbers[kept].tolist()]
        assert others[: len(kept)].tolist() == places[kept].tolist()


@loop
def parted(a: F64, out: F64) -> int:
    store(out, 0, exponent(load(a, 0)))
    store(out, 8, mantissa(load(a, 0)))
    out[16], out[17] = exponent(a[0]), mantissa(a[0])
    return 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.floats(1e-300, 1e300), min_size=8, max_size=8))
def test_numbers_fall_into_exponent_and_mantissa(values: list[float]) -> None:
    a, native = np.array(values), parted.native()
    assert native is not None
    made = np.zeros((2, 18))
    native(address(a), address(made[0]))
    parted(a, made[1])
    assert made[0].tobytes() == made[1].tobytes()
    part, power = np.frexp(a)
    assert made[0, :8].tolist() == (power - 1.0).tolist()
    assert made[0, 8:16].tolist() == (2.0 * part).tolist()
    assert made[0, 16:].tolist() == [made[0, 0], made[0, 8]]
