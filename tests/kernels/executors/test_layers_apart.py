"""What layers of networks cannot hold, before, between and behind them in one body: all of it runs as code, with the
reference's bits."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError, ExprError
from kernels.executors.cpu import CpuExecutor
from kernels.executors.layers_apart import ApartProgram
from kernels.executors.networks import NetworkProgram
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.compose import compose
from kernels.fusion.layers_apart import apart
from kernels.ir.body import Body, Output, Part
from kernels.ir.expr import Expr, const, convert, maximum, minimum, param, postorder, recur, select, state
from kernels.ir.functions import exp2
from kernels.ir.image import BOOL, F32, I32, ImageType
from kernels.ir.planes import Border, coord, gather, load, spread
from kernels.ir.table import Candidates, table_type
from kernels.ir.verify import verify
from kernels.ir.volumes import Contract, Weights, contract, input_volume, part, stack
from kernels.plugins import registry
from tests.layers import body_of, contractions, layer_graphs, numbers
from tests.strategies import same

RNG = np.random.default_rng(11)
TYPE = ImageType(F32, 24, 30, 3)
FRAMES = RNG.standard_normal((5, *TYPE.shape)).astype(np.float32)


@functools.cache
def executor(threads: int) -> CpuExecutor:
    return CpuExecutor(threads=threads)


def heat(channels: int, type_: ImageType = TYPE) -> Expr:
    """A layer and what follows it."""
    weights = Weights(RNG.standard_normal((channels, 3, 3, type_.channels)).astype(np.float32) / 3)
    sums = contract(input_volume(0, type_), const(0.25), Contract(weights, (type_.height, type_.width), -1, -1))
    return 1.0 / (1.0 + exp2(sums * -1.5))


def behind(name: str, channels: int) -> Body | None:
    """A network and a stage in one body; None where the stage does not go with its channels."""
    stage = registry()[name]
    network = body_of(heat(channels), (TYPE,))
    missing = [None] * (len(stage.inputs) - 1)
    try:
        body = stage.build([network.outputs[0].type, *missing])
        return compose([Part("net", network, (0,)), Part("s", body, (("net", "out"), *missing))],
                       [("s", output.name) for output in body.outputs])  # fmt: skip
    except (DefinitionError, ExprError):
        return None


def equal(found: object, wanted: object) -> bool:
    """Images to the last bit, or lists of tables."""
    if isinstance(wanted, np.ndarray):
        return same(np.asarray(found), wanted)
    tables = list(zip(found, wanted, strict=True))  # type: ignore[call-overload]
    return all(a.overflow == b.overflow and a.rows.tobytes() == b.rows.tobytes() for a, b in tables)


def checked(body: Body, frames: np.ndarray, threads: int = 1, cut: int = 2) -> ApartProgram | NetworkProgram:
    """The program of a body: two batches have the bits of the reference's one, once more after it was reset."""
    made = executor(threads).compile(body)
    assert isinstance(made, ApartProgram | NetworkProgram)
    missing = [None] * (len(body.inputs) - 1)
    wanted = ReferenceProgram(body).run([frames, *missing], {})
    for _ in range(2):
        first = {name: _copied(some) for name, some in made.run([frames[:cut], *missing], {}).items()}
        kept = made.snapshot()
        made.run([frames[cut:], *missing], {})
        made.restore(kept)
        rest = made.run([frames[cut:], *missing], {})
        for name, some in wanted.items():
            assert equal(first[name], some[:cut]), name
            assert equal(rest[name], some[cut:]), name
        made.reset()
    # States have one form on every back end.
    reference = ReferenceProgram(body)
    for one, other in ((reference, made), (made, ReferenceProgram(body))):
        one.reset()
        one.run([frames[:cut], *missing], {})
        other.restore(one.snapshot())
        rest = other.run([frames[cut:], *missing], {})
        assert all(equal(rest[name], some[cut:]) for name, some in wanted.items())
    made.reset()
    return made


def _copied(some: object) -> object:
    return some.copy() if isinstance(some, np.ndarray) else list(some)  # type: ignore[call-overload]


# Other tests declare stages of their own, where they are collected first: the shipped ones are the same everywhere.
SHIPPED = [name for name, stage in sorted(registry().items()) if stage.function.__module__.startswith("kernels.stages.")
           and not stage.opaque and not stage.expands]  # fmt: skip
BEHIND = {name: bodies for name in SHIPPED
          if (bodies := [body for channels in (1, 3) if (body := behind(name, channels)) is not None])}  # fmt: skip


