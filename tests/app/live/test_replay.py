"""Sessions again: the tracks that they hold, with every change at its frame."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.live.recording import record_clip
from app.live.replay import Wish, replay
from app.live.wanted import Wanted
from app.sessions import events
from app.sessions.proof import prove
from app.sessions.reader import open_session
from kernels.errors import InputError
from pipelines.measures import plain
from pipelines.streaming.common.changes import AnyChange, Change, Structure
from pipelines.writing import dumps
from tests.app.live.made import CLIP, FRAMES, changes_of, record
from tests.pipelines.test_follow import ONE, WALK, film
from tests.shipped import fixed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")


@pytest.mark.parametrize("name", ["blobs", "facial-markers"])
def test_changes_take_effect_at_their_frames(tmp_path: Path, name: str) -> None:
    """The same rows from any batch length and back end; the stages of the second pipeline remember frames."""
    changes = changes_of(name)
    live = record(tmp_path / "a.mcap", name, changes)
    assert len(live) > FRAMES
    for device, batch in (("cpu", 1), ("cpu", 16), ("reference", 5)):
        made = replay(Wish(tmp_path / "a.mcap", check=True, device=device, batch=batch))
        assert made.likeness is not None
        assert made.identical, made.likeness.describe()
        assert made.likeness.rows == len(live)
        assert made.remarks == ()
    with open_session(tmp_path / "a.mcap") as session:
        proof = prove(session)
        assert plain(session.tracks()).tobytes() == live.tobytes()
    assert proof.complete
    assert proof.processing is not None
    assert (proof.processing.processed, proof.processing.changes) == (FRAMES, len(changes))


def test_a_camera_whose_crops_follow_is_replayed(tmp_path: Path) -> None:
    """What goes from frame to frame through a loop of stages, and through windows of the picture, at 600 frames/s."""
    np.save(tmp_path / "c.npy", film(WALK))
    text = ONE.replace('inputs = "marks.points"', 'inputs = { points = "marks.points", image = "gray" }')
    (tmp_path / "f.toml").write_text(f'{text}refine = "template"\nwindow = 9\n')
    camera = f"cam:sim?clip={tmp_path / 'c.npy'}&fps=600&frames=60"
    path = str(tmp_path / "a.mcap")
    assert main(["record", camera, "-o", path, "-p", str(tmp_path / "f.toml"), "--no-rehearsal", "-q"]) == 0
    with open_session(path) as session:
        proof = prove(session)
    assert proof.complete
    assert proof.recorded == 60
    for device, batch in (("cpu", 1), ("reference", 16)):
        made = replay(Wish(Path(path), check=True, device=device, batch=batch))
        assert made.identical
        assert made.likeness.rows > 3


def test_changes_change_something(tmp_path: Path) -> None:
    """Rows before a change are those without it, rows behind it are not."""
    plain = record(tmp_path / "a.mcap", "blobs")
    live = record(tmp_path / "b.mcap", "blobs", [Change(20, "bright", "level", 0.12)])
    early = plain["frame"] < 20
    assert plain[early].tobytes() == live[live["frame"] < 20].tobytes()
    assert plain[~early].tobytes() != live[live["frame"] >= 20].tobytes()
    from_the_start = replay(Wish(tmp_path / "a.mcap", settings={"bright.level": 0.12}, out=tmp_path / "c",
                                 overlay=False))  # fmt: skip
    assert from_the_start.likeness is None
    settled = live["frame"] >= 45  # the detector has no memory: positions of what is seen agree again
    other = record(tmp_path / "d.mcap", "blobs", [Change(0, "bright", "level", 0.12)])
    seen = (live["state"] == 1) & settled
    assert set(live["frame"][seen].tolist()) <= set(other["frame"].tolist())


@pytest.mark.parametrize("kind", [events.PARAMETER, events.PIPELINE])
def test_a_change_that_is_not_known_is_noticed(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: a replay without one of the changes differs, at the frame of the change or later."""
    changes: list[AnyChange] = [Change(20, "bright", "level", 0.15)] if kind == events.PARAMETER else [
        Structure(20, fixed("blobs").with_settings({"band.sigma": 3.0}))]  # fmt: skip
    record(tmp_path / "a.mcap", "blobs", changes)
    monkeypatch.setattr("app.sessions.timeline.read_changes", lambda happened: [])
    made = replay(Wish(tmp_path / "a.mcap", check=True))
    assert made.likeness is not None
    assert made.likeness.difference is not None
    assert made.likeness.difference.frame >= 20
    assert main(["replay", str(tmp_path / "a.mcap"), "--check", "-q"]) == 1


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same files as `run` writes, and the comparison; the results of a plain recording are those of a run."""
    path, out = tmp_path / "a.mcap", tmp_path / "out"
    assert main(["record", CLIP, "-o", str(path), "-p", "blobs", "--frames", "40", "-q"]) == 0
    text = capsys.readouterr().out
    assert "recorded            40  are in the file" in text
    assert "processed           40  went through" in text
    assert main(["replay", str(path), "--out", str(out), "-q", "--no-overlay"]) == 0
    text = capsys.readouterr().out
    with open_session(path) as session:
        rows = len(session.tracks())
    assert f"tracks   the {rows} rows are identical to those recorded" in text
    written = {file.name for file in out.iterdir()} - {"merges_and_splits.csv"}
    assert written == {"tracks.csv", "tracks.parquet", "trajectories.png", "summary.json"}
    assert main(["run", CLIP, "--frames", ":40", "--out", str(tmp_path / "run"), "-q", "--no-overlay"]) == 0
    assert (out / "tracks.csv").read_text() == (tmp_path / "run" / "tracks.csv").read_text()
    summary = json.loads((out / "summary.json").read_text())
    assert summary["frames"]["processed"] == 40
    assert main(["replay", str(path), "--check", "--out", str(out)]) == 2
    assert main(["replay", str(path), "--batch", "0"]) == 2
    assert main(["replay", CLIP]) == 2
    assert "a recorded session is wanted here" in capsys.readouterr().err


def test_without_a_pipeline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mcap"
    record_clip(Wanted(CLIP, path, frames=20))
    with open_session(path) as session:
        proof = prove(session)
    assert proof.complete
    assert proof.processing is None
    with pytest.raises(InputError, match="without a pipeline; give one with --pipeline"):
        replay(Wish(path))
    assert main(["replay", str(path), "-p", "blobs", "--out", str(tmp_path / "out"), "-q", "--no-overlay"]) == 0
    assert "20 of 20 processed" in capsys.readouterr().out


def test_a_change_of_a_stage_that_nobody_needs_changes_nothing(tmp_path: Path) -> None:
    """It is told in the session all the same, and a replay takes it too."""
    spare = '\n[stages.spare]\nuse = "threshold"\ninputs = "scale"\nlevel = 0.5\n'
    (tmp_path / "spare.toml").write_text(dumps(fixed("blobs")) + spare)
    change = Change(20, "spare", "level", 0.7)
    wanted = Wanted(CLIP, tmp_path / "a.mcap", pipeline=str(tmp_path / "spare.toml"), changes=[change], frames=30)
    assert record_clip(wanted).problems == ()
    made = replay(Wish(tmp_path / "a.mcap", check=True))
    assert made.identical
    with open_session(tmp_path / "a.mcap") as session:
        told = [event for event in session.events() if event["kind"] == events.PARAMETER]
    assert [(event["frame"], event["node"], event["value"]) for event in told] == [(20, "spare", 0.7)]
