"""Bodies with volumes as machine code: the bits of the reference, for random graphs of layers and for networks."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from kernels.codegen.layers_across import Turn
from kernels.codegen.layers_pieces import patches, runs
from kernels.errors import DefinitionError
from kernels.executors.cache import ObjectCache
from kernels.executors.cpu import CpuExecutor
from kernels.executors.machine import Machine
from kernels.executors.networks import NetworkProgram
from kernels.executors.reference import ReferenceProgram
from kernels.executors.workers import Workers
from kernels.fusion.compose import compose
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const, maximum, minimum, rint, select
from kernels.ir.functions import exp2
from kernels.ir.image import BOOL, F32, I8, I32, U8, ImageType
from kernels.ir.planes import Border, coord, gather, load, window
from kernels.ir.table import Candidates, table_type
from kernels.ir.verify import verify
from kernels.ir.volumes import Contract, Weights, contract, input_volume, mosaic, part, stack, vector
from kernels.networks.operators import pooling
from kernels.networks.operators.pooling import between
from tests.kernels.networks.test_shared_networks import FILES
from tests.layers import body_of, layer_graphs, numbers, pairs
from tests.networks import body_of_model
from tests.strategies import same

quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
X86 = "x86_64" in Machine().triple
LEVELS = ["auto", "avx2", "baseline"] if X86 and "+fma" in Machine().features else ["auto"]
RNG = np.random.default_rng(7)
TYPE = ImageType(F32, 6, 9, 12)
X = input_volume(0, TYPE)
SCALE = const(0.75)


@pytest.fixture(scope="module")
def images() -> CpuExecutor:
    return CpuExecutor(threads=1)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> ObjectCache:
    return ObjectCache(tmp_path_factory.mktemp("kept"))


@functools.cache
def workers(threads: int) -> Workers:
    return CpuExecutor(threads=threads).workers


def program(
    body: Body, images: CpuExecutor, level: str = "auto", threads: int = 1, cache: ObjectCache | None = None
) -> NetworkProgram:
    return NetworkProgram(body, Machine(level), images.compile, cache, workers(threads))


def compare(body: Body, images: CpuExecutor, *frames: np.ndarray, level: str = "auto") -> NetworkProgram:
    """The program of a body, which has the bits of the reference."""
    made = program(body, images, level)
    wanted = ReferenceProgram(body).run(frames, {})
    found = made.run(frames, {})
    for name, array in wanted.items():
        assert same(np.asarray(found[name]), np.asarray(array)), name
    return made


@given(data=st.data())
@settings(quick, max_examples=50)
def test_any_graph_of_layers_has_the_bits_of_the_reference(data, images, cache):
    graph = data.draw(layer_graphs())
    level = data.draw(st.sampled_from(LEVELS))
    frames = np.stack([numbers(data.draw, graph.source.shape) for _ in range(3)])
    wanted = sorted(data.draw(st.sets(st.integers(0, len(graph.parts) - 1), min_size=1, max_size=2)))
    body = compose(graph.parts, [(f"l{i}", "out") for i in wanted])
    threads = data.draw(st.integers(1, 3))
    try:
        made = program(body, images, level, threads, cache)
    except Unsupported as reason:
        event(str(reason))
        return
    event("runs")
    kept = program(body, images, level, threads, cache)
    assert not kept.layers.code.constants.flags.writeable  # mapped
    expected = ReferenceProgram(body).run([frames], {})
    first = made.run([frames[:1]], {})
    rest = kept.run([frames[1:]], {})
    for name, array in expected.items():
        assert same(np.concatenate([first[name], rest[name]]), np.asarray(array)), name


def conv(volume: Expr, features: int, taps: int = 1, **how: int) -> Expr:
    weights = RNG.standard_normal((features, taps, taps, volume.channels // how.get("groups", 1))).astype(np.float32)
    assert volume.size is not None
    return contract(volume, vector(RNG.standard_normal(features).astype(np.float32)) if features > 1 else const(0.5),
                    Contract(Weights(weights), volume.size, -(taps // 2), -(taps // 2), **how))  # fmt: skip


FRAMES = RNG.standard_normal((2, *TYPE.shape)).astype(np.float32)
SLOPE = vector(np.linspace(-1, 1, 12, dtype=np.float32))
C = conv(X, 12, 3)
D = conv(X, 16, 3)
SLOPES = vector(np.linspace(-1, 1, 24, dtype=np.float32))
HERE = Border("replicate")
Y4, X4 = coord("y", (12, 18)), coord("x", (12, 18))
Y40, X40 = coord("y", (40, 40)), coord("x", (40, 40))
PLACES = np.arange(18) / 2 - 0.25
"""Of twice as many pixels, where those before have theirs."""
PLACES3, PLACES4 = np.arange(3) * 2 + 0.5, np.arange(4) * 2 + 0.5
"""Of half as many pixels."""
UP = gather(X, Y4 // 2, X4 // 2, (12, 18), HERE)
SHAPES = {
    "prelu behind a residual": (maximum(select(C + X < 0.0, (C + X) * SLOPE, C + X), -2.0), 3),
    "hard swish": (C * maximum(minimum(C * (1 / 6) + 0.5, 1.0), 0.0), 2),
    "sigmoid": (1.0 / (1.0 + exp2(C * -1.5)), 2),
    "chain": (conv(maximum(conv(conv(X, 12, 3, groups=12), 20), 0.0), 5) * 2.0, 4),
    "two sums": (conv(X, 12, 3) + conv(X, 12), 3),
    "many operands": (C * SLOPE + X * vector(np.arange(12, dtype=np.float32)) - SLOPE * SLOPE + conv(X, 12) * C, 6),
    "pool of a copied edge": (window("max", C, Border("reflect101"), (-1, 1), (-2, 1)), 13),
    "twice as large": (conv(gather(C, Y4 // 2, X4 // 2, (12, 18), HERE), 3, 3), 7),
    "interpolated": (between(between(C, 0, PLACES[:12]), 1, PLACES) - 1.0, 3 + 4 + 4),
    "interpolated, by weights of each pixel": (gather(C, Y4 // 2, X4 // 2, (12, 18), HERE) * (Y4 * X4).to(F32), 7),
    "interpolated, and added to": (conv(gather(C, Y4 // 2, X4 // 2, (12, 18), HERE), 3) + part(UP * 2.0, 0, 3), 11),
    "interpolated, of half the size": (between(between(C, 0, PLACES3), 1, PLACES4) * 2.0, 5),
    "nearest, by a table": (gather(X, coord("y", (4, 5)) * 3 // 2, coord("x", (4, 5)) * 7 // 4, (4, 5), HERE), 1),
    "spread": (C * gather(conv(X, 12), const(0), const(0), (6, 9), HERE), 4),
    "one channel for all": (C * conv(X, 1) + coord("x", (6, 9)).to(F32), 4),
    "transposed and grouped": (maximum(contract(X, const(0.0), Contract(
        Weights(RNG.standard_normal((12, 4, 4, 1)).astype(np.float32)), (12, 18), -1, -1, groups=12, up=(2, 2))), 0.0),
        6),
    "residual of fewer channels": (conv(D, 24) + stack([D, vector(np.zeros(8, np.float32))]), 3),
    "the same, of no full vector": (conv(C, 24) + stack([C, vector(np.zeros(12, np.float32))]), 3),
    "residual and zeros below 0": (conv(D, 24) + stack([D, vector(np.full(8, -0.0, np.float32))]), 5),
    "fewer channels alone": (SLOPES * stack([D, vector(np.zeros(8, np.float32))]), 5),
    "shuffled": (stack([part(C, c) for c in (5, 3, 11)]) + 1.0, 7),
    "mosaic": (mosaic([part(C, 0, 3), part(C, 3, 3) * 2.0], (1, 2)) + 1.0, 7),
}  # fmt: skip
"""Expressions, and how many layers they take, copies in (and out, where no dense layer comes last) included."""


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("level", LEVELS)
def test_shapes_of_layers(name, level, images):
    root, count = SHAPES[name]
    made = compare(body_of(root, (TYPE,)), images, FRAMES, level=level)
    kernels = [layer.kernels[0] for layer in made.layers.network.layers]
    assert sum(not isinstance(kernel, Turn) for kernel in kernels) == count


@pytest.mark.parametrize("behind_layers", [True, False])
@given(data=st.data())
@settings(quick, max_examples=15)
def test_places_a_whole_step_apart_have_the_bits_of_any_others(behind_layers, images, data):
    """Strides instead of tables, in pictures and behind layers; at edges, where a pixel is looked at twice, too."""
    size, channels = pairs(data.draw, 1, 12), data.draw(st.integers(1, 9))
    type_ = ImageType(F32, *size, channels)
    x = conv(input_volume(0, type_), channels) if behind_layers else input_volume(0, type_)
    axis, step = data.draw(st.integers(0, 1)), data.draw(st.sampled_from((2, 3, 4, 2.5)))
    first = data.draw(st.sampled_from((0.0, 0.5, 0.25, -0.5, 1.0)))
    places = np.arange(data.draw(st.integers(1, 6))) * step + first
    frames = numbers(data.draw, (2, *type_.shape))

    def made() -> Expr:
        value = between(x, axis, places)
        return value * 2.0 if behind_layers else conv(value, 3)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pooling, "_whole_step", lambda *_: 0)
        seed = RNG.bit_generator.state
        before = made()
    RNG.bit_generator.state = seed
    after = made()
    wanted = ReferenceProgram(body_of(before, (type_,))).run([frames], {})["out"]
    assert same(np.asarray(ReferenceProgram(body_of(after, (type_,))).run([frames], {})["out"]), np.asarray(wanted))
    compare(body_of(after, (type_,)), images, frames)


@given(data=st.data())
@settings(quick, max_examples=8)
def test_layers_across_pixels(data, images):
    """Chains of few channels, which are joined, pooled and leave in parts."""
    height, width, channels = (data.draw(st.integers(*ends)) for ends in ((2, 4), (16, 40), (1, 10)))
    type_ = ImageType(F32, height, width, channels)
    some = st.integers(1, 11) | st.sampled_from([12, 18, 20])
    first = maximum(conv(input_volume(0, type_), data.draw(some), 3), 0.25)
    apart = 1, data.draw(st.integers(1, 2))
    second = conv(first, data.draw(some), data.draw(st.sampled_from([1, 3])), dilation=apart)
    pooled = load(window("max", second, HERE, (0, 1), (0, 1)), HERE, stride=2, size=(height // 2, width // 2))
    third = conv(stack([first, second]) if data.draw(st.booleans()) else second * SCALE, data.draw(some), 3)
    cut = data.draw(st.integers(0, third.channels - 1))
    roots = [part(third, cut, third.channels - cut), *([part(third, 0, cut)] if cut else []), pooled]
    outputs = tuple(Output(f"o{i}", ImageType(F32, *r.size, r.channels), (r,)) for i, r in enumerate(roots))
    frames = numbers(data.draw, (2, *type_.shape)).reshape(2, *type_.shape)
    made = compare(Body((type_,), outputs, {}, {}), images, frames, level=data.draw(st.sampled_from(LEVELS)))
    event(" ".join(sorted({type(layer.kernels[0]).__name__ for layer in made.layers.network.layers})))


def test_few_channels_are_computed_across_pixels(images):
    """Whole layers, planes between them, or the channels behind full vectors."""
    whole = input_volume(0, ImageType(F32, 3, 48, 8))
    made = compare(body_of(conv(conv(whole, 12, 3), 12, 3), (ImageType(F32, 3, 48, 8),)), images,
                   RNG.standard_normal((1, 3, 48, 8)).astype(np.float32))  # fmt: skip
    kinds = [type(layer.kernels[0]).__name__ for layer in made.layers.network.layers]
    made = compare(body_of(conv(whole, 18, 3), (ImageType(F32, 3, 48, 8),)), images,
                   RNG.standard_normal((1, 3, 48, 8)).astype(np.float32))  # fmt: skip
    split = [type(layer.kernels[0]).__name__ for layer in made.layers.network.layers]
    if made.layers.network.target.lanes == 16:
        assert kinds == ["Move", "Turn", "Across", "Across"]
        assert split == ["Move", "Turn", "Tile", "Across"]


def test_values_that_are_no_numbers(images):
    frames = FRAMES.copy()
    frames[:, ::2, 1::3, ::2] = np.nan
    frames[:, 1::4, ::3, 1::2] = np.inf
    frames[:, 3, 4] = -0.0
    pooled = load(window("max", X, Border("constant", -np.inf), (-1, 1), (-1, 1)), HERE, stride=2, size=(3, 5))
    compare(body_of(pooled, (TYPE,)), images, frames)
    compare(body_of(window("sum", X, Border("constant", 2.0), (-1, 2), (0, 2)), (TYPE,)), images, frames)
    compare(body_of(maximum(C, 0.0), (TYPE,)), images, frames)


def test_each_look_has_its_own_values_beyond_the_edges(images):
    """At one map, where only one value can stand beyond the edges of each copy."""
    low = window("max", C - 3.0, Border("constant", -1.0), (-1, 1), (-1, 1))
    ones = Weights(np.ones((12, 3, 3, 1), np.float32))
    sums = [contract(C - 3.0, const(0.0), Contract(ones, (6, 9), -1, -1, groups=12, outside=v)) for v in (0.0, 1.5)]
    compare(body_of(sums[0] + sums[1] * low, (TYPE,)), images, FRAMES)


def test_images_before_layers_are_a_pass_of_their_own(images):
    source = ImageType(U8, 13, 17, 3)
    planes = [p.to(F32) / 127.5 - 1.0 for p in (part(input_volume(0, source), c) for c in range(3))]
    blurred = stack([window("sum", p, Border(), (-1, 1), (0, 0)) for p in planes])
    layer = maximum(conv(blurred, 16, 3), 0.0)
    outputs = (Output("out", ImageType(F32, 13, 17, 16), (layer,)),
               Output("seen", ImageType(F32, 13, 17, 3), (blurred,)),
               Output("raw", source, (input_volume(0, source),)))  # fmt: skip
    body = Body((source,), outputs, {}, {})
    verify(body)
    compare(body, images, RNG.integers(0, 256, (20, *source.shape), np.uint8))


def test_heads_become_lists(images):
    """The rows of two maps one behind another, a channel of each pixel in turn, as detectors give them."""
    heads = [conv(X, 6), conv(load(X, HERE, stride=2, size=(3, 5)), 4)]
    rows = []
    for head in heads:
        assert head.size is not None
        (height, width), each = head.size, head.channels // 2
        size = (height * width * 2, 1)
        y = coord("y", size)
        take = [gather(part(head, k * each, each), y // 2 // width, y // 2 % width, size, HERE) for k in range(2)]
        rows.append(select((y % 2).eq(0), take[0], stack([take[1], vector(np.ones(3 - each, np.float32))])
                           if each < 3 else take[1]) if each == 3 else select((y % 2).eq(0), *take))  # fmt: skip
    first, second = stack([rows[0]]), stack([rows[1], part(rows[1], 0)])
    size = (first.size[0] + second.size[0], 1)
    y = coord("y", size)
    behind = gather(second, y - first.size[0], const(0), size, HERE)
    made = compare(body_of(select(y < first.size[0], gather(first, y, const(0), size, HERE), behind), (TYPE,)), images,
                   FRAMES)  # fmt: skip
    assert made.layers.code.maps[-1].bank


def test_whole_numbers_are_put_together_anew(images):
    """Places that a network's graph finds (TopK), those of two channels by turns; and constants beside them."""
    y, x = coord("y", (12, 9)), coord("x", (12, 9))
    rows = [gather(part(rint(C * 9.0).to(I32), k), y // 2, x, (12, 9), HERE) for k in (4, 7)]
    for other in (rows[1], y * 9 - x, const(-5)):
        made = compare(body_of(select((y % 2).eq(0), rows[0], other), (TYPE,), I32), images, FRAMES)
        assert made.layers.code.maps[-1].bank


def test_what_the_image_pass_makes_for_a_layer_that_leaves_lies_elsewhere(images):
    """As a network of peaks ends, as a program of its own: places where there is a peak, else no numbers."""
    there, one, other = (input_volume(k, ImageType(kind, 1, 1, 8)) for k, kind in enumerate((BOOL, F32, F32)))
    y, x = coord("y", (2, 1)), coord("x", (2, 1))
    places = select(y < 1, gather(one, y, x, (2, 1), HERE), gather(other, y - 1, x, (2, 1), HERE))
    seen = gather(there, const(0), const(0), (2, 1), HERE)
    kinds = tuple(ImageType(kind, 1, 1, 8) for kind in (BOOL, F32, F32))
    rows = [RNG.standard_normal((2, 1, 1, 8)).astype(np.float32) for _ in range(3)]
    compare(body_of(select(seen, const(np.nan, F32), places) * 2.0, kinds), images, rows[0] > 0, *rows[1:])


def test_lists_of_one_map_share_it(images):
    flat = [gather(part(C, k, 4), coord("y", (54, 1)) // 9, coord("y", (54, 1)) % 9, (54, 1), HERE) for k in (0, 8)]
    outputs = tuple(Output(f"out{k}", ImageType(F32, 54, 1, 4), (root,)) for k, root in enumerate(flat))
    compare(Body((TYPE,), outputs, {}, {}), images, FRAMES)


def test_what_is_kept_of_a_network_is_found_again_under_other_names(images, cache):
    """The same network twice in a pipeline, or a node that was renamed: outputs are called otherwise."""
    for name in ("mesh.points", "mesh2.points", "mesh.points"):
        body = Body((TYPE,), (Output(name, TYPE, (maximum(C, 0.25),)),), {}, {})
        made = program(body, images, cache=cache).run([FRAMES], {})
        assert same(np.asarray(made[name]), np.asarray(ReferenceProgram(body).run([FRAMES], {})[name]))


def test_results_go_where_they_are_wanted(images):
    body = body_of(maximum(C, 0.0), (TYPE,))
    made = program(body, images)
    there = np.full((2, 6, 9, 12), np.nan, np.float32)
    assert made.run([FRAMES], {}, {"out": there})["out"] is there
    assert same(there, ReferenceProgram(body).run([FRAMES], {})["out"])
    state = made.snapshot()
    other = program(body, images)
    other.restore(state)
    assert other.frames == 2
    made.reset()
    assert made.frames == 0


@functools.cache
def called(threads: int) -> tuple[NetworkProgram, ReferenceProgram]:
    """A program of two outputs, one of which is read in a map by a list."""
    flat = gather(part(C, 3, 4), coord("y", (54, 1)) // 9, coord("y", (54, 1)) % 9, (54, 1), HERE)
    outputs = Output("whole", TYPE, (maximum(C, 0.0),)), Output("list", ImageType(F32, 54, 1, 4), (flat,))
    body = Body((TYPE,), outputs, {}, {})
    return program(body, CpuExecutor(threads=1), threads=threads), ReferenceProgram(body)


@given(data=st.data())
@settings(quick, max_examples=20)
def test_calls_with_the_arrays_of_the_last_one_are_calls_like_others(data):
    """Arrays that were written to meanwhile, others at other places, batches of other lengths, in any order."""
    made, reference = called(data.draw(st.integers(1, 3)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    wide = np.zeros((3, 6, 18, 12), np.float32)
    given = [np.zeros((3, 6, 9, 12), np.float32), np.zeros((3, 6, 9, 12), np.float32), wide[:, :, ::2]]
    wanted = [{"whole": np.zeros((3, 6, 9, 12), np.float32), "list": np.zeros((3, 54, 1, 4), np.float32)}
              for _ in range(2)]  # fmt: skip
    for _ in range(data.draw(st.integers(2, 6))):
        frames = data.draw(st.sampled_from((1, 1, 1, 2, 3)))
        frame = given[data.draw(st.sampled_from((0, 0, 1, 2)))][:frames]
        frame[:] = rng.normal(size=frame.shape)
        some = data.draw(st.sampled_from((("whole", "list"), ("whole", "list"), ("list", "whole"), ("list",), ())))
        out = {name: wanted[data.draw(st.integers(0, 1))][name][:frames] for name in some}
        before = made.frames
        found = made.run([frame], {}, out or None)
        assert made.frames == before + frames
        for name, array in reference.run([frame], {}).items():
            assert same(np.asarray(found[name]), np.asarray(array)), name
            assert name not in out or found[name] is out[name]


def test_what_has_changed_of_the_arrays_of_the_last_call_is_seen():
    made, _ = called(2)
    frame, memory = np.ones((1, 6, 9, 12), np.float32), np.zeros((1, 6, 9, 12), np.float32)
    out = {"whole": memory, "list": np.zeros((1, 54, 1, 4), np.float32)}
    for _ in range(2):
        made.run([frame], {}, out)
    memory.flags.writeable = False
    with pytest.raises(DefinitionError, match="'whole' needs a writable array"):
        made.run([frame], {}, out)
    memory.flags.writeable = True
    made.run([frame], {}, out)
    for wrong, sentence in ((frame.view(np.int32), "int32 came where"), (frame.transpose(0, 2, 1, 3), "came"),
                            (memory, "shares memory")):  # fmt: skip
        with pytest.raises(DefinitionError, match=sentence):
            made.run([wrong], {}, out)
        made.run([frame], {}, out)
    with pytest.raises(DefinitionError, match="no parameter"):
        made.run([frame], {"gain": 1.0}, out)
    with pytest.raises(DefinitionError, match="no image 'other'"):
        made.run([frame], {}, {"whole": memory, "other": out["list"]})


ONES = Weights(np.ones((12, 2, 2, 12), np.int8))
BYTES = rint(X * 9.0).to(I8)


@pytest.mark.parametrize("root", [
    contract(BYTES, const(0), Contract(ONES, (12, 18), up=(2, 2))).to(F32) * SLOPE,
    contract(X, const(0.0), Contract(Weights(np.ones((2, 1, 1, 12), np.float32)), (12, 18), up=(2, 2))),
    contract(BYTES, const(-7), Contract(ONES, (6, 9), 1, -2, (2, 2), (3, 2), up=(3, 3), outside=5)).to(F32),
    window("sum", BYTES, Border("reflect101"), (-1, 1), (-2, 1)).to(F32) * 0.5,
])  # fmt: skip
def test_transposed_ones_with_gaps_and_sums_of_bytes(root, images):
    compare(body_of(root, (TYPE,)), images, FRAMES)


REFUSED = [
    (gather(C, (part(C, 0) * 0.0).to(I32), coord("x", (6, 9)), (6, 9), HERE), "computed values"),
    (conv(gather(C, Y40 * Y40 * X40 % 6, X40 * X40 * Y40 % 9, (40, 40), HERE), 3), "each its own way"),
]  # fmt: skip


@pytest.mark.parametrize(("root", "sentence"), REFUSED)
def test_what_rows_cannot_hold_is_said(root, sentence, images):
    with pytest.raises(Unsupported, match=sentence):
        program(body_of(root, (TYPE,)), images)


def test_tables_of_what_a_network_gives_are_refused(images):
    plane = part(C, 1)
    table = Candidates(plane > 0.0, (("value", plane),), 8)
    body = Body((TYPE,), (Output("out", table_type(table, (6, 9)), table=table),), {}, {})
    with pytest.raises(Unsupported, match="a table is made"):
        program(body, images)


@given(rows=st.lists(st.tuples(*[st.integers(0, 6)] * 2, st.integers(0, 1)), min_size=1, max_size=20))
def test_pieces_cover_lists(rows):
    first, second, still = np.array(rows).T
    found = np.full((len(rows), 3), -1)
    for run in runs([first, second], [still]):
        for k in range(run.count):
            place = run.first + k * run.step
            assert (found[place] == -1).all()
            found[place] = *(a + k * by for a, by in zip(run.source, run.by, strict=True)), still[run.first]
    assert found.tolist() == [list(row) for row in rows]


@given(data=st.data())
def test_patches_cover_pictures(data):
    shape = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    steps = data.draw(st.lists(st.integers(-2, 2), min_size=4, max_size=4))
    y, x = np.indices(shape)
    places = np.stack([y * steps[0] + x * steps[1], y * steps[2] + x * steps[3]], axis=2)
    assert len(patches(places, 1) or []) == 1
    noise = np.random.default_rng(data.draw(st.integers(0, 999))).random(shape) < data.draw(st.sampled_from((0.1, 0.5)))
    places[noise] = places[0, 0] - 7
    found = patches(places, 36)
    count = np.zeros(shape, int)
    for one in found or []:
        i, j = np.indices(one.size)
        count[one.first[0] + i, one.first[1] + j] += 1
        for axis in range(2):
            here = one.source[axis] + i * one.down[axis] + j * one.along[axis]
            assert (places[one.first[0] + i, one.first[1] + j, axis] == here).all()
    assert (count == 1).all()
    assert patches(places, len(found or []) - 1) is None


def test_regular_lists_have_few_pieces():
    assert len(runs([np.arange(40) // 2])) == 2
    assert len(runs([np.arange(40) * 3 + 1])) == 1
    assert len(runs([np.arange(40) // 8])) == 5
    assert len(runs([np.zeros(9, int)])) == 1
    assert len(runs([np.array([2, 1, 0, 1, 2, 3, 4, 3, 2])])) == 3
    low, share = np.arange(-1, 39) // 2, np.arange(40) % 2
    assert len(runs([low, low + 1])) == 3 - 1
    assert len(runs([low, low + 1], [share])) == 2
    assert len(runs([np.arange(9)], [np.arange(9) // 3])) == 3


@pytest.mark.skipif(not FILES, reason="the networks in ../shared/nets are not here")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_networks_run_whole(file: Path, images):
    body = body_of_model(file, {"batch": 1, "h": 64, "w": 96})
    (type_,) = body.inputs
    assert isinstance(type_, ImageType)
    frame = RNG.random((1, *type_.shape))
    compare(body, images, frame.astype(np.float32) if type_.dtype == F32 else (255 * frame).astype(type_.dtype.numpy))


WIDE = maximum(conv(X, 24), 0.0)
EACH = conv(X, 16)
TWICE = maximum(contract(stack([EACH, EACH]), const(0.5), Contract(
    Weights(RNG.standard_normal((32, 3, 3, 1)).astype(np.float32)), (6, 9), -1, -1, groups=32)), 0.0)  # fmt: skip
JOINT = contract(BYTES, const(-7), Contract(
    Weights(RNG.integers(-99, 99, (24, 2, 1, 12)).astype(np.int8)), (6, 9))).to(F32) * SCALE  # fmt: skip
SLICES = {
    "siblings that leave": ([part(WIDE, 0, 8), part(WIDE, 8, 15), part(WIDE, 23)], 2),
    "depthwise ones that leave": ([part(TWICE, 16, 16), part(TWICE, 0, 16)], 4),
    "whole numbers that leave": ([part(JOINT, 0, 12), part(JOINT, 12, 1), part(JOINT, 13, 11)], 2),
    "slices into layers": ([conv(part(WIDE, 8, 12), 5, 3), conv(part(WIDE, 3, 5), 8)], 4),
    "one into a pool": ([window("max", part(WIDE, 5, 9), Border("constant", -np.inf), (-1, 1), (-1, 1))], 4),
    "both": ([part(WIDE, 0, 16), conv(part(WIDE, 8, 16), 8, 3)], 4),
    "for the smaller part": ([part(WIDE, 0, 3), conv(WIDE, 8)], 4),
}
"""Outputs of channels of one map, and how many layers: a slice is copied nowhere that can look at it where it lies, and
siblings that leave are written into arrays of their own."""


@pytest.mark.parametrize("name", SLICES)
@pytest.mark.parametrize("level", LEVELS)
def test_slices_are_not_copied(name, level, images):
    roots, count = SLICES[name]
    outputs = tuple(Output(f"o{i}", ImageType(F32, *r.size, r.channels), (r,)) for i, r in enumerate(roots))
    made = compare(Body((TYPE,), outputs, {}, {}), images, FRAMES, level=level)
    assert len(made.layers.code.records) == count


def test_slices_go_into_arrays_that_are_given(images):
    roots, _ = SLICES["siblings that leave"]
    body = Body((TYPE,), tuple(Output(f"o{i}", ImageType(F32, *r.size, r.channels), (r,)) for i, r in enumerate(roots)),
                {}, {})  # fmt: skip
    made = images.compile(body)
    views = made.run([FRAMES], {})
    assert all(array.flags.c_contiguous for array in views.values())
    given = np.zeros((2, 6, 9, 15), np.float32)
    results = made.run([FRAMES], {}, {"o1": given})
    assert results["o1"] is given
    assert np.array_equal(given, views["o1"])
    assert np.array_equal(results["o2"], views["o2"])


def matrices(rows: int, inner: int, channels: int, across: int, alike: bool) -> tuple[Expr, Expr, Expr]:
    """A (rows, k) and B (k, channels), both computed and one for each pixel of a row, or one B for all; their
    product."""
    given = ImageType(F32, rows, across, 5)
    first = conv(input_volume(0, given), inner)
    second = conv(load(input_volume(0, given), HERE, size=(inner, across if alike else 1)), channels)
    size = rows, across
    total = None
    for k in range(inner):
        row = gather(second, const(k), coord("x", size) if second.size[1] > 1 else const(0), size, HERE)
        total = part(first, k) * row if total is None else total + part(first, k) * row
    return first, second, total


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("rows", "inner", "channels", "across", "alike"), [
    (7, 19, 150, 3, True), (7, 19, 33, 3, False), (1, 4, 1, 1, True), (20, 5, 8, 1, True), (3, 17, 64, 5, True),
])  # fmt: skip
def test_products_of_computed_matrices_are_one_layer(level, rows, inner, channels, across, alike, images):
    """With values that are no numbers, too; what becomes of a product is a layer of its own."""
    _, _, total = matrices(rows, inner, channels, across, alike)
    given = ImageType(F32, rows, across, 5)
    frames = RNG.standard_normal((3, *given.shape)).astype(np.float32)
    frames[1, 0, 0, 0] = np.inf
    made = compare(body_of(maximum(total, 0.0) * 0.5, (given,)), images, frames, level=level)
    shared = program(made.body, images, level, threads=2).run([frames[:1]], {})["out"]
    assert same(np.asarray(shared), np.asarray(made.run([frames[:1]], {})["out"]))
    assert sum(kernel.name.startswith("product") for kernel in kernels_of(made)) == 1
    assert len(made.layers.code.records) <= 5 + 3 * across  # of which what is beyond an edge takes some


def kernels_of(made: NetworkProgram) -> list:
    network = made.layers.network
    return [kernel for layer in network.layers for kernel in layer.kernels]


def test_sums_that_are_no_products_of_matrices_stay_what_they_are(images):
    first, second, total = matrices(6, 6, 12, 9, True)
    given = ImageType(F32, 6, 9, 5)
    x = coord("x", (6, 9))
    rows = [gather(second, const(k), x, (6, 9), HERE) for k in range(6)]
    wrong = [part(first, 0) * rows[1] + part(first, 1) * rows[0] + part(first, 2) * rows[2] + part(first, 3) * rows[3],
             part(first, 0) * rows[0] + part(first, 1) * rows[1], total - total * 0.5]  # fmt: skip
    frames = RNG.standard_normal((2, *given.shape)).astype(np.float32)
    for root, products in zip(wrong, (0, 0, 1), strict=True):
        made = compare(body_of(root, (given,)), images, frames)
        assert sum(kernel.name.startswith("product") for kernel in kernels_of(made)) == products


def test_channels_that_are_shuffled_come_by_a_list(images):
    """As ShuffleNet does it; a layer instead of one for each channel."""
    wide = conv(X, 40)
    other = conv(X, 8)
    shuffled = stack([part(wide, c % 2 * 20 + c // 2) for c in range(40)])
    made = compare(body_of(conv(shuffled, 16), (TYPE,)), images, FRAMES)
    assert len(made.layers.code.records) <= 5
    mixed = stack([part(wide, 7 * c % 40) if c % 5 else part(other, c // 5) for c in range(40)])
    made = compare(body_of(conv(part(mixed, 3, 30), 16), (TYPE,)), images, FRAMES)
    assert len(made.layers.code.records) <= 8


@pytest.mark.parametrize("threads", [1, 2])
def test_pictures_put_together_anew_come_by_a_table(threads, images):
    """Pixels as channels and channels as pixels; of values of several sizes, too."""
    wide, small = conv(X, 40), conv(load(X, HERE, stride=2, size=(3, 5)), 40)
    turned = mosaic([part(wide, c) for c in range(40)], (1, 40))  # (6, 360)
    pixels = stack([gather(turned, coord("y", (40, 9)) * 0 + r, coord("x", (40, 9)) * 40 + coord("y", (40, 9)),
                           (40, 9), HERE) for r in range(6)])  # fmt: skip
    both = stack([gather(one, const(y), const(x), (1, 1), HERE) for one, y, x in
                  [(wide, k % 6, k % 9) for k in range(20)] + [(small, k % 3, k % 5) for k in range(20)]])  # fmt: skip
    for root in (pixels, both):
        body = body_of(maximum(conv(root, 16), 0.25), (TYPE,))
        made = program(body, images, threads=threads)
        for frames in (FRAMES, FRAMES[:1]):  # of one frame the threads share the rows
            wanted = ReferenceProgram(body).run([frames], {})["out"]
            assert same(np.asarray(made.run([frames], {})["out"]), np.asarray(wanted))
        assert len(made.layers.code.records) <= 8
        assert sum(kernel.name.startswith("table") for kernel in kernels_of(made)) == 1
