"""Networks of layers as a program of their own for 64-bit ARM, run by an emulator: the code that such processors get.

The memory of a `LayerProgram` is copied into one block, addresses in it made those of the block there; the program
reads the block, runs the table of steps and writes the block back. Needs QEMU's emulator of programs and GNU binutils
for that processor (Debian: qemu-user-static, binutils-aarch64-linux-gnu).
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from kernels.codegen.layers_network import Network
from kernels.codegen.layers_record import JOB
from kernels.codegen.layers_steps import RUN, generate
from kernels.executors.layers import LayerProgram, coded
from kernels.executors.machine import Library, Machine
from kernels.executors.memory import address
from kernels.fusion.layers_schedule import Phases
from tests.patience import PATIENCE

TRIPLE = "aarch64-unknown-linux-gnu"
TOOLS = "aarch64-linux-gnu-"
EMULATOR = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
THERE = EMULATOR is not None and all(shutil.which(TOOLS + tool) for tool in ("as", "ld", "nm"))
ROOM = 1 << 22
"""Bytes of the block."""
START = f"""\
        .bss
        .balign 64
        .global block
block:  .space {ROOM}
        .text
        .global _start
_start: ldr x19, =block
        mov x20, #{ROOM}
        mov x21, #0
take:   mov x0, #0                      // read(0, block + x21, {ROOM} - x21)
        add x1, x19, x21
        sub x2, x20, x21
        mov x8, #63
        svc #0
        add x21, x21, x0
        cmp x0, #0
        b.gt take
        mov x0, x19                     // the job stands first
        bl {RUN}
        mov x21, #0
give:   mov x0, #1                      // write(1, block + x21, {ROOM} - x21)
        add x1, x19, x21
        sub x2, x20, x21
        mov x8, #64
        svc #0
        add x21, x21, x0
        cmp x0, #0
        b.gt give
        mov x0, #0
        mov x8, #93
        svc #0
"""


class ArmProgram(LayerProgram):
    """A network for one thread, without memory of others; `rows` is filled before and looked at after a run.

    Args:
        network: written for `machine()`.
        folder: for the program.
    """

    def __init__(self, network: Network, phases: Phases, folder: Path) -> None:
        code, kernels = coded(network, phases, machine())
        self.network = network
        files = {name: folder / name for name in ("layers.o", "start.s", "start.o", "program")}
        files["layers.o"].write_bytes(machine().compile(generate(kernels, network.target).text))
        files["start.s"].write_text(START)
        _tool("as", files["start.s"], "-o", files["start.o"])
        _tool("ld", "-static", files["start.o"], files["layers.o"], "-o", files["program"])
        self._file = files["program"]
        places = {line.split()[-1]: int(line.split()[0], 16) for line in _tool("nm", self._file).splitlines()}
        self._block = places["block"]
        self._made_of(code, Library({name: places[name] for name in code.names}, ()))

    def run(self, *_: Any) -> None:
        """All steps, there."""
        assert len(self.schedule.steps) == len(self.schedule.steps[0]) == 1
        steps, (constants,) = self.schedule.steps[0][0], self._alive
        there: dict[int, int] = {}
        parts: list[tuple[int, np.ndarray]] = []
        job, records, banks = self._jobs[0, 0].copy(), self._records.copy(), self._banks.copy()
        end = 64
        for array in (constants, self._records, self._values, self._banks, self._runs, steps):
            there[address(array)] = self._block + end
            parts.append((end, array))
            end += -(-array.nbytes // 64) * 64
        assert end <= ROOM
        layers, fields, offsets = self.code.places.T
        records[layers, fields] = there[address(constants)] + offsets
        banks[0] = there[address(self._values)]
        words = dict(zip(JOB, job.tolist(), strict=True))
        last = there[words["steps"]] + steps.nbytes
        job[:] = [last if name == "steps_end" else there[words[name]] for name in JOB]
        block = np.zeros(ROOM, np.uint8)
        for begin, array in parts:
            own = records if array is self._records else banks if array is self._banks else array
            block[begin : begin + own.nbytes] = np.ascontiguousarray(own).view(np.uint8).ravel()
        block[: job.nbytes] = job.view(np.uint8)
        assert EMULATOR is not None
        done = subprocess.run([EMULATOR, str(self._file)], input=block.tobytes(), capture_output=True, check=True,
                              timeout=PATIENCE)  # fmt: skip
        begin = there[address(self._values)] - self._block
        self._values.view(np.uint8)[:] = np.frombuffer(done.stdout, np.uint8)[begin : begin + self._values.nbytes]


def machine() -> Machine:
    """The compiler for that processor."""
    return Machine.other(TRIPLE)


def _tool(name: str, *arguments: str | Path) -> str:
    return subprocess.run([TOOLS + name, *map(str, arguments)], capture_output=True, text=True, check=True).stdout
