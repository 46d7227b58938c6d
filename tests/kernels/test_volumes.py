"""Volumes: contractions against a plain loop, graphs of layers in one body against the same run layer by layer."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.errors import ExprError
from kernels.executors.base import executor
from kernels.executors.reference import ReferenceProgram, evaluate
from kernels.fusion.algebra import simplified
from kernels.fusion.compose import compose
from kernels.fusion.extent import of_outputs
from kernels.ir.body import Body, Part
from kernels.ir.expr import Expr, const, joint_channels, maximum, recur, state
from kernels.ir.image import F32, I8, I32, U8, ImageType
from kernels.ir.listing import fingerprint, listing
from kernels.ir.planes import Border, coord, gather, input_plane, spread, window
from kernels.ir.reach import Reach, kind, reach
from kernels.ir.rewriting import substitute
from kernels.ir.simplify import simplify
from kernels.ir.volumes import CHANNEL_BLOCK, Contract, Weights, contract, input_volume, mosaic, part, stack, vector
from kernels.stages.gray import gray
from kernels.stages.peaks import peaks
from tests.exact import fma
from tests.kernels.linearity import is_linear
from tests.layers import body_of, contractions, layer_graphs, numbers
from tests.strategies import same

quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
KIND = ImageType(F32, 4, 6, 3)
X = input_volume(0, KIND)


def run(body: Body, *frames: np.ndarray) -> np.ndarray:
    return ReferenceProgram(body).run([f[np.newaxis] for f in frames], {})["out"][0]


def plain(volume: np.ndarray, start: np.ndarray, how: Contract) -> np.ndarray:
    """A contraction, one multiply-add after the other."""
    weights = how.weights.array
    features, rows, columns, channels = weights.shape
    whole = volume.dtype.kind != "f"
    out = np.empty((*how.size, features), np.int32 if whole else np.float32)
    height, width, _ = volume.shape
    for y, x, f in np.ndindex(out.shape):
        total = int(start[f]) if whole else start[f]
        first = f // (features // how.groups) * channels
        for block in range(0, channels, 64):
            for j, i in np.ndindex(rows, columns):
                at_y, rest_y = divmod(y * how.stride[0] + how.y0 + j * how.dilation[0], how.up[0])
                at_x, rest_x = divmod(x * how.stride[1] + how.x0 + i * how.dilation[1], how.up[1])
                if rest_y or rest_x:
                    continue
                inside = 0 <= at_y < height and 0 <= at_x < width
                for c in range(block, min(block + 64, channels)):
                    seen = volume[at_y, at_x, first + c] if inside else volume.dtype.type(how.outside)
                    weight = weights[f, j, i, c]
                    total = total + int(seen) * int(weight) if whole else fma(seen, weight, total)
        out[y, x, f] = total
    return out if features > 1 else out[..., 0]


@given(data=st.data())
@quick
def test_a_contraction_is_a_plain_loop_of_fused_multiply_adds(data):
    size, channels = data.draw(st.tuples(st.integers(1, 5), st.integers(1, 5))), data.draw(st.integers(1, 6))
    shape = data.draw(st.sampled_from(("dense", "depthwise", "grouped", "pointwise", "transposed")))
    how = data.draw(contractions(size, channels, shape))
    bias, frame = numbers(data.draw, (how.features,)), numbers(data.draw, (*size, channels))
    frame = frame if channels > 1 else frame[..., 0]
    type_ = ImageType(F32, *size, channels)
    found = run(body_of(contract(input_volume(0, type_), vector(bias), how), (type_,)), frame)
    assert same(found, plain(frame.reshape(*size, channels), bias, how))


@pytest.mark.parametrize("channels", [CHANNEL_BLOCK - 1, CHANNEL_BLOCK, CHANNEL_BLOCK + 1, 2 * CHANNEL_BLOCK + 3])
def test_sums_go_by_blocks_of_64_channels(channels):
    rng = np.random.default_rng(channels)
    type_ = ImageType(F32, 1, 2, channels)
    frame = rng.standard_normal(type_.shape).astype(np.float32)
    how = Contract(Weights(rng.standard_normal((3, 1, 2, channels)).astype(np.float32)), (1, 2))
    bias = np.zeros(3, np.float32)
    found = run(body_of(contract(input_volume(0, type_), vector(bias), how), (type_,)), frame)
    assert same(found, plain(frame, bias, how))


@pytest.mark.parametrize("dtype", [U8, I8])
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_whole_numbers_are_exact(dtype, groups):
    rng = np.random.default_rng(groups)
    type_ = ImageType(dtype, 3, 5, 4)
    limits = np.iinfo(dtype.numpy)
    frame = rng.integers(limits.min, limits.max, type_.shape, dtype.numpy, endpoint=True)
    weights = Weights(rng.integers(-128, 127, (4, 3, 3, 4 // groups), np.int8, endpoint=True))
    how = Contract(weights, (3, 5), -1, -1, groups=groups, outside=7)
    bias = np.array([0, -5, 2**31 - 1, 9], np.int32)
    found = run(body_of(contract(input_volume(0, type_), vector(bias[:4]), how), (type_,), I32), frame)
    wanted = plain(frame, np.array([0, -5, 0, 9]), how).astype(np.int64) + [0, 0, 2**31 - 1, 0]
    assert same(found, ((wanted + 2**31) % 2**32 - 2**31).astype(np.int32))


def alone(graph, frame: np.ndarray) -> list[np.ndarray]:
    """What every layer makes, each run by itself."""
    made: list[np.ndarray] = []
    for one in graph.parts:
        given = [frame if source == 0 else made[int(source[0][1:])] for source in one.inputs]
        made.append(run(one.body, *given))
    return made


@given(data=st.data())
@settings(quick, max_examples=80)
def test_layers_in_one_body_are_the_layers_one_by_one(data):
    graph = data.draw(layer_graphs())
    frame = numbers(data.draw, graph.source.shape)
    made = alone(graph, frame)
    wanted = sorted(data.draw(st.sets(st.integers(0, len(made) - 1), min_size=1, max_size=2)) | {len(made) - 1})
    body = compose(graph.parts, [(f"l{i}", "out") for i in wanted])
    found = ReferenceProgram(body).run([frame[np.newaxis]], {})
    for i in wanted:
        assert same(found[f"l{i}.out"][0], made[i]), i
    roots = simplify(body.roots)
    for root, old, i in zip(roots, body.roots, wanted, strict=True):
        assert (root.dtype, root.size, root.channels) == (old.dtype, old.size, old.channels)
        assert same(run(body_of(root, body.inputs), frame), made[i]), f"simplified {i}"
    assert pickle.loads(pickle.dumps(body.roots)) == body.roots
    for index, far in reach(body.roots).items():
        assert index == 0
        assert far.x0 <= far.x1


def test_image_stages_before_and_behind_layers_are_one_body():
    source = ImageType(U8, 12, 14, 3)
    first = gray.build([source])
    rng = np.random.default_rng(3)
    plane_type = first.outputs[0].type
    volume = input_volume(0, plane_type)
    how = Contract(Weights(rng.standard_normal((2, 3, 3, 1)).astype(np.float32)), (12, 14), -1, -1)
    layer = body_of(maximum(contract(volume.to(F32) * (1 / 255), const(0.0), how), 0.0), (plane_type,))
    last = peaks.build([ImageType(F32, 12, 14)], {"threshold": 0.0})
    pick = body_of(part(input_volume(0, ImageType(F32, 12, 14, 2)), 1), (ImageType(F32, 12, 14, 2),))
    parts = [Part("gray", first, (0,)), Part("layer", layer, (("gray", "out"),)),
             Part("pick", pick, (("layer", "out"),)), Part("peaks", last, (("pick", "out"),))]  # fmt: skip
    body = compose(parts, [("peaks", last.outputs[0].name)])
    frame = rng.integers(0, 255, source.shape, np.uint8)
    (found,) = ReferenceProgram(body).run([frame[np.newaxis]], {}).values()
    seen = evaluate(gray, frame)
    seen = run(pick, run(layer, seen))
    wanted = evaluate(peaks, seen, threshold=0.0)
    assert len(wanted.rows) > 0
    assert (found[0].rows == wanted.rows).all()
    assert str(reach(body.roots)[0]) == "5x5 px"


@pytest.mark.parametrize("dtype", [F32, I8])
@pytest.mark.parametrize("steps", [1, 2])
def test_the_compiled_back_end_has_the_bits_of_the_reference(dtype, steps):
    how = Contract(Weights(np.ones((2, 2, 2, 3), dtype.numpy)), (4, 6), stride=(steps, steps), up=(steps, steps))
    body = body_of(contract(X.to(dtype), const(0, I32 if dtype == I8 else F32), how).to(F32), (KIND,))
    frame = np.random.default_rng(0).standard_normal(KIND.shape).astype(np.float32)
    program = executor("cpu").compile(body)
    assert program.back_end == "cpu"
    assert same(program.run([frame[np.newaxis]], {})["out"][0], run(body, frame))


def test_it_leaves_what_it_cannot_to_the_reference_and_says_so():
    """A layer inside a memory."""
    first = part(contract(X, const(0.0), conv().arg), 0)
    assert first.size is not None
    before = spread(state("m", F32), first.size)
    inside = contract(before, const(0.0), Contract(Weights(np.ones((1, 1, 1, 1), np.float32)), first.size))
    body = body_of(recur("m", first, inside + first), (KIND,))
    frame = np.random.default_rng(0).standard_normal(KIND.shape).astype(np.float32)
    program = executor("cpu").compile(body)
    assert program.back_end == "reference"
    assert program.reason.startswith("it has layers of a network for which there is no code: ")
    assert same(program.run([frame[np.newaxis]], {})["out"][0], run(body, frame))


def test_what_knows_planes_only_leaves_volumes_alone():
    body = body_of(contract(X * 2.0, const(0.0), conv().arg) + vector(np.ones(2, np.float32)), (KIND,))
    assert simplified(body, exact=False) == (body, ())
    assert of_outputs(body, [(0.0, 1.0)]) == {"out": (-np.inf, np.inf)}


def conv(size=(4, 6), taps=(1, 1), **how) -> Expr:
    return contract(X, const(0.0), Contract(Weights(np.ones((2, *taps, 3), np.float32)), size, **how))


def test_parts_see_through_stacks_and_inputs():
    a, b = conv(), conv(y0=1)
    both = stack([a, X, b])
    assert part(both, 0, 2) is a
    assert part(both, 3) is input_plane(0, 1, F32, (4, 6))
    assert part(both, 5, 2) is b
    assert part(part(both, 1, 5), 1, 3) is X
    assert part(both, 1, 2).op == "part"
    assert stack([a]) is a
    raw = Expr("part", (both,), (2, 3), F32, (4, 6), 3)
    assert simplify([raw]) == (X,)
    assert part(stack([const(1.0), X]), 0).size == (4, 6)  # a constant in an image stays an image
    assert vector([1.5]).op == "const"


def test_weights_are_their_content():
    array = np.arange(6, dtype=np.float32)
    first = Weights(array)
    array[0] = 9
    assert first.array[0] == 0
    assert first == Weights(np.arange(6, dtype=np.float32))
    assert first != Weights(array)
    assert first != Weights(first.array.reshape(2, 3))
    assert first != Weights(first.array.view(np.int32))
    assert vector(first.array) is vector(np.arange(6, dtype=np.float32))
    assert Weights(np.array([0.0])) != Weights(np.array([-0.0]))
    shared = np.frombuffer(bytes(24), np.float32)
    assert Weights(shared).array.base is not None  # what cannot be written to is not copied
    with pytest.raises(ValueError, match="read-only"):
        first.array[0] = 1


def test_texts_and_keys_tell_volumes_apart():
    assert listing([X]) == ("%0 = input Input(index=0, channel=-1, size=(4, 6)) : f32 6x4 x3\nreturn %0")
    other = contract(X, const(0.0), Contract(Weights(np.full((2, 1, 1, 3), 2, np.float32)), (4, 6)))
    assert fingerprint([conv()]) != fingerprint([other])
    assert fingerprint([conv()]) == fingerprint([conv(outside=-0.0)])


REACHES = [
    (conv(taps=(3, 3), y0=-1, x0=-1), Reach(-1, 1, -1, 1), "local"),
    (conv((2, 3), (3, 2), stride=(2, 2)), Reach(0, 1, 0, 2), "resampling"),
    (conv((2, 2), (3, 3), dilation=(2, 1), y0=1), Reach(0, 2, 1, 5), "resampling"),
    (conv((8, 12), (2, 2), up=(2, 2), y0=-1, x0=-1), Reach(-1, 0, -1, 0), "resampling"),
    (mosaic([X, X], (1, 2)), Reach(), "resampling"),
    (window("max", mosaic([X, X], (1, 2)), Border(), (-1, 1), (0, 0)), Reach(-1, 1, 0, 0), "resampling"),
    (conv(), Reach(), "point"),
    (stack([X, X * 2.0]), Reach(), "point"),
]


@pytest.mark.parametrize(("root", "far", "sort"), REACHES)
def test_reach_and_kind(root, far, sort):
    body = body_of(root, (KIND,))
    assert reach(body.roots) == {0: far}
    assert kind(body) == sort


@pytest.mark.parametrize(
    ("root", "linear"),
    [(conv(), True), (conv(outside=1), False), (conv() + 1.0, False), (stack([X, conv()]), True),
     (stack([X, const(1.0)]), False), (stack([X, const(0.0)]), True), (X * vector([1.0, 2.0, 3.0]).to(F32), True),
     (contract(X, vector(np.ones(2, np.float32)), conv().arg), False), (part(conv(), 1) * part(conv(), 0), False)],
)  # fmt: skip
def test_linearity(root, linear):
    assert is_linear(body_of(root, (KIND,))) is linear


def weights(*shape, dtype=np.float32):
    return Weights(np.ones(shape, dtype))


REFUSED = [
    (lambda: X + conv(), "images of 3 and of 2 channels meet"),
    (lambda: contract(X, const(0.0), Contract(weights(2, 1, 1, 4), (4, 6))), "contraction of 3 channels to 2 in 1 gr"),
    (lambda: contract(X, const(0.0), Contract(weights(2, 1, 1, 1), (4, 6), groups=3)), "to 2 in 3 groups does not go"),
    (lambda: contract(X, const(0.0), Contract(weights(2, 3), (4, 6))), "weights of a contraction have four axes"),
    (lambda: contract(X, const(0.0), Contract(weights(0, 1, 1, 3), (4, 6))), "none of them empty"),
    (lambda: contract(X, X, Contract(weights(3, 1, 1, 3), (4, 6))), "not from 3 channels of an image"),
    (lambda: contract(X, const(0), Contract(weights(2, 1, 1, 3), (4, 6))), "starts from f32, not from i32"),
    (lambda: contract(X, const(0.0), Contract(weights(2, 1, 1, 3, dtype=np.int8), (4, 6))), "f32 with weights of i8"),
    (lambda: contract(X.to(I8), const(0), Contract(weights(2, 1, 1, 3, dtype=np.int8), (4, 6), outside=200)),
     "200 beyond the edge is not a value of i8"),
    (lambda: conv(outside=np.nan), "nan beyond the edge is not a value of f32"),
    (lambda: conv(stride=(0, 1)), "must be at least 1"),
    (lambda: contract(vector(np.ones(3, np.float32)), const(0.0), conv().arg), "a contraction needs an image"),
    (lambda: stack([]), "at least one part"),
    (lambda: stack([X, X.to(I32)]), "only values of one type can be stacked, not f32, i32"),
    (lambda: part(X, 2, 2), "a volume of 3 channels has no channels 2..3"),
    (lambda: mosaic([X, X], (2, 2)), "a mosaic in blocks of 2x2 does not go with 2 images"),
    (lambda: mosaic([X, conv()], (1, 2)), "a mosaic is made of images of one type and size"),
    (lambda: mosaic([const(1.0)], (1, 1)), "a mosaic needs images"),
    (lambda: vector(np.ones((2, 2))), "a vector has one axis"),
    (lambda: joint_channels([X, conv()]), "images of 3 and of 2 channels meet"),
    (lambda: substitute([X], {X: conv()}), "input of 3 channels cannot be replaced by contract of 2"),
    (lambda: body_of(gather(X, const(0), X.to(I32), (4, 6), Border()), (KIND,)), "coordinates of a gather must"),
]


@pytest.mark.parametrize(("make", "sentence"), REFUSED)
def test_what_does_not_fit_is_refused_in_a_sentence(make, sentence):
    with pytest.raises(ExprError, match=sentence.replace("(", r"\(")):
        make()


def test_gathers_and_images_of_one_pixel():
    type_ = ImageType(F32, 1, 1, 2)
    volume = input_volume(0, type_)
    spread = gather(volume, coord("y", (2, 3)), coord("x", (2, 3)), (2, 3), Border("constant", 5.0))
    found = run(body_of(spread, (type_,)), np.array([[[1.0, 2.0]]], np.float32))
    assert found.shape == (2, 3, 2)
    assert found[0, 0].tolist() == [1, 2]
    assert (found.reshape(-1, 2)[1:] == 5).all()


def test_a_mosaic_is_depth_to_space():
    frame = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4)
    type_ = ImageType(F32, 2, 3, 4)
    planes = [part(input_volume(0, type_), c) for c in range(4)]
    found = run(body_of(mosaic(planes, (2, 2)), (type_,)), frame)
    for y, x in np.ndindex(4, 6):
        assert found[y, x] == frame[y // 2, x // 2, y % 2 * 2 + x % 2]
