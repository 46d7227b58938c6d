"""Sessions that begin in the midst: with the state of stages and trackers they replay to the recorded tracks."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.live.recording import record_clip
from app.live.replay import Wish, replay
from app.live.wanted import Wanted
from app.sessions import events
from app.sessions.asking import Asked, parse_triggers
from app.sessions.proof import prove
from app.sessions.reader import open_session
from app.sources.reading import Reading
from pipelines.features import Tracks
from tests.app.live.made import CLIP, changes_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")

RUNS = int(os.environ.get("FUSETRACK_LIVE_RUNS", "1"))
CAMERA = "cam:sim?scene=vortex&size=64x48&fps=150&particles=8"


def check(path: Path, *, states: int = 1, rows: bool = True) -> tuple[str, ...]:
    """The session replays to its tracks on two back ends with several lengths of batches; the remarks."""
    with open_session(path) as session:
        held = list(session.states())
        sequence = session.rows["sequence"].tolist()
        proof = prove(session)
    assert proof.problems == ()
    assert proof.states == tuple((state.frame, "") for state in held)
    assert len(held) >= states
    assert all(state.point is not None and state.problem == "" for state in held)
    assert {state.frame for state in held} <= set(sequence)
    for device, batch in (("cpu", 16), ("reference", 5)):
        made = replay(Wish(path, check=True, device=device, batch=batch))
        assert made.likeness is not None
        assert made.identical, (made.likeness.describe(), made.remarks)
        assert made.likeness.compared == made.likeness.rows
        assert not rows or made.likeness.rows > 0
        assert not any("no replay can" in remark for remark in made.remarks), made.remarks
    return made.remarks


class Sometimes:
    """Triggers with given probability at the frames in which something is tracked."""

    def __init__(self, draw: random.Random, chance: float) -> None:
        self.draw, self.chance = draw, chance

    def look(self, rows: Tracks) -> str | None:
        return "chance" if self.draw.random() < self.chance else None


class At:
    """Triggers at one frame."""

    def __init__(self, frame: int) -> None:
        self.frame = frame

    def look(self, rows: Tracks) -> str | None:
        return "now" if int(rows["frame"][0]) == self.frame else None


def triggered(path: Path, states: float) -> None:
    """A session that begins in the midst."""
    record_clip(Wanted(f"{CLIP}&frames=100", path, "background-motion", before=6, after=20, states=states,
                       reading=Reading(fps=1000), device="reference", asked=Asked((At(70),))))  # fmt: skip


def stretches(path: Path) -> list[int]:
    """First frames of what was recorded without a gap."""
    with open_session(path) as session:
        sequence = session.rows["sequence"].astype(np.int64)
    return [int(sequence[k]) for k in np.flatnonzero(np.diff(sequence, prepend=-2) > 1)]


@pytest.mark.parametrize("seed", range(RUNS))
@pytest.mark.parametrize("name", ["blobs", "background-motion"])
def test_a_clip_with_several_stretches(tmp_path: Path, name: str, seed: int) -> None:
    """Each begins with a state a little before what was asked for; changes of every kind, before and behind."""
    draw, path, clip = random.Random(f"{name}{seed}"), tmp_path / "a.mcap", f"{CLIP}&frames=160"
    changes = [replace(c, frame=c.frame + draw.randrange(60)) for c in changes_of(name)] if name == "blobs" else []
    asked = Asked((Sometimes(draw, 0.02), *parse_triggers(["region:10,10,8,8"]).conditions))
    before, after = draw.choice([0, 6, 30]), draw.choice([1, 8])
    record_clip(Wanted(clip, path, name, changes=changes, before=before, after=after, batch=draw.choice([1, 4, 7]),
                       states=draw.choice([0.001, 0.007, 0.02]), reading=Reading(fps=1000), device="reference",
                       asked=asked))  # fmt: skip
    begins = stretches(path)
    with open_session(path) as session:
        held = {state.frame for state in session.states()}
        triggers = [e["frame"] for e in session.events() if e["kind"] == events.TRIGGER]
        there = set(session.rows["sequence"].tolist())
    assert {begin for begin in begins if begin > 0} == held - {0}
    for at in triggers:
        assert set(range(max(0, at - before), min(at + after, 160))) <= there
    check(path, states=len(held))


def test_without_a_state_it_is_another(tmp_path: Path) -> None:
    """What the tests compare can fail: the same session without states does."""
    path = tmp_path / "a.mcap"
    for states, identical in ((0.0, False), (0.01, True)):
        triggered(path, states)
        assert stretches(path)[0] > 0
        made = replay(Wish(path, check=True))
        assert made.identical is identical
        assert any("no trigger asked for them" in remark and ("no replay can" in remark) is not identical
                   for remark in made.remarks)  # fmt: skip
        path.unlink()


def test_with_an_overlay(tmp_path: Path) -> None:
    """The picture, which the recorded groups do not give, comes besides."""
    triggered(tmp_path / "a.mcap", 0.01)
    made = replay(Wish(tmp_path / "a.mcap", out=tmp_path / "out"))
    assert made.identical
    assert any(file.name.startswith("overlay") for file in (tmp_path / "out").iterdir())
