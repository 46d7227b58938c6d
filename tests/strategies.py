"""Random images, expressions and bodies for property tests.

Strategies that are drawn from again and again are made once: Hypothesis looks through each new one before it draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from hypothesis import strategies as st

from kernels.errors import ExprError
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, apply, const, convert, lookup, param, recur, state
from kernels.ir.image import BOOL, DTYPES, F32, F64, I16, I32, I64, U8, U16, DType, ImageType
from kernels.ir.ops import OPS
from kernels.ir.planes import BORDERS, Border, coord, gather, input_plane, load, spread, window
from kernels.ir.recurrence import rename_states
from kernels.ir.rewriting import substitute
from kernels.ir.verify import verify

ALL = tuple(DTYPES.values())
COMMON = (BOOL, U8, U16, I16, I32, F32)
EDGES = {
    "f": (0.0, -0.0, 0.5, -0.5, 1.5, 2.5, 254.5, 255.5, 65535.5, 2.0**24, 2.0**31, -(2.0**31), 2.0**63, -(2.0**63),
          1e-40, 3e38, -3e38, np.inf, -np.inf, np.nan),
    "u": (0, 1, 127, 128, 255, 256, 65535), "i": (0, 1, -1, 127, -128, 255, 32767, -32768, 2**31 - 1, -(2**31)),
    "b": (0, 1),
}  # fmt: skip


@lru_cache
def values(dtype: DType) -> st.SearchStrategy[float]:
    """Numbers of a type, corner cases often."""
    if dtype == BOOL:
        return st.booleans()
    if dtype.is_float:
        return st.sampled_from(EDGES["f"]) | st.floats(width=dtype.bits) | st.integers(-300, 300).map(float)
    low, high = np.iinfo(dtype.numpy).min, np.iinfo(dtype.numpy).max
    edges = [v for v in EDGES[dtype.kind] if low <= v <= high]
    return st.sampled_from(edges) | st.integers(low, high)


@lru_cache(512)
def arrays(dtype: DType, shape: tuple[int, ...]) -> st.SearchStrategy[np.ndarray]:
    """Arrays of a type: a few drawn values, scattered by a drawn seed (fast to draw, still shrinks)."""

    def scattered(palette: list[float], seed: int) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.random.default_rng(seed).choice(np.array(palette).astype(dtype.numpy), shape)

    return st.builds(scattered, st.lists(values(dtype), min_size=1, max_size=12), st.integers(0, 999))


@lru_cache
def borders() -> st.SearchStrategy[Border]:
    return st.builds(Border, st.sampled_from(BORDERS), st.sampled_from((0.0, -0.0, 1.5, -7.0, 300.0, np.nan, np.inf)))


@dataclass(frozen=True)
class Scope:
    """What an expression may use: planes (with a size), the live parameters, states."""

    size: tuple[int, int]
    leaves: tuple[Expr, ...]


@lru_cache
def _offset() -> st.SearchStrategy[int]:
    return st.integers(-2, 2) | st.integers(-9, 9)


_SCALAR = tuple(name for name in OPS if name not in ("bits", "from_bits"))
_STILL = (*["scalar"] * 5, "convert", "table", "bits")
_MOVING = (*_STILL, "load", "time", "window", "gather")


@lru_cache(64)
@st.composite
def expressions(draw: st.DrawFn, scope: Scope, depth: int = 4, moving: bool = True) -> Expr:
    """An expression; `moving` allows loads in x, y and t, windows and gathers."""
    if depth <= 0 or draw(st.integers(0, 5)) == 0:
        return draw(_leaf(scope))
    kind = draw(st.sampled_from(_MOVING if moving else _STILL))
    inner = expressions(scope, depth - 1, moving)
    if kind == "scalar":
        name = draw(st.sampled_from(_SCALAR))
        operands = [draw(inner) for _ in range(OPS[name].arity)]
        if name == "select":
            operands[0] = convert(operands[0], BOOL)
        try:
            return apply(name, *operands)
        except ExprError:  # an operation for whole numbers only
            return apply(name, *(convert(o, I32) for o in operands))
    one = draw(inner)
    if kind == "convert":
        return convert(one, draw(st.sampled_from(ALL)))
    if kind == "bits":
        return apply("bits", convert(one, F32)) if draw(st.booleans()) else apply("from_bits", convert(one, I32))
    if kind == "table":
        dtype = draw(st.sampled_from(COMMON))
        return lookup(draw(st.lists(values(dtype), min_size=1, max_size=5)), convert(one, I32), dtype)
    plane = spread(one, scope.size)
    border = draw(borders())
    if kind == "load":
        if draw(st.integers(0, 3)) == 0:
            return load(plane, border, draw(_offset()), draw(_offset()), 0, draw(st.integers(1, 3)), scope.size)
        return load(plane, border, draw(_offset()), draw(_offset()))
    if kind == "time":
        return load(plane, border, draw(st.integers(-1, 1)), draw(st.integers(-1, 1)), draw(st.integers(-3, -1)))
    if kind == "window":
        x0, y0 = draw(st.integers(-3, 1)), draw(st.integers(-3, 1))
        x, y = (x0, x0 + draw(st.integers(0, 3))), (y0, y0 + draw(st.integers(0, 2)))
        return window(draw(st.sampled_from(("sum", "min", "max"))), plane, border, x, y)
    x, y = (convert(draw(inner), draw(st.sampled_from((I16, U8)))) for _ in "xy")
    return gather(plane, y, x, scope.size, border)


@lru_cache(64)
@st.composite
def _leaf(draw: st.DrawFn, scope: Scope) -> Expr:
    choice = draw(st.integers(0, 6))
    if choice < 5:
        return draw(st.sampled_from(scope.leaves))
    if choice == 5:
        return coord(draw(st.sampled_from("xy")), scope.size)
    dtype = draw(st.sampled_from(COMMON))
    return const(draw(values(dtype)), dtype)


LIVE = {"gain": F32, "count": I32, "on": BOOL}
SIZES = st.tuples(st.integers(1, 6), st.integers(1, 7))


@st.composite
def bodies(
    draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, int]] = SIZES, inputs: tuple[ImageType, ...] | None = None
) -> Body:
    """A verified body: up to two inputs, up to two recurrences (perhaps coupled), one or two outputs."""
    if inputs is None:
        size = draw(sizes)
        dtypes = draw(st.lists(st.sampled_from((U8, U16, I16, F32, BOOL, I32, F64, I64)), min_size=1, max_size=2))
        inputs = tuple(ImageType(t, *size, draw(st.integers(1, 2))) for t in dtypes)
    size = (inputs[0].height, inputs[0].width)
    planes = [input_plane(i, c, t.dtype, size) for i, t in enumerate(inputs) for c in range(t.channels)]
    scope = Scope(size, (*planes, *planes, *(param(name, dtype) for name, dtype in LIVE.items())))
    names = [("a", draw(st.sampled_from(COMMON))), ("b", F32)][: draw(st.integers(0, 2))]
    made: list[Expr] = []
    chained = draw(st.booleans())  # the second one takes the first one's values; else they may see each other's states
    for name, dtype in names:
        seen = Scope(size, (*scope.leaves, *made)) if chained else scope
        first = draw(expressions(seen, 2)) if draw(st.booleans()) else const(draw(values(dtype)), dtype)
        states = [state(n, t) for n, t in names if n == name or not chained]
        own = Scope(size, (*states, *(draw(expressions(seen, 2)) for _ in range(2))))
        update = spread(convert(draw(expressions(own, 2, moving=False)), dtype), size)
        made.append(recur(name, convert(first, dtype), update))
    whole = Scope(size, (*scope.leaves, *made, *made, *(state(n, t) for n, t in names)))
    count = draw(st.integers(1, 2))
    outputs = [spread(draw(expressions(whole, 3)), size) for _ in range(count)]
    body = Body(
        inputs,
        tuple(Output(f"out{i}", ImageType(p.dtype, *size), (p,)) for i, p in enumerate(outputs)),
        dict(LIVE),
        {"gain": 1.5, "count": 3, "on": True},
        updates=tuple(made),
    )
    verify(body)
    return body


@st.composite
def clips(draw: st.DrawFn, body: Body, frames: int) -> list[np.ndarray]:
    """Frames for every input of a body."""
    return [draw(arrays(t.dtype, (frames, *t.shape))) for t in body.inputs if isinstance(t, ImageType)]


def composed(first: Body, second: Body) -> Body:
    """One body that does what `second` does to the outputs of `first` (one plane each), by substitution."""
    planes = [plane for output in first.outputs for plane in output.planes]
    updates = rename_states((*planes, *first.updates), lambda name: f"first/{name}")
    planes = list(updates[: len(planes)])
    replacements = {
        input_plane(i, 0, plane.dtype, plane.size): plane for i, plane in enumerate(planes) if plane.size is not None
    }
    after = rename_states((*(o.planes[0] for o in second.outputs), *second.updates), lambda name: f"second/{name}")
    roots = substitute(after, replacements)
    count = len(second.outputs)
    outputs = tuple(Output(o.name, o.type, (root,)) for o, root in zip(second.outputs, roots[:count], strict=True))
    body = Body(first.inputs, outputs, dict(LIVE), first.params, updates=(*updates, *roots[count:]))
    verify(body)
    return body


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal to the last bit: type, shape, the sign of zero; any NaN equals any NaN."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind != "f":
        return bool((a == b).all())
    equal = (a == b) & (np.signbit(a) == np.signbit(b))
    return bool((equal | (np.isnan(a) & np.isnan(b))).all())


