"""PTX executed on NumPy equals the reference, to the last bit; what it counts is what a hand-written loop does."""

from __future__ import annotations

import numpy as np
import pytest

from app.benchmark.chains import CHAINS
from kernels.codegen import nvrtc
from kernels.codegen.cuda import cuda
from kernels.codegen.cuda_counts import CLASSES, arguments, class_of, count
from kernels.codegen.cuda_launch import OPTIONS, CudaProgram
from kernels.codegen.ptx import Block, Memory, parse
from kernels.codegen.ptx_ops import PtxError, compute
from kernels.executors.reference import ReferenceProgram
from kernels.ir.image import U8, ImageType
from tests.kernels.codegen.shipped import chain, units
from tests.kernels.test_conformance import agree, clip_of

needs_nvrtc = pytest.mark.skipif(not nvrtc.available(), reason="NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
MOST = {"seed": 88.0, "seed-f32": 117.0, "harris": 252.0, "background": 75.0, "unsharp": 96.0, "features": 110.0}
"""PTX instructions a pixel of the fused chains in four frames of 512x512, all blocks, halos and idle lanes included: a
tenth more than counted."""
HAND = """
.visible .entry loop(
    .param .u64 loop_param_0
)
{
    .loc 1 1 1
    ld.param.u64 %rd1, [loop_param_0];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, 0;
$L__BB0_1:
    .loc 1 2 1
    add.s32 %r2, %r2, 1;
    setp.le.u32 %p1, %r2, %r1;
    @%p1 bra $L__BB0_1;
    .loc 1 3 1
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
}
"""


def test_lanes_leave_a_loop_one_by_one():
    """Thread i goes round i + 1 times; a warp as often as its last lane, and is then whole again."""
    (entry,) = parse(HAND)[0].values()
    memory = Memory()
    block = Block(entry, memory, (np.uint64(memory.put("to", np.zeros(64, np.uint32))),), 64, (0, 0, 0), (1, 1, 1), 0)
    block.run()
    assert np.array_equal(memory.get("to").view(np.uint32), np.arange(1, 65))
    lines = [each.line for each in entry.code]
    assert lines == [1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    assert block.issued[3] == 32 + 64
    assert block.executed[3] == 64 * 65 // 2
    assert block.issued[-1] == 2


def test_what_is_not_understood_is_refused():
    for op in ("tex.2d", "fma.weird.q7", "sin.approx.f32"):
        with pytest.raises(PtxError, match="not understood"):
            compute(op.split("."), [np.zeros(32, np.float32)] * 3, np.ones(32, np.bool_))
    assert [class_of(op) for op in ("ld.shared.v2.u32", "cvt.rn.f32.s32", "cvt.rmi.f32.f32", "and.pred", "bar.sync",
                                    "min.s16", "atom.global.add.u64")] == [
        "shared load", "convert", "float", "compare", "control", "16 bits", "atomic"]  # fmt: skip


def run(program: CudaProgram, clip, age: int) -> dict[str, np.ndarray]:
    """Every block of every kernel, as a launch does."""
    text = nvrtc.compile_text(program.text, "compute_90", (*OPTIONS, "-lineinfo")).cubin.decode()
    entries, constants = parse(text)
    memory, frames = Memory(), len(clip[0])
    for name, array in constants.items():
        memory.put(name, array)
    made = {}
    for kernel in program.kernels:
        inputs = {a.name: clip[int(a.key)] for a in kernel.arguments if a.kind == "input"}
        given = arguments(program, kernel, memory, frames, age, inputs)
        grid = kernel.grid(frames)
        for z, y, x in np.ndindex(*grid[::-1]):
            Block(entries[kernel.name], memory, given, kernel.block[0], (x, y, z), grid, kernel.shared).run()
        for a in kernel.arguments:
            if a.kind == "output":
                dtype = program.lowered.body.output(str(a.key)).type.dtype.numpy
                made[str(a.key)] = memory.get(a.name).view(dtype).reshape(frames, *a.shape)
    return made


@needs_nvrtc
@pytest.mark.parametrize("name", ["seed", "seed-f32", "harris", "background", "unsharp", "objects", "blobs"])
def test_executed_ptx_is_the_reference(name):
    frame = ImageType(U8, 22, 40, 4 if name.startswith("seed") else 1)
    (unit,) = units(name, frame) if name in ("objects", "blobs") else chain(name, frame)
    clip = clip_of(unit.body, 3)
    got = run(cuda(unit.body, tile=(32, 8), threads=64), clip, 0)
    assert agree(got, ReferenceProgram(unit.body).run(clip, {}))


@needs_nvrtc
def test_stages_and_classes_of_the_seed_chain():
    (unit,) = chain("seed", ImageType(U8, 512, 512, 4))
    (kernel,) = count(cuda(unit.body), 4)
    names = [stage.name for stage in kernel.stages]
    assert [n for n in names if n.startswith("stage")][:2] == ["stage 0", "stage 0 borders"]
    assert {"states in", "states out", "march", "stage 4"} <= set(names)
    assert set(kernel.by_class()) == set(CLASSES)
    assert sum(kernel.by_class().values()) == pytest.approx(kernel.total)
    by_class = kernel.by_class()
    loads = 80 * 22 / 1024 / 4  # four pixels take one load, those of the halo too
    loaded = next(s.classes["global load"] for s in kernel.stages if s.name == "stage 0")
    assert loads * 0.9 <= loaded <= 1.3 * loads
    assert by_class["float"] >= 3 * 80 * 22 / 1024 * 0.9  # three operations of the recurrence
    assert 0.5 < kernel.useful <= 1


@needs_nvrtc
@pytest.mark.parametrize("name", MOST)
def test_chains_take_no_more_instructions(name):
    """So that a change of the generator that costs some is seen."""
    (unit,) = chain(name, ImageType(U8, 512, 512, CHAINS[name].channels))
    (kernel,) = count(cuda(unit.body), 4)
    assert kernel.inside <= kernel.total <= MOST[name]


def test_dot_products():
    """dp4a and dp2a beside their definition, of all signs."""
    rng = np.random.default_rng(0)
    a, b, c = rng.integers(0, 1 << 32, (3, 64), np.uint32)
    on = np.ones(64, np.bool_)
    for kind in "us":
        for high in (0, 2):
            bytes_, halves = b.view(f"{kind.replace('s', 'i')}1"), a.view(f"{kind.replace('s', 'i')}2")
            wanted = c.astype(np.int64)
            for k in range(2):
                wanted = wanted + halves.reshape(-1, 2)[:, k].astype(np.int64) * bytes_.reshape(-1, 4)[:, high + k]
            (got,) = compute(["dp2a", "hi" if high else "lo", f"{kind}32", f"{kind}32"], [a, b, c], on)
            assert np.array_equal(got, wanted.astype(np.uint64).astype(np.uint32))
        wanted = c.astype(np.int64)
        for x, y in zip(a.view(f"{kind.replace('s', 'i')}1").reshape(-1, 4).T,
                        b.view(f"{kind.replace('s', 'i')}1").reshape(-1, 4).T, strict=True):  # fmt: skip
            wanted = wanted + x.astype(np.int64) * y
        (got,) = compute(["dp4a", f"{kind}32", f"{kind}32"], [a, b, c], on)
        assert np.array_equal(got, wanted.astype(np.uint64).astype(np.uint32))
    (got,) = compute(["sad", "u32"], [a, b, c], on)
    assert np.array_equal(got, np.where(a < b, b - a, a - b) + c)
