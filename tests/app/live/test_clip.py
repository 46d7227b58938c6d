"""Clips that change on the way, on a device: batches are under way between the changes, and none across one."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from app.live.clip import PlannedReader, Schedule, ScheduledRunner
from kernels.executors import ring
from pipelines.streaming.clip.reader import Reader
from pipelines.streaming.common.changes import AnyChange, Change
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

COUNT = 30
CLIP = MemoryClip(moving_spots(COUNT, 32), bad=(4, 20))
CHANGES: tuple[AnyChange, ...] = (Change(9, "bright", "level", 0.08), Change(21, "follow", "gate", 5.0))
WANTED = np.array([k for k in range(COUNT) if k not in (1, 14, 15)])


class Keep:
    """Keeps the rows."""

    def __init__(self) -> None:
        self.rows: list[Any] = []

    def write(self, frames: Any, results: Any) -> None:
        del frames
        self.rows += [(r.index, r.tracks.tobytes()) for r in results]

    def close(self) -> None: ...


class Watched(ScheduledRunner):
    """Says how many batches were under way when results were asked for."""

    ahead: list[int]

    def _deliver(self, under_way: Any, progress: Any) -> None:
        self.ahead.append(len(under_way))
        super()._deliver(under_way, progress)


def scheduled(device: ApartDevice | None) -> tuple[Watched, Keep, list[tuple[int, int]]]:
    pipeline, keep = fixed("blobs"), Keep()
    bound = prepare(pipeline, CLIP)
    seen: list[tuple[int, int]] = []
    schedule = Schedule(pipeline, CHANGES, WANTED, lambda change: seen.append((change.frame, keep.rows[-1][0])))
    options = RunOptions(batch=2, device="reference")
    runner = Watched(CLIP, bound, [keep], frames=(0, COUNT), schedule=schedule, options=options)
    runner.ahead = []
    if device is not None:
        runner.engine = Engine(bound, EmulatedExecutor(device=device))
        runner.choice = runner.choice.__class__(runner.engine.executor, "cuda", "cuda:0")
    return runner, keep, seen


def test_batches_are_under_way_between_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    def patient(reader: Reader) -> bool:
        while reader.queue.empty():  # the end is put there too
            time.sleep(0.001)
        return True

    staged: list[int] = []
    real = ring.Ring._upload

    def watched(self: Any, slot: Any, inputs: Any) -> Any:
        pictures = [each for each in inputs if isinstance(each, np.ndarray) and each.ndim > 2]
        staged.extend(each.nbytes for each in pictures if not self.device.holds(each))
        return real(self, slot, inputs)

    monkeypatch.setattr(ring.Ring, "_upload", watched)
    monkeypatch.setattr(PlannedReader, "waiting", property(patient))
    wanted, expected, _ = scheduled(None)
    wanted.run()
    assert set(wanted.ahead) == {1}
    runner, keep, seen = scheduled(ApartDevice(1))
    report = runner.run()
    assert keep.rows == expected.rows
    assert [index for index, _ in keep.rows] == WANTED.tolist()
    assert seen == [(9, 8), (21, 20)]  # all before it was written
    assert max(runner.ahead) == 3
    assert not staged  # uploads are from where the reader has read
    assert (report.ledger.processed, report.ledger.bad) == (len(WANTED) - 2, 2)
