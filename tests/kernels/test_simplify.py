"""Each rule of simplification against the reference, on corner cases of every type."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import ExprError
from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, apply, const, convert, param, postorder, select
from kernels.ir.image import BOOL, F32, F64, I16, I32, I64, U8, U16, ImageType
from kernels.ir.ops import OPS
from kernels.ir.planes import input_plane
from kernels.ir.simplify import (
    RULES,
    cancel_twice,
    drop_neutral,
    fold_constants,
    join_conversions,
    pick_side,
    simplify,
)
from kernels.ir.volumes import stack
from tests.strategies import ALL, arrays, same, values

SIZE = (1, 24)
quick = settings(max_examples=80, deadline=None)


def agree(data, root: Expr, other: Expr) -> None:
    assert (root.dtype, root.size) == (other.dtype, other.size)
    kinds = tuple(ImageType(t, *SIZE) for t in ALL)
    seen = {ALL[node.arg.index] for node in postorder((root, other)) if node.op == "input"}
    clip = [data.draw(arrays(t, (1, *SIZE))) if t in seen else np.zeros((1, *SIZE), t.numpy) for t in ALL]
    results = []
    for plane in (root, other):
        body = Body(kinds, (Output("out", ImageType(plane.dtype, *SIZE), (plane,)),), {"gain": F32}, {"gain": 2.0})
        results.append(ReferenceProgram(body).run(clip, {})["out"])
    assert same(*results)


def plane(dtype):
    return input_plane(ALL.index(dtype), 0, dtype, SIZE)


@given(data=st.data())
@quick
def test_constants_fold(data):
    op = OPS[data.draw(st.sampled_from(list(OPS)))]
    dtypes = [data.draw(st.sampled_from(ALL)) for _ in range(op.arity)]
    try:
        root = apply(op.name, *(const(data.draw(values(t)), t) for t in dtypes))
    except ExprError:
        return
    folded = fold_constants(root)
    assert folded is not None
    assert folded.op == "const"
    agree(data, root, folded)


@given(data=st.data())
@quick
def test_conversions_join(data):
    a, b, c = (data.draw(st.sampled_from(ALL)) for _ in range(3))
    root = convert(convert(plane(a), b), c)
    joined = join_conversions(root)
    if joined is not None:
        agree(data, root, joined)


def test_conversions_that_join():
    x = plane(U8)
    assert simplify((x.to(I32).to(F32),))[0] is x.to(F32)
    assert simplify((x.to(F32).to(U8),))[0] is x
    assert simplify((plane(F32).to(F64).to(I32),))[0] is plane(F32).to(I32)
    kept = plane(F32).to(U8).to(F32)
    assert simplify((kept,))[0] is kept
    kept = plane(I32).to(F32).to(I32)  # f32 rounds
    assert simplify((kept,))[0] is kept


@pytest.mark.parametrize("dtype", [I32, F32, I64, F64])
@given(data=st.data())
@quick
def test_neutral_operands_go(dtype, data):
    name = data.draw(st.sampled_from([n for n, op in OPS.items() if op.arity == 2]))
    number = const(data.draw(st.sampled_from((0, 1, -1) if not dtype.is_float else (0.0, -0.0, 1.0, -1.0))), dtype)
    operands = [plane(dtype), number] if data.draw(st.booleans()) else [number, plane(dtype)]
    try:
        root = apply(name, *operands)
    except ExprError:
        return
    other = drop_neutral(root)
    if other is not None:
        agree(data, root, other)


def test_what_is_neutral():
    x, i = plane(F32), plane(I32)
    for root in (x * 1, 1 * x, x / 1, x - 0.0, x + const(-0.0)):
        assert simplify((root,))[0] is x
    for root in (i + 0, 0 + i, i * 1, i // 1, i | 0, i ^ 0, i << 0, i >> 0, i - 0):
        assert simplify((root,))[0] is i
    for root in (x + 0.0, x - const(-0.0), 0 - x, i * 0, i % 1, 1 // i, 0 << i):
        assert simplify((root,))[0] is root


@given(data=st.data())
@quick
def test_twice_cancels(data):
    dtype = data.draw(st.sampled_from((I32, F32, I64, F64, BOOL, U8, U16, I16)))
    x = plane(dtype)
    name = data.draw(st.sampled_from(("neg", "not", "min", "max", "and", "or")))
    try:
        root = apply(name, apply(name, x)) if name in ("neg", "not") else apply(name, x, x)
    except ExprError:
        return
    other = cancel_twice(root)
    if other is not None:
        agree(data, root, other)
    bits = apply("from_bits", apply("bits", plane(F32)))
    agree(data, bits, simplify((bits,))[0])


@given(data=st.data())
@quick
def test_sides_are_picked(data):
    x, y = plane(F32), plane(F64).to(F32)
    condition = data.draw(st.sampled_from((const(True), const(False), plane(BOOL), ~plane(BOOL))))
    root = select(condition, x, data.draw(st.sampled_from((x, y))))
    other = simplify((root,))[0]
    agree(data, root, other)


def test_a_rule_never_changes_the_size():
    root = select(plane(BOOL), param("gain", F32), param("gain", F32))
    assert pick_side(root) is not None
    assert simplify((root,))[0] is root


def test_every_rule_fires_somewhere():
    x = plane(F32)
    samples = [
        apply("add", const(1), const(2)), select(const(True), x, x + 1), plane(U8).to(I32).to(F32), x * 1,
        apply("neg", -x), Expr("part", (stack([x, x * 2.0]),), (1, 1), F32, SIZE, 1),
    ]  # fmt: skip
    for rule, root in itertools.zip_longest(RULES, samples):
        assert rule(root) is not None
    assert np.float32(simplify((samples[0],))[0].arg) == 3
