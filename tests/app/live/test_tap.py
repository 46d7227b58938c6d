"""Somebody turns every knob of a live run at random moments; the session replays to the same tracks all the same."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.cameras.opening import open_camera
from app.live.replay import Wish, replay
from app.live.wanted import Wanted, manifest
from app.sessions import events
from app.sessions.proof import prove
from app.sessions.reader import SessionReader, open_session
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from app.sessions.tap import TOO_LONG, SessionTap
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.features import Tracks
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from tests.app.sessions.made import SMALL, pixels, preamble, tracks
from tests.shipped import fixed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")

RUNS = int(os.environ.get("FUSETRACK_LIVE_RUNS", "2"))
CAMERA = "cam:sim?scene=vortex&size=64x48&fps=150&particles=8&drop=0.01&duplicate=0.01&jitter=0.2"


def turn(runner: LiveRunner, draw: random.Random) -> None:
    """One knob."""
    what = draw.randrange(9)
    try:
        if what < 3:
            runner.set_param("bright", "level", draw.uniform(0.02, 0.2))
        elif what == 3:
            runner.set_param("follow", "gate", draw.uniform(3.0, 12.0))
        elif what == 4:
            runner.set_param("band", "sigma", draw.choice([1.2, 1.5, 2.0]))  # changes the code
        elif what == 5:
            runner.change_pipeline(load(draw.choice(["blobs", "facial-markers", "corners"])))
        elif what == 6:
            runner.change_pipeline(runner.pipeline)
        elif what == 7:
            runner.pause()
        else:
            runner.resume()
    except InputError:  # the pipeline of now has no such knob
        pass


@pytest.mark.parametrize("seed", range(RUNS))
def test_random_knobs(tmp_path: Path, seed: int) -> None:
    draw, path, pipeline = random.Random(seed), tmp_path / "a.mcap", fixed("blobs")
    camera = open_camera(f"{CAMERA}&seed={seed}")
    roi = draw.choice([None, (8, 4, 48, 40)])
    runner = LiveRunner(camera, pipeline, options=LiveOptions(latency=draw.choice([0.1, 1.0]), roi=roi))
    built = runner.prepare()
    wanted = Wanted(CAMERA, path, "blobs", roi=roi)
    recording = Recording.start(path, manifest(wanted, camera.info, pipeline, built).preamble())
    tap = SessionTap(recording)
    runner.recorder = tap
    runner.start()
    end = time.monotonic() + 3.0
    while time.monotonic() < end:
        time.sleep(draw.uniform(0.0, 0.25))
        turn(runner, draw)
    report = runner.stop()
    assert report is not None
    assert report.error == ""
    tap.finish(report.ledger.processed, report.ledger.announced - 1, report.ledger.facts())
    recording.close()
    camera.close()
    with open_session(path) as session:
        proof, recorded = prove(session), session.tracks()
        happened = session.events()
    assert proof.complete
    assert proof.processing is not None
    assert (proof.processing.processed, proof.processing.left_out) == (report.ledger.processed, report.ledger.left_out)
    assert len(report.changes) == sum(e["kind"] in (events.PARAMETER, events.PIPELINE) for e in happened)
    for device, batch in (("cpu", 16), ("reference", 3)):
        made = replay(Wish(path, check=True, device=device, batch=batch))
        assert made.likeness is not None
        assert made.identical, (made.likeness.describe(), made.remarks)
        assert made.likeness.rows == len(recorded)


def test_a_trigger_is_told_with_the_frame_that_the_session_has(tmp_path: Path) -> None:
    """Frames come while it is asked for."""
    with Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(before=100)) as recording:
        tap = SessionTap(recording, after=10)
        asked, counted = recording.trigger, pixels(SMALL, 0)

        def later(*given: Any, **named: Any) -> int:
            tap.frame(counted, -1, -1, 0, 0.0)  # between the key and the recording
            return asked(*given, **named)

        recording.trigger = later  # type: ignore[method-assign]
        tap.trigger("key")
        ((_, frame, _),) = tap.fired
    with SessionReader(tmp_path / "a.mcap") as session:
        assert [e["frame"] for e in session.events() if e["kind"] == events.TRIGGER] == [frame]


def test_what_a_tap_records(tmp_path: Path) -> None:
    """Jumps of numbers are named once, by the recording; conditions are asked frame by frame; long definitions end in
    a note."""
    asked: list[Tracks] = []

    class Asks:
        def look(self, rows: Tracks) -> str | None:
            asked.append(rows)
            return "now" if rows["frame"][0] == 12 else None

    with Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(before=100)) as recording:
        tap = SessionTap(recording, conditions=[Asks()], after=2)
        for k in range(10):
            assert tap.frame(pixels(SMALL, k), 2 * k, k, 5 + k, k / 100)
        arrivals = np.zeros(5, [("camera_id", "<i8"), ("camera_time", "<i8"), ("host_time", "<i8")])
        arrivals["camera_id"] = np.arange(19, 24)
        block = np.array([pixels(SMALL, k) for k in range(10, 15)])
        assert tap.frames(block, arrivals, np.arange(5) / 7) == 5
        tap.event("gap", 3, first_id=1, last_id=1)
        tap.event("duplicate", 4, camera_id=6)
        tap.event("structure", 5, pipeline="".join(map(chr, np.random.default_rng(1).integers(33, 50_000, 30_000))))
        tap.tracks(tracks(10, 4))
        assert tap.triggers == 1
        tap.count(7, 9)
        tap.count(8, 10)  # too soon after the other
        tap.finish(15, 14, {"announced": 15})
    assert [rows["frame"].tolist() for rows in asked] == [[k, k] for k in range(10, 14)]
    with open_session(tmp_path / "a.mcap") as session:
        happened = session.events()
        assert session.rows["sequence"].tolist() == list(range(14))
        assert session.tracks().tobytes() == tracks(10, 4).tobytes()
    kinds = [e["kind"] for e in happened if e["kind"] not in ("statistics", "skipped")]
    assert kinds == ["gap"] * 9 + ["duplicate", "note", "trigger", "processed", "processed", "close"]
    assert next(e for e in happened if e["kind"] == "note")["text"] == TOO_LONG
    assert [e["count"] for e in happened if e["kind"] == "processed"] == [7, 15]