@pytest.mark.parametrize("name", BEHIND)
def test_any_stage_behind_a_network_runs_as_code(name):
    """Flags, live parameters, memories, tables: none of them sends the network to the reference."""
    for body in BEHIND[name]:
        made = checked(body, FRAMES)
        assert made.back_end == "cpu", made.reason


def test_what_layers_can_make_stays_with_them():
    """A heat map that leaves is an output of the layers, and what its flags look at."""
    value = heat(1)
    size = (TYPE.height, TYPE.width)
    outputs = (Output("heat", ImageType(F32, *size), (value,)), Output("spots", ImageType(BOOL, *size), (value > 0.5,)))
    body = Body((TYPE,), outputs, {}, {})
    made = checked(body, FRAMES)
    assert isinstance(made, ApartProgram)
    assert isinstance(made.programs[0], NetworkProgram)
    assert [[output.name for output in piece.body.outputs] for piece in made.pieces] == [["heat"], ["spots"]]
    out = {"heat": np.empty((5, *size), np.float32), "spots": np.empty((5, *size), bool)}
    results = made.run([FRAMES], {}, out)
    wanted = ReferenceProgram(body).run([FRAMES], {})
    assert all(results[name] is out[name] and same(out[name], np.asarray(wanted[name])) for name in out)


def test_parameters_change_while_it_runs():
    body = behind("gain", 1)
    assert body is not None
    made, reference = executor(1).compile(body), ReferenceProgram(body)
    (name, *_), out = body.live, body.outputs[0].name
    for value in (0.5, 2.0):
        assert same(np.asarray(made.run([FRAMES], {name: value})[out]),
                    np.asarray(reference.run([FRAMES], {name: value})[out]))  # fmt: skip


def test_what_has_too_many_channels_behind_layers_is_left_to_the_reference():
    value = heat(5000, ImageType(F32, 2, 2, 1)) * param("amount", F32)
    type_ = ImageType(F32, 2, 2, 1)
    body = Body((type_,), (Output("out", ImageType(F32, 2, 2, 5000), (value,)),), {"amount": F32}, {"amount": 2.0})
    made = executor(1).compile(body)
    assert made.back_end == "reference"  # type: ignore[attr-defined]
    assert "a live parameter is used among layers" in made.reason  # type: ignore[attr-defined]


def tails(value: Expr) -> dict[str, Expr]:
    """What may follow layers, of one channel."""
    before = recur("mean", value, state("mean", F32) * 0.75 + value * 0.25)
    return {
        "flag": value > 0.25,
        "parameter": value * param("amount", F32) + 1.0,
        "recurrence": value - before,
        "frame before": value - load(value, Border("replicate"), dx=1, dt=-1),
        "layers alone": maximum(value, 0.0),
    }


def best(volume: Expr, count: int) -> Expr:
    """The largest values of the channels and their numbers, as TopK is imported."""
    channels = [part(volume, c) for c in range(volume.channels)]
    found: list[Expr] = []
    for _ in range(min(count, len(channels))):
        value, place = channels[0], const(0)
        for c, one in enumerate(channels[1:], 1):
            place = select(one > value, const(c), place)
            value = maximum(value, one)
        found += [value, convert(place, F32)]
        channels = [select(place.eq(c), const(-np.inf, F32), one) for c, one in enumerate(channels)]
    return stack(found)


def remembered(volume: Expr, name: str) -> Expr:
    """Each channel less its running mean, which looks at nothing but this pixel."""
    means = []
    for c in range(volume.channels):
        one = part(volume, c)
        before = state(f"{name} {c}", F32)
        means.append(one - recur(f"{name} {c}", one, before + (one - before) * 0.25))
    return stack(means)


