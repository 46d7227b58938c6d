"""The reference executor against a second meaning, and the laws that every executor must keep."""

from __future__ import annotations

import copy
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.executors.reference import ReferenceProgram, border_index, evaluate, evaluate_clip
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const, param, recur, state
from kernels.ir.image import BOOL, F32, I32, U8, ImageType
from kernels.ir.planes import Border, input_plane, load, window
from kernels.ir.rewriting import rewrite
from kernels.ir.simplify import simplify
from kernels.opencv import cv2
from kernels.stages.iir_lowpass import iir_lowpass
from tests.oracle import Oracle
from tests.strategies import bodies, clips, composed, same

FRAMES = 4
quick = settings(max_examples=32, deadline=None, suppress_health_check=list(HealthCheck))


def run(body: Body, clip, parts=None) -> dict[str, np.ndarray]:
    """All outputs over a clip, fed in batches of the given lengths."""
    program = executor("reference").compile(body)
    edges = np.cumsum([0, *(parts or [len(clip[0])])])
    batches = [program.run([c[a:b] for c in clip], {}) for a, b in itertools.pairwise(edges)]
    return {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}


def body_of(*planes: Expr, inputs, live=None, params=None) -> Body:
    outputs = tuple(
        Output(f"out{i}", ImageType(p.dtype, *(p.size or (inputs[0].height, inputs[0].width))), (p,))
        for i, p in enumerate(planes)
    )
    return Body(tuple(inputs), outputs, live or {}, params or {})


@given(data=st.data())
@quick
def test_every_pixel_agrees_with_the_oracle(data):
    body = data.draw(bodies(st.tuples(st.integers(1, 3), st.integers(1, 4))))
    clip = data.draw(clips(body, FRAMES))
    result = run(body, clip)
    with np.errstate(all="ignore"):
        oracle = Oracle(body, clip, dict(body.params))
        for output in body.outputs:
            for t in range(FRAMES):
                wanted = oracle.image(output.planes[0], t, (output.type.height, output.type.width))
                assert same(result[output.name][t], wanted), (output.name, t)


@given(data=st.data())
@quick
def test_where_a_batch_ends_does_not_matter(data):
    body = data.draw(bodies())
    clip = data.draw(clips(body, FRAMES))
    whole = run(body, clip)
    for parts in ([1] * FRAMES, data.draw(st.sampled_from([[1, 3], [2, 2], [3, 1], [1, 2, 1]]))):
        split = run(body, clip, parts)
        assert all(same(whole[name], split[name]) for name in whole)
    again = run(body, clip)
    assert all(same(whole[name], again[name]) for name in whole)


@given(data=st.data())
@quick
def test_a_snapshot_goes_on_bit_for_bit(data):
    body = data.draw(bodies())
    clip = data.draw(clips(body, FRAMES))
    cut = data.draw(st.integers(0, FRAMES - 1))
    program = ReferenceProgram(body)
    program.run([c[:cut] for c in clip], {})
    kept = pickle.loads(pickle.dumps(program.snapshot()))
    wanted = program.run([c[cut:] for c in clip], {})
    other = ReferenceProgram(body)
    other.restore(kept)
    result = other.run([c[cut:] for c in clip], {})
    assert all(same(wanted[name], result[name]) for name in wanted)
    program.reset()
    assert all(same(a, b) for a, b in zip(program.run(clip, {}).values(), run(body, clip).values(), strict=True))


@given(data=st.data())
@quick
def test_fusion_theorem(data):
    """A body whose inputs are replaced by another's expressions equals running the two one after the other.

    It holds without exception: for every border (a load extends the plane that it looks at, which is the other body's
    output), for loads back in time (which see copies of that plane's first frame) and for recurrences (renamed apart).
    """
    first = data.draw(bodies())
    middle = tuple(o.type for o in first.outputs)
    second = data.draw(bodies(inputs=middle))
    clip = data.draw(clips(first, FRAMES))
    between = run(first, clip)
    wanted = run(second, [between[o.name] for o in first.outputs])
    result = run(composed(first, second), clip)
    assert all(same(wanted[name], result[name]) for name in wanted)


@given(data=st.data())
@quick
def test_rewriting_and_simplifying_keep_every_bit(data):
    body = data.draw(bodies())
    clip = data.draw(clips(body, 3))
    assert rewrite(body.roots, lambda _: None) == body.roots
    roots = simplify(body.roots)
    assert simplify(roots) == roots
    outputs = tuple(Output(o.name, o.type, (r,)) for o, r in zip(body.outputs, roots, strict=False))
    simple = Body(body.inputs, outputs, body.live, body.params, updates=roots[len(outputs) :])
    wanted, result = run(body, clip), run(simple, clip)
    assert all(same(wanted[name], result[name]) for name in wanted)


