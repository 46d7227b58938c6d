"""How many fused multiply-adds of f32 a thread makes a second at most: what row kernels are measured by."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from kernels.codegen.layers_target import fused
from kernels.codegen.writer import Writer, vector
from kernels.executors.layers import target_of
from kernels.executors.machine import Machine

TURNS = 1_000_000
"""Turns of the loop: some milliseconds."""


class PeakLoop:
    """A loop of as many independent sums as a register tile holds; threads may run it at the same time.

    Args:
        machine: the compiler.

    Attributes:
        macs: multiply-adds of one run.
    """

    def __init__(self, machine: Machine) -> None:
        target = target_of(machine)
        w, type_ = Writer(), vector(target.lanes, "float")
        sums = target.vectors * target.pixels
        with w.turns("turn", str(TURNS), [(type_, f"%s{k}") for k in range(sums)]) as turn:
            turn.next = [fused(w, target, target.lanes, "%a", "%b", value) for value in turn.values]
        # Each from a place of its own: equal sums would become one.
        names = ["a", "b", *(f"s{k}" for k in range(sums))]
        loads = [f"  %{name}.p = getelementptr {type_}, ptr %p, i64 {k}" for k, name in enumerate(names)]
        loads += [f"  %{name} = load {type_}, ptr %{name}.p, align 4" for name in names]
        stores = [f"  store volatile {type_} {value}, ptr %p, align 4" for value in turn.values]
        text = "\n".join(["define void @peak(ptr %p) nounwind {", "entry:", *loads, *w.lines, *stores, "  ret void",
                          "}", *w.declared.values()])  # fmt: skip
        self._library = machine.load(machine.compile(text), ["peak"])
        self._function: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._library.address("peak"))
        self._floats = (2 + sums) * target.lanes
        self.macs = TURNS * sums * target.lanes

    def __call__(self) -> None:
        """Run once, without the interpreter's lock."""
        values = np.zeros(self._floats, np.float32)
        self._function(values.ctypes.data)
