"""Dense 3x3 layers of tiles: every operation in its order, in any schedule; within the stated bound; where it pays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen import layers_tiles
from kernels.codegen.layers_epilogue import SUM, Epilogue, beside, constant
from kernels.codegen.layers_lower import lower_layers
from kernels.codegen.layers_network import Ending, Network, Taps
from kernels.codegen.layers_steps import generate
from kernels.codegen.layers_target import Target
from kernels.codegen.layers_tiles import can, tiled
from kernels.codegen.layers_winograd import TilesIn, TilesOut
from kernels.codegen.layers_work import weighed, work
from kernels.executors.cpu import CpuExecutor
from kernels.executors.layers import LayerProgram, target_of
from kernels.executors.machine import Machine
from kernels.executors.networks import evaluated
from kernels.executors.reference import ReferenceProgram
from kernels.fusion import algebra_layers
from kernels.fusion.algebra import simplified
from kernels.fusion.layers import Look, Place
from kernels.fusion.layers_runs import Core
from kernels.fusion.layers_schedule import pulled, striped
from kernels.fusion.winograd import FILTERINGS
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, maximum, postorder, select
from kernels.ir.image import F32, ImageType
from kernels.ir.volumes import Contract, Weights, contract, input_volume, vector
from tests.kernels.codegen import layers_reference as reference
from tests.kernels.codegen.test_layers import CREWS, LEVELS, TARGETS

MACHINES = {level: Machine(level) for level in LEVELS}
CORE = Core(1 << 20)


def drawn(draw: st.DrawFn, target: Target) -> tuple[Network, dict[int, np.ndarray], int, np.ndarray]:
    """A network of one layer: with what its maps are filled, its result's map, and what must be there."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    height, width, c, f = (draw(st.integers(1, n)) for n in (11, 14, 21, 30))
    f = max(f, 2)  # one of one channel is depthwise
    at = draw(st.integers(-2, 1)), draw(st.integers(-2, 1))
    size = max(1, height - draw(st.integers(0, 2))), max(1, width - draw(st.integers(0, 2)))
    outside = draw(st.sampled_from((0.0, 0.0, 1.5)))
    image, weights, bias = (rng.standard_normal(shape).astype(np.float32)
                            for shape in ((height, width, c), (f, 3, 3, c), (f,)))  # fmt: skip
    network = Network(target)
    source = network.map(height, width, c, kept=True, outside=outside)
    skip = network.map(*(2 * n for n in size), f, kept=True)
    given = {source: image, skip: rng.standard_normal((2 * size[0], 2 * size[1], f)).astype(np.float32)}
    slopes = rng.standard_normal(f).astype(np.float32)
    total = reference.tiled(image, weights, bias, size, at, outputs := draw(st.sampled_from(sorted(FILTERINGS))),
                            outside)  # fmt: skip
    kind = draw(st.sampled_from(("", "prelu", "pooled")))
    root, looks, tables, wanted = SUM, [], [], total
    if kind == "prelu":
        root, tables = select(SUM < 0, SUM * constant(0), SUM), [slopes]
        wanted = np.where(total < 0, total * slopes, total)
    if kind == "pooled":
        root = SUM + maximum(beside(0), beside(1))
        looks = [Look(skip, at=(j, 1 - j), stride=(2, 2)) for j in range(2)]
        wanted = total + np.maximum(given[skip][0::2, 1::2], given[skip][1::2, 0::2])
    into = None
    if spread := draw(st.booleans()):
        into = Place(network.map(2 * size[0], 3 * size[1], f), (1, 2), (2, 3))
    out = network.convolution(
        source, weights, bias, size,
        Taps(at=at), Ending(epilogue=Epilogue(root), beside=looks, tables=tables), into=into,
    )  # fmt: skip
    network.maps[out].kept = True
    assert can(network, network.layers[-1])
    network.layers[-1:] = tiled(network, network.layers[-1], outputs)
    whole = wanted
    if spread:
        whole = np.zeros((2 * size[0], 3 * size[1], f), np.float32)
        whole[1::2, 2::3] = wanted
    return network, given, out, whole


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_operation_has_its_order_in_any_schedule(data: st.DataObject):
    machine = MACHINES[data.draw(st.sampled_from(LEVELS))]
    target = data.draw(st.sampled_from((target_of(machine), TARGETS[0])))
    network, given, out, wanted = drawn(data.draw, replace(target, fused=target_of(machine).fused))
    together = data.draw(st.sampled_from((0, 8 << 10)))
    cuts = data.draw(st.sampled_from(((), (1,), (1, 2), range(1, len(network.layers)))))
    program = LayerProgram(network, [[pulled(network, cuts, together)]], machine, cached=True)
    threads = data.draw(st.integers(1, 3))
    if threads > 1:
        program = program.twin(striped(network, cuts, threads, together))
    for _ in range(2):
        for number, values in given.items():
            program.rows(number)[:] = values
        program.rows(out)[:] = 0
        program.run(workers=CREWS[threads])
        assert reference.same(np.array(program.rows(out)), wanted)


