"""CUDA programs with their state on a device that runs kernels on the processor and streams in any legal order."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors import ring
from kernels.executors.cuda_runner import CudaRunner, DeviceBatch
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.compose import compose
from kernels.ir.body import Body, Output, Part
from kernels.ir.expr import Expr, maximum, minimum, recur, state
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.planes import Border, input_plane, load, window
from kernels.ir.volumes import Contract, Weights, contract, vector
from kernels.plugins import find_stage
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.kernels.codegen.kept import cuda
from tests.kernels.executors.simulated_device import OnDevice, SimulatedDevice
from tests.pipelines.emulated import ApartDevice

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


def layers() -> Body:
    """A picture scaled, a convolution with stride, an inverted residual, what it was made of pooled beside it."""
    rng = np.random.default_rng(7)

    def conv(x: Expr, features: int, taps: int, groups: int = 1, stride: int = 1) -> Expr:
        assert x.size is not None
        weights = rng.standard_normal((features, taps, taps, x.channels // groups)).astype(np.float32)
        size = -(-x.size[0] // stride), -(-x.size[1] // stride)
        how = Contract(Weights(weights), size, -(taps // 2), -(taps // 2), (stride, stride), (1, 1), groups)
        return contract(x, vector(rng.standard_normal(features).astype(np.float32)), how)

    first = maximum(conv(input_plane(0, 0, U8, SIZE).to(F32) * (1 / 255), 8, 3, stride=2), 0.0)
    wide = minimum(maximum(conv(first, 24, 1), 0.0), 6.0)
    block = conv(minimum(maximum(conv(wide, 24, 3, groups=24), 0.0), 6.0), 8, 1) + first
    pooled = window("max", block, Border("constant", -np.inf), (0, 1), (0, 1))
    outputs = [Output(name, ImageType(F32, *root.size, root.channels), (root,))
               for name, root in (("block", block), ("pooled", pooled)) if root.size is not None]  # fmt: skip
    return Body((PICTURE,), tuple(outputs), {}, {})


def frames(count: int) -> np.ndarray:
    return np.random.default_rng(count).integers(0, 256, (count, *SIZE), dtype=np.uint8)


def said(results: Mapping[str, Any], frame: int) -> list[bytes | tuple[bytes, int]]:
    data = [results[name][frame] for name in results]
    return [(d.rows.tobytes(), d.overflow) if hasattr(d, "rows") else d.tobytes() for d in data]


BOXES = {"sums.boxes": ((1.0, 2.0, 9.0, 7.0), (30.0, 15.0, 40.0, 40.0), (0.0, 0.0, 1.0, 1.0), (5.0, 5.0, 2.0, 2.0))}
CASES = [(chain, BOXES), (delayed, {}), (layers, {})]


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


def chained(device: SimulatedDevice) -> tuple[CudaRunner, CudaRunner, str, str]:
    """Two programs, of which the second takes what the first leaves on the device."""
    blur = find_stage("gaussian").build([PICTURE], {"sigma": 0.8})
    edges = find_stage("laplacian").build([blur.outputs[0].type])  # type: ignore[list-item]
    first, second = (CudaRunner(body, cuda(body), device) for body in (blur, edges))
    first.resident = frozenset((blur.outputs[0].name,))
    return first, second, blur.outputs[0].name, edges.outputs[0].name


def chain_is_right(device: SimulatedDevice, late: bool = False) -> bool:
    """Many batches through both without asking for a result; `late`: the second does nothing before it must."""
    first, second, between, last = chained(device)
    if late:
        device.late = {second.start.ring.compute}
    clip, pending = frames(12), []
    for i in range(12):
        left = first.submit([clip[i : i + 1]], {}).lying[between]
        pending.append(second.submit([left], {}))
    halfway = ReferenceProgram(first.body).run([clip], {})[between]
    wanted = np.asarray(ReferenceProgram(second.body).run([halfway], {})[last])
    return all(np.array_equal(p.result()[last][0], wanted[i]) for i, p in enumerate(pending))


def test_what_is_left_on_the_device_is_there_until_it_was_read() -> None:
    assert all(chain_is_right(SimulatedDevice(seed, 0.7 * (seed % 2)), seed % 2 == 0) for seed in range(6))


@pytest.mark.parametrize("planted", ["ready", "readers"])
def test_missing_waits_between_two_programs_show(planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ready`: the second does not wait for the first; `readers`: the first writes before the second has read."""
    if planted == "readers":
        monkeypatch.setattr(ring.Ring, "_give_up", lambda self, slot: None)
    else:
        real = ring.Ring.submit

        def hasty(self: Any, inputs: Any, *rest: Any) -> Any:
            return real(self, [i.memory if isinstance(i, ring.Left) else i for i in inputs], *rest)

        monkeypatch.setattr(ring.Ring, "submit", hasty)
    late = planted == "readers"
    wrong = sum(not chain_is_right(SimulatedDevice(seed, 0.0 if late else 0.7), late) for seed in range(10))
    assert wrong >= 5


