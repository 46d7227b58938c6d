"""Global transactions a pixel, counted by the emulator, are within a tenth of what the cost model predicts."""

from __future__ import annotations

import pytest

from app.benchmark.chains import CHAINS
from kernels.fusion.blocks import lower_blocks
from kernels.ir.body import Body, Output
from kernels.ir.expr import convert, param
from kernels.ir.image import F32, U8, U16, ImageType
from kernels.ir.planes import Border, input_plane, load, window
from tests.kernels.codegen.shipped import chain
from tests.kernels.codegen.traffic import count


def close(program, emulator, frames: int = 4, conflicts: float = 2.0) -> None:
    for each in count(program, emulator, frames):
        assert each.conflicts <= conflicts, each.kernel
        for field in ("loaded", "stored") if each.lists else ("loaded", "stored", "asked", "given"):
            now, said = getattr(each.counted, field), getattr(each.predicted, field)
            assert now == pytest.approx(said, rel=0.1, abs=0.02), (each.kernel, field)


@pytest.mark.parametrize("name", CHAINS)
def test_chains_move_what_the_model_says(name, emulator):
    for unit in chain(name, ImageType(U8, 64, 256, CHAINS[name].channels)):
        close(lower_blocks(unit.body), emulator, conflicts=1.2)


def test_odd_sizes_channels_past_frames_and_planes_between_passes(emulator):
    """Rows that begin inside a sector, three channels, a look back in time, a plane kept for a second pass."""
    size = (45, 78)
    mono, colour = ImageType(U16, *size), ImageType(U8, *size, 3)
    x, green = input_plane(0, 0, U16, size), input_plane(1, 1, U8, size)
    smooth = window("sum", convert(x, F32), Border(), (-2, 2), (-1, 1)) + convert(green, F32)
    total = load(smooth, Border("wrap"), 3, 1) + convert(load(x, Border(), 0, 0, -1), F32) * param("gain", F32)
    body = Body((mono, colour), (Output("out", ImageType(F32, *size), (total,)),), {"gain": F32}, {"gain": 1.5})
    program = lower_blocks(body, (32, 8))
    assert len(program.passes) == 2
    close(program, emulator)


def test_every_other_pixel_of_a_plane(emulator):
    """A pass of half the size reads what the first has left, row by second row."""
    size = (48, 256)
    x = convert(input_plane(0, 0, U8, size), F32)
    smooth = window("sum", x, Border(), (-1, 1), (-1, 1))
    half = load(smooth, Border(), 0, 0, 0, 2, (24, 128))
    body = Body((ImageType(U8, *size),), (Output("out", ImageType(F32, 24, 128), (half,)),), {}, {})
    program = lower_blocks(body, (32, 8))
    assert len(program.passes) == 2
    close(program, emulator)
