"""The past of images in registers: the same bits, every frame loaded once, and only where it pays."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from kernels.codegen import nvrtc
from kernels.codegen.cuda import cuda, print_blocks
from kernels.fusion.blocks import BLOCKS, USUAL_THREADS, blocks, lower_blocks
from kernels.fusion.blocks_model import BlockProgram
from kernels.fusion.blocks_traffic import marches, moved
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, convert, maximum, minimum, recur, state
from kernels.ir.image import BOOL, F32, F64, I16, U8, U16, DType, ImageType
from kernels.ir.planes import BORDERS, Border, input_plane, load, window
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.codegen.test_cuda_traffic import close
from tests.kernels.test_conformance import STAGES, clip_of

SIZE = (11, 26)
HERE = Border()


def past(plane: Expr, back: int) -> Expr:
    """A plane some frames ago."""
    return load(plane, HERE, 0, 0, -back) if back else plane


def one(plane: Expr, inputs: tuple[ImageType, ...], size: tuple[int, int] = SIZE) -> Body:
    return Body(inputs, (Output("out", ImageType(plane.dtype, *size), (plane,)),), {}, {})


def median(size: tuple[int, int], dtype: DType = U8) -> Body:
    """Of a pixel over three frames."""
    a, b, c = (past(input_plane(0, 0, dtype, size), back) for back in range(3))
    return one(maximum(minimum(a, b), minimum(maximum(a, b), c)), (ImageType(dtype, *size),), size)


def rings(program: BlockProgram) -> list[tuple[int, int]]:
    return [ring for plan in program.passes for stage in plan.stages for loop in stage for ring in loop.rings]


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_rings_give_the_same_bits(emulator, data):
    """Any type and number of channels, any frames back, halos over them, states beside them, batches of any length."""
    dtype, channels = data.draw(st.sampled_from((U8, BOOL, U16, I16, F32, F64))), data.draw(st.sampled_from((1, 3, 4)))
    image = ImageType(dtype, *SIZE, channels)
    planes = [input_plane(0, c, dtype, SIZE) for c in range(channels)]
    backs = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    total = convert(planes[-1], F32)
    for k, back in enumerate(backs):
        total = total * 0.75 + convert(past(planes[k % channels], back), F32)
    if data.draw(st.booleans()):
        total = recur("mean", total, state("mean", F32) * 0.5 + total)
    if data.draw(st.booleans()):
        total = window("sum", total, Border(data.draw(st.sampled_from(BORDERS)), 3.0), (-1, 2), (-2, 0))
    if data.draw(st.booleans()):  # what is kept is looked at aside too
        total = total + convert(load(past(planes[0], backs[0]), Border("replicate"), 2, 1), F32)
    body = one(total, (image,))
    tile, vector = data.draw(st.sampled_from(((8, 4), (16, 2), (32, 16)))), data.draw(st.sampled_from((4, 8)))
    try:
        program = print_blocks(lower_blocks(body, tile, vector, 32, 1 << 17, rings=True))
    except Unsupported:  # it takes too many registers
        reject()
    cuts = data.draw(st.sampled_from((((0, 7),), ((0, 1), (1, 2), (2, 7)), ((0, 3), (3, 4), (4, 7)))))
    assert_equal(program, Launcher(emulator), clip_of(body, 3, 7), cuts)


@pytest.mark.parametrize("dtype", [U8, U16, F32])
def test_a_frame_is_loaded_once(dtype, emulator):
    """And the past, from registers, costs no pointer and no load while a block marches."""
    body = median((64, 256), dtype)
    held, plain = (lower_blocks(body, (64, 16), 4, 256, rings=r) for r in (True, False))
    assert rings(held) == [(0, 2)]
    assert not rings(plain)
    close(held, emulator, 8)
    close(plain, emulator, 8)
    item = dtype.itemsize
    assert moved(plain, 8)[0].loaded == 3 * item
    assert moved(held, 8)[0].loaded == moved(held, 8)[0].asked == (1 + 2 / 8) * item
    (kernel,) = (program := print_blocks(held)).kernels
    assert kernel.grid(8) == (4, 4, 1)
    march = program.text.split("// the march")[1]
    assert len(re.findall(r"\bload<", march)) == 1
    assert "past0" not in march
    assert "in0_ago" not in march.replace("in0_ago1_v", "").replace("in0_ago2_v", "")


def test_blocks_that_march_anyway_ask_once(emulator):
    """A state beside the past: their sectors are few with rings and without, requests with them."""
    size = (32, 128)
    x = convert(input_plane(0, 0, U8, size), F32)
    mean = recur("mean", x, state("mean", F32) * 0.75 + x)
    body = one(mean + convert(past(input_plane(0, 0, U8, size), 1), F32), (ImageType(U8, *size),), size)
    held, plain = lower_blocks(body, (32, 8)), lower_blocks(body, (32, 8), rings=False)
    assert rings(held) == [(0, 1)]
    close(held, emulator, 6)
    close(plain, emulator, 6)
    (now,), (before,) = moved(held, 6), moved(plain, 6)
    assert now.bytes == before.bytes
    assert now.asked < before.asked


def test_the_past_is_loaded_where_no_thing_has_the_whole_box(emulator):
    """Two with halos on opposite sides share a loop: pixels on the left are for one, on the right for another."""
    x = input_plane(0, 0, U8, SIZE)
    left, right = (convert(x, F32) * f + convert(past(x, 1), F32) for f in (0.5, -0.25))
    aside = load(left, Border("replicate"), -5, 0) + load(right, Border("replicate"), 5, 0)
    around = load(left, Border("replicate"), -5, 0) + load(right, Border("replicate"), -2, 0)
    for total, held in ((aside, []), (around, [(0, 1)])):
        body = one(total, (ImageType(U8, *SIZE),))
        lowered = lower_blocks(body, (8, 4), 4, 32, rings=True)
        assert rings(lowered) == held
        assert_equal(print_blocks(lowered), Launcher(emulator), clip_of(body, 3, 5), ((0, 1), (1, 5)))


def test_rings_are_taken_where_blocks_are_enough_and_less_is_moved():
    large, small = median((1024, 1024)), median((64, 64))
    program = lower_blocks(large)
    assert rings(program) == [(0, 2)]
    assert blocks(program) * program.threads >= BLOCKS * USUAL_THREADS
    assert not marches(lower_blocks(small))
    assert not rings(lower_blocks(large, (32, 32), rings=False))


def test_what_moves_more_than_it_saves_is_loaded():
    """A far past takes a register for every frame between; wide pixels have no words; states leave no room."""
    image, tile = ImageType(U8, 1024, 1024), (64, 16)
    assert rings(lower_blocks(STAGES["difference"].build([image], {"lag": 4}), tile))
    assert not rings(lower_blocks(STAGES["difference"].build([image], {"lag": 5}), tile))
    assert not rings(lower_blocks(median((1024, 1024), F64), tile))
    many = [past(input_plane(0, c, F32, (512, 1024)), back) for c in range(3) for back in range(9)]
    total = many[0]
    for plane in many[1:]:
        total = total + plane
    body = one(total, (ImageType(F32, 512, 1024, 3),), (512, 1024))
    assert not rings(lower_blocks(body, tile))


@pytest.mark.skipif(not nvrtc.available(), reason="NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
@pytest.mark.parametrize("channels", [1, 4])
def test_rings_stay_in_registers(channels):
    """Compiled for every architecture, none lies in memory of a thread."""
    body = STAGES["difference"].build([ImageType(U8, 1024, 1024, channels)], {"lag": 4})
    program = cuda(body)
    assert rings(program.lowered) == [(0, 4)]
    for architecture in nvrtc.ARCHITECTURES:
        for used in nvrtc.compile_text(program.text, architecture).usage.values():
            assert not used.spills + used.stack
