"""Values that are another unchanged: computed nowhere, and never overwritten while somebody holds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels import plugins as stages
from kernels.errors import ExprError
from kernels.executors.base import executor
from kernels.ir.body import Body, Host
from kernels.ir.image import ImageType, dtype_of
from kernels.stage import stage
from pipelines.definition import library, loads
from pipelines.frame import FrameBatch, Result
from pipelines.fusing import Unit, fuse, largest_groups
from pipelines.graph import Bound, Ref, bind
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.buffer_pool import BufferPool
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.peek import Peek
from pipelines.streaming.engine.tracking import PICTURE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_runner import Keep
from tests.pipelines.streaming.live.cameras import FakeCamera
from tests.pipelines.streaming.live.live_runs import live
from tests.shipped import fixed

SAME = """
taps = ["gray", "again", "smooth", "late"]
[stages.gray]
[stages.again]
use = "convert"
dtype = "u8"
[stages.smooth]
use = "gaussian"
sigma = 1.0
[stages.late]
use = "convert"
dtype = "f32"
[stages.slow]
use = "iir_lowpass"
inputs = "again"
[stages.bright]
use = "threshold"
level = 60
[stages.spots]
use = "components"
inputs = { mask = "bright", weights = "again" }
[trackers.follow]
use = "blob"
inputs = "spots"
"""
CLIP = moving_spots(40, 48)
SOURCE = Ref("source")


def bound_of(text: str = SAME, clip: Any = CLIP) -> Bound:
    return prepare(loads(text), MemoryClip(clip))


def batch_of(first: int, end: int, clip: Any = CLIP) -> FrameBatch:
    return FrameBatch(np.arange(first, end), np.arange(first, end) / 1e3, clip[first:end])


def alone(bound: Bound) -> list[list[str]]:
    return [[node.id] for node in bound.nodes]


def copied(bound: Bound, clip: Any = CLIP) -> list[dict[str, Any]]:
    """What each frame's taps are: every stage's own body on the reference, each frame by itself in order."""
    programs = [(node, executor("reference").compile(node.body)) for node in bound.nodes]
    found = []
    for frame in clip:
        values: dict[Ref, Any] = {SOURCE: frame[None]}
        for node, program in programs:
            made = program.run([None if ref is None else values[ref] for ref in node.inputs], {})
            values |= {Ref(node.id): data for data in made.values()}
        found.append({str(tap): np.array(values[tap][0]) for tap in bound.taps if isinstance(values[tap], np.ndarray)})
    return found


def the_same(results: Sequence[Result], expected: Sequence[dict[str, Any]]) -> bool:
    return all(
        result.taps[name].tobytes() == data.tobytes() and result.taps[name].dtype == data.dtype
        for result in results for name, data in expected[result.index].items()
    )  # fmt: skip


def test_an_output_that_is_an_input_is_made_nowhere() -> None:
    bound = bound_of()
    (first, last) = fuse(bound, largest_groups(bound, bound.taps), bound.taps)
    assert first.same == last.same == {Ref("gray"): SOURCE, Ref("again"): SOURCE, Ref("late"): Ref("smooth")}
    assert {*first.outputs.values()} == {Ref("smooth"), Ref("bright")}
    assert last.inputs == (Ref("bright"), SOURCE)


def test_a_chain_of_groups_names_where_the_pixels_are() -> None:
    bound = bound_of()
    units = {unit.name: unit for unit in fuse(bound, alone(bound), bound.taps)}
    assert [name for name, unit in units.items() if unit.idle] == ["gray", "again", "late"]
    assert units["smooth"].inputs == units["slow"].inputs == (SOURCE,)
    assert units["spots"].inputs == (Ref("bright"), SOURCE)
    assert units["spots"].same == {Ref("gray"): SOURCE, Ref("again"): SOURCE, Ref("late"): Ref("smooth")}


@pytest.mark.parametrize(("stage", "image", "unchanged"), [
    ("gray", (np.uint8, 1), True), ("gray", (np.uint8, 3), False), ("gray", (np.float32, 1), True),
    ('convert"\ndtype = "u8', (np.uint8, 3), True), ('convert"\ndtype = "u16', (np.uint8, 3), False),
    ("normalize", (np.float32, 1), True), ("normalize", (np.uint8, 1), False), ("mask", (np.uint16, 4), True),
    ("swap_red_blue", (np.uint8, 3), False), ("flip", (np.uint8, 1), False),
])  # fmt: skip
def test_what_is_unchanged(stage: str, image: Any, unchanged: bool) -> None:
    """Every channel of every pixel in its place, in the same type."""
    kind = ImageType(dtype_of(np.dtype(image[0])), 9, 11, image[1])
    bound = bind(loads(f'taps = ["one"]\n[stages.one]\nuse = "{stage}"\n'), kind)
    (unit,) = fuse(bound, alone(bound), bound.taps)
    assert unit.idle is unchanged
    rng = np.random.default_rng(1)
    pixels = (255 * rng.random((3, *kind.shape))).astype(image[0])
    made: Any = Engine(bound, executor("cpu")).step(batch_of(0, 3, pixels))[Ref("one")]
    wanted: Any = executor("reference").compile(bound.nodes[0].body).run([pixels], {})
    assert np.array_equal(made, next(iter(wanted.values())))
    assert np.shares_memory(made, pixels) is unchanged


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(["reference", "cpu"]), st.booleans(), st.lists(st.integers(1, 39), max_size=6))
def test_values_are_those_of_the_stages_as_written(back_end: str, whole: bool, cuts: list[int]) -> None:
    bound = bound_of()
    groups = largest_groups(bound, bound.taps) if whole else alone(bound)
    engine, expected = Engine(bound, executor(back_end), groups=groups), copied(bound)
    edges = [0, *sorted(set(cuts)), len(CLIP)]
    for a, b in pairwise(edges):
        made: Any = engine.step(batch_of(a, b))
        for ref in (tap for tap in bound.taps if isinstance(made[tap], np.ndarray)):
            assert all(made[ref][i - a].tobytes() == expected[i][str(ref)].tobytes() for i in range(a, b))
        for name in ("gray", "again"):
            assert np.shares_memory(made[Ref(name)], CLIP) is (back_end == "cpu")  # the reference is made in any case
            if back_end != "cpu":
                continue
            assert made[Ref(name)].base is not None
            with pytest.raises(ValueError, match="read-only"):
                made[Ref(name)][0, 0, 0] = 1
    state = engine.snapshot()
    engine.restore(state)
    assert state.keys() == engine.programs.keys()


def test_the_reference_hands_nothing_on_that_a_stage_says_how_to_make(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who takes too much for unchanged differs from it."""
    clip = np.random.default_rng(5).integers(0, 255, (4, 9, 11, 3), np.uint8)
    bound = bound_of('taps = ["one"]\n[stages.one]\nuse = "swap_red_blue"\n', clip)
    monkeypatch.setattr(Body, "unchanged", lambda *_: 0)
    made: dict[str, Any] = {name: Engine(bound, executor(name)).step(batch_of(0, 4, clip))[Ref("one")]
                            for name in ("cpu", "reference")}  # fmt: skip
    assert np.shares_memory(made["cpu"], clip)
    assert np.array_equal(made["reference"], clip[..., ::-1])


