"""A GPU fails while a camera is recorded: the session is whole, and replays to the tracks that were recorded."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from app.live.recording import record_camera
from app.live.replay import Wish, replay
from app.live.wanted import Recorded, Wanted
from app.sessions import events
from app.sessions.asking import Asked
from app.sessions.reader import SessionState, open_session
from pipelines.streaming.common.changes import Change
from pipelines.streaming.engine import building
from pipelines.streaming.engine.choice import Choice
from pipelines.streaming.live import computing
from pipelines.streaming.live.ledger import TAKING_OVER
from tests.app.live.test_states import At, check, stretches
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines.streaming.clip.test_rescue import Doomed
from tests.pipelines.streaming.live.test_live_rescue import a_gpu

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")
try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

RUNS = int(os.environ.get("FUSETRACK_LIVE_RUNS", "2"))
CAMERA = "cam:sim?scene=vortex&size=32x32&fps=100&particles=6"
FRAMES = 80
CHANGES = (Change(30, "moving", "alpha", 0.05), Change(60, "moving", "alpha", 0.02))


def recorded(path: Path, fails: int, spacing: float = 1e9, *, slow: float = 0.0, **options: Any) -> Recorded:
    """A camera of which some frames are recorded; the GPU fails in the midst."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(computing, "SPACING", spacing)
        a_gpu(patch, Doomed(1 << 30, "upload", "lost"), fails)
        if slow:
            for name in ("on_processor", "in_place_of"):
                quick = getattr(computing, name)
                patch.setattr(computing, name, lambda *a, quick=quick: (computing.time.sleep(slow), quick(*a))[1])
        made = record_camera(Wanted(CAMERA, path, "background-motion", frames=FRAMES, changes=CHANGES, batch=4,
                                    **{"latency": 0.3, **options}))  # fmt: skip
    assert made.problems == ()
    return made


def taken_over_at(path: Path) -> int:
    with open_session(path) as session:
        assert session.state is SessionState.FINISHED
        (note,) = [e for e in session.events() if e["kind"] == events.NOTE]
    assert "the processor computes from frame" in note["text"]
    frame: int = note["frame"]
    return frame


@pytest.mark.parametrize("seed", range(RUNS))
def test_it_replays_to_the_same_tracks(tmp_path: Path, seed: int) -> None:
    draw, path = random.Random(seed), tmp_path / "a.mcap"
    made = recorded(path, draw.randrange(2, 9), draw.choice([0.0, 0.05, 1e9]), slow=0.4 * (seed % 2))
    at = taken_over_at(path)
    assert made.live is not None
    assert made.live.ledger.reasons.get(TAKING_OVER, 0) > 0 or not seed % 2
    with open_session(path) as session:
        assert [state.frame for state in session.states()] == [at]
        left_out = [e for e in session.events() if e["kind"] == events.UNPROCESSED and e["reason"] == TAKING_OVER]
    assert sum(e["last"] - e["first"] + 1 for e in left_out) == made.live.ledger.reasons.get(TAKING_OVER, 0)
    remarks = check(path)
    assert any("the processor computes from frame" in remark for remark in remarks)


def test_without_the_state_it_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tests compare can fail."""
    monkeypatch.setattr("app.sessions.tap.SessionTap.taken_over", lambda *_: None)
    path = tmp_path / "a.mcap"
    recorded(path, 14, latency=60.0)  # on a busy machine, too, nothing is left out: so many calls are made
    assert taken_over_at(path) > 8
    assert not replay(Wish(path, check=True, device="cpu")).identical


@pytest.mark.parametrize("trigger", [20, 70])
def test_with_a_trigger(tmp_path: Path, trigger: int) -> None:
    """Recording begins in the midst, before the GPU fails or after it: its state is there where frames need it."""
    path = tmp_path / "a.mcap"
    recorded(path, 16, before=12, after=40, states=0.1, latency=20.0, asked=Asked((At(trigger),)))
    with open_session(path) as session:
        held = [state.frame for state in session.states()]
        sequence = session.rows["sequence"].tolist()
    assert held == sorted(set(held))
    at = [e["frame"] for e in _notes(path)]
    assert (at[0] in held) == (sequence[0] <= at[0] <= sequence[-1])
    assert len(stretches(path)) == 1
    check(path, states=0, rows=False)


def _notes(path: Path) -> list[dict[str, Any]]:
    with open_session(path) as session:
        return [e for e in session.events() if e["kind"] == events.NOTE]


def test_a_gpu_that_was_named_ends_the_recording_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.mcap"
    a_gpu(monkeypatch, doomed := Doomed(1 << 30, "upload", "lost"), 8)
    monkeypatch.setattr(building, "choose", lambda *_: Choice(doomed, "cuda:0", "cuda:0", machine={}))
    made = record_camera(Wanted(CAMERA, path, "background-motion", frames=FRAMES, device="cuda:0", batch=4))
    assert len(made.problems) == 1
    assert "cudaErrorIllegalAddress" in made.problems[0]
    assert made.account is not None
    with open_session(path) as session:
        assert session.state is SessionState.FINISHED
    monkeypatch.undo()
    assert replay(Wish(path, check=True, device="cpu")).identical
