"""Every rule of the verifier: an ill-formed body for each, and the sentence that it gets."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from kernels.errors import ExprError
from kernels.ir.body import Body, Host, Output
from kernels.ir.expr import Expr, const, lookup, param, recur, state
from kernels.ir.image import F32, I32, U8, ImageType
from kernels.ir.planes import Border, Gather, Input, Tap, Window, coord, input_plane, load
from kernels.ir.table import Column, Reduction, Regions, TableType, table_type
from kernels.ir.verify import verify
from kernels.ir.volumes import Contract, Weights, input_volume

SIZE = (4, 6)
KIND = ImageType(F32, *SIZE)
X = input_plane(0, 0, F32, SIZE)
B = Border()
GAIN = param("gain", F32)


def body_of(plane: Expr, kind: ImageType | None = None, **live) -> Body:
    return Body((KIND, None), (Output("out", kind or ImageType(plane.dtype, *SIZE), (plane,)),), live, {})


def raw(op, *src, arg=None, dtype=F32, size=SIZE):
    return Expr(op, src, arg, dtype, size)


def spoilt(name, **changes):
    """A sound strided load, gather, ... with one thing wrong."""
    sound = {
        "load": Tap(0, 0, 1, B),
        "window": Window("sum", 0, 1, 0, 1, B),
    }[name]
    return raw(name, X, arg=replace(sound, **changes))


S = state("s", F32)
RGB = ImageType(F32, *SIZE, 3)
V = input_volume(1, RGB)
ONES = Contract(Weights(np.ones((2, 1, 1, 3), np.float32)), SIZE)


def deep(op, *src, arg=None, dtype=F32, size=SIZE, channels=0):
    return Expr(op, src, arg, dtype, size, channels)


VOLUMES = [
    (deep("contract", V, arg=ONES, channels=2), "contract has 1 operands instead of 2"),
    (deep("contract", V, const(0.0), arg=3, channels=2), "contract has 3 where a Contract belongs"),
    (deep("contract", V, const(0.0), arg=ONES, channels=4), "contract has 4 channels, but 2 follow"),
    (deep("contract", V, const(0.0), arg=ONES, size=(2, 2), channels=2), "contract has size (2, 2), but (4, 6)"),
    (deep("contract", V, const(0.0), arg=ONES, dtype=I32, channels=2), "a contraction of f32 cannot be i32"),
    (deep("contract", X, const(0.0), arg=ONES, channels=2), "contraction of 1 channels to 2 in 1 groups does not go"),
    (deep("contract", V, const(0), arg=ONES, channels=2), "a contraction of f32 starts from f32, not from i32"),
    (deep("stack", arg=None, channels=3), "stack has 0 operands instead of 1"),
    (deep("stack", V, X, channels=3), "stack has 3 channels, but 4 follow"),
    (deep("stack", V, X.to(I32), channels=4), "stack of f32, i32 cannot be f32"),
    (deep("part", V, arg=(1, 3), channels=3), "a volume of 3 channels has no channels 1..3"),
    (deep("part", V, arg=(1, 2), channels=3), "part has 3 channels, but 2 follow"),
    (deep("part", V, arg=(1, 2), dtype=I32, channels=2), "part of f32 cannot be i32"),
    (deep("vector", arg=(1.0, 2.0), size=None, channels=2), "vector has (1.0, 2.0) where a Weights belongs"),
    (deep("vector", arg=Weights(np.ones(1)), size=None), "a vector has one axis and at least two values"),
    (deep("vector", arg=Weights(np.ones(2)), size=None, channels=2), "a vector of float64 cannot be f32"),
    (deep("mosaic", X, X, arg=(2, 2), size=(8, 12)), "a mosaic in blocks of 2x2 does not go with 2 images"),
    (deep("mosaic", X, X, arg=(2, 1), size=SIZE), "mosaic has size (4, 6), but (8, 6) follows"),
    (deep("neg", V, channels=1), "neg has 1 channels, but 3 follow"),
    (deep("recur", V, V, arg="m"), "recurrence 'm' has 3 channels; a recurrence keeps one"),
    (deep("gather", X, V.to(I32), const(0), arg=Gather(SIZE, B)), "the coordinates of a gather must be of one channel"),
    (deep("input", arg=Input(1, -1, SIZE), channels=2), "all channels of input 1 are used as 2, but the input is"),
    (deep("input", arg=Input(0, -1, SIZE), channels=1), "all channels of input 0 are used as 1, but the"),
]


@pytest.mark.parametrize(("node", "sentence"), VOLUMES)
def test_rules_of_volumes(node, sentence):
    body = Body((KIND, RGB), (Output("out", KIND.with_(channels=node.channels), (node,)),), {}, {})
    with pytest.raises(ExprError, match=re.escape(sentence)):
        verify(body)


def test_a_table_takes_one_channel_at_a_time():
    table = Reduction(Regions(), (Column("m", "max", V),))
    body = Body((None, RGB), (Output("out", table_type(table, SIZE), table=table),), {}, {})
    with pytest.raises(ExprError, match="is reduced from images of several channels; take one channel at a time"):
        verify(body)


NODES = [
    (raw("cube", X), "there is no operation 'cube'"),
    (raw("add", X), "add has 1 operands instead of 2"),
    (raw("load", X, arg=(1, 0)), "load has (1, 0) where a Tap belongs"),
    (spoilt("load", dt=1), "a load looks 1 frames into the future; dt must be <= 0"),
    (spoilt("load", stride_x=0, size=SIZE), "the stride of a load must be at least 1"),
    (spoilt("window", kind="mean"), "a window takes sum, min or max over a rectangle that is not empty"),
    (spoilt("window", x0=2), "a window takes sum, min or max over a rectangle that is not empty"),
    (raw("const", arg=300, dtype=U8, size=None), "300 is not a value of u8"),
    (raw("table", X.to(I32), arg=(1, 300), dtype=U8), "a table needs entries, all of them values of u8"),
    (raw("table", X.to(I32), arg=(), dtype=U8), "a table needs entries"),
    (raw("coord", arg="z", dtype=I32), "there is no coordinate 'z'"),
    (raw("coord", arg="x"), "a coordinate is i32, not f32"),
    (raw("add", X, X.to(I32)), "add of f32, i32 gives f32 from f32, f32, not f32"),
    (raw("add", X, X, dtype=U8), "add of f32, f32 gives f32 from f32, f32, not u8"),
    (raw("and", X, X), "a whole-number operation got f32 and f32; convert to i32 first"),
    (raw("load", X, arg=Tap(0, 0, 1, B), dtype=U8), "load of a plane of f32 cannot be u8"),
    (raw("recur", const(1), X, arg="m"), "recurrence 'm' starts as i32 and goes on as f32, but is f32"),
    (raw("gather", X, X, X, arg=Gather(SIZE, B)), "the coordinates of a gather must be i32, not f32 and f32"),
    (raw("table", X, arg=(1, 2), dtype=U8), "the index of a table must be a whole number, not f32"),
    (raw("load", GAIN, arg=Tap(0, 0, 1, B), size=None), "load needs an image, not a value that is the same everywhere"),
    (raw("recur", const(1.0), const(2.0), arg="m", size=None), "recurrence 'm' varies over no image"),
    (raw("neg", X, size=(2, 2)), "neg has size (2, 2), but (4, 6) follows from what it is made of"),
    (raw("load", X, arg=Tap(0, 0, 1, B), size=(2, 2)), "load has size (2, 2), but (4, 6) follows"),
    (raw("gather", X, coord("x", (2, 2)), const(0), arg=Gather(SIZE, B)), "gather has size (4, 6), but (2, 2) follows"),
    (raw("input", arg=Input(0, 0, (9, 9))), "input has size (4, 6), but (9, 9) follows"),
    (raw("coord", arg="x", dtype=I32, size=None), "coord has size None"),
    (raw("add", X, coord("x", (2, 2)).to(F32)), "pixels of images of different sizes meet"),
    (input_plane(1, 0, F32, SIZE), "input 1 is not an image of this body"),
    (input_plane(7, 0, F32, SIZE), "input 7 is not an image of this body"),
    (input_plane(0, 1, F32, SIZE), "channel 1 of input 0 is used as f32 (4, 6), but the input is 6x4 f32"),
    (input_plane(0, 0, U8, SIZE), "channel 0 of input 0 is used as u8 (4, 6)"),
    (X * param("gian", F32), "'gian' is not a live parameter of type f32"),
    (X * param("gain", I32), "'gain' is not a live parameter of type i32"),
    (X + S, "state 's' has no recurrence that updates it"),
    (recur("s", X, S + X) + recur("s", X, S - X), "two different recurrences are called 's'"),
    (recur("s", const(1, U8), X.to(U8)) + S, "state 's' is f32, its recurrence u8"),
    (recur("s", S, S + X), "recurrence 's' starts from a state that does not exist yet"),
    (recur("s", X, load(S + X, B, 1)), "recurrence 's' looks at another pixel's or an earlier frame's value of itself"),
    (recur("s", X, load(S + X, B, dt=-1)), "recurrence 's' looks at another pixel's"),
]


@pytest.mark.parametrize(("node", "words"), NODES, ids=[words[:40] for _, words in NODES])
def test_ill_formed_expressions(node, words):
    with pytest.raises(ExprError, match=f"^blur: {re.escape(words)}") as caught:
        verify(body_of(node, ImageType(node.dtype, *SIZE), gain=F32), "blur")
    assert "\n" not in str(caught.value)


def total(column=None, regions=None) -> Reduction:
    return Reduction(regions or Regions(), (column or Column("n", "count", X > 0),))


def table_body(table, kind=None, **live):
    return Body((KIND,), (Output("out", kind or table_type(table, SIZE), table=table),), live, {})


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (Body((KIND,), (), {}, {}), "it needs outputs of different names, not none"),
        (Body((KIND,), (Output("a", KIND, (X,)), Output("a", KIND, (X,))), {}, {}), "different names, not a, a"),
        (body_of(X, ImageType(F32, *SIZE, 2)), "output 'out' has 1 planes but is 6x4x2 f32"),
        (body_of(X, ImageType(U8, *SIZE)), "output 'out' is 6x4 u8, its plane f32 (4, 6)"),
        (body_of(X, ImageType(F32, 5, 5)), "output 'out' is 5x5 f32, its plane f32 (4, 6)"),
        (Body((KIND,), (Output("out", TableType((), 1), (X,)),), {}, {}), "output 'out' has 1 planes but is table"),
        (table_body(total(Column("n", "count", const(True)))), "table 'out' is reduced from no image"),
        (table_body(total(), TableType((("n", I32),), 1)), "table 'out' is declared as table of n (at most 1 rows)"),
        (table_body(total(regions=Regions("boxes", boxes="roi"))), "takes its boxes from 'roi', which is not a live"),
        (table_body(total(regions=Regions("boxes", boxes="roi")), roi=F32), "takes its boxes from 'roi'"),
    ],
)
def test_ill_formed_bodies(body, words):
    with pytest.raises(ExprError, match=re.escape(words)):
        verify(body, "blur")


def test_sound_bodies():
    start = recur("s", X, S + X)
    verify(body_of(start + S + lookup([1, 2], X.to(I32), U8)))
    verify(body_of(const(True)))
    verify(table_body(total(regions=Regions("boxes", boxes="roi")), roi=None))
    host = Host({"out": KIND}, lambda inputs, _: {"out": inputs[0]})  # type: ignore[dict-item]
    verify(Body((KIND,), (Output("out", KIND),), {}, {}, host))
