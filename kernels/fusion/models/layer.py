"""A convolution layer as published cost models see it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kernels.ir.volumes import Contract

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Layer:
    """A convolution; sizes are (rows, columns).

    Args:
        name: of its node.
        kind: "DW" (depthwise), "PW" (pointwise) or "conv".
        before: numbers of the layers that it needs, also by what is only moved, pooled or added between.
        size_in, channels_in: of the map that it looks at.
        size, channels: of the map that it makes.
        taps, stride, dilation: of its window.
        up: a transposed one makes so many places of one.
        weights: elements.
        item: bytes of a value.
        leaves: whether somebody takes its map who is no layer.
        added: elements of maps that are read besides, for residual sums.
    """

    name: str
    kind: str
    before: tuple[int, ...]
    size_in: Size
    channels_in: int
    size: Size
    channels: int
    taps: Size
    stride: Size
    weights: int
    item: int = 4
    leaves: bool = False
    added: int = 0
    dilation: Size = (1, 1)
    up: Size = (1, 1)

    @property
    def ifm(self) -> int:
        """Elements of the map that it looks at."""
        return math.prod(self.size_in) * self.channels_in

    @property
    def ofm(self) -> int:
        """Elements of the map that it makes."""
        return math.prod(self.size) * self.channels

    @property
    def macs(self) -> int:
        """Multiply-adds of an element of its map."""
        return self.weights // self.channels // math.prod(self.up)

    @property
    def reach(self) -> Size:
        """Places from the first to the last tap, K."""
        down, along = ((k - 1) * d + 1 for k, d in zip(self.taps, self.dilation, strict=True))
        return down, along

    def seen(self, rows: int, columns: int) -> Size:
        """What it looks at for a tile: K + (T - 1) S along an axis, but no more than there is."""
        down, along = (min(n, -(-(k + (t - 1) * s) // u)) for n, k, t, s, u in
                       zip(self.size_in, self.reach, (rows, columns), self.stride, self.up, strict=True))  # fmt: skip
        return down, along


def kind_of(how: Contract) -> str:
    """What a contraction is called.

    "DW" has a filter a channel, "PW" one place a filter, "conv" is any other.
    """
    if how.groups > 1 and how.weights.array.shape[3] == 1:
        return "DW"
    return "PW" if how.taps == (1, 1) and how.groups == 1 else "conv"


def readers(layers: Sequence[Layer]) -> list[list[int]]:
    """Who takes the map of each layer."""
    found: list[list[int]] = [[] for _ in layers]
    for k, layer in enumerate(layers):
        for b in layer.before:
            found[b].append(k)
    return found


def up_to(count: int) -> list[int]:
    """The lengths of tiles that are tried: powers of two, and all.

    >>> up_to(12)
    [1, 2, 4, 8, 12]
    """
    return [1 << k for k in range(count.bit_length()) if 1 << k < count] + [count]
