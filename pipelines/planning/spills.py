"""Registers that kernels spill: known from NVRTC's log before anything has run, on a GPU that is here or not."""

from __future__ import annotations

from collections.abc import Iterable

from kernels.codegen.cuda import cuda
from kernels.codegen.nvrtc import Usage, available, compile_text
from kernels.executors.base import Program
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body


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


def body_usage(bodies: Iterable[Body], architecture: str) -> dict[str, Usage] | None:
    """What the kernels of some bodies would use on an architecture, such as sm_90; None without NVRTC.

    Host stages, and what CUDA cannot express, have none.

    Raises:
        NvrtcError: NVRTC refuses a text or the architecture.
    """
    if not available():
        return None
    found: dict[str, Usage] = {}
    for number, body in enumerate(bodies):
        if body.host is not None:
            continue
        try:
            text = cuda(body, f"g{number}").text
        except Unsupported:
            continue
        found |= compile_text(text, architecture).usage
    return found
