"""Depthwise rows by pairs of pixels: the bits of the reference, and when they are taken."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.codegen.layers_depthwise import Depthwise
from kernels.codegen.layers_epilogue import SUM, Epilogue, beside, constant
from kernels.codegen.layers_network import Ending, Network, Taps
from kernels.codegen.layers_pairs import Pairs
from kernels.codegen.layers_target import Target
from kernels.executors.layers import LayerProgram, target_of
from kernels.executors.machine import Machine
from kernels.fusion.layers import Look
from kernels.fusion.layers_schedule import pulled
from kernels.ir.expr import maximum
from tests.kernels.codegen import layers_reference as reference
from tests.kernels.codegen.layers_drawn import numbers

AVX512 = Target(16, 3, 8, True)


@pytest.mark.parametrize("channels", [3, 8, 24, 21, 40])
@pytest.mark.parametrize(("taps", "dilation"), [((3, 3), 1), ((1, 4), 1), ((2, 2), 1), ((3, 3), 2)])
@pytest.mark.parametrize("width", [2, 10, 26])
def test_pairs_have_the_bits_of_the_reference(
    channels: int, taps: tuple[int, int], dilation: int, width: int
):  # fmt: skip
    rng = np.random.default_rng(channels + width)
    machine = Machine()
    image, skip = numbers(rng, (5, width, channels)), numbers(rng, (5, width, channels))
    weights, bias, slopes = numbers(rng, (channels, *taps, 1)), numbers(rng, (channels,)), numbers(rng, (channels,))
    network = Network(target_of(machine))
    source, other = (network.map(5, width, channels, kept=True) for _ in range(2))
    at = -(taps[0] // 2), -(taps[1] // 2) * dilation
    epilogue = Epilogue(maximum(SUM + beside(0), SUM * constant(0)))
    made = network.convolution(
        source, weights, bias, (5, width),
        Taps(at=at, dilation=(1, dilation), groups=channels),
        Ending(epilogue=epilogue, beside=[Look(other)], tables=[slopes]),
    )  # fmt: skip
    network.maps[made].kept = True
    program = LayerProgram(network, [[pulled(network)]], machine)
    program.rows(source)[:], program.rows(other)[:] = image, skip
    program.run()
    total = reference.convolution(image, weights, bias, (5, width), at, (1, 1), (1, dilation), channels)
    assert reference.same(np.array(program.rows(made)), np.maximum(total + skip, total * slopes))


@pytest.mark.parametrize(
    ("channels", "width", "stride", "taken"),
    [(24, 10, 1, True), (21, 10, 1, True), (40, 10, 1, True), (24, 9, 1, False), (24, 10, 2, False),
     (32, 10, 1, False), (56, 10, 1, False)],
)  # fmt: skip
def test_when_pixels_are_taken_in_pairs(channels: int, width: int, stride: int, taken: bool):
    network = Network(AVX512)
    source = network.map(4, width * stride, channels)
    network.convolution(
        source, np.zeros((channels, 3, 3, 1), np.float32), np.zeros(channels), (4, width),
        Taps(at=(-1, -1), stride=(1, stride), groups=channels),
    )  # fmt: skip
    (layer,) = network.settled()
    assert isinstance(layer.kernels[0], Pairs if taken else Depthwise)


def test_pixels_that_lie_apart_are_not_taken_in_pairs():
    """Where values are only moved, a further row of fewer channels has zeros behind them: its pixels are as long as
    the wider layer's."""
    network = Network(AVX512)
    source = network.map(4, 10, 24)
    made = network.convolution(source, np.zeros((24, 3, 3, 1), np.float32), np.zeros(24), (4, 10), Taps(groups=24))
    wide = network.map(4, 10, 32)
    network.move([Look(wide), Look(made)], (4, 10), 32, epilogue=Epilogue(SUM + beside(0)))
    assert isinstance(network.settled()[0].kernels[0], Depthwise)


def test_a_further_row_of_fewer_channels_leaves_pixels_side_by_side():
    """A dense layer looks at nothing behind the channels of a further row, so nothing has to be there."""
    network = Network(AVX512)
    source = network.map(4, 10, 24)
    made = network.convolution(source, np.zeros((24, 3, 3, 1), np.float32), np.zeros(24), (4, 10), Taps(groups=24))
    network.convolution(
        made, np.zeros((32, 1, 1, 24), np.float32), np.zeros(32), (4, 10),
        ending=Ending(beside=[Look(made)], epilogue=Epilogue(SUM + beside(0))),
    )  # fmt: skip
    assert isinstance(network.settled()[0].kernels[0], Pairs)
