"""How a GPU goes through the layers of a group: the modules of its program, each a kernel, and what each saves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from kernels.codegen.cuda import print_network
from kernels.codegen.cuda_modules import RESIDENT
from kernels.executors.base import DeviceModel
from kernels.executors.cuda_shapes import Compiler, occupied
from kernels.fusion.models.layer import kind_of
from kernels.fusion.modules import LONGEST, THREADS, Module, ModuleProgram, hold_together, joined, lower_modules
from kernels.fusion.normal import Unsupported
from kernels.fusion.occupancy import occupancy
from kernels.ir.body import Body
from kernels.ir.expr import Expr
from kernels.ir.volumes import has_volumes

PAIRS = ("DWPW", "PWDW", "PWPW")


@dataclass(frozen=True, slots=True)
class ModuleRow:
    """A module; a frame's figures.

    Args:
        kind: "DW", "PW", "conv" (of other taps or groups), "DWPW", "PWDW", "PWDW_R" (its halo is made again), "PWPW",
            "siblings" (of one value, apart or as one), "moves" (nothing is convolved) or "chain".
        layers: its convolutions, each by "DW", "PW" or "conv"; siblings that are one count each.
        tile: (width, height) of the last value that a block owns, px.
        blocks: of the launch of a frame.
        macs: multiply-adds, those of the halo included.
        again: share of them that only the halo needs.
        moved: bytes of activations that come from memory and go there; those of weights are read by every block.
        alone: the same of its values one by one, each with its best tile.
        weights: bytes.
        shared: bytes of shared memory of a block.
        registers: of a thread, by the compiler; without one as many as two blocks leave it.
        resident: blocks that a multiprocessor holds at once; `held` is what keeps it from holding more (shared memory,
            registers, threads or blocks).
        share: of the threads that it can hold.
        schedule: how a block goes through it.
        why: why it is so long, and no longer.
    """

    kind: str
    layers: tuple[str, ...]
    tile: tuple[int, int]
    blocks: int
    macs: float
    again: float
    moved: float
    alone: float
    weights: int
    shared: int
    registers: int
    resident: int
    held: str
    share: float
    schedule: str = ""
    why: str = ""


def module_rows(body: Body, device: DeviceModel, compiled: Compiler | None = None) -> tuple[ModuleRow, ...]:
    """The modules of a group's body on a GPU; none where it has no layers, or where CUDA cannot express them.

    Args:
        compiled: says how many registers kernels take, by which tiles are chosen as on that device.
    """
    if body.host is not None or not has_volumes(body.roots):
        return ()
    try:
        program = lower_modules(body)
        # Cut before every value, each is a module of its own: fusing is compared with that.
        alone = {m.kept[0].node: m.moved for m in lower_modules(body, range(1, len(program.kept))).modules}
    except Unsupported:
        return ()
    # With so many registers a thread, RESIDENT blocks share a multiprocessor.
    most = device.registers // (RESIDENT * THREADS)
    registers = [most] * len(program.modules)
    if compiled is not None:
        made = occupied(print_network(program), compiled, device)
        assert isinstance(made.lowered, ModuleProgram)
        program, usage = made.lowered, compiled(made.text)[1]
        registers = [usage[kernel.name].registers for kernel in made.kernels]
    return tuple(_row(m, sum(alone[one.node] for one in m.kept), _why(program, k, alone), device, used)
                 for k, (m, used) in enumerate(zip(program.modules, registers, strict=True)))  # fmt: skip


def _why(program: ModuleProgram, number: int, alone: Mapping[Expr, float]) -> str:
    """What a module saves, and what keeps it from being one with the next."""
    module, said = program.modules[number], []
    before = sum(alone[one.node] for one in module.kept)
    if len(module.kept) > 1:
        saved = 1 - module.moved / max(before, 1)
        said.append(f"fused: {abs(saved):.0%} {'fewer' if saved >= 0 else 'more'} bytes")
    if number + 1 < len(program.modules):
        after = program.modules[number + 1]
        more = joined(program, number)
        if not hold_together(module, after):
            said.append("has nothing in common with the next")
        elif len(module.kept) + len(after.kept) > LONGEST:
            said.append(f"with the next it has more than {LONGEST} values")
        elif more is None:
            said.append("with the next no tile fits")
        else:
            apart = module.cost + after.cost
            said.append(f"with the next {more.cost / apart - 1:+.0%} time, {_again(more):.0%} made again")
    if program.gap and not number:
        said.append(f"the graph is too wide for all partitions: another may be cheaper by up to {program.gap:.0%}")
    return "; ".join(said)


def _again(module: Module) -> float:
    """The share of multiply-adds that only the halo needs."""
    blocks = math.prod(module.blocks)
    macs = sum(blocks * step.tile.pixels * step.kept.macs for step in module.steps if step.kept is not None)
    needed = sum(one.macs * math.prod(one.size) for one in module.kept)
    return 1 - needed / macs if macs else 0.0


def _row(module: Module, alone: float, why: str, device: DeviceModel, registers: int) -> ModuleRow:
    cores = [one.core for one in module.kept if one.core is not None]
    layers = tuple(kind_of(core.arg) for core in cores)
    last = module.steps[-1].tile.owned
    blocks = math.prod(module.blocks)
    macs = sum(blocks * step.tile.pixels * step.kept.macs for step in module.steps if step.kept is not None)
    again = _again(module)
    kind = "".join(layers)
    if not layers:
        kind = "moves"
    elif len({core.src[0] for core in cores}) == 1 and (len(cores) > 1 or cores[0].arg.siblings):
        kind = "siblings"
        layers = tuple(kind_of(core.arg) for core in cores for _ in range(max(core.arg.siblings, 1)))
    elif len(layers) > 1 and kind not in PAIRS:
        kind = "chain"
    elif kind == "PWDW" and again > 0:
        kind = "PWDW_R"
    held = occupancy(device, THREADS, registers, module.shared)
    copied = sum(step.kept is None for step in module.steps)
    schedule = "halo made again" if again > 0 else "no halo inside"
    schedule += f", {copied} input{'s' * (copied != 1)} staged" if copied else ", inputs from memory"
    return ModuleRow(kind, layers, (last[1], last[0]), blocks, macs, again, module.moved, alone, module.weights,
                     module.shared, registers, held.blocks, held.limit, held.share, schedule, why)  # fmt: skip
