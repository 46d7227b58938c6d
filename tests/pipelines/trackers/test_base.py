"""Clock, columns, registry, confirmation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from pipelines.features import TRACK_DTYPE, State
from pipelines.trackers.base import Clock, Tracker, confirmed, make_tracker, registry, tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.keypoints import KEYPOINT_DTYPE


def test_the_clock_counts_frames_by_time_stamps():
    clock = Clock(500.0)
    assert clock.advance(0, 0.1) == 0
    assert clock.advance(1, 0.102) == pytest.approx(1)
    assert clock.advance(2, 0.108) == pytest.approx(3)  # two frames were dropped by the camera
    assert clock.rate == 500.0


@pytest.mark.parametrize("fps", [None, 0.0, math.nan, math.inf, -5.0])
def test_without_a_rate_a_step_is_the_difference_of_the_indices(fps):
    clock = Clock(fps)
    clock.advance(3, 3.0)
    assert clock.advance(5, 5.0) == 2
    assert clock.rate == 1.0


def test_without_a_rate_velocities_still_follow_the_stamps():
    clock = Clock(None)
    clock.advance(0, 0.0)
    assert clock.advance(1, 0.004) == 1
    assert clock.rate == pytest.approx(250.0)


@pytest.mark.parametrize("time", [1.0, 0.9, math.nan])
def test_stamps_that_do_not_rise_fall_back_to_the_indices(time):
    clock = Clock(30.0)
    clock.advance(0, 1.0)
    assert clock.advance(2, time) == 2


def test_a_frame_out_of_order_is_refused():
    clock = Clock(30.0)
    clock.advance(4, 0.0)
    with pytest.raises(ValueError, match="rising order"):
        clock.advance(4, 0.1)


def test_columns_grow_shrink_and_come_back():
    t = Columns({"a": "i4", "b": np.dtype(("f8", (2,)))})
    t.append(3, a=np.array([1, 2, 3]))
    t["b"][1] = 7
    saved = t.snapshot()
    t.keep(np.array([False, True, False]))
    assert t["a"].tolist() == [2]
    assert t["b"].tolist() == [[7, 7]]
    t.restore(saved)
    assert len(t) == 3
    t["a"][0] = 9
    assert saved["column.a"][0] == 1
    with pytest.raises(KeyError, match="nothing"):
        t.append(1, nothing=1.0)


def test_the_registry_finds_the_files_of_the_folder():
    known = registry()
    assert {"blob", "klt", "template"} <= set(known)
    for name, cls in known.items():
        assert cls.name == name
        assert cls.summary
        assert all(one.kind in ("features", "image") for one in cls.inputs)
        assert all(param.doc for param in cls.params)
        assert isinstance(make_tracker(name, {}, (64, 64)), Tracker)


def test_two_trackers_cannot_share_a_name():
    blob = registry()["blob"]
    with pytest.raises(ValueError, match="two trackers"):
        tracker(type("Other", (blob,), {"__module__": "elsewhere"}))


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("blobs", {}, "did you mean 'blob'"),
        ("blob", {"max_sped": 3}, "did you mean 'max_speed'"),
        ("blob", {"max_speed": -1}, "outside its range"),
        ("template", {"window": 20}, "odd"),
        ("template", {"window": 99}, "larger than the picture"),
        ("template", {"points": ((3, 30),)}, "too near the edge"),
        ("template", {"points": ((30, 30), (30, 64))}, r"points\[1\].*outside the picture.*of another clip"),
        ("template", {"points": ((-1, 30),)}, "outside the picture"),
        ("template", {"points": ((63, 30),)}, "too near the edge"),
        ("template", {"points": ((3, 30, 1, 2),)}, r"must be \[x, y\]"),
        ("template", {"max_points": 10000, "window": 63}, "too many pixels"),
        ("klt", {"window": 8}, "odd"),
    ],
)
def test_bad_definitions_are_refused_in_one_sentence(name, params, words):
    with pytest.raises(DefinitionError, match=words) as caught:
        make_tracker(name, params, (64, 64))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", sorted(registry()))
def test_missing_and_misshapen_inputs_are_refused(name):
    made = make_tracker(name, {}, (64, 64))
    with pytest.raises(DefinitionError, match="needs the input"):
        made.update(0, 0.0, {})
    wrong = np.zeros((64, 64, 3), np.uint8)
    with pytest.raises(DefinitionError, match="wants"):
        made.update(0, 0.0, {made.inputs[0].name: wrong})


@pytest.mark.parametrize("name", sorted(registry()))
def test_a_snapshot_goes_through_a_file(scene, tmp_path, name):
    made, again = make_tracker(name, {}, (96, 96), 100.0), make_tracker(name, {}, (96, 96), 100.0)
    plate = scene.Speckle(seed=1)

    def inputs(i):
        picture = np.rint(120 + 35 * plate.image(96, 96, 0.4 * i)).clip(0, 255).astype(np.uint8)
        features = scene.features([(30 + i, 40), (60, 50 - i)])
        points = np.zeros(2, KEYPOINT_DTYPE)
        points["x"], points["y"], points["score"], points["point"] = features["x"], features["y"], 0.9, (0, 1)
        # A tracker may call its inputs what it likes; a table that must say which point a row is wants key points.
        return {one.name: picture if one.kind == "image" else points if "point" in one.columns else features
                for one in made.inputs}  # fmt: skip

    for i in range(4):
        made.update(i, i / 100, inputs(i))
    np.savez(tmp_path / "state.npz", **made.snapshot())
    with np.load(tmp_path / "state.npz") as state:
        again.restore(dict(state))
    expected = made.update(4, 0.04, inputs(4))
    assert len(expected)
    assert again.update(4, 0.04, inputs(4)).tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", ["klt", "template", "vibration"])
def test_pixels_that_are_no_numbers_harm_only_the_windows_over_them(scene, name):
    plate = scene.Speckle(seed=1).image(128, 128)
    bad = plate.copy()
    bad[:, 100:] = np.nan
    bad[3, 110] = np.inf
    made = make_tracker(name, {}, (128, 128), None)
    before = made.update(0, 0.0, {"image": plate})
    after = made.update(1, 1.0, {"image": bad})
    safe = np.isin(after["track"], before["track"][before["x"] < 80])
    assert safe.sum() >= 8
    assert (after["reason"][safe] == 0).mean() > 0.8
    assert np.isfinite(after["x"]).all()
    with pytest.raises(DefinitionError, match="real numbers"):
        made.update(2, 2.0, {"image": plate.astype(complex)})


def test_klt_refuses_what_are_no_features():
    with pytest.raises(DefinitionError, match="rows with x, y and peak"):
        make_tracker("klt", {}, (64, 64)).update(
            0, 0.0, {"image": np.zeros((64, 64), np.uint8), "features": np.zeros((3, 2))}
        )


IDS = st.integers(0, 5) | st.sampled_from([-3, 60, 2**31 - 1])  # of a run, and of tables of others


@given(st.lists(st.tuples(IDS, st.sampled_from(list(State))), max_size=40))
def test_confirmed_keeps_exactly_the_tracks_that_were_believed(rows):
    table = np.zeros(len(rows), TRACK_DTYPE)
    for row, (track, state) in zip(table, rows, strict=True):
        row["track"], row["state"] = track, state
    believed = {track for track, state in rows if state == State.TRACKED}
    assert confirmed(table)["track"].tolist() == [track for track, _ in rows if track in believed]
    late = confirmed(table, leading=False)
    assert late["track"].tolist() == [track for track, state in rows if track in believed and state != State.TENTATIVE]


@pytest.mark.parametrize("name", sorted(registry()))
def test_states_hold_plain_numbers(name: str) -> None:
    """What a session can store."""
    state = make_tracker(name, {}, (64, 64), 1000.0).snapshot()
    fields = [array.dtype[name] for array in state.values() for name in array.dtype.names or ()]
    plain = [array.dtype for array in state.values() if array.dtype.names is None]
    assert {dtype.base.kind for dtype in (*fields, *plain)} <= set("biuf")
