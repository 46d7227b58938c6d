"""Siblings joined: every bit stays, and what could cost something stays apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors.reference import ReferenceProgram
from kernels.fusion.compose import compose
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const, convert, maximum, postorder, rint, select
from kernels.ir.functions import sigmoid
from kernels.ir.image import F32, I8, I32, U8, DType, ImageType
from kernels.ir.verify import verify
from kernels.ir.volumes import Contract, Weights, contract, input_volume, part, stack, vector
from kernels.networks import siblings
from kernels.networks.siblings import joined, spared
from tests.layers import contractions, layer_graphs, numbers
from tests.strategies import same

KIND = ImageType(F32, 5, 6, 4)
X = input_volume(0, KIND)
RNG = np.random.default_rng(3)


def conv(volume: Expr, features: int = 8, taps: int = 1, groups: int = 1, **how) -> Expr:
    weights = RNG.standard_normal((features, taps, taps, volume.channels // groups)).astype(np.float32)
    size = volume.size or (0, 0)
    start = vector(RNG.standard_normal(features).astype(np.float32))
    return contract(volume, start, Contract(Weights(weights), size, -(taps // 2), -(taps // 2), groups=groups, **how))


def relu(x: Expr) -> Expr:
    return maximum(x, 0.0)


def scaled(x: Expr) -> Expr:
    slopes = vector(RNG.standard_normal(x.channels).astype(np.float32))
    return select(x < 0.0, x * slopes, x)


def body_of(roots: list[Expr], kind: ImageType = KIND) -> Body:
    outputs = tuple(Output(f"o{i}", ImageType(r.dtype, *r.size, r.channels), (r,)) for i, r in enumerate(roots))
    made = Body((kind,), outputs, {}, {})
    verify(made)
    return made


def checked(roots: list[Expr], kind: ImageType = KIND) -> list[Expr]:
    """The roots after joining, the same bit for bit."""
    found = joined(roots)
    new = [found.new[r] for r in roots]
    frames = RNG.standard_normal((1, *kind.shape)).astype(np.float32)
    if not kind.dtype.is_float:
        frames = RNG.integers(0, 255, (1, *kind.shape)).astype(kind.dtype.numpy)
    before = ReferenceProgram(body_of(roots, kind)).run([frames], {})
    after = ReferenceProgram(body_of(new, kind)).run([frames], {})
    for name, values in before.items():
        assert same(after[name], values)
    return new


def count(roots: list[Expr], op: str = "contract") -> int:
    return sum(node.op == op for node in postorder(roots))


def test_siblings_with_equal_functions_become_one_and_their_slices_are_views():
    ends = [relu(conv(X, f)) for f in (8, 16, 3)]
    new = checked(ends)
    assert count(new) == count(new, "max") == 1
    assert [n.op for n in new] == ["part"] * 3
    assert [n.arg for n in new] == [(0, 8), (8, 16), (24, 3)]
    assert checked([stack(ends)])[0].op == "max"  # slices one behind another are the whole: nothing is moved


def test_constants_a_channel_are_joined():
    new = checked([scaled(conv(X, 3)), scaled(conv(X, 5))])
    assert count(new) == count(new, "select") == 1


def test_those_of_different_functions_are_joined_among_themselves():
    a, b, c, d, e = (conv(X, f) for f in (4, 5, 6, 7, 9))
    new = checked([relu(a), b, sigmoid(c), sigmoid(d), relu(e)])
    assert sorted(n.arg.features for n in postorder(new) if n.op == "contract") == [5, 13, 13]
    assert len({n.src[0] for n in postorder(new[:1] + new[-1:]) if n.op == "part"}) == 1


def test_members_of_one_joint_are_looked_at_by_others_and_may_have_siblings_too():
    a, b = relu(conv(X, 8)), relu(conv(X, 16))
    c, d = conv(a, 4, 3), conv(a, 4, 3)
    new = checked([c + 1.0, d + 2.0, conv(b, 4, 3)])
    assert count(new) == 3
    assert {n.src[0].op for n in postorder(new) if n.op == "contract"} == {"input", "part"}


@pytest.mark.parametrize(
    "roots",
    [
        lambda: [conv(X, 8, 1), conv(X, 8, 3)],
        lambda: [conv(X, 8, 3), conv(X, 8, 3, dilation=(2, 2))],
        lambda: [conv(X, 8, 3), conv(X, 8, 3, stride=(2, 2))],
        lambda: [conv(X, 8, 3), conv(X, 8, 3, outside=1.0)],
        lambda: [conv(X, 4, 3, groups=4), conv(X, 4, 3, groups=4)],
        lambda: [conv(X, 4, 1, groups=2), conv(X, 4, 1, groups=2)],
        lambda: [conv(X, 4), conv(relu(X), 4)],
        lambda: [conv(X, 4) + conv(X, 4)],
        lambda: [relu(conv(X, 4) + X), conv(X, 4)],
        lambda: [sigmoid(conv(X, 4)), conv(X, 4)],
        lambda: [conv(conv(X, 3), 3, 3, groups=3), conv(conv(X, 3), 3, 3, groups=3)],
    ],
    ids=["taps", "dilation", "stride", "outside", "half vectors, depthwise", "half vectors, groups", "other value",
         "sum of both", "residual", "long function", "slices that depthwise layers would copy"],
)  # fmt: skip
def test_what_differs_or_would_cost_something_stays_apart(roots):
    before = roots()
    new = checked(before)
    assert count(new) == count(before)
    assert not joined(before).joints


def test_slices_of_whole_vectors_go_into_depthwise_layers():
    new = checked([conv(conv(X, 8), 8, 3, groups=8), conv(conv(X, 8), 8, 3, groups=8)])
    assert count(new) == 3


def test_transposed_ones_are_joined():
    up = [conv(X, f, 3, up=(2, 2)) for f in (3, 5)]
    assert count(checked(up)) == 1


def test_siblings_of_groups_look_at_their_value_several_times():
    y = conv(X, 16)
    for groups in (16, 2):
        found = joined([relu(conv(y, 16, 3, groups)) for _ in range(3)])
        (joint,) = found.joints
        assert joint.sums.src[0] == stack([y] * 3)
        assert spared(joint) == 2 * 5 * 6 * 16 * 4
        new = checked([relu(conv(y, 16, 3, groups)), relu(conv(y, 16, 3, groups)), conv(y, 8, 3)])
        assert (count(new), [n.op for n in new[:2]]) == (3, ["part", "part"])
    assert not joined([conv(y, 16, 3, 2), conv(y, 32, 3, 2)]).joints  # groups of other sizes


def quantised(x: Expr, features: int, zero: int, taps: int = 1, dtype: DType = U8, outside: int = 0) -> Expr:
    weights = Weights(RNG.integers(-99, 99, (features, taps, taps, x.channels)).astype(np.int8))
    sums = contract(x, vector(RNG.integers(-99, 99, features).astype(np.int32)),
                    Contract(weights, x.size, -(taps // 2), -(taps // 2), outside=outside))  # fmt: skip
    factor = vector(RNG.uniform(0.001, 0.01, features).astype(np.float32))
    return convert(rint(maximum(convert(sums, F32) * factor, 0.0)) + float(zero), dtype)


def dequantised(x: Expr, zero: int) -> Expr:
    return (convert(x, I32) - zero).to(F32) * 0.25


@pytest.mark.parametrize("dtype", [U8, I8])
def test_siblings_of_whole_numbers(dtype):
    kind = ImageType(dtype, 5, 6, 4)
    x = input_volume(0, kind)
    plain = [contract(x, const(7), Contract(Weights(np.ones((f, 1, 1, 4), np.int8)), (5, 6))) for f in (2, 3)]
    assert count(checked([sums.to(F32) * 0.25 for sums in plain], kind)) == 1
    a, b, c = quantised(x, 5, 3, dtype=dtype), quantised(x, 6, 7, dtype=dtype), quantised(x, 11, 3, dtype=dtype)
    ends = [dequantised(quantised(y, 8, 0), 0) for y in (a, b, c)]
    assert count(checked(ends, kind)) == 4
    both = [*ends, dequantised(a, 3) + dequantised(quantised(a, 5, 0), 0)]  # bytes that are added, too
    assert count(checked(both, kind)) == 5
    padded = [dequantised(quantised(y, 8, 0, 3, outside=z), 0) for y, z in ((a, 3), (b, 7), (c, 3))]
    assert count(checked(padded, kind)) == 5  # those that are padded with the same value
    assert not joined([a, b]).joints  # bytes that leave are not copied


def test_what_is_spared_is_the_input_read_again():
    found = joined([conv(X, 8), conv(X, 8), conv(X, 8)])
    assert spared(found.joints[0]) == 2 * 5 * 6 * 4 * 4
    assert found.joints[0].sums is found.joints[0].value


@given(data=st.data())
@settings(max_examples=44, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_graph_keeps_its_bits(data):
    graph = data.draw(layer_graphs(6))
    body = compose(graph.parts, [(f"l{len(graph.parts) - 1}", "out"), ("l0", "out")])
    roots = [stack(o.planes) for o in body.outputs]
    for root in list(roots):  # siblings behind it, of which some agree, with functions of their own
        kind = data.draw(st.sampled_from(("dense", "pointwise", "grouped")))
        how = data.draw(contractions(root.size, root.channels, kind))
        for _ in range(data.draw(st.integers(1, 3))):
            features = data.draw(st.integers(1, 9)) if how.groups == 1 else 8 * how.groups
            weights = numbers(data.draw, (features, *how.taps, root.channels // how.groups))
            start = vector(numbers(data.draw, weights.shape[:1])) if root.dtype == F32 else const(0.0)
            if root.dtype == F32:
                made = contract(root, start, replace(how, weights=Weights(weights)))
                roots.append(data.draw(st.sampled_from((relu, scaled, sigmoid, lambda x: x)))(made))
    found = joined(roots)
    new = [found.new[r] for r in roots]
    for before, after in zip(roots, new, strict=True):
        assert (before.dtype, before.size, before.channels) == (after.dtype, after.size, after.channels)
    frame = numbers(data.draw, graph.source.shape)[np.newaxis]
    kinds = [Body((graph.source,), body_of(some, graph.source).outputs, {}, {}) for some in (roots, new)]
    wanted, got = (ReferenceProgram(kind).run([frame], {}) for kind in kinds)
    for name, values in wanted.items():
        assert same(got[name], values)


def test_a_slice_of_a_slice_is_one():
    assert stack([part(X, 0, 2), part(X, 2, 2)]) is X
    y = conv(X, 6)
    assert stack([part(y, 1, 2), part(y, 3)]) is part(y, 1, 3)
    assert stack([part(X, 2, 2), part(X, 0, 2)]).op == "stack"


def decisions() -> list[bool]:
    """What stands in the text of the constants, as whether siblings are joined."""
    def together(channels: tuple[int, ...], scalars: int = 0) -> bool:
        ends = []
        for k, features in enumerate(channels):
            end = conv(X, features)
            for number in range(scalars):
                end = maximum(end * 2.0, 0.1 * k + number + 1.5)
            ends.append(end)
        return count([joined(ends).new[end] for end in ends]) == 1

    return [
        together((8, 8), 2), not together((8, 8), 3),  # constants a channel
        together((8, 16)), not together((12, 8)),  # whole vectors, if small ones
        together((20, 5)), not together((12, 5)),  # fewer of the widest
    ]  # fmt: skip


@pytest.mark.parametrize("factor", [1.0, 2.0, 0.5])
@pytest.mark.parametrize("name", ["MOST_VECTORS", "VECTOR", "WIDEST"])
def test_each_constant_is_noticed(name: str, factor: float, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(siblings, name, int(factor * getattr(siblings, name)))
    assert all(decisions()) == (factor == 1)
