"""Instructions a pixel of CUDA text, by class and by stage: its PTX is executed on blocks of every kind.

Blocks in the middle and at each edge of the image are executed once each and weighted by how many there are. Counted
are the slots that warps issue, 32 a warp's instruction, idle lanes included: what an instruction costs on a device,
but for what ptxas makes of PTX (it joins and drops some). Needs NVRTC, no GPU.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from kernels.codegen import nvrtc
from kernels.codegen.cuda_launch import OPTIONS, Argument, CudaKernel, CudaProgram, live_bytes
from kernels.codegen.ptx import Block, Entry, Memory, parse
from kernels.codegen.ptx_ops import Array
from kernels.fusion.blocks_model import BlockProgram
from kernels.ir.image import BOOL
from kernels.ir.table import Reduction

CLASSES = ("float", "integer", "16 bits", "bytes", "convert", "compare", "move", "shared load", "shared store",
           "global load", "global store", "atomic", "control")  # fmt: skip
"""float: f32 and f64 arithmetic; integer: 32 and 64 bits, addresses too; bytes: prmt, bfi, bfe; compare: setp, selp and
predicates; move: mov and parameters (ptxas drops most); control: branches, barriers, shuffles."""


@dataclass(frozen=True, slots=True)
class StageCount:
    """One stage of a kernel: its name in the text, what it makes, instructions a frame and pixel by class."""

    name: str
    makes: str
    classes: Mapping[str, float]

    @property
    def total(self) -> float:
        return sum(self.classes.values())


@dataclass(frozen=True, slots=True)
class KernelCount:
    """One kernel.

    Args:
        name: of the function.
        stages: in order.
        inside: instructions a frame and pixel of a block that meets no edge of the image.
        useful: the share of the issued slots in which a thread is at work.
    """

    name: str
    stages: tuple[StageCount, ...]
    inside: float
    useful: float

    @property
    def total(self) -> float:
        return sum(stage.total for stage in self.stages)

    def by_class(self) -> dict[str, float]:
        """Of all stages."""
        return {c: sum(stage.classes.get(c, 0.0) for stage in self.stages) for c in CLASSES}


def class_of(op: str) -> str:
    """The class of a PTX instruction.

    >>> class_of("add.s32"), class_of("ld.global.nc.v4.u32"), class_of("setp.lt.s32"), class_of("prmt.b32")
    ('integer', 'global load', 'compare', 'bytes')
    """
    parts = op.split(".")
    base, type_ = parts[0], parts[-1]
    if base in ("ld", "st") and "param" not in parts:
        return f"{'shared' if 'shared' in parts else 'global'} {'load' if base == 'ld' else 'store'}"
    if base in ("atom", "red"):
        return "atomic"
    if base in ("mov", "cvta", "ld"):
        return "move"
    if base in ("setp", "selp", "set") or type_ == "pred":
        return "compare"
    if base == "cvt":
        return "float" if parts[-1][0] == parts[-2][0] == "f" else "convert"
    if base in ("bra", "ret", "exit", "bar", "barrier", "shfl", "vote", "membar"):
        return "control"
    if base in ("prmt", "bfi", "bfe"):
        return "bytes"
    return "float" if type_[0] == "f" else "16 bits" if type_.endswith("16") else "integer"


def count(program: CudaProgram, frames: int = 8, architecture: str = "compute_90") -> tuple[KernelCount, ...]:
    """Instructions a frame and pixel of each kernel that makes pixels, in a batch that is not the stream's first.

    Images hold noise, states too; live parameters have their defaults.

    Raises:
        NvrtcError: there is no NVRTC.
        PtxError: the PTX has an instruction that is not understood.
    """
    text = nvrtc.compile_text(program.text, architecture, (*OPTIONS, "-lineinfo")).cubin.decode(errors="replace")
    entries, constants = parse(text)
    memory = Memory()
    for name, array in constants.items():
        memory.put(name, array)
    return tuple(_count(program, kernel, entries[kernel.name], memory, frames)
                 for kernel in program.kernels if not kernel.lists)  # fmt: skip


def arguments(
    program: CudaProgram, kernel: CudaKernel, memory: Memory, frames: int, age: int, held: Mapping[str, Array]
) -> list[np.generic]:
    """A launch's arguments: arrays of `held` by their name, others as they are in the memory already, or noise."""
    given: list[np.generic] = []
    body = program.lowered.body
    for a in kernel.arguments:
        # Truths are bytes in memory.
        dtype = np.dtype(np.uint8) if a.dtype == BOOL else a.dtype.numpy
        if a.is_scalar:
            given.append(np.int32(frames if a.kind == "frames" else age))
        elif a.kind == "live":
            tables = [str(block.key) for each in program.kernels for block in each.live if block.kind == "count"]
            counts = {table: len(_boxes(program, table)) for table in tables}
            given.append(np.uint64(memory.put(a.name, live_bytes(program, body.params, counts))))
        elif a.name in memory.places and a.name not in held:
            given.append(np.uint64(memory.places[a.name][0]))
        else:
            made = held[a.name] if a.name in held else _noise(program, a, dtype, frames)
            given.append(np.uint64(memory.put(a.name, made)))
    return given


