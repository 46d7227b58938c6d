"""The engine: any grouping, any batches, snapshots and live parameters."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors.base import executor
from pipelines.definition import library
from pipelines.frame import FrameBatch
from pipelines.fusing import fuse, largest_groups, needed_nodes
from pipelines.graph import Bound, Ref
from pipelines.pins import Pins
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.shipped import fixed

CLIP = moving_spots(12, 32)


def bound_of(name: str, clip: Any = CLIP) -> Bound:
    return prepare(fixed(name), MemoryClip(clip))


def run(engine: Engine, first: int = 0, end: int = 12, batch: int = 5) -> list[Any]:
    """What each tap gives, as bytes, frame by frame."""
    said = []
    for a in range(first, end, batch):
        b = min(a + batch, end)
        out = engine.step(FrameBatch(np.arange(a, b), np.arange(a, b) / 1000, CLIP[a:b]))
        said += [{tap: getattr(data[i], "rows", data[i]).tobytes() for tap, data in out.items()} for i in range(b - a)]
    return said


def segments(bound: Bound, taps: tuple[Ref, ...], cuts: list[bool]) -> list[list[str]]:
    """Groups of consecutive nodes, host stages alone; `cuts` go round where there are more nodes."""
    groups: list[list[str]] = []
    apart = True
    for node, cut in zip(needed_nodes(bound, taps), cycle(cuts), strict=False):
        if apart or cut or node.body.host is not None:
            groups.append([])
        groups[-1].append(node.id)
        apart = node.body.host is not None
    return groups


@cache
def expected_of(name: str) -> Any:
    """What the stages of a shipped pipeline give, each by itself."""
    return run(Engine(bound_of(name), executor("reference")))


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(library())), st.lists(st.booleans(), min_size=12, max_size=12), st.integers(1, 12))
def test_any_grouping_gives_the_same_bits(name: str, cuts: list[bool], batch: int) -> None:
    bound = bound_of(name)
    back_end = executor("reference")
    groups = segments(bound, bound.taps, cuts)
    assert run(Engine(bound, back_end, groups=groups), batch=batch) == expected_of(name)


def test_snapshots_go_on_bit_for_bit() -> None:
    bound = bound_of("background-motion")
    back_end = executor("reference")
    engine = Engine(bound, back_end)
    whole = run(engine)
    first = Engine(bound, back_end)
    run(first, 0, 5)
    other = Engine(bound, back_end)
    other.restore(first.snapshot())
    assert run(other, 5, 12) == whole[5:]


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(library())), st.data(), st.sampled_from(("reference", "cpu")), st.integers(1, 12))
def test_copies_in_any_groups_give_the_same_bits(name: str, data: st.DataObject, back_end: str, batch: int) -> None:
    """Stages, recurrent ones too, are computed again in groups that read them; states stay each copy's own."""
    bound = bound_of(name)
    groups = segments(bound, bound.taps, data.draw(st.lists(st.booleans(), min_size=12, max_size=12)))
    nodes = {node.id: node for node in bound.nodes}
    copied = []
    for group in groups:
        more = list(group)
        for node in reversed(group):
            for ref in nodes[node].inputs:
                other = nodes.get(ref.node) if ref is not None else None
                stages = other is not None and other.body.host is None and nodes[node].body.host is None
                if other is not None and stages and other.id not in more and data.draw(st.booleans()):
                    more.insert(0, other.id)
        copied.append([n for n in nodes if n in more])
    made = executor(back_end, data.draw(st.integers(1, 3)))
    expected = expected_of(name)
    assert run(Engine(bound, made, groups=copied), batch=batch) == expected
    first, second = (Engine(bound, made, groups=copied) for _ in range(2))
    cut = data.draw(st.integers(1, 11))
    assert run(first, 0, cut, batch) == expected[:cut]
    second.restore(first.snapshot())
    assert run(second, cut, 12, batch) == expected[cut:]


