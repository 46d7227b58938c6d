"""Another pipeline looks at frames of the clip while it plays: decoders serve one thread, so it reads for itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from app.desk.engine import commands, desk
from app.desk.engine.reports import Built, Report, Stood
from app.sources.opening import open_source
from app.sources.reading import Reading
from pipelines.definition import load
from pipelines.frame import FrameSource, Pixels, SourceInfo
from pipelines.writing import dumps
from tests.patience import PATIENCE


class OneThread:
    """A source that notices when two threads read at once."""

    def __init__(self, source: FrameSource, met: list[str]) -> None:
        self._source, self._met, self._lock = source, met, threading.Lock()

    @property
    def info(self) -> SourceInfo:
        return self._source.info

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        free = self._lock.acquire(blocking=False)
        if not free:
            self._met.append(f"frame {index}")
        try:
            time.sleep(0.004)
            return np.asarray(self._source.read(index, out))
        finally:
            if free:
                self._lock.release()

    def close(self) -> None:
        self._source.close()


@pytest.mark.parametrize(("pipeline", "found"), [("blobs", "bright.level"), ("background-motion", "moving.begin")])
def test_numbers_are_found_for_another_pipeline_while_the_reader_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pipeline: str, found: str
) -> None:
    """`background-motion` looks at the still picture of the clip, too."""
    path = tmp_path / "spots.npy"
    np.save(path, np.random.default_rng(1).integers(0, 255, (300, 48, 64), np.uint8))
    met: list[str] = []

    def opened(what: str, reading: Reading) -> OneThread:
        return OneThread(open_source(what, reading), met)

    monkeypatch.setattr(desk, "open_source", opened)
    told: list[Report] = []
    made = desk.Desk(told.append)
    made.obey(commands.Open(str(path), dumps(load("vibration")), speed=None))  # nothing of it is to be found

    def until(done: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end
            made.look()
            time.sleep(0.005)

    until(lambda: any(isinstance(one, Stood) and one.position > 0 for one in told))
    made.obey(commands.SetPipeline(dumps(load(pipeline))))
    until(lambda: any(isinstance(one, Built) for one in told))
    made.close()
    built = next(one for one in told if isinstance(one, Built))
    assert found in built.found
    assert met == []
