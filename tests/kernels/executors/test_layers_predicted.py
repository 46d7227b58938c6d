"""What is predicted of networks of layers against what their programs do: operations, loads and bytes, counted as they
run. Nothing is timed."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen.layers_lower import lower_layers
from kernels.codegen.layers_network import Network, Taps
from kernels.codegen.layers_watched import WATCH
from kernels.codegen.layers_work import weighed, work
from kernels.executors import layers as executor
from kernels.executors.layers import LayerProgram, target_of
from kernels.executors.layers_counted import Accesses, CountedProgram
from kernels.executors.machine import Machine
from kernels.executors.memory import aligned
from kernels.executors.networks import core_here, evaluated
from kernels.fusion.layers import Look
from kernels.fusion.layers_orders import runs_of
from kernels.fusion.layers_runs import SCHEDULES, Runs, Stretch, stretches
from kernels.fusion.layers_schedule import striped
from kernels.ir.body import Body, Output
from kernels.ir.expr import const
from kernels.ir.image import F32, ImageType
from kernels.ir.volumes import Contract, Weights, contract, input_volume
from tests.kernels.codegen.layers_drawn import networks, numbers
from tests.kernels.networks.test_shared_networks import NETS
from tests.networks import body_of_model

MACHINE = Machine()
TARGET = replace(target_of(MACHINE), halves=False)
"""Tiles of whole vectors alone: each operation of the code is one that is counted."""
MULTIPLY_ADD = re.compile(r"= call (<\d+ x float>) @(llvm\.fma|fused)\.")
LOAD = re.compile(r"= load (<\d+ x \w+>|float|i8), ptr")
CALL = 20
"""Loads of a row besides those of its sums, at most: what its record says, a bias a tile's vector comes on top."""


@dataclass
class Tally:
    """Operations that were executed."""

    multiply_adds: int
    loads: int


def tallied(text: str) -> str:
    """The same module, which counts its multiply-adds and loads of f32 where the argument of WATCH points."""
    made = []
    for line in text.splitlines():
        for number, pattern in enumerate((MULTIPLY_ADD, LOAD)):
            if pattern.search(line):
                made.append(f"  call void @tally(i64 {number})")
        made.append(line)
    return "\n".join([*made, f"""
@tallies = internal global ptr null

define void @{WATCH}(ptr %place) nounwind {{
  store ptr %place, ptr @tallies
  ret void
}}

define internal void @tally(i64 %which) nounwind {{
  %first = load ptr, ptr @tallies
  %place = getelementptr i64, ptr %first, i64 %which
  %before = load i64, ptr %place
  %after = add i64 %before, 1
  store i64 %after, ptr %place
  ret void
}}
"""])


class TalliedProgram(LayerProgram):
    """A network, layer by layer, that counts what it executes."""

    watching = True

    def _room(self, size: int) -> np.ndarray:
        return aligned(size)

    def tallies(self) -> list[Tally]:
        """Of a run of each layer."""
        words, found = np.zeros(2, np.int64), []
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._library.address(WATCH))(words.ctypes.data)
        for job in self._addresses.tolist():
            words[:] = 0
            self._run(job)
            found.append(Tally(*words.tolist()))
        return found


