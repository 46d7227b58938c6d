"""The generated code of a plan, as text: what `fusetrack plan --source` prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kernels.codegen.layers_lower import lower_layers
from kernels.codegen.layers_tiles import Tiled
from kernels.codegen.vector import generate
from kernels.executors.base import DeviceModel
from kernels.executors.cuda_shapes import Compiler
from kernels.executors.layers import target_of
from kernels.executors.machine import Machine
from kernels.executors.networks import core_here, described, evaluated
from kernels.executors.placement import first_cache
from kernels.fusion.lower import lower
from kernels.fusion.normal import Unsupported
from kernels.fusion.outline import outline
from kernels.ir.body import Body
from kernels.ir.volumes import has_volumes
from pipelines.fusing import Unit, fuse
from pipelines.graph import Bound
from pipelines.planning.launches import program_of

IDLE = "hands on what it takes, nothing is generated"


def sources(
    bound: Bound, groups: Sequence[Sequence[str]], kind: str = "cpu", exact: bool = True,
    compiled: Compiler | None = None, tile: tuple[int, int] | None = None, device: DeviceModel | None = None,
) -> list[tuple[str, str]]:
    """(nodes joined by +, text) of each group of nodes, in order: a whole LLVM module, or CUDA C for kind "cuda".

    Args:
        compiled: says what kernels take of a GPU, by which the executor chooses their shape.
        tile: (width, height) of the blocks of a GPU's image stages, px; None for the code's own choice.
        device: on which they shall run.

    LLVM text begins with an outline of its loops as comments, CUDA text with how its kernels are launched. What runs on
    the host or on another back end has a comment only.
    """
    printed: Callable[[Unit], str] = _text
    sign = "//" if kind == "cuda" else ";"
    if kind == "cuda":
        printed = partial(_cuda_text, compiled=compiled, tile=tile, device=device)
    units = fuse(bound, groups, bound.taps, exact)
    return [(u.name, _comment(f"{u.name}: {IDLE}", sign) if u.idle else printed(u)) for u in units]


def tiles_chosen(unit: Unit) -> list[Tiled]:
    """The layers of a unit that may be made of tiles, and what is chosen for a core of this machine."""
    if unit.body.host is not None or unit.idle or not has_volumes(unit.body.roots):
        return []
    try:
        return lower_layers(unit.body, target_of(Machine()), evaluated, core_here()).tiled
    except Unsupported:
        return []


def slow(unit: Unit) -> str:
    """Why the cpu back end leaves a unit to the reference, as a sentence; empty where it does not."""
    body = unit.body
    if body.host is not None or unit.idle:
        return ""
    try:
        if has_volumes(body.roots):
            lower_layers(body, target_of(Machine()), evaluated, core_here())
        else:
            lower(body, first_cache())
    except Unsupported as reason:
        return f"{unit.name}: computed by the reference, which is slow, for {reason}"
    return ""


def _text(unit: Unit) -> str:
    if unit.body.host is not None:
        return _comment(f"{unit.name}: a host function, nothing is generated")
    try:
        return _network_text(unit) if has_volumes(unit.body.roots) else _image_text(unit.name, unit.body)
    except Unsupported as reason:
        return _comment(f"{unit.name}: runs on the reference back end: {reason}")


def _image_text(name: str, body: Body) -> str:
    rows = lower(body, first_cache())
    return _comment(f"{name}\n\n{outline(body, rows)}") + "\n" + generate(body, rows).text


def _network_text(unit: Unit) -> str:
    """The image pass before layers of a network, their list, the row kernels."""
    front, layers, text = described(unit.body, Machine())
    before = "" if front is None else _image_text(f"{unit.name}: images before layers", front) + "\n"
    return before + _comment("\n".join([f"{unit.name}: layers, row by row", "", *layers])) + "\n" + text


def _cuda_text(
    unit: Unit, compiled: Compiler | None, tile: tuple[int, int] | None, device: DeviceModel | None
) -> str:
    if unit.body.host is not None:
        return _comment(f"{unit.name}: a host function, nothing is generated", "//")
    try:
        program = program_of(unit.body, compiled, tile, device)
    except Unsupported as reason:
        return _comment(f"{unit.name}: runs on the cpu back end: {reason}", "//")
    lines = [unit.name, ""]
    for kernel in program.kernels:
        x, y = kernel.boxes
        lines.append(f"{kernel.name}: {x}x{y} blocks of {kernel.block[0]}x{kernel.block[1]} threads, each for "
                     f"{kernel.tile[0]}x{kernel.tile[1]} pixels" + (" of one frame" if kernel.by_frame else
                     " of all frames of the batch"))  # fmt: skip
    return _comment("\n".join(lines), "//") + "\n" + program.text


def _comment(text: str, sign: str = ";") -> str:
    return "".join(f"{sign} {line}".rstrip() + "\n" for line in text.splitlines())
