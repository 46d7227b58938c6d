"""Rows of network layers: bit for bit the fixed order of sums, in any schedule, on any processor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen import layers_across
from kernels.codegen.layers_dense import Tile, float_tilings, halved, pack, tile, tilings
from kernels.codegen.layers_epilogue import NOTHING, SUM, Epilogue, beside, constant
from kernels.codegen.layers_network import Ending, Network, Taps
from kernels.codegen.layers_steps import generate
from kernels.codegen.layers_target import Target, forms
from kernels.errors import DefinitionError, ExprError
from kernels.executors.cpu import CpuExecutor
from kernels.executors.layers import LayerProgram, target_of
from kernels.executors.machine import Machine
from kernels.fusion.layers import Look, Place
from kernels.fusion.layers_schedule import pulled, schedule, striped
from kernels.ir.expr import maximum
from kernels.ir.fused import fma32
from tests.kernels.codegen import layers_reference as reference
from tests.kernels.codegen.layers_drawn import EPILOGUES, networks, numbers, orders

X86 = "x86_64" in Machine().triple
LEVELS = ["auto", "avx2", "baseline"] if X86 and "+fma" in Machine().features else ["auto"]
"""Instruction sets that this processor runs: with 512 bits, 256 bits, and without fused multiply-adds."""
CREWS = {1: None} | {n: CpuExecutor(threads=n).workers for n in (2, 3)}
AVX512 = Target(16, 3, 8, True)
TARGETS = [AVX512, Target(8, 3, 4, True), Target(8, 2, 6, True)]


@pytest.fixture(scope="module")
def machines() -> dict[str, Machine]:
    return {level: Machine(level) for level in LEVELS}


@pytest.mark.parametrize("level", LEVELS)
def test_a_step_of_a_sum_is_rounded_once(level: str, machines: dict[str, Machine]):
    """Sums that lie half way between two floats but for less than f64 can hold beside them."""
    machine = machines[level]
    network = Network(target_of(machine))
    source = network.map(1, 1, 1, kept=True)
    bias = np.array([1, 1, -1, 1, 2.0**-149, 3e38, 2.0**-70, -(2.0**-70)], np.float32)
    weights = np.array([2.0**-24, 2.0**-24, -(2.0**-24), 3 * 2.0**-24, 2.0**-140, 3e38, 1, 1], np.float32)
    value = np.float32(1 + 2.0**-12)  # its square lies half way between two floats
    weights[6:] = value
    out = network.convolution(source, weights.reshape(-1, 1, 1, 1), bias, (1, 1))
    network.maps[out].kept = True
    program = LayerProgram(network, [[pulled(network)]], machine)
    program.rows(source)[:] = value
    program.run()
    wanted = fma32(value, weights, bias)
    assert reference.same(np.array(program.rows(out)), wanted.reshape(1, 1, -1))
    assert wanted[6] != wanted[7]
    twice = (value.astype(np.float64) * weights[6:] + bias[6:]).astype(np.float32)
    assert (twice != wanted[6:]).sum() == 1  # rounding twice is not the same


@st.composite
def layer_orders(draw: st.DrawFn, network: Network) -> list[int]:
    """The layers in an order in which each can be made."""
    waiting, order = list(range(len(network.layers))), list[int]()
    while waiting:
        missing = {network.layers[n].place.map for n in waiting}
        ready = [n for n in waiting if not missing & {look.map for look in network.layers[n].looks}]
        order.append(draw(st.sampled_from(ready)))
        waiting.remove(order[-1])
    return order


@settings(max_examples=32, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_network_in_any_order_has_the_bits_of_the_reference(data: st.DataObject):
    level = data.draw(st.sampled_from(LEVELS))
    machine = Machine(level)
    target = target_of(machine)
    if target.lanes == 16:  # Zen 4's tiles, whatever this processor is
        target = replace(target, halves=data.draw(st.booleans()))
    if level == "avx2":  # Zen 3's stores
        target = replace(target, handing=data.draw(st.booleans()))
    drawn = data.draw(networks(target))
    network = drawn.network
    kept = data.draw(st.sets(st.sampled_from(sorted(drawn.values))))
    last = max(drawn.values)
    for number in kept | {last}:
        network.maps[number].kept = True
    cuts = sorted(data.draw(st.sets(st.integers(1, len(network.layers)))) - {len(network.layers)})
    how = data.draw(st.sampled_from(["layer by layer", "pulled", "cut", "any", "strips"]))
    threads = data.draw(st.integers(1, 3))
    together = data.draw(st.sampled_from((0, 1 << 10, 8 << 10)))
    way = data.draw(layer_orders(network))
    match how:
        case "layer by layer":
            order = pulled(network, range(1, len(network.layers)))
        case "pulled" | "strips":
            order = pulled(network, (), together)
        case "cut":
            order = pulled(network, cuts, together, way)
        case _:
            order = data.draw(orders(network))
    program = LayerProgram(network, [[order]], machine, cached=True)
    if how == "strips":
        program = program.twin(striped(network, cuts, data.draw(st.integers(1, 4)), together, way))
    first = min(drawn.values)
    for _ in range(2):  # a second frame finds rings full of the first
        program.rows(first)[:] = drawn.image
        program.run(workers=CREWS[threads])
        for number in kept | {last}:
            assert reference.same(np.array(program.rows(number)), drawn.values[number]), (how, level, number)


def test_who_takes_part_alone_makes_all_strips():
    machine = Machine()
    network = Network(target_of(machine))
    rng = np.random.default_rng(3)
    now = source = network.map(9, 11, 8, kept=True)
    for _ in range(3):
        weights = numbers(rng, (8, 3, 3, 8))
        now = network.convolution(now, weights, np.zeros(8), (9, 11), Taps(at=(-1, -1)))
    network.maps[now].kept = True
    image = numbers(rng, (9, 11, 8))
    whole = LayerProgram(network, [[pulled(network)]], machine)
    strips = whole.twin(striped(network, (1, 2), 3))
    for program in (whole, strips):
        program.rows(source)[:] = image
    whole.run()
    crew = CREWS[3]
    assert crew is not None
    for alone in (False, True):
        strips.rows(now)[:] = np.nan
        if alone:
            with crew._lock:  # as if another batch had the threads
                strips.run(workers=crew)
        else:
            strips.run(workers=crew)
        assert reference.same(np.array(strips.rows(now)), np.array(whole.rows(now)))


@settings(max_examples=25)
@given(data=st.data())
def test_transposed_convolutions(data: st.DataObject):
    machine = Machine(data.draw(st.sampled_from(LEVELS)))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    up = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    taps = tuple(s + data.draw(st.integers(0, 2)) for s in up)
    at = data.draw(st.integers(-4, 2)), data.draw(st.integers(-4, 2))
    h, w, c, f = (data.draw(st.integers(1, n)) for n in (4, 9, 5, 20))
    size = (h - 1) * up[0] + taps[0], (w - 1) * up[1] + taps[1]
    network = Network(target_of(machine))
    source = network.map(h, w, c, kept=True)
    weights, bias, image = numbers(rng, (f, *taps, c)), numbers(rng, (f,)), numbers(rng, (h, w, c))
    made = network.transposed(source, weights, bias, size, up, Taps(at=at))
    network.maps[made].kept = True
    program = LayerProgram(network, [[pulled(network)]], machine)
    program.rows(source)[:] = image
    program.run()
    wanted = reference.transposed(image, weights, bias, size, at, up)
    assert reference.same(np.array(program.rows(made)), wanted)


@pytest.mark.parametrize("channels", [1, 63, 64, 65, 130])
def test_blocks_of_64_input_channels_come_before_taps(channels: int):
    """The order is meaning: of one block it is that of taps and channels, of several it is not."""
    rng = np.random.default_rng(channels)
    image, weights = numbers(rng, (3, 6, channels)), numbers(rng, (9, 3, 3, channels))
    bias = numbers(rng, (9,))
    machine = Machine()
    network = Network(target_of(machine))
    source = network.map(3, 6, channels, kept=True)
    out = network.convolution(source, weights, bias, (3, 6), Taps(at=(-1, -1)))
    network.maps[out].kept = True
    program = LayerProgram(network, [[pulled(network)]], machine)
    program.rows(source)[:] = image
    program.run()
    made = np.array(program.rows(out))
    assert reference.same(made, reference.convolution(image, weights, bias, (3, 6), (-1, -1), (1, 1), (1, 1), 1))


def test_what_is_not_finite_stays_in_its_channel():
    machine = Machine()
    network = Network(target_of(machine))
    source = network.map(1, 5, 3, kept=True)
    weights = np.ones((2, 1, 1, 3), np.float32)
    out = network.convolution(source, weights, np.zeros(2), (1, 5))
    network.maps[out].kept = True
    program = LayerProgram(network, [[pulled(network)]], machine)
    program.rows(source)[:] = [[[1, 2, 3], [np.inf, 0, 0], [np.nan, 0, 0], [np.inf, -np.inf, 0], [0, 0, 0]]]
    program.run()
    assert np.array_equal(program.rows(out)[0, :, 0], [6, np.inf, np.nan, np.nan, 0], equal_nan=True)


def test_rows_in_memory_of_others_are_read_and_written_there():
    machine = Machine()
    network = Network(target_of(machine))
    rng = np.random.default_rng(0)
    image, weights = numbers(rng, (4, 7, 3)), numbers(rng, (16, 3, 3, 3))
    given_ = network.map(4, 7, 3, bank=1)
    own = network.move([Look(given_)], (4, 7), 3)
    result = network.map(4, 7, 16, bank=2)
    network.convolution(own, weights, np.zeros(16), (4, 7), Taps(at=(-1, -1)), into=Place(result))
    program = LayerProgram(network, [[pulled(network)]], machine)
    for frame in (image, image[::-1].copy()):
        made = np.full((4, 7, 16), np.nan, np.float32)
        program.run({1: frame, 2: made})
        wanted = reference.convolution(frame, weights, np.zeros(16), (4, 7), (-1, -1), (1, 1), (1, 1), 1)
        assert reference.same(made, wanted)
    assert [program.schedule.rings[m][0].rows for m in (own,)] == [3]


def test_layers_that_do_not_fit_are_refused():
    network = Network(AVX512)
    source = network.map(4, 4, 8)
    with pytest.raises(DefinitionError, match="do not fit a map of 8 channels"):
        network.convolution(source, np.zeros((8, 1, 1, 7), np.float32), np.zeros(8), (4, 4))
    there = network.map(4, 4, 20)
    with pytest.raises(DefinitionError, match="before others"):
        network.convolution(source, np.zeros((5, 1, 1, 8), np.float32), np.zeros(5), (4, 4), into=Place(there))
    network.convolution(source, np.zeros((4, 1, 1, 8), np.float32), np.zeros(4), (4, 4), into=Place(there, channel=16))
    odd = network.map(4, 4, 5, bank=1)
    with pytest.raises(DefinitionError, match="must be copied first"):
        network.convolution(odd, np.zeros((8, 1, 1, 5), np.float32), np.zeros(8), (4, 4))


def test_an_epilogue_holds_scalar_operations_only():
    with pytest.raises(ExprError, match="must be f32"):
        Epilogue(SUM > 0)
    with pytest.raises(ExprError, match="at most"):
        Epilogue(SUM + beside(4))
    with pytest.raises(ExprError, match="at most"):
        Epilogue(SUM + constant(2))
    assert Epilogue(SUM + beside(1)).beside == 2
    assert Epilogue(maximum(SUM, constant(1))).tables == 2


@given(channels=st.integers(1, 400), width=st.integers(1, 70), target=st.sampled_from(TARGETS))
def test_tiles_cover_channels_evenly(channels: int, width: int, target: Target):
    most = forms(width, target.pixels)[0]
    cut = tilings(channels, target, target.fitting(most))
    lanes = sum(sum(widths) * count for widths, count in cut)
    assert lanes == -(-channels // 8) * 8
    counts = [len(widths) for widths, count in cut for _ in range(count)]
    assert max(counts) - min(counts) <= 1
    assert max(counts) * (most + 1) < target.registers
    tiles = [(Tile.of(target, widths, width, False, NOTHING, 64), count) for widths, count in cut]
    rooms = sum(tile.room * count for tile, count in tiles)
    assert pack(np.ones((channels, 2, 1, 3), np.float32), tiles).size == rooms * 6
    assert rooms - lanes in (0, 8)


@given(channels=st.integers(1, 400), width=st.integers(1, 70), steps=st.integers(1, 200))
def test_where_half_vectors_are_as_fast_none_is_shared_and_tiles_keep_multiply_adds_busy(
    channels: int, width: int, steps: int
):
    target = replace(AVX512, halves=True)
    cut = float_tilings(channels, target, forms(width, target.pixels_of(steps))[0])
    assert sum(sum(widths) * count for widths, count in cut) == -(-channels // 8) * 8
    tiles = [(Tile.of(target, widths, width, False, NOTHING, steps), count) for widths, count in cut]
    assert not any(tile.paired for tile, _ in tiles)
    assert pack(np.ones((channels, 2, 1, 3), np.float32), tiles).size == -(-channels // 8) * 8 * 6
    for each, _ in tiles:
        assert len(set(each.widths)) == 1
        assert len(each.widths) * (max(each.forms) + 1) < target.registers
    *whole, (last, _) = tiles
    assert not any(halved(tile.widths, target) for tile, _ in whole)
    if halved(last.widths, target) and width >= 8 and channels > 8:
        assert len(last.widths) * min(last.forms) >= 12  # two a cycle, of four cycles each, and some loads
        assert sum(len(tile.widths) * count for tile, count in whole) != 1


def test_zen_4_makes_two_multiply_adds_of_half_vectors_in_the_time_of_one_of_whole_ones():
    wide = "+avx512f,+avx512vl,+avx512bw,+avx512vnni"
    assert {cpu: Target.of("x86_64", cpu, wide).halves for cpu in ("znver4", "znver5", "sapphirerapids")} == {
        "znver4": True, "znver5": False, "sapphirerapids": False}  # fmt: skip
    assert not Target.of("x86_64", "znver3", "+fma,+avx2").halves


def test_zen_3_is_handed_what_it_stores_by_the_tiles_that_gain():
    """One operation right before each store of a whole vector, in tiles with short epilogues."""
    narrow = "+fma,+avx2"
    target = Target.of("x86_64", "znver3", narrow)
    others = ("znver4", "alderlake", "x86-64-v3")
    assert target.handing
    assert not any(Target.of("x86_64", cpu, narrow).handing for cpu in others)
    found = {}
    for name in ("none", "relu", "relu6", "leaky", "residual", "pooled"):
        for lanes in (8, 4):
            text = tile(Tile((lanes,), (4,), epilogue=Epilogue(EPILOGUES[name])), target).text
            found[name, lanes] = text.count("vandps")
            assert "vandps" not in tile(Tile((lanes,), (4,), epilogue=Epilogue(EPILOGUES[name])), TARGETS[1]).text
    assert found == {("none", 8): 4, ("relu", 8): 4, ("relu6", 8): 0, ("leaky", 8): 0, ("residual", 8): 0,
                     ("pooled", 8): 0, **{(name, 4): 0 for name, _ in found}}  # fmt: skip


def test_short_sums_have_smaller_tiles_with_512_bits_alone():
    assert [AVX512.wide(3, steps) for steps in (8, 48, 49)] == [6, 6, 8]
    assert [AVX512.wide(vectors, 8) for vectors in (1, 2)] == [16, 8]
    assert TARGETS[1].wide(3, 8) == TARGETS[1].wide(3) == 4


@given(features=st.integers(1, 100), width=st.integers(16, 200), target=st.sampled_from(TARGETS))
def test_tiles_across_pixels_stay_in_registers(features: int, width: int, target: Target):
    vectors, gap = layers_across.vectors_of(width, target)
    cut = layers_across.cut(features, vectors, target)
    assert sum(cut) == features
    assert max(cut) - min(cut) <= 1
    assert max(cut) * vectors + vectors + 1 <= target.registers
    assert (vectors - 1) * gap + target.lanes <= width
    if features >= 8 and width % (3 * target.lanes) == 0:  # as many sums as there is room for, but for what is even
        assert max(cut) * vectors >= (24 if target.registers == 32 else 12) - 2 * vectors


@given(width=st.integers(1, 3000), limit=st.integers(1, 16))
def test_rows_of_any_width_take_as_few_tiles_as_can_be_and_two_forms(width: int, limit: int):
    most, *less = forms(width, limit)
    tiles = -(-width // limit)
    shorter = tiles * most - width
    assert most <= limit
    assert less == ([most - 1] if shorter else [])
    assert 0 <= shorter < tiles
    assert -(-width // most) == tiles  # from which the code finds the number of both


def test_a_network_needs_few_kernels():
    """BlazeFace's back bone: 5x5 with stride 2, then depthwise, pointwise and residual blocks of 24 to 96 channels."""
    network = Network(AVX512)
    relu, joined = Epilogue(maximum(SUM, 0)), Epilogue(maximum(SUM + beside(0), 0))
    now = network.map(128, 128, 3, kept=True)
    now = network.convolution(
        now, np.zeros((24, 5, 5, 3), np.float32), np.zeros(24), (64, 64),
        Taps(at=(-1, -1), stride=(2, 2)), Ending(epilogue=relu),
    )  # fmt: skip
    size, c = 64, 24
    for f in (24, 28, 32, 36, 42, 48, 56, 64, 72, 80, 88):
        stride = 2 if f in (32, 48) else 1
        size //= stride
        skip = now
        if stride == 2:
            skip = network.move([Look(now, (2, 2), stride=(2, 2))], (size, size), c, kind="max")
        now = network.convolution(
            now, np.zeros((c, 3, 3, 1), np.float32), np.zeros(c), (size, size),
            Taps(at=(-1, -1), stride=(stride, stride), groups=c),
        )  # fmt: skip
        now = network.convolution(
            now, np.zeros((f, 1, 1, c), np.float32), np.zeros(f), (size, size),
            ending=Ending(epilogue=joined, beside=[Look(skip)]),
        )  # fmt: skip
        c = f
    code = generate((kernel for layer in network.settled() for kernel in layer.kernels), AVX512)
    assert len(code.names) - 2 <= 32  # 23 layers compute, of 11 numbers of channels
    assert sum(ring.rows for (ring,) in schedule(network, [[pulled(network)]]).rings[1:]) < 300


def test_machine_code_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    machine = Machine()

    def program() -> LayerProgram:
        network = Network(target_of(machine))
        source = network.map(2, 3, 4, kept=True)
        out = network.convolution(source, np.ones((5, 1, 1, 4), np.float32), np.zeros(5), (2, 3))
        network.maps[out].kept = True
        made = LayerProgram(network, [[pulled(network)]], machine)
        made.rows(source)[:] = 1
        made.run()
        assert (made.rows(out) == 4).all()
        return made

    program()
    files = list(tmp_path.rglob("*.o"))
    assert len(files) == 1
    monkeypatch.setattr(Machine, "compile", lambda *_: pytest.fail("compiled anew"))
    program()