@pytest.mark.parametrize("name", library())
def test_no_program_writes_to_what_it_takes(name: str) -> None:
    """Programs, host functions and trackers work on memory that cannot be written to, and give the same rows."""
    rows = []
    for locked in (False, True):
        clip = Viewed(CLIP.copy())
        clip.frames.flags.writeable = not locked
        keep = Keep()
        bound = prepare(fixed(name), clip)
        options = RunOptions(device="cpu", batch=7, pictures=True)
        Runner(clip, bound, [keep], frames=(0, len(CLIP)), options=options).run()
        assert np.array_equal(clip.frames, CLIP)
        rows.append(keep)
    assert rows[0].tracks.tobytes() == rows[1].tracks.tobytes()
    copying = Keep()
    clip = MemoryClip(CLIP)
    Runner(
        clip, prepare(fixed(name), clip), [copying], frames=(0, len(CLIP)), options=RunOptions(device="cpu", batch=7)
    ).run()
    assert copying.tracks.tobytes() == rows[0].tracks.tobytes()


@pytest.fixture
def writing() -> Iterator[None]:
    """A stage of the user's that writes into what it is given."""
    before = dict(stages.registry())

    @stage(opaque=True)
    def writes(image: Any) -> Host:
        def run(inputs: Any, params: Any) -> Any:
            inputs[0][inputs[0] < 60] = 0
            return {"out": inputs[0]}

        return Host({"out": image}, run)

    yield
    stages._put_back(before)


@pytest.mark.parametrize("back_end", ["reference", "cpu"])
def test_a_stage_that_writes_to_what_it_takes_fails_and_harms_nobody(writing: None, back_end: str) -> None:
    """What it is given may be the clip, or the ring of a camera, and what others are given."""
    bound = bound_of('taps = ["gray", "dark"]\n[stages.gray]\n[stages.dark]\nuse = "writes"\n')
    clip = CLIP.copy()
    with pytest.raises(ExprError, match=r"^dark \(frames 0 to 2\) fails with ValueError: .* read-only"):
        Engine(bound, executor(back_end)).step(batch_of(0, 3, clip))
    assert np.array_equal(clip, CLIP)


class Viewed(MemoryClip):
    """A clip in memory that hands out its memory."""

    views = 0

    def view(self, first: int, end: int) -> Any:
        if any(first <= one < end for one in self.bad):
            return None
        self.views += 1
        return self.frames[first:end]


