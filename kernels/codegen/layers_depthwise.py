"""Rows of depthwise layers: every channel by its own taps, which stay in registers while two pixels are made a turn.

A sum begins with the bias; then come the taps row by row, each one fused multiply-add.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_epilogue import NOTHING, Epilogue
from kernels.codegen.layers_record import CHANNELS
from kernels.codegen.layers_rows import Function, RowWriter
from kernels.codegen.layers_target import Target, fused

Array = npt.NDArray[Any]
_PIXELS = 2


@dataclass(frozen=True, slots=True)
class Depthwise:
    """A row kernel.

    Args:
        taps: (down, along).
        stride, dilation: along the row; they are of the code, for the two pixels of a turn share what they look at.
    """

    taps: tuple[int, int]
    stride: int = 1
    dilation: int = 1
    epilogue: Epilogue = NOTHING

    @property
    def name(self) -> str:
        (rows, taps) = self.taps
        return f"depthwise_{rows}x{taps}_{self.stride}_{self.dilation}_{self.epilogue.name}"


def pack(weights: Array, target: Target) -> Array:
    """Weights (C, rows, taps), f32, as the kernel reads them: [vector of channels][tap][channel].

    Channels beyond C have weights of 0.
    """
    c, rows, taps = weights.shape
    room = -(-c // CHANNELS) * CHANNELS
    whole = np.zeros((rows * taps, room), np.float32)
    whole[:, :c] = weights.reshape(c, -1).T
    return np.concatenate([whole[:, k : k + target.lanes].ravel() for k in range(0, room, target.lanes)])


def depthwise(kernel: Depthwise, target: Target) -> Function:
    """The row kernel."""
    made = _DepthwiseWriter(kernel, target)
    made.write()
    return made.row.function(kernel.name)


class _DepthwiseWriter:
    def __init__(self, kernel: Depthwise, target: Target) -> None:
        self.kernel, self.target = kernel, target
        self.row = RowWriter(target, kernel.epilogue)

    def write(self) -> None:
        row, w = self.row, self.row.w
        bank = row.bank("bank_in")
        self.rows = [row.row(bank, str(2 + k)) for k in range(self.kernel.taps[0])]
        self.out, self.steps, self.width = row.row(row.bank("bank_out"), "1"), row.field("step_out"), row.field("width")
        pitch = w.op(f"sdiv i64 {row.field('step_in')}, {self.kernel.stride}")
        self.columns = [w.op(f"mul i64 {pitch}, {k}") for k in range(self._reach(_PIXELS))]
        self.step_in = row.field("step_in")
        self.weights, self.bias = row.field("weights", "ptr"), row.field("bias", "ptr")
        row.operands()
        channels = row.field("channels")
        whole = w.op(f"and i64 {channels}, {-self.target.lanes}")
        with w.loop("channel", "0", whole, self.target.lanes) as channel:
            self._channels(channel, self.target.lanes)
        if self.target.lanes > CHANNELS:
            with w.loop("rest", whole, channels, CHANNELS) as channel:
                self._channels(channel, CHANNELS)
        w.line("ret void")

    def _reach(self, pixels: int) -> int:
        """Columns from the first that a number of pixels looks at to the last."""
        return (pixels - 1) * self.kernel.stride + (self.kernel.taps[1] - 1) * self.kernel.dilation + 1

    def _channels(self, channel: str, lanes: int) -> None:
        """All pixels of one vector of channels."""
        row, w = self.row, self.row.w
        count = self.kernel.taps[0] * self.kernel.taps[1]
        begin = row.floats(self.weights, w.op(f"mul i64 {channel}, {count}"))
        weights = [row.load(row.floats(begin, str(k * lanes)), lanes) for k in range(count)]
        bias = row.load(row.floats(self.bias, channel), lanes)
        places = [row.floats(place, channel) for place in self.rows]
        pairs = w.op(f"and i64 {self.width}, {-_PIXELS}")
        with w.loop("pixels", "0", pairs, _PIXELS) as x:
            self._pixels(x, _PIXELS, channel, lanes, places, weights, bias)
        with w.loop("pixel", pairs, self.width) as x:
            self._pixels(x, 1, channel, lanes, places, weights, bias)

    def _pixels(
        self, x: str, pixels: int, channel: str, lanes: int, places: list[str], weights: list[str], bias: str
    ) -> None:  # fmt: skip
        row, w, kernel = self.row, self.row.w, self.kernel
        offset = w.op(f"mul i64 {x}, {self.step_in}")
        here = [row.floats(place, offset) for place in places]
        values: dict[tuple[int, int], str] = {}
        sums = [bias] * pixels
        for j in range(kernel.taps[0]):
            for i in range(kernel.taps[1]):
                for pixel in range(pixels):
                    column = pixel * kernel.stride + i * kernel.dilation
                    if (j, column) not in values:
                        values[j, column] = row.load(row.floats(here[j], self.columns[column]), lanes)
                    weight = weights[j * kernel.taps[1] + i]
                    sums[pixel] = fused(w, self.target, lanes, values[j, column], weight, sums[pixel])
        for pixel, total in enumerate(sums):
            at = w.op(f"add i64 {x}, {pixel}") if pixel else x
            row.finish(total, lanes, at, channel, self.out, self.steps)
