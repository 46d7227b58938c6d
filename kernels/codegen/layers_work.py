"""What a row of a layer asks of a core: vector operations of its kernel, counted as the code is written.

Time is counted in *slots*, of which a core has one for each vector of fused multiply-adds that it makes a second at
most (`kernels.executors.peak`). Arithmetic and loads go side by side, so the longer of the two counts; what is stored,
what a register tile costs until its sums are under way, and what a call costs come on top. The prices were found
from some 450 layers of 19 networks, each with its rows at hand (nonnegative least squares of the relative error;
Sapphire Rapids; Zen 4 has its own): 86 of 100 layers are told within a quarter. Whether they hold elsewhere and of
other networks, `tests/measure_prices.py` says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kernels.codegen import layers_across
from kernels.codegen.layers_across import Across, Turn
from kernels.codegen.layers_dense import Tile, halved
from kernels.codegen.layers_dense_int8 import Int8Tile
from kernels.codegen.layers_depthwise import Depthwise
from kernels.codegen.layers_depthwise_int8 import Int8Depthwise
from kernels.codegen.layers_dot import dot_of
from kernels.codegen.layers_epilogue import Epilogue
from kernels.codegen.layers_moves import AT_ONCE, Move, lanes_of
from kernels.codegen.layers_network import Layer, Network
from kernels.codegen.layers_pairs import Pairs
from kernels.codegen.layers_record import CHANNELS
from kernels.codegen.layers_target import Target
from kernels.codegen.layers_winograd import TilesIn, TilesOut
from kernels.fusion.layers_runs import WeighedLayer, WeighedNetwork
from kernels.fusion.winograd import FILTERINGS
from kernels.ir.expr import postorder


@dataclass(frozen=True, slots=True)
class Prices:
    """Slots of an operation of the longer side, of a vector that is stored, of a register tile, of a call."""

    side: float = 1.0
    result: float = 1.0
    turn: float = 24.0
    call: float = 14.0


PRICES = Prices()
PRICES_OF_HALVES = Prices(0.93, 1.6, 0.0, 22.0)
"""Of targets whose half vectors are as fast for what they hold: from 700 layers of 20 networks on Zen 4 (least squares:
.92, 1.7, 0, 14), but for the call, of which rows of few pixels take more. There a tile's first steps are done while the
one before ends, and a store of 512 bits takes two cycles."""
DEAR = {"div": 8, "sqrt": 8, "select": 2}
"""Slots of operations that take more than one."""


@dataclass(slots=True)
class Work:
    """Vectors that are computed, loaded and stored, register tiles, and calls; of one row.

    Args:
        other: see `Target.other`.
    """

    other: float = 1.0
    sums: float = 0.0
    loads: float = 0.0
    results: float = 0.0
    turns: float = 0.0
    calls: float = 1.0

    @property
    def amounts(self) -> tuple[float, float, float, float]:
        """Of what each of `Prices` is the price of."""
        return max(self.sums, self.loads), self.results, self.turns, self.calls

    def slots(self, prices: Prices) -> float:
        """The time that they take."""
        side, results, turns, calls = self.amounts
        return prices.side * side + prices.result * results + prices.turn * turns + prices.call * calls

    def finish(self, vectors: float, epilogue: Epilogue, there: float = 1.0) -> None:
        """So many vectors go through the epilogue and are stored; of its further rows that share is there."""
        operations = sum(DEAR.get(node.op, 1) for node in postorder((epilogue.root,))
                         if node.op not in ("input", "const", "param"))  # fmt: skip
        self.results += vectors
        self.sums += vectors * operations / self.other
        self.loads += vectors * (there * epilogue.beside + epilogue.tables)


def prices_for(target: Target) -> Prices:
    """What operations cost there."""
    return PRICES_OF_HALVES if target.halves else PRICES


def weighed(network: Network, prices: Prices | None = None) -> WeighedNetwork:
    """A network whose maps are all known.

    Args:
        prices: those for its target without.
    """
    layers, prices = [], prices or prices_for(network.target)
    for layer in network.settled():
        made = layer.size[1] * layer.channels * layer.groups * network.maps[layer.place.map].dtype.itemsize
        slots = work(layer, network.target).slots(prices)
        size = layer.size[0], layer.size[1] * _together(layer, network)
        layers.append(WeighedLayer(size, layer.place, layer.looks, slots, made, layer.weight_bytes,
                                   layer.module))  # fmt: skip
    return WeighedNetwork(network.maps, layers)


def _together(layer: Layer, network: Network) -> int:
    """Pixels of its map that a layer takes for one: a copy takes a row of few channels for one pixel of many."""
    there = network.maps[layer.place.map]
    return max(1, layer.channels // there.channels) if there.tight else 1


def work(layer: Layer, target: Target) -> Work:
    """Of a row of a layer that is settled (`Network.settled`)."""
    made, width, look = Work(target.other), layer.size[1], layer.looks[0]
    down, along = look.taps
    match layer.kernels[0]:
        case Tile() | Int8Tile():
            blocks, run, last = layer.run
            steps = down * last if layer.joined else down * along * ((blocks - 1) * run + last)
            for kernel, times in zip(layer.kernels, layer.counts, strict=True):
                count = times * layer.groups
                made.calls += count
                if isinstance(kernel, Tile):
                    share = 0.5 if halved(kernel.widths, target) else 1
                    _tiles(made, kernel, [(p, n * count) for p, n in _forms(width, kernel.forms)], steps * share)
                elif isinstance(kernel, Int8Tile):
                    vectors = len(kernel.widths)
                    adding, spreading = dot_of(target).slots
                    for pixels, turns in _overlapping(width, target.wide_of_bytes(vectors)):
                        sums = steps * pixels * (vectors * adding + spreading)
                        _summed(made, turns * count, sums, steps * (vectors + pixels))
                        made.finish(turns * count * vectors * pixels, kernel.epilogue, _there(kernel))
        case Across():
            blocks, run, last = layer.run
            steps = down * along * ((blocks - 1) * run + last)
            for kernel in layer.kernels:
                if isinstance(kernel, Across):
                    made.calls += 1
                    vectors = kernel.channels * kernel.vectors
                    turns = -(-width // ((kernel.vectors - 1) * kernel.gap + target.lanes))
                    _summed(made, turns, steps * vectors, steps * (kernel.channels + 2 * kernel.vectors))
                    made.finish(turns * vectors * (1 if kernel.made else 4), kernel.epilogue)
        case Turn() as kernel:  # three operations and a store of each vector
            vectors = -(-kernel.channels // layers_across.TURNED) * layers_across.TURNED * -(-width // target.lanes)
            _summed(made, 0, 3 * vectors, 2 * vectors)
            made.results += vectors
        case Depthwise() as kernel:
            vectors = -(-layer.channels // target.lanes)
            for pixels, turns in _forms(width, kernel.pixels):
                seen = len(_columns(kernel, pixels, along))
                _summed(made, turns * vectors, down * along * pixels, down * (along + seen))
                made.finish(turns * vectors * pixels, kernel.epilogue)
        case Pairs() as kernel:
            vectors = 2 * kernel.pitch // target.lanes
            for pairs, turns in _forms(width // 2, kernel.pairs):
                total = pairs * vectors
                _summed(made, turns, down * along * total, down * (total + vectors * (1 + along)))
                made.finish(turns * total, kernel.epilogue)
        case Int8Depthwise() as kernel:
            vectors = -(-layer.channels // target.lanes)
            for pixels, turns in _overlapping(width, target.pixels):
                seen = len(_columns(kernel, pixels, along))  # four rows become one vector by as many operations
                joined = along * kernel.quads * pixels + 4 * seen / target.other
                _summed(made, turns * vectors, joined, down * seen + along * kernel.quads)
                made.finish(turns * vectors * pixels, kernel.epilogue)
        case TilesIn() as kernel:
            filtering, turns = FILTERINGS[kernel.outputs], width * (layer.channels / target.lanes)
            lines = 2 * filtering.tile
            _summed(made, turns, lines * filtering.reading, lines * filtering.tile)
            made.results += turns * filtering.groups
        case TilesOut() as kernel:
            filtering, m = FILTERINGS[kernel.outputs], kernel.outputs
            turns = width / m * (layer.channels / target.lanes)
            _summed(made, turns, (filtering.tile + m) * filtering.making, 2 * filtering.groups)
            made.finish(turns * m * m, kernel.epilogue)
        case Move() as kernel:
            _moves(made, kernel, layer, target)
    return made


def _tiles(made: Work, kernel: Tile, turns: Iterable[tuple[int, float]], steps: float) -> None:
    """Register tiles of a dense layer, of sums of so many steps (half a one where vectors are half ones and twice as
    fast); where two pixels share a vector their values are put together first."""
    vectors = len(kernel.widths)
    for pixels, count in turns:
        halves = -(-pixels // 2) if kernel.paired else pixels
        sums = (vectors - 1) * pixels + halves
        alone = kernel.paired and vectors == 1
        together = (sums if alone else halves) if kernel.paired else 0
        loads = vectors + (pixels / 4 if alone else sums if kernel.grouped else pixels)
        _summed(made, count, steps * (sums + together), steps * loads)
        made.finish(count * vectors * pixels, kernel.epilogue, _there(kernel))


def _there(kernel: Tile | Int8Tile) -> float:
    """The share of a tile's further rows that is looked at."""
    return sum(kernel.ends) / (len(kernel.ends) * kernel.width) if kernel.ends else 1.0


