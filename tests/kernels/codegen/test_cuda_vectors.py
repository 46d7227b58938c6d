"""Tiles are filled by accesses of 16 bytes where rows are aligned to them and nothing gets dearer."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen.cuda import cuda, print_blocks
from kernels.fusion import blocks_pass
from kernels.fusion.blocks import lower_blocks
from kernels.fusion.blocks_banks import wavefronts
from kernels.fusion.blocks_traffic import moved
from kernels.ir.body import Body, Output
from kernels.ir.expr import convert
from kernels.ir.image import F32, U8, U16, DType, ImageType
from kernels.ir.planes import BORDERS, Border, input_plane, load, window
from tests.emulator.memory import Out
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.codegen.test_cuda_traffic import close
from tests.kernels.codegen.traffic import count
from tests.kernels.test_conformance import STAGES, clip_of


def around(dtype: DType, size: tuple[int, int], channels: int = 1, mode: str = "reflect101") -> Body:
    """The sum of a pixel's neighbours, two channels of them if there are."""
    total = sum((window("sum", convert(input_plane(0, c, dtype, size), F32), Border(mode, 9.0), (-2, 1), (-1, 2)) * 1.5
                 for c in range(1, min(2, channels))),
                load(input_plane(0, 0, dtype, size), Border(mode, 9.0), -1, 1)
                + load(input_plane(0, 0, dtype, size), Border(mode, 9.0), 2, -1))  # fmt: skip
    out = Output("out", ImageType(F32, *size), (convert(total, F32),))
    return Body((ImageType(dtype, *size, channels),), (out,), {}, {})


def loops(program):
    return [loop for plan in program.passes for stage in plan.stages for loop in stage]


def fewest(monkeypatch) -> None:
    """Give every loop the vectors of its program, as if none only filled tiles."""
    monkeypatch.setattr(blocks_pass, "longest", lambda loop, *_: loop.vector)


@pytest.mark.parametrize(("dtype", "width", "pixels", "access"), [
    (U8, 512, 16, 16), (U16, 512, 8, 16), (U8, 504, 8, 8), (U16, 500, 4, 8), (U8, 510, 4, 2), (U8, 509, 4, 1)
])  # fmt: skip
def test_tiles_are_loaded_by_16_bytes_where_rows_are_aligned(dtype, width, pixels, access):
    """However many pixels a thread computes: here 4. The emulator finds accesses that are not aligned."""
    program = lower_blocks(around(dtype, (64, width)), (64, 16), 4, 256)
    assert [loop.vector for loop in loops(program)] == [pixels, 4]
    text = print_blocks(program).text.split("__global__")[1]
    assert re.findall(r"load<(\d+)>\(in0_v", text)[0] == str(access)
    if pixels * dtype.itemsize == 16:
        assert "store<16>(p0 + at" in text


@pytest.mark.parametrize("name", ["median3", "erode", "laplacian", "bayer", "peaks"])
@pytest.mark.parametrize("dtype", [U8, U16])
def test_what_long_loads_cost_is_no_more(name, dtype, emulator, monkeypatch):
    """Bytes that the blocks move stay as they were, requests and their sectors become fewer, and banks as free."""
    body = STAGES[name].build([ImageType(dtype, 64, 512)])
    long = lower_blocks(body)
    close(long, emulator, 1)
    kernel = next(each for each in count(long, emulator, 1) if not each.lists)
    fewest(monkeypatch)
    short = lower_blocks(body, long.tile, long.vector, long.threads)
    before = next(each for each in count(short, emulator, 1) if not each.lists)
    assert kernel.counted.bytes == before.counted.bytes
    assert kernel.counted.asked <= before.counted.asked
    assert kernel.conflicts <= before.conflicts + 0.03  # at the image's edge alone, where borders are filled


def test_the_model_says_the_same_for_both(monkeypatch):
    body = STAGES["median3"].build([ImageType(U8, 256, 512)])
    long = lower_blocks(body, (128, 16), 4, 256)
    fewest(monkeypatch)
    short = lower_blocks(body, (128, 16), 4, 256)
    assert [loop.vector for loop in loops(long)] == [16, 4]
    assert [loop.vector for loop in loops(short)] == [4, 4]
    (now,), (before,) = moved(long, 2), moved(short, 2)
    assert now.bytes == before.bytes
    assert now.asked < before.asked


def test_rows_that_would_meet_in_banks_keep_short_vectors():
    """A closing's second stage has a halo of its own: in rows of 160 bytes its warps would take two goes."""
    program = lower_blocks(STAGES["close"].build([ImageType(U8, 256, 512)]), (128, 16), 8, 128)
    assert {loop.vector for loop in loops(program)} == {8}
    assert wavefronts(18, 20, 128, 160, 8) > wavefronts(18, 20, 128, 144, 8)


def test_wide_cells_and_states_keep_short_vectors():
    """Of f32 a vector of 16 would be four stores a thread, of a state's plane 16 registers more."""
    for name, dtype in (("gaussian", U8), ("background", U8), ("adaptive_threshold", F32)):
        program = lower_blocks(STAGES[name].build([ImageType(dtype, 256, 512)]), (64, 16), 4, 256)
        for loop in loops(program):
            made = [t.plane.dtype.itemsize for t in loop.things if t.plane is not None]
            assert loop.vector == 4 or loop.vector * max(made) <= 16
            assert loop.vector == 4 or not any(t.kind == "state" for t in loop.things)


def test_the_wavefronts_are_what_the_emulator_counts(emulator):
    """Of a kernel's looks at one tile, a row and a half of blocks wide."""
    for pitch in (64, 72, 80, 96, 128):
        text = f"""extern "C" __global__ void k(unsigned *to)
        {{
            __shared__ __align__(16) unsigned char tile[{16 * 128}];
            for (int i = threadIdx.x; i < {16 * 128}; i += 256) tile[i] = 1;
            __syncthreads();
            to[threadIdx.x] = *(unsigned *)(tile + threadIdx.x / 16 * {pitch} + threadIdx.x % 16 * 4);
        }}"""
        report = emulator.kernel(text, "k").check((1,), (256,), (Out(np.empty(256, np.uint32)),))
        assert report.traffic("shared", "load").transactions == wavefronts(16, 16, 256, pitch, 4)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_long_vectors_give_the_same_bits(emulator, data):
    """Any border, one channel or more, aligned widths and others, images narrower than a vector."""
    dtype = data.draw(st.sampled_from((U8, U16)))
    width = data.draw(st.sampled_from((16, 32, 48, 64, 96, 24, 20, 18, 13)))
    size, channels = (data.draw(st.integers(1, 19)), width), data.draw(st.sampled_from((1, 1, 2, 3, 4)))
    body = around(dtype, size, channels, data.draw(st.sampled_from(BORDERS)))
    tile = data.draw(st.sampled_from(((16, 4), (32, 4), (64, 8))))
    program = cuda(body, tile=tile, vector=data.draw(st.sampled_from((4, 8))), threads=64)
    assert_equal(program, Launcher(emulator, checked=data.draw(st.booleans())), clip_of(body, 3))
