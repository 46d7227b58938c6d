"""Labelling without a window: clicks, keys, animals, drafts, undo, the file beside the clip."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.engine.picture_box import Shown
from app.desk.labelling.labeller import NUDGE, Labeller
from app.desk.labelling.proposals import Proposals
from app.desk.labelling.sheet import Sheet, edge_words, parsed_skeleton
from app.desk.services.corrector import Corrector
from app.desk.services.regions import Reopener
from app.desk.services.undoing import Undoing
from app.desk.services.units import Units
from app.labels import coco
from app.labels.formats import read_labels, write_labels
from app.labels.labels import LabelledFrame, Labels
from app.sources.opening import open_source
from app.sources.reading import AS_STORED, Reading
from kernels.errors import InputError
from pipelines.definition import loads
from pipelines.features import TRACK_DTYPE, State
from pipelines.trackers.keypoints import NAMED_DTYPE
from tests.app.desk.bench.test_workbench import CLIP, Listening

POINTS, EDGES = "nose, ear, tail", "nose-tail"


class Rig:
    """A bench over a clip of its own name, on which a labeller looks."""

    def __init__(self, clip: Path, reading: Reading = AS_STORED) -> None:
        self.link = Listening()
        self.bench = Workbench(self.link)
        self.labeller = Labeller(self.bench)
        self.undoing = Undoing(self.bench, Corrector(self.bench), Units(self.bench), Reopener(self.bench),
                               {"labels": self.labeller})  # fmt: skip
        self.open(clip, reading)

    def open(self, clip: Path, reading: Reading = AS_STORED, live: bool = False) -> None:
        self.bench.open(str(clip), reading=reading)
        order = self.link.orders[-1]
        with closing(open_source(CLIP, reading)) as source:
            info = source.info
        self.link.reports.append(reports.Opened(info, live, order.pipeline, "cpu", (), (), ""))
        self.bench.tick()

    def show(self, frame: int, places: dict[int, tuple[float, float]] | None = None, score: float = 0.9) -> Rig:
        """A frame, with tracks somewhere."""
        rows = np.zeros(len(places or {}), TRACK_DTYPE)
        rows["frame"], rows["state"], rows["score"] = frame, State.TRACKED, score
        for row, (track, (x, y)) in zip(rows, (places or {}).items(), strict=True):
            row["track"], row["x"], row["y"] = track, x, y
        self.link.reports.append(reports.Rows(frame, frame, rows))
        self.link.pictures.append(Shown(frame + 1, frame, frame / 600, "", np.zeros((288, 384), np.uint8), 8, rows))
        self.bench.tick()
        return self

    @property
    def said(self) -> str:
        return self.bench.messages[-1].sentence

    def sought(self) -> list[int]:
        return [order.frame for order in self.link.orders if isinstance(order, commands.Seek)]


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "mouse.mp4"
    path.write_bytes(CLIP.read_bytes())
    return path


def begun(clip: Path, frame: int = 3) -> Rig:
    rig = Rig(clip).show(frame)
    rig.labeller.set_skeleton(POINTS, EDGES)
    return rig


def file_of(rig: Rig) -> dict[str, list[dict[str, object]]]:
    rig.labeller.flush()
    assert rig.labeller.path is not None
    return dict(json.loads(rig.labeller.path.read_text()))


def test_clicks_set_one_name_after_the_other_and_all_is_kept(clip: Path) -> None:
    rig = begun(clip)
    made = rig.labeller
    for place in ((10.0, 20.0), (30.0, 40.0)):
        made.place(place)
    assert (made.point, made.held) == (2, (0, 1)), "the tail is next, the ear can be nudged"
    made.place((500.0, -3.0))
    np.testing.assert_array_equal(made.marks.places, [[[10, 20], [30, 40], [383, 0]]])  # inside the picture
    assert made.point == -1
    with pytest.raises(InputError, match="all points of this animal are set"):
        made.place((1.0, 1.0))
    made.another_animal()
    made.place((50.0, 60.0))
    assert made.marks.animals == 2
    rig.show(9)
    assert (made.animal, made.point, made.held) == (1, 0, None)
    made.choose_animal(0)
    made.place((11.0, 21.0))
    content = file_of(rig)
    assert [one["fusetrack"] for one in content["images"]] == [{"clip": clip.name, "frame": 3},
                                                               {"clip": clip.name, "frame": 9}]  # fmt: skip
    assert content["annotations"][0]["keypoints"] == [10, 20, 2, 30, 40, 2, 383, 0, 2]
    again = Rig(clip).show(3).labeller
    assert (again.sheet.points, again.sheet.edges, again.sheet.labelled) == (("nose", "ear", "tail"), ((0, 2),), [3, 9])
    np.testing.assert_array_equal(again.marks.places, made.sheet.frames[3].places)
    assert (again.labelled_beside(False), again.labelled_beside(True)) == (9, None)
    assert read_labels(made.path or Path()).labelled == 5


def test_undo_goes_back_through_all_of_it(clip: Path) -> None:
    rig = begun(clip)
    made, undoing = rig.labeller, rig.undoing
    made.place((10.0, 20.0))
    for _ in range(3):
        made.nudge(NUDGE, 0)
    assert made.marks.places[0, 0] == pytest.approx((10.3, 20.0))
    made.nudge(0, -10 * NUDGE)
    assert undoing.undo_words == "move nose"
    undoing.undo()  # nudges that follow one another are one step
    assert made.marks.places[0, 0] == pytest.approx((10.0, 20.0))
    undoing.redo()
    assert made.marks.places[0, 0] == pytest.approx((10.3, 19.0))
    made.put_away()  # nothing is held after undo: the next point cannot be seen
    assert made.marks.hidden.tolist() == [[False, True, False]]
    made.choose(0, 0)
    made.put_away()  # what is held is removed
    assert undoing.undo_words == "remove nose"
    rig.show(8)
    for words in ("remove nose", "hide ear", "move nose", "label nose", "points"):
        assert undoing.undo_words == words
        undoing.undo()
    assert rig.sought() == [3] * 4 + [3], "each shows the frame that it was in"
    assert made.sheet.points == ()
    rig.labeller.flush()
    assert not (made.path or Path()).exists()
    assert undoing.undo_words == ""


def test_names_are_gone_through_and_changed(clip: Path) -> None:
    rig = begun(clip)
    made = rig.labeller
    made.place((10.0, 20.0))
    assert [made.turn(1) and made.point for _ in range(3)] == [2, 0, 1]
    made.turn(-1)
    assert (made.point, made.held) == (0, (0, 0)), "it is placed, so arrows move it"
    made.place((12.0, 22.0))
    assert made.marks.places[0, 0].tolist() == [12, 22], "a click sets what was chosen anew"
    assert made.let_go()
    assert not made.nudge(1, 0)
    made.set_skeleton("ear, snout, tail, paw", "snout-paw")  # the nose's place has another name that was there
    assert not made.sheet.frames
    assert "1 labels went with the points that are gone" in rig.said
    rig.undoing.undo()
    made.set_skeleton("snout, tail, ear", "snout-ear")
    assert made.marks.places[0, 0].tolist() == [12, 22], "renamed in its place"
    made.set_skeleton("tail, snout", "")
    assert made.marks.places[0].tolist()[1] == [12, 22], "moved by its name"
    assert edge_words(("a", "b-c"), ((0, 1),)) == "a-b-c"
    assert parsed_skeleton("a, b-c,", "a-b-c") == (("a", "b-c"), ((0, 1),))
    for names, edges, words in (("a, a", "", "name of its own"), ("a, b", "a-c", "no pair of points"),
                                ("a, ,b", "", "name of its own"), ("a, b", "0-7", "joins two"),
                                ("a" * 41, "", "more than 40")):  # fmt: skip
        with pytest.raises(InputError, match=words):
            made.set_skeleton(names, edges)
    rig.bench.editor.edit("x", loads('name = "x"\n[stages.gray]\n[trackers.t]\nuse = "keypoints"\n'
                                     'names = "snout, eye"\n'
                                     'edges = "0-1"\ninputs = "gray"\n'))  # fmt: skip
    made.skeleton_of_pipeline()
    assert (made.sheet.points, made.sheet.edges) == (("tail", "snout", "eye"), ((1, 2),))


def test_drafts_come_from_tracks_from_both_sides_and_from_the_last_frame(clip: Path) -> None:
    rig = begun(clip, 10)
    made = rig.labeller
    made.place((10.0, 20.0))  # the nose has no track, the ear is half a pixel beside one
    made.place((30.5, 40.0))
    rig.show(10, {7: (30.0, 40.0), 8: (200.0, 200.0)})
    rig.show(14, {7: (33.0, 41.0)})
    np.testing.assert_allclose(made.drafts, [[[10, 20], [33.5, 41], [np.nan] * 2]])
    rig.show(20)
    made.choose(0, 0)
    made.place((20.0, 40.0))
    rig.show(14, {7: (33.0, 41.0)})
    np.testing.assert_allclose(made.drafts[0, 0], (14, 28))  # on the line between frames 10 and 20
    assert made.accept() == 2
    assert made.marks.decided.tolist() == [[True, True, False]]
    assert not np.isfinite(made.drafts[0, :2]).any()
    assert (made.point, rig.undoing.undo_words) == (2, "accept the drafts")
    assert made.accept() == 0
    rig.undoing.undo()
    named = np.array([(5, 0, 0, "tail"), (6, 1, 0, "tail")], NAMED_DTYPE)
    rig.link.reports.append(reports.Tables({"keypoints": named}))
    rig.show(15, {5: (70.0, 80.0), 6: (90.0, 99.0)})
    assert made.drafts[:, 2].tolist() == [[70, 80], [90, 99]], "a network's points have names: two animals"
    assert made.accept() == 3
    assert made.animal == 1, "the drafts of the other animal are next"
    assert made.accept() == 1
    made.remove_animal()
    assert (made.marks.animals, made.animal) == (1, 0)
    made.clear_frame(15)
    assert 15 not in made.sheet.frames


def test_labels_of_other_programs_come_in_by_number_or_by_clip(clip: Path, tmp_path: Path) -> None:
    rig = begun(clip)
    made = rig.labeller
    made.place((10.0, 20.0))
    point = np.array([[[1.0, 2.0], [3.0, 4.0]]])
    other = [LabelledFrame(str(clip), 5, point), LabelledFrame("sim:face", 3, point + 9)]
    write_labels(Labels(("tail", "paw"), ((0, 1),), tuple(other)), tmp_path / "a.json")
    made.take_file(tmp_path / "a.json")
    assert made.sheet.labelled == [3, 5], "that of another clip stays out"
    assert (made.sheet.points, made.sheet.edges) == (("nose", "ear", "tail", "paw"), ((0, 2), (2, 3)))
    assert made.sheet.frames[5].places[0, 2:].tolist() == [[1, 2], [3, 4]]
    table = "scorer,x,x\nbodyparts,nose,nose\ncoords,x,y\nlabeled-data/mouse/img007.png,7,8\nimg99999.png,1,1\n"
    (tmp_path / "b.csv").write_text(table)
    made.take_file(tmp_path / "b.csv")
    assert made.sheet.frames[7].places[0, 0].tolist() == [7, 8]
    assert rig.said == "1 labelled frames of b.csv; 1 frames lie behind the clip's last one"
    (tmp_path / "b.csv").write_text(table.replace("img007", "img88888"))
    with pytest.raises(InputError, match="frames that this clip has not"):
        made.take_file(tmp_path / "b.csv")


def test_what_others_wrote_and_what_cannot_be_read_or_written_is_not_lost(clip: Path, tmp_path: Path) -> None:
    rig = begun(clip)
    path = rig.labeller.path
    assert path is not None
    rig.labeller.place((10.0, 20.0))
    rig.labeller.flush()
    path.write_text("{}")
    rig.labeller.place((11.0, 20.0))
    rig.labeller.flush()
    rig.labeller.poll()
    assert "lies in mouse.mp4.labels.json.old" in rig.said
    assert (tmp_path / "mouse.mp4.labels.json.old").read_text() == "{}"
    path.write_text("[1")
    again = Rig(clip)
    assert "is put aside when you label" in again.said
    assert again.labeller.sheet.points == ()
    again.show(0).labeller.set_skeleton("a", "")
    again.labeller.flush()
    assert (tmp_path / "mouse.mp4.labels.json.old2").read_text() == "[1"
    path.unlink()
    path.mkdir()  # nothing can be written there
    again.labeller.place((5.0, 6.0))
    again.labeller.flush()
    again.labeller.poll()
    assert "the labels are not kept" in again.said
    (said,) = again.labeller.close(5.0, tmp_path / "kept")
    assert "put it there as mouse.mp4.labels.json" in said
    assert coco.read(tmp_path / "kept" / "mouse.mp4.labels.json.kept", None).labelled == 1


def test_labels_of_a_clip_that_is_shown_turned_are_at_the_same_places_of_its_pictures(clip: Path) -> None:
    """Whichever way it is shown; other programs show it as it asks, which is as it is stored here."""
    rig = Rig(clip, Reading(turn=90)).show(2)
    assert rig.bench.info is not None
    high = rig.bench.info.width  # of the stored picture
    rig.labeller.set_skeleton("a", "")
    rig.labeller.place((10.0, 20.0))
    rig.labeller.flush()
    file = rig.labeller.path
    assert file is not None
    assert [(one.turn, one.points.tolist()) for one in read_labels(file).frames] == [(90, [[[10.0, 20.0]]])]
    rig.open(clip)  # turned clockwise, column x of the picture is row high - 1 - x of the stored one
    assert rig.show(2).labeller.marks.places.tolist() == [[[20.0, high - 1 - 10.0]]]
    rig.labeller.take_file(file)
    assert rig.labeller.marks.places.tolist() == [[[20.0, high - 1 - 10.0]]]
    rig.labeller.flush()
    write_labels(read_labels(file), file.with_name("a.csv"))
    (frame,) = read_labels(file.with_name("a.csv"), str(clip)).frames
    assert (frame.turn, frame.points.tolist()) == (0, [[[20.0, high - 1 - 10.0]]])


def test_what_cannot_be_labelled_says_why(clip: Path, tmp_path: Path) -> None:
    rig = Rig(clip).show(2)
    with pytest.raises(InputError, match="what the points are called"):
        rig.labeller.place((1.0, 1.0))
    rig.open(clip, live=True)
    assert "camera" in rig.labeller.why_not
    rig.labeller.home = tmp_path / "scenes"
    rig.open(Path("sim:face"))
    rig.show(0).labeller.set_skeleton("a", "")
    rig.labeller.place((4.0, 5.0))
    rig.labeller.flush()
    (file,) = (tmp_path / "scenes").iterdir()
    assert read_labels(file).frames[0].source == "sim:face"
    rig.open(clip)
    assert rig.labeller.sheet.points == ()
    rig.open(Path("sim:face"))
    assert rig.labeller.sheet.labelled == [0]


class Asked:
    """A process beside that answers when a test wants it to."""

    def __init__(self) -> None:
        from app.desk.subprocess_worker import Answer

        self.made, self.asked, self.heard = Answer, [], []

    def ask(self, function: str, *arguments: object) -> int:
        self.asked.append((function, *arguments))
        return len(self.asked)

    def poll(self) -> list[object]:
        found, self.heard = self.heard, []
        return found

    def cancel(self) -> None:
        self.heard = []


def test_the_most_different_frame_is_shown_once_it_is_known(clip: Path) -> None:
    rig, aside = begun(clip), Asked()
    made = Proposals(rig.bench, rig.labeller, aside)  # type: ignore[arg-type]
    rig.open(clip)
    rig.show(3).labeller.place((10.0, 20.0))
    made.next()
    function, wanted = aside.asked[0]
    assert function == "app.labels.proposing:thumbnails"
    assert (wanted.what, 3 in wanted.frames, len(wanted.frames)) == (str(clip), True, 301)
    aside.heard = [aside.made(1, {3: np.zeros(4), 40: np.ones(4)})]
    made.poll()
    assert made.words == "looking at the clip: 2 of 301 frames"
    rig.link.orders.clear()
    aside.heard = [aside.made(1, {41: np.full(4, 2.0)}), aside.made(1, done=True)]
    made.poll()
    assert (rig.sought(), made.words) == ([41], "")
    assert rig.said == "frame 41 looks least like the labelled one"
    rig.show(41).labeller.place((10.0, 20.0))
    aside.asked.clear()
    made.known |= dict.fromkeys(range(rig.bench.info.frames), np.zeros(4, np.float32)) | made.known
    made.next()
    assert not aside.asked, "what was looked at is not read again"
    assert rig.sought() == [41, 40]
    rig.show(50, {1: (5.0, 5.0)}, 0.8).show(51, {1: (5.0, 5.0)}, 0.2)
    made.least_sure()
    assert rig.sought()[-1] == 51


def test_a_sheet_forgets_what_nothing_is_said_of() -> None:
    made = Sheet().with_skeleton(("a", "b"), ())
    two = made.with_marks({4: made.at(4).said(1, 0, (1.0, 2.0))})
    assert two.frames[4].animals == 2
    assert two.without_animal(4, 0).frames[4].animals == 1
    assert two.with_marks({4: two.at(4).said(1, 0, None)}).frames == {}
    assert made.frames == {}
