"""Programs on a GPU give the reference's bits: stages, random bodies, batches, snapshots, arrays that lie there."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors.cuda_runner import CudaRunner, DeviceBatch
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.algebra import simplified
from kernels.ir.expr import postorder
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.volumes import input_volume
from kernels.plugins import find_stage
from tests.gpu.conftest import Gpu
from tests.kernels.codegen.floats import SIZE as FLOATS
from tests.kernels.codegen.floats import arithmetic, subnormal
from tests.kernels.fusion.test_modules import body_of, conv
from tests.kernels.test_conformance import STAGES, agree, bodies_of, clip_of, cut
from tests.strategies import bodies, clips, same

pytestmark = pytest.mark.gpu
PICTURE = ImageType(U8, 61, 83)
CHECKED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.mark.parametrize("name", sorted(STAGES))
def test_stages(gpu: Gpu, name: str) -> None:
    compiled = [body for body in bodies_of(name) if body.host is None or body.host.decoder is not None]
    for i, body in enumerate(compiled[:: max(1, len(compiled) // 3)]):
        clip, program = clip_of(body, i), gpu.executor.compile(body)
        assert agree(program.run(clip, {}), ReferenceProgram(body).run(clip, {})), (name, i)


@pytest.mark.parametrize("scale", [1.0, 70000.0], ids=["f16", "tf32"])
def test_tensor_cores_keep_to_their_bound(gpu: Gpu, scale: float) -> None:
    """Against what the plain program gives, by the sum of the terms' sizes."""
    type_ = ImageType(F32, 20, 28, 24)
    plain = body_of(type_, out=conv(input_volume(0, type_) * scale, 40, 3))
    loose, (told,) = simplified(plain, exact=False)
    frames = np.random.default_rng(1).uniform(-1, 1, (2, *type_.shape)).astype(np.float32)
    made, wanted = (gpu.executor.compile(body).run([frames], {})["out"].astype(np.float64) for body in (loose, plain))
    (core,) = (n for n in postorder(plain.roots) if n.op == "contract")
    most = np.abs(core.arg.weights.array).sum((1, 2, 3)) * scale + np.abs(core.src[1].arg.array)
    assert (np.abs(made - wanted) <= told.bound * most + 1e-5).all()
    assert np.array_equal(wanted, ReferenceProgram(plain).run([frames], {})["out"])


@settings(max_examples=60, deadline=None, suppress_health_check=CHECKED)
@given(data=st.data())
def test_random_bodies_in_any_batches(gpu: Gpu, data: st.DataObject) -> None:
    body = data.draw(bodies())
    clip = data.draw(clips(body, 5))
    cuts = sorted({0, 5, *data.draw(st.sets(st.integers(1, 4), max_size=3))})
    program, reference = gpu.executor.compile(body), ReferenceProgram(body)
    for first, last in pairwise(cuts):
        part = cut(list(clip), first, last)
        assert agree(program.run(part, {}), reference.run(part, {})), (first, last)


@pytest.mark.parametrize("elements", [True, False], ids=["as an ElementwiseKernel", "as a kernel of our own"])
def test_every_operation_on_floats(gpu: Gpu, monkeypatch: pytest.MonkeyPatch, elements: bool) -> None:
    """Subnormal numbers, zeros, infinities and NaN, by either kind of kernel."""
    monkeypatch.setattr(gpu.executor, "elements", elements, raising=gpu.emulated is False)
    body, rng = arithmetic(), np.random.default_rng(3)
    clip = [subnormal(rng, (4, *FLOATS)) for _ in range(2)]
    clip[1][:, ::2] = clip[0][:, ::2]
    made, expected = gpu.executor.compile(body).run(clip, {}), ReferenceProgram(body).run(clip, {})
    for output in body.outputs:
        assert same(np.asarray(made[output.name]), np.asarray(expected[output.name])), output.name


