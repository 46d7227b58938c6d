"""PTX, parsed and executed on NumPy: a block of threads at a time, counting how often each instruction is issued.

Lanes of one warp that differ in their way run one after another, those lowest in the code first, and go on together
where they meet (Collange, "Stack-less SIMT reconvergence at low cost", 2011). What NVRTC makes of our own text is
understood, not all of PTX: `PtxError` names what is not. For counting and for proofs, not for speed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from kernels.codegen.ptx_ops import WIDTHS, Array, PtxError, compute, immediate

WINDOW = 1 << 40
"""Where shared memory begins among the generic addresses."""

_INSTRUCTION = re.compile(r"(?:@(!?)(%p\d+)\s+)?([a-z][\w.:]*)\s*(.*);$")
_LOC = re.compile(r"\.loc\s+\d+\s+(\d+)\s+(\d+)(?:.*inlined_at\s+\d+\s+(\d+)\s+(\d+))?")
_GLOBAL = re.compile(
    r"\.(global|const|shared)\s+(?:\.align\s+\d+\s+)?\.(\w+)\s+(\w+)(?:\[(\d*)\])?(?:\s*=\s*\{(.*)\})?;")
_ADDRESS = re.compile(r"\[([^\]+]+)(?:\+(-?\d+))?\]")


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: guard (register, whether negated), `op` with its suffixes, operands, the line of the text."""

    guard: tuple[str, bool] | None
    op: str
    operands: tuple[str, ...]
    line: int


@dataclass(slots=True)
class Entry:
    """One kernel: parameters (name, type), instructions, where labels point, its shared arrays (name -> bytes)."""

    name: str
    parameters: list[tuple[str, str]] = field(default_factory=list)
    code: list[Instruction] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    shared: dict[str, int] = field(default_factory=dict)


def parse(text: str) -> tuple[dict[str, Entry], dict[str, Array]]:
    """The kernels of a PTX text compiled with -lineinfo, and its constant arrays as bytes."""
    entries: dict[str, Entry] = {}
    constants: dict[str, Array] = {}
    entry: Entry | None = None
    # Place of inlined text -> place of its call.
    calls: dict[tuple[int, int], tuple[int, int]] = {}
    line = 0
    dynamic: list[str] = []  # shared arrays whose size the launch gives
    for raw in text.splitlines():
        row = raw.split("//")[0].strip()
        if found := re.match(r"\.visible \.entry (\w+)\(", row):
            entry = entries.setdefault(found[1], Entry(found[1], shared=dict.fromkeys(dynamic, 0)))
        elif found := _GLOBAL.search(row):
            space, type_, name, count, values = found.groups()
            if space == "shared" and entry is not None:
                entry.shared[name] = int(count or 1) * WIDTHS[type_]
            # Before any kernel: `extern __shared__`, which each has.
            elif space == "shared":
                dynamic.append(name)
            else:
                listed = [immediate(v.strip(), type_) for v in values.split(",")] if values else [0]
                made = np.zeros(int(count or 1) * WIDTHS[type_], np.uint8)
                given = np.concatenate([np.atleast_1d(v).view(np.uint8) for v in listed])
                made[: len(given)] = given
                constants[name] = made
        elif entry is None:
            continue
        elif found := re.match(r"\.param \.(\w+)(?: .*)? (\w+)", row):
            entry.parameters.append((found[2], found[1]))
        elif found := _LOC.match(row):
            place, at = (int(found[1]), int(found[2])), (int(found[3] or 0), int(found[4] or 0))
            if found[3]:
                calls[place] = at
            else:
                calls.pop(place, None)
            # From inlined functions out to the line of the kernel; inlining is not that deep, and a circle must end.
            for _ in range(16):
                if place not in calls:
                    break
                place = calls[place]
            line = place[0] or line
        elif found := re.match(r"(\$?\w+):$", row):
            entry.labels[found[1]] = len(entry.code)
        elif (found := _INSTRUCTION.match(row)) and not row.startswith("."):
            guard = (found[2], bool(found[1])) if found[2] else None
            # Braces and brackets hold commas of their own.
            operands = tuple(re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,]+", found[4].replace(" ", "")))
            entry.code.append(Instruction(guard, found[3], operands, line))
        elif row == "}":
            entry = None
    return entries, constants


