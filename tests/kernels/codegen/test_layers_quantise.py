"""Epilogues of quantisers in fewer steps: the same bytes for all that can go in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.codegen.layers_bounds import bounds
from kernels.codegen.layers_epilogue import SUM, beside, constant, summed
from kernels.codegen.layers_quantise import prepared, valued
from kernels.ir.expr import Expr, const, convert, maximum, minimum, postorder, rint
from kernels.ir.image import F32, I8, I32, U8, DType

SUMS = np.concatenate([np.arange(-70000, 70000, 7), [-(2**31), 2**31 - 1, 2**30, -(2**30)]]).astype(np.int32)
STRANGE = np.array([np.nan, np.inf, -np.inf, 1e30, -1e30, -0.0, 0.5, 1.5, 2.5, -0.5, 511.5, -513.0], np.float32)
TABLE = {"channel0": (1e-3, 1e-2)}


def quantised(x: Expr, zero: int, dtype: DType = U8) -> Expr:
    return convert(rint(x) + float(zero), dtype)


def floats(x: Expr, zero: int, scale: float) -> Expr:
    return convert(convert(x, I32) - zero, F32) * scale


def same(root: Expr, known: dict[Expr, np.ndarray]) -> Expr:
    """The epilogue of `root`, which gives the same values."""
    epilogue, numbers = prepared(root, TABLE)
    leaves = {leaf: numbers[k : k + 1].view(leaf.dtype.numpy) for k, leaf in epilogue.scalar_leaves}
    assert np.array_equal(valued(epilogue.root, known | leaves), valued(root, known))
    return epilogue.root


def ops(root: Expr) -> list[str]:
    return [node.op for node in postorder([root])]


@settings(max_examples=60)
@given(zero=st.integers(-128, 255), dtype=st.sampled_from([U8, I8]), scale=st.sampled_from([3e-4, 0.02, 0.7, 1e9]))
def test_sums_are_rounded_once(zero: int, dtype: DType, scale: float):
    sums = convert(summed(I32), F32)
    known = {summed(I32): SUMS, constant(0): np.float32(0.004)}
    made = same(quantised(sums * scale, zero, dtype), known)
    assert "rint" not in ops(made)
    same(quantised(maximum(sums * constant(0), 0.0), zero, dtype), known)


@settings(max_examples=60)
@given(zero=st.integers(-128, 255), dtype=st.sampled_from([U8, I8]))
def test_floats_that_are_no_numbers_become_the_same_bytes(zero: int, dtype: DType):
    same(quantised(SUM, zero, dtype), {SUM: STRANGE})
    same(quantised(floats(quantised(SUM, zero, dtype), zero, 0.5) / 0.3, 7), {SUM: STRANGE})


BYTES = np.meshgrid(np.arange(256, dtype=np.uint8), np.arange(256, dtype=np.uint8), indexing="ij")


@settings(max_examples=40, deadline=None)
@given(
    scales=st.tuples(*[st.floats(0.01, 0.2)] * 3), zeros=st.tuples(*[st.integers(0, 255)] * 3),
    dtype=st.sampled_from([U8, I8]),
)  # fmt: skip
def test_sums_of_bytes_have_the_same_bytes(scales: tuple[float, ...], zeros: tuple[int, ...], dtype: DType):
    a, b = beside(0, U8), beside(1, U8)
    total = floats(a, zeros[0], scales[0]) + floats(b, zeros[1], scales[1])
    same(quantised(total / scales[2], zeros[2] - 128 * (dtype == I8), dtype), {a: BYTES[0], b: BYTES[1]})


def test_a_division_becomes_a_product_where_that_is_the_same():
    a, b = beside(0, U8), beside(1, U8)
    root = quantised((floats(a, 3, 0.05) + floats(b, 0, 0.02)) / 0.0625, 9)  # a power of two: always
    assert "div" not in ops(same(root, {a: BYTES[0], b: BYTES[1]}))
    free = quantised(SUM / 0.0625, 9)
    assert "div" in ops(same(free, {SUM: STRANGE}))  # of any float it is not looked at


def test_bytes_between_floats_stay_floats():
    inner = quantised(convert(summed(I32), F32) * constant(0), 30)
    root = quantised(floats(inner, 30, 0.05) + floats(beside(0, U8), 0, 0.02), 5)
    made = same(root, {summed(I32): SUMS[:256], constant(0): np.float32(0.004), beside(0, U8): BYTES[0][:, 0]})
    assert [n.dtype for n in postorder([made]) if n.op == "convert"].count(U8) == 1


@pytest.mark.parametrize("zero", [0, -128, 127, 5])
def test_bytes_with_a_sign_take_no_more_steps(zero: int):
    """They lie as u8 that are 128 more."""
    kept = convert(convert(beside(0, U8), I32) - 128, I8)
    value = convert(summed(I32), F32) * 0.004 + floats(kept, zero, 0.02)
    root = convert(convert(quantised(value, zero, I8), I32) + 128, U8)
    made = same(root, {summed(I32): SUMS[:256], beside(0, U8): BYTES[0][:, 0]})
    assert I8 not in {node.dtype for node in postorder([made])}
    strange = convert(convert(quantised(SUM, zero, I8), I32) + 128, U8)
    same(strange, {SUM: STRANGE})


def test_floats_that_leave_keep_the_sign_of_their_zeros():
    root = floats(quantised(convert(summed(I32), F32) * 1e-3, 30), 30, 0.05)
    epilogue, _ = prepared(root, TABLE)
    assert "convert" in [node.op for node in postorder([epilogue.root]) if node.dtype == U8]


def test_layers_that_differ_in_constants_share_an_epilogue():
    one, two = (prepared(quantised(convert(summed(I32), F32) * s, z), TABLE) for s, z in ((0.01, 3), (0.02, 250)))
    assert one[0] == two[0]
    assert one[0].calm
    assert not np.array_equal(one[1], two[1])
    assert not prepared(quantised(convert(summed(I32), F32) * 1e9, 3), TABLE)[0].calm


@pytest.mark.parametrize(
    ("node", "wanted"),
    [
        (minimum(maximum(SUM, -3.0), 5.0), (-3, 5)),
        (convert(minimum(maximum(SUM, -3.0), 5.0), I32) + 4, (1, 9)),
        (convert(beside(0, U8), I32), (0, 255)),
        (convert(beside(0, I8), F32), (-128, 127)),
        (minimum(SUM, 5.0), None),
        (maximum(const(-3.0), SUM), None),
        (convert(SUM, I32), None),
    ],
)
def test_bounds_are_those_of_limits(node: Expr, wanted: tuple[int, int] | None):
    assert bounds(list(postorder([node]))).get(node) == wanted
