"""A body in pieces is the body again when the pieces are composed, whatever the marks."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors.reference import ReferenceProgram
from kernels.fusion.compose import compose
from kernels.ir.body import Body, Output
from kernels.ir.expr import const, maximum, postorder, select
from kernels.ir.image import F32, I32, ImageType
from kernels.ir.layers import cut, epilogues
from kernels.ir.planes import Border, coord, gather
from kernels.ir.volumes import Contract, Weights, contract, input_volume, stack, vector
from tests.layers import layer_graphs, numbers
from tests.strategies import same

KIND = ImageType(F32, 5, 6, 3)
X = input_volume(0, KIND)


def conv(volume, features=3, taps=3, seed=0):
    weights = np.random.default_rng(seed).standard_normal((features, taps, taps, volume.channels)).astype(np.float32)
    return contract(volume, const(0.0), Contract(Weights(weights), (5, 6), -(taps // 2), -(taps // 2)))


def body_of(**roots) -> Body:
    outputs = (Output(k, ImageType(r.dtype, *r.size, r.channels), (r,)) for k, r in roots.items())
    return Body((KIND,), tuple(outputs), {}, {})


@given(data=st.data())
@settings(max_examples=44, deadline=None, suppress_health_check=list(HealthCheck))
def test_pieces_composed_are_the_whole(data):
    graph = data.draw(layer_graphs(8))
    ends = sorted({len(graph.parts) - 1, data.draw(st.integers(0, len(graph.parts) - 1))})
    body = compose(graph.parts, [(f"l{i}", "out") for i in ends])
    nodes = [n for n in postorder(body.roots) if n.size is not None]
    chosen = data.draw(st.sets(st.integers(0, len(nodes) - 1), max_size=8))
    pieces = cut(body, [(f"m{i}", nodes[i]) for i in sorted(chosen)])
    frame = numbers(data.draw, graph.source.shape)
    wanted = ReferenceProgram(body).run([frame[np.newaxis]], {})
    made = {0: frame}
    for one in pieces.parts:
        given = [made[s][np.newaxis] for s in one.inputs]
        made[one.id, "out"] = ReferenceProgram(one.body).run(given, {})["out"][0]
    for output in body.outputs:
        assert same(made[pieces.outputs[output.name]], wanted[output.name][0])
    inner = list(dict.fromkeys(source for source in pieces.outputs.values() if isinstance(source, tuple)))
    if inner:
        again = compose(pieces.parts, inner)
        roots = dict(zip((o.name for o in body.outputs), body.roots, strict=True))
        for name, source in pieces.outputs.items():
            if isinstance(source, tuple):
                (root,) = again.output(".".join(source)).roots
                assert root is roots[name]


def test_what_follows_a_layer_at_its_pixel_stays_with_it():
    a = conv(X)
    b = maximum(a * vector(np.ones(3, np.float32)), 0.0)
    c = conv(b, seed=1)
    d = maximum(c + b, 0.0)
    marks = [("conv_0", a), ("relu_1", b), ("conv_2", c), ("add_3", c + b), ("relu_4", d)]
    pieces = cut(body_of(out=d), marks)
    assert [p.id for p in pieces.parts] == ["conv_0", "conv_2"]
    assert [p.inputs for p in pieces.parts] == [(0,), (("conv_0", "out"),)] or pieces.parts[1].inputs == (
        ("conv_0", "out"),
    )
    assert pieces.outputs == {"out": ("conv_2", "out")}


def test_what_is_made_on_the_way_is_told_with_the_bytes_that_it_does_not_move():
    """Of a block with a skip of fewer channels: the sum, the activation, and the zeros beside the skip."""
    pad = stack([X, vector(np.zeros(5, np.float32))])
    total = conv(X, 8) + pad
    end = maximum(total, 0.0)
    pieces = cut(body_of(a=end), [("conv_0", conv(X, 8)), ("add_1", total), ("relu_2", end)])
    said = epilogues(pieces, 15)
    assert said is not None
    assert said.words == "1 add, 1 relu, 1 channel pad are computed in the layers that they follow"
    assert said.moved == 3 * 2 * 30 * 8 * 4 / 15
    alone = cut(body_of(a=pad), [("pad_0", pad)])  # a layer by itself, which moves what it makes
    assert epilogues(alone, 15) is None


def test_two_sums_over_channels_are_two_pieces():
    a, b = conv(X), conv(X, seed=1)
    pieces = cut(body_of(out=a + b), [("conv_0", a), ("conv_1", b), ("add_2", a + b)])
    assert sorted(p.id for p in pieces.parts) == ["conv_0", "conv_1"]
    assert sum(len(p.inputs) for p in pieces.parts) == 3


def test_what_leaves_or_has_two_users_is_a_piece():
    a = conv(X)
    b = maximum(a, 0.0)
    c, d = conv(b, seed=1), conv(b, seed=2)
    marks = [("conv_0", a), ("relu_1", b), ("conv_2", c), ("conv_3", d)]
    pieces = cut(body_of(first=c, second=d, third=a), marks)
    assert [p.id for p in pieces.parts] == ["conv_0", "relu_1", "conv_2", "conv_3"]
    assert pieces.outputs == {"first": ("conv_2", "out"), "second": ("conv_3", "out"), "third": ("conv_0", "out")}


def test_equal_names_are_told_apart_and_an_input_is_no_piece():
    a, b = conv(X), conv(X, seed=1)
    pieces = cut(body_of(out=a, other=b, same=X), [("conv", a), ("conv", b), ("x", X)])
    assert [p.id for p in pieces.parts] == ["conv", "conv_2"]
    assert pieces.outputs["same"] == 0


def test_what_is_made_aside_is_a_piece_that_no_output_needs():
    body = body_of(out=conv(X))
    planes = tuple(select(coord("x", (1, 1)) >= 0, const(v), 0.0) for v in (1.5, 2.5))
    seen = gather(X, const(0, I32), const(0, I32), (1, 1), Border("replicate"))
    pieces = cut(body, [], {"place": planes, "corner": (seen,), "out": planes[:1]})
    assert [one.id for one in pieces.parts] == ["out", "place", "corner", "out_2"]
    assert pieces.aside == {"place": "place", "corner": "corner", "out": "out_2"}
    assert pieces.outputs == {"out": ("out", "out")}
    frame = np.random.default_rng(0).standard_normal(KIND.shape).astype(np.float32)
    made = [ReferenceProgram(one.body).run([frame[np.newaxis]], {})["out"][0] for one in pieces.parts]
    assert made[1].tolist() == [[[1.5, 2.5]]]
    assert np.array_equal(made[2][0, 0], frame[0, 0])
