"""What is told of a recording that has ended: by itself, with losses in between, or with its engine."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.desk.bench import aftermath
from app.desk.bench.recorded_words import between, outcome
from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.engine.live_desk import LiveDesk
from app.desk.engine.rows_sink import RowsSink
from app.sessions.reader import SessionReader
from pipelines.definition import load
from pipelines.frame import SourceInfo
from pipelines.writing import dumps
from tests.app.desk.bench.test_workbench import opened
from tests.app.desk.engine.conftest import begun
from tests.app.desk.readings import account, live_readings
from tests.app.sessions.made import write
from tests.patience import PATIENCE

# Falls again later: the first may be over before the recording begins.
FALLS = "cam:sim?scene=vortex&size=64x48&fps=200&seed=3&disconnect=@60,1000,3000,6000,12000,24000&away=0.2"


def ended(losses: int = 0, reconnects: int = 0, missing: int = 0, **facts: object) -> reports.Recorded:
    return reports.Recorded("run.mcap", replace(account(500), **facts), losses, reconnects, missing)  # type: ignore[arg-type]


def test_a_recording_that_went_well_says_its_frames() -> None:
    assert outcome(ended()) == (Level.NOTE, "run.mcap: 500 frames recorded")


@pytest.mark.parametrize(
    ("last", "words"),
    [(ended(1, 1, 12), ("the camera was lost once and came back", "12 frames lost (never came from the camera)")),
     (ended(3, 2), ("the camera was lost 3 times and came back 2 times",)),
     (ended(2, 0, 1), ("the camera was lost 2 times and did not come back",
                       "1 frame lost (never came from the camera)")),
     (ended(restarts=2), ("the recorder ended 2 times and was started again",)),
     (ended(messages_lost=1), ("1 table of tracks and events found no room",))],
)  # fmt: skip
def test_what_was_lost_in_between_is_said_with_counts(last: reports.Recorded, words: tuple[str, ...]) -> None:
    assert between(last) == words
    assert outcome(last) == (Level.WARNING, "; ".join(("run.mcap: 500 frames recorded", *words)))


def test_recorded_processed_and_left_out_are_told_apart() -> None:
    last = replace(ended(recorded=1122, dropped=0), processed=374, left_out={"the engine was behind": 748})
    level, sentence = outcome(last)
    assert level is Level.WARNING
    assert sentence == ("run.mcap: 1122 frames recorded; 374 processed, 748 left out (the engine was behind): those "
                        "have no tracks")  # fmt: skip
    several = replace(last, left_out={"the engine was behind": 740, "the run was paused": 8})
    assert "748 left out (740 the engine was behind, 8 the run was paused)" in outcome(several)[1]
    waited = replace(ended(recorded=100, skipped=1022, announced=1122), processed=374, left_out=last.left_out)
    assert "374 processed of the 1122 that came" in outcome(waited)[1]
    assert outcome(replace(ended(), processed=500))[0] is Level.NOTE


def test_triggers_are_told_when_they_come_and_in_the_end(info: SourceInfo) -> None:
    bench, link, _ = opened(info, live=True)
    bench.recorder.record("/nowhere/run.mcap", 100)
    come = [reports.Triggered("key", 812 + k, 1.6238, 900) for k in range(30)]
    link.reports += come
    bench.tick()
    words = [m.sentence for m in bench.messages if "trigger" in m.sentence]
    assert words[0] == "triggered at frame 812 (1.624 s) by key"
    assert len(words) == 20
    assert "counted" in words[-1]
    link.reports.append(replace(ended(), triggers=tuple(come)))
    bench.tick()
    assert bench.messages[-1].level is Level.NOTE
    assert bench.messages[-1].sentence.endswith("triggered at frame 812 (1.624 s) by key, the first of 30")
    assert outcome(replace(ended(), triggers=(reports.Triggered("key", 0, float("nan")),)))[1].endswith(
        "at frame 0 by key"
    )
    bench.recorder.record("/nowhere/other.mcap", 100)
    assert not bench.triggered


@pytest.mark.skipif(os.name != "posix", reason="recording needs Linux or macOS")
def test_a_trigger_of_a_camera_is_reported_with_its_frame(tmp_path: Path) -> None:
    heard: list[reports.Report] = []
    desk = LiveDesk(commands.Open("cam:sim?scene=vortex&size=64x48&fps=200&seed=3", dumps(load("blobs"))), RowsSink())

    def wait(frames: int) -> None:
        end = time.monotonic() + PATIENCE
        while desk.account is None or desk.account.announced < frames:
            assert time.monotonic() < end
            desk.look(heard.append)
            time.sleep(0.01)

    try:
        desk.obey(commands.StartRecording(str(tmp_path / "run.mcap"), before=20, after=30), heard.append)
        desk.obey(commands.Trigger("early"), heard.append)
        wait(100)
        desk.obey(commands.Trigger("key"), heard.append)
        wait(150)
        desk.obey(commands.StopRecording(), heard.append)
    finally:
        desk.close(heard.append)
    early, key = [one for one in heard if isinstance(one, reports.Triggered)]
    (last,) = [one for one in heard if isinstance(one, reports.Recorded)]
    with SessionReader(tmp_path / "run.mcap") as session:
        frames = [event["frame"] for event in session.events() if event["kind"] == "trigger"]
    assert frames == [early.frame, key.frame]
    assert key.time == pytest.approx(key.frame / 200, abs=0.05)
    assert key.until == key.frame + 30
    assert last.triggers == (early, key)
    assert last.processed + sum(last.left_out.values()) == last.account.announced


def test_what_came_between_the_click_and_the_first_frame_is_said_and_no_reason_to_worry() -> None:
    level, sentence = outcome(replace(ended(), delay=0.0142, came_before=14))
    assert level is Level.NOTE
    assert sentence.endswith("it begins 14 ms after the click, 14 frames that came in between are not in it")
    assert "1 frame that came in between is not in it" in outcome(replace(ended(), delay=0.001, came_before=1))[1]
    assert "click" not in outcome(replace(ended(), delay=0.0004, came_before=0))[1]


def test_the_bench_tells_it_loudly(info: SourceInfo) -> None:
    bench, link, _ = opened(info, live=True)
    link.reports.append(ended(1, 1))
    bench.tick()
    assert bench.messages[-1].level is Level.WARNING
    assert "the camera was lost once and came back" in bench.messages[-1].sentence
    link.reports.append(ended())
    bench.tick()
    assert bench.messages[-1].level is Level.NOTE


@pytest.mark.skipif(os.name != "posix", reason="recording needs Linux or macOS")
def test_a_camera_that_falls_is_counted_in_what_is_reported(tmp_path: Path) -> None:
    heard: list[reports.Report] = []
    desk = LiveDesk(commands.Open(FALLS, dumps(load("blobs"))), RowsSink())
    try:
        begun(desk, commands.StartRecording(str(tmp_path / "run.mcap")), heard.append)
        end = time.monotonic() + PATIENCE
        while desk.runner.ledger.reconnects < 1:
            assert time.monotonic() < end
            time.sleep(0.01)
        ledger = desk.runner.ledger
        desk.obey(commands.StopRecording(), heard.append)
    finally:
        desk.close(heard.append)
    (last,) = [report for report in heard if isinstance(report, reports.Recorded)]
    assert (last.losses, last.reconnects, last.missing) == (ledger.losses, ledger.reconnects, ledger.missing)
    assert last.losses >= 1


def crashed(info: SourceInfo, path: Path, recorded: int) -> Workbench:
    """A bench whose engine has died amid a recording of which so many frames were known."""
    bench, link, _ = opened(info, live=True)
    link.reports += live_readings(2, recording=True)  # of a recording before
    bench.tick()
    bench.recorder.record(str(path))
    if recorded:
        link.reports.append(replace(live_readings(1, recording=True)[0], recording=account(recorded)))
        bench.tick()
    link.reports.append(reports.Crashed("the engine ended", ""))
    return bench


def test_what_is_in_the_session_for_sure_is_said_at_once(info: SourceInfo, tmp_path: Path) -> None:
    bench = crashed(info, tmp_path / "run.mcap", 7)
    bench.tick()
    assert "run.mcap holds what was recorded up to then" in bench.messages[-1].sentence


def test_a_crash_before_the_first_frame_leaves_no_session_and_is_told_so(
    info: SourceInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aftermath, "EVERY", 0.0)
    bench = crashed(info, tmp_path / "run.mcap", 0)
    (tmp_path / "run.mcap").touch()  # its recorder has not yet heard of it
    bench.tick()
    bench.tick()
    assert bench.messages[-1].sentence == "the engine ended"
    (tmp_path / "run.mcap").unlink()
    bench.tick()
    assert bench.messages[-1].level is Level.WARNING
    assert "nothing was recorded, and there is no run.mcap" in bench.messages[-1].sentence
    count = len(bench.messages)
    bench.tick()
    assert len(bench.messages) == count, "once"


@pytest.mark.parametrize(("frames", "words"), [(5, "holds 5 frames"), (0, "holds no frame")])
def test_what_its_recorder_has_closed_is_counted(
    info: SourceInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frames: int, words: str
) -> None:
    monkeypatch.setattr(aftermath, "EVERY", 0.0)
    bench = crashed(info, tmp_path / "run.mcap", 0)
    write(tmp_path / "run.mcap", range(frames))
    bench.tick()
    assert words in bench.messages[-1].sentence


def test_a_recorder_that_never_ends_is_no_certainty(
    info: SourceInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aftermath, "EVERY", 0.0)
    monkeypatch.setattr(aftermath, "PATIENCE", -1.0)
    bench = crashed(info, tmp_path / "run.mcap", 0)
    (tmp_path / "run.mcap").touch()
    bench.tick()
    assert "it is not known what run.mcap holds" in bench.messages[-1].sentence


def test_a_bench_without_a_recording_has_nothing_to_look_back_at(info: SourceInfo) -> None:
    bench, link, _ = opened(info)
    link.reports.append(reports.Crashed("the engine ended", ""))
    bench.tick()
    bench.tick()
    assert bench.messages[-1].sentence == "the engine ended"
