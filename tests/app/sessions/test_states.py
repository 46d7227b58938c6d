"""States as they are stored: bit for bit, on every back end; what is damaged is refused in a sentence."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from app.sessions.packing import pack, unpack
from app.sessions.schemas import state_parts
from app.sessions.states import KeptStates, pack_state, stored_states, unpack_state
from kernels.errors import InputError
from kernels.executors.base import executor
from kernels.ir.image import U8, ImageType
from pipelines.definition import loads
from pipelines.features import TRACK_DTYPE
from pipelines.frame import FrameBatch
from pipelines.graph import SOURCE, Bound, Node, Pipeline, Ref, bind
from pipelines.streaming.engine.checkpoint import Checkpoint, TrackerState, engine_at, engine_state, tracking_at
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.tracking import Piece, Tracking
from tests.letters import LETTERS
from tests.pipelines.drawn import bounds, frames, groupings
from tests.pipelines.emulated import EmulatedExecutor
from tests.pipelines.test_follow import ONE, WALK, film
from tests.pipelines.test_random_pipelines import equal, run, source_of
from tests.shipped import fixed

SOME = fixed("blobs")
DTYPES = st.sampled_from(["?", "u1", "<i2", "<u4", "<i8", "<f4", "<f8", "<c8", ">f4", ">i8"])
ARRAYS = DTYPES.flatmap(lambda kind: hnp.arrays(np.dtype(kind), hnp.array_shapes(min_dims=0, min_side=0, max_side=5)))
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(LETTERS) | ARRAYS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(LETTERS, min_size=1), inner, max_size=4),
    max_leaves=12,
)


def alike(a: Any, b: Any) -> bool:
    """The same, to the last bit."""
    if isinstance(a, np.ndarray):
        kind = a.dtype.newbyteorder("=")
        return isinstance(b, np.ndarray) and (b.dtype, b.shape) == (kind, a.shape) and (
            a.astype(kind).tobytes() == b.tobytes()) and b.flags.writeable  # fmt: skip
    if isinstance(a, Mapping):
        return list(a) == list(b) and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(alike, a, b))
    return type(a) is type(b) and repr(a) == repr(b)


@settings(max_examples=100, deadline=None)
@given(TREES)
def test_trees_come_back(tree: Any) -> None:
    assert alike(tree, unpack(pack(tree)))


@settings(max_examples=60, deadline=None)
@given(TREES, st.data())
def test_damage_is_refused_or_read(tree: Any, data: st.DataObject) -> None:
    """Nothing but ValueError, whatever the bytes are."""
    packed = bytearray(pack({"a": tree, "b": np.arange(5.0)}))
    with pytest.raises(ValueError, match="it "):
        unpack(bytes(packed[: data.draw(st.integers(0, len(packed) - 1))]))
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with contextlib.suppress(ValueError):
        unpack(bytes(packed))


@pytest.mark.parametrize("kind", [",f8", "(f8", "<a8", "<f8,", "f8;", "|O8", "<M8"])
def test_a_damaged_type_of_an_array_is_refused(kind: str) -> None:
    """NumPy would parse it, and raise a SyntaxError, or warn."""
    packed = pack({"a": np.arange(5.0)})
    at = packed.index(b"[[") + 2
    text = json.dumps(kind).encode()
    table = int.from_bytes(packed[12:16], "little") + len(text) - len(b'"<f8"')
    changed = packed[:12] + table.to_bytes(4, "little") + packed[16:at] + text + packed[at + len(b'"<f8"') :]
    with pytest.raises(ValueError, match="it "):
        unpack(changed)


@pytest.mark.parametrize("wrong", [{"": 1}, {1: 2}, {"a": object()}, np.array(["text"]), {"a": np.array([None])}])
def test_what_cannot_be_stored(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"stored|texts"):
        pack(wrong)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_stored_state_goes_on_with_the_same_bits(data: st.DataObject) -> None:
    """Random stages in random groups; begun on one back end, gone on with on another."""
    bound = data.draw(bounds())
    clip = data.draw(frames(source_of(bound), 7))
    groups = data.draw(groupings(bound))
    expected = run(Engine(bound, executor("reference")), clip, [])
    at = data.draw(st.integers(0, 6))
    made = [executor(name) for name in data.draw(st.tuples(*[st.sampled_from(("reference", "cpu"))] * 2))]
    first = Engine(bound, made[0], groups=groups)
    if at:
        run(first, clip[:at], [])
    point = engine_state(at, SOME, first).with_trackers(Tracking(replace(bound, trackers=()), 1.0))
    stored = unpack_state(pack_state(point))
    assert stored.groups == point.groups
    second = engine_at(stored, bound, made[1])
    for i, found in enumerate(run(second, clip, [], at), at):
        assert equal(found, expected[i]), (i, groups)


@pytest.mark.parametrize("first", ["reference", "cpu", "cuda"])
@pytest.mark.parametrize("second", ["reference", "cpu", "cuda"])
def test_between_any_two_back_ends(first: str, second: str) -> None:
    """A mean in time and a difference to the frame before, fused: both kinds of memory."""
    nodes = (
        Node("ground", "background", {"image": Ref(SOURCE)}, {}),
        Node("step", "difference", {"image": Ref("ground", "mean")}, {"lag": 2}),
    )  # fmt: skip
    bound = bind(Pipeline("two", "", nodes, (), (Ref("step"),)), ImageType(U8, 6, 9, 1))
    clip = np.random.default_rng(1).integers(0, 256, (9, 6, 9)).astype(np.uint8)
    expected = run(Engine(bound, executor("reference")), clip, [])
    made = [EmulatedExecutor() if name == "cuda" else executor(name) for name in (first, second)]
    engine = Engine(bound, made[0], groups=[["ground", "step"]])
    run(engine, clip[:4], [])
    point = engine_state(4, SOME, engine).with_trackers(Tracking(bound, 1.0))
    again = engine_at(unpack_state(pack_state(point)), bound, made[1])
    for i, found in enumerate(run(again, clip, [], 4), 4):
        assert equal(found, expected[i])
    assert not equal(run(Engine(bound, executor("reference")), clip, [], 4)[0], expected[4])


@pytest.mark.parametrize(("first", "second"), [("reference", "cpu"), ("cpu", "reference"), ("cpu", "cpu")])
@pytest.mark.parametrize("together", [True, False])
def test_where_values_are_shared_and_where_not(first: str, second: str, together: bool) -> None:
    """A stage with a memory of which only its unchanged input is read: but the reference, all pass it by."""
    bound = bound_of_weights()
    clip = np.random.default_rng(2).integers(0, 256, (9, 6, 9)).astype(np.uint8)
    expected = run(Engine(bound, executor("reference")), clip, [])
    groups = [["scale", "ground", "clean"], ["bodies"]] if together else None
    engine = Engine(bound, executor(first), groups=groups)
    run(engine, clip[:4], [])
    point = engine_state(4, SOME, engine).with_trackers(Tracking(bound, 1.0))
    assert any("ground" in group for group in point.groups) == (first == "reference")
    again = engine_at(unpack_state(pack_state(point)), bound, executor(second))
    for i, found in enumerate(run(again, clip, [], 4), 4):
        assert equal(found, expected[i])
    assert not equal(run(Engine(bound, executor("reference")), clip, [], 4)[0], expected[4])


def bound_of_weights() -> Bound:
    nodes = (
        Node("scale", "normalize", {"image": Ref(SOURCE)}, {}),
        Node("ground", "background", {"image": Ref("scale")}, {"change": "brighter"}),
        Node("clean", "background", {"image": Ref("scale")}, {"alpha": 0.5, "k": 1.0, "min_sigma": 0.01}),
        Node(
            "bodies", "components", {"mask": Ref("clean", "foreground"), "weights": Ref("ground", "weight")},
            {"min_area": 1},
        ),
    )  # fmt: skip
    return bind(Pipeline("weights", "", nodes, (), (Ref("bodies"),)), ImageType(U8, 6, 9, 1))


def point_at(frame: int, count: int = 0) -> Checkpoint:
    state = {"frames": frame, "memory": {"a/b": np.arange(count, dtype=np.float32)}, "history": [[np.ones((2, 3))]]}
    tracker = TrackerState("follow", (Piece(0, 1, 2), Piece(5, 9, 1)), {"clock": np.array([1.0, np.nan])})
    return Checkpoint(frame, SOME, (("a", "b"),), True, {"a+b": state}, (tracker,), 7)


@pytest.mark.parametrize("shape", [(0,), (3,), (4, 3), (2, 0), ()])
def test_a_tracker_may_keep_rows_in_any_shape(shape: tuple[int, ...]) -> None:
    rows = np.zeros(shape, np.dtype([*TRACK_DTYPE.descr, ("corner", "<f4", (2, 3))]))
    rows["x"], rows["corner"], rows["state"] = np.arange(rows.size).reshape(shape) + 0.5, np.nan, 1
    point = point_at(5)
    point = replace(point, trackers=(replace(point.trackers[0], state={"last": rows, "next": np.array(7)}),))
    state = unpack_state(pack_state(point)).trackers[0].state
    assert (state["last"].dtype, state["last"].shape) == (rows.dtype, shape)
    assert state["last"].tobytes() == rows.tobytes()
    assert int(state["next"]) == 7


@pytest.mark.parametrize(
    ("last", "why"),
    [
        ({"x": np.zeros(2), "y": np.zeros(3)}, "not of one length"),
        ([[2, 2], {"x": np.zeros((2, 2)), "y": np.zeros((2, 3))}], "not of its shape"),
        ([[2]], "something else"),
    ],
)
def test_columns_of_different_lengths_are_no_rows(last: Any, why: str) -> None:
    point = point_at(5)
    state: Any = {"last": last}
    point = replace(point, trackers=(TrackerState("follow", (), {}),))
    tree = unpack(pack_state(point))
    tree["trackers"][0]["state"] = state
    with pytest.raises(ValueError, match=why):
        unpack_state(pack(tree))


def test_parts_of_messages() -> None:
    """States come back from parts of any size; a part that is missing, or of another, is named."""
    packed = [(frame, pack_state(point_at(frame, 1000))) for frame in (3, 90)]
    messages = [part for frame, data in packed for part in state_parts(frame, data, 500)]
    found = list(stored_states(messages))
    assert [(s.frame, s.problem) for s in found] == [(3, ""), (90, "")]
    assert found[1].point is not None
    assert pack_state(found[1].point) == packed[1][1]
    cut = list(stored_states([*messages[:5], *messages[6:]]))
    assert [s.point is None for s in cut] == [True, False]
    assert "bytes are there" in cut[0].problem
    torn = bytearray(messages[2])
    torn[-1] ^= 1
    assert [s.problem for s in stored_states([*messages[:2], bytes(torn), *messages[3:]])] == [
        "its checksum differs", ""]  # fmt: skip


def test_what_does_not_fit_is_said() -> None:
    """A state of other stages than those that it is for."""
    bound = bound_of_two()
    with pytest.raises(InputError, match="before frame 4 "):
        engine_at(replace(point_at(4), groups=(("n0",), ("n1",)), pictures=False), bound, executor("reference"))


def bound_of_two() -> Bound:
    nodes = (Node("n0", "gray", {"image": Ref(SOURCE)}, {}), Node("n1", "invert", {"image": Ref("n0")}, {}))
    return bind(Pipeline("two", "", nodes, (), (Ref("n1"),)), ImageType(U8, 4, 5, 1))


def test_only_what_may_be_asked_for_is_kept() -> None:
    kept = KeptStates(every=10, back=25)
    for frame in range(0, 200, 3):
        if kept.wants(frame):
            kept.put(point_at(frame), frame + 3)
            oldest = kept.newest(0, frame + 3 - 25)
            assert oldest is not None or frame < 25
            assert len(kept) <= 25 // 10 + 3
    assert [kept.newest(0, last).frame for last in (199, 190)] == [192, 180]  # type: ignore[union-attr]
    assert kept.newest(0, 100) is None
    assert kept.newest(193, 199) is None
    small = KeptStates(every=1, back=1000, most=20_000)
    for frame in range(100):
        assert small.wants(frame)
        small.put(point_at(frame, 500), frame)
        assert small.nbytes <= 20_000
        assert small.newest(frame, frame) is not None


def test_a_state_names_its_groups() -> None:
    batch = FrameBatch(np.arange(1), np.zeros(1), np.zeros((1, 4, 5), np.uint8))
    engine = Engine(bound_of_two(), executor("reference"))
    engine.step(batch)
    assert engine_state(1, SOME, engine).groups == (("n0",), ("n1",))


def test_a_loop_and_windows_go_on_from_a_stored_state() -> None:
    """What stages take of the frame before, and the windows of a tracker of key points."""
    text = ONE.replace('inputs = "marks.points"', 'inputs = { points = "marks.points", image = "gray" }')
    pipeline = loads(f'{text}refine = "template"\nwindow = 9\n')
    clip = film(WALK)
    bound = bind(pipeline, ImageType(U8, *clip.shape[1:]))
    batches = [FrameBatch(np.arange(a, b), np.arange(a, b) / 600, clip[a:b]) for a, b in ((0, 7), (7, 16))]
    engine, tracking = Engine(bound, executor("cpu")), Tracking(bound, 600.0)
    tracking.follow(batches[0], engine.step(batches[0]))
    stored = pack_state(engine_state(7, pipeline, engine).with_trackers(tracking))
    wanted = tracking.follow(batches[1], engine.step(batches[1]))
    point = unpack_state(stored)
    other = engine_at(point, bound, executor("reference"))
    made = tracking_at(point, bound, 600.0).follow(batches[1], other.step(batches[1]))
    assert [rows.tobytes() for rows in made] == [rows.tobytes() for rows in wanted]
    assert all(len(rows) == 3 for rows in made)
