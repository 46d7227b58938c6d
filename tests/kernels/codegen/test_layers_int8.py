"""Rows of layers of whole numbers: the sums and the bytes of the reference, by every way of adding products."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen.layers_dot import dot_of
from kernels.codegen.layers_epilogue import COPIES, Epilogue, beside, constant, scalar, summed
from kernels.codegen.layers_network import Ending, Network, Taps
from kernels.codegen.layers_target import Target
from kernels.errors import DefinitionError
from kernels.executors.layers import LayerProgram, target_of
from kernels.executors.machine import Machine
from kernels.executors.reference_volumes import contracted
from kernels.fusion.layers import Look, Place
from kernels.fusion.layers_schedule import pulled
from kernels.ir.expr import convert, rint
from kernels.ir.image import F32, I8, I32, U8
from kernels.ir.volumes import Contract, Weights

HOST = Machine()
HAS = set(HOST.features.split(","))
X86 = "x86_64" in HOST.triple
WAYS: dict[str, tuple[str, Target]] = {"own": ("auto", target_of(HOST)), "plain": ("auto", Target(8, 2, 6, True))}
"""Levels of instruction sets and tiles that this processor runs."""
if X86 and "+avx2" in HAS:
    WAYS |= {"avx2": ("avx2", Target(8, 3, 4, True, "pairs")), "baseline": ("baseline", Target(8, 3, 4, False))}
if "+avxvnni" in HAS or {"+avx512vnni", "+avx512vl"} <= HAS:
    WAYS["vnni of 256 bits"] = "auto", Target(8, 3, 4, True, "vnni")
if "+avx512bw" in HAS:
    WAYS |= {"avx512": ("avx512", Target(16, 3, 8, True, "pairs")), "long": ("auto", Target(16, 3, 8, True))}
SUM = summed(I32)
QUANTISED = convert(rint(convert(SUM, F32) * constant(0)) + scalar(0, F32), U8)


def quantised(total: np.ndarray, scale: np.ndarray, zero: float) -> np.ndarray:
    share = np.rint(total.astype(np.float32) * scale) + np.float32(zero)
    return np.clip(share, 0, 255).astype(np.uint8)


@settings(max_examples=32, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_sums_are_exact(data: st.DataObject):
    level, target = WAYS[data.draw(st.sampled_from(sorted(WAYS)))]
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    h, w, c = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 20)), data.draw(st.integers(1, 40))
    taps, stride, dilation = (tuple(data.draw(st.integers(1, n)) for _ in "yx") for n in (5, 3, 2))
    at = data.draw(st.integers(-taps[0] + 1, 0)), data.draw(st.integers(-taps[1] + 1, 0))
    size = max(1, h // stride[0]), max(1, w // stride[1])
    kind = data.draw(st.sampled_from(["dense", "depthwise", "grouped"]))
    groups, f = 1, data.draw(st.integers(1, 60))
    if kind == "depthwise":
        groups = f = c
    elif kind == "grouped":
        groups = data.draw(st.sampled_from([g for g in range(1, c + 1) if c % g == 0]))
        f = groups * data.draw(st.sampled_from([1, 2, 3, 8]))
    outside = data.draw(st.integers(0, 255))
    few = data.draw(st.booleans())  # sums of values of the largest size
    image = rng.choice([0, 255], (h, w, c)) if few else rng.integers(0, 256, (h, w, c))
    shape = f, *taps, c // groups
    weights = (rng.choice([-128, 127], shape) if few else rng.integers(-128, 128, shape)).astype(np.int8)
    bias = rng.integers(-(2**31), 2**31, f).astype(np.int32)
    network = Network(target)
    pitch = c if data.draw(st.booleans()) and kind == "dense" else 0  # pixels may lie side by side for dense layers
    source = network.map(h, w, c, kept=True, outside=outside, dtype=U8, pitch=pitch)
    sums = network.int8_convolution(
        source, weights, bias, size, Taps(at=at, stride=stride, dilation=dilation, groups=groups)
    )
    network.maps[sums].kept = True
    total = contracted(image.astype(np.uint8), bias, Contract(Weights(weights), size, *at, stride, dilation, groups,
                                                              outside=outside))  # fmt: skip
    scale, zero = rng.uniform(1e-9, 1e-2, f).astype(np.float32), np.float32(data.draw(st.integers(0, 255)))
    bytes_ = network.int8_convolution(
        source, weights, bias, size,
        Taps(at=at, stride=stride, dilation=dilation, groups=groups),
        Ending(epilogue=Epilogue(QUANTISED), tables=[scale], scalars=[zero]),
    )  # fmt: skip
    network.maps[bytes_].kept = True
    program = LayerProgram(network, [[pulled(network)]], Machine(level))
    program.rows(source)[:] = image
    program.run()
    assert np.array_equal(program.rows(sums), total)
    assert np.array_equal(program.rows(bytes_), quantised(total, scale, zero))


@pytest.mark.parametrize("target", [Target(8, 3, 4, True, "pairs"), Target(16, 3, 8, True, "pairs")])
def test_tiles_of_pairs_stay_in_registers_and_fill_them(target: Target):
    """Sums, the weights of a pair, a pixel's pair, a mask and a product."""
    for vectors in (1, 2, 3):
        pixels = target.wide_of_bytes(vectors)
        used = vectors * pixels + vectors + 3
        assert used <= target.registers
        assert used > target.registers * 2 / 3 or pixels == target.wide(vectors)


