"""Batches as CUDA graphs: the same bits, one start a batch, and never a graph of something else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen.cuda_launch import live_bytes
from kernels.executors.cuda_graphs import GRAPHS, WORTH
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.normal import Unsupported
from kernels.ir.image import F32, ImageType
from kernels.plugins import find_stage
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.kernels.codegen.kept import cuda
from tests.kernels.executors.test_cuda_runner import BOXES, CASES, PICTURE, chain, delayed, frames, said
from tests.kernels.test_conformance import agree, cut
from tests.pipelines.emulated import ApartDevice
from tests.strategies import bodies, clips

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

CHECKED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.mark.parametrize(("made", "params"), CASES)
@pytest.mark.parametrize("seed", range(2))
def test_graphs_give_the_same_bits(made: Any, params: Any, seed: int) -> None:
    body, clip = made(), frames(44)
    expected = ReferenceProgram(body).run([clip], params)
    device = ApartDevice(seed, 0.5 * seed)
    runner = CudaRunner(body, cuda(body), device, graphs=True)
    pending = [runner.submit([clip[a : a + 2]], params) for a in range(0, 44, 2)]
    results = [batch.result() for batch in pending]
    assert [said(results[i // 2], i % 2) for i in range(44)] == [said(expected, i) for i in range(44)]
    turns = 2 if runner.launches.memory.turned else 1  # of what it remembers
    assert runner.graphs.recorded == 3 * turns  # three slots
    assert runner.graphs.replayed >= 22 - 2 * 3 * turns
    assert not runner.graphs.trouble


def test_a_batch_that_comes_again_is_one_start() -> None:
    device = ApartDevice(1)
    body = chain()
    runner = CudaRunner(body, cuda(body), device, graphs=True)
    for i in range(14):
        before = device.starts, device.launches, device.allocated
        runner.run([frames(2)], BOXES)
        if i >= 13:
            assert device.starts - before[0] == 1
            assert device.launches - before[1] == len(runner.program.kernels) >= 2
            assert device.allocated == before[2]


@settings(max_examples=6, deadline=None, suppress_health_check=CHECKED)
@given(data=st.data())
def test_random_bodies_as_graphs(data: st.DataObject) -> None:
    body = data.draw(bodies())
    try:
        program = cuda(body)
    except Unsupported:
        return
    clip = data.draw(clips(body, 24))
    runner, reference = CudaRunner(body, program, ApartDevice(1, 0.5), graphs=True), ReferenceProgram(body)
    first = 0
    while first < 24:  # mostly of one length, so that graphs are used
        length = data.draw(st.sampled_from((1, 1, 1, 1, 1, 1, 2)))
        part = cut(list(clip), first, min(24, first + length))
        assert agree(runner.run(part, {}), reference.run(part, {})), first
        first += length


def test_parameters_lengths_and_snapshots_are_never_those_of_another_batch() -> None:
    body, clip = chain(), frames(200)
    runner = CudaRunner(body, cuda(body), ApartDevice(2, 0.9), graphs=True)
    reference = ReferenceProgram(body)
    rng, start, kept = np.random.default_rng(3), 0, None
    while start < 190:
        length = int(rng.choice((2, 2, 2, 3)))
        few = {"sums.boxes": BOXES["sums.boxes"][: int(rng.choice((3, 3, 3, 1)))]}
        params: Any = {**few, "low.alpha": float(rng.choice((0.5, 0.25)))}
        made, expected = (one.run([clip[start : start + length]], params) for one in (runner, reference))
        assert [said(made, i) for i in range(length)] == [said(expected, i) for i in range(length)], start
        start += length
        if start % 31 == 0:
            if kept is None:
                kept = runner.snapshot()
            else:
                runner.restore(kept)
                reference.restore(kept)
        if start == 100:
            runner.reset()
            reference.reset()
    assert runner.graphs.replayed > 10


def test_numbers_that_are_equal_but_not_the_same_have_graphs_of_their_own() -> None:
    """x * 0.0 and x * -0.0 differ in their sign."""
    body = find_stage("gain").build([ImageType(F32, 8, 16)])
    name = next(iter(body.live))
    clip = np.ones((1, 8, 16), np.float32)
    runner = CudaRunner(body, cuda(body), ApartDevice(1), graphs=True)
    for value in [0.0] * 8 + [-0.0] * 8:
        made = runner.run([clip], {name: value})[body.outputs[0].name]
        wanted = ReferenceProgram(body).run([clip], {name: value})[body.outputs[0].name]
        assert np.asarray(made).tobytes() == np.asarray(wanted).tobytes()


def test_a_parameter_that_always_changes_is_read_by_the_graphs_that_there_are() -> None:
    body, device = chain(), ApartDevice(2)
    runner, reference = CudaRunner(body, cuda(body), device, graphs=True), ReferenceProgram(body)
    counts = {str(a.key): 1 for kernel in runner.program.kernels for a in kernel.live if a.kind == "count"}
    size = len(live_bytes(runner.program, body.params, counts))
    for i in range(GRAPHS):
        clip, up, starts = frames(1), device.up, device.starts
        boxes = BOXES["sums.boxes"][: 1 + i % 3] if i > 20 else BOXES["sums.boxes"]
        params: Any = {"sums.boxes": boxes, "low.alpha": 0.1 + i / 1000}
        assert said(runner.run([clip], params), 0) == said(reference.run([clip], params), 0)
        if 13 < i <= 20:
            assert device.starts - starts == 1
            assert device.up - up == clip.nbytes + size
    assert runner.graphs.recorded == 6  # three slots, two turns of what it remembers
    up = device.up
    runner.run([clip], params)
    assert device.up - up == clip.nbytes  # what stays as it was does not go up


def test_graphs_are_used_from_some_launches_on() -> None:
    blur = find_stage("gaussian").build([PICTURE])
    few = CudaRunner(blur, cuda(blur), ApartDevice(1))
    many = CudaRunner(chain(), cuda(chain()), ApartDevice(1))
    back = CudaRunner(delayed(), cuda(delayed()), ApartDevice(1))
    assert few.launches.count < WORTH <= many.launches.count
    assert (few.graphs.wanted, many.graphs.wanted) == (False, True)
    assert back.graphs.wanted == (back.launches.count >= WORTH)
    assert not CudaRunner(chain(), cuda(chain()), ApartDevice(1), graphs=False).graphs.wanted


def test_where_nothing_can_be_recorded_it_goes_without() -> None:
    body, clip = chain(), frames(12)
    runner = CudaRunner(body, cuda(body), ApartDevice(1, graphs=False), graphs=True)
    expected = ReferenceProgram(body).run([clip], BOXES)
    for i in range(12):
        assert said(runner.run([clip[i : i + 1]], BOXES), 0) == said(expected, i)
    assert "cudaErrorStreamCaptureUnsupported: not permitted" in runner.graphs.trouble
    assert (runner.graphs.wanted, runner.graphs.recorded) == (False, 0)


def test_a_graph_of_a_young_stream_is_not_used_for_an_old_one() -> None:
    """The key must hold the age: without it the first frames' graph, which looks at no past, would be used again."""
    body, clip = delayed(), frames(40)
    wrong = []
    for planted in (False, True):
        runner = CudaRunner(body, cuda(body), ApartDevice(3), graphs=True)
        found = []
        for a in range(0, 40, 10):  # so that there are graphs of the first frames, too
            runner.reset()
            found = [said(runner.run([clip[i : i + 1]], {}), 0) for i in range(a, a + 10)]
            if planted:
                runner.launches.settled = 0
            fresh = ReferenceProgram(body).run([clip[a : a + 10]], {})
            wrong.append(found != [said(fresh, i) for i in range(10)])
    assert not any(wrong[:4])
    assert any(wrong[4:])
