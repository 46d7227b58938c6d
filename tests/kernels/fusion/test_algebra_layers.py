"""Linear layers added and composed: within the stated bounds, and only where nothing stands between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.reference import ReferenceProgram
from kernels.fusion.algebra import simplified
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, maximum, postorder
from kernels.ir.image import F32, ImageType
from kernels.ir.rewriting import at_outputs
from kernels.ir.volumes import Contract, Weights, contract, input_volume, vector

KIND = ImageType(F32, 7, 6, 5)
X = input_volume(0, KIND)
RNG = np.random.default_rng(2)


def conv(x: Expr, features: int, taps: int = 1, seed: int = 0, stride: int = 1, groups: int = 1) -> Expr:
    rng = np.random.default_rng(seed)
    weights = rng.standard_normal((features, taps, taps, x.channels // groups)).astype(np.float32)
    start = vector(rng.standard_normal(features).astype(np.float32))
    height, width = x.size or (1, 1)
    at = -(taps // 2)
    size = -(-height // stride), -(-width // stride)
    return contract(x, start, Contract(Weights(weights), size, at, at, (stride, stride), groups=groups))


def body_of(*roots: Expr) -> Body:
    outputs = (Output(f"o{i}", ImageType(F32, *r.size, r.channels), (r,)) for i, r in enumerate(roots))
    return Body((KIND,), tuple(outputs), {}, {})


def checked(*roots: Expr) -> list[str]:
    """The kinds of rewritings; values lie within the sum of their bounds."""
    body = body_of(*roots)
    same, none = simplified(body)
    assert same is body
    assert not none
    new, done = simplified(body, exact=False)
    frames = RNG.uniform(-1, 1, (2, *KIND.shape)).astype(np.float32)
    wanted, found = (ReferenceProgram(b).run([frames], {}) for b in (body, new))
    for name, values in wanted.items():
        miss = np.abs(values.astype(np.float64) - found[name].astype(np.float64)).max()
        assert miss <= at_outputs(done, "cpu").get(name, 0.0)
        assert miss > 0 or not done or values.size < 50
    before, after = (sum(n.arg.macs for n in postorder(b.roots) if n.op == "contract") for b in (body, new))
    assert sum(r.saved for r in done) == pytest.approx((before - after) / 42)
    assert all(r.saved > 0 and r.bound > 0 and not r.exact for r in done)
    return [r.kind for r in done]


def test_branches_of_one_value_are_added():
    assert checked(conv(X, 4, 3) + conv(X, 4, 1, 1)) == ["added"]  # the smaller kernel within the larger
    assert checked(maximum(conv(X, 4, 3, stride=2) + conv(X, 4, 3, 1, stride=2), 0.0)) == ["added"]
    depthwise = conv(X, 5, 3, groups=5) + conv(X, 5, 1, 1, groups=5)
    assert checked(depthwise) == ["added"]
    assert checked(depthwise + depthwise) == ["added"]
    assert checked((conv(X, 4, 3) + conv(X, 4, 1, 1)) + conv(X, 4, 1, 2)) == ["added", "added"]


def test_a_pointwise_layer_behind_another_is_composed_where_it_saves():
    assert checked(conv(conv(X, 40), 3, seed=1)) == ["composed"]
    assert checked(conv(conv(X, 12, 3), 4, seed=1)) == ["composed"]
    assert checked(conv(conv(X, 2), 9, seed=1)) == []  # a bottleneck: composed it would take more


@pytest.mark.parametrize(
    "root",
    [
        lambda: maximum(conv(X, 4, 3), 0.0) + conv(X, 4, 1, 1),
        lambda: conv(maximum(conv(X, 40), 0.0), 3, seed=1),
        lambda: conv(X, 4, 3) + conv(X, 4, 1, 1) * 2.0,
        lambda: conv(X, 4, 3) + conv(maximum(X, 0.0), 4, 1, 1),
        lambda: conv(X, 5, 3) + conv(X, 5, 3, 1, groups=5),
        lambda: conv(conv(X, 40), 3, 3, seed=1),
    ],
    ids=["activation", "activation between", "factor", "other value", "other groups", "a kernel behind"],
)
def test_what_is_not_linear_or_looks_elsewhere_stays(root):
    assert checked(root()) == []


def test_what_another_needs_stays():
    a, b = conv(X, 4, 3), conv(conv(X, 40), 3, seed=1)
    assert checked(a + conv(X, 4, 1, 1), maximum(a, 0.0)) == []
    assert checked(b, maximum(b.src[0], 0.0)) == []


@given(st.integers(0, 2**31), st.integers(1, 40), st.integers(1, 9), st.sampled_from((1, 3)), st.sampled_from((1, 3)))
@settings(max_examples=40, deadline=None)
def test_bounds_hold(seed, middle, features, one, other):
    checked(conv(conv(X, middle, one, seed), features, seed=seed + 1) + conv(X, features, other, seed + 2))
