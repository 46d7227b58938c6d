"""Footprints and kinds, derived from bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body, Host, Output
from kernels.ir.expr import Expr, postorder, recur, state
from kernels.ir.image import F32, I32, U8, ImageType
from kernels.ir.planes import Border, gather, input_plane, load, window
from kernels.ir.reach import Reach, kind, reach
from kernels.ir.table import Candidates, table_type
from tests.strategies import Scope, expressions, same

SIZE = (8, 9)
X, Y = input_plane(0, 0, F32, SIZE), input_plane(1, 0, F32, SIZE)
INF = math.inf


def shifted(plane, dx=0, dy=0, dt=0):
    return load(plane, Border(), dx, dy, dt)


M = recur("m", X, state("m", F32) + X)


@pytest.mark.parametrize(
    ("root", "wanted"),
    [
        (X * 2 + 1, Reach()),
        (shifted(X, 1) - shifted(X, -2, 3), Reach(-2, 1, 0, 3)),
        (shifted(shifted(X, 1) + shifted(X, -1), 2, 0, -1), Reach(1, 3, 0, 0, -1)),
        (shifted(shifted(X, dt=-1), dt=-2), Reach(dt=-3)),
        (window("sum", X, Border(), (-2, 3), (-1, 0)), Reach(-2, 3, -1, 0)),
        (window("sum", shifted(X, 5), Border(), (-2, 3), (-1, 0)), Reach(3, 8, -1, 0)),
        (gather(X, Y, Y, SIZE, Border()), Reach(-INF, INF, -INF, INF)),
        (load(shifted(X, 1), Border(), 1, 0, 0, 2, (4, 4)), Reach(2, 2, 0, 0)),
        (shifted(load(X, Border(), 0, 0, 0, 2, SIZE), -1, 1), Reach(-2, -2, 2, 2)),
        (M, Reach(dt=-INF)),
        (shifted(M, 2), Reach(2, 2, dt=-INF)),
        # a state looks at what its recurrence looks at, wherever it stands
        (shifted(X - state("m", F32), 3) + M, Reach(0, 3, dt=-INF)),
    ],
)
def test_footprints(root, wanted):
    assert reach((root,))[0] == wanted


def test_each_input_has_its_own():
    found = reach((shifted(X, 1) + shifted(Y, dt=-1),))
    assert found == {0: Reach(1, 1), 1: Reach(dt=-1)}
    assert reach((X, shifted(X, -1)))[0] == Reach(-1, 0)


def test_a_state_of_another_recurrence_carries_its_reach():
    far = recur("far", shifted(X, 4), state("far", F32) + shifted(X, 4))
    near = recur("near", X, state("near", F32) + state("far", F32))
    assert reach((near, far))[0] == Reach(0, 4, dt=-INF)
    seen = reach((near + shifted(X - state("near", F32), 1), far))[0]
    assert seen == Reach(0, 5, dt=-INF)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (Reach(), "1 px"),
        (Reach(-1, 1, -2, 2), "3x5 px"),
        (Reach(-1, 1, dt=-2), "3x1 px, 3 frames"),
        (Reach(-INF, INF, -INF, INF), "any px"),
        (Reach(dt=-INF), "1x1 px, all frames before"),
    ],
)
def test_as_text(given, text):
    assert str(given) == text


def body_of(plane: Expr) -> Body:
    kinds = (ImageType(F32, *SIZE), ImageType(F32, *SIZE))
    return Body(kinds, (Output("out", ImageType(plane.dtype, *(plane.size or SIZE)), (plane,)),), {}, {})


@pytest.mark.parametrize(
    ("root", "wanted"),
    [
        (X + Y, "point"),
        (shifted(X, 1), "local"),
        (window("max", X, Border(), (0, 1), (0, 0)), "local"),
        (shifted(X, 1, 0, -1), "temporal"),
        (load(X, Border(), 0, 0, 0, 2, (4, 4)), "resampling"),
        (load(X, Border(), size=(4, 4)), "resampling"),
        (gather(X, Y, Y, SIZE, Border()), "resampling"),
        (shifted(M, 1), "recurrent"),
    ],
)
def test_kinds(root, wanted):
    assert kind(body_of(root)) == wanted


def test_kinds_of_tables_and_hosts():
    table = Candidates(X > 0, (), 4)
    body = Body((ImageType(F32, *SIZE),), (Output("out", table_type(table, SIZE), table=table),), {}, {})
    assert kind(body) == "reduction"
    image = ImageType(U8, 2, 3)
    host = Host({"out": image}, lambda inputs, _: {"out": inputs[0]})  # type: ignore[dict-item]
    assert kind(Body((image,), (Output("out", image),), {}, {}, host)) == "opaque"


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_nothing_outside_the_reach_matters(data):
    """Change pixels outside the footprint of one inner pixel, in space and time: it stays."""
    size, at, frames = (41, 41), (20, 20), 5
    x = input_plane(0, 0, F32, size)
    root = data.draw(expressions(Scope(size, (x, x, x.to(I32))), 4))
    kinds = (ImageType(F32, *size),)
    body = Body(kinds, (Output("out", ImageType(root.dtype, *size), (root,)),), {}, {})
    around = reach((root,)).get(0)
    rng = np.random.default_rng(3)
    clip = rng.integers(-5, 200, (frames, *size)).astype(np.float32)
    other = rng.integers(-5, 200, (frames, *size)).astype(np.float32)
    if around is not None:
        if any(n.op == "load" and n.arg.size is not None for n in postorder((root,))):
            return  # offsets count from a strided pixel then
        edges = (at[0] + around.y0, at[0] + around.y1, at[1] + around.x0, at[1] + around.x1)
        if math.isinf(sum(map(abs, edges))) or min(edges) < 0 or max(edges) > 40:
            return  # folds at the image's edge
        y0, y1, x0, x1 = (int(v) for v in edges)
        first = max(0, int(frames - 1 + around.dt))
        other[first:, y0 : y1 + 1, x0 : x1 + 1] = clip[first:, y0 : y1 + 1, x0 : x1 + 1]
    a, b = (ReferenceProgram(body).run([c], {})["out"][-1] for c in (clip, other))
    a, b = (np.broadcast_to(v, size)[at] for v in (a, b))
    assert same(a, b)