@given(data=st.data())
@quick
def test_pickling_gives_the_same_nodes(data):
    body = data.draw(bodies())
    assert pickle.loads(pickle.dumps(body)).roots == body.roots
    assert copy.deepcopy(body).roots == body.roots


CV = {"reflect101": cv2.BORDER_REFLECT_101, "replicate": cv2.BORDER_REPLICATE, "wrap": cv2.BORDER_WRAP,
      "constant": cv2.BORDER_CONSTANT}  # fmt: skip


@pytest.mark.parametrize("mode", CV)
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_borders_are_those_of_opencv(mode, length):
    at = np.arange(-23, 24)
    wanted = [cv2.borderInterpolate(int(p), length, CV[mode]) for p in at]
    np.testing.assert_array_equal(border_index(at, length, mode), wanted)


@pytest.mark.parametrize("mode", CV)
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (4, 1), (3, 5)])
def test_a_load_is_a_padded_image(mode, shape):
    image = np.random.default_rng(1).integers(0, 255, shape).astype(np.uint8)
    kind = ImageType(U8, *shape)
    for dx, dy in ((0, 3), (-2, 0), (4, -5)):
        out = load(input_plane(0, 0, U8, shape), Border(mode, 77.4), dx, dy)
        wanted = cv2.copyMakeBorder(image, 5, 5, 5, 5, CV[mode], value=77)
        wanted = wanted.reshape(shape[0] + 10, -1)[5 + dy :, 5 + dx :][: shape[0], : shape[1]]
        np.testing.assert_array_equal(run(body_of(out, inputs=[kind]), [image[None]])["out0"][0], wanted)


@pytest.mark.parametrize(("value", "pixel"), [(300.0, 255), (-3.0, 0), (2.5, 2), (np.nan, 0), (np.inf, 255)])
def test_a_constant_border_is_converted(value, pixel):
    out = load(input_plane(0, 0, U8, (1, 1)), Border("constant", value), dx=1)
    assert run(body_of(out, inputs=[ImageType(U8, 1, 1)]), [np.full((1, 1, 1), 9, np.uint8)])["out0"][0, 0, 0] == pixel


def test_before_the_first_frame_stands_the_first():
    kind = ImageType(U8, 1, 1)
    x = input_plane(0, 0, U8, (1, 1))
    back = [load(x, Border(), dt=-k) for k in (1, 2, 3)]
    plane = x.to(I32) * 10
    nested = load(load(plane, Border(), dt=-1), Border(), dt=-2)
    clip = np.arange(5, 11, dtype=np.uint8).reshape(6, 1, 1)
    result = run(body_of(*back, load(plane, Border(), dt=-2), nested, inputs=[kind]), [clip])
    assert result["out0"].ravel().tolist() == [5, 5, 6, 7, 8, 9]
    assert result["out1"].ravel().tolist() == [5, 5, 5, 6, 7, 8]
    assert result["out2"].ravel().tolist() == [5, 5, 5, 5, 6, 7]
    assert result["out3"].ravel().tolist() == [50, 50, 50, 60, 70, 80]
    assert result["out4"].ravel().tolist() == [50, 50, 50, 50, 60, 70]


def test_the_past_keeps_its_own_parameters():
    kind = ImageType(U8, 1, 1)
    out = load(input_plane(0, 0, U8, (1, 1)).to(I32) * param("n", I32), Border(), dt=-1)
    program = ReferenceProgram(body_of(out, inputs=[kind], live={"n": I32}, params={"n": 1}))
    frame = np.ones((1, 1, 1), np.uint8)
    assert [int(program.run([frame], {"n": n})["out0"][0, 0, 0]) for n in (2, 3, 4)] == [2, 2, 3]


def test_coupled_and_chained_recurrences():
    kind = ImageType(F32, 1, 2)
    x = input_plane(0, 0, F32, (1, 2))
    a, b = state("a", F32), state("b", F32)
    rotated = [recur("a", 1.0, b + 0.0 * x), recur("b", 0.0, -a + 0.0 * x)]  # a quarter turn a frame
    result = run(body_of(*rotated, inputs=[kind]), [np.zeros((5, 1, 2), np.float32)])
    assert result["out0"][:, 0, 0].tolist() == [0, -1, 0, 1, 0]
    assert result["out1"][:, 0, 0].tolist() == [-1, 0, 1, 0, -1]
    total = recur("total", 0.0, state("total", F32) + x)
    mean = recur("mean", total, state("mean", F32) * 0.5 + total * 0.5)  # starts from the other one's first value
    result = run(body_of(mean, inputs=[kind]), [np.full((3, 1, 2), 2, np.float32)])
    assert result["out0"][:, 0, 0].tolist() == [2, 3, 4.5]


def test_a_dropped_output_keeps_its_recurrence_alive():
    x = input_plane(0, 0, F32, (1, 1))
    before = state("m", F32)
    body = body_of(x - before, inputs=[ImageType(F32, 1, 1)])
    body = Body(body.inputs, body.outputs, {}, {}, updates=(recur("m", x, before + 0.5 * (x - before)),))
    result = run(body, [np.array([0, 8, 8], np.float32).reshape(3, 1, 1)])
    assert result["out0"].ravel().tolist() == [0, 8, 4]


