"""Rows of depthwise layers whose pixels end in half a vector: two neighbours together are whole ones.

Of 24 channels a pixel alone would take a vector and a half vector, which costs as much as a vector; a pair takes three.
Rows in which pixels lie side by side are read vector by vector, whatever pixel these belong to. The next column of a
tap lies half a vector further on: there two halves are put together from vectors that are in registers anyway, for a
load across the lines of the cache costs as much as two. The order of the sum is that of `layers_depthwise`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_epilogue import NOTHING, Epilogue
from kernels.codegen.layers_rows import Function, Result, RowWriter
from kernels.codegen.layers_target import Target, forms, fused
from kernels.codegen.writer import mask, vector

Array = npt.NDArray[Any]
MOST_VECTORS = 5
"""Of a pair: of more, little is gained, and each weight would be loaded for one sum alone."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """A row kernel for stride 1.

    Args:
        taps: (down, along).
        pitch: values from pixel to pixel, of what is looked at, what is made and the epilogue's further rows.
        pairs: of a turn (see `kernels.codegen.layers_target.forms`).
        dilation: along the row.
    """

    taps: tuple[int, int]
    pitch: int
    pairs: tuple[int, ...]
    dilation: int = 1
    epilogue: Epilogue = NOTHING

    @property
    def name(self) -> str:
        rows, taps = self.taps
        by = "_".join(map(str, self.pairs))
        return f"pairs_{rows}x{taps}_of_{self.pitch}_by_{by}_{self.dilation}_{self.epilogue.name}"

    @staticmethod
    def of(
        target: Target, taps: tuple[int, int], pitch: int, width: int, dilation: int, epilogue: Epilogue
    ) -> Pairs | None:  # fmt: skip
        """The kernel for rows of `width` pixels; None where pairs earn nothing."""
        vectors, rest = divmod(2 * pitch, target.lanes)
        if width % 2 or rest or pitch % target.lanes == 0 or vectors > MOST_VECTORS:
            return None
        return Pairs(taps, pitch, forms(width // 2, target.alone // vectors), dilation, epilogue)


def pack(weights: Array) -> Array:
    """Weights (pitch, rows, taps), f32, as the kernel reads them: [tap][channel of two pixels]."""
    each = weights.reshape(len(weights), -1).T
    return np.concatenate([each, each], axis=1).ravel()


def pairs(kernel: Pairs, target: Target) -> Function:
    """The row kernel."""
    made = _PairsWriter(kernel, target)
    made.write()
    return made.row.function(kernel.name)


class _PairsWriter:
    def __init__(self, kernel: Pairs, target: Target) -> None:
        self.kernel, self.target = kernel, target
        self.row = RowWriter(target, kernel.epilogue, (kernel.pitch,) * (2 + kernel.epilogue.beside))
        self.vectors = 2 * kernel.pitch // target.lanes

    def write(self) -> None:
        row, w = self.row, self.row.w
        bank = row.bank("bank_in")
        self.rows = [row.row(bank, str(2 + j)) for j in range(self.kernel.taps[0])]
        self.dtype = self.kernel.epilogue.root.dtype
        self.out = row.row(row.bank("bank_out"), "1", self.dtype)
        self.weights, self.bias = row.field("weights", "ptr"), row.field("bias", "ptr")
        row.operands()
        row.across(w.op(f"lshr i64 {row.field('width')}, 1"), self.kernel.pairs, self._turn)
        w.line("ret void")

    def _turn(self, x: str, count: int) -> None:
        """`count` pairs from pair `x` on."""
        row, w, lanes, kernel = self.row, self.row.w, self.target.lanes, self.kernel
        here = w.op(f"mul i64 {x}, {2 * kernel.pitch}")
        total = count * self.vectors
        sums = [row.load(row.floats(self.bias, str(v % self.vectors * lanes)), lanes) for v in range(total)]
        for j in range(kernel.taps[0]):
            begin = row.floats(self.rows[j], here)
            loaded: dict[int, str] = {}
            for i in range(kernel.taps[1]):
                tap = j * kernel.taps[1] + i
                for phase in range(self.vectors):
                    place = row.floats(self.weights, str((tap * self.vectors + phase) * lanes))
                    weight = row.load(place, lanes)
                    for v in range(phase, total, self.vectors):
                        at = v * lanes + i * kernel.dilation * kernel.pitch
                        value = self._value(begin, at, loaded, last=v == total - 1)
                        sums[v] = fused(w, self.target, lanes, value, weight, sums[v])
        out = row.values(self.out, here, self.dtype)
        types = [kernel.epilogue.type_of(k + 1) for k in range(len(row.beside))]
        beside = [row.values(place, here, type_) for (place, _), type_ in zip(row.beside, types, strict=True)]
        for v, made in enumerate(sums):
            pair, channel = divmod(v * lanes, 2 * kernel.pitch)
            offset = str(pair * 2 * kernel.pitch)
            row.finish(made, lanes, Result((out, offset), tuple((b, offset) for b in beside)), str(channel))

    def _value(self, begin: str, at: int, loaded: dict[int, str], last: bool) -> str:
        """The vector `at` so many values from `begin`; those in registers are `loaded`. Behind the last one nothing may
        be read."""
        row, lanes = self.row, self.target.lanes
        if last or at % lanes == 0:
            if at not in loaded:
                loaded[at] = row.load(row.floats(begin, str(at)), lanes)
            return loaded[at]
        low = at // lanes * lanes
        first, second = (self._value(begin, low + k * lanes, loaded, last=False) for k in range(2))
        type_, places = vector(lanes, "float"), mask(range(lanes // 2, lanes // 2 + lanes))
        return row.w.op(f"shufflevector {type_} {first}, {type_} {second}, {places}")
