"""Rewritten bodies against the bodies as they were written, in the reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.reference import ReferenceProgram
from kernels.fusion.algebra import simplified
from kernels.fusion.linear import Forms
from kernels.fusion.linear_emit import MOST_COMBINATIONS, emissions
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, convert, minimum, param, postorder, recur, state
from kernels.ir.filters import gaussian_weights, separable, weighted_sum
from kernels.ir.image import F32, F64, I16, I32, I64, U8, U16, DType, ImageType
from kernels.ir.planes import BORDERS, Border, input_plane, load
from kernels.ir.rewriting import at_outputs, rewriting_lines
from kernels.ir.verify import verify
from tests.strategies import bodies, clips, same

SIZES = st.tuples(st.integers(1, 6), st.integers(1, 6))
BORDER = st.builds(Border, st.sampled_from(BORDERS), st.sampled_from((0.0, 0.0, 3.0)))
WHOLE = st.integers(-4, 4)
REAL = st.sampled_from((0.0, 0.1, -0.3, 0.5, 0.5, 1.0, -1.0, 0.25, 0.7))


def body_of(plane: Expr, source: ImageType, live: dict[str, Any] | None = None) -> Body:
    assert plane.size is not None
    live = live or {}
    output = Output("out", ImageType(plane.dtype, *plane.size), (plane,))
    body = Body((source,), (output,), dict.fromkeys(live, F32), live)
    verify(body)
    return body


def ran(body: Body, clip: np.ndarray[Any, Any], splits: Sequence[int] = ()) -> np.ndarray[Any, Any]:
    program = ReferenceProgram(body)
    parts = [np.asarray(program.run([part], {})["out"]) for part in np.split(clip, list(splits))]
    return np.concatenate(parts)


def pixels(type_: ImageType, frames: int, seed: int) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    if type_.dtype.is_float:
        return rng.uniform(-1, 1, (frames, *type_.shape)).astype(type_.dtype.numpy)
    info: Any = np.iinfo(type_.dtype.numpy)
    return rng.integers(info.min, info.max, (frames, *type_.shape), type_.dtype.numpy, endpoint=True)


@st.composite
def filters(draw: st.DrawFn, plane: Expr, border: Border, whole: bool) -> Expr:
    """A random filter of a plane: separable with perhaps symmetric weights, or dense."""
    weight = WHOLE if whole else REAL
    half = [draw(weight) for _ in range(draw(st.integers(0, 2)))]
    line = [*half, draw(weight), *(half[::-1] if draw(st.booleans()) else [-w for w in half[::-1]])]
    kind = draw(st.sampled_from(("both", "across", "down", "dense")))
    if kind == "dense":
        weights = [draw(weight) for _ in range(6)]
        offsets = [(dx, dy) for dy in (-1, 0) for dx in (-1, 0, 1)]
        return weighted_sum([load(plane, border, dx, dy) for dx, dy in offsets], weights)
    return separable(plane, border, line if kind != "down" else (1,), line if kind != "across" else (1,))


@st.composite
def chains(draw: st.DrawFn, dtype: DType, steps: int = 4) -> tuple[Body, ImageType]:
    """Filters in series and in parallel, of one image; of floats perhaps a live gain."""
    type_ = ImageType(dtype, *draw(SIZES))
    whole = not dtype.is_float and draw(st.integers(0, 3)) > 0
    border = draw(BORDER)
    plane: Expr = input_plane(0, 0, dtype, (type_.height, type_.width))
    live: dict[str, Any] = {}
    for _ in range(draw(st.integers(1, steps))):
        if draw(st.integers(0, 3)) == 0:
            border = draw(BORDER)
        one = draw(filters(plane, border, whole))
        kind = draw(st.sampled_from(("series", "series", "parallel", "scaled")))
        if kind == "parallel":
            one = one - draw(filters(plane, border, whole)) * draw(WHOLE if whole else REAL)
        elif kind == "scaled" and not whole:
            live["gain"] = 0.75
            one = one * (param("gain", F32) if draw(st.booleans()) else 0.3)
        plane = one
    return body_of(plane, type_, live), type_


@settings(max_examples=64, deadline=None)
@given(st.data())
def test_exact_rewritings_keep_every_bit(data: st.DataObject) -> None:
    """Whole numbers, wrap-around of i32 and i64 included: the same bits, from 1x1 on, under every border."""
    body, type_ = data.draw(chains(data.draw(st.sampled_from((U8, U16, I16, I32, I64)))))
    rewritten, made = simplified(body)
    assert all(r.exact and r.bound == 0 and r.saved > 0 for r in made)
    clip = pixels(type_, 1, data.draw(st.integers(0, 99)))
    assert same(ran(rewritten, clip), ran(body, clip))
    assert simplified(rewritten)[1] == ()


@settings(max_examples=64, deadline=None)
@given(st.data())
def test_inexact_rewritings_keep_their_bounds(data: st.DataObject) -> None:
    """Floats: within the bounds that are stated of the output, for pixels beyond full scale, too."""
    body, type_ = data.draw(chains(data.draw(st.sampled_from((F32, F32, U8, U16))), 3))
    rewritten, made = simplified(body, exact=False)
    clip = pixels(type_, 1, data.draw(st.integers(0, 99)))
    scale = data.draw(st.sampled_from((1, 1, 300))) if type_.dtype.is_float else 1
    new, old = (ran(one, clip * clip.dtype.type(scale)) for one in (rewritten, body))
    bound = at_outputs(made, "cpu", [float(scale)] if scale > 1 else []).get("out", 0.0)
    assert np.abs(new.astype(np.float64) - old).max() <= bound
    assert simplified(rewritten, exact=False)[1] == ()
    assert len(rewriting_lines(made)) == len(made)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_body_keeps_every_bit(data: st.DataObject) -> None:
    """Bodies of all kinds of nodes, recurrences and looks back in time, over several frames and a batch seam."""
    body = data.draw(bodies())
    frames = data.draw(clips(body, 3))
    rewritten, made = simplified(body)
    whole, parts = ReferenceProgram(body), ReferenceProgram(rewritten)
    expected = whole.run(frames, {})
    got = [parts.run([f[:1] for f in frames], {}), parts.run([f[1:] for f in frames], {})]
    for name, value in expected.items():
        assert same(np.concatenate([np.asarray(g[name]) for g in got]), np.asarray(value)), made
    assert simplified(body, exact=False)[0].live == body.live


IMAGE = ImageType(F32, 9, 11)
X = input_plane(0, 0, F32, (9, 11))
G = gaussian_weights(0.8, 5)


def lowpass(x: Expr, name: str = "mean") -> Expr:
    before = state(name, F32)
    return recur(name, x, before + param("alpha", F32) * (x - before))


@pytest.mark.parametrize("mode", BORDERS)
def test_two_smoothings_compose_where_the_border_allows_it(mode: str) -> None:
    """reflect101 and wrap compose two Gaussians; the others only regroup the passes."""
    border = Border(mode)
    body = body_of(separable(separable(X, border, G, G), border, G, G), IMAGE)
    rewritten, made = simplified(body, exact=False)
    assert ("composed" in [r.kind for r in made]) == (mode in ("reflect101", "wrap"))
    clip = pixels(IMAGE, 1, 3)
    apart = np.abs(ran(rewritten, clip) - ran(body, clip)).max()
    assert 0 < apart <= sum(r.bound for r in made) < 1000 * apart


def test_a_derivative_is_not_composed_with_what_mirrors_it() -> None:
    """An antisymmetric filter first: its mirror image has the other sign, so nothing composes under reflect101."""
    border = Border("reflect101")
    body = body_of(separable(separable(X, border, (-1.0, 0.0, 1.0), (1,)), border, (0.3, 0.4, 0.3), (1,)), IMAGE)
    assert "composed" not in [r.kind for r in simplified(body, exact=False)[1]]


def test_parallel_filters_add() -> None:
    border = Border()
    body = body_of(weighted_sum([load(X, border, 1), load(X, border, -1)], (0.3, 0.4))
                   + weighted_sum([load(X, border, 1), load(X, border, -1)], (0.2, 0.9)) * 0.7, IMAGE)  # fmt: skip
    made = simplified(body, exact=False)[1]
    assert [r.kind for r in made] == ["added"]
    assert made[0].saved == 5
    assert 0 < made[0].bound < 1e-6


@pytest.mark.parametrize("whole", [True, False])
def test_outer_products_become_two_passes(whole: bool) -> None:
    """A 5x5 kernel of rank 1, rounded to f32 for floats; one of rank 2 stays."""
    line = (1, 4, 6, 5, 2) if whole else G
    type_ = ImageType(U8 if whole else F32, 9, 11)
    plane, border = input_plane(0, 0, type_.dtype, (9, 11)), Border("replicate")
    places = [(i - 2, j - 2) for j in range(5) for i in range(5)]
    weights = [a * b for a in line for b in line]
    body = body_of(weighted_sum([load(plane, border, dx, dy) for dx, dy in places], weights), type_)
    rewritten, made = simplified(body, exact=whole)
    assert made[0].kind == "factored"
    assert made[0].saved > 20
    assert made[0].exact == whole
    clip = pixels(type_, 1, 5)
    assert np.abs(ran(rewritten, clip) - ran(body, clip)).max() <= sum(r.bound for r in made)
    weights[0] += 1
    body = body_of(weighted_sum([load(plane, border, dx, dy) for dx, dy in places], weights), type_)
    assert "factored" not in [r.kind for r in simplified(body, exact=whole)[1]]


def test_a_recurrence_moves_behind_a_filter() -> None:
    """Its state has no halo then; first frame, later frames and a batch seam stay within the bound."""
    body = body_of(separable(lowpass(X), Border(), G, G), IMAGE, {"alpha": 0.3})
    rewritten, made = simplified(body, exact=False)
    moved = next(r for r in made if r.kind == "commuted")
    assert "mean" in moved.where
    assert not moved.exact
    assert list(ReferenceProgram(rewritten).snapshot()["memory"]) == []
    clip = pixels(IMAGE, 12, 7)
    new, old = ran(rewritten, clip, (1, 5)), ran(body, clip)
    apart = np.abs(new - old).max()
    assert 0 < apart <= sum(r.bound for r in made) < 1000 * apart
    program = ReferenceProgram(rewritten)
    program.run([clip[:2]], {"alpha": 0.9})
    assert list(program.snapshot()["memory"]) == ["mean'"]


def test_recurrences_of_the_channels_become_one() -> None:
    type_ = ImageType(F32, 4, 5, 2)
    planes = [input_plane(0, c, F32, (4, 5)) for c in range(2)]
    body = body_of(lowpass(planes[0], "a") * 0.3 + lowpass(planes[1], "b") * 0.7, type_, {"alpha": 0.3})
    rewritten, made = simplified(body, exact=False)
    assert [r.kind for r in made] == ["commuted"]
    assert made[0].saved == 3
    clip = pixels(type_, 6, 1)
    assert np.abs(ran(rewritten, clip, (2,)) - ran(body, clip)).max() <= made[0].bound


def test_what_rounds_or_saturates_is_not_crossed() -> None:
    """Between two filters: a conversion to bytes, a clip, a rounding; the filters stay two."""
    border = Border("wrap")
    smooth = separable(X, border, G, G)
    for between in (convert(smooth, U8), minimum(smooth, 0.5), convert(smooth, I32)):
        middle = convert(between, F32)
        body = body_of(separable(middle, border, G, G), IMAGE)
        kinds = [r.kind for r in simplified(body, exact=False)[1]]
        assert kinds
        assert "composed" not in kinds
        clip = pixels(IMAGE, 1, 2) * 200
        rewritten, _ = simplified(body)
        assert same(ran(rewritten, clip), ran(body, clip))


def test_floats_stay_as_they_are_unless_asked() -> None:
    body = body_of(separable(separable(X, Border(), G, G), Border(), G, G), IMAGE)
    assert simplified(body) == (body, ())


@pytest.mark.parametrize("mode", BORDERS)
def test_looks_at_an_image_that_is_converted_between_floats_are_looks_at_one_plane(mode: str) -> None:
    """A filter of 21 taps, each rounded from f64, and a derivative behind it."""
    wide = input_plane(0, 0, F64, (9, 11))
    border = Border(mode, 0.1)
    rng = np.random.default_rng(1)
    looks = [load(wide, border, dx, dy) for dy in range(-3, 4) for dx in (-1, 0, 1)]
    sharp = weighted_sum(looks, [float(w) for w in rng.uniform(0.1, 1, 21)])
    type_ = ImageType(F64, 9, 11)
    body = body_of(separable(sharp, border, (-1, 0, 1), (1, 2, 1)), type_)
    form = Forms(list(postorder(body.roots)), {}, True, body.roots).form(sharp, 0)
    assert len(form.planes) == 1
    assert len(form.taps) == 21
    rewritten, made = simplified(body, exact=False)
    clip = pixels(type_, 1, 3)
    assert np.abs(ran(rewritten, clip) - ran(body, clip)).max() <= sum(r.bound for r in made)


def test_ways_to_write_many_planes_are_tried_in_a_number_that_does_not_grow_with_them() -> None:
    """Each of the planes can be filtered in three ways; all combinations of those of 20 planes are 3 ** 20."""
    filters_ = [separable(abs(load(X, Border(), k)), Border(), (0.5, 1.0, 0.25), (2.0, 3.0, 1.5)) for k in range(20)]
    body = body_of(weighted_sum(filters_, [1.0] * 20), IMAGE)
    order = list(postorder(body.roots))
    form = Forms(order, {}, True, body.roots).form(body.roots[0], 1)
    assert len(form.planes) == 20
    assert len(list(emissions(form, F32))) <= MOST_COMBINATIONS
    kernel = (1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0)
    planes = [abs(load(X, Border(), k)) for k in range(20)]
    looks = [load(p, Border(), dx, dy) for p in planes for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    _, made = simplified(body_of(weighted_sum(looks, kernel * 20), IMAGE), exact=False)
    assert sum(r.saved for r in made) > 20 * 5, "each plane's filter became two passes"
