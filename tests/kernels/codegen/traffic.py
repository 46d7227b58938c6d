"""Bytes of global memory that CUDA text moves, counted by the emulator, beside what the cost model predicted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernels.codegen.cuda import print_blocks
from kernels.fusion.blocks_model import BlockProgram
from kernels.fusion.blocks_traffic import Moved, listed, moved
from kernels.ir.image import ImageType
from tests.emulator.emulator import Emulator
from tests.kernels.codegen.cuda_driver import Driver
from tests.kernels.codegen.emulated import Launcher


@dataclass(frozen=True)
class Counted:
    """One kernel, in bytes a frame and pixel; `conflicts`: wavefronts of shared loads over the least possible."""

    kernel: str
    lists: bool
    counted: Moved
    predicted: Moved
    conflicts: float


def count(program: BlockProgram, emulator: Emulator, frames: int, before: int = 1) -> list[Counted]:
    """Each kernel's bytes over a batch of `frames` black frames (no candidates), after one of `before` frames."""
    text, launcher = print_blocks(program), Launcher(emulator, checked=True)
    driver = Driver(text, launcher)
    shapes = [(t.shape, t.dtype.numpy) for t in program.body.inputs if isinstance(t, ImageType)]
    for length in (before, frames):
        first = len(launcher.reports)
        driver.run([np.zeros((length, *shape), dtype) for shape, dtype in shapes])
    sizes = iter(zip(program.passes, moved(program, frames), strict=True))
    made, pixels = [], 1
    numbers = {output.name: i for i, output in enumerate(program.body.outputs)}
    for kernel, (name, report) in zip(text.kernels, launcher.reports[first:], strict=True):
        assert kernel.name == name
        if kernel.lists:
            predicted = listed(program, numbers[str(kernel.arguments[0].key)])
        else:
            plan, predicted = next(sizes)
            pixels = plan.size[0] * plan.size[1]
        scale = 32 / (frames * pixels)
        blocks = report.sectors_of_blocks
        asked, given = (report.traffic("global", o).transactions for o in ("load", "store"))
        shared = report.traffic("shared", "load")
        counted = Moved(blocks.get("load", 0) * scale, blocks.get("store", 0) * scale, asked * scale, given * scale)
        made.append(Counted(name, kernel.lists, counted, predicted, shared.transactions / max(1, shared.ideal)))
    return made
