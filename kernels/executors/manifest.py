"""What the cpu executor must know of a compiled program to run it, as plain data beside the machine code.

With it a program that was compiled before needs neither lowering nor printing: the key on disk is made of the body's
expressions and of the generator's own source, not of the text that it prints.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kernels import BEGAN
from kernels.codegen.vector import VERSION, Code
from kernels.fusion.normal import Normal
from kernels.fusion.rows import Access, RowProgram, Store
from kernels.ir.body import Body
from kernels.ir.image import DTYPES, DType
from kernels.ir.listing import listing
from kernels.ir.table import Candidates

_LENGTH = 8
COARSE = 0.1
"""Seconds by which the clock of a file system may be behind."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Memory for rows of `height` x `width` pixels: pixels from row to row, and before column 0."""

    height: int
    width: int
    pitch: int
    lead_in: int
    type: str

    @staticmethod
    def of(store: Store) -> Rows:
        return Rows(*store.size, store.pitch, store.lead_in, store.plane.dtype.name)

    @property
    def dtype(self) -> DType:
        return DTYPES[self.type]

    @property
    def size(self) -> int:
        """Bytes of all rows."""
        return self.height * self.pitch * self.dtype.itemsize


@dataclass(frozen=True, slots=True)
class PassPlan:
    """One pass (see `kernels.codegen.layout.Kernel`).

    Args:
        up, down: rows beyond a strip that it works on.
        fills: (offset, bytes in hexadecimal, how many times) of scratch memory that must hold something.
        tables: numbers of the outputs that are tables.
        columns: where blocks of columns begin, and where the last ends; nothing for whole rows.
    """

    name: str
    height: int
    width: int
    up: int
    down: int
    slots: tuple[str, ...]
    accesses: tuple[Access, ...]
    scratch: int
    fills: tuple[tuple[int, str, int], ...]
    states: dict[str, Rows]
    tables: tuple[int, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class History:
    """A plane of which the last `depth` frames are kept: a channel of an input, or whole-frame stores with its copies
    (input is -1 then)."""

    depth: int
    input: int
    channel: int
    frames: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """A program (see `kernels.fusion.rows.RowProgram`).

    Args:
        frames: the whole-frame stores, and `depth`, how many frames back each is looked at.
        inputs_back: the same for the inputs, (index, frames).
        plain_start: whether the passes can make the first frame by themselves.
        recurrences: names.
        histories: the planes that are looked at in time, in the reference's order.
    """

    passes: tuple[PassPlan, ...]
    frames: tuple[Rows, ...]
    depth: tuple[int, ...]
    inputs_back: tuple[tuple[int, int], ...]
    plain_start: bool
    recurrences: tuple[str, ...]
    histories: tuple[History, ...]

    @staticmethod
    def of(normal: Normal, rows: RowProgram, code: Code) -> Manifest:
        passes = []
        for kernel in code.kernels:
            groups = kernel.plan.groups
            fills = tuple((f.offset, np.asarray(f.value, f.dtype.numpy).tobytes().hex(), f.count) for f in kernel.fills)
            items = [item for group in groups for item in group.items]
            tables = sorted({item.index for item in items if item.kind in ("reduction", "candidates")})
            passes.append(PassPlan(kernel.name, *kernel.plan.size, max(g.up for g in groups),
                                   max(g.down for g in groups), kernel.slots, kernel.accesses, kernel.scratch, fills,
                                   {name: Rows.of(s) for name, s in kernel.states.items()}, tuple(tables),
                                   kernel.plan.columns))  # fmt: skip
        histories = []
        for plane, depth in normal.histories:
            if plane.op == "input":
                histories.append(History(depth, plane.arg.index, plane.arg.channel, ()))
            else:
                numbers = tuple(i for i, store in enumerate(rows.frames) if store.plane is plane)
                histories.append(History(depth, -1, 0, numbers))
        return Manifest(tuple(passes), tuple(Rows.of(s) for s in rows.frames), rows.depth,
                        tuple(rows.inputs_back.items()), rows.plain_start, tuple(normal.recurrences),
                        tuple(histories))  # fmt: skip


def pack(manifest: Manifest, obj: bytes) -> bytes:
    """A manifest and its object file as one block."""
    head = json.dumps(asdict(manifest), separators=(",", ":")).encode()
    return len(head).to_bytes(_LENGTH, "little") + head + obj


def unpack(block: bytes | None) -> tuple[Manifest, bytes] | None:
    """What `pack` took; None where it is something else."""
    if block is None:
        return None
    try:
        end = _LENGTH + int.from_bytes(block[:_LENGTH], "little")
        given = json.loads(block[_LENGTH:end])
        passes = tuple(_pass(p) for p in given.pop("passes"))
        frames = tuple(Rows(**rows) for rows in given.pop("frames"))
        histories = tuple(History(**{k: _tuples(v) for k, v in h.items()}) for h in given.pop("histories"))
        rest = {name: _tuples(value) for name, value in given.items()}
        return Manifest(passes=passes, frames=frames, histories=histories, **rest), block[end:]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _pass(given: dict[str, Any]) -> PassPlan:
    accesses = tuple(Access(**access) for access in given.pop("accesses"))
    states = {name: Rows(**rows) for name, rows in given.pop("states").items()}
    rest = {name: _tuples(value) for name, value in given.items()}
    return PassPlan(accesses=accesses, states=states, **rest)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value


def key_of(body: Body, machine: Sequence[str]) -> str:
    """What a compiled program depends on, as a name; empty if it cannot be known."""
    maker = generator()
    if not maker:
        return ""
    outputs = []
    for output in body.outputs:
        table = output.table
        if table is None:
            shape: object = len(output.planes)
        elif isinstance(table, Candidates):
            shape = table.capacity
        else:
            shape = table.regions, [(column.name, column.kind) for column in table.columns]
        outputs.append(f"{output.type!r} {type(table).__name__} {shape!r} {len(output.roots)}")
    given = repr(sorted(body.live.items())), repr(sorted(body.limits.items()))
    return name_of(maker, *machine, repr(body.inputs), *outputs, *given, listing(body.roots))


def name_of(*parts: str) -> str:
    """A name for a file that depends on `parts`."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def generator() -> str:
    """The generator of the code: a digest of its source, and NumPy's version, which folds constants; empty where the
    source cannot be read."""
    root = Path(__file__).resolve().parents[1]
    here = [root / "executors" / name for name in ("machine.py", "manifest.py", "layers.py", "networks.py")]
    parts = sorted(p for part in ("ir", "fusion", "codegen") for p in (root / part).glob("*.py"))
    return digest([*parts, *here], str(VERSION), np.__version__)


def digest(paths: Iterable[Path], *more: str) -> str:
    """A digest of source files that this process runs, and of `more`; empty where one cannot be read.

    A file that was written since this process began may not be what it runs, as when the program is updated under it:
    its programs then go by a name that no other process has, else the next version would run what this one made.
    """
    made = hashlib.sha256(" ".join(more).encode())
    try:
        for path in paths:
            made.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
            known = path.stat()
            if max(known.st_mtime, known.st_ctime) > BEGAN - COARSE:
                made.update(f"{os.getpid()} {BEGAN}".encode())
    except OSError:
        return ""
    return made.hexdigest()
