"""The parts of a live run, one by one: states, hand-overs, meter, batch lengths, arrivals; memory."""

from __future__ import annotations

import gc
import pickle
import sys
import threading
from typing import Any

import numpy as np
import pytest

from kernels.errors import InputError
from pipelines.definition import loads
from pipelines.frame import ARRIVAL, UNKNOWN
from pipelines.streaming.common.closable_queue import ClosableQueue
from pipelines.streaming.common.latest_slot import LatestSlot
from pipelines.streaming.common.meter import WINDOW, Meter
from pipelines.streaming.common.states import WAYS, Machine, RunState
from pipelines.streaming.live.arrivals import Arrivals
from pipelines.streaming.live.batching import START, BatchLength
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from tests.patience import PATIENCE
from tests.pipelines.clips import moving_spots
from tests.pipelines.streaming.live.cameras import FakeCamera


def test_every_state_can_end_and_ends_are_ends() -> None:
    def reached(state: RunState, seen: set[RunState]) -> set[RunState]:
        for after in WAYS[state] - seen:
            reached(after, seen | {after}) and seen.add(after)
            seen |= reached(after, seen)
        return seen

    for state in RunState:
        assert state.ended == (not WAYS[state])
        if not state.ended:
            assert {RunState.STOPPED, RunState.FAILED} <= reached(state, set())
            assert RunState.FAILED in WAYS[state]
    machine = Machine()
    with pytest.raises(InputError, match="a run that is idle cannot be paused"):
        machine.to(RunState.PAUSED)
    machine.to(RunState.STARTING)
    assert not machine.try_to(RunState.RUNNING, RunState.PAUSED)
    assert machine.try_to(RunState.RUNNING, RunState.STARTING)
    waiting = threading.Thread(target=lambda: seen.append(machine.wait(RunState.PAUSED, timeout=10)))
    seen: list[bool] = []
    waiting.start()
    machine.to(RunState.PAUSED)
    waiting.join()
    assert seen == [True]
    assert not machine.wait(RunState.RUNNING, timeout=0.01)


def test_a_hand_over_keeps_order_waits_for_room_and_can_be_thrown_away() -> None:
    queue: ClosableQueue[int] = ClosableQueue(2)
    got: list[int] = []

    def take() -> None:
        while (item := queue.get()) is not None:
            got.append(item)

    thread = threading.Thread(target=take)
    thread.start()
    for i in range(1, 500):
        assert queue.put(i)
    queue.close()
    thread.join(PATIENCE)
    assert got == list(range(1, 500))
    assert queue.deepest <= 2
    full: ClosableQueue[int] = ClosableQueue(1)
    assert full.put(1)
    answers: list[bool] = []
    putting = threading.Thread(target=lambda: answers.append(full.put(2)))
    putting.start()
    assert full.throw_away() == [1]
    putting.join(PATIENCE)
    assert answers in ([False], [True])
    assert full.put(3) is False
    assert full.get() in (None, 2)


def test_the_newest_wins_in_a_slot() -> None:
    box: LatestSlot[str] = LatestSlot()
    assert box.take(0.001) is None
    box.put("a")
    box.put("b")
    assert box.take() == "b"
    assert box.take() is None
    assert box.peek() == "b"
    assert (box.put_count, box.taken_count) == (2, 1)
    waiting = threading.Thread(target=lambda: seen.append(box.take(None)))
    seen: list[str | None] = []
    waiting.start()
    box.close()
    waiting.join(PATIENCE)
    assert seen == [None]


def test_a_meter_says_percentiles_rates_and_depths() -> None:
    now = [0.0]
    meter = Meter(lambda: now[0])
    for i in range(10):
        meter.latency("engine", np.arange(1000) / 1000 + i)
    meter.latency("engine", np.array([99.0]))
    for _ in range(100):
        now[0] += 0.01
        meter.count("engine", 10)
    meter.depth("ring", 3, 8)
    meter.depth("ring", 1, 8)
    reading = pickle.loads(pickle.dumps(meter.snapshot()))
    latency = reading.latencies["engine"]
    expected = np.concatenate([np.arange(1000) / 1000 + i for i in range(10)] + [np.array([99.0])])[-WINDOW:]
    assert (latency.p50, latency.p99) == tuple(np.percentile(expected, (50, 99)))
    assert (latency.max, latency.worst, latency.frames) == (99.0, 99.0, 10_001)
    rate = reading.rates["engine"]
    assert rate.frames == 1000
    assert rate.sustained == pytest.approx(1000, rel=0.05)
    assert rate.peak == pytest.approx(1000, rel=0.05)
    depth = reading.depths["ring"]
    assert (depth.now, depth.deepest, depth.room) == (1, 3, 8)
    now[0] += 100
    assert meter.snapshot().rates["engine"].sustained < 20
    now[0] += 60.0
    assert meter.snapshot().rates["engine"].sustained < 2, "a minute ago is not now"
    for _ in range(12):
        meter.count("engine", 250)
        now[0] += 0.25
    assert meter.snapshot().rates["engine"].sustained > 400, "the pause before is not, either"
    assert Meter().snapshot().latencies == {}