def test_what_was_written_over_is_not_taken() -> None:
    first, second, between, _ = chained(SimulatedDevice(1))
    left = first.submit([frames(1)], {}).lying[between]
    for _ in range(3):
        first.run([frames(1)], {})
    with pytest.raises(RuntimeError, match="written over"):
        second.submit([left], {})


def test_longer_batches_leave_what_was_left_as_it_is() -> None:
    first, second, between, last = chained(SimulatedDevice(2))
    clip = frames(7)
    left = first.submit([clip[:2]], {}).lying[between]
    first.run([clip[2:7]], {})  # all its memory is made anew
    halfway = ReferenceProgram(first.body).run([clip[:2]], {})[between]
    wanted = np.asarray(ReferenceProgram(second.body).run([halfway], {})[last])
    np.testing.assert_array_equal(np.asarray(second.run([left], {})[last]), wanted)


def test_another_devices_images_come_by_the_host() -> None:
    here, there = SimulatedDevice(1), SimulatedDevice(2)
    first, _, between, _ = chained(there)
    _, second, _, last = chained(here)
    clip = frames(3)
    left = first.submit([clip], {}).lying[between]
    halfway = ReferenceProgram(first.body).run([clip], {})[between]
    wanted = np.asarray(ReferenceProgram(second.body).run([halfway], {})[last])
    np.testing.assert_array_equal(np.asarray(second.run([left], {})[last]), wanted)


def through_pinned_memory(seed: int, hold: bool) -> bool:
    """Frames are read into pinned memory that is free again as soon as nobody holds it."""
    device = SimulatedDevice(seed, 0.2)
    body = find_stage("iir_lowpass").build([PICTURE])
    runner, clip, pending = CudaRunner(body, cuda(body), device), frames(16), []
    for i in range(0, 16, 2):
        if not hold:
            for slot in runner.start.ring._slots:
                slot.held = ()
        buffer = device.pinned(2 * PICTURE.nbytes).reshape(2, *SIZE)
        buffer[...] = clip[i : i + 2]
        pending.append(runner.submit([buffer], {}))
        del buffer
    wanted = ReferenceProgram(body).run([clip], {})["out"]
    return all(np.array_equal(p.result()["out"], wanted[2 * i : 2 * i + 2]) for i, p in enumerate(pending))


def test_pinned_frames_are_not_used_again_before_they_are_up() -> None:
    assert all(through_pinned_memory(seed, True) for seed in range(10))
    assert sum(not through_pinned_memory(seed, False) for seed in range(10)) >= 5


def test_whoever_makes_an_array_on_the_device_may_still_be_at_it() -> None:
    def right(seed: int, forget: tuple[str, ...]) -> bool:
        device = ApartDevice(seed, 0.0, forget)
        body = find_stage("gaussian").build([PICTURE], {"sigma": 0.8})
        runner, clip = CudaRunner(body, cuda(body), device), frames(2)
        theirs, ready, array = device.stream(), device.event(), np.zeros_like(clip)
        device.enqueue(lambda: array.__setitem__(..., clip), theirs)
        device.record(ready, theirs)
        device.late = {theirs}
        made = runner.run([OnDevice(array, ready)], {})[body.outputs[0].name]
        return np.array_equal(made, ReferenceProgram(body).run([clip], {})[body.outputs[0].name])

    assert all(right(seed, ()) for seed in range(6))
    assert not any(right(seed, ("order",)) for seed in range(6))


def test_an_adopted_array_is_held_until_the_batch_is_done() -> None:
    device = ApartDevice(3, 1.0)  # whatever can run runs at once, so that nothing but the ring holds it
    body = find_stage("gaussian").build([PICTURE], {"sigma": 0.8})
    runner, array = CudaRunner(body, cuda(body), device), frames(2)
    pending = runner.submit([OnDevice(array)], {})
    lying = weakref.ref(array)
    del array
    assert lying() is not None
    assert not any(stream.queue for stream in device.streams)
    pending.result()
    assert lying() is None


def test_results_come_in_the_memory_that_they_came_down_to_until_that_is_too_much() -> None:
    device = SimulatedDevice(5)
    device.host = type(device.host)(device._pinned, most=12 * 3 * PICTURE.nbytes)
    body = find_stage("binomial").build([PICTURE])
    runner, name, kept = CudaRunner(body, cuda(body), device), body.outputs[0].name, []
    for seed in range(24):
        clip = np.random.default_rng(seed).integers(0, 256, (3, *SIZE), dtype=np.uint8)
        kept.append((clip, runner.run([clip], {})[name]))
    pinned = [device.holds(made) for _, made in kept]
    assert 0 < sum(pinned) < 24
    assert pinned == sorted(pinned, reverse=True)
    for clip, made in kept:  # none was written over
        np.testing.assert_array_equal(made, ReferenceProgram(body).run([clip], {})[name])
