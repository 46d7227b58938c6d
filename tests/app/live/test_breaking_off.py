"""Ctrl-C and requests to terminate while a recording begins or ends: no file without a frame stays."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.ending import ENDS
from app.live import recording
from app.live.recording import record_camera, record_clip
from app.live.wanted import Hands, Wanted
from app.sessions.recording import Recording
from app.sessions.writer import SessionWriter
from pipelines.streaming.live.live_runner import LiveRunner

pytestmark = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")

WAITING = "cam:sim?scene=vortex&size=64x48&fps=100&stall=@0&stall_time=600"
"""A camera that gives no frame."""
BEGINNINGS: list[tuple[Any, str]] = [
    (SessionWriter, "abandon"), (Recording, "begin"), (Recording, "await_start"), (recording, "SessionTap"),
]  # fmt: skip
"""Behind each of these there is a file, which somebody has to take away again."""


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Both are KeyboardInterrupt, as the command has it."""
    before = [signal.signal(number, signal.default_int_handler) for number in ENDS]
    yield
    for number, handler in zip(ENDS, before, strict=True):
        signal.signal(number, handler)


def interrupt_behind(patch: pytest.MonkeyPatch, owner: Any, name: str, number: signal.Signals) -> list[bool]:
    """Have a signal come right behind a call; what is returned tells whether there was a file then."""
    inner, there = getattr(owner, name), list[bool]()

    def call(*given: Any, **named: Any) -> Any:
        made = inner(*given, **named)
        there.append(True)
        signal.raise_signal(number)
        return made

    patch.setattr(owner, name, staticmethod(call) if name == "begin" else call)
    return there


@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize(("owner", "name"), [*BEGINNINGS, (LiveRunner, "start"), (LiveRunner, "stop")])
def test_a_camera_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, owner: Any, name: str
) -> None:
    came = interrupt_behind(monkeypatch, owner, name, number)
    with pytest.raises(KeyboardInterrupt):
        record_camera(Wanted(WAITING, tmp_path / "a.mcap"), started=lambda hands: hands.stop())
    assert came == [True]
    assert list(tmp_path.iterdir()) == []


def test_a_camera_leaves_nothing_where_it_is_said_that_it_has_begun(tmp_path: Path) -> None:
    def started(_: Hands) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        record_camera(Wanted(WAITING, tmp_path / "a.mcap"), started=started)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("owner", "name"), [*BEGINNINGS[:3], (recording, "SessionSink")])
def test_a_clip_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    came = interrupt_behind(monkeypatch, owner, name, signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        record_clip(Wanted("sim:vortex?width=64&height=48&frames=20", tmp_path / "a.mcap"))
    assert came == [True]
    assert list(tmp_path.iterdir()) == []


def test_what_another_has_made_stays(tmp_path: Path) -> None:
    """Nothing is taken away but what was made here."""
    path = tmp_path / "a.mcap"
    path.write_bytes(b"precious")
    with pytest.raises(Exception, match="overwrite nothing"):
        record_camera(Wanted(WAITING, path))
    assert path.read_bytes() == b"precious"
