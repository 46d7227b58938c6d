"""Row kernels of layers on 64-bit ARM, in an emulator: the bits of the reference."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.codegen.layers_across import Across, Turn
from kernels.codegen.layers_choice import choose
from kernels.codegen.layers_dense import Tile
from kernels.codegen.layers_dense_int8 import Int8Tile
from kernels.codegen.layers_depthwise import Depthwise
from kernels.codegen.layers_depthwise_int8 import Int8Depthwise
from kernels.codegen.layers_epilogue import SUM, Epilogue, beside, constant, scalar, summed
from kernels.codegen.layers_moves import Move
from kernels.codegen.layers_network import Ending, Network, Taps
from kernels.executors.layers import target_of
from kernels.executors.reference_volumes import contracted
from kernels.fusion.layers import Look
from kernels.fusion.layers_schedule import pulled
from kernels.ir.expr import convert, maximum, rint, select
from kernels.ir.image import F32, I32, U8
from kernels.ir.volumes import Contract, Weights
from tests.kernels.codegen import layers_reference as reference
from tests.kernels.codegen.layers_drawn import numbers
from tests.kernels.executors.emulated_arm import THERE, ArmProgram, machine

pytestmark = pytest.mark.skipif(not THERE, reason="QEMU's aarch64 or binutils for it are not installed")


def test_floats_have_the_bits_of_the_reference(tmp_path):
    """Dense layers of any tile, also across pixels, in groups, depthwise with strides, transposed; pools, repeats."""
    rng = np.random.default_rng(5)
    network = Network(target_of(machine()))
    image = numbers(rng, (10, 24, 5))
    source = network.map(10, 24, 5, kept=True)
    wanted = {}

    def convolution(now, volume, f, taps, stride=1, groups=1, root=SUM, looks=(), rows=(), tables=()):
        weights, bias = numbers(rng, (f, taps, taps, volume.shape[2] // groups)), numbers(rng, (f,))
        at, size = -(taps // 2), tuple(-(-n // stride) for n in volume.shape[:2])
        made = network.convolution(
            now, weights, bias, size,
            Taps(at=(at, at), stride=(stride, stride), groups=groups),
            Ending(epilogue=Epilogue(root), beside=looks, tables=tables),
        )  # fmt: skip
        total = reference.convolution(volume, weights, bias, size, (at, at), (stride, stride), (1, 1), groups)
        return made, total

    few, total = convolution(source, image, 6, 3, root=maximum(SUM, 0))
    wanted[few] = np.maximum(total, 0)
    slopes = numbers(rng, (40,))
    wide, total = convolution(few, wanted[few], 40, 3, root=select(SUM < 0, SUM * constant(0), SUM), tables=[slopes])
    wanted[wide] = np.where(total < 0, total * slopes, total)
    deep, wanted[deep] = convolution(wide, wanted[wide], 40, 3, groups=40)
    half, wanted[half] = convolution(deep, wanted[deep], 40, 3, stride=2, groups=40)
    some, wanted[some] = convolution(half, wanted[half], 12, 3, groups=4)
    long, wanted[long] = convolution(half, wanted[half], 72, 1)
    ended, total = convolution(long, wanted[long], 40, 1, root=maximum(SUM + beside(0), 0), looks=[Look(half)])
    wanted[ended] = np.maximum(total + wanted[half], 0)
    pooled = network.move([Look(ended, (2, 2), stride=(2, 2))], (2, 6), 40, kind="max")
    wanted[pooled] = reference.folded(wanted[ended], np.maximum, (2, 2), (2, 6), (0, 0), (2, 2), 0.0)
    twice = network.repeated(pooled, (2, 2))
    wanted[twice] = wanted[pooled].repeat(2, 0).repeat(2, 1)
    weights, bias = numbers(rng, (16, 2, 2, 40)), numbers(rng, (16,))
    grown = network.transposed(pooled, weights, bias, (4, 12), (2, 2), Taps(at=(-1, -1)))
    wanted[grown] = reference.transposed(wanted[pooled], weights, bias, (4, 12), (-1, -1), (2, 2))
    choose(network)
    kinds = {type(kernel) for layer in network.settled() for kernel in layer.kernels}
    assert kinds >= {Tile, Across, Turn, Depthwise, Move}
    leaving = [number for number in wanted if not network.maps[number].planes]
    for number in leaving:
        network.maps[number].kept = True
    program = ArmProgram(network, [[pulled(network)]], tmp_path)
    program.rows(source)[:] = image
    program.run()
    for number in leaving:
        assert np.any(wanted[number]), number
        assert reference.same(np.array(program.rows(number)), wanted[number]), number


def test_whole_numbers_are_those_of_the_reference(tmp_path):
    """Sums of bytes, dense and depthwise, of the largest values, and what a quantiser makes of them."""
    rng = np.random.default_rng(6)
    network = Network(target_of(machine()))
    image = rng.choice([0, 1, 200, 255], (7, 13, 24)).astype(np.uint8)
    source = network.map(7, 13, 24, kept=True, outside=9, dtype=U8)
    quantised = Epilogue(convert(rint(convert(summed(I32), F32) * constant(0)) + scalar(0, F32), U8))
    scale, zero = rng.uniform(1e-6, 1e-3, 24).astype(np.float32), np.float32(17)
    wanted = {}
    for groups in (1, 24):
        weights = rng.choice([-128, -1, 3, 127], (24, 3, 3, 24 // groups)).astype(np.int8)
        bias = rng.integers(-(2**31), 2**31, 24).astype(np.int32)
        bias[::2] //= 2**12
        how = Contract(Weights(weights), (7, 13), -1, -1, groups=groups, outside=9)
        total = contracted(image, bias, how)
        for epilogue, made in ((None, total), (quantised, np.rint(total.astype(np.float32) * scale) + zero)):
            number = network.int8_convolution(
                source, weights, bias, (7, 13),
                Taps(at=(-1, -1), groups=groups),
                Ending() if epilogue is None else Ending(epilogue, tables=[scale], scalars=[zero]),
            )  # fmt: skip
            network.maps[number].kept = True
            wanted[number] = made if epilogue is None else np.clip(made, 0, 255).astype(np.uint8)
    assert {type(kernel) for layer in network.layers for kernel in layer.kernels} == {Int8Tile, Int8Depthwise}
    program = ArmProgram(network, [[pulled(network)]], tmp_path)
    program.rows(source)[:] = image
    program.run()
    for number, values in wanted.items():
        assert len(np.unique(values)) > 3
        assert np.array_equal(program.rows(number), values), number