def test_batches_grow_under_load_and_shrink_when_it_is_over() -> None:
    length = BatchLength(0.25, slots=250, most=64, fps=1000.0)
    assert (length.wanted, length.limit) == (START, 125)
    for _ in range(20):
        length.done(length.wanted, length.wanted / 5000, 200)
    assert length.wanted == 64
    for _ in range(40):
        length.done(length.wanted, length.wanted / 5000, 0)
    assert length.wanted == START
    for _ in range(40):
        length.done(length.wanted, length.wanted / 200, 500)
    assert length.limit <= 0.25 * 200, "no more is in hand than is through in time"
    assert length.wanted <= length.limit // 2
    tried = BatchLength(0.25, slots=250, most=64, fps=1000.0, rate=150.0)
    assert tried.limit == 37, "half of what a machine that is twice as fast does in time"
    slow = BatchLength(0.25, slots=8, most=64, fps=20.0)
    assert slow.wanted == 1
    fixed = BatchLength(0.25, slots=250, most=64, fps=1000.0, fixed=5)
    for _ in range(40):
        fixed.done(5, 0.001, 500)
    assert fixed.wanted == 5


def arrivals(ids: list[int], clocks: list[int], hosts: list[int] | None = None) -> Any:
    made = np.zeros(len(ids), ARRIVAL)
    made["camera_id"], made["camera_time"] = ids, clocks
    made["host_time"] = clocks if hosts is None else hosts
    return made


def test_times_are_the_cameras_and_go_on_after_a_reconnection() -> None:
    look = Arrivals(1000.0)
    ms = 1_000_000
    first = look.look(arrivals([5, 6, 7], [100 * ms, 101 * ms, 102 * ms]))
    assert first.times.tolist() == [0.0, 0.001, 0.002]
    assert (first.fresh, first.again, first.gaps, first.slow) == (None, (), (), ())
    late = look.look(arrivals([8, 10], [103 * ms, 106 * ms]))
    assert late.gaps == ((1, 9, 9),)
    assert late.slow == ((1, 0.003),)
    look.reconnected()
    again = look.look(arrivals([0, 1], [2 * ms, 3 * ms], [500 * ms, 501 * ms]))
    assert again.fresh is None
    assert again.times.tolist() == pytest.approx([0.006 + 0.394, 0.006 + 0.395])
    look.reconnected()
    on = look.look(arrivals([1, 2], [60 * ms, 61 * ms], [560 * ms, 561 * ms]))
    assert on.times[0] > again.times[1]
    unknown = look.look(arrivals([UNKNOWN, UNKNOWN], [UNKNOWN, UNKNOWN], [570 * ms, 571 * ms]))
    assert (np.diff([*on.times, *unknown.times]) > 0).all()


def test_memory_does_not_grow() -> None:
    """100 000 frames through a trivial pipeline, with overload and changes: no more memory after the first part."""
    clip = moving_spots(4, 16)
    sizes: list[int] = []
    runner: LiveRunner

    def weigh() -> None:
        gc.collect()
        sizes.append(sys.getallocatedblocks())
        runner.set_param("bright", "level", 40 + len(sizes))

    script: list[Any] = list(range(100_000))
    for k in range(9, 0, -1):
        script.insert(10_000 * k, weigh)
    pipeline = loads('taps = ["bright"]\n[stages.gray]\n[stages.bright]\nuse = "threshold"\nlevel = 60\n')
    runner = LiveRunner(
        FakeCamera(clip, script, most=64), pipeline, options=LiveOptions(device="cpu", frames=100_000, slots=256)
    )
    runner.start()
    report = runner.wait(PATIENCE)
    assert report is not None
    assert (report.error, report.ledger.announced) == ("", 100_000)
    report.ledger.check(ended=True)
    assert len(sizes) == 9
    assert max(sizes[4:]) - min(sizes[2:4]) < 5000, sizes  # a leak of one object a frame were ten times as many