class Memory:
    """A device's memory: arrays at addresses."""

    def __init__(self) -> None:
        self.bytes: Array = np.zeros(1 << 12, np.uint8)
        self.places: dict[str, tuple[int, int]] = {}
        self.end = 256

    def put(self, name: str, array: Array) -> int:
        """Copy an array into the memory; returns its address."""
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        # 256 bytes apart, as cudaMalloc aligns.
        start, self.end = self.end, -(-(self.end + len(raw)) // 256) * 256 + 256
        if self.end > len(self.bytes):
            self.bytes = np.concatenate([self.bytes, np.zeros(max(self.end, len(self.bytes)), np.uint8)])
        self.bytes[start : start + len(raw)] = raw
        self.places[name] = start, len(raw)
        return start

    def get(self, name: str) -> Array:
        """The bytes of an array."""
        start, length = self.places[name]
        return self.bytes[start : start + length]


class Block:
    """One block of threads at work.

    Args:
        entry: the kernel.
        memory: of the device; constants are in it by name.
        arguments: scalars, addresses among them, in order.
        threads: of a block, along x; a multiple of 32.
        place: (x, y, z) of the block.
        grid: (x, y, z) of blocks.
        shared: bytes of dynamic shared memory.
    """

    def __init__(self, entry: Entry, memory: Memory, arguments: Sequence[np.generic], threads: int,
                 place: tuple[int, int, int], grid: tuple[int, int, int], shared: int) -> None:  # fmt: skip
        self.entry, self.memory, self.threads = entry, memory, threads
        self.given = {name: value for (name, _), value in zip(entry.parameters, arguments, strict=True)}
        self.registers: dict[str, Array] = {}
        self.symbols = {name: start for name, (start, _) in memory.places.items()}
        end = 0
        # Multiples of 16 bytes cover every alignment.
        for name, size in sorted(entry.shared.items(), key=lambda item: -item[1]):
            self.symbols[name] = end
            end += -(-size // 16) * 16
        self.shared = np.zeros(end + shared + 16, np.uint8)
        index = np.arange(threads, dtype=np.uint32)
        zero = np.zeros(threads, np.uint32)
        self.special = {"%tid.x": index, "%tid.y": zero, "%tid.z": zero, "%laneid": index % 32,
                        "%ntid.x": zero + np.uint32(threads)}  # fmt: skip
        for axis, at, size in zip("xyz", place, grid, strict=True):
            self.special[f"%ctaid.{axis}"] = zero + np.uint32(at)
            self.special[f"%nctaid.{axis}"] = zero + np.uint32(size)
        self.issued = np.zeros(len(entry.code), np.int64)  # by warps
        self.executed = np.zeros(len(entry.code), np.int64)  # by threads

    def run(self) -> None:
        """Until all threads have left.

        Raises:
            PtxError: an instruction that is not understood.
        """
        code, labels = self.entry.code, set(self.entry.labels.values())
        pc = np.zeros(self.threads, np.int64)
        waiting = np.zeros(self.threads, np.bool_)
        with np.errstate(all="ignore"):
            while True:
                ready = ~waiting & (pc < len(code))
                # All that are left wait at a barrier: it opens.
                if not ready.any():
                    if not waiting.any():
                        return
                    waiting[:] = False
                    continue
                # The lowest place in the code first: lanes that fell behind catch up, and meet at the join.
                at = int(pc[ready].min())
                mask = ready & (pc == at)
                warps, lanes = int(mask.reshape(-1, 32).any(1).sum()), int(mask.sum())
                first = at
                # A straight run, until a branch, a barrier or a label, at which others may join.
                while True:
                    each = code[at]
                    self.issued[at] += warps
                    self.executed[at] += lanes
                    at += 1
                    base = each.op.partition(".")[0]
                    # Lanes that branch go their way, the others on; both wait until they are the lowest.
                    if base in ("bra", "ret", "exit"):
                        taken = mask & self._guard(each) if each.guard else mask
                        pc[mask] = at
                        pc[taken] = len(code) if base != "bra" else self.entry.labels[each.operands[0]]
                        break
                    if base in ("bar", "barrier"):
                        pc[mask] = at
                        waiting |= mask
                        break
                    self._step(each, base, mask & self._guard(each) if each.guard else mask)
                    if at in labels or at == len(code):
                        pc[mask] = at
                        break
                assert at > first

    def _guard(self, each: Instruction) -> Array:
        assert each.guard is not None
        value = self.registers[each.guard[0]]
        return ~value if each.guard[1] else value

    def _read(self, operand: str, type_: str) -> Array:
        if operand.startswith("%") and operand not in self.special:
            return self.registers[operand]
        if operand in self.special:
            return self.special[operand]
        if operand in self.symbols:
            return np.full(self.threads, self.symbols[operand], np.uint64)
        return np.broadcast_to(immediate(operand, type_), self.threads)

    def _write(self, name: str, value: Array, mask: Array) -> None:
        if name == "_":
            return
        prefix = re.match(r"%([a-z]+)", name)
        assert prefix is not None
        # The register's name tells its type: %r 32 bits, %rd 64, %rs 16, %f and %fd floats, %p predicates.
        dtype = {"p": np.bool_, "rs": np.uint16, "r": np.uint32, "rd": np.uint64, "f": np.float32,
                 "fd": np.float64}[prefix[1]]  # fmt: skip
        if value.dtype != dtype:
            if value.dtype.itemsize == np.dtype(dtype).itemsize and value.dtype != np.bool_:
                value = np.ascontiguousarray(value).view(dtype)
            else:
                value = value.astype(dtype)
        if name not in self.registers:
            self.registers[name] = np.zeros(self.threads, dtype)
        # A copy: the value may be another register's array.
        if mask.all():
            self.registers[name] = np.array(value)
        else:
            np.copyto(self.registers[name], value, where=mask)

    def _step(self, each: Instruction, base: str, mask: Array) -> None:
        op, operands = each.op.split("."), each.operands
        if base in ("ld", "st", "atom", "red", "ldu"):
            self._memory(op, operands, mask)
        elif base in ("cvta", "membar", "fence"):
            if base == "cvta":
                value = self._read(operands[1], "u64")
                # Generic addresses of shared memory begin at WINDOW; `cvta.to` goes the other way, which `_memory` does
                # by masking.
                shared = "shared" in op and "to" not in op
                self._write(operands[0], value + np.uint64(WINDOW * shared), mask)
        # A register taken apart into narrower ones.
        elif base == "mov" and operands[0].startswith("{"):
            raw = np.ascontiguousarray(self._read(operands[1], op[-1]))
            names = [n.strip() for n in operands[0][1:-1].split(",")]
            parts = raw.view(f"u{raw.dtype.itemsize // len(names)}").reshape(self.threads, -1)
            for k, name in enumerate(names):
                self._write(name, parts[:, k], mask)
        elif base == "mov" and operands[1].startswith("{"):
            names = [n.strip() for n in operands[1][1:-1].split(",")]
            width = WIDTHS[op[-1]] // len(names)
            listed = [self._read(n, f"u{8 * width}") for n in names]
            parts = np.stack([np.ascontiguousarray(v).view(f"u{width}") for v in listed], 1)
            self._write(operands[0], np.ascontiguousarray(parts).view(f"u{WIDTHS[op[-1]]}")[:, 0], mask)
        else:
            source = [self._read(o, op[-1]) for o in operands[1:]]
            # shfl gives a predicate, too, behind `|`.
            names = operands[0].split("|")
            for name, value in zip(names, compute(op, source, mask), strict=False):
                self._write(name, value, mask)

    def _memory(self, op: list[str], operands: Sequence[str], mask: Array) -> None:
        type_, width = op[-1], WIDTHS[op[-1]]
        target = operands[0] if op[0] in ("st", "red") else operands[1]
        found = _ADDRESS.match(target)
        if found is None:
            raise PtxError(f"{'.'.join(op)} {target} is no address that is understood")
        name, offset = found[1].strip(), int(found[2] or 0)
        if "param" in op:
            self._write(operands[0], np.full(self.threads, self.given[name]), mask)
            return
        address = (self._read(name, "u64").astype(np.int64) + offset)[mask]
        # Generic addresses may lie in either space, lane by lane.
        for space, held in (("shared", self.shared), ("", self.memory.bytes)):
            some = address >= WINDOW if space else address < WINDOW
            if "shared" in op:
                some = np.full(len(address), bool(space))
            if some.any():
                where = mask.copy()
                where[mask] = some
                self._move(op, operands, held, address[some] & (WINDOW - 1), where, type_, width)

    def _move(self, op: list[str], operands: Sequence[str], held: Array, address: Array, mask: Array, type_: str,
              width: int) -> None:  # fmt: skip
        if op[0] == "atom":
            cells = held.view() if width == 1 else held[: len(held) // width * width].view(f"u{width}")
            index, signed = address // width, type_.startswith("s")
            cells = cells.view(f"{'i' if signed else 'u'}{width}")
            old = np.zeros(self.threads, cells.dtype)
            old[mask] = cells[index]
            given = np.ascontiguousarray(self._read(operands[2], type_)).view(cells.dtype)[mask]
            # `ufunc.at` counts every lane, though several meet in one cell.
            {"add": np.add, "min": np.minimum, "max": np.maximum}[op[-2]].at(cells, index, given)
            self._write(operands[0], old, mask)
            return
        store = op[0] == "st"
        listed = operands[1 if store else 0].strip("{}").split(",")
        for k, name in enumerate(n.strip() for n in listed):
            cells = (address + k * width)[:, None] + np.arange(width)
            if store:
                value = np.ascontiguousarray(self._read(name, type_)[mask])
                held[cells] = value.view(np.uint8).reshape(len(value), -1)[:, :width]
            else:
                raw = np.ascontiguousarray(held[cells]).view(f"{'i' if type_[0] == 's' else 'u'}{width}")[:, 0]
                # Narrow loads are extended to their register by the type's sign.
                narrow = {"%rs": 2, "%rd": 8, "%fd": 8}.get(name[:3], 4)
                value = np.zeros(self.threads, raw.dtype if narrow == width else f"{raw.dtype.kind}{narrow}")
                value[mask] = raw
                self._write(name, value, mask)