def between(data: st.DataObject, volume: Expr, number: int, last: Expr) -> Expr:
    """A volume made of one by something that layers do not hold, beside what they do."""
    kind = data.draw(st.sampled_from(("best", "memory", "frame before", "parameter", "computed place", "sum")))
    event(f"between: {kind}")
    match kind:
        case "best":
            return best(volume, data.draw(st.integers(1, 3)))
        case "memory":
            return remembered(volume, f"m{number}")
        case "frame before":
            return maximum(volume, 0.0) - load(volume, Border("replicate"), dx=data.draw(st.integers(-1, 1)), dt=-1)
        case "parameter":
            return volume * param("amount", F32) + 1.0
        case "computed place":
            assert volume.size is not None
            x = convert(minimum(maximum(part(volume, 0), 0.0), 3.0), I32)
            y, x = coord("y", volume.size), coord("x", volume.size) - x
            return gather(volume, y, x, volume.size, Border("replicate"))
    return volume + last if (volume.size, volume.channels) == (last.size, last.channels) else volume


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_anything_before_and_between_layers(data):
    """Memories, live parameters, places that are computed, the best of many channels; several in turn."""
    source = ImageType(F32, data.draw(st.integers(1, 7)), data.draw(st.integers(1, 9)), data.draw(st.integers(2, 5)))
    now = last = input_volume(0, source)
    outputs: list[Output] = []
    for number in range(data.draw(st.integers(1, 3))):
        if number or data.draw(st.booleans()):
            now = between(data, now, number, last)
        last = now
        assert now.size is not None
        kind = data.draw(st.sampled_from(("dense", "pointwise", "grouped")))
        how = data.draw(contractions(now.size, now.channels, kind))
        now = maximum(contract(now, const(0.25), how), data.draw(st.sampled_from((0.0, -1.0))))
        if data.draw(st.integers(0, 2)) == 0:
            outputs.append(Output(f"middle {number}", ImageType(F32, *how.size, now.channels), (now,)))
    if data.draw(st.booleans()):
        now = between(data, now, 9, last)
    assert now.size is not None
    outputs.append(Output("out", ImageType(F32, *now.size, now.channels), (now,)))
    live = {"amount": F32} if any(node.op == "param" for node in postorder([now])) else {}
    body = Body((source,), tuple(outputs), live, {"amount": 1.5} if live else {})
    verify(body)
    frames = np.stack([numbers(data.draw, source.shape) for _ in range(4)])
    made = checked(body, frames, data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3)))
    assert made.back_end == "cpu", made.reason
    for piece in made.pieces if isinstance(made, ApartProgram) else ():
        verify(piece.body)


def test_only_what_layers_cannot_hold_leaves_them():
    """Layers, the best two of their channels, layers, a memory, layers: five programs, of which three are networks."""
    first = maximum(heat(6), 0.5)
    size = (TYPE.height, TYPE.width)

    def layer(volume: Expr, features: int) -> Expr:
        weights = Weights(RNG.standard_normal((features, 3, 3, volume.channels)).astype(np.float32))
        return maximum(contract(volume, const(0.25), Contract(weights, size, -1, -1)), 0.0)

    second = layer(best(first, 2), 5)
    out = layer(remembered(second, "m"), 2)
    body = Body((TYPE,), (Output("out", ImageType(F32, *size, 2), (out,)),), {}, {})
    made = checked(body, FRAMES)
    assert isinstance(made, ApartProgram)
    assert [piece.layers for piece in made.pieces] == [True, False, True, False, True]
    assert [isinstance(program, NetworkProgram) for program in made.programs] == [True, False, True, False, True]
    assert sum(node.op == "contract" for piece in made.pieces for node in postorder(piece.body.roots)) == 3


def test_a_memory_that_layers_are_a_part_of_is_left_to_the_reference():
    size = (TYPE.height, TYPE.width)
    before = spread(state("m", F32), size)
    after = contract(before, const(0.25), Contract(Weights(np.full((1, 3, 3, 1), 0.1, np.float32)), size))
    body = Body((TYPE,), (Output("out", ImageType(F32, *size), (recur("m", heat(1), after),)),), {}, {})
    assert apart(body) == ()
    assert executor(1).compile(body).back_end == "reference"  # type: ignore[attr-defined]


@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_graph_of_layers_with_anything_behind(data):
    """Odd sizes, single pixels, strides; one to three threads; batches cut anywhere."""
    graph = data.draw(layer_graphs(4))
    body = compose(graph.parts, [(f"l{len(graph.parts) - 1}", "out")])
    (root,) = body.outputs[0].planes
    value = part(root, data.draw(st.integers(0, root.channels - 1)))
    assert value.size is not None
    chosen = data.draw(st.lists(st.sampled_from(sorted(tails(value))), min_size=1, max_size=3, unique=True))
    outputs = [Output(name, ImageType(made.dtype, *value.size), (made,)) for name in chosen
               for made in [tails(value)[name]]]  # fmt: skip
    if data.draw(st.booleans()):
        table = Candidates(value > 0.5, (("value", value),), 20)
        outputs.append(Output("table", table_type(table, value.size), table=table))
    live = {"amount": F32} if "parameter" in chosen else {}
    whole = Body(body.inputs, tuple(outputs), live, {"amount": 1.5} if live else {})
    verify(whole)
    frames = np.stack([numbers(data.draw, graph.source.shape) for _ in range(4)])
    made = executor(data.draw(st.integers(1, 3))).compile(whole)
    event(type(made).__name__)
    if isinstance(made, ApartProgram | NetworkProgram):
        checked(whole, frames, data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3)))
