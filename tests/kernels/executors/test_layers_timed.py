"""Schedules side by side: the same bits, each layer in one run, predictions from counted work, accesses counted."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import count, pairwise

import numpy as np
import pytest

from kernels.codegen.layers_epilogue import SUM, Epilogue
from kernels.codegen.layers_network import Ending, Network, Taps
from kernels.codegen.layers_target import Target
from kernels.codegen.layers_work import PRICES, Prices, prices_for, weighed, work
from kernels.executors import layers_core
from kernels.executors.cpu import CpuExecutor
from kernels.executors.layers_core import CoreProbe
from kernels.executors.layers_timed import compared
from kernels.executors.machine import Machine
from kernels.executors.networks import NetworkProgram
from kernels.fusion.layers import Look
from kernels.fusion.layers_runs import SCHEDULES, Core
from kernels.ir.body import Body, Output
from kernels.ir.expr import const, maximum, minimum
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.volumes import Contract, Weights, contract, input_volume

MACHINE = Machine()
RNG = np.random.default_rng(3)
TYPE = ImageType(F32, 24, 20, 8)


def body() -> Body:
    """Three pairs of depthwise and pointwise layers, each with a sum over it."""
    now = input_volume(0, TYPE)
    for _ in range(3):
        depthwise = Weights(RNG.normal(size=(8, 3, 3, 1)).astype(np.float32))
        pointwise = Weights(RNG.normal(size=(8, 1, 1, 8)).astype(np.float32) / 3)
        there = contract(now, const(0.5, F32), Contract(depthwise, (24, 20), -1, -1, groups=8))
        now = maximum(contract(there, const(0.0, F32), Contract(pointwise, (24, 20))) + now, 0.0)
    return Body((TYPE,), (Output("out", TYPE, (now,)),), {}, {})


def test_all_schedules_have_the_same_bits_and_each_layer_one_run():
    made, images = body(), CpuExecutor(threads=1)
    frames = RNG.normal(size=(2, *TYPE.shape)).astype(np.float32)
    programs = {name: NetworkProgram(made, MACHINE, images.compile, schedule=name) for name in SCHEDULES}
    results = {name: np.asarray(program.run([frames], {})["out"]) for name, program in programs.items()}
    assert all(np.array_equal(one.view(np.int32), results["layers"].view(np.int32)) for one in results.values())
    ticks = count()
    program = programs["chosen"]
    found = compared(program, program.banks([frames], {}), MACHINE, 0.0, lambda: float(next(ticks)))
    by_name = {one.name: one for one in found.schedules}
    assert tuple(by_name) == SCHEDULES
    layers = len(by_name["layers"].stretches)
    assert [len(by_name[name].stretches) for name in ("pairs", "streamed")] == [layers - 3, 1]
    for one in found.schedules:
        firsts = [part.layers[0] for part in one.stretches]
        assert [first + len(part.modules) for first, part in zip(firsts, one.stretches, strict=True)] == [
            *firsts[1:], layers]  # fmt: skip
        assert one.predicted == pytest.approx(sum(part.predicted for part in one.stretches))
        assert one.measured == 1  # of a clock that ticks whenever it is looked at
    moved = [by_name[name].accesses.values for name in ("layers", "pairs", "streamed")]
    assert all(more > fewer for more, fewer in pairwise(moved))
    assert by_name["streamed"].accesses.read == 4 * 24 * 20 * 8 == by_name["streamed"].accesses.written
    assert by_name["streamed"].accesses.read <= by_name["chosen"].accesses.read <= by_name["layers"].accesses.read


def test_work_is_counted_as_the_code_is_written():
    network = Network(Target(16, 3, 8, True))
    source = network.map(9, 16, 32)
    wide = network.convolution(source, np.ones((48, 1, 1, 32), np.float32), np.zeros(48), (9, 16))
    network.convolution(wide, np.ones((48, 3, 3, 1), np.float32), np.zeros(48), (9, 16), Taps(at=(-1, -1), groups=48))
    network.move([Look(source, (2, 2), stride=(2, 2))], (4, 8), 32, kind="max")
    dense, depthwise, pool = (work(layer, network.target) for layer in network.settled())
    assert (dense.sums, dense.loads) == (32 * 3 * 16, 32 * (3 * 3 + 16))  # tiles of three vectors by 6, 5 and 5 pixels
    assert (dense.results, dense.turns, dense.calls) == (3 * 16, 3, 2)
    assert dense.amounts == (dense.sums, 48, 3, 2)
    assert dense.slots(Prices(1, 10, 100, 1000)) == dense.sums + 480 + 300 + 2000
    assert prices_for(network.target) == PRICES
    assert (depthwise.sums, depthwise.loads) == (3 * 16 * 9, 3 * 2 * 3 * (3 + 10))  # turns of eight pixels
    assert (depthwise.results, depthwise.turns) == (3 * 16, 3 * 2)
    assert (pool.sums, pool.loads, pool.results) == (16 * 3, 16 * 4, 16)


def test_half_vectors_count_half_where_they_are_as_fast_for_what_they_hold():
    made = []
    for halves in (False, True):
        network = Network(Target(16, 3, 8, True, halves=halves))
        source = network.map(9, 16, 64)
        network.convolution(source, np.ones((24, 1, 1, 64), np.float32), np.zeros(24), (9, 16))
        made.append(work(network.settled()[0], network.target))
    shared, halved = made
    assert shared.sums == 64 * 2 * (8 + 4 + 4)  # eight whole vectors, four of two pixels each, and these put together
    assert halved.sums == 64 * 2 * 3 * 8 / 2
    assert halved.loads == 64 * 2 * (3 + 8) / 2


MEASURED = {
    (112, 8, 48, 1, 1): 3102, (112, 16, 8, 1, 1): 1067, (14, 144, 24, 1, 1): 3115, (28, 16, 96, 1, 1): 2868,
    (112, 3, 16, 3, 2): 3095, (56, 48, 0, 3, 1): 1603, (112, 16, 0, 3, 1): 1042, (8, 16, 16, 1, 1): 195,
    (8, 32, 0, 3, 1): 209, (8, 32, 48, 1, 1): 854, (14, 32, 8, 1, 1): 343, (48, 8, -1, 2, 2): 363,
}  # fmt: skip
"""Width, channels, features (0: depthwise, -1: a pool), taps, stride of layers with ReLU6 -> cycles a row on Zen 4,
their rows at hand, least processor time of 100 rounds."""


def told(layer: tuple[int, int, int, int, int], prices: Prices | None = None) -> float:
    """Slots of a row on Zen 4."""
    width, channels, features, taps, stride = layer
    network = Network(Target(16, 3, 8, True, "vnni", True))
    source = network.map(8, width * stride, channels)
    if features < 0:
        network.move([Look(source, (taps, taps), stride=(stride, stride))], (8 // stride, width), channels, kind="max")
        return weighed(network, prices).layers[0].slots
    weights = np.ones((features or channels, taps, taps, channels if features else 1), np.float32)
    how = Taps(at=(-(taps // 2),) * 2, stride=(stride, stride), groups=1 if features else channels)
    relu6 = Ending(epilogue=Epilogue(minimum(maximum(SUM, 0), 6)))
    network.convolution(source, weights, np.zeros(len(weights)), (8 // stride, width), how, relu6)
    return weighed(network, prices).layers[0].slots


def test_what_was_measured_on_zen_4_is_told_within_a_quarter_and_by_no_other_prices_better():
    assert all(told(layer) == pytest.approx(cycles, rel=0.25) for layer, cycles in MEASURED.items())

    def error(prices: Prices) -> float:
        return sum((told(layer, prices) / cycles - 1) ** 2 for layer, cycles in MEASURED.items())

    own = prices_for(Target(16, 3, 8, True, "vnni", True))
    names = [field.name for field in fields(own) if field.name != "turn"]
    others = [replace(own, **{name: by * getattr(own, name)}) for name in names for by in (0.5, 2)]
    assert error(own) < min(map(error, [*others, replace(own, turn=PRICES.turn)]))
    assert error(own) < error(PRICES)


def test_the_figures_of_a_core_are_of_what_ran():
    ticks = count(0, 2.0)
    probe = CoreProbe(MACHINE, lambda: next(ticks))
    probe._took[1:, 0] = 1.0  # of a call that does nothing
    probe.round()
    core = probe.core
    assert core.near == pytest.approx(2 * core.room / 8, rel=0.01)
    assert core.shared == pytest.approx(3 * core.room * 8, rel=0.01)
    assert core.slots > 1e6
    assert core.memory == Core(1).memory


def test_memory_is_measured_where_it_counts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(layers_core, "shared_cache", lambda: 1 << 22)
    ticks = count(0, 2.0)
    probe = CoreProbe(MACHINE, lambda: next(ticks), beyond=True)
    probe._took[1:, 0] = 1.0
    probe.round()
    core = probe.core
    assert core.memory == pytest.approx(min(core.shared, 3 * 2 * (1 << 22)), rel=0.01)
    assert core.memory <= core.shared


@pytest.mark.parametrize(("dot", "adding", "spreading"), [("vnni", 1, 0), ("pairs", 2, 2), ("plain", 4, 4)])
def test_sums_of_bytes_take_what_the_processor_needs_for_four_products(dot: str, adding: int, spreading: int) -> None:
    network = Network(Target(8, 3, 4, True, dot))
    source = network.map(9, 16, 32, dtype=U8)
    network.int8_convolution(source, np.ones((8, 1, 1, 32), np.int8), np.zeros(8, np.int32), (9, 16))
    (made,) = (work(layer, network.target) for layer in network.settled())
    assert made.sums == 16 * 8 * (adding + spreading)  # pixels; four channels a step