def _noise(program: CudaProgram, a: Argument, dtype: np.dtype[np.generic], frames: int) -> Array:
    lengths = {"past": (a.depth,), "state_in": (), "state_out": (), "boxes": ()}
    shape = (*lengths.get(a.kind, (frames,)), *a.shape)
    if a.kind == "boxes":
        boxes = np.zeros(shape, np.int32)
        listed = _boxes(program, str(a.key))
        boxes[: len(listed)] = np.reshape(listed, (-1, 4))
        return boxes
    if a.kind not in ("input", "past", "state_in"):
        return np.zeros(shape, dtype)
    # 0 or 1 for truths; noise takes every branch about as often as it comes.
    return np.random.default_rng(0).integers(0, 2 if a.dtype == BOOL else 256, shape, np.uint8).astype(dtype)


def _boxes(program: CudaProgram, key: str) -> list[tuple[int, int, int, int]]:
    body = program.lowered.body
    table = body.output(key).table
    assert isinstance(table, Reduction)
    listed = body.params[table.regions.boxes]
    assert isinstance(listed, tuple)
    return [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h in listed]  # type: ignore[misc]


def _count(program: CudaProgram, kernel: CudaKernel, entry: Entry, memory: Memory, frames: int) -> KernelCount:
    assert isinstance(program.lowered, BlockProgram)
    plan = program.lowered.passes[[k.name for k in program.kernels if not k.lists].index(kernel.name)]
    # An age far from 0: not the stream's first batch.
    given = arguments(program, kernel, memory, frames, 1 << 20, {})
    issued, executed = np.zeros(len(entry.code)), np.zeros(len(entry.code))
    grid = kernel.grid(frames)
    turns = -(-frames // grid[2])  # frames that a block takes
    pixels = kernel.tile[0] * kernel.tile[1] * turns
    inside = most = 0.0
    for (x, y), weight in _kinds(kernel, plan.size):
        block = Block(entry, memory, given, kernel.block[0], (x, y, 0), grid, kernel.shared)
        block.run()
        issued += block.issued * (32.0 * weight)
        executed += block.executed * float(weight)
        # The kind that most blocks are of is the middle's.
        if weight > most:
            most, inside = weight, 32.0 * float(block.issued.sum()) / pixels
    scale = 1 / (plan.size[0] * plan.size[1] * turns)
    names, made = _stages(program.text, kernel.name)
    rows: dict[str, dict[str, float]] = {}
    for each, slots in zip(entry.code, issued, strict=True):
        classes = rows.setdefault(names.get(each.line, "set-up"), {})
        kind = class_of(each.op)
        classes[kind] = classes.get(kind, 0.0) + float(slots) * scale
    order = list(dict.fromkeys([*names.values(), *rows]))
    stages = tuple(StageCount(name, made.get(name, ""), rows[name]) for name in order if name in rows)
    return KernelCount(kernel.name, stages, inside, float(executed.sum() / max(1.0, issued.sum())))


def _kinds(kernel: CudaKernel, size: tuple[int, int]) -> Iterator[tuple[tuple[int, int], int]]:
    """(place, how many) of the blocks of each kind: those between edges are alike."""
    left, right, up, down = kernel.halo
    axes = []
    for n, tile, low, high, length in ((kernel.boxes[0], kernel.tile[0], left, right, size[1]),
                                       (kernel.boxes[1], kernel.tile[1], up, down, size[0])):  # fmt: skip
        kinds: dict[tuple[int, int], list[int]] = {}
        # Blocks that reach as far beyond the image on both sides do the same work.
        for i in range(n):
            beyond = max(0, low - i * tile), max(0, (i + 1) * tile + high - length)
            kinds.setdefault(beyond, []).append(i)
        axes.append([(found[len(found) // 2], len(found)) for found in kinds.values()])
    for x, across in axes[0]:
        for y, down_ in axes[1]:
            yield (x, y), across * down_


def _stages(text: str, kernel: str) -> tuple[dict[int, str], dict[str, str]]:
    """Line of a text -> the stage of the kernel to which it belongs; stage -> what it makes."""
    names: dict[int, str] = {}
    made: dict[str, str] = {}
    inside, stage, border = False, "set-up", -1
    # The comments that `cuda_pass` and `cuda_stages` print mark the stages.
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if re.search(rf"__global__ void .*\b{kernel}\($", bare):
            inside = True
        if not inside:
            continue
        depth = len(line) - len(line.lstrip())
        if bare.startswith(("// states of the pixels of", "// earlier frames of")):
            stage = "states in"
        elif bare.startswith("// states of the pixels that"):
            stage = "states out"
        elif bare.startswith("// the march"):
            stage = "march"
        elif found := re.match(r"// (stage \d+)$", bare):
            stage = found[1]
        elif (found := re.match(r"//   (.*)", bare)) and stage.startswith("stage"):
            made[stage] = f"{made[stage]}; {found[1]}" if stage in made else found[1]
        elif bare == "if (edge) {":
            border = depth
        names[number] = f"{stage} borders" if border >= 0 else stage
        if bare == "}" and depth == border:
            border = -1
        if line == "}":
            break
    return names, made