@pytest.mark.parametrize("way", sorted(WAYS))
def test_bytes_are_moved_pooled_and_added(way: str):
    level, target = WAYS[way]
    rng = np.random.default_rng(3)
    image = rng.integers(0, 256, (6, 10, 27)).astype(np.uint8)
    network = Network(target)
    source = network.map(6, 10, 27, kept=True, dtype=U8)
    largest = network.move([Look(source, (2, 2), stride=(2, 2))], (3, 5), 27, kind="max")
    least = network.move([Look(source, (2, 2), stride=(2, 2))], (3, 5), 27, kind="min")
    both = network.stack([largest, least])
    twice = network.repeated(largest, (2, 2))
    halves = Epilogue(convert(rint(convert(summed(U8), F32) * 0.5) + convert(beside(0, U8), F32) * 0.5, I8))
    joined = network.move([Look(largest), Look(least)], (3, 5), 27, epilogue=halves, into=Place(
        network.map(3, 5, 27, bank=1, dtype=I8)))  # fmt: skip
    for number in (both, twice):
        network.maps[number].kept = True
    program = LayerProgram(network, [[pulled(network)]], Machine(level))
    program.rows(source)[:] = image
    made = np.zeros((3, 5, 27), np.int8)
    program.run({1: made})
    blocks = image.reshape(3, 2, 5, 2, 27)
    top, low = blocks.max((1, 3)), blocks.min((1, 3))
    assert np.array_equal(program.rows(both), np.concatenate([top, low], 2))
    assert np.array_equal(program.rows(twice), top.repeat(2, 0).repeat(2, 1))
    wanted = np.rint(top.astype(np.float32) * np.float32(0.5)) + low.astype(np.float32) * np.float32(0.5)
    assert np.array_equal(made, np.clip(np.rint(wanted), -128, 127).astype(np.int8))
    assert network.maps[joined].dtype == I8


@pytest.mark.parametrize("name", ["vnni", "pairs", "plain"])
def test_packed_weights_hold_each_once(name: str):
    dot = dot_of(Target(8, 3, 4, True, name))
    weights = np.arange(-128, 128, dtype=np.int8).reshape(8, 8, 4)
    packed = dot.pack(weights)
    assert packed.shape == (8, 8 * dot.size)
    numbers = packed.view({4: np.int8, 8: np.int16, 16: np.int32}[dot.size])
    assert sorted(numbers.ravel()) == list(range(-128, 128))


def test_layers_of_bytes_that_do_not_fit_are_refused():
    network = Network(target_of(HOST))
    floats = network.map(4, 4, 8)
    with pytest.raises(DefinitionError, match="8 channels of f32"):
        network.int8_convolution(floats, np.zeros((8, 1, 1, 8), np.int8), np.zeros(8), (4, 4))
    given_ = network.map(4, 4, 8, bank=1, dtype=U8)
    with pytest.raises(DefinitionError, match="do not fit"):
        network.int8_convolution(given_, np.zeros((8, 1, 1, 8), np.int8), np.zeros(8), (4, 4))
    assert network.maps[network.move([Look(given_)], (4, 4), 8)].dtype == COPIES[U8].root.dtype
