"""The normal form keeps every bit; what it replaces is replaced by what it says."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors.reference import ReferenceProgram
from kernels.fusion.narrow import ranges
from kernels.fusion.normal import limit_of_root, normalise
from kernels.ir.body import Body, Output
from kernels.ir.expr import Border, apply, const, input_plane, load, postorder, spread, window
from kernels.ir.image import F32, I16, I32, U8, U16, ImageType
from tests.strategies import EDGES, bodies, clips

levels = st.floats(width=32) | st.sampled_from(EDGES["f"]).filter(lambda v: abs(v) < 3e38 or not np.isfinite(v))


@given(level=levels)
@settings(max_examples=300, deadline=None)
def test_the_limit_of_a_root_divides_the_same_pixels(level):
    """Around the square of the level, where it matters, and everywhere else."""
    level32 = np.float32(level)
    with np.errstate(all="ignore"):
        near = (level32 * level32).view(np.int32)
        around = np.arange(max(0, int(near) - 40), min(int(near), 0x7F800000) + 40).astype(np.int32).view(np.float32)
        x = np.concatenate((around, -around[:5], np.array(EDGES["f"], np.float32)))
        size = (1, len(x))
        limit = spread(limit_of_root(const(float(level32), F32)), size)
        body = Body((ImageType(F32, *size),), (Output("out", ImageType(F32, *size), (limit,)),), {}, {})
        found = ReferenceProgram(body).run([x[np.newaxis, np.newaxis]], {})["out"][0, 0, 0]
        assert ((found < x) == (level32 < np.sqrt(x))).all()


@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_whole_numbers_stay_in_their_intervals(data):
    body = data.draw(bodies(inputs=(ImageType(data.draw(st.sampled_from((U8, I16, U16))), 3, 4),)))
    clip = data.draw(clips(body, 2))
    nodes = [n for n in postorder(body.roots) if n.size == (3, 4) and not n.dtype.is_float and n.op != "window"]
    known = ranges([n for n in postorder(body.roots) if n.op != "window"]) if not _windows(body) else {}
    seen = [n for n in nodes if n in known and all(s.op != "state" for s in postorder((n,)))][:6]
    if seen:
        outputs = tuple(Output(f"o{i}", ImageType(n.dtype, 3, 4), (n,)) for i, n in enumerate(seen))
        result = ReferenceProgram(Body(body.inputs, outputs, body.live, body.params)).run(clip, {})
        for i, node in enumerate(seen):
            low, high = known[node]
            assert low <= result[f"o{i}"].min()
            assert result[f"o{i}"].max() <= high


def _windows(body) -> bool:
    return any(n.op == "window" for n in postorder(body.roots))


def test_sums_of_bytes_are_short():
    size = (4, 5)
    x = input_plane(0, 0, U8, size)
    total = window("sum", x, Border(), (-2, 2), (-2, 2))  # 25 * 255 = 6375
    wide = load(total * 11, Border(), 1)  # 70125
    body = Body((ImageType(U8, *size),), tuple(
        Output(n, ImageType(I32, *size), (p,)) for n, p in (("a", total), ("b", wide), ("c", apply("abs", total - 9)))
    ), {}, {})  # fmt: skip
    nodes = list(postorder(normalise(body).roots))
    adds = [n for n in nodes if n.op == "add"]
    assert len(adds) == 8
    assert {n.dtype for n in adds} == {I16}
    assert [n.dtype for n in nodes if n.op == "mul"] == [I32]
    assert [root.dtype for root in normalise(body).roots] == [I32] * 3
