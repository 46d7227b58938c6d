"""The normal form keeps every bit; what it replaces is replaced by what it says."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors.reference import ReferenceProgram
from kernels.fusion.narrow import ranges
from kernels.fusion.normal import normalise
from kernels.ir.body import Body, Output
from kernels.ir.expr import apply, postorder
from kernels.ir.image import I16, I32, U8, U16, ImageType
from kernels.ir.planes import Border, input_plane, load, window
from tests.strategies import bodies, clips


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
