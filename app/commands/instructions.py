"""Instructions a pixel of a plan's CUDA kernels: what `fusetrack plan --instructions` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from kernels.codegen.cuda import cuda
from kernels.codegen.cuda_counts import CLASSES, KernelCount, count
from kernels.codegen.nvrtc import NvrtcError, Usage, compile_text
from kernels.errors import InputError
from kernels.fusion.blocks_model import BlockProgram
from kernels.fusion.blocks_traffic import Moved, moved
from kernels.fusion.modules import ModuleProgram
from kernels.fusion.normal import Unsupported
from pipelines.fusing import fuse
from pipelines.graph import Bound

TITLES = dict(zip(CLASSES, ("flt", "int", "i16", "byte", "cvt", "cmp", "mov", "ld.s", "st.s", "ld.g", "st.g", "atom",
                            "ctl"), strict=True))  # fmt: skip
LEGEND = ("flt: arithmetic of floats; int, i16: of whole numbers and addresses; byte: their packing; cvt: conversions; "
          "cmp: comparisons and choices; mov: moves, most of which ptxas drops; ld, st: .s shared, .g global memory; "
          "ctl: branches, barriers, shuffles")  # fmt: skip
ARCHITECTURE = "sm_86"
"""For which registers are counted."""
Counted = tuple[str, tuple[tuple[KernelCount, Moved, Usage], ...], str]


def instructions(bound: Bound, groups: Sequence[Sequence[str]], frames: int, exact: bool = True) -> list[Counted]:
    """(nodes joined by +, kernels with counts, traffic and registers, why there are none) of each group, in order.

    Raises:
        InputError: NVRTC is not installed.
    """
    found: list[Counted] = []
    for unit in fuse(bound, groups, bound.taps, exact):
        if unit.body.host is not None:
            found.append((unit.name, (), "a host function"))
            continue
        if unit.idle:
            found.append((unit.name, (), "it hands on what it takes"))
            continue
        try:
            program = cuda(unit.body)
            blocks = program.lowered
            if isinstance(blocks, ModuleProgram):
                found.append((unit.name, (), f"{len(blocks.modules)} modules of network layers, not counted"))
                continue
            if not isinstance(blocks, BlockProgram):
                found.append((unit.name, (), "a decoder, not counted"))
                continue
            counts = count(program, frames)
            used = compile_text(program.text, ARCHITECTURE).usage
        except Unsupported as reason:
            found.append((unit.name, (), f"runs on the cpu back end: {reason}"))
        except NvrtcError as error:
            raise InputError(f"--instructions compiles the CUDA text: {error}") from None
        else:
            traffic = moved(blocks, frames)
            kernels = tuple((c, m, used[c.name]) for c, m in zip(counts, traffic, strict=True))
            found.append((unit.name, kernels, ""))
    return found


def show(counted: Sequence[Counted], frames: int) -> None:
    """A table for each kernel."""
    console = Console(highlight=False)
    for name, kernels, why in counted:
        console.print(f"[bold]{escape(name)}[/]{f'   {escape(why)}' if why else ''}")
        for kernel, memory, usage in kernels:
            classes = [c for c in CLASSES if kernel.by_class()[c] >= 0.05]
            table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1, 0, 0))
            table.add_column(kernel.name, no_wrap=True)
            for title in ("all", *(TITLES[c] for c in classes)):
                table.add_column(title, justify="right", no_wrap=True)
            for stage in kernel.stages:
                table.add_row(stage.name, f"{stage.total:.1f}", *(_figure(stage.classes.get(c, 0.0)) for c in classes))
            every = [kernel.by_class()[c] for c in classes]
            table.add_row("all", f"{kernel.total:.1f}", *(f"{value:.1f}" for value in every), style="bold")
            console.print(table)
            console.print(f"  {kernel.inside:.1f} in blocks that meet no edge; {kernel.useful:.0%} of lanes at work; "
                          f"{memory.loaded:.2f} B/px in, {memory.stored:.2f} out; {usage.registers} registers a thread")
            if usage.spills:
                console.print(f"  registers do not suffice ({ARCHITECTURE}): a thread spills {usage.spills} bytes to "
                              "memory; a GPU tries smaller blocks and takes those that spill least")  # fmt: skip
    console.print(f"[dim]PTX instructions a pixel and frame in batches of {frames}, 32 for each that a warp issues; "
                  f"executed on noise, not on a device. {LEGEND}[/]")  # fmt: skip


def _figure(value: float) -> str:
    return f"{value:.1f}" if value >= 0.05 else "-"


def facts(counted: Sequence[Counted]) -> list[dict[str, Any]]:
    """For JSON: plain types only."""
    return [
        {"group": name, "why": why, "kernels": [
            {"name": kernel.name, "total": kernel.total, "inside": kernel.inside, "useful": kernel.useful,
             "loaded": memory.loaded, "stored": memory.stored, "registers": usage.registers, "spills": usage.spills,
             "stages": [{"name": s.name, "makes": s.makes, "classes": dict(s.classes)} for s in kernel.stages]}
            for kernel, memory, usage in kernels]}
        for name, kernels, why in counted
    ]  # fmt: skip
