"""Disks that are too slow for the camera: what they lost is named, and behind it the replay goes on as the run did."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.child_process import code_of
from app.live.recording import record_camera
from app.live.replay import Wish, replay
from app.live.wanted import Wanted
from app.sessions import recorder, resuming
from app.sessions.account import Account
from app.sessions.asking import Asked
from app.sessions.outbox import Outbox
from app.sessions.proof import prove
from app.sessions.reader import open_session
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from app.sessions.resuming import RunStates
from app.sessions.shared import FOREVER, Geometry, SharedMemory
from pipelines.features import Tracks
from pipelines.streaming.common.changes import AnyChange, Change, Structure
from tests.app.live.test_states import check
from tests.app.sessions.made import SMALL, pixels, preamble
from tests.shipped import fixed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")

RUNS = int(os.environ.get("FUSETRACK_LIVE_RUNS", "2"))
CAMERA = "cam:sim?scene=vortex&size=64x48&fps=200&particles=8"
SLOW = """
import time
from app.sessions import disk
from tests.shipped import fixed
quick = disk.RecordingFile.write
def write(self, view):
    quick(self, view)
    time.sleep({seconds})
disk.RecordingFile.write = write
"""
"""What a recorder runs first, so that every write takes its time."""


def slow_disk(patch: pytest.MonkeyPatch, seconds: float) -> None:
    def code(package: str, module: str) -> str:
        find, main = code_of(package, module).split("; from ", 1)
        return f"{find}\n{SLOW.format(seconds=seconds)}\nfrom {main}"

    patch.setattr(recorder, "code_of", code)


class From:
    """Triggers at a frame, or at the next one that was processed: on a machine that is busy some are left out."""

    def __init__(self, frame: int) -> None:
        self.frame: float = frame

    def look(self, rows: Tracks) -> str | None:
        if rows["frame"][0] < self.frame:
            return None
        self.frame = float("inf")
        return "now"


def recorded(path: Path, name: str, seconds: float, **options: Any) -> Account:
    """A camera before a slow disk, with a queue for few frames."""
    with pytest.MonkeyPatch.context() as patch:
        slow_disk(patch, seconds)
        options = {"frames": 200, "latency": 5.0, **options}
        made = record_camera(Wanted(CAMERA, path, name, queue=20, **options))
    assert made.problems == ()
    assert made.account is not None
    return made.account


def lost_in(path: Path) -> list[tuple[int, int]]:
    with open_session(path) as session:
        proof = prove(session)
    return [(absence.first, absence.last) for absence in proof.absences if absence.kind == "loss"]


CHANGES: dict[str, list[AnyChange]] = {
    "background-motion": [Change(70, "moving", "alpha", 0.05)],
    "blobs": [Change(60, "bright", "level", 0.05), Structure(110, fixed("background-motion"))],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
@pytest.mark.parametrize("batch", [None, 7][:RUNS])
def test_the_replay_goes_on_behind_every_loss(tmp_path: Path, name: str, batch: int | None) -> None:
    """Again and again frames find no room, inside batches too, before and behind changes of the pipeline."""
    path = tmp_path / "a.mcap"
    # As many frames that a recorder which a busy machine starts late still loses some more than once.
    account = recorded(path, name, 0.2, batch=batch, changes=CHANGES[name], frames=500)
    lost = lost_in(path)
    assert account.dropped == sum(last - first + 1 for first, last in lost) > 10
    inner = [last + 1 for _, last in lost if last < 499]
    assert inner
    with open_session(path) as session:
        held = [state.frame for state in session.states()]
    assert held == inner  # none was left out, so every one could be taken at its very frame
    remarks = check(path)
    assert any("the state behind is in the session" in remark for remark in remarks)


def test_without_the_states_it_is_another(tmp_path: Path) -> None:
    """What the tests compare can fail."""
    path = tmp_path / "a.mcap"
    recorded(path, "background-motion", 0.2, states=0.0)
    with open_session(path) as session:
        assert not list(session.states())
    made = replay(Wish(path, check=True))
    assert not made.identical
    assert any("no replay can be the same" in remark for remark in made.remarks)


def test_with_a_trigger(tmp_path: Path) -> None:
    """What is lost before anybody asks for it needs no state; what is lost of the frames that are recorded does."""
    path = tmp_path / "a.mcap"
    options = {"frames": 400, "latency": 0.1, "before": 6, "states": 0.1, "asked": Asked((From(50),))}
    recorded(path, "background-motion", 0.3, **options)
    with open_session(path) as session:
        begin = int(session.rows["sequence"][0])
        held = [state.frame for state in session.states()]
    inner = [last + 1 for _, last in lost_in(path) if begin < last < 399]
    assert held[0] == begin > 0
    # On a machine that is so busy that frames are left out besides, the state is that before the next.
    assert len(held) == 1 + len(inner)
    assert all(state >= end for state, end in zip(held[1:], inner, strict=True))
    check(path)


class Keeps:
    """A run's states, without a run."""

    def __init__(self) -> None:
        self.memory = SharedMemory(geometry=Geometry(4, 1000))
        self.memory.producer["wanted_until"] = FOREVER
        self.states = RunStates(self.memory, Outbox(self.memory), None, True)


def test_where_batches_end() -> None:
    """At every first frame behind a loss, once; where the run skipped it, at the next that it has."""
    states = Keeps().states
    assert states.next_cut(0) is None
    for frame in (10, 20, 40):
        states.lost_until(frame)
    assert (states.next_cut(0), states.next_cut(10), states.next_cut(39)) == (10, 20, 40)
    assert not states.wants(9)
    assert states.wants(10)
    assert not states.wants(11)
    assert states.wants(41)  # 20 and 40 in one
    assert not states.wants(42)
    assert states.next_cut(0) is None


def test_a_disk_that_is_only_slowed_down_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """States wait until frames of so many bytes are written; then one stands for all."""
    monkeypatch.setattr(resuming, "FREE", -1)
    made = Keeps()
    for frame in (10, 20):
        made.states.lost_until(frame)
        assert made.states.next_cut(0) is None
        assert not made.states.wants(frame)
    made.memory.recorder["recorded"] = 1
    assert made.states.next_cut(12) == 20
    assert made.states.wants(30)
    assert not made.states.wants(31)


def test_a_recording_without_a_run_asks_for_none(tmp_path: Path) -> None:
    recording = Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(queue=2))
    for k in range(200):
        recording.put(pixels(SMALL, k))
    assert not recording.wants_checkpoint(200)
    assert recording.next_checkpoint(0) is None
    assert np.isfinite(recording.close().longest_write)
