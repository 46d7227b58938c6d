"""Interleaving, what counts, and the floors."""

from __future__ import annotations

import os
import threading
import time
from functools import partial

import numpy as np
import pytest

from app.benchmark import pinning
from app.benchmark.campaign import Campaign, Job
from app.benchmark.chains import CHAINS
from app.benchmark.clips import frames
from app.benchmark.floors import demand, rate_probe, stream_probe
from app.benchmark.measure import How
from app.benchmark.ours import bound_to
from app.benchmark.results import Measured, Result
from app.benchmark.timing import Timing, interleaved, ratio, summed_up


def test_contenders_take_turns() -> None:
    calls: list[str] = []
    samples, stopped = interleaved(
        {"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, seconds=0.0, least=5
    )
    assert not stopped
    rounds = [set(calls[i : i + 2]) for i in range(0, len(calls), 2)]
    assert rounds == [{"a", "b"}] * 5
    a = summed_up(samples["a"])
    assert a is not None
    assert a.rounds == 5
    assert a.least <= a.low <= a.median <= a.high


def test_slow_ones_sit_out() -> None:
    calls = {"fast": 0, "slow": 0}

    def work(name: str, seconds: float) -> None:
        calls[name] += 1
        time.sleep(seconds)

    interleaved({"fast": lambda: work("fast", 0.001), "slow": lambda: work("slow", 0.03)}, seconds=0.3, slow=["slow"])
    assert calls["slow"] >= 3
    assert calls["fast"] > 2 * calls["slow"]


def test_ctrl_c_keeps_what_was_measured() -> None:
    left = [7]

    def work() -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    samples, stopped = interleaved({"a": work, "b": lambda: None}, seconds=60.0)
    assert stopped
    assert len(samples["a"]) == 6


def test_ratios_pair_the_rounds() -> None:
    slow, fast = np.array([4.0, np.nan, 8.0, -99.0]), np.array([1.0, 1.0, 2.0, 3.0])
    made = ratio(slow, fast)
    assert (made.low, made.high) == (4.0, 4.0)
    assert made.least == 4.0
    assert made.median == pytest.approx(6.0 / 1.5)
    dropped = summed_up(slow)
    assert dropped is not None
    assert (dropped.rounds, dropped.dropped) == (2, 1)
    assert summed_up(np.array([np.nan])) is None


def test_calls_without_the_processor_do_not_count() -> None:
    """Sleeping takes wall time without processor time, now and then."""
    turns = [0]

    def work() -> None:
        turns[0] += 1
        start = time.thread_time()
        while time.thread_time() - start < 0.002:
            pass
        if turns[0] % 5 == 0:
            time.sleep(0.05)

    samples, _ = interleaved({"a": work}, seconds=0.0, least=10, filtered=True)
    made = summed_up(samples["a"])
    assert made is not None
    assert made.dropped in (0, *range(2, 6))  # none where the machine is so busy that the filter is left out
    assert made.dropped == 0 or made.high < 0.04


def test_the_demand_is_that_of_the_chain() -> None:
    for name, image, state in (("seed", 5.0, 8.0), ("background", 2.0, 16.0), ("harris", 2.0, 0.0)):
        chain = CHAINS[name]
        need = demand(bound_to(chain.pipeline(64), frames(chain.channels, 2, 64, 64)))
        assert (need.image, need.state) == (image, state)
        assert need.lanes > 1


def test_the_probe_moves_as_many_bytes() -> None:
    clip = frames(4, 4, 64, 64)
    need = demand(bound_to(CHAINS["seed"].pipeline(64), clip))
    probe, moved = stream_probe(need, clip, "reference", 1)
    assert moved == pytest.approx(64 * 64 * (4 * 5 + 4), rel=0.1)
    (made,) = probe.run().values()
    assert 2 * np.asarray(made).nbytes == moved
    rate, operations = rate_probe("reference", 1)
    (bytes_,) = rate.run().values()
    assert operations > 20 * np.asarray(bytes_).size


@pytest.mark.skipif(not pinning.available(), reason="threads cannot be pinned on this platform")
def test_pins_are_taken_back() -> None:
    before = os.sched_getaffinity(0)
    seen: list[set[int]] = []
    stop = threading.Event()
    helper = threading.Thread(target=stop.wait)
    helper.start()
    try:
        with pinning.pinning(True) as pins:
            assert pins is not None
            pins.pin()
            seen += [set(os.sched_getaffinity(0)), set(os.sched_getaffinity(helper.native_id or 0))]
        assert os.sched_getaffinity(0) == before
        assert os.sched_getaffinity(helper.native_id or 0) == before
    finally:
        stop.set()
        helper.join()
    assert seen[0] == {min(before)}
    assert min(before) not in seen[1] or len(before) == 1


def fake(name: str, how: How) -> Result:
    clip = frames(1, 1, 16, 16)
    need = demand(bound_to(CHAINS["harris"].pipeline(16), clip))
    one = Measured("fused", Timing(1e-3, 1e-3, 1e-3, 1e-3, 9), None, 0.0)
    return Result(name, "", how.size, how.batch, how.threads, how.back_end, how.pinned, how.load, "opencv", (one,),
                  need)  # fmt: skip


def test_a_campaign_ends_in_time_and_says_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [5.0]
    monkeypatch.setattr("app.benchmark.campaign.time.perf_counter", lambda: now[0])

    def slow(how: How, seconds: object, tick: object) -> tuple[Result, bool]:
        now[0] += 0.06
        return fake("x", how), False

    jobs = [Job(str(size), partial(slow, How(size))) for size in (16, 32, 64, 128)]
    campaign = Campaign(jobs, 0.1)
    results = list(campaign.run())
    assert [r.size for r in results] == [16, 32]
    assert [job.label for job in campaign.left] == ["64", "128"]
    assert not campaign.interrupted


def test_a_campaign_keeps_results_when_stopped() -> None:
    def work(how: How, seconds: object, tick: object) -> tuple[Result, bool]:
        if how.size == 64:
            raise KeyboardInterrupt
        return fake("x", how), False

    campaign = Campaign([Job("x", partial(work, How(size))) for size in (16, 64, 128)], 9.0)
    assert [r.size for r in campaign.run()] == [16]
    assert campaign.interrupted


def test_a_warm_call_does_not_count() -> None:
    calls = {"a": 0, "b": 0}

    def call(name: str) -> None:
        calls[name] += 1

    made, _ = interleaved({n: partial(call, n) for n in calls}, seconds=0.0, least=5, slow=("b",), warm=True)
    assert {n: len(row) for n, row in made.items()} == {"a": 5, "b": 5}
    assert calls["a"] >= 10
    assert calls["b"] == 5
