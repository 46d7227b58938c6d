"""What an executor does with a CudaProgram, on NumPy arrays: memory, arguments, states, tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernels.codegen.cuda_launch import Argument, CudaKernel, CudaProgram, live_bytes
from kernels.codegen.cuda_tables import unranked
from kernels.executors.base import Batch
from kernels.ir.bits import Bits
from kernels.ir.image import BOOL, ImageType
from kernels.ir.table import PACKED, Candidates, Reduction, Table, joint_table_size, unpacked
from kernels.param import Value

OLDEST = 1 << 30


@dataclass(frozen=True)
class Given:
    """An argument as a launch gets it: a NumPy scalar, or an array with the part it plays ("in", "out", "both")."""

    value: Any
    role: str = "in"
    whole: bool = True


Launch = Callable[[CudaProgram, CudaKernel, tuple[int, int, int], list[Given]], None]


class Driver:
    """A program with its state, fed batch by batch; `launch` runs a kernel."""

    def __init__(self, program: CudaProgram, launch: Launch) -> None:
        self.program = program
        self.body = program.lowered.body
        self.launch = launch
        self.age = 0
        self.states: dict[int | str, np.ndarray] = {}
        self.pasts: dict[int, np.ndarray] = {}

    def run(self, inputs: Sequence[np.ndarray], params: Mapping[str, Value] | None = None) -> Mapping[str, Batch]:
        values = {**self.body.params, **(params or {})}
        frames = next(len(given) for given in inputs if given is not None)
        memory: dict[tuple[str, int | str, int], np.ndarray] = {}
        for kernel in self.program.kernels:
            given = [self._given(a, inputs, values, frames, memory) for a in kernel.arguments]
            self.launch(self.program, kernel, kernel.grid(frames), given)
        results: dict[str, Batch] = {}
        for output in self.body.outputs:
            if isinstance(output.type, ImageType):
                made = memory["output", output.name, 0]
                results[output.name] = made.view(np.bool_) if output.type.dtype == BOOL else made
            else:
                results[output.name] = self._table(output, memory, values, frames)
        for (kind, key, _), array in memory.items():
            if kind == "state_out":
                self.states[key] = array
        for index, depth in self.program.lowered.back.items():
            kept = [*self.pasts.get(index, inputs[index][:0]), *inputs[index]][-depth:]
            self.pasts[index] = np.stack(kept)
        self.age = min(OLDEST, self.age + frames)
        return results

    def _given(self, a: Argument, inputs: Sequence[np.ndarray], values: Mapping[str, Value], frames: int,
               memory: dict[tuple[str, int | str, int], np.ndarray]) -> Given:  # fmt: skip
        place = a.kind, a.key, a.depth
        dtype = np.dtype(np.uint8) if a.dtype == BOOL else a.dtype.numpy
        match a.kind:
            case "frames":
                return Given(np.int32(frames))
            case "age":
                return Given(np.int32(self.age))
            case "live":
                tables = [str(o.key) for kernel in self.program.kernels for o in kernel.live if o.kind == "count"]
                counts = {name: len(self._boxes(name, values)) for name in tables}
                return Given(live_bytes(self.program, values, counts))
            case "input":
                return Given(np.ascontiguousarray(inputs[int(a.key)]).view(dtype))
            case "settings":
                return Given(self.body.host.decoder.settings(values))  # type: ignore[union-attr]
            case "weights":
                return Given(self.program.weights)
            case "past":
                held = self.pasts.get(int(a.key))
                past = np.full((a.depth, *a.shape), 77, dtype)
                if held is not None:
                    past[a.depth - len(held) :] = held
                return Given(past)
            case "state_in":
                return Given(self.states.get(a.key, np.full(a.shape, 55, dtype)))
            case "boxes":
                boxes = self._boxes(str(a.key), values)
                padded = np.zeros(a.shape, np.int32)
                padded[: len(boxes)] = np.reshape(boxes, (-1, 4))
                return Given(padded)
            case "sums" if place not in memory:
                memory[place] = np.broadcast_to(np.array(a.initial, np.int64), (frames, *a.shape)).copy()
            case "rows" if place not in memory:
                memory[place] = np.zeros((frames, *a.shape), np.int32)
        first = place not in memory
        if first:
            memory[place] = np.empty((frames, *a.shape) if a.kind != "state_out" else a.shape, dtype)
        scattered = a.kind in ("values", "list", "table", "scratch") or (a.kind == "words" and a.depth > 0)
        if a.kind in ("sums", "rows") or (a.kind == "scratch" and not first):
            return Given(memory[place], "both")
        return Given(memory[place], "out" if first else "in", not scattered)

    def _boxes(self, key: str, values: Mapping[str, Value]) -> list[tuple[int, int, int, int]]:
        table = self.body.output(key).table
        assert isinstance(table, Reduction)
        height, width = joint_table_size(table)
        made = []
        for box in list(values[table.regions.boxes])[: table.regions.capacity]:  # type: ignore[arg-type]
            x, y, w, h = (round(v) for v in box)
            left, top = max(0, x), max(0, y)
            made.append((left, top, max(left, min(width, x + w)), max(top, min(height, y + h))))
        return made

    def _table(self, output: Any, memory: Mapping[tuple[str, int | str, int], np.ndarray],
               values: Mapping[str, Value], frames: int) -> list[Table]:  # fmt: skip
        tables = []
        for t in range(frames):
            if output.table is None:
                many, more = memory["ends", output.name, 0][t].tolist()
                if many < 0:  # the host makes them
                    words = memory["words", output.name, 0][t : t + 1]
                    made = self.body.host.words([Bits(words, self.body.inputs[0].width), None], values)  # type: ignore
                    tables.append(made[output.name][0])
                    continue
                packed = self.body.host.decoder.packed
                rows = memory["table", output.name, 0][t].view(PACKED if packed else output.type.numpy)[:many, 0]
                rows = unpacked(rows) if packed else rows
                tables.append(Table(rows, more))
                continue
            if isinstance(output.table, Candidates):
                total = int(memory["total", output.name, 0][t])
                rows = np.zeros(min(total, output.table.capacity), output.type.numpy)
                for k, (name, _) in enumerate(output.type.columns):
                    rows[name] = memory["list", output.name, k][t][: len(rows)]
                tables.append(Table(rows, max(0, total - output.table.capacity)))
                continue
            sums, overflow = memory["sums", output.name, 0][t], 0
            if output.table.regions.kind == "boxes":
                given = len(values[output.table.regions.boxes])  # type: ignore[arg-type]
                sums, overflow = (
                    sums[: min(given, output.table.regions.capacity)],
                    max(0, given - output.table.regions.capacity),
                )
            rows = np.zeros(len(sums), output.type.numpy)
            for k, column in enumerate(output.table.columns):
                rows[column.name] = unranked(sums[:, k], column)
            tables.append(Table(rows, overflow))
        return tables
