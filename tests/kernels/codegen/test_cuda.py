"""CUDA text on the emulator: random bodies, borders, states and lookups equal the reference, to the last bit."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen import cuda_launch
from kernels.codegen.cuda import cuda, elementwise, print_blocks
from kernels.executors.reference import evaluate
from kernels.fusion.blocks import lower_blocks
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body, Output
from kernels.ir.expr import convert, lookup, param, recur, sqrt, state
from kernels.ir.image import BOOL, F32, I32, U8, U16, ImageType
from kernels.ir.planes import BORDERS, Border, input_plane, load, window
from kernels.stages.background import background
from kernels.stages.gaussian import gaussian
from kernels.stages.iir_lowpass import iir_lowpass
from kernels.stages.threshold import threshold
from kernels.stages.unpack import unpack
from tests.emulator.memory import In, Out
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.codegen.names import shadowed
from tests.kernels.test_conformance import STAGES, clip_of
from tests.strategies import bodies, clips

SMALL = ((8, 4), (8, 2), (8, 1), (16, 2))


def one(plane, size, inputs, dtype=None) -> Body:
    """A body of one output."""
    live = {"gain": F32}
    return Body(inputs, (Output("out", ImageType(dtype or plane.dtype, *size), (plane,)),), live, {"gain": 1.5})


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_random_bodies(emulator, data):
    """Any tile, any length of vectors, any planes kept for later passes, the past in registers or not; any batches."""
    body = data.draw(bodies())
    clip = data.draw(clips(body, 4))
    tile, vector = data.draw(st.sampled_from(SMALL)), data.draw(st.sampled_from((4, 8)))
    rings = data.draw(st.booleans())
    try:
        lowered = lower_blocks(body, tile, vector, 32, 1 << 17, rings=rings)
    except Unsupported:
        if not rings:
            raise
        rings = False  # the past takes too many registers
        lowered = lower_blocks(body, tile, vector, 32, 1 << 17, rings=rings)
    made = [r.plane for p in lowered.passes for r in p.regions if r.plane in lowered.computed]
    if made and data.draw(st.booleans()):
        lowered = lower_blocks(body, tile, vector, 32, 1 << 17, made[:1], rings)
    assert_equal(print_blocks(lowered), Launcher(emulator), clip, ((0, 2), (2, 3), (3, 4)))


@pytest.mark.parametrize("mode", BORDERS)
@pytest.mark.parametrize("number", range(2))
def test_borders_at_every_stage(mode, number, emulator):
    """Looks at an input, at a plane, at a recurrence and along a chain of windows; tiles larger than the image."""
    small = (((1, 9), (64, 16)), ((3, 24), (16, 2)))[BORDERS.index(mode) % 2]
    size, tile = (((19, 21), (8, 4)), small)[number]
    border = Border(mode, 7.5)
    x = input_plane(0, 0, U8, size)
    kept = recur("mean", convert(x, F32), state("mean", F32) * 0.75 + load(x, border, 2, -1).to(F32) * 0.25)
    plane = window("sum", kept, border, (-2, 1), (0, 2)) * param("gain", F32)
    body = one(load(plane, border, -3, 3) + load(plane, border, 5, -4, -1), size, (ImageType(U8, *size),))
    assert_equal(cuda(body, tile=tile, threads=64), Launcher(emulator), clip_of(body, 4))


@pytest.mark.parametrize(("x", "y"), [((1, 1), (0, 1)), ((-2, -2), (-1, 1)), ((0, 0), (2, 2))])
def test_a_plane_that_is_a_look_is_taken_from_what_it_looks_at(x, y, emulator):
    """A window of one column is a look that others look at: it has a tile, and is not made from it."""
    size = (6, 19)
    plane = convert(input_plane(0, 0, U8, size), F32) * 0.5
    body = one(window("sum", plane, Border(), x, y) + load(load(plane, Border(), 2), Border("replicate"), 0, -1), size,
               (ImageType(U8, *size),))  # fmt: skip
    assert_equal(cuda(body, tile=(8, 4), threads=32), Launcher(emulator), clip_of(body, 2))


def test_two_borders_of_one_plane(emulator):
    size = (9, 14)
    x = input_plane(0, 0, U16, size)
    twice = x + x
    plane = sum((load(twice, Border(mode, 3.0), 2, 1) for mode in BORDERS), load(twice, Border("constant", 9.0), -2, 0))
    body = one(plane, size, (ImageType(U16, *size),))
    assert_equal(cuda(body, tile=(4, 4)), Launcher(emulator, checked=True), clip_of(body, 1))


@pytest.mark.parametrize("packing", ["msb10", "msb12"])
def test_packed_input_is_unpacked_in_the_first_stage(packing, emulator):
    packed = unpack.build([ImageType(U8, 11, 60)], {"packing": packing})
    assert_equal(cuda(packed, tile=(16, 4)), Launcher(emulator), clip_of(packed, 6))


def test_states_do_not_depend_on_where_a_batch_ends(emulator):
    body = background.build([ImageType(F32, 10, 23)])
    clip = clip_of(body, 2)
    for cuts in (((0, 3),), ((0, 1), (1, 2), (2, 3)), ((0, 1), (1, 3))):
        assert_equal(cuda(body, tile=(8, 4)), Launcher(emulator), clip, cuts)


def test_live_parameters_are_arguments(emulator):
    body = iir_lowpass.build([ImageType(U8, 5, 9)])
    program = cuda(body)
    assert [a.key for a in program.kernels[0].live] == ["alpha"]
    for alpha in (0.25, 1.0):
        assert_equal(program, Launcher(emulator), clip_of(body, 2), params={"alpha": alpha})


def test_what_follows_from_parameters_alone_is_computed_once_by_the_host(emulator):
    """A level behind a root takes seven roots to be found (`threshold_hoisting`): not in every thread."""
    size = (4, 12)
    x = input_plane(0, 0, U8, size).to(F32)
    level = param("level", F32) * 2.0
    body = Body((ImageType(U8, *size),), (Output("out", ImageType(BOOL, *size), (level < sqrt(x * x + 3.0),)),),
                {"level": F32}, {"level": 40.0})  # fmt: skip
    program = cuda(body)
    assert len(program.levels) == 1
    assert "sqrtf" not in program.text[program.text.index('extern "C"') :]
    for value in (40.0, 0.0, -1.0, 3e38, 88.77499):
        assert_equal(program, Launcher(emulator), clip_of(body, 5), params={"level": value})


def test_names_that_differ_stay_apart(emulator):
    """Of parameters and states, though letters are all that C takes of them, and though one ends as others go on."""
    size = (5, 9)
    x = input_plane(0, 0, U8, size).to(F32)
    names = ("a-b", "a_b", "a.b", "a-b_in", "ä", "ö")
    kept = [recur(name, 0.0, state(name, F32) * 0.5 + x * param(name, F32)) for name in names]
    total = kept[0]
    for one_ in kept[1:]:
        total = total * 1.25 + one_
    body = Body((ImageType(U8, *size),), (Output("out", ImageType(F32, *size), (total,)),),
                dict.fromkeys(names, F32), {name: 1.0 + i for i, name in enumerate(names)})  # fmt: skip
    program = cuda(body)
    assert sorted(a.key for a in program.kernels[0].live) == sorted(names)
    assert sorted(a.key for a in program.kernels[0].arguments if a.kind == "state_in") == sorted(names)
    assert_equal(program, Launcher(emulator), clip_of(body, 5))


def test_lookups_with_every_float(emulator):
    size = (3, 7)
    table = (0.0, -0.0, float("inf"), -float("inf"), float("nan"), 1e-45, 3.4e38, -2.5)
    index = input_plane(0, 0, U8, size) >> 4
    body = one(lookup(table, index.to(I32) - 2, F32), size, (ImageType(U8, *size),))
    assert_equal(cuda(body), Launcher(emulator), clip_of(body, 5))


def test_blocks_of_large_batches_take_several_frames_each(emulator, monkeypatch):
    body = one(window("sum", input_plane(0, 0, U8, (12, 40)).to(F32), Border(), (-2, 1), (0, 2)), (12, 40),
               (ImageType(U8, 12, 40),))  # fmt: skip
    program = cuda(body, tile=(16, 8))
    (kernel,) = program.kernels
    assert kernel.boxes == (3, 2)
    assert kernel.grid(7) == (3, 2, 7)
    many = replace(kernel, boxes=(16, 64))  # of 1024x1024, four frames of which are BLOCKS
    assert [many.grid(frames)[2] for frames in (1, 4, 5, 8, 16, 17)] == [1, 4, 3, 4, 4, 4]
    assert replace(kernel, boxes=(100, 100)).grid(16)[2] == 1
    monkeypatch.setattr(cuda_launch, "BLOCKS", 12)
    assert kernel.grid(7) == (3, 2, 2)
    assert_equal(program, Launcher(emulator, checked=True), clip_of(body, 1, 7), ((0, 7),))


def test_the_text_is_the_same_in_every_process():
    script = ("from kernels.codegen.cuda import cuda; from kernels.ir.image import U8, ImageType;"
              "from kernels.stages.background import background;"
              "import hashlib; text = cuda(background.build([ImageType(U8, 64, 64)])).text;"
              "print(hashlib.sha256(text.encode()).hexdigest())")  # fmt: skip
    made = {subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                           env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."}).stdout for seed in "01"}  # fmt: skip
    assert len(made) == 1


def test_halo_state_is_made_but_not_written():
    """A block reads the states around its pixels, and writes its own to other memory."""
    size = (64, 64)
    kept = recur("m", 0.0, state("m", F32) + input_plane(0, 0, U8, size).to(F32))
    body = one(load(kept, Border(), 1) + load(kept, Border(), 0, -2), size, (ImageType(U8, *size),))
    kernel = cuda(body, tile=(16, 8)).kernels[0]
    assert kernel.halo == (4, 4, 2, 2)
    assert [a.kind for a in kernel.arguments if a.kind.startswith("state")] == ["state_in", "state_out"]
    assert kernel.grid(7) == (4, 8, 1)
    assert cuda(gaussian.build([ImageType(U8, *size)]), tile=(16, 8)).kernels[0].grid(7) == (4, 8, 7)


def test_tiles_share_memory_and_what_does_not_fit_is_refused():
    program = lower_blocks(STAGES["harris"].build([ImageType(U8, 128, 128)]))
    (only,) = program.passes
    assert only.shared < sum(r.rows * r.pitch * r.plane.dtype.itemsize for r in only.regions)
    with pytest.raises(Unsupported, match="shared memory"):
        lower_blocks(STAGES["harris"].build([ImageType(U8, 128, 128)]), (64, 32), shared=16384)
    with pytest.raises(Unsupported, match="multiple of 4"):
        lower_blocks(STAGES["harris"].build([ImageType(U8, 128, 128)]), (6, 32))


def test_looks_at_the_whole_image_split_passes():
    size = (40, 48)
    x = input_plane(0, 0, U8, size).to(F32)
    smooth = window("sum", x, Border(), (-1, 1), (-1, 1))
    shrunk = load(smooth, Border(), 0, 0, 0, 2, (20, 24))
    assert len(lower_blocks(one(shrunk, (20, 24), (ImageType(U8, *size),))).passes) == 2
    assert len(lower_blocks(one(load(smooth, Border("wrap"), 1), size, (ImageType(U8, *size),))).passes) == 2
    assert len(lower_blocks(one(load(smooth, Border(), 1), size, (ImageType(U8, *size),))).passes) == 1


def test_words_are_not_taken_for_planes_between_passes(emulator):
    """Sums of several pixels a word go to planes in memory, of small images that wrap; both have numbers as names."""
    for size in ((10, 18), (18, 10)):
        body = STAGES["harris"].build([ImageType(U8, *size)], {"block": 3, "border": "wrap"})
        program = cuda(body)
        assert "2 pixels a word" in program.text
        assert program.lowered.frames
        assert shadowed(re.sub(r"\bframe(\d)", r"q\1", program.text))  # which they were, once
        assert_equal(program, Launcher(emulator, checked=True), clip_of(body, 8, 9), ((0, 9),))


def test_large_halos_are_cut():
    """A window of 61x61 pixels is made of two passes, each with a halo in one direction."""
    body = gaussian.build([ImageType(U8, 64, 96)], {"size": 61, "sigma": 10.0})
    along, down = lower_blocks(body).passes
    assert (along.halo.up, along.halo.down, down.halo.left, down.halo.right) == (0, 0, 0, 0)


def test_elementwise():
    body = threshold.build([ImageType(U8, 8, 8)])
    text = elementwise(body)
    assert text.in_params.startswith("uint8 in0_0, float32 a0")
    assert text.out_params == "bool out0_0"
    assert text.params == ("level",)
    assert "out0_0 = " in text.operation
    with pytest.raises(Unsupported, match="load"):
        elementwise(gaussian.build([ImageType(U8, 8, 8)]))
    with pytest.raises(Unsupported, match=r"state|recur"):
        elementwise(iir_lowpass.build([ImageType(U8, 8, 8)]))


def test_elementwise_operation_on_the_emulator(emulator):
    body = STAGES["gray"].build([ImageType(U8, 4, 25, 3)])
    made = elementwise(body)
    clip = clip_of(body, 1)[0][0]
    names = [p.split()[1] for p in made.in_params.split(", ")]
    text = (
        f"{made.preamble}\n"
        f"""extern "C" __global__ void k({", ".join(f"const unsigned char *p_{n}" for n in names)}, unsigned char *to)
        {{
            const int i = blockIdx.x * blockDim.x + threadIdx.x;
            {" ".join(f"const unsigned char {n} = p_{n}[i];" for n in names)}
            unsigned char out0_0;
            {made.operation}
            to[i] = out0_0;
        }}"""
    )
    planes = [In(np.ascontiguousarray(clip[:, :, c])) for _, c in made.planes]
    result = np.empty((4, 25), np.uint8)
    emulator.kernel(text, "k").run((4,), (25,), (*planes, Out(result)))
    assert np.array_equal(result, evaluate(STAGES["gray"], clip))
