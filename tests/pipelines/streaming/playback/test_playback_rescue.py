"""A window's playback goes on where a GPU fails, at any time: the same tracks, whatever was looked at before."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import InputError
from kernels.executors.base import executor as real_executor
from pipelines.frame import FrameBatch, Result
from pipelines.streaming.common.changes import AnyChange, Change, Structure
from pipelines.streaming.engine import building
from pipelines.streaming.engine.building import Order
from pipelines.streaming.engine.choice import Choice
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.playback import Playback
from pipelines.streaming.playback.snapshots import Snapshots
from pipelines.streaming.playback.timeline import Timeline
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_rescue import Doomed
from tests.shipped import fixed

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

LENGTH = 30
CLIP = moving_spots(LENGTH, 32)
KNOB = {"facial-markers": ("steady", "alpha", 0.4), "background-motion": ("moving", "alpha", 0.05)}


def a_gpu(patch: pytest.MonkeyPatch, made: Any, asked: str = "auto") -> None:
    patch.setattr(building, "choose", lambda *_: Choice(made, asked, "cuda:0", machine={}))
    patch.setattr(building, "on_cpu", lambda asked, why: Choice(real_executor("reference"), asked, "cpu", why))


def timeline(name: str, changes: Sequence[AnyChange], every: int, notes: list[str]) -> Timeline:
    clip = MemoryClip(CLIP)
    return Timeline(clip, Order(clip.info), fixed(name), frames=(0, LENGTH), batch=4, changes=changes,
                    snapshots=Snapshots(0, every, 1 << 24), note=notes.append)  # fmt: skip


def show(made: Timeline, target: int) -> dict[int, bytes]:
    """What is shown on the way to a frame."""
    found: dict[int, bytes] = {}
    made.go_back(target)
    while made.next <= target:
        done = made.process(target + 1)
        if done is not None:
            found |= {result.index: result.tracks.tobytes() for result in done.results}
    return found


@settings(max_examples=8, deadline=None)
@given(
    name=st.sampled_from(sorted(KNOB)),
    after=st.integers(0, 40),
    call=st.sampled_from(("launch", "synchronize", "upload", "download", "fetch")),
    every=st.sampled_from((0, 5, 8)),
    targets=st.lists(st.integers(0, LENGTH - 1), min_size=2, max_size=4),
    at=st.integers(1, LENGTH // 2 - 1),
    structure=st.booleans(),
)
def test_wherever_it_fails_every_frame_is_that_of_a_run(
    name: str, after: int, call: str, every: int, targets: list[int], at: int, structure: bool
) -> None:
    changes: list[AnyChange] = [Change(at, *KNOB[name])]
    if structure:
        changes.append(Structure(LENGTH // 2, fixed("blobs")))
    with pytest.MonkeyPatch.context() as patch:
        a_gpu(patch, real_executor("reference"))
        expected = show(timeline(name, changes, 0, []), LENGTH - 1)
        doomed, notes = Doomed(1 << 30, call, "lost"), list[str]()
        a_gpu(patch, doomed)
        made = timeline(name, changes, every, notes)
        doomed.left = after
        for target in targets:
            for frame, rows in show(made, target).items():
                assert rows == expected[frame], frame
    assert all(note.startswith("cuda:0 failed at frame ") for note in notes)
    if doomed.left < 0:
        assert notes


class Rows:
    def __init__(self) -> None:
        self.rows: list[Any] = []
        self.frames: list[int] = []

    def write(self, _: FrameBatch, results: Sequence[Result]) -> None:
        self.rows += [result.tracks for result in results]
        self.frames += [result.index for result in results]

    def close(self) -> None: ...


def played(patch: pytest.MonkeyPatch, after: int | None, *, asked: str = "auto") -> tuple[Rows, Playback]:
    sink, doomed = Rows(), Doomed(1 << 30, "upload", "lost")
    a_gpu(patch, doomed, asked)
    playback = Playback(
        MemoryClip(CLIP), fixed("facial-markers"), [sink], PlaybackOptions(speed=None, batch=4, snapshot_every=6)
    )
    playback.start()
    if after is not None:
        doomed.left = after
    playback.play()
    playback.settle(PATIENCE)
    end = 60.0
    while playback.position < LENGTH - 1 and not playback.state.ended and end > 0:
        time.sleep(0.02)
        end -= 0.02
    playback.stop(PATIENCE)
    return sink, playback


@pytest.mark.parametrize("after", [0, 2, 5])
def test_a_film_goes_on_and_sinks_get_each_frame_once(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    expected, _ = played(monkeypatch, None)
    sink, playback = played(monkeypatch, after)
    assert playback.error == ""
    assert sink.frames == expected.frames == list(range(LENGTH))
    assert np.concatenate(sink.rows).tobytes() == np.concatenate(expected.rows).tobytes()
    assert any(note.startswith("cuda:0 failed at frame") for note in playback.notes)


def test_a_gpu_that_was_named_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    _, playback = played(monkeypatch, 3, asked="cuda:0")
    assert "cudaErrorIllegalAddress" in playback.error
    made = timeline("facial-markers", (), 0, [])
    made.built.engine.executor.left = 0  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="cudaErrorIllegalAddress"):
        show(made, 5)


HELD = Change(0, *KNOB["facial-markers"])


@cache
def held_from_the_start() -> dict[int, bytes]:
    """What is shown of a whole run with the knob's new value."""
    with pytest.MonkeyPatch.context() as patch:
        a_gpu(patch, real_executor("reference"))
        return show(timeline("facial-markers", [HELD], 0, []), LENGTH - 1)


@pytest.mark.parametrize("call", ["upload", "fetch"])
@pytest.mark.parametrize("after", range(0, 12, 4))
def test_a_knob_that_holds_for_the_whole_clip(monkeypatch: pytest.MonkeyPatch, call: str, after: int) -> None:
    """Whatever is processed again is processed as with the new value from the first frame on."""
    change = HELD
    expected = held_from_the_start()
    a_gpu(monkeypatch, doomed := Doomed(1 << 30, call, "lost"))
    notes: list[str] = []
    made = timeline("facial-markers", (), 5, notes)
    show(made, 12)
    doomed.left = after
    made.hold(change, None, 12)
    show(made, 12)
    found = {}
    for target in (3, LENGTH - 1):
        found |= show(made, target)
    assert found
    made.go_back(0)
    for frame, rows in show(made, LENGTH - 1).items():
        assert rows == expected[frame], frame
