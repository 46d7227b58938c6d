"""How a body is cut into blocks: the shape whose kernels keep everything in registers, by what the compiler says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kernels.codegen.cuda import cuda
from kernels.codegen.cuda_launch import CudaProgram
from kernels.codegen.nvrtc import Usage
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body

SHAPES: tuple[dict[str, Any], ...] = (
    {}, {"vector": 4, "threads": 128}, {"tile": (32, 16), "threads": 128}, {"tile": (32, 8), "threads": 64},
    {"resident": 1}, {"vector": 4, "threads": 128, "resident": 1}, {"tile": (32, 8), "threads": 128, "resident": 1},
)  # fmt: skip
"""Ways to cut a body into blocks, tried until one needs no local memory; at last with all registers that a thread can
have, for fewer threads."""


def leanest(
    body: Body, compiled: Callable[[str], tuple[bytes, Mapping[str, Usage]]], name: str = "fused"
) -> CudaProgram:
    """The first of `SHAPES` whose kernels spill nothing, else the one that spills least.

    Args:
        body: what is to be computed.
        compiled: a text's machine code and what each of its kernels takes.
        name: what its kernels' names begin with.

    Raises:
        Unsupported: CUDA cannot express the body.
    """
    best: tuple[int, CudaProgram] | None = None
    reason: Unsupported | None = None
    for shape in SHAPES:
        try:
            program = cuda(body, name, **shape)
        except Unsupported as error:
            reason = reason or error
            continue
        _, usage = compiled(program.text)
        spills = sum(u.spills for u in usage.values())
        if best is None or spills < best[0]:
            best = spills, program
        if not spills:
            break
    if best is None:
        assert reason is not None
        raise reason
    return best[1]