def layer(x: Expr, f: int, seed: int = 0, scale: float = 1.0, at: int = -1) -> Expr:
    """A 3x3 layer whose largest sums are about as large as what it looks at."""
    rng = np.random.default_rng(seed + f)
    weights = (rng.standard_normal((f, 3, 3, x.channels)) * scale / np.sqrt(9 * x.channels)).astype(np.float32)
    assert x.size is not None
    return contract(x, vector(rng.standard_normal(f).astype(np.float32)), Contract(Weights(weights), x.size, at, at))


def body_of(type_: ImageType, root: Expr) -> Body:
    assert root.size is not None
    return Body((type_,), (Output("out", ImageType(F32, *root.size, root.channels), (root,)),), {}, {})


@settings(max_examples=25)
@given(st.integers(0, 2**31), st.integers(8, 40), st.integers(8, 40), st.sampled_from((1e-6, 1, 1e6)))
def test_results_lie_within_the_stated_bound(seed: int, c: int, f: int, size: float):
    type_ = ImageType(F32, 5, 9, c)
    plain = body_of(type_, layer(input_volume(0, type_), f, seed))
    loose, done = simplified(plain, exact=False)
    told = next(r for r in done if r.kind == "tiles")
    frames = (np.random.default_rng(seed).uniform(-1, 1, (1, *type_.shape)) * size).astype(np.float32)
    wanted = np.asarray(ReferenceProgram(plain).run([frames], {})["out"])
    assert np.array_equal(np.asarray(ReferenceProgram(loose).run([frames], {})["out"]), wanted)  # it makes no tiles
    (node,) = plain.roots
    weights, start = node.arg.weights.array, node.src[1].arg.array
    sizes = np.abs(weights.astype(np.float64)).sum((1, 2, 3)) * np.abs(frames).max() + np.abs(start)
    most = 0.0
    for m in FILTERINGS:
        found = reference.tiled(frames[0], weights, start, (5, 9), (-1, -1), m)
        most = max(most, (np.abs(found.astype(np.float64) - wanted[0]) / sizes).max())
    assert 0 < most <= told.bound < 2e-3
    off = told.deviation.at_outputs([float(np.abs(frames).max())])["out"] if told.deviation else 0.0
    assert most * sizes.max() <= off <= told.bound * sizes.max()
    assert told.device == "cpu"


def chain(layers: int = 9, channels: int = 16, size: int = 24) -> Body:
    type_ = ImageType(F32, size, size, channels)
    x = input_volume(0, type_)
    for number in range(layers):
        x = maximum(layer(x, channels, number), 0.0)
    return body_of(type_, x)


def test_a_network_of_tiles_is_near_the_reference():
    body = chain(3)
    frames = np.random.default_rng(1).standard_normal((2, *body.inputs[0].shape)).astype(np.float32)
    wanted = np.asarray(ReferenceProgram(body).run([frames], {})["out"])
    loose = simplified(body, exact=False)[0]
    found = [np.asarray(CpuExecutor(threads=n).compile(loose).run([frames], {})["out"]) for n in (1, 2)]
    assert np.array_equal(*found)
    assert 0 < np.abs(found[0] - wanted).max() < 1e-5 * np.abs(wanted).max()
    exact = CpuExecutor(threads=1).compile(simplified(body)[0]).run([frames], {})["out"]
    assert np.array_equal(np.asarray(exact), wanted)


def test_only_what_was_asked_for_is_made_of_tiles():
    body = chain(3)
    for one, tiles in ((body, 0), (simplified(body, exact=False)[0], 3)):
        lowered = lower_layers(one, TARGETS[1], evaluated, CORE)
        kinds = [type(layer.kernels[0]) for layer in lowered.network.layers]
        assert kinds.count(TilesIn) == tiles
        assert len(lowered.tiled) == tiles
        assert all(0 < choice.after < choice.before for choice in lowered.tiled)
    again, nothing = simplified(simplified(body, exact=False)[0], exact=False)
    assert not nothing
    assert again.roots == simplified(body, exact=False)[0].roots


