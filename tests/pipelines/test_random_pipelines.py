"""Random pipelines of shipped stages: in any groups, batches and threads they give what the unfused reference gives."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.base import executor
from kernels.ir.image import ImageType
from pipelines.frame import FrameBatch
from pipelines.graph import Bound, Ref
from pipelines.streaming.engine.engine import Engine
from tests.pipelines.drawn import bounds, frames, groupings
from tests.strategies import same

FRAMES = 7


def run(engine: Engine, clip: np.ndarray, cuts: list[int], first: int = 0) -> list[dict[Ref, Any]]:
    """What each tap gives, frame by frame; batches end at `cuts`."""
    said = []
    ends = sorted({first, *(c for c in cuts if c > first), len(clip)})
    for a, b in pairwise(ends):
        out = engine.step(FrameBatch(np.arange(a, b), np.arange(a, b) / 1000, clip[a:b]))
        said += [{tap: data[i] for tap, data in out.items()} for i in range(b - a)]
    return said


def equal(a: dict[Ref, Any], b: dict[Ref, Any]) -> bool:
    """Equal to the last bit; a NaN equals any NaN."""
    return a.keys() == b.keys() and all(
        x.overflow == b[tap].overflow
        and len(x.rows) == len(b[tap].rows)
        and all(same(x.rows[n], b[tap].rows[n]) for n in x.rows.dtype.names)
        if hasattr(x, "rows")
        else same(x, b[tap])
        for tap, x in a.items()
    )


def source_of(bound: Bound) -> ImageType:
    type_ = bound.source
    assert isinstance(type_, ImageType)
    return type_


@settings(max_examples=28, deadline=None)
@given(st.data())
def test_fused_is_the_unfused_reference(data: st.DataObject) -> None:
    bound = data.draw(bounds())
    clip = data.draw(frames(source_of(bound), FRAMES))
    expected = run(Engine(bound, executor("reference")), clip, list(range(FRAMES)))
    groups = data.draw(groupings(bound))
    cuts = data.draw(st.lists(st.integers(1, FRAMES - 1), max_size=4))
    made = executor("cpu", data.draw(st.integers(1, 3)))
    found = run(Engine(bound, made, groups=groups), clip, cuts)
    for i in range(FRAMES):
        assert equal(found[i], expected[i]), (i, groups)


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_a_snapshot_at_any_frame_goes_on_with_the_same_bits(data: st.DataObject) -> None:
    bound = data.draw(bounds())
    clip = data.draw(frames(source_of(bound), FRAMES))
    groups = data.draw(groupings(bound))
    expected = run(Engine(bound, executor("reference")), clip, [])
    at = data.draw(st.integers(1, FRAMES - 1))
    names = data.draw(st.tuples(*[st.sampled_from(("reference", "cpu"))] * 2))
    first, second = (Engine(bound, executor(name), groups=groups) for name in names)
    run(first, clip[:at], [])
    second.restore(first.snapshot())
    for i, found in enumerate(run(second, clip, [], at), at):
        assert equal(found, expected[i]), (i, groups)