@settings(max_examples=20, deadline=None, suppress_health_check=CHECKED)
@given(data=st.data())
def test_snapshots_of_random_bodies_go_either_way(gpu: Gpu, data: st.DataObject) -> None:
    body = data.draw(bodies())
    clip, at = list(data.draw(clips(body, 5))), data.draw(st.integers(1, 4))
    for there in (True, False):
        first, second = gpu.executor.compile(body), ReferenceProgram(body)
        first, second = (first, second) if there else (second, first)
        expected = ReferenceProgram(body)
        first.run(cut(clip, 0, at), {})
        expected.run(cut(clip, 0, at), {})
        second.restore(first.snapshot())
        assert agree(second.run(cut(clip, at, 5), {}), expected.run(cut(clip, at, 5), {}))


def pictures(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (count, *PICTURE.shape), dtype=np.uint8)


def test_many_batches_under_way(gpu: Gpu) -> None:
    body = find_stage("iir_lowpass").build([PICTURE])
    program, reference = gpu.executor.compile(body), ReferenceProgram(body)
    clip = pictures(60)
    pending = [program.submit([clip[k : k + 4]], {"alpha": 0.3}) for k in range(0, 60, 4)]
    wanted = reference.run([clip], {"alpha": 0.3})["out"]
    for k, batch in enumerate(pending):
        np.testing.assert_array_equal(batch.result()["out"], wanted[4 * k : 4 * k + 4])


def test_arrays_that_lie_there_are_taken_as_they_are(gpu: Gpu) -> None:
    body = find_stage("gaussian").build([PICTURE], {"sigma": 1.3})
    clip = pictures(5)
    wanted = ReferenceProgram(body).run([clip], {})
    for protocol, upload in gpu.uploads.items():
        assert agree(gpu.executor.compile(body).run([upload(clip)], {}), wanted), protocol


def test_whoever_makes_an_array_there_may_still_be_at_it(gpu: Gpu) -> None:
    if gpu.emulated:
        pytest.skip("tests/kernels/executors/test_cuda_runner.py does this on the simulated device")
    cupy: Any = pytest.importorskip("cupy")
    body = find_stage("gaussian").build([PICTURE], {"sigma": 1.3})
    clip = pictures(5)
    wanted = ReferenceProgram(body).run([clip], {})
    program = gpu.executor.compile(body)
    with cupy.cuda.Device(gpu.executor.device.index):
        source, theirs = cupy.asarray(clip), cupy.cuda.Stream(non_blocking=True)
        busy, array = cupy.ones((4096, 4096), cupy.float32), cupy.zeros_like(source)
        cupy.cuda.get_current_stream().synchronize()
        for strided in (False, True):
            with theirs:
                array[...] = 0
                for _ in range(200):  # some milliseconds
                    busy *= 1.0001
                array[...] = source
                given = cupy.asfortranarray(array) if strided else array
                pending = program.submit([given], {})
                del given
            assert agree(pending.result(), wanted), strided


def test_two_programs_chained_on_the_device(gpu: Gpu) -> None:
    blur = find_stage("gaussian").build([PICTURE], {"sigma": 0.8})
    (between,) = (o.type for o in blur.outputs)
    edges = find_stage("laplacian").build([between])  # type: ignore[list-item]
    first, second = (gpu.executor.compile(body) for body in (blur, edges))
    assert isinstance(first, CudaRunner)
    first.resident = frozenset(o.name for o in blur.outputs)
    for seed in range(8):  # more than there are slots
        clip = pictures(3, seed)
        left: Any = first.run([clip], {})[blur.outputs[0].name]
        assert isinstance(left, DeviceBatch)
        wanted = ReferenceProgram(edges).run([ReferenceProgram(blur).run([clip], {})[blur.outputs[0].name]], {})
        assert agree(second.run([left], {}), wanted)


def test_results_may_be_written_where_the_caller_wants(gpu: Gpu) -> None:
    body = find_stage("binomial").build([PICTURE])
    clip, out = pictures(4), np.empty((4, *PICTURE.shape), np.uint8)
    name = body.outputs[0].name
    assert gpu.executor.compile(body).run([clip], {}, {name: out})[name] is out
    np.testing.assert_array_equal(out, ReferenceProgram(body).run([clip], {})[name])
