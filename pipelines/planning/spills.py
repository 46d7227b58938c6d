"""Registers that kernels spill: known from NVRTC's log before anything has run, on a GPU that is here or not."""

from __future__ import annotations

from kernels.codegen.nvrtc import Usage
from kernels.executors.base import Program


def spills(program: Program) -> int:
    """Bytes that a thread of a program's kernels stores because registers do not suffice; 0 where no GPU runs it."""
    return sum(usage.spills for usage in program_usage(program).values())


def program_usage(program: Program) -> dict[str, Usage]:
    """What each kernel of a program on a GPU uses, by its name; nothing for other programs."""
    compiled = getattr(getattr(program, "device", None), "compiled", None)
    if compiled is None:
        return {}
    _, usage = compiled(getattr(program, "text", ""))
    return dict(usage)
