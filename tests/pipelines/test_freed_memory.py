"""Memory that nobody holds any more is filled with garbage at once: whoever still reads it gives other results."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from pipelines.definition import library, loads
from pipelines.frame import FrameBatch, Result
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common import buffer_pool
from pipelines.streaming.common.buffer_pool import BufferPool
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.tracking import PICTURE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_runner import Keep
from tests.pipelines.streaming.live.cameras import FakeCamera
from tests.pipelines.streaming.live.live_runs import live
from tests.pipelines.test_unchanged import SAME, KeepsFrames
from tests.shipped import fixed

CLIP = np.concatenate([moving_spots(40, 48)] * 3)
GARBAGE = 0xA5


@pytest.fixture
def spoilt(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How often memory was filled with garbage, when the next was asked for."""
    make, times = BufferPool.__call__, [0]

    def spoiling(self: BufferPool, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        for array in self._known:
            if sys.getrefcount(array) == buffer_pool._UNHELD:
                array.reshape(-1).view(np.uint8)[:] = GARBAGE
                times[0] += 1
        array = None
        return make(self, shape, dtype)

    monkeypatch.setattr(BufferPool, "__call__", spoiling)
    yield times
    assert times[0] > 3


class Rows:
    """Keeps the trackers' rows alone: what was computed of a frame may be its pixels."""

    def __init__(self) -> None:
        self.tracks = b""

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        self.tracks += b"".join(result.tracks.tobytes() for result in results)

    def close(self) -> None: ...


@pytest.mark.parametrize("name", library())
def test_a_clip_read_into_it_gives_the_same_rows_and_what_is_kept_stays(name: str, spoilt: list[int]) -> None:
    made = []
    for batch in (7, len(CLIP)):  # one batch of all: nothing is used again
        clip, keep, begun = MemoryClip(CLIP), Rows(), spoilt[0]
        Runner(
            clip, prepare(fixed(name), clip), [keep], frames=(0, len(CLIP)), options=RunOptions(device="cpu",
            batch=batch)
        ).run()
        assert (spoilt[0] > begun) is (batch == 7)
        made.append(keep.tracks)
    assert made[0] == made[1]


def test_frames_that_a_sink_keeps_are_not_spoilt(spoilt: list[int]) -> None:
    """Some are kept, others let go, so that there is memory to use again."""

    class Some(KeepsFrames):
        def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
            if frames.indices[0] % 3 == 0:
                super().write(frames, results)

    clip, keep = MemoryClip(CLIP), Some()
    Runner(
        clip, prepare(loads(SAME), clip), [keep], frames=(0, len(CLIP)), options=RunOptions(device="cpu", batch=4,
        pictures=True)
    ).run()
    assert len(keep.batches) == 10
    for frames in keep.batches:
        assert all(np.array_equal(frames.pixels[k], CLIP[i]) for k, i in enumerate(frames.indices))
    for result in keep.results:
        assert np.array_equal(result.taps["gray"], CLIP[result.index])
        assert np.array_equal(result.taps[PICTURE], CLIP[result.index])


def test_a_live_run_spoils_nothing_that_a_sink_keeps(spoilt: list[int]) -> None:
    class Some(Keep):
        def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
            super().write(frames, [result for result in results if result.index % 5 == 0])

    keep = Some()
    live(FakeCamera(CLIP, list(range(300)), pace=0.002), [keep], pipeline=loads(SAME), slots=32, batch=2, pictures=True)
    assert len(keep.results) > 10
    for result in keep.results:
        for name in ("gray", "again", PICTURE):
            assert np.array_equal(result.taps[name], CLIP[result.index % len(CLIP)])