def test_state_and_past_survive_a_reused_buffer():
    x = input_plane(0, 0, U8, (1, 1))
    out = [recur("before", x, x), state("before", U8).to(I32) + x * 0, load(x, Border(), dt=-1)]
    program = ReferenceProgram(body_of(*out, inputs=[ImageType(U8, 1, 1)]))
    buffer = np.zeros((1, 1, 1), np.uint8)
    seen = []
    for value in (1, 2, 3):
        buffer[:] = value
        seen.append([int(v[0, 0, 0]) for v in program.run([buffer], {}).values()])
    assert seen == [[1, 1, 1], [2, 1, 1], [3, 2, 2]]


def test_windows():
    image = np.random.default_rng(2).integers(0, 255, (4, 6)).astype(np.uint8)
    x = input_plane(0, 0, U8, (4, 6))
    outs = [window(k, x, Border("replicate"), (-1, 2), (-2, 0)) for k in ("sum", "min", "max")]
    result = run(body_of(*outs, inputs=[ImageType(U8, 4, 6)]), [image[None]])
    padded = np.pad(image, 2, mode="edge").astype(np.int64)
    views = np.lib.stride_tricks.sliding_window_view(padded, (3, 4))[:4, 1:7]
    for name, fold in (("out0", np.sum), ("out1", np.min), ("out2", np.max)):
        np.testing.assert_array_equal(result[name][0], fold(views, (2, 3)))
    assert [result[f"out{i}"].dtype for i in range(3)] == [np.int32, np.uint8, np.uint8]


def test_a_float_sum_has_one_order():
    size = (2, 4)
    x = input_plane(0, 0, F32, size)
    total = window("sum", x, Border("constant"), (0, 3), (0, 1))
    image = np.array([[0, 1e8, -1e8, 1], [0, 1, 1e8, -1e8]], np.float32)  # rows: 1 from the left, else 0; 0
    assert run(body_of(total, inputs=[ImageType(F32, *size)]), [image[None]])["out0"][0, 0, 0] == 1
    image = np.array([[1e8, 1, 0, 0], [-1e8, 0, 0, 0]], np.float32)  # by rows 0, by columns 1
    assert run(body_of(total, inputs=[ImageType(F32, *size)]), [image[None]])["out0"][0, 0, 0] == 0


def test_a_deep_graph_needs_neither_stack_nor_memory():
    size = (256, 256)
    out = input_plane(0, 0, F32, size)
    for k in range(3000):  # 3000 arrays of 256 kB would be 786 MB
        out = out + float(k % 7)
    program = ReferenceProgram(body_of(out, inputs=[ImageType(F32, *size)]))
    most = max(_alive(program._schedule))
    assert most <= 4
    assert program.run([np.zeros((1, *size), np.float32)], {})["out0"].shape == (1, *size)
    assert pickle.loads(pickle.dumps(out)) is out
    assert len(repr(out)) < 1000


def _alive(schedule):
    alive: set[Expr] = set()
    for node, dead in zip(schedule.nodes, schedule.dead, strict=True):
        alive.add(node)
        yield len([n for n in alive if n.size is not None])
        alive -= set(dead)


def test_clear_refusals():
    body = iir_lowpass.build([ImageType(U8, 2, 2)])
    program = ReferenceProgram(body)
    with pytest.raises(DefinitionError, match=r"frame of \(3, 2\) uint8 came where 2x2 u8 was announced"):
        program.run([np.zeros((1, 3, 2), np.uint8)], {})
    with pytest.raises(DefinitionError, match="one length in frames"):
        program.run([], {})
    with pytest.raises(DefinitionError, match="no parameter 'beta'"):
        program.run([np.zeros((1, 2, 2), np.uint8)], {"beta": 1.0})
    with pytest.raises(DefinitionError, match="no back end 'abacus'"):
        executor("abacus")
    assert program.run([np.zeros((0, 2, 2), np.uint8)], {})["out"].shape == (0, 2, 2)


def test_evaluate_runs_a_stage():
    clip = np.zeros((3, 2, 2, 3), np.uint8)
    clip[1:] = 80
    assert evaluate_clip(iir_lowpass, clip)[:, 0, 0, 0].tolist() == [0, 40, 60]
    assert evaluate(iir_lowpass, clip[2]).tolist() == np.full((2, 2, 3), 80.0).tolist()


def test_a_constant_output_is_an_image():
    body = body_of(const(True), inputs=[ImageType(U8, 2, 3)])
    result = run(body, [np.zeros((2, 2, 3), np.uint8)])["out0"]
    assert result.shape == (2, 2, 3)
    assert result.dtype == BOOL.numpy
    assert result.all()
