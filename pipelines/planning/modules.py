"""How a GPU goes through the layers of a group: the modules of its program, each a kernel, and what each saves."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kernels.fusion.modules import Module, lower_modules
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body
from kernels.ir.volumes import Contract, has_volumes

PAIRS = ("DWPW", "PWDW", "PWPW")


@dataclass(frozen=True, slots=True)
class ModuleRow:
    """A module; a frame's figures.

    Args:
        kind: "DW", "PW", "conv" (of other taps or groups), "DWPW", "PWDW", "PWPW", "siblings" (of one value), "moves"
            (nothing is convolved) or "chain".
        layers: its convolutions, each by "DW", "PW" or "conv".
        tile: (width, height) of the last value that a block owns, px.
        blocks: of the launch of a frame.
        macs: multiply-adds, those of the halo included.
        again: share of them that only the halo needs.
        moved: bytes of activations that come from memory and go there; those of weights are read by every block.
        alone: the same of its values one by one, each with its best tile.
        weights: bytes.
        shared: bytes of shared memory of a block.
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


def module_rows(body: Body) -> tuple[ModuleRow, ...]:
    """The modules of a group's body; none where it has no layers, or where CUDA cannot express them."""
    if body.host is not None or not has_volumes(body.roots):
        return ()
    try:
        program = lower_modules(body)
        alone = {m.kept[0].node: m.moved for m in lower_modules(body, range(1, len(program.kept))).modules}
    except Unsupported:
        return ()
    return tuple(_row(m, sum(alone[one.node] for one in m.kept)) for m in program.modules)


def _row(module: Module, alone: float) -> ModuleRow:
    cores = [one.core for one in module.kept if one.core is not None]
    layers = tuple(_kind(core.arg) for core in cores)
    last = module.steps[-1].tile.owned
    blocks = math.prod(module.blocks)
    macs = sum(blocks * step.tile.pixels * step.kept.macs for step in module.steps if step.kept is not None)
    needed = sum(one.macs * math.prod(one.size) for one in module.kept)
    kind = "".join(layers)
    if not layers:
        kind = "moves"
    elif len({core.src[0] for core in cores}) == 1 < len(cores):
        kind = "siblings"
    elif len(layers) > 1 and kind not in PAIRS:
        kind = "chain"
    return ModuleRow(kind, layers, (last[1], last[0]), blocks, macs, 1 - needed / macs if macs else 0.0, module.moved,
                     alone, module.weights, module.shared)  # fmt: skip


def _kind(how: Contract) -> str:
    if how.groups > 1 and how.weights.array.shape[3] == 1:
        return "DW"
    return "PW" if how.taps == (1, 1) and how.groups == 1 else "conv"
