"""Networks of whole numbers as machine code: the bits of the reference, by every way of adding products."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from kernels.executors import networks
from kernels.executors.cpu import CpuExecutor
from kernels.executors.machine import Machine
from kernels.executors.networks import NetworkProgram
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.normal import Unsupported
from kernels.ir.expr import Expr, const, convert, rint
from kernels.ir.image import F32, I8, I32, U8, ImageType
from kernels.ir.volumes import Contract, Weights, contract, input_volume, stack, vector
from tests.kernels.codegen.test_layers_int8 import WAYS
from tests.kernels.executors.test_networks import workers
from tests.layers import body_of
from tests.layers_int8 import int8_networks
from tests.strategies import same


@pytest.fixture(scope="module")
def images() -> CpuExecutor:
    return CpuExecutor(threads=1)


@given(data=st.data())
@settings(max_examples=24, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_network_of_whole_numbers_has_the_bits_of_the_reference(data, images):
    dtype = data.draw(st.sampled_from((F32, F32, U8, I8)))
    size = data.draw(st.sampled_from(((1, 1), (1, 7), (6, 1), (5, 9), (8, 8))))
    type_ = ImageType(dtype, *size, data.draw(st.integers(2, 20)))
    root = data.draw(int8_networks(input_volume(0, type_)))
    body = body_of(root, (type_,), root.dtype)
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    frames = rng.integers(-128, 128, (3, *type_.shape))
    frames = frames.astype(np.float32) * np.float32(0.03) if dtype == F32 else frames.astype(dtype.numpy)
    if dtype == F32 and data.draw(st.booleans()):
        frames.reshape(-1)[::3] = rng.choice([np.nan, np.inf, -np.inf, 1e30, -0.0], len(frames.reshape(-1)[::3]))
    level, target = WAYS[data.draw(st.sampled_from(sorted(WAYS)))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(networks, "target_of", lambda machine: target)
        try:
            made = NetworkProgram(body, Machine(level), images.compile, workers=workers(data.draw(st.integers(1, 3))))
        except Unsupported as reason:
            event(str(reason))
            return
    event("runs")
    found = np.concatenate([made.run([part], {})["out"] for part in (frames[:1], frames[1:])])
    assert same(found, np.asarray(ReferenceProgram(body).run([frames], {})["out"]))


@pytest.mark.parametrize("zero", [0, -128, 5])
def test_a_skip_of_bytes_of_fewer_channels(zero, images):
    """What is behind it is its zero point, whatever lies in maps for that."""
    type_ = ImageType(I8, 4, 5, 12)
    rng = np.random.default_rng(zero + 128)

    def sums(x: Expr, features: int) -> Expr:
        weights = rng.integers(-9, 9, (features, 1, 1, x.channels)).astype(np.int8)
        return convert(contract(x, const(0, I32), Contract(Weights(weights), (4, 5))), F32)

    x = convert(rint(sums(input_volume(0, type_), 12) * 0.1), I8)
    skip = convert(stack([x, vector(np.full(4, zero, np.int8))]), I32) - zero
    body = body_of(sums(x, 16) * 0.01 + convert(skip, F32) * 0.5, (type_,))
    frames = rng.integers(-128, 128, (2, *type_.shape)).astype(np.int8)
    made = NetworkProgram(body, Machine(), images.compile)
    assert same(made.run([frames], {})["out"], np.asarray(ReferenceProgram(body).run([frames], {})["out"]))
