"""The loop that the peak is measured with."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from kernels.executors.layers import target_of
from kernels.executors.machine import Machine
from kernels.executors.peak import TURNS, PeakLoop


def test_the_loop_runs_on_any_thread_and_knows_its_work():
    machine = Machine()
    loop = PeakLoop(machine)
    target = target_of(machine)
    assert loop.macs == TURNS * target.vectors * target.pixels * target.lanes
    with ThreadPoolExecutor(2) as pool:
        assert [job.result() for job in [pool.submit(loop) for _ in range(3)]] == [None] * 3


def test_a_machine_without_fused_multiply_add_has_a_loop_too():
    loop = PeakLoop(Machine("baseline"))
    assert loop.macs > 0
    loop()
