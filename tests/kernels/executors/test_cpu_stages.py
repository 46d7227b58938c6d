"""The cpu executor on every registered stage and on the stages of every shipped pipeline, alone and fused."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
import pytest

from kernels.executors.cpu import CpuExecutor
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.compose import compose
from kernels.ir.body import Part
from kernels.ir.image import BOOL, F32, U8, ImageType
from kernels.ir.table import TableType
from kernels.stages.background import background
from kernels.stages.iir_lowpass import iir_lowpass
from kernels.stages.moments import moments
from kernels.stages.peaks import peaks
from pipelines.definition import library
from pipelines.graph import bind
from tests.kernels.test_conformance import STAGES, agree, bodies_of, clip_of, cut
from tests.shipped import fixed

STATM = Path("/proc/self/statm")
MADE = [CpuExecutor(threads=n, cached=False) for n in (1, 2, 3)]


def resident() -> int:
    """Bytes of this process that are in memory."""
    return int(STATM.read_text().split()[1]) * mmap.PAGESIZE


def equal_to_reference(body, made: CpuExecutor, clip, params=None) -> None:
    """Three frames, fed as two and one."""
    program, reference = made.compile(body), ReferenceProgram(body)
    assert program.back_end == "cpu", program.reason
    for first, last in ((0, 2), (2, 3)):
        part = cut(clip, first, last)
        assert agree(program.run(part, params or {}), reference.run(part, params or {}))


@pytest.mark.parametrize("name", STAGES)
def test_stages(name):
    """A sample of the stage's bodies over sizes, types and channels; more threads than rows among them."""
    compiled = [body for body in bodies_of(name) if body.host is None]
    for i, body in enumerate(compiled[:: max(1, len(compiled) // 3)]):
        equal_to_reference(body, MADE[i % 3], clip_of(body, i))


@pytest.mark.parametrize("name", sorted(library()))
def test_stages_of_shipped_pipelines(name):
    size = (45, 70)
    bound = bind(fixed(name), ImageType(U8, *size))
    for i, node in enumerate(bound.nodes):
        if node.body.host is None and not any(isinstance(t, TableType) for t in node.body.inputs):
            equal_to_reference(node.body, MADE[i % 3], clip_of(node.body, i))


def test_regions_overlap_leave_the_image_and_change_while_it_runs():
    size = (20, 37)
    body = moments.build([ImageType(U8, *size)], {"regions": "boxes", "capacity": 5})
    clip = clip_of(body, 3)
    for boxes in ((), ((0.0, 0.0, 37.0, 20.0),), ((-5.0, -5.0, 9.0, 9.0), (30.4, 3.0, 90.0, 2.0), (3.0, 3.0, 0.0, 4.0),
                  (100.0, 1.0, 2.0, 2.0), (1.0, 18.0, 17.0, 9.0), (0.0, 0.0, 1.0, 1.0))):  # fmt: skip
        for made in MADE:
            equal_to_reference(body, made, clip, {"boxes": boxes})


@pytest.mark.parametrize("capacity", [1, 7, 100000])
def test_candidates_in_raster_order_and_those_too_many_counted(capacity):
    body = peaks.build([ImageType(U8, 23, 131)], {"capacity": capacity, "threshold": 120.0})
    for made in MADE:
        equal_to_reference(body, made, clip_of(body, 5))


@pytest.mark.skipif(not STATM.exists(), reason="no /proc")
def test_lists_take_memory_as_they_fill() -> None:
    """Addresses for 45 MB of rows; a frame that is full of peaks among empty ones takes its own rows alone."""
    body = peaks.build([ImageType(U8, 1024, 1024)])
    frames = np.zeros((8, 1024, 1024), np.uint8)
    frames[:, 8, 8] = frames[5, ::4, ::4] = 200
    program = MADE[0].compile(body)
    program.run([frames[:1]], {"threshold": 100.0})
    before = resident()
    table = program.run([frames], {"threshold": 100.0})["out"][5]
    assert (len(table.rows), table.overflow) == (1 << 16, 0)
    assert resident() - before < 10e6
    again = program.run([frames[5:6]], {"threshold": 100.0})["out"][0]
    assert again.rows.tobytes() == table.rows.tobytes()


def test_a_fused_group_with_states_and_a_table():
    """Everything at once: two recurrences, spatial stages behind them, a mask, an image and a list of peaks."""
    image = ImageType(U8, 31, 50, 3)
    gray = STAGES["gray"].build([image])
    mono = ImageType(U8, 31, 50)
    smooth = STAGES["gaussian"].build([ImageType(F32, 31, 50)], {"size": 5})
    parts = (
        Part("gray", gray, (0,)),
        Part("steady", iir_lowpass.build([mono]), (("gray", "out"),)),
        Part("smooth", smooth, (("steady", "out"),)),
        Part("moving", background.build([ImageType(F32, 31, 50)]), (("smooth", "out"),)),
        Part("clean", STAGES["open"].build([ImageType(BOOL, 31, 50)]), (("moving", "foreground"),)),
        Part("peaks", peaks.build([ImageType(F32, 31, 50)], {"capacity": 9}), (("smooth", "out"),)),
    )
    body = compose(parts, [("clean", "out"), ("smooth", "out"), ("peaks", "out"), ("moving", "deviation")])
    for made in MADE:
        equal_to_reference(body, made, clip_of(body, 2))


def test_results_are_not_overwritten_by_the_next_batch():
    body = iir_lowpass.build([ImageType(U8, 8, 9)])
    program = MADE[1].compile(body)
    clip = clip_of(body)
    first = program.run(cut(clip, 0, 1), {})["out"]
    view, copy = first[0, 2:], first.copy()
    for _ in range(5):
        program.run(cut(clip, 1, 2), {})
    del first
    for _ in range(5):
        program.run(cut(clip, 1, 2), {})
    assert np.array_equal(view, copy[0, 2:])
