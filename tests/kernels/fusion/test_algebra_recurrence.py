"""Filters moved through recurrences, against the bodies as they were written, in the reference."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.reference import ReferenceProgram
from kernels.fusion.algebra import simplified
from kernels.fusion.algebra_recurrence import system
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, convert, maximum, param, postorder, recur, select, state
from kernels.ir.filters import separable
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.planes import BORDERS, Border, input_plane
from kernels.ir.rewriting import at_outputs
from kernels.ir.verify import verify
from tests.strategies import same


def lowpass(x: Expr, name: str) -> Expr:
    before = state(name, F32)
    return recur(name, x, before + param("alpha", F32) * (x - before))


def highpass(x: Expr, name: str) -> Expr:
    return x - lowpass(x, name)


def leaky(x: Expr, name: str) -> Expr:
    return recur(name, x * 0.5, state(name, F32) * 0.75 + x * 0.125)


def twice(x: Expr, name: str) -> Expr:
    return lowpass(leaky(x, name + "/a"), name + "/b")


def saturating(x: Expr, name: str) -> Expr:
    return recur(name, x, maximum(state(name, F32) * 0.9, x))


def drifting(x: Expr, name: str) -> Expr:
    return recur(name, x, state(name, F32) * 0.9 + x * 0.1 + 0.25)


def switching(x: Expr, name: str) -> Expr:
    before = state(name, F32)
    return recur(name, x, before + select(x > before, 0.5, 0.1) * (x - before))


LINEAR = (lowpass, highpass, leaky, twice)
System = Callable[[Expr, str], Expr]


def made(kind: System, dtype: str, size: tuple[int, int], border: Border, across: tuple[float, ...],
         down: tuple[float, ...]) -> Body:  # fmt: skip
    type_ = ImageType(F32 if dtype == "f32" else U8, *size)
    x = convert(input_plane(0, 0, type_.dtype, size), F32)
    out = separable(kind(x, "r"), border, across, down)
    body = Body((type_,), (Output("out", ImageType(F32, *size), (out,)),), {"alpha": F32}, {"alpha": 0.3})
    verify(body)
    return body


def clip_of(body: Body, frames: int, seed: int) -> np.ndarray:
    image = body.inputs[0]
    assert isinstance(image, ImageType)
    rng = np.random.default_rng(seed)
    if image.dtype == F32:
        return rng.uniform(-1, 1, (frames, *image.shape)).astype(np.float32)
    return rng.integers(0, 256, (frames, *image.shape), np.uint8)


def out(program: ReferenceProgram, clip: np.ndarray, **params: float) -> np.ndarray:
    return np.asarray(program.run([clip], params)["out"])


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(LINEAR),
    st.sampled_from(("f32", "u8")),
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
    st.builds(Border, st.sampled_from(BORDERS), st.sampled_from((0.0, 0.0, 2.0))),
    st.tuples(*[st.sampled_from((0.25, 0.5, -0.3, 1.0, 0.1))] * 3),
    st.integers(1, 8),
    st.integers(0, 99),
)
def test_moved_recurrences_keep_their_bounds(
    kind: System, dtype: str, size: tuple[int, int], border: Border, weights: tuple[float, ...], seam: int, seed: int
) -> None:
    """First frame, later frames, a batch seam and a snapshot, from 1x1, under every border."""
    body = made(kind, dtype, size, border, weights, weights[::-1])
    rewritten, rewritings = simplified(body, exact=False)
    moved = any(r.kind == "commuted" for r in rewritings)
    if border.mode != "constant" or border.value:  # outside 0, grouping equal weights can come first and be enough
        assert moved == (border.mode != "constant")
    clip = clip_of(body, 9, seed)
    before, after = ReferenceProgram(body), ReferenceProgram(rewritten)
    expected = out(before, clip)
    first = out(after, clip[:seam])
    again = ReferenceProgram(rewritten)
    again.restore(after.snapshot())
    got = np.concatenate([first, out(after, clip[seam:])])
    assert same(out(again, clip[seam:]), got[seam:])
    assert np.abs(got.astype(np.float64) - expected).max() <= at_outputs(rewritings, "cpu").get("out", 0.0)
    assert simplified(rewritten, exact=False)[1] == ()


def test_a_live_rate_may_change_while_the_filter_stands_before_it() -> None:
    body = made(lowpass, "u8", (6, 7), Border(), (0.25, 0.5, 0.25), (1.0, 2.0, 1.0))
    rewritten, rewritings = simplified(body, exact=False)
    assert "commuted" in [r.kind for r in rewritings]
    clip = clip_of(body, 8, 1)
    programs = [ReferenceProgram(body), ReferenceProgram(rewritten)]
    for start, alpha in ((0, 0.3), (2, 0.9), (5, 0.5)):
        old, new = (out(p, clip[start : start + 2], alpha=alpha) for p in programs)
        assert np.abs(old - new).max() <= sum(r.bound for r in rewritings)


@pytest.mark.parametrize("kind", [saturating, drifting, switching])
def test_other_recurrences_stay_where_they_are(kind: System) -> None:
    """A maximum, a constant that is added, a rate that depends on the pixel."""
    body = made(kind, "f32", (5, 6), Border(), (0.25, 0.5, 0.25), (0.25, 0.5, 0.25))
    rewritten, rewritings = simplified(body, exact=False)
    assert "commuted" not in [r.kind for r in rewritings]
    names = [n.arg for n in _nodes(rewritten) if n.op == "recur"]
    assert names == ["r"]


def test_a_state_that_others_see_stays() -> None:
    """The background's mean is seen by its foreground test: moving it away would lose it."""
    x = input_plane(0, 0, F32, (5, 6))
    smooth = separable(lowpass(x, "r"), Border(), (0.25, 0.5, 0.25), (0.25, 0.5, 0.25))
    seen = smooth + maximum(state("r", F32), x)
    image = ImageType(F32, 5, 6)
    body = Body((image,), (Output("out", image, (seen,)),), {"alpha": F32}, {"alpha": 0.3})
    verify(body)
    assert "commuted" not in [r.kind for r in simplified(body, exact=False)[1]]


def test_exact_never_moves_a_recurrence() -> None:
    body = made(lowpass, "u8", (6, 7), Border(), (0.25, 0.5, 0.25), (1.0, 2.0, 1.0))
    assert simplified(body) == (body, ())


def test_equal_systems_share_a_shape() -> None:
    x, y = (input_plane(0, c, F32, (4, 5)) for c in range(2))
    a, b, c = system(lowpass(x, "a")), system(lowpass(y, "b")), system(highpass(y, "b"))
    assert a is not None
    assert b is not None
    assert c is not None
    assert a.shape is b.shape
    assert b.shape is not c.shape
    assert (a.source, a.names) == (x, ("a",))
    assert a.over(y, {"a": "b"}) is b.node


def _nodes(body: Body) -> list[Expr]:
    return list(postorder(body.roots))
