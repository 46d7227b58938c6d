"""Code for processors and systems that are not here: every shipped pipeline's compiles for each of them.

None of it runs here: that the objects are whole, for the right machine, and want nothing from elsewhere but what every
system has, is all that can be seen.
"""

from __future__ import annotations

import pytest

from kernels.codegen.layers_dense import Tile
from kernels.codegen.layers_depthwise import Depthwise
from kernels.codegen.layers_epilogue import SUM, Epilogue, beside
from kernels.codegen.layers_moves import Move
from kernels.codegen.layers_steps import generate as layer_code
from kernels.codegen.pool import EXPORTS, architecture, pool_text
from kernels.codegen.vector import generate
from kernels.executors.layers import target_of
from kernels.executors.machine import Machine
from kernels.fusion.lower import lower
from kernels.ir.image import U8, ImageType
from kernels.loops.neighbour_loops import near_loop
from pipelines.fusing import fuse, largest_groups
from pipelines.graph import bind
from tests.kernels.executors.objects import machine_of, undefined
from tests.shipped import WITHOUT_LAYERS, fixed

OTHERS = {
    "aarch64-unknown-linux-gnu": ("generic", "elf 183"),
    "arm64-apple-darwin": ("apple-m1", "mach-o 0x100000c"),
    "x86_64-pc-windows-msvc": ("x86-64-v3", "coff 0x8664"),
    "x86_64-unknown-linux-gnu": ("x86-64", "elf 62"),
}
HAD = {"memcpy", "memmove", "memset", "bzero", "_fltused"}


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """The code of every program of every shipped pipeline, fused as far as it goes."""
    made = {}
    for name in WITHOUT_LAYERS:
        bound = bind(fixed(name), ImageType(U8, 45, 70))
        for unit in fuse(bound, largest_groups(bound, bound.taps), bound.taps):
            if unit.body.host is None:
                made[f"{name}:{unit.name}"] = generate(unit.body, lower(unit.body)).text
    return made


@pytest.mark.parametrize("triple", OTHERS)
def test_shipped_pipelines_compile_for_other_machines(triple, texts):
    cpu, kind = OTHERS[triple]
    machine = Machine.other(triple, cpu)
    assert len(texts) >= 6
    for name, text in texts.items():
        made = machine.compile(text)
        assert machine_of(made) == kind, name
        assert undefined(made) <= HAD, name


@pytest.mark.parametrize("triple", OTHERS)
def test_loops_compile_for_other_machines_with_all_that_they_call(triple):
    cpu, kind = OTHERS[triple]
    made = Machine.other(triple, cpu).compile(near_loop.text(), "near_loop")
    assert machine_of(made) == kind
    assert undefined(made) <= HAD


@pytest.mark.parametrize("triple", OTHERS)
def test_row_kernels_of_layers_compile_for_other_machines(triple):
    """A fused multiply-add where there is none is no call of a library, either."""
    cpu, kind = OTHERS[triple]
    machine = Machine.other(triple, cpu)
    target = target_of(machine)
    assert target.fused == (cpu != "x86-64")
    most = target.pixels
    whole = (target.lanes,) * target.vectors
    residual = Epilogue(SUM * beside(0))
    kernels = [Tile(whole, (most, most - 1)), Tile((target.lanes, 8), (most,)), Tile((8,), (2, 1), True, residual),
               Depthwise((3, 3), (most,)), Depthwise((5, 5), (3, 2), 2, epilogue=residual), Move("gather"),
               Move("max", (2, 2), (4, 3), 5), Move("sum", tail=12, exact=False)]  # fmt: skip
    code = layer_code(kernels, target)
    made = machine.compile(code.text)
    assert machine_of(made) == kind
    assert undefined(made) <= HAD


RISC_V = "riscv64-unknown-linux-gnu"


@pytest.mark.parametrize("triple", [*OTHERS, RISC_V])
def test_the_threads_code_compiles_for_other_machines(triple):
    text = pool_text(triple)
    cpu, features = ("generic-rv64", "+m,+a") if triple == RISC_V else (OTHERS[triple][0], "")
    assert undefined(Machine.other(triple, cpu, features).compile(text)) == set()
    pauses = {"x86_64": "@llvm.x86.sse2.pause()", "aarch64": "@llvm.aarch64.isb(i32 15)"}
    assert pauses.get(architecture(triple), "no pause is known here") in text
    assert all(f"@{name}(" in text for name in EXPORTS)


def test_undefined_symbols_are_seen():
    """The parsers find what is missing in all three formats."""
    text = "declare void @elsewhere(i64)\ndefine void @here(i64 %x) {\n  call void @elsewhere(i64 %x)\n  ret void\n}\n"
    for triple, (cpu, _) in OTHERS.items():
        assert undefined(Machine.other(triple, cpu).compile(text)) == {"elsewhere"}, triple
