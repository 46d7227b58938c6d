"""The workbench with an engine that only listens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.engine.picture_box import Shown
from app.desk.pipeline.editing import declared
from app.sources.reading import Reading
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE
from pipelines.frame import SourceInfo
from pipelines.streaming.common.meter import MeterReading
from pipelines.streaming.common.states import RunState
from pipelines.writing import dumps
from tests.shipped import FOUND

CLIP = Path(__file__).parents[4] / "sample_videos" / "vortex_600fps.avi"


class Listening:
    """Keeps the orders; reports what a test puts in."""

    def __init__(self) -> None:
        self.orders: list[commands.Order] = []
        self.reports: list[reports.Report] = []
        self.pictures: list[Shown] = []
        self.started = 0

    def send(self, order: commands.Order) -> None:
        self.orders.append(order)

    def poll(self) -> list[reports.Report]:
        found, self.reports = self.reports, []
        return found

    def picture(self) -> Shown | None:
        return self.pictures.pop(0) if self.pictures else None

    def close(self) -> None:
        pass

    def start_again(self) -> None:
        self.started += 1


def opened(info: SourceInfo, live: bool = False) -> tuple[Workbench, Listening, list[Topic]]:
    link = Listening()
    bench = Workbench(link)
    heard: list[Topic] = []
    for topic in Topic:
        bench.on(topic, lambda topic=topic: heard.append(topic))
    bench.open(str(CLIP))
    (order,) = link.orders
    assert isinstance(order, commands.Open)
    link.reports.append(reports.Opened(info, live, order.pipeline, "cpu", ("a+b",), (("a", "u8"),), "box", found=FOUND))
    bench.tick()
    link.orders.clear()
    return bench, link, heard


def test_what_the_compression_of_a_clip_does_to_sigma_is_said_when_it_is_opened(info: SourceInfo) -> None:
    bench, _, _ = opened(info)
    assert not [m for m in bench.messages if "sigma is a lower bound" in m.sentence]
    bench, _, _ = opened(replace(info, metadata={**info.metadata, "codec": "h264", "key_frames": 1}))
    assert [m.level for m in bench.messages if "sigma is a lower bound" in m.sentence] == [Level.NOTE]


def test_what_the_engine_reports_is_told_once_a_tick(info: SourceInfo) -> None:
    bench, link, heard = opened(info)
    assert Topic.OPENED in heard
    assert bench.range == (0, info.frames)
    heard.clear()
    rows = np.zeros(1, TRACK_DTYPE)
    measured = reports.Measured(MeterReading(seconds=1.0))
    link.reports += [reports.Rows(0, 0, rows), reports.Rows(1, 2, rows[:0]), measured]
    link.reports += [reports.Stood(RunState.RUNNING, 2)]
    bench.tick()
    assert sorted(t.value for t in heard) == ["measured", "rows", "state"]
    assert bench.state is RunState.RUNNING
    assert bench.store.ranges == [(0, 2)]
    heard.clear()
    bench.tick()
    assert heard == []


def test_a_listener_to_several_kinds_is_told_once_after_all_that_it_listens_to(info: SourceInfo) -> None:
    bench, link, _ = opened(info)
    told: list[str] = []

    def several() -> None:
        told.append("several")

    for topic in (Topic.STATE, Topic.OPENED, Topic.PIPELINE):
        bench.on(topic, several)
    bench.on(Topic.OPENED, lambda: told.append("opened"))
    bench.on(Topic.PIPELINE, lambda: told.append("pipeline"))
    bench.on(Topic.STATE, lambda: told.append("state"))
    bench.on(Topic.PICTURE, lambda: told.append("picture"))
    bench.open(str(CLIP))
    told.clear()  # that something is being opened was told
    (order,) = link.orders
    assert isinstance(order, commands.Open)
    link.reports.append(reports.Opened(info, False, order.pipeline, "cpu", ("a+b",), (("a", "u8"),), "box"))
    link.pictures.append(Shown(1, 0, 0.0, "", np.zeros((2, 2), np.uint8), 8, np.zeros(0, TRACK_DTYPE)))
    bench.tick()
    assert told == ["opened", "pipeline", "several", "state"]
    assert bench.shown is None, "all of the window is new: its picture has a turn of its own"
    bench.tick()
    assert told[4:] == ["picture"]


def test_refusals_and_crashes_become_messages(info: SourceInfo) -> None:
    bench, link, _ = opened(info)
    link.reports.append(reports.Refused("no such file"))
    bench.tick()
    assert bench.messages[-1].sentence == "no such file"
    assert bench.opened is not None
    link.reports.append(reports.Crashed("the engine ended", "Segmentation fault"))
    bench.tick()
    assert bench.opened is None
    assert bench.state is RunState.FAILED
    assert (bench.messages[-1].level, bench.messages[-1].details) == (Level.ERROR, "Segmentation fault")


def test_what_a_run_failed_of_is_in_the_report_and_edits_wait_until_it_is_opened_again(info: SourceInfo) -> None:
    bench, link, _ = opened(info)
    node = bench.pipeline.trackers[0]
    param = next(p for p in declared(node) if p.kind == "float")
    bench.editor.set_param(node.id, param.name, param.default * 1.01)
    link.reports.append(reports.Refused("playing failed", ended=True, number=-1, details="Traceback: here"))
    bench.tick()
    assert bench.messages[-1] == replace(bench.messages[-1], sentence="playing failed", details="Traceback: here")
    assert bench.ended
    link.orders.clear()
    bench.editor.undo()
    bench.tick()
    bench.editor.redo()
    bench.editor.undo()
    bench.tick()
    assert not link.orders, "nothing runs that could take them"
    bench.reopen()
    (order,) = link.orders
    assert isinstance(order, commands.Open)
    assert order.pipeline == dumps(bench.pipeline), "as it was taken back"
    link.reports.append(reports.Opened(info, False, order.pipeline, "cpu", (), (), "box", number=order.number))
    bench.tick()
    assert not bench.ended
    bench.editor.redo()
    assert len(link.orders) == 2


def test_a_refusal_names_what_was_not_opened_where_it_speaks_of_the_pipeline(info: SourceInfo) -> None:
    bench, link, _ = opened(info)
    for what, name in (("cam:sim?fps=150", "cam:sim"), ("clips/ball.mp4", "ball.mp4")):
        bench.open(what)
        link.reports.append(reports.Refused("template.points[2] is outside the picture"))
        bench.tick()
        assert bench.messages[-1].sentence == f"{name} was not opened: template.points[2] is outside the picture"
    bench.open("clips/ball.mp4")
    link.reports.append(reports.Refused("clips/ball.mp4 is no video"))
    bench.tick()
    assert bench.messages[-1].sentence == "clips/ball.mp4 is no video"
    link.reports.append(reports.Refused("a change that does not fit"))  # nothing is being opened any more
    bench.tick()
    assert bench.messages[-1].sentence == "a change that does not fit"


def test_of_two_clips_that_are_opened_at_once_each_answer_is_about_its_own(info: SourceInfo) -> None:
    bench, link, _ = opened(info)
    bench.open("a.mp4")
    bench.open("b.mp4", reading=Reading(fps=500.0))
    a, b = link.orders
    assert isinstance(a, commands.Open)
    assert isinstance(b, commands.Open)
    link.reports.append(reports.Refused("a change that does not fit", number=-1))
    bench.tick()
    assert bench.opening is b
    assert bench.messages[-1].sentence == "a change that does not fit"
    link.reports.append(reports.Opened(info, False, a.pipeline, "cpu", (), (), "", number=a.number))
    bench.tick()
    assert (bench.asked, bench.opening) == (a, b)
    link.reports.append(reports.Closed())
    bench.tick()
    assert bench.opening is b
    link.reports.append(reports.Opened(info, False, b.pipeline, "cpu", (), (), "", number=b.number))
    bench.tick()
    assert (bench.asked, bench.opening) == (b, None)
    bench.open("c.mp4")
    bench.open("d.mp4")
    c, d = link.orders[-2:]
    assert isinstance(c, commands.Open)
    link.reports.append(reports.Refused("it is no clip", number=c.number))
    bench.tick()
    assert bench.messages[-1].sentence == "c.mp4 was not opened: it is no clip"
    assert bench.opening is d


def test_an_engine_that_cannot_be_started_is_tried_again_when_somebody_asks(info: SourceInfo) -> None:
    bench, link, heard = opened(info)
    link.reports += [reports.Crashed("the engine ended", ""), reports.Crashed("it cannot be started", "", down=True)]
    bench.tick()
    assert bench.engine_down
    assert bench.lost is not None  # to be opened again once there is an engine
    heard.clear()
    bench.start_engine()
    assert (bench.engine_down, link.started, heard) == (False, 1, [Topic.STATE])
    bench.start_engine()
    assert link.started == 1
    link.reports.append(reports.Crashed("it cannot be started", "", down=True))
    bench.tick()
    bench.reopen()  # whoever opens something asks for an engine
    assert link.started == 2
    assert isinstance(link.orders[-1], commands.Open)


def test_frames_are_clamped_and_empty_ranges_refused(info: SourceInfo) -> None:
    bench, link, _ = opened(info)
    bench.player.seek(10**9)
    bench.player.seek(-5)
    assert link.orders == [commands.Seek(info.frames - 1), commands.Seek(0)]
    with pytest.raises(InputError, match="in mark"):
        bench.player.set_range(10, 10)
    bench.player.set_range(-5, 10**9)
    assert bench.range == (0, info.frames)
    with pytest.raises(InputError, match="no camera is open"):
        bench.recorder.record("x.mcap")


def test_a_camera_is_recorded_once_at_a_time(info: SourceInfo) -> None:
    bench, link, _ = opened(info, live=True)
    bench.player.seek(5)
    bench.player.step()
    assert link.orders == []
    bench.recorder.record("x.mcap", before=100)
    assert link.orders == [commands.StartRecording("x.mcap", 100)]
    with pytest.raises(InputError, match=r"x\.mcap is being recorded"):
        bench.recorder.record("y.mcap")


def test_recordings_overwrite_nothing_and_know_their_triggers(info: SourceInfo, tmp_path: Path) -> None:
    bench, link, _ = opened(info, live=True)
    there = tmp_path / "there.mcap"
    there.write_bytes(b"kept")
    with pytest.raises(InputError, match="overwrite nothing"):
        bench.recorder.record(str(there))
    with pytest.raises(InputError, match="speed>200, region"):
        bench.recorder.record(str(tmp_path / "new.mcap"), 100, triggers=("fast",))
    assert (bench.recording, link.orders) == ("", [])
    bench.recorder.record(str(tmp_path / "new.mcap"), 100, 50, ("speed>200", "lost"))
    assert link.orders == [commands.StartRecording(str(tmp_path / "new.mcap"), 100, 50, ("speed>200", "lost"))]


def test_rows_go_when_another_value_takes_hold_and_not_before(info: SourceInfo) -> None:
    bench, link, heard = opened(info)
    link.reports += [reports.Rows(0, 9, np.zeros(0, TRACK_DTYPE)), reports.Stood(RunState.RUNNING, 5)]
    bench.tick()
    bench.editor.set_param("bright", "level", 0.07)
    bench.tick()
    assert bench.store.ranges == [(0, 9)]  # the old value holds still
    heard.clear()
    none = np.zeros(0, TRACK_DTYPE)
    link.reports += [reports.Rows(10, 12, none), reports.Outdated(), reports.Rows(13, 14, none)]
    bench.tick()
    assert bench.store.ranges == [(13, 14)]
    assert Topic.ROWS in heard


def test_names_of_tracks(info: SourceInfo) -> None:
    bench, _, heard = opened(info)
    bench.tracks.corrected({3: "left knee"})
    assert (bench.tracks.name(3), bench.tracks.name(4)) == ("left knee", "4")
    bench.tracks.corrected({})
    assert bench.tracks.name(3) == "3"
    bench.tracks.select([2, 1, 2])
    assert bench.selected == [2, 1]
    assert heard[-1] is Topic.SELECTION
