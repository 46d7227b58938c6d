"""A look at a value inside a fused program: it is what the reference computes for that frame."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.base import executor
from kernels.ir.image import ImageType
from pipelines.definition import library, loads
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups
from pipelines.graph import Ref
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.peek import Peek, _maker
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.playback import Playback
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_runner import SPOTS
from tests.shipped import fixed

CLIP = moving_spots(24, 48)


def batches(cuts: list[int]) -> list[FrameBatch]:
    edges = [0, *sorted({c for c in cuts if 0 < c < len(CLIP)}), len(CLIP)]
    return [FrameBatch(np.arange(a, b), np.arange(a, b) / 1000.0, CLIP[a:b]) for a, b in pairwise(edges)]


def inner(name: str) -> list[tuple[str, Ref]]:
    bound = bound_for(fixed(name), MemoryClip(CLIP).info)
    return [(name, ref) for ref, type_ in bound.types.items() if isinstance(type_, ImageType) and ref.node != "source"]


CUTS = [1, 2, 7, 15]


@cache
def shipped(name: str) -> tuple[Engine, Any, list[dict[Ref, Any]]]:
    """A pipeline compiled, what it knows before the first frame, and all pictures of the last frame of each batch."""
    bound = bound_for(fixed(name), MemoryClip(CLIP).info)
    refs = tuple(ref for _, ref in inner(name))
    wanted = Engine(bound, executor("reference"), keep=refs)
    last = [{ref: np.array(made[ref])[-1] for ref in refs} for made in map(wanted.step, batches(CUTS))]
    engine = Engine(bound, executor("cpu"), groups=largest_groups(bound, bound.taps))
    return engine, engine.snapshot(), last


@pytest.mark.parametrize(("name", "ref"), [case for name in library() for case in inner(name)], ids=str)
def test_every_picture_of_every_shipped_pipeline_can_be_looked_at(name: str, ref: Ref) -> None:
    engine, beginning, last = shipped(name)
    unit = next((u for u in engine.units if any(n.id == ref.node for n in u.nodes)), None)
    if unit is None or unit.body.host is not None:
        pytest.skip("nobody needs it, or the host makes it")
    engine.restore(beginning)
    engine.peek = Peek([(unit, (ref,))], engine.executor, every=0.0)
    for batch, expected in zip(batches(CUTS), last, strict=True):
        pending = engine.submit(batch)
        pending.result()
        np.testing.assert_array_equal(pending.peeked[str(ref)], expected[ref])


@settings(max_examples=20)
@given(st.lists(st.integers(1, 23), max_size=5), st.lists(st.booleans(), min_size=6, max_size=6))
def test_looks_change_nothing_and_may_be_few(cuts: list[int], looks: list[bool]) -> None:
    bound = bound_for(loads(SPOTS), MemoryClip(CLIP).info)
    plain = Engine(bound, executor("reference"))
    seen = Engine(bound, executor("reference"), groups=largest_groups(bound, bound.taps))
    ref = Ref("slow")
    peek = Peek([(_maker(seen.units, bound, ref), (ref,))], seen.executor, every=0.0)
    inside = Engine(bound, executor("reference"), keep=(ref,))
    for batch, look in zip(batches(cuts), looks, strict=False):
        seen.peek = peek if look else None
        expected, pending = plain.step(batch), seen.submit(batch)
        made = pending.result()
        for tap in bound.taps:
            for a, b in zip(expected[tap], made[tap], strict=True):
                np.testing.assert_array_equal(getattr(a, "rows", a), getattr(b, "rows", b))
        picture = np.asarray(inside.step(batch)[ref])[-1]
        assert bool(pending.peeked) == look
        if pending.peeked:
            np.testing.assert_array_equal(pending.peeked["slow"], picture)


def test_a_playback_shows_what_is_asked_for_at_once() -> None:
    bound = bound_for(loads(SPOTS), MemoryClip(CLIP).info)
    expected = np.asarray(Engine(bound, executor("reference"), keep=(Ref("slow"),)).step(batches([])[0])[Ref("slow")])
    playback = Playback(MemoryClip(CLIP), loads(SPOTS), options=PlaybackOptions(device="cpu", pictures=True))
    playback.start()
    try:
        playback.seek(9)
        assert playback.settle(PATIENCE)
        playback.show("slow")
        assert playback.settle(PATIENCE)
        latest = playback.latest(PATIENCE)
        assert latest is not None
        assert latest.result.index == 9
        np.testing.assert_array_equal(latest.result.taps["slow"], expected[9])
        playback.step(3)
        assert playback.settle(PATIENCE)
        latest = playback.latest(PATIENCE)
        assert latest is not None
        np.testing.assert_array_equal(latest.result.taps["slow"], expected[12])
        playback.show("spots")
        playback.show("nothing")
        playback.step(1)
        assert playback.settle(PATIENCE)
        assert any("spots" in note for note in playback.notes) or any("nothing" in note for note in playback.notes)
        playback.show("")
        playback.step(1)
        assert playback.settle(PATIENCE)
        latest = playback.latest(PATIENCE)
        assert latest is not None
        assert "slow" not in latest.result.taps
    finally:
        playback.stop()


def test_a_frame_that_stands_still_goes_on_to_show_it_with_programs_that_were_built_anew() -> None:
    playback = Playback(
        MemoryClip(CLIP), loads(SPOTS), options=PlaybackOptions(device="cpu", pictures=True, whole=True)
    )
    playback.start()
    try:
        playback.seek(9)
        assert playback.settle(PATIENCE)
        playback.show("slow")
        assert playback.settle(PATIENCE)
        before = playback.latest(PATIENCE)
        assert before is not None
        playback.set_param("smooth", "sigma", 2.0)
        assert playback.settle(PATIENCE)
        after = playback.latest(PATIENCE)
        assert after is not None
        assert after.result.index == 9
        assert not np.array_equal(after.result.taps["slow"], before.result.taps["slow"])
    finally:
        playback.stop()


def test_a_peek_waits_for_its_time() -> None:
    bound = bound_for(loads(SPOTS), MemoryClip(CLIP).info)
    engine = Engine(bound, executor("reference"), groups=largest_groups(bound, bound.taps))
    engine.peek = Peek([(_maker(engine.units, bound, Ref("slow")), (Ref("slow"),))], engine.executor, every=3600.0)
    seen = []
    for batch in batches([5, 10]):
        pending = engine.submit(batch)
        pending.result()
        seen.append(bool(pending.peeked))
    assert seen == [True, False, False]