def test_what_does_not_pay_stays_a_sum():
    """One tile whose pixels are but one; large tiles on a core that fetches their many weights from afar."""
    type_ = ImageType(F32, 1, 1, 32)
    loose, _ = simplified(body_of(type_, layer(input_volume(0, type_), 32)), exact=False)
    (choice,) = lower_layers(loose, TARGETS[1], evaluated, CORE).tiled
    assert choice.outputs == 0
    assert choice.before == choice.after
    small = ImageType(F32, 8, 8, 128)
    loose, _ = simplified(body_of(small, layer(input_volume(0, small), 128)), exact=False)
    near = lower_layers(loose, TARGETS[1], evaluated, Core(16 << 20)).tiled[0].outputs
    far = lower_layers(loose, TARGETS[1], evaluated, Core(64 << 10, shared=1e9)).tiled[0].outputs
    assert (near, far) == (4, 2)


def other(kind: str) -> Expr:
    x = input_volume(0, ImageType(F32, 12, 12, 16))
    how: Contract = layer(x, 16).arg
    start = vector(np.zeros(16, np.float32))
    match kind:
        case "stride":
            return contract(x, start, replace(how, stride=(2, 2), size=(6, 6)))
        case "dilation":
            return contract(x, start, replace(how, dilation=(1, 2)))
        case "transposed":
            return contract(x, start, replace(how, up=(2, 2), size=(24, 24)))
        case "groups":
            return contract(x, start, replace(how, weights=Weights(how.weights.array[..., :8]), groups=2))
        case "taps":
            return contract(x, start, replace(how, weights=Weights(how.weights.array[:, :, :2])))
    return layer(x, 7)


@pytest.mark.parametrize("kind", ["stride", "dilation", "transposed", "groups", "taps", "few channels"])
def test_other_layers_stay(kind: str):
    root = other(kind)
    loose, done = simplified(body_of(ImageType(F32, 12, 12, 16), root), exact=False)
    assert "tiles" not in [r.kind for r in done]
    assert not any(n.arg.tiles for n in postorder(loose.roots) if n.op == "contract")


def told_constants() -> list[bool]:
    """Layers of eight channels are allowed to be of tiles; one is compared with itself among three on either side."""
    kinds = [[r.kind for r in simplified(chain(1, n), exact=False)[1]] for n in (8, 7)]
    seen: list[int] = []

    def noted(network: Network):
        seen.append(len(network.layers))
        return weighed(network)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layers_tiles, "weighed", noted)
        lower_layers(simplified(chain(), exact=False)[0], TARGETS[1], evaluated, CORE)
    before = seen[::3]  # then with small tiles, and with large ones
    return ["tiles" in kinds[0], "tiles" not in kinds[1], before[0] == 1 + 1 + 3 + 0, max(before) == 3 + 1 + 3]


@pytest.mark.parametrize("factor", [1.0, 2.0, 0.5])
@pytest.mark.parametrize(("module", "name"), [(algebra_layers, "TILED"), (layers_tiles, "NEAR")])
def test_each_constant_is_noticed(module: object, name: str, factor: float, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, name, int(factor * getattr(module, name)))
    assert all(told_constants()) == (factor == 1)


def test_prices_are_those_of_the_code():
    """Additions and multiply-adds of a vector of tiles, counted in the text."""
    network = Network(TARGETS[1])
    source = network.map(8, 8, 8, kept=True)
    network.convolution(source, np.ones((8, 3, 3, 8), np.float32), np.zeros(8), (8, 8), Taps(at=(-1, -1)))
    for m in FILTERINGS:
        trial = Network(network.target, list(network.maps))
        trial.layers = tiled(trial, network.layers[0], m)
        for one in trial.settled():
            (kernel, *_), tiles = one.kernels, -(-8 // m)
            if isinstance(kernel, TilesIn | TilesOut):
                text = generate([kernel], TARGETS[1]).text
                body = text[text.index(f"@{kernel.name}(") :]
                body = body[: body.index("\n}")]
                count = sum(body.count(op) for op in ("fadd", "fsub", "llvm.fma"))
                assert work(one, TARGETS[1]).sums == count * tiles
