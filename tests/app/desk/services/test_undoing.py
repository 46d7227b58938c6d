"""One undo over edits of the pipeline, corrections of tracks and the scale, in the order in which they were made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.services import undoing as module
from app.desk.services.corrector import Corrector
from app.desk.services.regions import Reopener
from app.desk.services.scales import Scales
from app.desk.services.undoing import Undoing
from app.desk.services.units import Units
from app.desk.sidecars import corrections_file
from app.desk.tracks.calibration import Calibration
from app.sources.opening import open_source
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.features import TRACK_DTYPE, State
from pipelines.writing import dumps
from tests.app.desk.bench.test_workbench import CLIP, Listening


class Remembering(dict[str, str]):
    """What is remembered from one start to the next."""

    def text(self, name: str, default: str = "") -> str:
        return self.get(name, default)

    def set_text(self, name: str, value: str) -> None:
        self[name] = value

    def sync(self) -> None:
        pass


class Rig:
    """A bench over the sample clip with four tracks, whose corrections are kept nowhere."""

    def __init__(self, file: Path | None = None, kept: Remembering | None = None) -> None:
        self.link = Listening()
        self.bench = Workbench(self.link)
        self.corrector = Corrector(self.bench)
        units = Units(self.bench)
        self.kept = Remembering() if kept is None else kept
        self.scales = Scales(self.bench, units, self.kept)
        self.undoing = Undoing(self.bench, self.corrector, units, Reopener(self.bench))
        self.open("sim:points" if file is None else str(file))

    def open(self, what: str, width: int = 0) -> None:
        source = open_source(CLIP)
        info = replace(source.info, width=width) if width else source.info
        self.bench.open(what)
        order = self.link.orders[-1]
        assert isinstance(order, commands.Open)
        self.link.reports.append(reports.Opened(info, False, order.pipeline, "cpu", ("a",), (("a", "u8"),), ""))
        source.close()
        self.bench.tick()
        rows = np.zeros((20, 4), TRACK_DTYPE)
        rows["frame"], rows["track"], rows["state"] = np.arange(20)[:, None], np.arange(4), State.TRACKED
        self.link.reports.append(reports.Rows(0, 19, rows.ravel()))
        self.bench.tick()

    @property
    def facts(self) -> tuple[object, ...]:
        """All that can be undone."""
        return dumps(self.bench.pipeline), dict(self.bench.names), self.bench.calibration


def test_the_last_change_is_undone_first_whichever_it_was() -> None:
    rig = Rig()
    bench, undoing = rig.bench, rig.undoing
    assert (undoing.undo_words, undoing.redo_words) == ("", "")
    bench.editor.set_param("bright", "level", 0.25)
    rig.corrector.delete([2])
    bench.tracks.set_calibration(Calibration(0.1, "mm"))
    rig.corrector.rename(1, "wing")
    words = []
    while undoing.undo_words:
        words.append(undoing.undo_words)
        undoing.undo()
    assert words == ["rename track 1", "scale", "delete track 2", "bright.level 0.25"]
    assert set(bench.store.all()["track"]) == {0, 1, 2, 3}
    assert bench.calibration == Calibration()
    again = []
    while undoing.redo_words:
        again.append(undoing.redo_words)
        undoing.redo()
    assert again == words[::-1]
    assert bench.names == {1: "wing"}
    assert bench.calibration.unit == "mm"
    assert set(bench.store.all()["track"]) == {0, 1, 3}


def test_words_name_what_they_are_about() -> None:
    rig = Rig()
    rig.corrector.merge([0, 1])
    assert rig.undoing.undo_words == "merge tracks 0, 1"
    rig.corrector.delete([0, 2])
    assert rig.undoing.undo_words == "delete 2 tracks"
    rig.corrector.split(3, 10)
    assert rig.undoing.undo_words == "split track 3"
    rig.bench.tracks.set_calibration(replace(rig.bench.calibration, origin=(3.0, 4.0)))
    assert rig.undoing.undo_words == "origin"
    rig.bench.tracks.set_calibration(replace(rig.bench.calibration, y_up=True))
    assert rig.undoing.undo_words == "axes"


def test_a_new_change_ends_what_could_be_done_again() -> None:
    rig = Rig()
    rig.corrector.delete([0])
    rig.undoing.undo()
    assert rig.undoing.redo_words == "delete track 0"
    rig.bench.editor.set_param("bright", "level", 0.3)
    assert rig.undoing.redo_words == ""
    rig.undoing.redo()
    assert set(rig.bench.store.all()["track"]) == {0, 1, 2, 3}


def test_another_pipeline_and_another_clip_leave_the_rest() -> None:
    rig = Rig()
    rig.bench.editor.set_param("bright", "level", 0.3)
    rig.corrector.delete([0])
    edited = rig.bench.pipeline
    rig.bench.files.choose("template")
    words = []
    while rig.undoing.undo_words:
        words.append(rig.undoing.undo_words)
        rig.undoing.undo()
    assert words == ["pipeline template", "delete track 0", "bright.level 0.3"]
    assert rig.bench.pipeline == load("blobs")
    for _ in range(2):
        rig.undoing.redo()
    assert (rig.bench.pipeline, set(rig.bench.store.all()["track"])) == (edited, {1, 2, 3})
    rig.undoing.redo()
    assert rig.bench.pipeline == load("template")
    rig.corrector.delete([1])
    rig.bench.editor.set_param(rig.bench.pipeline.trackers[0].id, "min_score", 0.7)
    rig.bench.tracks.set_calibration(Calibration(0.1, "mm"))
    rig.open("sim:other")
    assert rig.undoing.undo_words.endswith(".min_score 0.7")
    rig.undoing.undo()
    assert rig.undoing.undo_words == "pipeline template", "corrections and scale were of the other clip"
    assert rig.bench.calibration == Calibration()


def test_corrections_of_a_file_hold_and_are_no_steps(tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    first = Rig(clip)
    first.bench.editor.set_param("bright", "level", 0.3)
    first.corrector.delete([3])
    later = Rig()
    later.bench.editor.set_param("bright", "level", 0.3)
    later.open(str(clip))
    assert set(later.bench.store.all()["track"]) == {0, 1, 2}
    assert later.undoing.undo_words == "bright.level 0.3"
    later.corrector.delete([2])
    assert later.undoing.undo_words == "delete track 2"
    later.undoing.undo()
    later.undoing.undo()
    assert later.undoing.undo_words == "", "undo ends where the clip was opened"
    assert set(later.bench.store.all()["track"]) == {0, 1, 2}


def test_a_value_that_is_dragged_is_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()
    rig.corrector.delete([0])
    for value in (0.1, 0.2, 0.3):
        rig.bench.editor.set_param("bright", "level", value)
    for x in (1.0, 2.0, 3.0):
        rig.bench.tracks.set_calibration(Calibration(origin=(x, 0.0)))
    monkeypatch.setattr(module, "MERGE", -1.0)
    rig.bench.tracks.set_calibration(Calibration(origin=(9.0, 0.0)))
    found = []
    while rig.undoing.undo_words:
        found.append(rig.undoing.undo_words)
        rig.undoing.undo()
    assert found == ["origin", "origin", "bright.level 0.3", "delete track 0"]


def test_undone_by_somebody_else_is_no_step_any_more() -> None:
    rig = Rig()
    rig.corrector.delete([0])
    rig.bench.editor.set_param("bright", "level", 0.3)
    rig.corrector.undo()
    assert rig.undoing.undo_words == "bright.level 0.3"
    rig.undoing.undo()
    assert rig.undoing.undo_words == ""
    rig.corrector.delete([1])
    rig.corrector.forget()
    assert rig.undoing.undo_words == ""


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.sampled_from(("edit", "rename", "scale", "undo", "undo", "redo")), max_size=25))
def test_undo_and_redo_walk_through_all_states(steps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The model: a list of states with a place in it."""
    monkeypatch.setattr(module, "MERGE", -1.0)
    monkeypatch.setattr("app.desk.pipeline.history.MERGE", -1.0)
    rig = Rig()
    states, at = [rig.facts], 0
    for k, step in enumerate(steps, 1):
        if step == "undo":
            rig.undoing.undo()
            at = max(0, at - 1)
        elif step == "redo":
            rig.undoing.redo()
            at = min(len(states) - 1, at + 1)
        else:
            if step == "edit":
                rig.bench.editor.set_param("bright", "level", float(k))
            elif step == "rename":
                rig.corrector.rename(k % 4, f"n{k}")
            else:
                rig.bench.tracks.set_calibration(Calibration(float(k), "mm"))
            states, at = [*states[: at + 1], rig.facts], at + 1
        assert rig.facts == states[at]
        assert bool(rig.undoing.undo_words) == (at > 0)
        assert bool(rig.undoing.redo_words) == (at < len(states) - 1)