@pytest.mark.parametrize(("width", "channels", "features", "taps", "stride"), [
    (16, 32, 48, 1, 1), (20, 16, 16, 3, 1), (9, 64, 32, 1, 1), (24, 32, 64, 3, 2), (7, 80, 96, 1, 1),
    (16, 48, 0, 3, 1), (13, 32, 0, 5, 1), (10, 64, 0, 3, 2), (24, 12, 12, 3, 1),
])  # fmt: skip
def test_a_row_executes_the_operations_and_loads_that_it_is_told_to(
    monkeypatch: pytest.MonkeyPatch, width: int, channels: int, features: int, taps: int, stride: int
) -> None:
    """Features: 0 of a depthwise layer."""
    monkeypatch.setattr(executor, "watched", tallied)
    network = Network(TARGET)
    source = network.map(8, width * stride, channels, kept=True)
    weights = np.ones((features or channels, taps, taps, channels if features else 1), np.float32)
    how = Taps(at=(-(taps // 2),) * 2, stride=(stride, stride), groups=1 if features else channels)
    made = network.convolution(source, weights, np.zeros(len(weights)), (8 // stride, width), how)
    network.maps[made].kept = True
    order = [[[(number, y) for y in range(layer.size[0])]] for number, layer in enumerate(network.layers)]
    for layer, told in zip(network.settled(), TalliedProgram(network, order, MACHINE, cached=False).tallies(),
                           strict=True):  # fmt: skip
        if layer.module == "move":
            continue
        row = work(layer, TARGET)
        assert told.multiply_adds == pytest.approx(row.sums * layer.size[0], rel=1e-9)
        spare = CALL + row.turns * max(1, len(layer.kernels[0].widths) if hasattr(layer.kernels[0], "widths") else 1)
        assert row.loads <= told.loads / layer.size[0] <= row.loads + spare


def phases(network: Network, runs: Runs) -> tuple[list[Stretch], list[Accesses]]:
    """Of each stretch what is predicted, and what is counted."""
    core = core_here()
    banks = {bank: np.zeros((m.height, m.width, many), m.dtype.numpy) for m in network.maps
             for _, many, bank in m.parts or ((0, m.channels, m.bank),) if bank}  # fmt: skip
    order = striped(network, runs.cuts, 1, core.together, runs.order)
    counted = CountedProgram(network, order, MACHINE).counted(banks)
    return stretches(weighed(network), runs.cuts, core, runs.order), counted


def moved(some: Sequence[Accesses]) -> int:
    return sum(one.read + one.written for one in some)


@pytest.mark.parametrize("cuts", [(), (1,), (2,), (1, 2), (1, 2, 3)])
def test_bytes_of_full_vectors_are_predicted_one_by_one(cuts: tuple[int, ...]) -> None:
    """A depthwise, a pointwise layer, a residual sum over both, a pool; whatever is between two cuts."""
    network, rng = Network(target_of(MACHINE)), np.random.default_rng(1)
    source = network.map(12, 16, 32, kept=True)
    depthwise = network.convolution(source, numbers(rng, (32, 3, 3, 1)), np.zeros(32), (12, 16),
                                    Taps(at=(-1, -1), groups=32))  # fmt: skip
    pointwise = network.convolution(depthwise, numbers(rng, (64, 1, 1, 32)), np.zeros(64), (12, 16))
    pooled = network.move([Look(pointwise, (2, 2), stride=(2, 2))], (6, 8), 64, kind="max")
    last = network.convolution(pooled, numbers(rng, (32, 1, 1, 64)), np.zeros(32), (6, 8))
    network.maps[last].kept = True
    predicted, counted = phases(network, Runs(tuple(range(4)), cuts))
    for one, found in zip(predicted, counted, strict=True):
        assert one.moved == found.read + found.written
        assert one.weights == found.weights
        assert 0.5 * found.rings <= one.rings <= 1.25 * found.rings


def test_layers_that_look_at_other_pixels_of_a_map_read_them_all() -> None:
    """Two layers of every other row and column: of no pixel in common, of other rows, of the same pixels."""
    for second, pixels in (((1, 1), 96), ((1, 0), 96), ((0, 0), 48)):
        network, rng = Network(target_of(MACHINE)), np.random.default_rng(1)
        source = network.map(12, 16, 32, kept=True)
        for at in ((0, 0), second):
            made = network.convolution(source, numbers(rng, (16, 1, 1, 32)), np.zeros(16), (6, 8),
                                       Taps(at=at, stride=(2, 2)))  # fmt: skip
            network.maps[made].kept = True
        predicted, counted = phases(network, Runs((0, 1), ()))
        assert predicted[0].moved == 4 * (32 * pixels + 16 * 2 * 6 * 8) == counted[0].read + counted[0].written


@pytest.mark.parametrize(("at", "rows"), [(0, 1), (1, 2), (-1, 2)])
def test_rows_that_are_repeated_are_counted_as_often_as_there_are_some(at: int, rows: int) -> None:
    network = Network(target_of(MACHINE))
    source = network.map(4, 5, 16, kept=True)
    made = network.move([Look(source, at=(2 + at, 0), repeat=2)], (2, 5), 16)
    network.maps[made].kept = True
    predicted, counted = phases(network, Runs((0,), ()))
    assert predicted[0].moved == 4 * 5 * 16 * (rows + 2) == counted[0].read + counted[0].written


def test_a_picture_of_few_channels_is_read_whole_by_the_copy_of_its_rows() -> None:
    kind, weights = ImageType(F32, 16, 24, 3), Weights(np.ones((32, 3, 3, 3), np.float32))
    made = contract(input_volume(0, kind), const(0.0, F32), Contract(weights, (16, 24), -1, -1))
    body = Body((kind,), (Output("out", ImageType(F32, 16, 24, 32), (made,)),), {}, {})
    network = lower_layers(body, target_of(MACHINE), evaluated).network
    predicted, counted = phases(network, Runs(tuple(range(len(network.layers))), ()))
    assert predicted[0].moved == 4 * 16 * 24 * (3 + 32) == counted[0].read + counted[0].written


@given(data=st.data())
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_stretch_moves_more_than_is_predicted_and_longer_ones_never_more(data: st.DataObject) -> None:
    drawn = data.draw(networks(target_of(MACHINE), 4))
    network = drawn.network
    network.maps[max(drawn.values)].kept = True
    order = tuple(range(len(network.layers)))
    some = tuple(sorted(data.draw(st.sets(st.sampled_from(order[1:])))) if order[1:] else ())
    told = []
    for cuts in ((), some, order[1:]):
        predicted, counted = phases(network, Runs(order, cuts))
        for one, found in zip(predicted, counted, strict=True):
            assert found.read + found.written <= one.moved
            assert found.weights <= one.weights
        told.append(sum(one.moved for one in predicted))
    assert told == sorted(told)


@pytest.mark.skipif(not NETS.exists(), reason="the networks in ../shared/nets are not here")
@pytest.mark.parametrize("name", [
    "b_dwpw_64x64_128", "b_invres_28x32", "b_pwpw_64x64_128_64", "mp_face_landmark", "mp_face_detection_short_range",
    "mp_face_detection_short_range_int8_qdq",
])  # fmt: skip
def test_all_schedules_of_networks_move_what_is_predicted(name: str) -> None:
    network = lower_layers(body_of_model(NETS / f"{name}.onnx", {}), target_of(MACHINE), evaluated).network
    seen, told = weighed(network), []
    for schedule in SCHEDULES:
        predicted, counted = phases(network, runs_of(schedule, seen, core_here()))
        most = sum(one.moved for one in predicted)
        assert 0.75 * most <= moved(counted) <= most  # what is predicted includes the room behind pixels' channels
        weights = sum(one.weights for one in predicted)
        assert 0.99 * weights <= sum(one.weights for one in counted) <= weights
        told.append(most)
    assert all(more >= fewer for more, fewer in pairwise((told[0], told[1], told[3])))  # the chosen cuts are no chain
