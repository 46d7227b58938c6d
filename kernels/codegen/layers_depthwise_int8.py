"""Rows of depthwise layers of whole numbers: u8 times i8 in i32, exact; every channel by its own taps.

A column of up to four rows is a *quad*: four bytes in each channel's lane, one step of `kernels.codegen.layers_dot` for
each tap along the row that looks at it. The pixels of a turn share quads: of 3x3 taps there is one quad and three steps
a pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_dot import FOUR, Operand, dot_of
from kernels.codegen.layers_epilogue import Epilogue
from kernels.codegen.layers_record import CHANNELS
from kernels.codegen.layers_rows import Function, Result, RowWriter
from kernels.codegen.layers_target import Target
from kernels.ir.image import I32, U8

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Int8Depthwise:
    """A row kernel.

    Args:
        taps: (down, along).
        stride, dilation: along the row; they are of the code, for the pixels of a turn share what they look at.
    """

    taps: tuple[int, int]
    stride: int
    dilation: int
    epilogue: Epilogue

    @property
    def name(self) -> str:
        (rows, taps) = self.taps
        return f"depthwise_int8_{rows}x{taps}_{self.stride}_{self.dilation}_{self.epilogue.name}"

    @property
    def quads(self) -> int:
        """Of a column."""
        return -(-self.taps[0] // FOUR)


def pack(weights: Array, target: Target) -> Array:
    """Weights (C, rows, taps), i8, as the kernel reads them, bytes: [vector of channels][tap][quad][channel].

    Channels beyond C have weights of 0.
    """
    c, rows, taps = weights.shape
    room, quads = -(-c // CHANNELS) * CHANNELS, -(-rows // FOUR)
    whole = np.zeros((taps, quads * FOUR, room), np.int8)
    whole[:, :rows, :c] = weights.transpose(2, 1, 0)
    steps = whole.reshape(taps * quads, FOUR, room).transpose(0, 2, 1)  # (steps, C, 4)
    dot = dot_of(target)
    return np.concatenate([dot.pack(steps[:, k : k + target.lanes]).ravel() for k in range(0, room, target.lanes)])


def depthwise(kernel: Int8Depthwise, target: Target) -> Function:
    """The row kernel."""
    made = _DepthwiseWriter(kernel, target)
    made.write()
    return made.row.function(kernel.name)


class _DepthwiseWriter:
    def __init__(self, kernel: Int8Depthwise, target: Target) -> None:
        self.kernel, self.target, self.dot = kernel, target, dot_of(target)
        self.row = RowWriter(target, kernel.epilogue)

    def write(self) -> None:
        row, w = self.row, self.row.w
        bank = row.bank("bank_in")
        self.rows = [row.row(bank, str(2 + k), U8) for k in range(self.kernel.taps[0])]
        self.out = row.row(row.bank("bank_out"), "1", self.kernel.epilogue.root.dtype)
        self.steps, self.step_in, width = row.field("step_out"), row.field("step_in"), row.field("width")
        self.pitch = w.op(f"sdiv i64 {self.step_in}, {self.kernel.stride}")
        self.weights, self.bias = row.field("weights", "ptr"), row.field("bias", "ptr")
        self.channels = row.field("channels")
        row.operands()
        row.overlapping(width, self.target.pixels, self._pixels)
        w.line("ret void")

    def _pixels(self, x: str, pixels: int) -> None:
        """All channels of some pixels."""
        row, w, lanes = self.row, self.row.w, self.target.lanes
        offset = w.op(f"mul i64 {x}, {self.step_in}")
        here = [row.values(place, offset, U8) for place in self.rows]
        results = row.results(x, pixels, self.out, self.steps)
        whole = w.op(f"and i64 {self.channels}, {-lanes}")
        with w.loop("channel", "0", whole, lanes) as channel:
            self._vector(results, channel, lanes, here)
        if lanes > CHANNELS:
            with w.loop("rest", whole, self.channels, CHANNELS) as channel:
                self._vector(results, channel, CHANNELS, here)

    def _vector(self, results: list[Result], channel: str, lanes: int, here: list[str]) -> None:
        """One vector of channels of some pixels."""
        row, w, dot = self.row, self.row.w, self.dot
        (_, taps), quads = self.kernel.taps, self.kernel.quads
        begin = row.values(self.weights, w.op(f"mul i64 {channel}, {taps * quads * dot.size}"), U8)
        # From column to column by a step. LLVM would keep an address for each column, which takes longer; it does not
        # where it does not know how the first one came about.
        places = [row.values(place, channel, U8) for place in here]
        places = [w.call("ptr", "llvm.launder.invariant.group.p0", ("ptr", place)) for place in places]
        sums = [row.load(row.values(self.bias, channel, I32), lanes, I32)] * len(results)
        factors = [row.values(begin, str(k * lanes * dot.size), U8) for k in range(taps * quads)]
        weights = [[dot.weight(w, place, lanes, part) for part in range(dot.parts)] for place in factors]
        seen = sorted({
            i * self.kernel.dilation + pixel * self.kernel.stride for i in range(taps) for pixel in range(len(sums))
        })  # fmt: skip
        for column in range(seen[-1] + 1):
            if column:
                places = [row.values(place, self.pitch, U8) for place in places]
            for quad in range(quads) if column in seen else ():
                some = places[quad * FOUR : (quad + 1) * FOUR]
                bytes_ = [row.load(place, lanes, U8) for place in some]
                four: Operand = dot.joined(w, bytes_ + [""] * (FOUR - len(some)), lanes)
                for pixel in range(len(sums)):
                    i, rest = divmod(column - pixel * self.kernel.stride, self.kernel.dilation)
                    if not rest and 0 <= i < taps:
                        for value, weight in zip(four, weights[i * quads + quad], strict=True):
                            if value:
                                sums[pixel] = dot.added(w, sums[pixel], value, weight, lanes)
        for result, total in zip(results, sums, strict=True):
            row.finish(total, lanes, result, channel)