def test_a_live_parameter_reaches_every_copy() -> None:
    bound = bound_of("facial-markers")
    groups = [["gray", "scale", "steady"], ["gray", "scale", "steady", "smooth"],
              ["gray", "scale", "steady", "smooth", "edges", "rim"], ["whole"], ["markers"]]  # fmt: skip
    copied, alone = (Engine(bound, executor("reference"), groups=g) for g in (groups, None))
    assert [unit.name for unit in copied.units][-3:-1] == ["gray+scale+steady+smooth+edges+rim", "whole"]
    assert run(copied, 0, 5) == run(alone, 0, 5)
    for engine in (copied, alone):
        engine.set_param("steady", "alpha", 0.1)
    assert run(copied, 5, 10) == run(alone, 5, 10)
    with pytest.raises(DefinitionError, match="in exactly one group"):
        fuse(bound, [["gray", "gray"], *groups[1:]], bound.taps)


@pytest.mark.parametrize(
    ("fuse_pins", "cut_pins", "said"),
    [
        ((), (("scale", "smooth"),), [["gray", "scale", "steady"], ["smooth", "edges", "rim"], ["whole"], ["markers"]]),
        ((("steady", "smooth"),), (("scale", "smooth"),),
         [["gray", "scale"], ["steady", "smooth", "edges", "rim"], ["whole"], ["markers"]]),
        ((("rim", "markers"),), (), "markers runs on the host"),
        ((("gray", "rim"),), (("gray", "smooth"),), "need each other's results"),
    ],
)  # fmt: skip
def test_runs_honour_pins(fuse_pins: Any, cut_pins: Any, said: Any) -> None:
    pipeline = replace(fixed("facial-markers"), pins=Pins(fuse_pins, cut_pins))
    bound = prepare(pipeline, MemoryClip(CLIP))
    if isinstance(said, str):
        with pytest.raises(DefinitionError, match=said):
            largest_groups(bound, bound.taps)
        return
    groups = largest_groups(bound, bound.taps)
    assert groups == said
    free = bound_of("facial-markers")
    assert run(Engine(bound, executor("cpu"), groups=groups)) == run(Engine(free, executor("reference")))


def test_live_parameters_change_at_a_batch_and_structural_ones_do_not() -> None:
    bound = bound_of("blobs")
    back_end = executor("reference")
    fused = Engine(bound, back_end, groups=segments(bound, bound.taps, [False] * 12))
    apart = Engine(bound, back_end)
    before = run(apart, 0, 5), run(fused, 0, 5)
    for engine in (apart, fused):
        engine.set_param("bright", "level", 0.9)
    after = run(apart, 5, 10), run(fused, 5, 10)
    assert before[0] == before[1]
    assert after[0] == after[1]
    unchanged = Engine(bound, back_end)
    run(unchanged, 0, 5)
    assert run(unchanged, 5, 10) != after[0]
    with pytest.raises(DefinitionError, match="changes the code"):
        fused.set_param("band", "sigma", 2.0)
    with pytest.raises(DefinitionError, match="outside its range"):
        bound_of("facial-markers") and Engine(bound_of("facial-markers"), back_end).set_param("steady", "alpha", 7)
    with pytest.raises(DefinitionError, match="no parameter"):
        fused.set_param("bright", "nope", 1)
    with pytest.raises(DefinitionError, match="no node"):
        fused.set_param("nope", "level", 1)


def test_groups_that_cannot_be_are_refused() -> None:
    bound = bound_of("blobs")
    ids = [n.id for n in bound.nodes]
    with pytest.raises(DefinitionError, match="host stage"):
        fuse(bound, [ids], bound.taps)
    with pytest.raises(DefinitionError, match="must be in exactly one group"):
        fuse(bound, [ids[:2]], bound.taps)
    with pytest.raises(DefinitionError, match="comes before what it needs"):
        fuse(bound, [[ids[1]], [ids[0]], *[[i] for i in ids[2:]]], bound.taps)


@pytest.mark.parametrize("name", sorted(library()))
def test_the_largest_groups_on_the_cpu_give_the_references_bits(name: str) -> None:
    bound = bound_of(name)
    groups = largest_groups(bound, bound.taps)
    hosts = [n.id for n in bound.nodes if n.body.host is not None]
    assert [g for g in groups if len(g) == 1 and g[0] in hosts] == [[h] for h in hosts]
    assert len(groups) <= 2 * len(hosts) + 1
    fast = Engine(bound, executor("cpu"), groups=groups)
    assert run(fast, batch=5) == run(Engine(bound, executor("reference")), batch=3)
