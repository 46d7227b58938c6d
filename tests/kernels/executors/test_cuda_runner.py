"""CUDA programs with their state on a device that runs kernels on the processor and streams in any legal order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from kernels.codegen.cuda import cuda
from kernels.errors import DefinitionError
from kernels.executors.cuda_runner import CudaRunner, DeviceBatch
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.compose import Part, compose
from kernels.ir.body import Body, Output
from kernels.ir.expr import Border, input_plane, load, recur, state
from kernels.ir.image import F32, U8, ImageType
from kernels.stage import find_stage
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.kernels.executors.simulated_device import OnDevice, SimulatedDevice

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

SIZE = 21, 37
PICTURE = ImageType(U8, *SIZE)


def chain() -> Body:
    """Low-pass in time, blur, gradient, moments of boxes and candidates; the mask leaves too."""
    low = find_stage("iir_lowpass").build([PICTURE])
    blur = find_stage("gaussian").build([low.outputs[0].type], {"sigma": 0.8})  # type: ignore[list-item]
    sums = find_stage("moments").build([blur.outputs[0].type], {"regions": "boxes", "capacity": 3})  # type: ignore[list-item]
    tops = find_stage("peaks").build([blur.outputs[0].type], {"capacity": 5, "threshold": 100.0})  # type: ignore[list-item]
    parts = [Part("low", low, (0,)), Part("blur", blur, (("low", low.outputs[0].name),))]
    source = ("blur", blur.outputs[0].name)
    parts += [Part("sums", sums, (source, None)), Part("tops", tops, (source,))]
    return compose(parts, [source, ("sums", sums.outputs[0].name), ("tops", tops.outputs[0].name)])


def delayed() -> Body:
    """Three frames back of a recurrence and of the input: state, registers and the batch's past."""
    x = input_plane(0, 0, U8, SIZE).to(F32)
    mean = recur("mean", x, (state("mean", F32) + x) * 0.5)
    here = Border("replicate")
    root = load(mean, here, dx=1, dt=-3) + load(input_plane(0, 0, U8, SIZE), here, dy=-1, dt=-2).to(F32)
    return Body((PICTURE,), (Output("out", ImageType(F32, *SIZE), (root,)),), {}, {})


def frames(count: int) -> np.ndarray:
    return np.random.default_rng(count).integers(0, 256, (count, *SIZE), dtype=np.uint8)


def said(results: Mapping[str, Any], frame: int) -> list[bytes | tuple[bytes, int]]:
    data = [results[name][frame] for name in results]
    return [(d.rows.tobytes(), d.overflow) if hasattr(d, "rows") else d.tobytes() for d in data]


BOXES = {"sums.boxes": ((1.0, 2.0, 9.0, 7.0), (30.0, 15.0, 40.0, 40.0), (0.0, 0.0, 1.0, 1.0), (5.0, 5.0, 2.0, 2.0))}
CASES = [(chain, BOXES), (delayed, {})]


@pytest.mark.parametrize(("made", "params"), CASES)
@pytest.mark.parametrize("seed", range(3))
def test_batches_of_any_length_are_the_references_frames(made: Any, params: Any, seed: int) -> None:
    body, clip = made(), frames(11)
    expected = ReferenceProgram(body).run([clip], params)
    runner = CudaRunner(body, cuda(body), SimulatedDevice(seed, eager=(0.0, 0.3, 0.9)[seed]))
    pending, lengths = [], (1, 4, 1, 2, 3)
    start = 0
    for length in lengths:
        pending.append(runner.submit([clip[start : start + length]], params))
        start += length
    frame = 0
    for batch, length in zip(pending, lengths, strict=True):
        results = batch.result()
        for i in range(length):
            assert said(results, i) == said(expected, frame)
            frame += 1


@pytest.mark.parametrize(("made", "params"), CASES)
def test_snapshots_go_from_one_back_end_to_the_other(made: Any, params: Any) -> None:
    body, clip = made(), frames(8)
    program = cuda(body)
    for cut in (0, 1, 2, 5):
        expected = ReferenceProgram(body).run([clip], params)
        first: Any = ReferenceProgram(body)
        second: Any = CudaRunner(body, program, SimulatedDevice(cut))
        for one, other in ((first, second), (CudaRunner(body, program, SimulatedDevice(9)), ReferenceProgram(body))):
            if cut:
                one.run([clip[:cut]], params)
            other.restore(one.snapshot())
            results = other.run([clip[cut:]], params)
            assert [said(results, i) for i in range(8 - cut)] == [said(expected, i) for i in range(cut, 8)]
        second.reset()
        assert said(second.run([clip], params), 7) == said(expected, 7)


def test_images_lie_and_stay_on_the_device() -> None:
    device = SimulatedDevice(4)
    blur = find_stage("gaussian").build([PICTURE], {"sigma": 0.8})
    edges = find_stage("laplacian").build([blur.outputs[0].type])  # type: ignore[list-item]
    first, second = (CudaRunner(body, cuda(body), device) for body in (blur, edges))
    name, last = blur.outputs[0].name, edges.outputs[0].name
    clip = frames(4)
    expected = ReferenceProgram(edges).run([ReferenceProgram(blur).run([clip], {})[name]], {})[last]
    first.resident = frozenset((name,))
    between = first.run([OnDevice(clip)], {})[name]
    assert isinstance(between, DeviceBatch)
    assert np.asarray(second.run([between], {})[last]).tobytes() == np.asarray(expected).tobytes()
    out = np.empty((4, *SIZE), np.float32)
    assert second.run([between], {}, {last: out})[last] is out
    assert out.tobytes() == np.asarray(expected).tobytes()
    with pytest.raises(DefinitionError, match="came where"):
        first.run([OnDevice(clip[:, 1:].copy())], {})
    with pytest.raises(DefinitionError, match="no parameter"):
        first.run([clip], {"nope": 1})


def test_live_parameters_are_arguments() -> None:
    body, clip = chain(), frames(6)
    device = SimulatedDevice(2)
    runner, reference = CudaRunner(body, cuda(body), device), ReferenceProgram(body)
    for alpha, part in ((0.5, clip[:3]), (0.1, clip[3:])):
        params: Any = {**BOXES, "low.alpha": alpha}
        made, expected = runner.run([part], params), reference.run([part], params)
        assert [said(made, i) for i in range(3)] == [said(expected, i) for i in range(3)]


def test_nothing_is_allocated_in_steady_state() -> None:
    device = SimulatedDevice(5)
    body = chain()
    runner = CudaRunner(body, cuda(body), device)
    for _ in range(4):
        runner.run([frames(3)], BOXES)
    before = device.allocated
    for length in (3, 1, 2, 3, 3):
        runner.run([frames(length)], BOXES)
    assert device.allocated == before


def test_a_state_that_nothing_looks_at_is_no_obstacle() -> None:
    x = input_plane(0, 0, U8, SIZE).to(F32)
    unseen = recur("unseen", x, (state("unseen", F32) + x) * 0.5)
    body = Body((PICTURE,), (Output("out", ImageType(F32, *SIZE), (x * 2.0,)),), {}, {}, updates=(unseen,))
    clip = frames(4)
    runner = CudaRunner(body, cuda(body), SimulatedDevice(7))
    runner.run([clip[:2]], {})
    reference = ReferenceProgram(body)
    reference.restore(runner.snapshot())
    assert np.array_equal(reference.run([clip[2:]], {})["out"], clip[2:].astype(np.float32) * 2)
