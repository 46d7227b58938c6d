"""CUDA programs on the emulator, batch by batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kernels.codegen.cuda_launch import CudaKernel, CudaProgram
from kernels.executors.base import Batch
from kernels.executors.reference import ReferenceProgram
from kernels.param import Value
from tests.emulator.emulator import Emulator, Kernel
from tests.emulator.memory import In, InOut, Out
from tests.emulator.report import Report
from tests.kernels.codegen.cuda_driver import Driver, Given
from tests.kernels.codegen.names import shadowed
from tests.kernels.test_conformance import agree, cut

ORDERS = ("shuffled", "forward", "reverse")
ROLES = {"in": In, "both": InOut}


class Launcher:
    """Runs kernels one after another in changing orders; `checked` watches every access."""

    def __init__(self, emulator: Emulator, checked: bool = False, seed: int = 0) -> None:
        self.emulator = emulator
        self.checked = checked
        self.seed = seed
        self.kernels: dict[str, Kernel] = {}
        self.reports: list[tuple[str, Report]] = []

    def __call__(
        self, program: CudaProgram, kernel: CudaKernel, grid: tuple[int, int, int], given: list[Given]
    ) -> None:
        if kernel.name not in self.kernels:
            self.kernels[kernel.name] = self.emulator.kernel(program.text, kernel.name)
        made = self.kernels[kernel.name]
        arguments = [g.value if a.is_scalar else Out(g.value, g.whole) if g.role == "out" else ROLES[g.role](g.value)
                     for a, g in zip(kernel.arguments, given, strict=True)]  # fmt: skip
        self.seed += 1
        launch = made.check if self.checked else made.run
        self.reports.append((kernel.name, launch(grid, kernel.block, arguments, kernel.shared, seed=self.seed,
                                                 order=ORDERS[self.seed % 3])))  # fmt: skip


def assert_equal(
    program: CudaProgram, launcher: Launcher, clip: Sequence[np.ndarray | None],
    cuts: Sequence[tuple[int, int]] = ((0, 2), (2, 3)), params: Mapping[str, Value] | None = None,
) -> Mapping[str, Batch]:  # fmt: skip
    """The program's outputs over a clip fed in parts are the reference's, to the last bit; returns the last part's.

    And every name of its text has one meaning.
    """
    assert not shadowed(program.text)
    driver, reference = Driver(program, launcher), ReferenceProgram(program.lowered.body)
    got: Mapping[str, Batch] = {}
    for first, last in cuts:
        part = cut(list(clip), first, last)
        got = driver.run(part, params)
        assert agree(got, reference.run(part, params or {})), f"frames {first} to {last} differ"
    return got
