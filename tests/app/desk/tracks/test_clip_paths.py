"""The rows that draw the paths of a clip: all of them while there are few, the same lines while there are many."""

from __future__ import annotations

import numpy as np

from app.desk.tracks.clip_paths import ClipPaths
from app.desk.tracks.corrections import Corrections
from app.desk.tracks.grades import RAMP, Grades
from app.desk.tracks.steps import Action, Delete
from app.desk.tracks.store import TrackStore
from pipelines.features import TRACK_DTYPE, State, Tracks
from pipelines.measures import carrying, no_measures


def rows(first: int, end: int, tracks: int = 3, speed: float = 1.0) -> Tracks:
    made = np.zeros((end - first) * tracks, TRACK_DTYPE)
    made["frame"] = np.repeat(np.arange(first, end), tracks)
    made["track"] = np.tile(np.arange(tracks), end - first)
    made["x"], made["y"] = made["frame"] * speed, made["track"] * 10
    made["vx"], made["state"] = 100 * speed, State.TRACKED
    return made


def looked(paths: ClipPaths, store: TrackStore, only: frozenset[int] | None = None) -> Tracks:
    paths.look(store, only)
    while paths.behind:
        paths.look(store, only)
    return paths.held.rows


def test_rows_come_piece_by_piece_and_in_any_order() -> None:
    store, paths = TrackStore(), ClipPaths()
    store.add(0, 9, rows(0, 10))
    assert len(looked(paths, store)) == 30
    store.add(10, 19, rows(10, 20))
    before = paths.held
    assert len(looked(paths, store)) == 60
    assert paths.held is before, "what is there is not looked at again"
    version = paths.version
    assert not paths.look(store, None), "nothing is new"
    store.add(5, 14, rows(5, 15))
    assert not paths.look(store, None), "the same again is nothing new"
    assert paths.version == version
    store.add(40, 49, rows(40, 50))
    assert len(looked(paths, store)) == 90
    store.add(30, 39, rows(30, 40))  # before what is known
    assert len(looked(paths, store)) == 120
    held = paths.held.rows
    assert (np.diff(held["frame"])[np.diff(held["track"]) == 0] > 0).all()


def test_measures_of_spots_are_no_matter_of_paths() -> None:
    store, paths = TrackStore(), ClipPaths()
    made = rows(0, 10)
    store.add(0, 9, carrying(made, no_measures(len(made), ("area", "mass"))))
    for only in (None, frozenset({1})):
        found = looked(paths, store, only)
        assert found.dtype == TRACK_DTYPE
        wanted = made if only is None else made[made["track"] == 1]
        assert found["x"].tolist() == wanted[np.lexsort((wanted["frame"], wanted["track"]))]["x"].tolist()


def test_chosen_tracks_corrections_and_another_clip_begin_anew() -> None:
    store, paths = TrackStore(), ClipPaths()
    store.add(0, 9, rows(0, 10))
    assert set(looked(paths, store, frozenset({1}))["track"].tolist()) == {1}
    assert len(looked(paths, store)) == 30
    store.corrections = Corrections((Action("delete track 2", (Delete((2,)),)),))
    assert set(looked(paths, store)["track"].tolist()) == {0, 1}
    store.clear()
    assert len(looked(paths, store)) == 0
    other = TrackStore()
    other.add(0, 3, rows(0, 4))
    assert len(looked(paths, other)) == 12


def test_of_many_rows_the_ends_and_extremes_of_each_track_stay() -> None:
    store, paths = TrackStore(), ClipPaths(most=500)
    store.add(0, 1999, rows(0, 2000))
    held = looked(paths, store)
    assert len(held) <= 500
    for track in range(3):
        frames = held["frame"][held["track"] == track]
        assert (frames.min(), frames.max()) == (0, 1999)


def test_the_range_of_speeds_is_round_and_does_not_shrink() -> None:
    grades = Grades()
    grades.begin(0.5, "mm", True)
    fast, slow = rows(0, 20, speed=3.0), rows(0, 20)
    shades = grades.shades("speed", fast, 10)
    assert grades.words("speed", 10) == "0 to 200 mm/s", "300 px/s are 150 mm/s"
    assert set(shades(fast).tolist()) == {24}
    assert set(grades.shades("speed", slow, 10)(slow).tolist()) == {8}
    assert grades.words("speed", 10) == "0 to 200 mm/s"
    grades.begin(1.0, "px", False)
    grades.shades("speed", slow, 10)
    assert grades.words("speed", 10) == "0 to 100 px/frame"
    ages = grades.shades("time", slow, 10)(slow)
    assert ages[slow["frame"] == 19].tolist() == [len(RAMP) - 1] * 3
    assert (ages[slow["frame"] <= 9] == 0).all()
    assert (np.diff(ages) >= 0).all()
    assert grades.words("track", 10) == ""
