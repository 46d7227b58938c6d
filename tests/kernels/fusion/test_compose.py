"""Fused equals unfused, bit for bit, on random graphs of shipped stages."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError, ExprError
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.compose import compose
from kernels.ir import recurrence
from kernels.ir.body import Part
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import F32, ImageType, dtype_of
from kernels.ir.reach import kind, reach
from kernels.ir.table import Table
from kernels.plugins import find_stage
from tests.strategies import same

CHOICES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("gain", {"gain": 0.5, "offset": 3.0}),
    ("gaussian", {"sigma": 0.8, "size": 3}),
    ("gaussian", {"sigma": 1.1, "border": "constant", "border_value": 7.0}),
    ("box", {"width": 4, "height": 3, "border": "wrap"}),
    ("iir_lowpass", {"alpha": 0.3}),
    ("iir_highpass", {"alpha": 0.2}),
    ("difference", {"lag": 2}),
    ("background", {"alpha": 0.1}),
    ("gradient", {}),
    ("threshold", {"level": 60.0}),
    ("unsharp", {"sigma": 0.7}),
    ("pyramid_down", {}),
    ("crop", {"x": 1, "y": 0, "width": 2, "height": 2}),
    ("nms", {}),
)


def graph(data: st.DataObject, source: ImageType) -> list[Part]:
    """A random graph of stages over one input, types inferred; stages that do not take what they get are left out."""
    parts: list[Part] = []
    ends: list[tuple[Any, Any]] = [(0, source)]
    for i in range(data.draw(st.integers(1, 6))):
        name, params = data.draw(st.sampled_from(CHOICES))
        where, type_ = data.draw(st.sampled_from(ends))
        try:
            body = find_stage(name).build([type_], params)
        except DefinitionError:  # another type than it takes
            continue
        parts.append(Part(f"n{i}", body, (where,)))
        ends += [((f"n{i}", output.name), output.type) for output in body.outputs]
    return parts


def test_recurrences_of_long_chains_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Expr] = []

    def counted(roots: Iterable[Expr], leaves: Container[Expr] = ()) -> Iterator[Expr]:
        for node in postorder(roots, leaves):
            seen.append(node)
            yield node

    def chain(count: int) -> int:
        """Nodes that are looked at."""
        source, parts = ImageType(F32, 4, 4), []
        where: int | tuple[str, str] = 0
        for k in range(count):
            parts.append(Part(f"n{k}", find_stage("gain" if k else "iir_lowpass").build([source], {}), (where,)))
            where = f"n{k}", parts[-1].body.outputs[0].name
        seen.clear()
        body = compose(parts, [where])  # type: ignore[list-item]
        assert sum(node.op == "recur" for node in postorder(body.roots)) == 1
        return len(seen)

    monkeypatch.setattr(recurrence, "postorder", counted)
    assert chain(24) <= 2.5 * chain(12)


def apart(parts: list[Part], clip: np.ndarray[Any, Any]) -> dict[tuple[str, str], Any]:
    """Every output of every part, one stage after another."""
    values: dict[Any, Any] = {0: clip}
    for part in parts:
        source = [None if s is None else values[s] for s in part.inputs]
        for name, data in ReferenceProgram(part.body).run(source, {}).items():
            values[part.id, name] = data
    del values[0]
    return values


@settings(max_examples=70, deadline=None)
@given(st.data())
def test_fused_equals_unfused(data: st.DataObject) -> None:
    height, width = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 9))
    dtype = data.draw(st.sampled_from([np.uint8, np.uint16, np.float32]))
    source = ImageType(dtype_of(dtype), height, width)
    parts = graph(data, source)
    if not parts:
        return
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    clip = (rng.random((5, height, width)) * 250).astype(dtype)
    wanted = apart(parts, clip)
    outputs = data.draw(st.lists(st.sampled_from(sorted(wanted)), min_size=1, max_size=4, unique=True))
    fused = ReferenceProgram(compose(parts, outputs))
    cut = data.draw(st.integers(0, 5))
    pieces = [fused.run([piece], {}) for piece in (clip[:cut], clip[cut:]) if len(piece)]
    for key in outputs:
        together = np.concatenate([piece[".".join(key)] for piece in pieces])
        assert same(together, wanted[key]), (key, [p.id for p in parts])


def chain(*stages: tuple[str, dict[str, Any]], source: ImageType) -> list[Part]:
    parts: list[Part] = []
    where: Any = 0
    type_: Any = source
    for i, (name, params) in enumerate(stages):
        body = find_stage(name).build([type_], params)
        parts.append(Part(f"s{i}", body, (where,)))
        where, type_ = (f"s{i}", body.outputs[0].name), body.outputs[0].type
    return parts


def test_the_seed_chain_is_one_body_with_the_sum_of_the_reaches() -> None:
    source = ImageType(dtype_of(np.uint8), 16, 20, 4)
    parts = chain(("gray", {}), ("iir_lowpass", {"alpha": 0.5}), ("gaussian", {"size": 5}), source=source)
    body = find_stage("gradient").build([parts[-1].body.outputs[0].type])
    parts.append(Part("edge", body, (("s2", "out"),)))
    mask = find_stage("threshold").build([body.output("magnitude").type], {"level": 20.0})
    parts.append(Part("mask", mask, (("edge", "magnitude"),)))
    fused = compose(parts, [("mask", "out")])
    looked = reach(fused.roots)[0]
    assert (looked.x0, looked.x1, looked.y0, looked.y1) == (-3, 3, -3, 3)
    assert kind(fused) == "recurrent"
    assert {"s1.alpha", "mask.level"} <= set(fused.live)
    clip = np.random.default_rng(1).integers(0, 256, (4, 16, 20, 4), np.uint8)
    params = {"mask.level": 35.0}
    together = ReferenceProgram(fused).run([clip], params)["mask.out"]
    parts[-1] = Part("mask", find_stage("threshold").build([body.output("magnitude").type], {"level": 35.0}),
                     parts[-1].inputs)  # fmt: skip
    assert same(together, apart(parts, clip)["mask", "out"])


def test_tables_are_fused_too() -> None:
    source = ImageType(dtype_of(np.uint8), 12, 14)
    parts = chain(("gaussian", {}), ("peaks", {"threshold": 20.0}), source=source)
    moments = find_stage("moments").build([parts[0].body.outputs[0].type],
                                          {"regions": "boxes", "boxes": ((1, 2, 5, 6), (8, 0, 9, 9))})  # fmt: skip
    parts.append(Part("m", moments, (("s0", "out"), None)))
    fused = compose(parts, [("s1", "out"), ("m", "out")])
    clip = np.random.default_rng(1).integers(0, 256, (3, 12, 14), np.uint8)
    wanted = apart(parts, clip)
    together = ReferenceProgram(fused).run([clip], {})
    for key in (("s1", "out"), ("m", "out")):
        for a, b in zip(together[".".join(key)], wanted[key], strict=True):
            assert isinstance(a, Table)
            assert a.rows.tobytes() == b.rows.tobytes()
            assert a.overflow == b.overflow


def test_a_state_lives_as_long_as_anything_looks_at_it() -> None:
    source = ImageType(dtype_of(np.uint8), 4, 5)
    body = find_stage("background").build([source], {"alpha": 0.3})
    fused = compose([Part("b", body, (0,))], [("b", "foreground")])
    clip = np.random.default_rng(1).integers(0, 256, (6, 4, 5), np.uint8)
    wanted = ReferenceProgram(body).run([clip], {})["foreground"]
    assert same(ReferenceProgram(fused).run([clip], {})["b.foreground"], wanted)


def test_what_cannot_be_fused_is_refused() -> None:
    source = ImageType(dtype_of(np.uint8), 6, 6)
    gauss = find_stage("gaussian").build([source])
    otsu = find_stage("otsu").build([source])
    with pytest.raises(ExprError, match="opaque"):
        compose([Part("o", otsu, (0,))], [("o", "out")])
    with pytest.raises(ExprError, match="which no part before it makes"):
        compose([Part("g", gauss, (("later", "out"),))], [("g", "out")])
    with pytest.raises(ExprError, match=r"no part has an output g\.nope"):
        compose([Part("g", gauss, (0,))], [("g", "nope")])
    other = find_stage("gaussian").build([ImageType(dtype_of(np.uint8), 5, 6)])
    with pytest.raises(ExprError, match="used as"):
        compose([Part("a", gauss, (0,)), Part("b", other, (0,))], [("a", "out"), ("b", "out")])