class KeepsFrames(Keep):
    """Keeps the frames and everything that was computed, where it lies."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[FrameBatch] = []

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        super().write(frames, results)
        self.batches.append(frames)


@pytest.mark.parametrize("batch", [1, 3, 16])
@pytest.mark.parametrize("source", [MemoryClip, Viewed])
def test_what_a_sink_keeps_stays_as_it_is(batch: int, source: type[MemoryClip]) -> None:
    """Memory that is used again is nobody's; where a frame cannot be read its batch is read, and the others are not."""
    bad = (17,)
    clip = source(CLIP, bad=bad)
    bound = prepare(loads(SAME), clip)
    keep, last = KeepsFrames(), Keep()
    Runner(
        clip, bound, [keep, last], frames=(0, len(CLIP)), options=RunOptions(device="cpu", batch=batch, pictures=True)
    ).run()
    read = [i for i in range(len(CLIP)) if i not in bad]
    assert the_same([r for r in keep.results if r.index in read], states_without(bound, read))
    for result in keep.results:
        if result.index in read:
            assert np.array_equal(result.taps[PICTURE], CLIP[result.index])
    for frames in keep.batches:
        assert all(np.array_equal(frames.pixels[k], CLIP[i]) for k, i in enumerate(frames.indices))
    if isinstance(clip, Viewed):
        assert clip.views
        views = [frames.pixels for frames in keep.batches if np.shares_memory(frames.pixels, CLIP)]
        assert views
        assert not any(pixels.flags.writeable for pixels in views)


def states_without(bound: Bound, read: list[int]) -> dict[int, dict[str, Any]]:
    """What the stages make of the frames that could be read, by number."""
    return dict(zip(read, copied(bound, CLIP[read]), strict=True))


def test_a_sink_that_keeps_some_does_not_keep_others_from_being_used_again() -> None:
    long = np.concatenate([CLIP] * 5)
    clip = MemoryClip(long)
    seen: list[int] = []
    kept: list[tuple[int, Any]] = []

    class Some:
        def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
            seen.append(frames.pixels.__array_interface__["data"][0])
            kept.extend((r.index, r.taps["gray"]) for r in results if r.index % 40 == 5)

        def close(self) -> None: ...

    Runner(
        clip, prepare(loads(SAME), clip), [Some()], frames=(0, len(long)), options=RunOptions(device="cpu", batch=4)
    ).run()
    assert all(np.array_equal(pixels, long[index]) for index, pixels in kept)
    assert len(kept) == 5
    assert len(set(seen)) < len(seen) / 2


def test_results_of_a_live_run_outlive_its_ring() -> None:
    """The camera writes over the ring many times while a sink keeps everything."""
    keep = Keep()
    camera = FakeCamera(CLIP, list(range(300)), pace=0.002)
    live(camera, [keep], pipeline=loads(SAME), slots=32, batch=5, pictures=True)
    assert len(keep.results) > 64
    for result in keep.results:
        for name in ("gray", "again", PICTURE):
            assert np.array_equal(result.taps[name], CLIP[result.index % len(CLIP)])
        assert np.shares_memory(result.taps["gray"], result.taps[PICTURE])
        assert not np.shares_memory(result.taps["gray"], result.taps["smooth"])


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 9), st.booleans(), st.integers(0, 20)), max_size=60))
def test_memory_is_used_again_once_nobody_holds_it(steps: list[tuple[int, bool, int]]) -> None:
    """Arrays of any lengths, and views of some of their frames that are let go in any order."""
    make, held = BufferPool(), []
    for number, (frames, keep, gone) in enumerate(steps):
        array = make((frames, 3, 4), np.dtype(np.uint8))
        assert array.shape == (frames, 3, 4)
        assert array.flags.c_contiguous
        assert array.flags.writeable
        array[...] = number
        if keep and frames:
            held.append((number, array[frames // 2 :].view()[:, 1:]))
        if held and gone < len(held):
            del held[gone]
        del array
        assert all((view == written).all() for written, view in held)


def test_memory_that_nobody_holds_is_not_made_anew() -> None:
    make = BufferPool()
    first = make((8, 5, 5), np.dtype(np.uint8))
    where = first.__array_interface__["data"][0]
    frame = first[3]
    del first
    second = make((8, 5, 5), np.dtype(np.uint8))
    assert not np.shares_memory(second, frame)
    del frame
    for frames in (8, 2):
        assert make((frames, 5, 5), np.dtype(np.uint8)).__array_interface__["data"][0] == where
    assert make((8, 5, 5), np.dtype(np.uint16)).dtype == np.uint16


def test_a_value_that_is_handed_on_can_be_looked_at() -> None:
    bound = bound_of(SAME.replace('taps = ["gray", "again", "smooth", "late"]\n', ""))
    engine = Engine(bound, executor("cpu"), groups=alone(bound))
    unit: Unit = next(unit for unit in engine.units if unit.name == "again")
    assert unit.idle
    engine.peek = Peek([(unit, (Ref("again"),))], engine.executor, every=0.0)
    pending = engine.submit(batch_of(3, 9))
    pending.result()
    assert np.array_equal(pending.peeked["again"], CLIP[8])