def _moves(made: Work, kernel: Move, layer: Layer, target: Target) -> None:
    width, taps = layer.size[1], layer.looks[0].taps[0] * layer.looks[0].taps[1]
    if kernel.kind in ("gather", "table"):  # a value at a time
        _summed(made, width, 0, 2 * layer.channels)
        made.finish(width * layer.channels, kernel.epilogue)
        return
    rest = kernel.tail if kernel.exact else -(-kernel.tail // CHANNELS) * CHANNELS
    vectors = width * (layer.channels // lanes_of(kernel.epilogue, target) + rest.bit_count())
    if kernel.kind == "product":  # two operations a term, and a value in all lanes for some vectors
        made.sums += vectors * taps
        made.loads += vectors * taps / AT_ONCE
    made.sums += vectors * (taps - 1)
    made.loads += vectors * taps
    made.finish(vectors, kernel.epilogue)


def _summed(made: Work, turns: float, sums: float, loads: float) -> None:
    made.turns += turns
    made.sums += turns * sums
    made.loads += turns * loads


def _columns(kernel: Depthwise | Int8Depthwise, pixels: int, along: int) -> set[int]:
    """The columns that the pixels of a turn look at."""
    return {x * kernel.stride + i * kernel.dilation for x in range(pixels) for i in range(along)}


def _forms(width: int, pixels: tuple[int, ...]) -> list[tuple[int, float]]:
    """(pixels, turns) of a row that `RowWriter.across` goes through."""
    tiles = -(-width // pixels[0])
    if len(pixels) == 1:
        return [(pixels[0], tiles)]
    turns = width - tiles * pixels[1]
    return [(pixels[0], turns), (pixels[1], tiles - turns)]


def _overlapping(width: int, many: int) -> list[tuple[int, float]]:
    """(pixels, turns) of a row that `RowWriter.overlapping` goes through."""
    done, made = 0, []
    for pixels, spare in ((many, many // 2 - 1), (many // 2, many // 2 - 1)):
        turns = (width - done + spare) // pixels if width >= pixels else 0
        made.append((pixels, float(turns)))
        done = min(done + pixels * turns, width)
    return [*made, (1, float(width - done))]