def test_the_scale_that_opening_brings_is_no_step() -> None:
    rig = Rig()
    rig.bench.tracks.set_calibration(Calibration(0.1, "mm"))
    rig.bench.editor.set_param("bright", "level", 0.3)
    rig.undoing.undo()
    rig.open("sim:other")
    assert rig.bench.calibration == Calibration()
    assert rig.undoing.undo_words == ""
    rig.open("sim:points")
    assert rig.bench.calibration == Calibration(0.1, "mm")
    assert rig.undoing.undo_words == ""


def test_a_scale_that_was_undone_is_neither_offered_nor_remembered() -> None:
    rig = Rig()
    rig.bench.tracks.set_calibration(Calibration(0.1, "mm"))
    rig.undoing.undo()
    rig.open("sim:other")
    assert rig.scales.offered is None
    rig.open("sim:points")
    assert rig.bench.calibration == Calibration()
    rig.bench.tracks.set_calibration(Calibration(0.2, "mm"))
    rig.undoing.undo()
    rig.undoing.redo()
    rig.open("sim:other")
    assert rig.scales.offered is not None
    assert rig.scales.offered.words == "a pixel is 0.2 mm"


def test_two_windows_calibrate_two_clips(tmp_path: Path) -> None:
    first = Rig(tmp_path / "a.mp4")
    second = Rig(tmp_path / "b.mp4", first.kept)
    first.bench.tracks.set_calibration(Calibration(0.1, "mm"))
    second.bench.tracks.set_calibration(Calibration(0.2, "mm"))
    later = Rig(tmp_path / "a.mp4", first.kept)
    assert later.bench.calibration == Calibration(0.1, "mm")
    later.open(str(tmp_path / "b.mp4"))
    assert later.bench.calibration == Calibration(0.2, "mm")
    first.open(str(tmp_path / "b.mp4"))
    assert first.bench.calibration == Calibration(0.2, "mm"), "what the other one has set since"


