"""To the end and back, by the real engine."""

from __future__ import annotations

from itertools import pairwise

import pytest

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from pipelines.streaming.common.states import RunState
from tests.app.desk.engine.conftest import until
from tests.app.desk.engine.test_engine_process import opened


def turns(frames: list[int]) -> int:
    """How often the direction changed."""
    ways = [b > a for a, b in pairwise(frames) if a != b]
    return sum(a != b for a, b in pairwise(ways))


@pytest.mark.parametrize("speed", [None, 4.0])
def test_a_clip_goes_to_its_end_and_back_until_it_is_stopped(link: EngineLink, speed: float | None) -> None:
    bench = Workbench(link)
    seen: list[int] = []
    stood: list[RunState] = []
    bench.on(Topic.PICTURE, lambda: seen.append(bench.shown.frame))  # type: ignore[union-attr]
    bench.on(Topic.STATE, lambda: stood.append(bench.state))
    bench.speed, bench.loop = speed, False
    bench.player.set_ping_pong(True)
    opened(bench, play=False)
    bench.player.set_range(20, 40)
    bench.player.seek(20)
    until(bench, lambda: bench.shown is not None and bench.shown.frame == 20)
    seen.clear()
    bench.player.play()
    until(bench, lambda: turns(seen) >= 3)
    assert set(seen) <= set(range(20, 40))
    assert max(seen) == 39
    assert min(seen) == 20
    going_back = [a for a, b in pairwise(seen) if b < a]
    assert len(going_back) >= 2
    stood.clear()
    until(bench, lambda: turns(seen) >= 5)
    bench.player.pause()
    until(bench, lambda: bench.state is RunState.PAUSED)
    stood.clear()
    count = len(seen)
    for _ in range(20):
        bench.tick()
    assert len(seen) <= count + 1
    bench.player.play()
    until(bench, lambda: turns(seen[count:]) >= 1)
    bench.player.set_ping_pong(False)  # without a loop it ends at the end
    until(bench, lambda: bench.state is RunState.PAUSED and bench.position == 39)
    bench.close()
    until(bench, lambda: bench.opened is None)
