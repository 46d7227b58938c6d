"""Rows of depthwise layers: every channel by its own taps, some pixels a turn.

A sum begins with the bias; then come the taps row by row, each one fused multiply-add. The pixels of a turn share what
they look at and their weights: of 3x3 taps 39 loads for 72 steps. All channels of these pixels come before the next,
so that memory is read as it lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_epilogue import NOTHING, Epilogue
from kernels.codegen.layers_record import CHANNELS
from kernels.codegen.layers_rows import Function, Result, RowWriter
from kernels.codegen.layers_target import Target, fused

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Depthwise:
    """A row kernel.

    Args:
        taps: (down, along).
        pixels: of a turn (see `kernels.codegen.layers_target.forms`).
        stride, dilation: along the row; they are of the code, for the pixels of a turn share what they look at.
        steps: see `RowWriter`.
    """

    taps: tuple[int, int]
    pixels: tuple[int, ...]
    stride: int = 1
    dilation: int = 1
    epilogue: Epilogue = NOTHING
    steps: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        (rows, taps) = self.taps
        by = "_".join(map(str, (*self.pixels, *(("steps", *self.steps) if self.steps else ()))))
        return f"depthwise_{rows}x{taps}_by_{by}_{self.stride}_{self.dilation}_{self.epilogue.name}"


def pack(weights: Array, target: Target) -> Array:
    """Weights (C, rows, taps), f32, as the kernel reads them: [vector of channels][tap][channel].

    Channels beyond C have weights of 0.
    """
    c, rows, taps = weights.shape
    room = -(-c // CHANNELS) * CHANNELS
    whole = np.zeros((rows * taps, room), np.float32)
    whole[:, :c] = weights.reshape(c, -1).T
    return np.concatenate([whole[:, k : k + target.lanes].ravel() for k in range(0, room, target.lanes)])


def unpacked(packed: Array, channels: int, taps: tuple[int, int], target: Target) -> Array:
    """Packed weights of a layer as (room of a pixel, rows, taps)."""
    room, count = -(-channels // CHANNELS) * CHANNELS, taps[0] * taps[1]
    parts = np.split(packed, [count * k for k in range(target.lanes, room, target.lanes)])
    whole = np.concatenate([part.reshape(count, -1) for part in parts], axis=1)
    return whole.T.reshape(room, *taps)


def depthwise(kernel: Depthwise, target: Target) -> Function:
    """The row kernel."""
    made = _DepthwiseWriter(kernel, target)
    made.write()
    return made.row.function(kernel.name)


class _DepthwiseWriter:
    def __init__(self, kernel: Depthwise, target: Target) -> None:
        self.kernel, self.target = kernel, target
        self.row = RowWriter(target, kernel.epilogue, kernel.steps)

    def write(self) -> None:
        row, w = self.row, self.row.w
        bank = row.bank("bank_in")
        self.rows = [row.row(bank, str(2 + k)) for k in range(self.kernel.taps[0])]
        self.out = row.row(row.bank("bank_out"), "1", self.kernel.epilogue.root.dtype)
        self.step_out, self.step_in, width = row.step_out, row.step_in, row.field("width")
        stride = self.kernel.stride
        pitch = str(int(self.step_in) // stride) if self.kernel.steps else w.op(f"sdiv i64 {self.step_in}, {stride}")
        self.columns = row.times(pitch, self._reach(self.kernel.pixels[0]))
        self.weights, self.bias = row.field("weights", "ptr"), row.field("bias", "ptr")
        self.channels = row.field("channels")
        row.operands()
        row.across(width, self.kernel.pixels, self._pixels)
        w.line("ret void")

    def _reach(self, pixels: int) -> int:
        """Columns from the first that a number of pixels looks at to the last."""
        return (pixels - 1) * self.kernel.stride + (self.kernel.taps[1] - 1) * self.kernel.dilation + 1

    def _pixels(self, x: str, pixels: int) -> None:
        """All channels of some pixels."""
        row, w, lanes = self.row, self.row.w, self.target.lanes
        offset = w.op(f"mul i64 {x}, {self.step_in}")
        here = [row.floats(place, offset) for place in self.rows]
        results = row.results(x, pixels, self.out, self.step_out)
        whole = w.op(f"and i64 {self.channels}, {-lanes}")
        with w.loop("channel", "0", whole, lanes) as channel:
            self._vector(results, channel, lanes, here)
        if lanes > CHANNELS:
            with w.loop("rest", whole, self.channels, CHANNELS) as channel:
                self._vector(results, channel, CHANNELS, here)

    def _vector(self, results: list[Result], channel: str, lanes: int, here: list[str]) -> None:
        """One vector of channels of some pixels."""
        row, w, (rows, taps) = self.row, self.row.w, self.kernel.taps
        begin = row.floats(self.weights, w.op(f"mul i64 {channel}, {rows * taps}"))
        sums = [row.load(row.floats(self.bias, channel), lanes)] * len(results)
        for j in range(rows):
            place = row.floats(here[j], channel)
            values: dict[int, str] = {}
            for i in range(taps):
                weight = row.load(row.floats(begin, str((j * taps + i) * lanes)), lanes)
                for pixel in range(len(results)):
                    column = pixel * self.kernel.stride + i * self.kernel.dilation
                    if column not in values:
                        values[column] = row.load(row.floats(place, self.columns[column]), lanes)
                    sums[pixel] = fused(w, self.target, lanes, values[column], weight, sums[pixel])
        for result, total in zip(results, sums, strict=True):
            row.finish(total, lanes, result, channel)
