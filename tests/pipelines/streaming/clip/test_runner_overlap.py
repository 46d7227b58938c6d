"""A run over a clip with several batches under way on a device: what it uploads, allocates, and leaves behind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.errors import InputError
from kernels.executors import ring
from pipelines.graph import Bound
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.emulated import ApartDevice, EmulatedExecutor
from tests.shipped import fixed

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)


class Keep:
    """Keeps the frames where they lie, too."""

    def __init__(self) -> None:
        self.tracks: list[Any] = []
        self.pixels: list[Any] = []

    def write(self, frames: Any, results: Any) -> None:
        self.tracks += [r.tracks for r in results]
        self.pixels.append((frames.indices, frames.pixels))

    def close(self) -> None: ...


def run_clip(monkeypatch: pytest.MonkeyPatch, clip: MemoryClip, device: ApartDevice | None, **options: Any) -> Any:
    bound = prepare(fixed("blobs"), clip)
    keep = Keep()
    runner = Runner(
        clip, bound, [keep], frames=(0, len(clip.frames)), options=RunOptions(device="reference", batch=2, **options)
    )
    if device is not None:
        runner.engine = Engine(bound, EmulatedExecutor(device=device))
        runner.choice = runner.choice.__class__(runner.engine.executor, "cuda", "cuda:0")
    return runner, keep


def test_a_run_uploads_from_where_the_reader_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    clip = MemoryClip(moving_spots(24, 32), bad=(0, 5, 6, 7, 23))
    expected, wanted = run_clip(monkeypatch, clip, None)
    expected.run()
    for seed in range(2):
        device = ApartDevice(seed)
        runner, keep = run_clip(monkeypatch, clip, device)
        staged = count_staged(monkeypatch)
        report = runner.run()
        assert not staged
        assert np.concatenate(keep.tracks).tobytes() == np.concatenate(wanted.tracks).tobytes()
        assert report.ledger.facts() == expected.ledger.facts()
        for indices, pixels in keep.pixels:  # what a sink keeps is not written over
            np.testing.assert_array_equal(pixels, clip.frames[indices])


def count_staged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of pictures that the engine's thread copies into pinned memory."""
    staged: list[int] = []
    real = ring.Ring._upload

    def watched(self: Any, slot: Any, inputs: Any) -> Any:
        pictures = [each for each in inputs if isinstance(each, np.ndarray) and each.ndim > 2]
        staged.extend(each.nbytes for each in pictures if not self.device.holds(each))
        return real(self, slot, inputs)

    monkeypatch.setattr(ring.Ring, "_upload", watched)
    return staged


def test_nothing_is_allocated_once_a_run_goes_steadily(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = []
    for length in (40, 60):
        clip = MemoryClip(moving_spots(length, 32))
        device = ApartDevice(3)
        runner, keep = run_clip(monkeypatch, clip, device)
        keep.write = lambda *_: None  # nobody keeps anything
        device_pieces: list[int] = []
        inner = runner.engine.submit

        def submit(batch: Any, inner: Any = inner, device: Any = device, seen: Any = device_pieces) -> Any:
            seen.append(device.allocated)
            return inner(batch)

        runner.engine.submit = submit
        runner.run()
        counts.append(device_pieces)
    # The device's memory is there from the first batch on. The reader may be quicker or slower, so that one run touches
    # a few more buffers for frames than another, but no more than can be in use at a time.
    most = 3 + 2 + 3  # under way; in the queue; being read, taken, and just left
    for pieces in counts:
        assert pieces[-1] - pieces[1] <= most
    assert abs(counts[1][-1] - counts[0][-1]) <= most


def test_what_was_read_before_reading_fails_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(MemoryClip):
        def read(self, index: int, out: Any = None) -> Any:
            if index == 9:
                raise InputError("the disk went away")
            return super().read(index, out)

    runner, keep = run_clip(monkeypatch, Broken(moving_spots(20, 32)), ApartDevice(1))
    with pytest.raises(InputError, match="disk went away"):
        runner.run()
    assert len(keep.tracks) == 8


def test_a_stop_ends_after_the_batch_in_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    clip = MemoryClip(moving_spots(40, 32))
    runner, keep = run_clip(monkeypatch, clip, ApartDevice(1))
    write = keep.write

    def stopping(frames: Any, results: Any) -> None:
        write(frames, results)
        if len(keep.tracks) == 6:
            runner.stop()

    keep.write = stopping  # type: ignore[method-assign]
    report = runner.run()
    assert len(keep.tracks) == 6 == report.ledger.processed
    assert report.interrupted
    assert report.ledger.not_reached == 34
    device: Any = runner.engine.executor.device
    assert not any(stream.queue for stream in device.streams)  # nothing works on in memory that is given up


class Changing(Runner):
    """Changes a parameter before one frame, and looks whether all before has been written."""

    def _before(self, batch: Any, bad: Any) -> None:
        keep: Any = self.sinks[0]
        first = int(batch.indices[0])
        assert len(keep.tracks) == first
        if first == 6:
            self.engine.set_param("bright", "level", 0.9)


def test_runs_that_change_on_the_way_have_nothing_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    clip = MemoryClip(moving_spots(12, 32))
    bound: Bound = prepare(fixed("blobs"), clip)
    if not any(n.id == "bright" for n in bound.nodes):
        pytest.skip("the shipped pipeline has no such stage")
    runner = Changing(clip, bound, [Keep()], frames=(0, 12), options=RunOptions(device="reference", batch=2))
    runner.engine = Engine(bound, EmulatedExecutor(3))
    runner.run()
    keep: Any = runner.sinks[0]
    assert len(keep.tracks) == 12
    del monkeypatch
