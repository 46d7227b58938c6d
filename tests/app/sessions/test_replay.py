"""A session as a clip, its ledger on the command line, and a rehearsal."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.controller import run_clip
from app.live.replay import Wish, replay
from app.sessions import events
from app.sessions.layout import Picture
from app.sessions.manifest import Manifest
from app.sessions.proof import prove
from app.sessions.reader import open_session
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from app.sessions.rehearsal import Rehearsal, rehearse
from app.sessions.sink import SessionSink
from app.sessions.writer import SessionWriter
from app.sources.opening import open_source
from kernels.errors import BadFrame, SourceError
from pipelines.definition import load
from pipelines.features import Tracks
from pipelines.frame import FrameSource
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from tests.app.sessions.made import SMALL, pixels, preamble, row, write
from tests.shipped import fixed


def record(source: FrameSource, path: Path, frames: int) -> None:
    info = source.info
    preamble = Manifest(info, fixed("blobs"), "cpu").preamble()
    with Recording.start(path, preamble, RecordingOptions(wait=True)) as recording:
        for k in range(frames):
            recording.put(source.read(k), camera_id=info.first_number + k, time_s=info.time.time(k))


def test_a_recorded_clip_gives_the_same_tracks(tmp_path: Path) -> None:
    source = open_source("sim:vortex")
    record(source, tmp_path / "a.mcap", 40)
    session = open_source(tmp_path / "a.mcap")
    info = session.info
    assert (info.kind, info.frames, info.width, info.height) == ("session", 40, source.info.width, source.info.height)
    assert (info.image, info.format) == (source.info.image, source.info.format)
    assert info.time.fps == source.info.time.fps
    assert [info.time.time(k) for k in range(40)] == [source.info.time.time(k) for k in range(40)]
    assert not info.warnings
    for k in (39, 0, 17):
        assert (session.read(k) == source.read(k)).all()
    session.close()
    level = {"bright.level": 0.03}  # which else is found on other frames: those of all of the clip
    first = run_clip("sim:vortex", "blobs", settings=level, frames=(0, 40), out=tmp_path / "live", overlay=False)
    again = run_clip(tmp_path / "a.mcap", "blobs", settings=level, out=tmp_path / "again", overlay=False)
    assert len(first.tracks)
    assert first.tracks.tobytes() == again.tracks.tobytes()


def test_the_manifest(tmp_path: Path) -> None:
    source = open_source("sim:vortex")
    pipeline = fixed("blobs")
    manifest = Manifest(source.info, pipeline, "cpu", {"groups": ["a+b"]}, {"exact": True})
    SessionWriter.create(tmp_path / "a.mcap", manifest.preamble()).close()
    with open_session(tmp_path / "a.mcap") as session:
        assert session.manifest["uuid"] == manifest.identity
        assert session.manifest["pipeline"]["hash"] == pipeline.digest
        assert session.manifest["plan"] == {"groups": ["a+b"]}
        assert session.manifest["source"]["name"] == "sim:vortex"
        assert "numpy" in session.manifest["versions"]
        (tmp_path / "again.toml").write_text(session.pipeline_toml)
    assert load(str(tmp_path / "again.toml")).digest == pipeline.digest


def test_times_without_the_pipelines(tmp_path: Path) -> None:
    """The camera's clock, else the host's; frames count from the trigger."""
    for name, changed in (("camera", {}), ("host", {"camera_time": np.iinfo(np.int64).min})):
        writer = SessionWriter.create(tmp_path / f"{name}.mcap", preamble(), sync_every=0)
        for k in range(10, 20):
            writer.frame(row(k, time=np.nan, **changed), SMALL.bytes_of(pixels(SMALL, k)))
        writer.event(events.event(events.TRIGGER, 14, reason="key"), 1, 1)
        writer.close()
        source = open_source(tmp_path / f"{name}.mcap")
        assert source.info.time.fps == pytest.approx(1000)
        assert [source.info.time.time(k) for k in range(10)] == pytest.approx([(k - 4) / 1000 for k in range(10)])
        assert name in source.info.time.note
        assert source.info.first_number == -4
        source.close()


def test_a_damaged_frame_is_a_bad_frame(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    write(path, range(20))
    data = bytearray(path.read_bytes())
    at = bytes(data).index(pixels(SMALL, 7).tobytes())
    data[at + 100] ^= 1
    path.write_bytes(data)
    source = open_source(path)
    with pytest.raises(BadFrame, match="frame 7: its checksum differs"):
        source.read(7, np.empty((16, 24), np.uint8))
    assert (source.read(8) == pixels(SMALL, 8)).all()
    source.close()


def test_nothing_to_replay(tmp_path: Path) -> None:
    SessionWriter.create(tmp_path / "a.mcap", preamble()).close()
    with pytest.raises(SourceError, match="holds no frame"):
        open_source(tmp_path / "a.mcap")


def test_the_ledger_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mcap"
    writer = SessionWriter.create(path, preamble(), sync_every=0)
    for k in (*range(10), *range(13, 20)):
        writer.frame(row(k), SMALL.bytes_of(pixels(SMALL, k)))
    writer.event(events.event(events.LOSS, 10, first=10, last=12, reason="no room in the queue"), 1, 1)
    writer.event(events.event(events.CLOSE, None, announced=21, reason="closed"), 2, 1)
    writer.close()
    assert main(["ledger", str(path)]) == 1
    text = capsys.readouterr().out
    for line in ("captured            21  frames came", "recorded            17  are",
                 "lost                 3  found no room", "lost                 1  with a recorder",
                 "frames 10-12: no room in the queue", "frame 20: lost when the recorder",
                 "17 hold, 0 differ"):  # fmt: skip
        assert line in text
    assert main(["ledger", str(path), "--json", "--no-checksums"]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert (facts["announced"], facts["recorded"], facts["damaged"], facts["complete"]) == (21, 17, None, False)
    assert open_source(path).info.warnings == (
        "3 frames between the first and the last were not recorded; `fusetrack ledger` names them",
    )
    (tmp_path / "x.mcap").write_bytes(b"nothing")
    assert main(["ledger", str(tmp_path / "x.mcap")]) == 2
    assert main(["ledger", str(tmp_path / "y.mcap")]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="the recorder needs POSIX")
def test_a_rehearsal(tmp_path: Path) -> None:
    found = rehearse(tmp_path, Picture(64, 48, "u16", 48, 64, 1, 12), seconds=0.2)
    assert found.frames > 0
    assert found.fps == found.frames / found.seconds
    assert found.frame_bytes > 64 * 48 * 2
    assert not list(tmp_path.iterdir())
    assert "frames/s" in found.describe(500)


def test_what_a_rehearsal_says() -> None:
    found = Rehearsal(1250.0, 100, 1.0, 1000, 0.2, 0.5, 1.5, 60_000_000)
    assert found.sustains(1000)
    assert not found.sustains(1001)
    assert found.seconds_left(1000) == 60
    assert found.queue(1000) == 4000
    assert found.limit == "medium"
    assert "enough for 1000 frames/s with a quarter to spare" in found.describe(1000)
    assert "NOT enough" in found.describe(2000)


def test_tracks_that_trigger(tmp_path: Path) -> None:
    """A condition on the tracks asks for the frames around the very frame in which it holds."""
    class OnFrame:
        def look(self, rows: Tracks) -> str | None:
            return "now" if len(rows) and int(rows["frame"][0]) == 17 else None

    source, pipeline = open_source("sim:vortex"), fixed("blobs")
    begin = Manifest(source.info, pipeline).preamble()
    recording = Recording.start(tmp_path / "a.mcap", begin, RecordingOptions(before=30))
    sink = SessionSink(recording, conditions=[OnFrame()], after=3)
    Runner(source, prepare(pipeline, source, None), [sink], frames=(0, 40), options=RunOptions(roi=None, batch=8)).run()
    recording.close()
    with open_session(tmp_path / "a.mcap") as session:
        kept = session.rows["sequence"].tolist()
        (trigger,) = [e for e in session.events() if e["kind"] == "trigger"]
    assert (trigger["frame"], trigger["reason"]) == (17, "now")
    assert kept == list(range(kept[0], 20))
    assert kept[0] == 0


def test_what_a_run_processes_can_be_recorded(tmp_path: Path) -> None:
    """Frames and tracks as a sink of a run; the session replays to the tracks that it holds."""
    source, pipeline = open_source("sim:vortex"), fixed("blobs")
    preamble = Manifest(source.info, pipeline).preamble()
    sink = SessionSink(Recording.start(tmp_path / "a.mcap", preamble, RecordingOptions(wait=True)))
    Runner(source, prepare(pipeline, source, None), [sink], frames=(5, 30), options=RunOptions(roi=None, batch=7)).run()
    sink.close()
    with open_session(tmp_path / "a.mcap") as session:
        assert session.rows["camera_id"].tolist() == list(range(5, 30))
        live = session.tracks()
        assert live["frame"][0] == 0  # the session numbers its frames by itself
        assert prove(session).complete
    again = replay(Wish(tmp_path / "a.mcap", check=True))
    assert again.likeness is not None
    assert again.identical
    assert again.likeness.rows == again.likeness.compared == len(live) > 0
    assert again.likeness.describe() == f"the {len(live)} rows are identical to those recorded"


def test_what_is_broken_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Recording, "put", interrupt)
    with pytest.raises(KeyboardInterrupt):
        rehearse(tmp_path, Picture(64, 48, "u16", 48, 64, 1, 12), seconds=60.0)
    assert not list(tmp_path.iterdir())
