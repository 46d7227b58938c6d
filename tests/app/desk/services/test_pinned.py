"""A and B with real engines: the same frame of the same clip, processed with two sets of parameters."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from app.desk.services.pinned import Pinned, numbers
from pipelines.features import TRACK_DTYPE, State
from tests.patience import PATIENCE

CLIP = Path(__file__).parents[4] / "sample_videos" / "vortex_600fps.avi"


def test_a_stays_as_it_was_and_follows_b_from_frame_to_frame() -> None:
    bench = Workbench(EngineLink())
    links: list[EngineLink] = []

    def connect() -> EngineLink:
        links.append(EngineLink())
        return links[-1]

    pinned = Pinned(bench, connect)

    def until(good: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not good():
            assert time.monotonic() < end, [m.sentence for m in bench.messages]
            bench.tick()
            pinned.tick()
            time.sleep(0.01)

    def both_at(frame: int) -> Callable[[], bool]:
        return lambda: all(b is not None and b.shown is not None and b.shown.frame == frame
                           for b in (bench, pinned.side))  # fmt: skip

    try:
        bench.open(str(CLIP), play=False)
        until(lambda: bench.opened is not None)
        bench.player.seek(30)
        side = pinned.pin()
        until(both_at(30))
        bench.editor.set_param("bright", "level", 0.9)
        until(lambda: bench.shown is not None and not (bench.shown.rows["state"] == State.TRACKED).any())
        for frame in (60, 45, 70):  # back to 45: what stood in 60 went on from the change, and is forgotten
            bench.player.seek(frame)
            until(both_at(frame))
        assert side.shown is not None
        assert bench.shown is not None
        np.testing.assert_array_equal(side.shown.pixels, bench.shown.pixels)
        assert (side.shown.rows["state"] == State.TRACKED).sum() > 10
        until(lambda: all(b.store.known(frame) for b in (side, bench) for frame in (45, 70)))
        assert not bench.store.known(60)
        frames, a, b = pinned.compare()
        assert frames >= 2
        assert a.tracks > b.tracks
        assert a.seen > b.seen
        pinned.drop()
        assert pinned.compare()[0] == 0
    finally:
        bench.quit()
        for link in links:
            link.close()


def test_numbers_of_nothing() -> None:
    found = numbers(np.zeros(0, TRACK_DTYPE))
    assert (found.tracks, found.seen, found.lost, found.jumps) == (0, 0, 0, 0)
    assert np.isnan(found.score)
