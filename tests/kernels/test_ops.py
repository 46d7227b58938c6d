"""The one table of scalar operations: types, corner cases, conversions."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import ExprError
from kernels.ir.image import BOOL, DTYPES, F32, F64, I8, I16, I32, I64, U8, U16
from kernels.ir.ops import OPS, convert, exact, fits, misfit
from tests.oracle import converted, scalar
from tests.strategies import ALL, arrays, same

I32_MIN, I32_MAX, I64_MAX = -(2**31), 2**31 - 1, 2**63 - 1
quick = settings(max_examples=60, deadline=None)


def value(op, *operands, dtype=np.int32):
    with np.errstate(all="ignore"):
        return OPS[op].numpy(*(np.asarray(o, dtype) for o in operands))


def plain(number, dtype):
    """A NumPy number as the oracle takes it."""
    return number if dtype.is_float else number.item()


@pytest.mark.parametrize("name", OPS)
def test_an_entry_is_complete(name):
    op = OPS[name]
    fields = set(re.findall(r"\{(\d)\}", op.c))
    assert fields == {str(i) for i in range(op.arity)}
    assert not op.c_int or set(re.findall(r"\{(\d)\}", op.c_int)) == fields
    assert op.cost >= 0


@pytest.mark.parametrize("name", OPS)
@given(data=st.data())
@quick
def test_numpy_meaning_is_the_oracles(name, data):
    op = OPS[name]
    given_types = data.draw(st.tuples(*[st.sampled_from(ALL)] * op.arity))
    if name == "select":
        given_types = (BOOL, *given_types[1:])
    try:
        wanted, result = op.rule(*given_types)
    except ExprError:
        return
    assert op.rule(*wanted) == (wanted, result)  # converted operands stay
    operands = [data.draw(arrays(t, (8,))) for t in wanted]
    with np.errstate(all="ignore"):
        got = op.numpy(*operands)
        assert got.dtype == result.numpy
        each = [
            scalar(name, [plain(v, t) for v, t in zip(row, wanted, strict=True)], wanted[-1], result)
            for row in zip(*operands, strict=True)
        ]
        assert same(got, np.array(each, result.numpy))
        zero_d = op.numpy(*(np.asarray(o[0]) for o in operands))
        assert same(np.asarray(zero_d), got[0])
        if op.commutes:
            assert same(op.numpy(*operands[::-1]), got)


def test_whole_numbers_wrap():
    assert value("add", I32_MAX, 1) == I32_MIN
    assert value("sub", I32_MIN, 1) == I32_MAX
    assert value("mul", 65536, 65536) == 0
    assert value("neg", I32_MIN) == I32_MIN
    assert value("abs", I32_MIN) == I32_MIN
    assert value("floordiv", I32_MIN, -1) == I32_MIN
    assert value("mod", I32_MIN, -1) == 0


def test_division_of_whole_numbers():
    assert [int(value("floordiv", a, b)) for a, b in ((7, 2), (-7, 2), (7, -2), (-7, -2), (5, 0))] == [3, -4, -4, 3, 0]
    assert [int(value("mod", a, b)) for a, b in ((7, 2), (-7, 2), (7, -2), (-7, -2), (5, 0))] == [1, 1, -1, -1, 0]
    assert OPS["div"].rule(I32, I32) == ((F32, F32), F32)
    assert OPS["div"].rule(U8, F64) == ((F64, F64), F64)


def test_shifts():
    assert value("shl", 1, 31) == I32_MIN
    assert value("shl", 1, 32) == 1  # the low five bits of the count
    assert value("shr", -8, 1) == -4
    assert value("shr", -1, 31) == -1
    assert value("shl", 1, -1) == I32_MIN
    assert value("shl", 1, 40, dtype=np.int64) == 2**40
    assert value("shr", 2**40, 64 + 8, dtype=np.int64) == 2**32


def test_min_and_max_take_the_second_when_unordered():
    f = np.float32
    for op in ("min", "max"):
        assert value(op, np.nan, 1, dtype=f) == 1
        assert np.isnan(value(op, 1, np.nan, dtype=f))
        assert np.signbit(value(op, 0.0, -0.0, dtype=f))
        assert not np.signbit(value(op, -0.0, 0.0, dtype=f))


def test_comparisons_with_nan():
    table = {op: bool(value(op, np.nan, np.nan, dtype=np.float32)) for op in ("lt", "le", "eq", "ne")}
    assert table == {"lt": False, "le": False, "eq": False, "ne": True}


def test_bits():
    assert value("bits", 1.0, dtype=np.float32) == 0x3F800000
    assert value("bits", -0.0, dtype=np.float32) == I32_MIN
    assert value("bits", -np.float32(np.nan), dtype=np.float32) == 0x7FC00000
    assert value("from_bits", 1) == np.float32(1.4e-45)


@pytest.mark.parametrize(
    ("given_value", "wanted"),
    [
        (-0.5, {"u8": 0, "i8": 0, "i64": 0}),
        (0.5, {"u8": 0, "i32": 0}),
        (1.5, {"u8": 2, "i16": 2}),
        (2.5, {"u8": 2, "i32": 2}),
        (254.5, {"u8": 254, "i8": 127}),
        (255.5, {"u8": 255, "u16": 256}),
        (-128.5, {"i8": -128, "u8": 0}),
        (65535.5, {"u16": 65535}),
        (2.0**31, {"i32": I32_MAX, "i64": 2**31}),
        (-(2.0**31), {"i32": I32_MIN, "i64": I32_MIN}),
        (2.0**63, {"i64": I64_MAX, "i32": I32_MAX}),
        (-(2.0**63), {"i64": -(2**63)}),
        (2.0**63 - 1024, {"i64": 2**63 - 1024}),
        (np.inf, {"u8": 255, "i8": 127, "u16": 65535, "i16": 32767, "i32": I32_MAX, "i64": I64_MAX}),
        (-np.inf, {"u8": 0, "i8": -128, "u16": 0, "i16": -32768, "i32": I32_MIN, "i64": -(2**63)}),
        (np.nan, {"u8": 0, "i8": 0, "u16": 0, "i16": 0, "i32": 0, "i64": 0, "bool": True}),
        (-0.0, {"bool": False, "i32": 0}),
    ],
)
def test_floats_become_whole_numbers(given_value, wanted):
    for name, number in wanted.items():
        assert convert(np.array([given_value]), DTYPES[name])[0] == number
        if float(np.float32(given_value)) == given_value or np.isnan(given_value):
            assert convert(np.array([given_value], np.float32), DTYPES[name])[0] == number


@given(data=st.data())
@quick
def test_every_conversion_is_the_oracles(data):
    a, b = data.draw(st.sampled_from(ALL)), data.draw(st.sampled_from(ALL))
    given_values = data.draw(arrays(a, (30,)))
    with np.errstate(all="ignore"):
        wanted = np.array([converted(plain(v, a), b) for v in given_values], b.numpy)
    assert same(convert(given_values, b), wanted)
    assert same(np.asarray(convert(np.asarray(given_values[0]), b)), wanted[0])


def test_exact_is_what_survives_the_way_back():
    for a, b in itertools.product(ALL, ALL):
        if a.is_float:
            info = np.finfo(a.numpy)
            tests = np.array([info.max, info.tiny, -1.5, 0.1], a.numpy)
        elif a == BOOL:
            tests = np.array([False, True])
        else:
            info = np.iinfo(a.numpy)
            tests = np.array([info.min, info.min + 1, info.max, info.max - 1], a.numpy)
        back = convert(convert(tests, b), a)
        assert exact(a, b) == same(back, tests), (a, b)


def test_fits():
    assert fits(255, U8)
    assert fits(255.0, U8)
    assert not fits(256, U8)
    assert not fits(0.5, I32)
    assert not fits(float("nan"), I32)
    assert not fits(float("inf"), I64)
    assert fits(float("inf"), F32)
    assert fits(3.4028235e38, F32)
    assert not fits(3.5e38, F32)
    assert fits(3.5e38, F64)
    assert not fits(10**400, F64)
    assert not fits(10**400, I32)
    assert fits(1, BOOL)
    assert not fits(2, BOOL)


def test_wrong_types_are_refused():
    with pytest.raises(ExprError, match="whole-number operation got f32 and i32; convert to i32 first"):
        OPS["and"].rule(F32, I32)
    with pytest.raises(ExprError, match="select needs a bool condition, not u8"):
        OPS["select"].rule(U8, I32, I32)
    with pytest.raises(ExprError, match="bits takes f32, not f64"):
        OPS["bits"].rule(F64)
    with pytest.raises(ExprError, match="from_bits takes i32, not i16"):
        OPS["from_bits"].rule(I16)


def test_result_types():
    assert OPS["min"].rule(U8, U8) == ((U8, U8), U8)
    assert OPS["min"].rule(U8, U16) == ((I32, I32), I32)
    assert OPS["and"].rule(BOOL, BOOL) == ((BOOL, BOOL), BOOL)
    assert OPS["and"].rule(BOOL, I8) == ((I32, I32), I32)
    assert OPS["neg"].rule(BOOL) == ((I32,), I32)
    assert OPS["sqrt"].rule(I64) == ((F32,), F32)
    assert OPS["lt"].rule(U16, F32) == ((F32, F32), BOOL)
    assert OPS["select"].rule(BOOL, U8, U8) == ((BOOL, U8, U8), U8)
    assert OPS["add"].rule(I64, I8) == ((I64, I64), I64)


def test_misfit_finds_the_first():
    assert misfit((0, 255, 3), U8) is None
    assert misfit((0, 256, -1), U8) == 256
    assert misfit((0.0, 2.0), U8) is None
    assert misfit((0.0, 2.5), U8) == 2.5
    assert misfit((1, 2**70), I64) == 2**70
    assert misfit((1.0, float("nan"), float("inf"), 0.1), F32) is None
    assert misfit((1.0, 1e39), F32) == 1e39
    assert misfit((0.5, float("nan")), I32) == 0.5
    assert misfit((True, False), BOOL) is None
    assert misfit((0, 2), BOOL) == 2
