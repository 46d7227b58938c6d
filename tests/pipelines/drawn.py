"""Random pipelines: graphs of shipped stages with random parameters, bound to random frames; random groups of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from hypothesis import strategies as st

from kernels.errors import DefinitionError, ExprError
from kernels.ir.body import ValueType
from kernels.ir.image import F32, U8, U16, DType, ImageType
from kernels.ir.table import TableType
from kernels.param import Param, Value
from kernels.plugins import registry
from kernels.stage import Stage
from pipelines.fusing import needed_nodes
from pipelines.graph import SOURCE, Bound, Node, Pipeline, Ref, bind

MOST_PIXELS = 40 * 40
MODEST = {"sigma": 2.0, "size": 7, "radius": 3, "width": 30, "height": 30, "capacity": 40, "ratio": 3.0}
"""The largest values that keep a test short."""


@st.composite
def _value(draw: st.DrawFn, param: Param) -> Value:
    if param.kind == "bool":
        return draw(st.booleans())
    if param.kind == "choice":
        return draw(st.sampled_from(param.choices))
    low, high = max(param.low, -300.0), min(param.high, MODEST.get(param.name, 300.0))
    if param.kind == "int" and low <= high:
        return draw(st.integers(int(low), int(high)))
    if param.kind == "float" and low <= high:
        return draw(st.just(param.default) | st.integers(0, 24).map(lambda k: low + (high - low) * k / 24))
    return param.default


@st.composite
def _stage(
    draw: st.DrawFn, types: dict[Ref, ValueType], id_: str, models: Sequence[str]
) -> tuple[Node, dict[Ref, ValueType]] | None:
    """A stage that takes what there is, with the types of its outputs; None if the one drawn does not fit."""
    model = draw(st.sampled_from(models)) if models and draw(st.booleans()) else ""
    made: Stage = registry()["network" if model else draw(st.sampled_from(sorted(registry())))]
    refs = list(types)
    pictures = [r for r in refs if isinstance(types[r], ImageType)]
    inputs: dict[str, Ref] = {}
    for name in made.inputs:
        if name in made.optional and draw(st.booleans()):
            continue
        # The last ones more often, so that chains grow.
        inputs[name] = draw(st.sampled_from(pictures[-3:]) | st.sampled_from(refs))
    given = [types[inputs[n]] if n in inputs else None for n in made.inputs]
    params = {p.name: draw(_value(p)) for p in made.params if draw(st.integers(0, 2)) == 0}
    if model:
        params["model"] = model
    if made.border and draw(st.booleans()):
        params["border"] = draw(st.sampled_from(("reflect101", "replicate", "constant", "wrap")))
    for values in (params, {"model": model} if model else {}):
        with suppress(DefinitionError, ExprError):
            body = made.build(given, values)
            images = [o.type for o in body.outputs if isinstance(o.type, ImageType)]
            if all(i.height * i.width * i.channels <= MOST_PIXELS for i in images):
                many = len(body.outputs) > 1
                outputs = {Ref(id_, o.name if many else ""): o.type for o in body.outputs}
                return Node(id_, made.name, inputs, values), outputs
    return None


@st.composite
def bounds(draw: st.DrawFn, most: int = 6, models: Sequence[str] = ()) -> Bound:
    """A bound pipeline of up to `most` stages, of which every unused output and some others are tapped; with `models`
    (ONNX files) every second or so is a network."""
    dtype: DType = draw(st.sampled_from((U8, U8, U16, F32)))
    wide = st.tuples(st.integers(1, 9), st.integers(60, 150))  # more than a vector of any type
    size = draw(st.sampled_from(((1, 1), (1, 9), (17, 1))) | st.tuples(st.integers(2, 18), st.integers(2, 40)) | wide)
    source = ImageType(dtype, *size, draw(st.sampled_from((1, 1, 1, 3, 4))))
    types: dict[Ref, ValueType] = {Ref(SOURCE): source}
    nodes: list[Node] = []
    for i in range(draw(st.integers(1, most))):
        for _ in range(4):
            found = draw(_stage(types, f"n{i}", models))
            if found is not None:
                nodes.append(found[0])
                types |= found[1]
                break
    used = {ref for node in nodes for ref in node.inputs.values()}
    taps = [r for r in types if r.node != SOURCE and (r not in used or draw(st.integers(0, 4)) == 0)]
    return bind(Pipeline("drawn", "", tuple(nodes), (), tuple(taps)), source)


@st.composite
def groupings(draw: st.DrawFn, bound: Bound) -> list[list[str]]:
    """Any groups in which the pipeline can run: each stage joins one that comes after all it needs, or begins one."""
    groups: list[list[str]] = []
    number: dict[str, int] = {}
    for node in needed_nodes(bound, bound.taps):
        after = max((number[ref.node] for ref in node.inputs if ref is not None and ref.node in number), default=-1)
        hosts = {n.id for n in bound.nodes if n.body.host is not None}
        tables = any(isinstance(bound.types[ref], TableType) for ref in node.inputs if ref is not None)
        first = after + 1 if tables or (after >= 0 and groups[after][0] in hosts) else max(after, 0)
        free = [g for g in range(first, len(groups)) if groups[g][0] not in hosts]
        if node.id in hosts or not free or draw(st.integers(0, 3)) == 0:
            number[node.id] = len(groups)
            groups.append([node.id])
        else:
            number[node.id] = draw(st.sampled_from(free))
            groups[number[node.id]].append(node.id)
    return groups


@st.composite
def frames(draw: st.DrawFn, type_: ImageType, count: int) -> np.ndarray:
    """Frames with structure: noise, a moving spot, constants; floats with extreme values now and then."""
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    made: Any = rng.integers(0, 256, (count, *type_.shape))
    if draw(st.booleans()):
        made = made // 8
        for t in range(count):
            made[t, t % type_.height, (2 * t) % type_.width] = 255
    clip = made.astype(type_.dtype.numpy)
    if type_.dtype == F32 and draw(st.integers(0, 3)) == 0:
        clip[rng.random(clip.shape) < 0.02] = draw(st.sampled_from((np.nan, np.inf, -np.inf, 1e-41, -0.0)))
    return clip
