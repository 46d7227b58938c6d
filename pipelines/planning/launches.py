"""The kernels of a GPU's groups as they are launched: one tile for plan and code, and what the compiler says of it.

Code chooses its tiles itself (`kernels.fusion.blocks`, by what the compiler says of registers:
`kernels.executors.cuda_shapes`). A plan is priced with those tiles, and with what they leave of a card: how many blocks
a multiprocessor holds, and how many waves of them a batch takes. The last wave is as long as the others, however few
blocks it has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kernels.executors.base import DeviceModel
from kernels.fusion.normal import Unsupported
from kernels.fusion.occupancy import occupancy
from kernels.ir.body import Body
from kernels.ir.volumes import has_volumes
from pipelines.fusing import fuse
from pipelines.planning.devices import architecture_of

if TYPE_CHECKING:
    from kernels.codegen.cuda_launch import CudaProgram
    from kernels.executors.cuda_shapes import Compiler
    from pipelines.graph import Bound
    from pipelines.planning.plan import Plan
    from pipelines.planning.planner import Planner


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel of a group of image stages, on a batch.

    Args:
        kernel: its name.
        tile: (width, height) that a block owns, px.
        blocks: of the launch.
        threads: of a block.
        registers: of a thread, by the compiler; `spills` bytes of it go to memory.
        shared: bytes of a block.
        resident: blocks that a multiprocessor holds at once; `held` is what keeps it from holding more.
        share: of the threads that it can hold.
        waves: times that all multiprocessors are filled.
    """

    kernel: str
    tile: tuple[int, int]
    blocks: int
    threads: int
    registers: int
    spills: int
    shared: int
    resident: int
    held: str
    share: float
    waves: float

    @property
    def tail(self) -> float:
        """How many times as long it takes as if its last wave were full; 1 where there is less than one, since then
        what is idle is counted as multiprocessors without work.

        >>> Launch("k", (64, 32), 512, 256, 74, 0, 0, 3, "registers", 0.375, 1.25).tail
        1.6
        """
        return math.ceil(self.waves) / self.waves if self.waves > 1 else 1.0


def program_of(
    body: Body, compiled: Compiler | None, tile: tuple[int, int] | None = None, device: DeviceModel | None = None
) -> CudaProgram:
    """The program of a body of image stages as the cuda executor makes it.

    Args:
        compiled: says what kernels take of a card; None where NVRTC is not installed.
        tile: the one that the user wants.
        device: on which it shall run.

    Raises:
        Unsupported: CUDA cannot express it, or not with that tile.
    """
    from kernels.codegen.cuda import cuda  # not above: every run plans, and few make text for a GPU
    from kernels.executors.cuda_shapes import leanest

    if tile is not None and body.host is None and not has_volumes(body.roots):
        return cuda(body, tile=tile)
    return cuda(body) if compiled is None or body.host is not None else leanest(body, compiled, unit=device)


def launches(
    body: Body, device: DeviceModel, batch: int, compiled: Compiler | None, tile: tuple[int, int] | None = None
) -> tuple[Launch, ...]:
    """The kernels of a group's body, those that own tiles; none of layers and host functions, of what CUDA cannot
    express, and where nobody can say what kernels take."""
    if compiled is None or body.host is not None or not body.outputs or has_volumes(body.roots):
        return ()
    try:
        program = program_of(body, compiled, tile, device)
    except Unsupported:
        return ()
    usage, made = compiled(program.text)[1], []
    for kernel in program.kernels:
        if kernel.lists:
            continue
        used, threads, blocks = usage[kernel.name], math.prod(kernel.block), math.prod(kernel.grid(batch))
        # What the compiler says is static; the kernel asks for more at its launch.
        shared = used.shared + kernel.shared
        held = occupancy(device, threads, used.registers, shared)
        waves = blocks / (device.units * max(1, held.blocks))
        made.append(Launch(kernel.name, kernel.tile, blocks, threads, used.registers, used.spills, shared, held.blocks,
                           held.limit, held.share, waves))  # fmt: skip
    return tuple(made)


def as_launched(
    planner: Planner, bound: Bound, plan: Plan, exact: bool = True, tile: tuple[int, int] | None = None
) -> Plan:
    """A plan for a GPU with the tiles that its code has, priced with what kernels leave of the card; any other plan,
    and all where NVRTC is not installed, as they are.

    Args:
        bound: the pipeline that is planned for.
        exact: whether only rewritings that keep every bit are made.
        tile: the one that the user wants.
    """
    from kernels.executors.cuda_usage import usage_by

    if planner.device.kind != "cuda":
        return plan
    by = usage_by(architecture_of(planner.device))
    found = {tuple(node.id for node in unit.nodes): launches(unit.body, planner.device, plan.batch, by, tile)
             for unit in fuse(bound, plan.partition, bound.taps, exact)}  # fmt: skip
    return planner.launched(plan, found)


def slowest(found: Sequence[Launch]) -> Launch | None:
    """The kernel by which a group's tile is named: the one with the most blocks."""
    return max(found, key=lambda one: one.blocks, default=None)
