"""Corrections of an open clip, with an engine that only listens: what is done, kept, read again; and regions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.jobs.jobs import JobState
from app.desk.pipeline.detecting import detect, given, points_of, taker, with_template
from app.desk.services.corrector import Corrector
from app.desk.services.regions import Reopener, box_between, polygons, region, with_polygon
from app.desk.services.retracker import Retracker
from app.desk.sidecars import corrections_file
from app.desk.sidecars.corrections_file import path_for
from app.desk.tracks.steps import FIRST_OWN, Retrack, packed
from app.sources.opening import open_source
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.features import TRACK_DTYPE, State, no_tracks
from pipelines.frame import SourceInfo
from pipelines.frontend import Roi
from pipelines.streaming.common.states import RunState
from tests.app.desk.bench.test_workbench import CLIP, Listening


class Bench:
    """A bench with a corrector, over a clip in a folder of its own."""

    def __init__(self, folder: Path, info: SourceInfo, pipeline: str = "template") -> None:
        self.link, self.info, self.clip = Listening(), info, str(folder / "clip.mp4")
        self.bench = Workbench(self.link)
        self.reopener = Reopener(self.bench)
        self.corrector = Corrector(self.bench)
        self.bench.files.choose(pipeline)
        self.bench.open(self.clip)
        self.answer()

    def answer(self) -> None:
        """The engine opens what was ordered."""
        order = self.link.orders[-1]
        assert isinstance(order, commands.Open)
        self.link.reports.append(reports.Opened(self.info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
        self.bench.tick()

    def rows(self, first: int, last: int, ids: tuple[int, ...], x: float = 50.0) -> None:
        """Tracks that stand still, 40 px apart."""
        made = np.zeros((last - first + 1, len(ids)), TRACK_DTYPE)
        made["frame"] = np.arange(first, last + 1)[:, None]
        made["time"], made["track"], made["state"], made["score"] = made["frame"] / 600, ids, State.TRACKED, 0.9
        made["x"], made["y"] = x + 40.0 * np.arange(len(ids)), 60.0
        self.link.reports.append(reports.Rows(first, last, made.ravel()))
        self.bench.tick()


@pytest.fixture(scope="module")
def info() -> Iterator[SourceInfo]:
    source = open_source(CLIP)
    yield source.info
    source.close()


@pytest.fixture
def desk(tmp_path: Path, info: SourceInfo) -> Bench:
    return Bench(tmp_path, info)


def test_merge_split_delete_and_rename_are_kept_beside_the_clip_and_read_again(
    desk: Bench, tmp_path: Path, info: SourceInfo
) -> None:
    desk.rows(0, 9, (0, 1, 2, 3))
    made = desk.corrector
    made.rename(2, " tip ")
    assert desk.bench.tracks.name(2) == "tip"
    new = made.split(2, 5)
    assert new == FIRST_OWN
    assert desk.bench.tracks.name(new) == "tip b"
    assert desk.bench.selected == [new]
    made.delete([3])
    made.merge([1, 0])
    assert desk.bench.selected == [0]
    assert sorted(set(desk.bench.store.all()["track"].tolist())) == [0, 2, new]
    assert path_for(desk.clip).exists()
    other = Bench(tmp_path, info)
    other.rows(0, 9, (0, 1, 2, 3))
    np.testing.assert_array_equal(other.bench.store.all(), desk.bench.store.all())
    assert other.bench.names == {2: "tip", new: "tip b"}
    for _ in range(4):
        other.corrector.undo()
    assert len(other.bench.store.track(3)) == 10
    assert other.bench.names == {}
    assert not path_for(desk.clip).exists()
    other.corrector.redo()
    assert other.bench.tracks.name(2) == "tip"


def test_what_makes_no_sense_is_refused_in_a_sentence(desk: Bench) -> None:
    desk.rows(3, 9, (0, 1))
    for frame in (3, 10):
        with pytest.raises(InputError, match="one side only"):
            desk.corrector.split(0, frame)
    with pytest.raises(InputError, match="two tracks"):
        desk.corrector.merge([1])
    with pytest.raises(InputError, match="select the tracks"):
        desk.corrector.delete([])
    assert not path_for(desk.clip).exists()


def test_a_merged_track_takes_the_name_that_one_part_had(desk: Bench) -> None:
    desk.rows(0, 4, (7,))
    desk.rows(5, 9, (8,))
    desk.corrector.rename(8, "wing")
    desk.corrector.merge([8, 7])
    assert desk.bench.tracks.name(7) == "wing"
    assert desk.bench.store.track(7)["frame"].tolist() == list(range(10))
    assert desk.bench.messages[-1].level is Level.NOTE


def test_merging_what_was_seen_at_once_says_in_how_many_frames(desk: Bench) -> None:
    desk.rows(0, 4, (7,))
    desk.rows(3, 9, (7, 8))
    desk.corrector.merge([7, 8])
    said = desk.bench.messages[-1]
    assert said.level is Level.WARNING
    assert "in 7 frames both were seen" in said.sentence
    assert len(desk.bench.store.track(7)) == 10


def test_corrections_of_other_settings_are_not_applied_and_not_lost(
    desk: Bench, tmp_path: Path, info: SourceInfo
) -> None:
    desk.rows(0, 9, (0, 1))
    desk.corrector.delete([1])
    other = Bench(tmp_path, info, "blobs")
    assert not len(other.corrector.corrections)
    assert "not applied" in other.bench.messages[-1].sentence
    other.rows(0, 9, (0, 1))
    other.corrector.delete([0])
    again = Bench(tmp_path, info)
    again.rows(0, 9, (0, 1))
    assert set(again.bench.store.all()["track"].tolist()) == {0}


def test_a_change_of_settings_under_corrections_is_said_once(desk: Bench) -> None:
    desk.rows(0, 9, (0, 1))
    desk.corrector.delete([1])
    before = len(desk.bench.messages)
    desk.bench.editor.set_param("track", "search", 9)
    desk.bench.editor.set_param("track", "search", 10)
    said = [message.sentence for message in desk.bench.messages[before:]]
    assert len(said) == 1
    assert "other settings" in said[0]
    desk.rows(0, 9, (0, 1))
    assert not len(desk.bench.store.track(1))
    desk.corrector.forget()
    assert len(desk.bench.store.track(1)) == 10


def test_tracks_that_took_one_anothers_things_are_exchanged(tmp_path: Path, info: SourceInfo) -> None:
    made = Bench(tmp_path, info)
    made.rows(0, 9, (1, 2, 3))
    corrector, store = made.corrector, made.bench.store
    corrector.rename(2, "left wing")
    corrector.swap([1, 2], 4)
    one, two = store.track(1), store.track(2)
    assert one["frame"].tolist() == two["frame"].tolist() == list(range(10))
    assert one["x"].tolist() == [50.0] * 4 + [90.0] * 6
    assert two["x"].tolist() == [90.0] * 4 + [50.0] * 6
    assert (made.bench.tracks.name(1), made.bench.tracks.name(2)) == ("1", "left wing")
    assert set(store.at(7)["track"].tolist()) == {1, 2, 3}
    assert "1 and left wing are exchanged" in made.bench.messages[-1].sentence
    corrector.swap([2, 1], 4)
    assert store.track(1)["x"].tolist() == [50.0] * 10
    for _ in range(2):
        corrector.undo()
    assert store.track(2)["x"].tolist() == [90.0] * 10
    for chosen in ([1], [1, 2, 3]):
        with pytest.raises(InputError, match="select the two tracks"):
            corrector.swap(chosen, 4)
    with pytest.raises(InputError, match="neither 1 and left wing goes on"):
        corrector.swap([1, 2], 10)


def test_a_track_that_undoing_took_away_is_selected_no_more(tmp_path: Path, info: SourceInfo) -> None:
    made = Bench(tmp_path, info)
    made.rows(0, 9, (1, 2))
    new = made.corrector.split(1, 5)
    made.bench.tracks.select([2, new])
    made.corrector.undo()
    assert list(made.bench.selected) == [2]


def test_a_track_is_moved_by_hand(tmp_path: Path, info: SourceInfo) -> None:
    desk = Bench(tmp_path, info, "blobs")
    desk.rows(0, 9, (0, 1))
    desk.corrector.move(0, 4, 60.0, 61.0)
    desk.corrector.move(0, 6, 70.0, 63.0)
    np.testing.assert_allclose(desk.bench.store.track(0)["x"], [50, 50, 50, 50, 60, 65, 70, 50, 50, 50])
    assert desk.bench.store.track(0)["time"][5] == pytest.approx(5 / 600)


# ------------------------------------------------------------------------------------------------------------ regions


def test_a_region_opens_the_clip_again_where_it_stood(desk: Bench) -> None:
    roi: Roi = (40, 30, 200, 100)
    points = [(100.0, 80.0), (151.5, 90.25)]
    desk.bench.editor.edit("points", with_template(desk.bench.pipeline, points, 20, [None, 7]))
    desk.link.reports.append(reports.Stood(RunState.RUNNING, 77))
    desk.bench.tick()
    desk.reopener.reopen(roi)
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    assert order.roi == roi
    assert not order.play
    desk.answer()
    assert desk.link.orders[-2:] == [commands.Seek(77), commands.Play()]
    assert region(desk.bench) == roi
    assert desk.bench.pipeline.trackers[0].params["points"] == ((100.0, 80.0), (151.5, 90.25, 7.0))
    assert points_of(desk.bench.pipeline) == points
    assert given(desk.bench.pipeline) == [(points[0], None), (points[1], 7)]
    assert taker(desk.bench.pipeline).window == 21  # type: ignore[union-attr]
    desk.reopener.reopen(None)
    desk.answer()
    assert desk.bench.pipeline.trackers[0].params["points"] == ((100.0, 80.0), (151.5, 90.25, 7.0))


def test_boxes_lie_on_whole_pixels_inside_the_picture() -> None:
    assert box_between((50.4, 40.6), (9.6, 10.2), 384, 288) == (10, 10, 40, 31)
    assert box_between((-20.0, -20.0), (500.0, 500.0), 384, 288) == (0, 0, 384, 288)
    assert box_between((10.4, 10.6), (50.6, 50.8), 384, 288) == (10, 11, 40, 40), "a square stays one"
    with pytest.raises(InputError, match="larger box"):
        box_between((1.0, 1.0), (9.0, 200.0), 384, 288)


def test_polygons_stand_in_front_of_the_detection() -> None:
    corners = [(10.0, 10.0), (80.0, 12.0), (50.0, 70.0)]
    made = with_polygon(load("blobs"), corners, "outside")
    (node,) = [n for n in made.nodes if n.stage == "mask"]
    spots = next(n for n in made.nodes if n.id == "spots")
    assert spots.inputs["mask"].node == node.id
    assert node.inputs["image"].node == "bright"
    (found,) = polygons(made)
    assert found.corners == tuple(corners)
    assert found.keep == "outside"
    again = with_polygon(made, [*corners, (5.0, 40.0)], "inside", found.name)
    assert len(polygons(again)) == 1
    assert polygons(again)[0].corners[0] == (10.0, 10.0)
    assert with_polygon(load("corners"), corners, "inside").nodes[2].stage == "mask"
    with pytest.raises(InputError, match="place none there"):
        with_polygon(load("template"), corners, "inside")
    with pytest.raises(InputError, match="three corners"):
        with_polygon(load("blobs"), corners[:2], "inside")


def test_detection_finds_the_corners_of_squares_and_keeps_away_from_what_is_taken() -> None:
    picture = np.full((120, 160), 40, np.uint8)
    picture[40:80, 50:110] = 200
    corners = {(50, 40), (109, 40), (50, 79), (109, 79)}
    found = detect(picture, 4, 9)
    assert len(found) == 4
    assert all(min(max(abs(x - cx), abs(y - cy)) for cx, cy in corners) <= 4 for x, y in found)
    fewer = detect(np.dstack([picture] * 3), 4, 9, taken=[(50.0, 40.0)])
    assert len(fewer) == 3
    inside = detect(picture, 4, 9, roi=(80, 20, 60, 40))
    assert len(inside) == 1
    assert abs(inside[0][0] - 109) <= 4
    assert detect(np.zeros((50, 50), np.float32), 4, 9) == []


def test_a_correction_that_cannot_be_kept_holds_and_is_said(desk: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.rows(0, 9, (0, 1))

    def full(*_: object) -> None:
        raise InputError("the disk is full")

    monkeypatch.setattr(corrections_file, "save", full)
    new = desk.corrector.split(0, 5)
    assert "the disk is full" in [message.sentence for message in desk.bench.messages]
    assert desk.bench.selected == [new]
    assert len(desk.bench.store.track(new)) == 5


def test_what_was_followed_anew_is_dropped_where_its_track_is_gone_by_then(desk: Bench) -> None:
    desk.rows(0, 9, (0, 1, 2))
    told: list[Callable[[object], None]] = []
    jobs = SimpleNamespace(on=told.append, start=lambda *_: SimpleNamespace(number=1, running=False,
                           state=JobState.DONE, result={"packed": packed(no_tracks()), "rows": 0}))  # fmt: skip
    retracker = Retracker(desk.bench, desk.corrector, jobs)  # type: ignore[arg-type]
    made = desk.corrector.corrections
    new = desk.corrector.split(0, 5)
    for track, change in ((new, desk.corrector.undo), (1, lambda: desk.corrector.delete([1])),
                          (2, lambda: desk.corrector.merge([0, 2]))):  # fmt: skip
        job = retracker.begin(track, 6, 60.0, 60.0)
        change()
        before = made.actions
        told[0](job)
        assert made.actions == before
        assert "gone by now" in desk.bench.messages[-1].sentence
        assert not retracker.following
    job = retracker.begin(0, 6, 60.0, 60.0)
    told[0](job)
    assert isinstance(made.steps[-1], Retrack)
    assert desk.corrector.split(0, 3) == FIRST_OWN
