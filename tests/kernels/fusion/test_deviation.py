"""How far outputs can be off, against values that are off: never beyond the bound, and not far below it where errors
add up as badly as they can."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.executors.reference import ReferenceProgram
from kernels.fusion.compose import compose
from kernels.fusion.deviation import Deviation, Sizes
from kernels.fusion.magnitudes import SMOOTH, Array, magnitudes, operand, unit
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, floor, maximum, minimum, postorder, recur, select, state
from kernels.ir.functions import exp2, sigmoid, tanh
from kernels.ir.image import F32, ImageType
from kernels.ir.planes import Border, load, window
from kernels.ir.rewriting import Rewriting, at_outputs, substitute
from kernels.ir.volumes import Contract, Weights, contract, input_volume, part, stack, vector
from tests.layers import Layers, layer_graphs

TYPE = ImageType(F32, 4, 5, 3)
X = input_volume(0, TYPE)
ZERO = Border("constant", 0.0)


def deviation(body: Body, node: Expr, size: float) -> Deviation:
    """A body of which a node is off by up to `size`, where that is added to it, and so rounded."""

    def off(sizes: Sizes) -> Array:
        return size + 2 * unit(F32) * (sizes.of(node) + size)

    names = tuple(output.name for output in body.outputs for _ in output.roots)
    return Deviation((*names, *("",) * len(body.updates)), body.roots, {node: off}, body.params)


def seen(body: Body, node: Expr, size: float, signs: np.ndarray, frames: list[np.ndarray]) -> dict[str, float]:
    """By how much each output differs once the node is."""
    assert node.size is not None
    type_ = ImageType(F32, *node.size, node.channels)
    error = input_volume(len(body.inputs), type_)
    wrong = substitute(body.roots, {node: node + error})
    rest = iter(wrong)
    outputs = tuple(replace(o, planes=tuple(next(rest) for _ in o.planes)) for o in body.outputs)
    other = replace(body, inputs=(*body.inputs, type_), outputs=outputs)
    errors = (signs[: np.prod(type_.shape)].reshape(type_.shape) * size).astype(np.float32)
    count = len(frames[0])
    mine = ReferenceProgram(body).run(frames, {})
    theirs = ReferenceProgram(other).run([*frames, np.stack([errors] * count)], {})
    return {o.name: largest(np.asarray(mine[o.name]), np.asarray(theirs[o.name])) for o in body.outputs}


def largest(a: np.ndarray, b: np.ndarray) -> float:
    """The largest absolute difference; equal infinities are none."""
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return float(np.abs(np.where(same, 0, a).astype(np.float64) - np.where(same, 0, b)).max())


def body_of(root: Expr) -> Body:
    assert root.size is not None
    return Body((TYPE,), (Output("out", ImageType(root.dtype, *root.size, root.channels), (root,)),), {}, {})


def weights(features: int, taps: int = 1, groups: int = 1) -> Expr:
    rng = np.random.default_rng(features + taps)
    array = rng.uniform(-1, 1, (features, taps, taps, 3 // groups)).astype(np.float32)
    how = Contract(Weights(array), (4, 5), -(taps // 2), -(taps // 2), groups=groups)
    return contract(X * 1.5, vector(rng.uniform(-1, 1, features).astype(np.float32)), how)


NODE = X * 1.5
"""What is off in the bodies below."""
PASSES: dict[str, tuple[Callable[[], Expr], float]] = {
    "sum": (lambda: NODE + X, 1.0),
    "difference": (lambda: X - NODE, 1.0),
    "product": (lambda: NODE * 3.0 - 1.0, 3.0),
    "square": (lambda: NODE * NODE, 3.01),
    "quotient": (lambda: NODE / 4.0, 0.25),
    "neighbour": (lambda: load(NODE, ZERO, 1, 1), 1.0),
    "window": (lambda: window("sum", NODE, ZERO, x=(-1, 1), y=(0, 1)), 6.0),
    "maxima": (lambda: window("max", NODE, ZERO, x=(-1, 1), y=(0, 1)), 1.0),
    "rectifier": (lambda: maximum(NODE, 0.0), 1.0),
    "leaky": (lambda: select(NODE < 0.0, NODE * 0.25, NODE), 1.0),
    "steep": (lambda: select(NODE < 0.0, NODE * vector(np.array([1, 2, 4], np.float32)), NODE), 4.0),
    "parts": (lambda: stack((part(NODE, 1, 2), part(X, 0, 1))), 1.0),
    "sigmoid": (lambda: sigmoid(NODE), 0.25),
    "swish": (lambda: NODE * sigmoid(NODE), 1.375),
    "tanh": (lambda: tanh(NODE), 1.0),
    "absolute": (lambda: abs(NODE), 1.0),
    "clip": (lambda: minimum(maximum(NODE, 0.0), 6.0), 1.0),
}


@pytest.mark.parametrize("name", PASSES)
def test_an_error_grows_as_steeply_as_the_value_does(name: str) -> None:
    make, slope = PASSES[name]
    body, size = body_of(make()), 2.0**-10
    (bound,) = deviation(body, NODE, size).at_outputs().values()
    assert slope * size * 0.99 < bound < slope * size * 1.02
    rng = np.random.default_rng(3)
    most = 0.0
    for signs in (np.ones(60), -np.ones(60), rng.uniform(-1, 1, 60)):
        frames = [rng.uniform(-1, 1, (2, *TYPE.shape)).astype(np.float32)]
        frames[0][:, 0, :2] = ((1,), (-1,))
        frames[0][:, 1] = rng.uniform(-0.01, 0.01, frames[0][:, 1].shape)
        found = seen(body, NODE, size, signs, frames)["out"]
        assert found <= bound
        most = max(most, found)
    assert most > bound / 2  # an error of one sign everywhere is as bad as that, of these


@pytest.mark.parametrize(("features", "taps", "groups"), [(4, 1, 1), (3, 3, 3), (5, 2, 1)])
def test_a_contraction_passes_on_the_sum_of_its_weights(features: int, taps: int, groups: int) -> None:
    root = weights(features, taps, groups)
    body, size = body_of(root), 2.0**-8
    (bound,) = deviation(body, NODE, size).at_outputs().values()
    array = root.arg.weights.array
    assert bound == pytest.approx(np.abs(array).sum((1, 2, 3)).max() * size, rel=1e-2)
    worst = int(np.abs(array).sum((1, 2, 3)).argmax())
    signs = np.sign(array[worst]).sum((0, 1))  # of one tap it is the worst that can be
    if groups == 1:
        frames = [np.random.default_rng(0).uniform(-1, 1, (1, *TYPE.shape)).astype(np.float32)]
        found = seen(body, NODE, size, np.tile(np.sign(signs), 20), frames)["out"]
        assert bound / (1.02 if taps == 1 else 4) < found <= bound


def test_what_comes_out_larger_is_off_by_more_and_of_whole_numbers_by_one_at_least() -> None:
    body = body_of(NODE * X)
    one, ten = (deviation(body, NODE, 2.0**-10).at_outputs([size])["out"] for size in (1.0, 10.0))
    assert ten == pytest.approx(10 * one, rel=0.03)
    found = deviation(body_of(floor(NODE)), NODE, 2.0**-10).at_outputs()["out"]
    assert 1.0 < found < 1.01


def test_behind_a_comparison_only_what_is_bounded_anyhow_stays_bounded() -> None:
    apart = body_of(select(NODE < 0.5, X, X * 4.0))
    (bound,) = deviation(apart, NODE, 2.0**-10).at_outputs().values()
    assert bound == pytest.approx(5.0, rel=1e-3)  # a pixel of 1 may become one of 4
    assert deviation(body_of(NODE < 0.5), NODE, 2.0**-10).at_outputs() == {"out": np.inf}
    assert deviation(body_of(exp2(NODE)), NODE, 2.0**-10).at_outputs()["out"] == np.inf


def test_a_recurrence_adds_up_the_errors_of_all_frames() -> None:
    s = state("s", F32)
    root = recur("s", part(NODE, 0, 1), s + (part(NODE, 0, 1) - s) * 0.125)
    body, size = body_of(root), 2.0**-10
    (bound,) = deviation(body, NODE, size).at_outputs().values()
    assert size <= bound < 1.1 * size  # a mean of values that are off is off by as much
    frames = [np.random.default_rng(1).uniform(-1, 1, (30, *TYPE.shape)).astype(np.float32)]
    assert bound / 1.1 < seen(body, NODE, size, np.ones(60), frames)["out"] <= bound
    grows = body_of(recur("s", part(NODE, 0, 1), s + part(NODE, 0, 1)))
    assert deviation(grows, NODE, size).at_outputs() == {"out": np.inf}


def test_what_nothing_off_goes_into_is_not_off() -> None:
    body = replace(body_of(NODE * 2.0), outputs=(
        Output("off", TYPE, (NODE * 2.0,)), Output("clean", TYPE, (X + 1.0,))))  # fmt: skip
    found = deviation(body, NODE, 2.0**-10)
    assert found.at_outputs()["clean"] == 0.0
    made = [Rewriting("added", "off", False, 1.0, 1.0, "", deviation=found),
            Rewriting("tensor", "off", False, 1.0, 1.0, "", device="cuda", deviation=found)]  # fmt: skip
    once, twice = (at_outputs(made, device) for device in ("cpu", "cuda"))
    assert set(once) == {"off"}
    assert twice["off"] == 2 * once["off"]  # errors of two rewritings add up, each where it is computed


def test_what_is_computed_of_smooth_functions_is_off_by_what_is_told() -> None:
    x = np.linspace(-20, 20, 60_001)
    x[::2] = np.linspace(-1.2, 1.2, 30_001)
    type_ = ImageType(F32, 1, len(x))
    exact = (1 / (1 + np.exp(-x.astype(np.float32).astype(float))), np.tanh(x.astype(np.float32).astype(float)),
             np.array([math.erf(v) for v in x.astype(np.float32).astype(float)]))  # fmt: skip
    for known, wanted in zip(SMOOTH, exact, strict=True):
        body = replace(body_of(known.function(input_volume(0, type_))), inputs=(type_,))
        made = np.asarray(ReferenceProgram(body).run([x.astype(np.float32).reshape(1, 1, -1)], {})["out"], float)
        off = np.abs(made.ravel() - wanted).max()
        assert off <= known.off < 2 * off
        assert np.abs(made).max() <= known.most < 1.1 * np.abs(made).max()
        slope = np.abs(np.diff(wanted[1::2]) / np.diff(x[1::2])).max()
        assert 0.99 * known.slope < slope <= known.slope


@pytest.mark.parametrize("function", [f.function for f in SMOOTH])
def test_functions_are_known_by_their_nodes(function: Callable[[Expr], Expr]) -> None:
    for x in (X, NODE + 1.0, -X):
        assert operand(function(x), function) is x
    assert operand(function(X) + 1.0, function) is None


@given(layer_graphs(4), st.randoms(use_true_random=False))
def test_networks_stay_within_what_is_told_of_them(graph: Layers, random: object) -> None:
    body = compose(graph.parts, [(graph.parts[-1].id, "out")])
    nodes = [n for n in postorder(body.roots) if n.dtype == F32 and n.size is not None]
    node = random.choice(nodes)  # type: ignore[attr-defined]
    (name, bound) = next(iter(deviation(body, node, 2.0**-6).at_outputs().items()))
    rng = np.random.default_rng(random.randrange(1000))  # type: ignore[attr-defined]
    frames = [rng.uniform(-1, 1, (1, *graph.source.shape)).astype(np.float32)]
    found = seen(body, node, 2.0**-6, rng.choice([-1.0, 1.0], 10_000), frames)[name]
    assert found <= bound


@given(layer_graphs(4))
def test_no_value_is_larger_than_what_is_told_of_it(graph: Layers) -> None:
    body = compose(graph.parts, [(graph.parts[-1].id, "out")])
    known = magnitudes(list(postorder(body.roots)), [2.0])
    frames = [np.random.default_rng(7).uniform(-2, 2, (1, *graph.source.shape)).astype(np.float32)]
    made = np.asarray(next(iter(ReferenceProgram(body).run(frames, {}).values())), np.float64)
    for root in body.outputs[0].planes:
        if root in known:
            assert (np.abs(made).max((0, 1, 2)) <= known[root]).all()