def test_of_two_windows_that_calibrate_one_clip_the_second_is_told(tmp_path: Path) -> None:
    first = Rig(tmp_path / "a.mp4")
    second = Rig(tmp_path / "a.mp4", first.kept)
    first.bench.tracks.set_calibration(Calibration(0.1, "mm"))
    second.bench.tracks.set_calibration(Calibration(0.2, "mm"))
    said = second.bench.messages[-1].sentence
    assert "another window has calibrated" in said
    assert "a pixel is 0.1 mm" in said
    assert second.scales.offered is not None
    second.bench.tracks.set_calibration(Calibration(0.2, "mm", origin=(3.0, 4.0)))
    assert len([m for m in second.bench.messages if "another window" in m.sentence]) == 1
    first.bench.tracks.set_calibration(Calibration(0.1, "mm", origin=(1.0, 1.0)))
    assert first.scales.offered is not None
    first.scales.take()
    assert first.bench.calibration == second.bench.calibration


def test_a_clip_with_corrections_leaves_the_scale_of_the_one_before_alone(tmp_path: Path) -> None:
    Rig(tmp_path / "b.mp4").corrector.rename(1, "wing")
    rig = Rig()
    rig.open(str(tmp_path / "a.mp4"), width=100)
    rig.bench.tracks.set_calibration(Calibration(0.1, "mm"))
    before = dict(rig.kept)
    rig.open(str(tmp_path / "b.mp4"))
    assert rig.bench.names == {1: "wing"}
    assert rig.kept == before
    rig.open(str(tmp_path / "a.mp4"), width=100)
    assert rig.bench.calibration == Calibration(0.1, "mm")


def test_what_is_undone_can_be_done_again_though_it_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = Rig(tmp_path / "clip.mp4")
    rig.corrector.delete([3])
    rig.corrector.delete([2])

    def full(*_: object) -> None:
        raise InputError("the disk is full")

    monkeypatch.setattr(corrections_file, "save", full)
    rig.undoing.undo()
    assert rig.bench.messages[-1].sentence == "the disk is full"
    assert set(rig.bench.store.all()["track"]) == {0, 1, 2}
    assert rig.undoing.redo_words == "delete track 2"
    rig.undoing.redo()
    assert set(rig.bench.store.all()["track"]) == {0, 1}
    assert (rig.undoing.undo_words, rig.undoing.redo_words) == ("delete track 2", "")
