"""How a body is cut into blocks, by what the compiler says of registers: the shape whose kernels keep everything in
them, and of modules of layers the tiles of which a multiprocessor holds enough blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from kernels.codegen.cuda import cuda, print_network
from kernels.codegen.cuda_launch import CudaProgram
from kernels.codegen.nvrtc import Usage
from kernels.fusion.modules import THREADS, Module, ModuleProgram, retiled
from kernels.fusion.normal import Unsupported
from kernels.fusion.occupancy import Multiprocessor, occupancy
from kernels.ir.body import Body

SHAPES: tuple[dict[str, Any], ...] = (
    {}, {"vector": 4, "threads": 128}, {"tile": (32, 16), "threads": 128}, {"tile": (32, 8), "threads": 64},
    {"resident": 1}, {"vector": 4, "threads": 128, "resident": 1}, {"tile": (32, 8), "threads": 128, "resident": 1},
)  # fmt: skip
"""Ways to cut a body into blocks, tried until one needs no local memory; at last with all registers that a thread can
have, for fewer threads."""


Compiler = Callable[[str], tuple[bytes, Mapping[str, Usage]]]
"""From a text to its machine code and what each of its kernels takes."""


def leanest(body: Body, compiled: Compiler, unit: Multiprocessor | None = None) -> CudaProgram:
    """The first of `SHAPES` whose kernels spill nothing, else the one that spills least.

    Args:
        body: what is to be computed.
        compiled: the compiler.
        unit: the multiprocessors on which it shall run (see `occupied` and `fuller`); None for any.

    Raises:
        Unsupported: CUDA cannot express the body.
    """
    best: tuple[int, CudaProgram, dict[str, Any]] | None = None
    reason: Unsupported | None = None
    # In the order of preference: the first without spills ends the search.
    for shape in SHAPES:
        try:
            program = cuda(body, **shape)
        except Unsupported as error:
            reason = reason or error
            continue
        _, usage = compiled(program.text)
        spills = sum(u.spills for u in usage.values())
        if best is None or spills < best[0]:
            best = spills, program, shape
        if not spills:
            break
    if best is None:
        assert reason is not None
        raise reason
    spills, program, shape = best
    # A program that spills has no registers to give away.
    if spills or unit is None:
        return program
    if isinstance(program.lowered, ModuleProgram):
        return occupied(program, compiled, unit)
    return fuller(body, program, partial(cuda, body, **shape), compiled, unit)


def fuller(
    body: Body, program: CudaProgram, made: Callable[..., CudaProgram], compiled: Compiler, unit: Multiprocessor
) -> CudaProgram:
    """The same blocks with fewer registers a thread, as long as a multiprocessor holds more of them so and nothing
    spills: blocks that are side by side hide one another's waiting. Of shipped pipelines on sm_90, in 1024x1024,
    facial-markers takes 72 registers instead of 83 (three blocks instead of two, as many instructions),
    background-motion 80 instead of 109 (three instead of two, 3.7 % more), blobs 62 instead of 78 (four instead of
    three, 1.8 % more).

    Args:
        body: of the program; that of a decoder has one block a multiprocessor anyhow.
        made: the program with `resident` blocks.
    """
    usage = compiled(program.text)[1]
    while body.host is None:
        held = [(occupancy(unit, k.block[0] * k.block[1], used.registers, used.shared + k.shared), k.block[0])
                for k in program.kernels if not k.lists and (used := usage.get(k.name)) is not None]  # fmt: skip
        # The kernel with the least share of threads limits the device.
        one = min(held, key=lambda each: each[0].share, default=None)
        # More blocks help only where registers are what limits them, and where every device can hold their threads.
        if one is None or one[0].limit != "registers" or (one[0].blocks + 1) * one[1] > THREADS_OF_ALL:
            return program
        other = made(resident=one[0].blocks + 1)
        taken = compiled(other.text)[1]
        # The compiler was not bound by the limit, or it spills: the last good one stays.
        if other.text == program.text or any(used.spills for used in taken.values()):
            return program
        program, usage = other, taken
    return program


THREADS_OF_ALL = 1024
"""Threads that every device holds on a multiprocessor (those of compute capability 7.5 no more): for as many registers
are given away."""


def _held(unit: Multiprocessor, used: Usage, shared: int) -> int:
    """Blocks of a module's kernel that a multiprocessor holds; of one that spills none is wanted."""
    return 0 if used.spills else occupancy(unit, THREADS, used.registers, used.shared + shared).blocks


def occupied(program: CudaProgram, compiled: Compiler, unit: Multiprocessor, name: str = "fused") -> CudaProgram:
    """A program of modules with the tiles by which each takes least on a multiprocessor, as many blocks of it side by
    side as registers, by what the compiler says, and shared memory allow; others as they are."""
    modules = program.lowered
    if not isinstance(modules, ModuleProgram) or len(program.kernels) != len(modules.modules):
        return program

    def holding(text: str) -> list[Callable[[int], int]]:
        """Of each kernel, the blocks that are held, by the shared memory of one; none where the compiler is silent."""
        usage = compiled(text)[1]
        return [partial(_held, unit, usage[k.name]) if k.name in usage else lambda _: 0 for k in program.kernels]

    before = holding(program.text)
    tried = [retiled(modules, k, held) for k, held in enumerate(before)]  # as it was where none is held
    if all(new is old for new, old in zip(tried, modules.modules, strict=True)):
        return program
    again = print_network(replace(modules, modules=tuple(tried)), name)

    def better(new: Module, now: Callable[[int], int], old: Module, then: Callable[[int], int]) -> Module:
        """Other tiles may need other registers."""
        kept = new is old or not now(new.shared)
        return old if kept or new.taking(now(new.shared)) > old.taking(then(old.shared)) else new

    parts = zip(tried, holding(again.text), modules.modules, before, strict=True)
    chosen = tuple(better(*one) for one in parts)
    if all(new is one for new, one in zip(tried, chosen, strict=True)):
        return again
    return print_network(replace(modules, modules=chosen), name)
