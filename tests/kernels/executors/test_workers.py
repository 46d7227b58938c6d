"""The threads: every strip runs once, whoever is late; they sleep and wake; they are placed off the caller."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from kernels.codegen.pool import EXPORTS, MOST, pool_text
from kernels.executors import placement, workers
from kernels.executors.machine import Machine
from kernels.executors.placement import Placement, places
from kernels.executors.workers import Workers, kernel_sleep
from tests.patience import PATIENCE

COUNT = """
define void @count(ptr %at) nounwind {
  %old = atomicrmw add ptr %at, i64 1 seq_cst, align 8
  %end = getelementptr i64, ptr %at, i64 1
  %turns = load i64, ptr %end, align 8
  br label %spin
spin:
  %i = phi i64 [ 0, %0 ], [ %next, %spin ]
  %next = add i64 %i, 1
  store volatile i64 %next, ptr %end, align 8
  %more = icmp slt i64 %next, %turns
  br i1 %more, label %spin, label %done
done:
  store i64 %turns, ptr %end, align 8
  ret void
}
"""
"""A strip: counts its runs in the first word and takes as many turns as the second says."""
MACHINE = Machine()
POOL = MACHINE.load(MACHINE.compile(pool_text(MACHINE.triple)), EXPORTS)
STRIPS = MACHINE.load(MACHINE.compile(COUNT), ["count"])
SLEEPS = sorted({0, kernel_sleep(MACHINE.triple)})
SLEEP_IDS = ["kernel" if call else "python" for call in SLEEPS]  # an address is another one in every process


class Job:
    """Strips that count how often they ran."""

    def __init__(self, turns: list[int]) -> None:
        self.words = np.zeros((len(turns), 16), np.int64)
        self.words[:, 1] = turns
        self.where = self.words.ctypes.data + self.words.strides[0] * np.arange(len(turns))

    def run(self, made: Workers) -> list[int]:
        self.words[:, 0] = 0
        made.run(STRIPS.address("count"), self.where.ctypes.data, len(self.words))
        return self.words[:, 0].tolist()


def test_a_thread_that_sleeps_is_woken_before_its_job():
    made = Workers(2, POOL, kernel_sleep(MACHINE.triple))
    made.rouse()  # there are no threads yet
    job = Job([1, 1])
    assert job.run(made) == [1, 1]
    awake = made._crew.block[workers.WORKER :]
    deadline = time.monotonic() + PATIENCE
    while awake[0] and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not awake[0]
    wake, woken = made._wake, list[int]()
    made._wake = lambda block, number, syscall: woken.append(number) or wake(block, number, syscall)
    made.rouse()
    assert woken == [0] * bool(made.syscall)  # one that sleeps in Python is left alone
    assert job.run(made) == [1, 1]


@pytest.mark.parametrize("syscall", SLEEPS, ids=SLEEP_IDS)
@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_every_strip_runs_once(threads, syscall, monkeypatch):
    """Any number of strips, of equal and very different length, at once and after the threads have gone to sleep."""
    monkeypatch.setattr(workers, "AWAKE", 1e-6)
    made = Workers(threads, POOL, syscall)
    for strips in (1, 2, 3, 5, 16, MOST):
        for turns in ([1] * strips, [100_000] + [1] * (strips - 1), [1] * (strips - 1) + [100_000]):
            job = Job(turns)
            for i in range(30):
                assert job.run(made) == [1] * strips
                if i % 10 == 9:
                    time.sleep(0.001)


@pytest.mark.parametrize("syscall", SLEEPS, ids=SLEEP_IDS)
def test_two_callers_at_once(syscall):
    made, wrong = Workers(3, POOL, syscall), []

    def call(strips: int) -> None:
        job = Job([1000] * strips)
        wrong.extend(i for i in range(300) if job.run(made) != [1] * strips)

    callers = [threading.Thread(target=call, args=(strips,)) for strips in (3, 8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(PATIENCE)
        assert not caller.is_alive()
    assert not wrong


def test_threads_end_with_their_owner():
    others, ours = set(threading.enumerate()), set()
    for syscall in SLEEPS:
        made = Workers(3, POOL, syscall)
        assert Job([1, 1, 1]).run(made) == [1, 1, 1]
        ours |= set(threading.enumerate()) - others
        time.sleep(0.01)  # asleep by now
        del made
    assert len(ours) == 2 * len(SLEEPS)
    for thread in ours:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_more_threads_than_can_be():
    assert Workers(1000, POOL).threads == MOST
    assert Workers(0, POOL).threads == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_makes_threads_of_its_own():
    made, job = Workers(2, POOL, SLEEPS[-1]), Job([1, 1])
    assert job.run(made) == [1, 1]
    child = os.fork()
    if not child:
        os._exit(0 if job.run(made) == [1, 1] else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_places():
    assert places([0, 1], 0, 1) == [{1}]
    assert places([0, 2, 5], 2, 2) == [{0}, {5}]
    assert places([0, 1, 2, 3], 1, 2) == [{0, 2, 3}] * 2  # others' work may lie on one of them
    assert places([0, 1], 7, 2) == [{0}, {1}]
    assert places([3], 3, 1) == []
    assert places([0, 1], 0, 2) == []


@pytest.fixture
def system(monkeypatch):
    """A system with processors 0 to 3 that notes who is put where."""
    state = {"here": 0, "allowed": {0, 1, 2, 3}, "moves": []}
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(state["allowed"]), raising=False)
    monkeypatch.setattr(os, "sched_setaffinity", lambda t, cpus: state["moves"].append((t, set(cpus))), raising=False)
    return state


def test_threads_move_only_when_the_caller_does(system):
    made = Placement([11, 12, 13], lambda: system["here"])
    for _ in range(3):
        made.check()
    assert system["moves"] == [(11, {1}), (12, {2}), (13, {3})]
    system["here"], system["moves"] = 2, []
    for _ in range(3):
        made.check()
    assert system["moves"] == [(11, {0}), (12, {1}), (13, {3})]


def test_a_restricted_process_is_left_alone(system):
    made = Placement([11], lambda: system["here"])
    made.check()
    system["here"], system["allowed"], system["moves"] = 3, {3}, []
    made.check()
    made.check()
    assert system["moves"] == []
    assert made.given_up


def test_late_threads_may_go_anywhere_for_a_while(system):
    made = Placement([11], lambda: system["here"])
    made.check()
    system["moves"].clear()
    made.release()
    made.release()
    assert system["moves"] == [(11, {0, 1, 2, 3})]
    system["moves"].clear()
    for _ in range(placement.REST):
        made.check()
    assert system["moves"] == []
    made.check()
    assert system["moves"] == [(11, {1, 2, 3})]


def test_late_threads_stay_where_the_caller_was_pinned_away(system):
    made = Placement([11], lambda: system["here"])
    made.check()
    system["moves"].clear()
    system["allowed"] = {system["here"]}  # somebody pinned the caller after the threads were placed
    made.release()
    assert system["moves"] == []
    assert made.given_up


def test_a_system_that_refuses_is_not_asked_again(system, monkeypatch):
    def refuse(thread, cpus):
        system["moves"].append(thread)
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", refuse, raising=False)
    made = Placement([11, 12], lambda: system["here"])
    for _ in range(3):
        made.check()
        made.release()
    assert system["moves"] == [11]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are placed on Linux only")
@pytest.mark.parametrize("pin", ["0", "1"])
def test_only_our_own_threads_are_moved(pin):
    """In a process of its own: the caller's affinity stays; the worker's leaves out the caller's processor."""
    script = f"""
import os, threading
from tests.kernels.executors.test_workers import Job, Workers, POOL
before = os.sched_getaffinity(0)
made = Workers(2, POOL)
assert Job([1, 1]).run(made) == [1, 1]
assert os.sched_getaffinity(0) == before
(worker,) = [t for t in threading.enumerate() if t.name == "cpu strip 1"]
placed = os.sched_getaffinity(worker.native_id)
assert (len(placed) == len(before) - 1 if {pin} and len(before) > 1 else placed == before), (placed, before)
"""
    environment = {**os.environ, "FUSETRACK_PIN": pin}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True,
                          timeout=PATIENCE)  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_where_there_is_no_such_function(monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert placement.current_processor() is None
    assert kernel_sleep("x86_64-unknown-linux-gnu") == 0
    assert kernel_sleep("riscv64-unknown-linux-gnu") == 0


@pytest.mark.parametrize("syscall", SLEEPS, ids=SLEEP_IDS)
def test_ctrl_c_leaves_no_strip_at_work(syscall, monkeypatch):
    made = Workers(2, POOL, syscall)
    long = 30_000_000
    job = Job([long // 10, long])  # time enough for the other thread to come
    pressed = []

    def sleep(_):
        pressed.append(1)
        if len(pressed) < 4:  # pressed again while the strips are waited for
            raise KeyboardInterrupt

    monkeypatch.setattr(workers.time, "sleep", sleep)
    for _ in range(50):  # until a thread other than the caller has the long strip
        try:
            assert job.run(made) == [1, 1]
        except KeyboardInterrupt:
            break
    else:
        pytest.skip("the other thread never came in time")
    assert job.words[:, 0].tolist() == [1, 1]
    assert job.words[1, 1] == long  # the strip puts it back when it is done
    monkeypatch.undo()
    assert job.run(made) == [1, 1]
