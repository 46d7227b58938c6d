"""Which values modules keep, where they end, what is planned to move."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.fusion import modules
from kernels.fusion.down_sets import bits
from kernels.fusion.modules import TILES, Axis, Kept, _Planner, kept_values, lower_modules
from kernels.fusion.normal import Unsupported
from kernels.fusion.occupancy import SHARED
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const, maximum, recur, state
from kernels.ir.image import F32, I32, U8, ImageType
from kernels.ir.planes import Border, window
from kernels.ir.table import Candidates
from kernels.ir.volumes import Contract, Weights, contract, input_volume, part, stack, vector
from tests.layers import plane


def conv(x: Expr, features: int, taps: int = 1, groups: int = 1, stride: int = 1) -> Expr:
    assert x.size is not None
    rng = np.random.default_rng(features + taps)
    weights = rng.standard_normal((features, taps, taps, x.channels // groups)).astype(np.float32)
    size = -(-x.size[0] // stride), -(-x.size[1] // stride)
    how = Contract(Weights(weights), size, -(taps // 2), -(taps // 2), (stride, stride), (1, 1), groups)
    return contract(x, vector(rng.standard_normal(features).astype(np.float32)), how)


def body_of(type_: ImageType, **roots: Expr) -> Body:
    outputs = tuple(Output(name, ImageType(F32, *root.size, root.channels), (root,))
                    for name, root in roots.items() if root.size is not None)  # fmt: skip
    return Body((type_,), outputs, {}, {})


def separable(size: int, channels: int, features: int) -> Body:
    type_ = ImageType(F32, size, size, channels)
    x = input_volume(0, type_)
    return body_of(type_, out=maximum(conv(maximum(conv(x, channels, 3, channels), 0.0), features), 0.0))


def test_a_depthwise_layer_and_the_pointwise_one_behind_it_are_one_module_that_moves_less():
    body = separable(64, 32, 64)
    fused, alone = lower_modules(body), lower_modules(body, cuts=[1])
    assert [len(p.modules) for p in (fused, alone)] == [1, 2]
    moved = [sum(m.moved for m in p.modules) for p in (fused, alone)]
    between = 2 * 64 * 64 * 32 * 4  # written and read
    assert moved[1] - moved[0] > 0.8 * between  # tiles differ, and so halos
    assert sum(m.cost for m in fused.modules) < sum(m.cost for m in alone.modules)


def test_an_inverted_residual_is_one_module_whose_wide_maps_stay_inside():
    type_ = ImageType(F32, 56, 56, 24)
    x = input_volume(0, type_)
    root = conv(maximum(conv(maximum(conv(x, 144), 0.0), 144, 3, 144), 0.0), 24) + x
    program = lower_modules(body_of(type_, out=root))
    (module,) = program.modules
    assert [one.macs for one in module.kept] == [24 * 144, 9 * 144, 144 * 24]
    whole = 56 * 56 * 24 * 4
    alone = sum(m.moved for m in lower_modules(program.body, cuts=[1, 2]).modules)
    assert 2 * whole <= module.moved < 0.3 * alone  # in and out, and the halo; a wide map alone is six times as much


def test_a_module_of_layers_whose_halo_is_dear_is_cut():
    type_ = ImageType(F32, 128, 128, 64)
    x = input_volume(0, type_)
    for _ in range(8):
        x = maximum(conv(x, 64, 5), 0.0)
    program = lower_modules(body_of(type_, out=x))
    assert len(program.modules) > 1
    assert [one.node for m in program.modules for one in m.kept] == [one.node for one in program.kept]


@st.composite
def networks(draw: st.DrawFn) -> Body:
    """Of up to 8 layers, with branches, residual sums and joins."""
    type_ = ImageType(F32, 12, 12, 4)
    values = [input_volume(0, type_)]
    used: set[int] = set()
    for _ in range(draw(st.integers(2, 8))):
        at = draw(st.integers(max(0, len(values) - 3), len(values) - 1))
        x, channels = values[at], values[at].channels
        kind = draw(st.sampled_from(("PW", "DW", "conv", "stride", "join")))
        alike = [k for k, v in enumerate(values) if v.size == x.size and k != at]
        if kind == "join" and alike:
            other = draw(st.sampled_from(alike))
            used.add(other)
            made = conv(stack([x, values[other]]), 4)
        elif kind in ("DW", "stride"):
            made = conv(x, channels, 3, channels, 2 if kind == "stride" and x.size == (12, 12) else 1)
        else:
            made = conv(x, draw(st.sampled_from((4, 8))), 3 if kind == "conv" else 1)
        if draw(st.booleans()):
            made = maximum(made, 0.0)
        same = [k for k, v in enumerate(values) if (v.size, v.channels) == (made.size, made.channels)]
        if same and draw(st.booleans()):
            other = draw(st.sampled_from(same))
            used.add(other)
            made = made + values[other]
        used.add(at)
        values.append(made)
    return body_of(type_, **{f"out{k}": v for k, v in enumerate(values) if k not in used or k == len(values) - 1})


def together(kept: Sequence[Kept], numbers: Sequence[int]) -> bool:
    """Whether some values look at one another or at the same."""
    groups = [{numbers[0]}]
    for k in numbers[1:]:
        mine = {k}
        for group in list(groups):
            if any(kept[k].node in kept[j].looks or kept[j].node in kept[k].looks
                   or kept[k].looks.keys() & kept[j].looks.keys() for j in group):  # fmt: skip
                mine |= group
                groups.remove(group)
        groups.append(mine)
    return len(groups) == 1


@settings(max_examples=12, deadline=None)
@given(networks())
def test_no_partition_is_cheaper_than_the_planners(body: Body) -> None:
    program = lower_modules(body)
    kept, number = program.kept, {one.node: k for k, one in enumerate(program.kept)}
    assert program.gap == 0
    assert sorted(number[one.node] for m in program.modules for one in m.kept) == list(range(len(kept)))  # each once
    planner = _Planner(kept, SHARED, TILES)
    before = [sum(1 << number[s] for s in one.looks if isinstance(s, Expr)) for one in kept]

    @functools.cache
    def cost(group: int) -> float:
        numbers = list(bits(group))
        made = planner.module(numbers) if together(kept, numbers) else None
        assert made is None or planner.least(numbers) <= made.cost * (1 + 1e-9)
        return math.inf if made is None else made.cost

    @functools.cache
    def rest(ideal: int) -> float:
        """The cheapest of every way on."""
        left = (1 << len(kept)) - 1 & ~ideal
        ways, group = [math.inf] if left else [0.0], left
        while group:
            if all(not before[k] & ~(ideal | group) for k in bits(group)):
                ways.append(cost(group) + rest(ideal | group))
            group = group - 1 & left
        return min(ways)

    assert sum(m.cost for m in program.modules) == pytest.approx(rest(0))


def test_a_graph_that_is_too_wide_goes_in_its_order_and_says_by_how_much_it_may_be_dearer() -> None:
    type_ = ImageType(F32, 4, 4, 4)
    x = input_volume(0, type_)
    program = lower_modules(body_of(type_, **{f"out{k}": conv(x, 1 + k) for k in range(13)}))
    assert 0 < program.gap < 2
    assert sum(len(m.kept) for m in program.modules) == 13


def test_siblings_share_a_copy_of_what_they_look_at():
    type_ = ImageType(F32, 28, 28, 64)
    x = input_volume(0, type_)
    body = body_of(type_, a=conv(x, 16), b=conv(x, 24), c=conv(x, 8, 3))
    (module,) = lower_modules(body).modules
    copies = [step for step in module.steps if step.kept is None]
    assert len(copies) == 1
    assert copies[0].last == 2
    outputs = 28 * 28 * 48 * 4
    assert module.moved - outputs < 2 * 28 * 28 * 64 * 4


def test_values_are_kept_where_others_look_at_them_from_elsewhere_or_several_take_them():
    type_ = ImageType(F32, 12, 12, 4)
    x = input_volume(0, type_)
    a = conv(x, 4)
    cheap = x * 2.0  # made where it is looked at
    pooled = window("max", a, Border("constant", -np.inf), (0, 1), (0, 1))
    body = body_of(type_, out=stack([pooled, cheap]), other=a + part(pooled, 0, 1))
    nodes = [one.node for one in kept_values(body)]
    assert a in nodes
    assert cheap not in nodes
    assert len(set(nodes)) == len(nodes) == 3
    looks = {one.node: one.looks for one in kept_values(body)}
    assert looks[body.outputs[0].planes[0]][a] == (Axis(1, 0, 1), Axis(1, 0, 1))


def test_tiles_follow_strides_and_fit_shared_memory():
    type_ = ImageType(F32, 64, 64, 16)
    first = conv(input_volume(0, type_), 16, 3)
    body = body_of(type_, out=conv(first, 32, 3, stride=2))
    program = lower_modules(body, tile=(4, 8))
    (module,) = program.modules
    assert module.blocks == (8, 4)
    before, last = (step for step in module.steps if step.kept is not None)
    assert last.tile.owned == (4, 8)
    assert before.tile.owned == (8, 16)
    assert (before.tile.low, before.tile.high) == ((-1, -1), (7, 15))
    assert module.shared <= 48 * 1024
    assert all(step.offset % 16 == 0 for step in module.steps if step.offset >= 0)


def test_what_modules_do_not_hold_is_refused_in_a_sentence():
    type_ = ImageType(F32, 8, 8)
    here = plane(type_)
    layer = conv(here, 2)
    low = recur("low", here, (state("low", F32) + here) * 0.5)
    with pytest.raises(Unsupported, match="memory of earlier frames"):
        lower_modules(body_of(type_, out=conv(low, 2)))
    tops = Candidates(part(layer, 0) > 0.0, (("value", part(layer, 0)),), 4)
    with pytest.raises(Unsupported, match="a table"):
        lower_modules(Body((type_,), (Output("out", None, table=tops),), {}, {}))  # type: ignore[arg-type]
    wide = ImageType(F32, 8, 8, 4)
    with pytest.raises(Unsupported, match="do not fit one module"):
        lower_modules(body_of(wide, out=conv(conv(input_volume(0, wide), 4), 4)), cuts=(), tile=(8, 8), shared=100)


def test_costs_count_idle_multiprocessors_weights_and_launches():
    (module,) = lower_modules(separable(64, 32, 64), cuts=(), tile=(8, 8)).modules
    assert module.weights == 4 * (32 * 9 + 32 * 64)
    assert math.prod(module.blocks) == 64
    assert module.operations >= 64 * 64 * 32 * (9 + 64)
    (small,) = lower_modules(separable(8, 32, 64), cuts=(), tile=(8, 8)).modules  # one block a frame
    launch = small.cost - small.moved - 0.25 * small.weights - 16.0 * small.operations / 8.0
    assert launch == pytest.approx(100_000 / 8)
    u8 = ImageType(U8, 8, 8, 8)
    sums = contract(input_volume(0, u8), const(0, I32), Contract(Weights(np.ones((6, 1, 1, 8), np.int8)), (8, 8)))
    (bytes_,) = kept_values(Body((u8,), (Output("out", ImageType(I32, 8, 8, 6), (sums,)),), {}, {}))
    assert bytes_.operations == 6 + 6 * 8 / 4  # four products an instruction


def bodies_that_tell() -> list[Body]:
    """Bodies in which each constant of the planner decides something."""
    type_ = ImageType(F32, 16, 16, 4)
    x = input_volume(0, type_)
    long = x
    for _ in range(2 * 13 + 2):
        long = maximum(conv(long, 4), 0.0)
    made = [body_of(type_, out=long)]
    made += [body_of(type_, out=conv(x, features)) for features in (6, 12)]
    for operations in (1, 2, 3, 4, 6, 9):
        dear = x
        for k in range(operations):
            dear = maximum(dear, float(k))
        made.append(body_of(type_, out=window("max", dear, Border("constant", 0.0), (-1, 1), (-1, 1))))
    wide = ImageType(F32, 64, 64, 64)
    made.append(body_of(wide, out=conv(maximum(conv(input_volume(0, wide), 256, 3), 0.0), 64)))
    return made


def planned() -> list[tuple[float, ...]]:
    found = []
    for body in bodies_that_tell():
        program = lower_modules(body)
        copies = sum(step.kept is None for m in program.modules for step in m.steps)
        found.append((len(program.kept), len(program.modules), copies, sum(m.cost for m in program.modules)))
    return found


def test_each_constant_of_the_planner_is_noticed(monkeypatch):
    before = planned()
    for name in ("LONGEST", "MACS", "CACHED", "ASKED", "LAUNCH", "BLOCKS", "INLINE", "OFTEN"):
        for factor in (0.5, 2.0):
            with monkeypatch.context() as changed:
                value = getattr(modules, name)
                changed.setattr(modules, name, type(value)(value * factor))
                assert planned() != before, f"{name} times {factor}"
    assert planned() == before
