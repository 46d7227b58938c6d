"""Corrections of tracks: what a step does, undo and redo, and that all ways to read agree."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.sidecars import corrections_file
from app.desk.sidecars.corrections_file import Provenance
from app.desk.tracks.applying import HAND_SIGMA
from app.desk.tracks.corrections import Corrections
from app.desk.tracks.steps import FIRST_OWN, Action, Delete, Merge, Move, Rename, Split, Step, split_name
from app.desk.tracks.store import TrackStore
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, Reason, State, Tracks
from tests.track_summaries import summaries

FRAMES = 12
MADE_OF = Provenance("a.mp4", 480, 384, 288, "blobs", "00ff")


def table(*rows: tuple[int, int, float, State]) -> Tracks:
    made = np.zeros(len(rows), TRACK_DTYPE)
    for k, (frame, track, x, state) in enumerate(rows):
        made[k] = (frame, frame / 100, track, x, 0, 0, 0, 0.1, 0, 0, 0.9, state, 0)
    return made


def store_of(rows: Tracks, last: int = FRAMES - 1) -> TrackStore:
    store = TrackStore()
    store.add(0, last, rows)
    return store


def ordered(rows: Tracks) -> Tracks:
    return rows[np.lexsort((rows["track"], rows["frame"]))]


states = st.sampled_from([State.TENTATIVE, State.TRACKED, State.PREDICTED, State.LOST])
ids = st.integers(0, 4)
frames = st.integers(0, FRAMES - 1)
steps = st.one_of(
    st.builds(Rename, ids, st.sampled_from(["", "nose", "tip"])),
    st.builds(Delete, st.lists(ids, min_size=1, max_size=2).map(tuple)),
    st.tuples(ids, ids).filter(lambda p: p[0] != p[1]).map(lambda p: Merge(*p)),
    st.builds(Split, ids, frames, st.integers(FIRST_OWN, FIRST_OWN + 2)),
    st.builds(lambda t, f, x: Move(t, f, f / 100, x, -x), st.one_of(ids, st.just(FIRST_OWN)), frames,
              st.floats(-50, 50)),
)  # fmt: skip


@st.composite
def stores(draw: st.DrawFn) -> TrackStore:
    """Some frames of 12, not all known, each with some of five tracks."""
    store = TrackStore()
    for first, last in ((0, 4), (7, FRAMES - 1)):
        present = [(f, t) for f in range(first, last + 1) for t in draw(st.sets(ids))]
        store.add(first, last, table(*((f, t, 10.0 * t + f, draw(states)) for f, t in sorted(present))))
    return store


@given(stores(), st.lists(steps, max_size=6))
def test_all_ways_to_read_agree_and_no_frame_has_a_track_twice(store: TrackStore, given_steps: list[Step]) -> None:
    for step in given_steps:
        with suppress(InputError):
            store.corrections.do("a step", step)
    rows = ordered(store.all())
    pairs = list(zip(rows["frame"].tolist(), rows["track"].tolist(), strict=True))
    assert len(pairs) == len(set(pairs))
    for frame in range(FRAMES):
        np.testing.assert_array_equal(ordered(store.at(frame)), rows[rows["frame"] == frame])
        assert store.known(frame) or not len(store.at(frame))
    np.testing.assert_array_equal(ordered(store.between(3, 8)), rows[(rows["frame"] >= 3) & (rows["frame"] <= 8)])
    for track in {*range(5), *rows["track"].tolist(), FIRST_OWN}:
        np.testing.assert_array_equal(store.track(track), rows[rows["track"] == track])
    assert [summary.track for summary in summaries(store)] == sorted(set(rows["track"].tolist()))


@given(stores(), st.lists(steps, min_size=1, max_size=6), st.data())
def test_undo_and_redo_lead_through_the_same_tables(store: TrackStore, given_steps: list[Step], data: st.DataObject
                                                    ) -> None:  # fmt: skip
    raw, tables, versions = store.raw_between(0, FRAMES), [store.all()], [store.version]
    count = 0
    for step in given_steps:
        with suppress(InputError):
            store.corrections.do("a step", step)
        if len(store.corrections) == count:
            continue
        count += 1
        tables.append(store.all())
        versions.append(store.version)
    at = count
    for back in data.draw(st.lists(st.booleans(), max_size=12)):
        store.corrections.undo() if back else store.corrections.redo()
        at = max(0, at - 1) if back else min(count, at + 1)
        np.testing.assert_array_equal(store.all(), tables[at])
        assert len(store.corrections) == at
    assert versions == sorted(set(versions))
    np.testing.assert_array_equal(store.raw_between(0, FRAMES), raw)


@given(stores(), ids, frames)
def test_a_split_and_a_merge_of_the_parts_is_nothing(store: TrackStore, track: int, frame: int) -> None:
    before = ordered(store.all())
    store.corrections.do("split", Split(track, frame, FIRST_OWN))
    assert (store.track(track)["frame"] < frame).all()
    assert (store.track(FIRST_OWN)["frame"] >= frame).all()
    store.corrections.do("merge", Merge(track, FIRST_OWN))
    np.testing.assert_array_equal(ordered(store.all()), before)


def test_a_merge_keeps_what_was_seen() -> None:
    store = store_of(table(
        (0, 1, 1.0, State.TRACKED), (1, 1, 2.0, State.LOST), (1, 2, 20.0, State.TRACKED), (2, 2, 21.0, State.TRACKED),
        (3, 1, 3.0, State.TRACKED), (3, 2, 22.0, State.TRACKED), (4, 1, 4.0, State.PREDICTED),
        (4, 2, 23.0, State.TENTATIVE),
    ))  # fmt: skip
    store.corrections.do("merge", Merge(1, 2))
    assert store.track(1)["x"].tolist() == [1.0, 20.0, 21.0, 3.0, 4.0]
    assert not len(store.track(2))


def test_positions_set_by_hand_are_joined_by_straight_lines() -> None:
    store = store_of(table(*((f, 1, 5.0, State.TRACKED) for f in (0, 1, 2, 8)), *((f, 2, 9.0, State.TRACKED)
                                                                              for f in range(3)))[
        np.array([0, 4, 1, 5, 2, 6, 3])])  # fmt: skip
    store.corrections.do("move", Move(1, 2, 0.02, 10.0, 0.0))
    assert store.track(1)["x"].tolist() == [5.0, 5.0, 10.0, 5.0]
    store.corrections.do("move", Move(1, 6, 0.06, 30.0, 8.0))
    rows = store.track(1)
    assert rows["frame"].tolist() == [0, 1, 2, 3, 4, 5, 6, 8]
    assert rows["x"].tolist() == [5, 5, 10, 15, 20, 25, 30, 5]
    assert rows["y"].tolist() == [0, 0, 0, 2, 4, 6, 8, 0]
    np.testing.assert_allclose(rows["time"], rows["frame"] / 100)
    np.testing.assert_allclose(rows["vx"][3:6], 500.0)
    assert rows["state"][2:7].tolist() == [State.TRACKED, *[State.PREDICTED] * 3, State.TRACKED]
    assert (rows["sigma"][2:7] == np.float32(HAND_SIGMA)).all()
    assert set(rows["reason"][3:6].tolist()) == {Reason.NOT_DETECTED}
    assert store.corrections.hand_frames(1) == [2, 6]
    store.corrections.do("split", Split(1, 5, FIRST_OWN))
    assert store.corrections.hand_frames(1) == [2]
    assert store.corrections.hand_frames(FIRST_OWN) == [6]
    assert (store.track(2)["x"] == 9.0).all()


def test_names_and_words() -> None:
    made = Corrections()
    made.do("rename 1", Rename(1, "nose"))
    made.do("rename 1", Rename(1, ""))
    assert made.names == {}
    made.undo()
    assert made.names == {1: "nose"}
    assert (made.undo_words, made.redo_words) == ("rename 1", "rename 1")
    assert not made.changes_rows
    with pytest.raises(InputError, match="two tracks"):
        made.do("merge", Merge(1, 1))
    with pytest.raises(InputError, match="already"):
        made.do("split", Split(1, 3, 1))
    assert split_name("3", ["3b"]) == "3c"
    assert made.free_id() == FIRST_OWN
    made.do("split", Split(1, 4, FIRST_OWN))
    assert made.free_id() == FIRST_OWN + 1
    made.clear()
    assert (len(made), made.undo_words, made.redo_words) == (0, "", "")


@given(st.lists(st.lists(steps, min_size=1, max_size=3), min_size=1, max_size=4))
def test_a_file_brings_back_every_step(tmp_path_factory: pytest.TempPathFactory, listed: list[list[Step]]) -> None:
    path = corrections_file.path_for(tmp_path_factory.mktemp("c") / "a.mp4")
    actions = tuple(Action(f"action {k}", tuple(some)) for k, some in enumerate(listed))
    corrections_file.save(path, actions, MADE_OF)
    assert path.name == "a.mp4.corrections.json"
    assert corrections_file.load(path) == (actions, MADE_OF)
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    corrections_file.save(path, (), MADE_OF)
    assert not path.exists()


def test_those_of_other_settings_are_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    other = replace(MADE_OF, settings="beef", roi=(1, 2, 30, 40))
    corrections_file.save(path, (Action("one", (Rename(1, "a"),)),), MADE_OF)
    corrections_file.save(path, (Action("two", (Rename(1, "b"),)),), other)
    assert corrections_file.load(path)[0][0].words == "two"
    assert corrections_file.load(corrections_file.aside(path, MADE_OF))[0][0].words == "one"
    corrections_file.save(path, (Action("three", (Rename(1, "c"),)),), MADE_OF)
    assert corrections_file.load(path)[0][0].words == "three"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a-beef-1-2-30-40.json", "a.json"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "fusetrack corrections 1"}', '{"format": "other"}',
                                  '{"format": "fusetrack corrections 1", "made_of": {}, "actions": 3}'])  # fmt: skip
def test_a_file_that_holds_none_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.corrections.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"a\.corrections\.json"):
        corrections_file.load(path)
    with pytest.raises(InputError, match="cannot be read"):
        corrections_file.load(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be written"):
        corrections_file.save(tmp_path / "none" / "a.json", (Action("a", ()),), MADE_OF)


def test_what_differs_is_said() -> None:
    other = Provenance("a.mp4", 480, 384, 288, "blobs", "1234", (0, 0, 10, 10))
    assert MADE_OF.differences(MADE_OF) == ""
    assert other.differences(MADE_OF) == "other settings and another region"
    assert Provenance("a", 1, 2, 3, "corners", "x").differences(MADE_OF) == "another clip and the pipeline corners"
