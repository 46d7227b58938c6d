"""FusePlanner's model of global memory accesses (GMA) of fused convolutional modules, as it was published.

Source: F. Qararyah, M. W. Azhar, M. A. Maleki, P. Trancoso, "Fusing Depthwise and Pointwise Convolutions for Efficient
Inference on GPUs", 2024 (arXiv 2404.19331). In elements, where IFM, OFM and W are what a layer looks at, makes and
weighs, a tile has Th x Tw places and Tf filters, n_h = ceil(H / Th), n_w = ceil(W / Tw), n_f = ceil(filters / Tf), and
of a depthwise layer of F x F taps and stride S

    ov        = (n_h - 1) (F - S) W + (n_w - 1) (F - S) H     (0 where F <= S)
    DW        = IFM + OFM + 2 ov C + W n_h n_w
    PW        = n_f IFM + OFM + W n_h n_w
    DWPW      = n_f IFM_dw + OFM_pw + 2 ov C + (W_dw + W_pw) n_h n_w
    PWDW(_R)  = n_f IFM + OFM + 2 ov C_in + (W_pw + W_dw) n_h n_w
    PWPW      = n_f2 IFM + OFM + (W_pw1 n_f2 + W_pw2) n_h n_w

PWDW_R is the one of several tiles, which computes the pointwise layer again where two tiles look. What must fit shared
memory is not in these formulas; here it is a tile of the input with all that a filter needs, the map between two
layers, and the weights of a tile of filters, in bytes.

The model counts pairs, not longer runs, and nothing but accesses: no sums of residual branches, no registers, no
occupancy, no time. Two tiles that overlap by F - S rows read these once more than one tile does; 2 ov is twice that.

The public program decides pair by pair. Of MobileNetV1 (26 layers in a row after the first, so 25 pairs of neighbours)
with bytes taken for elements, as it does, on a card of 48 multiprocessors and 99 KB (the authors' RTX A4000) these
formulas have it fuse 21 of 25 pairs, by which 17 of 26 layers are in two. Sometimes that is told as "21 of 25 layers in
two pairs"; 25 layers would have 23 at most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kernels.fusion.down_sets import Rules, bits, down_sets, in_order
from kernels.fusion.models.layer import Layer, readers, up_to

PAIRS = (("DW", "PW"), ("PW", "DW"), ("PW", "PW"))


@dataclass(frozen=True, slots=True)
class Tiles:
    """Places and filters of the last layer that a block makes."""

    rows: int
    columns: int
    filters: int


@dataclass(frozen=True, slots=True)
class Fused:
    """A layer, or two as one module.

    Args:
        layers: their numbers.
        kind: "DW", "PW", "conv", "DWPW", "PWDW", "PWDW_R" or "PWPW".
        tiles: that move least.
        accesses: elements of a frame.
        room: bytes of shared memory.
    """

    layers: tuple[int, ...]
    kind: str
    tiles: Tiles
    accesses: int
    room: int


@dataclass(frozen=True, slots=True)
class GmaPlan:
    """What the model says of a network.

    Args:
        alone: each layer by itself.
        neighbours: how many pairs there could be.
        pairs: those of them that each move less than their layers by themselves; a layer may be in two of them.
        chosen: the partition into layers and pairs that moves least; no layer is in two.
        proven: whether all partitions were considered.
    """

    alone: tuple[Fused, ...]
    neighbours: int
    pairs: tuple[Fused, ...]
    chosen: tuple[Fused, ...]
    proven: bool

    @property
    def twice(self) -> tuple[int, ...]:
        """The layers that are in two pairs."""
        every = [k for pair in self.pairs for k in pair.layers]
        return tuple(sorted({k for k in every if every.count(k) > 1}))


def overlap(layer: Layer, tiles: Tiles) -> int:
    """ov: elements of a channel that neighbouring tiles of a layer both look at."""
    down, along = (max(0, taps - stride) for taps, stride in zip(layer.reach, layer.stride, strict=True))
    rows, columns = _tiles(layer, tiles)
    # Each of the n - 1 cuts is looked at from both sides along its whole length.
    return (rows - 1) * down * layer.size_in[1] + (columns - 1) * along * layer.size_in[0]


def accesses(layers: Sequence[Layer], tiles: Tiles) -> int:
    """Elements that one layer, or two as a module, move with some tiles of the last."""
    last, windowed = layers[-1], next((one for one in layers if one.taps != (1, 1)), None)
    rows, columns = _tiles(last, tiles)
    # A depthwise layer's filters look at channels of their own: the input comes once, whatever the tile of filters.
    filters = 1 if last.kind == "DW" and len(layers) == 1 else -(-last.channels // tiles.filters)
    weights = sum(one.weights for one in layers)
    # PWPW: the first layer's weights come for every tile of the second one's filters.
    if [one.kind for one in layers] == ["PW", "PW"]:
        weights = layers[0].weights * filters + last.weights
    again = 0
    if windowed is not None:
        again = 2 * overlap(windowed, tiles) * (layers[0].channels_in if windowed is last else windowed.channels)
    return filters * layers[0].ifm + last.ofm + again + weights * rows * columns


def room(layers: Sequence[Layer], tiles: Tiles) -> int:
    """Bytes of shared memory that tiles take."""
    last, first = layers[-1], layers[0]
    seen = last.seen(tiles.rows, tiles.columns)
    between = 0
    # A depthwise layer looks at as many channels as it has filters in the tile.
    channels = min(tiles.filters, last.channels_in) if last.kind == "DW" else last.channels_in
    if len(layers) == 2:
        between = math.prod(seen) * channels
        # The first layer's tile of places, for what the second looks at.
        seen = first.seen(*seen)
        channels = first.channels_in
    # The last layer's weights by the share of its filters; where it is depthwise those of the first, too.
    share = tiles.filters / last.channels
    weights = sum(math.ceil(one.weights * share) if one is last or last.kind == "DW" else one.weights for one in layers)
    made = tiles.rows * tiles.columns * tiles.filters
    return (math.prod(seen) * channels + between + made + weights) * last.item


def best(layers: Sequence[Layer], numbers: Sequence[int], shared: int, units: int = 1) -> Fused | None:
    """The tiles that move least; None where none fits.

    Args:
        layers: one, or two of which the first is looked at by the second.
        shared: bytes of shared memory of a block.
        units: tiles that there shall be at least, if the layer has so many: as many as multiprocessors.
    """
    last = layers[-1]
    found: tuple[int, int, Tiles] | None = None
    most = 0
    for rows in up_to(last.size[0]):
        for columns in up_to(last.size[1]):
            for filters in up_to(last.channels):
                tiles = Tiles(rows, columns, filters)
                taken = room(layers, tiles)
                if taken > shared:
                    continue
                # Tiles beyond the number of multiprocessors bring no more.
                count = min(units, math.prod(_tiles(last, tiles)) * -(-last.channels // filters))
                if count < most:
                    continue
                way = accesses(layers, tiles), taken, tiles
                # More multiprocessors at work first, then fewer accesses, then less memory.
                if found is None or count > most or way[:2] < found[:2]:
                    found, most = way, count
    if found is None:
        return None
    kind = "".join(one.kind for one in layers)
    if kind == "PWDW" and math.prod(_tiles(last, found[2])) > 1:
        kind = "PWDW_R"
    return Fused(tuple(numbers), kind, found[2], found[0], found[1])


def plan(layers: Sequence[Layer], shared: int, units: int = 1) -> GmaPlan:
    """What the model makes of a network on a GPU; arguments as of `best`. A layer of which no tile fits moves what it
    looks at, makes and weighs, in one tile."""
    known: dict[int, Fused | None] = {}
    uses = readers(layers)

    def module(group: int) -> Fused | None:
        if group not in known:
            numbers = list(bits(group))
            known[group] = best([layers[k] for k in numbers], numbers, shared, units)
        return known[group]

    alone = tuple(module(1 << k) or _whole(layer, k) for k, layer in enumerate(layers))
    known |= {1 << k: one for k, one in enumerate(alone)}
    linked = [0] * len(layers)
    pairs, neighbours = [], 0
    for a, others in enumerate(uses):
        for b in others:
            kinds = layers[a].kind, layers[b].kind
            # The pair's formulas hold where the second looks at the whole map of the first, and nobody else does.
            same = (layers[a].size, layers[a].channels) == (layers[b].size_in, layers[b].channels_in)
            if kinds in PAIRS and len(others) == 1 and not layers[a].leaves and same:
                neighbours += 1
                linked[a] |= 1 << b
                linked[b] |= 1 << a
                pair = module(1 << a | 1 << b)
                if pair is not None and pair.accesses < alone[a].accesses + alone[b].accesses:
                    pairs.append(pair)

    def cost(group: int, _: float) -> float:
        # Two layers that are no pair are no module.
        if group.bit_count() == 2 and not linked[next(bits(group))] & group:
            return math.inf
        found = module(group)
        return math.inf if found is None else float(found.accesses)

    before = [sum(1 << b for b in layer.before) for layer in layers]
    sets = down_sets(before, Rules(2, linked=linked))
    chain = in_order(len(layers), cost, 2) if sets is None else sets.cheapest(cost)
    chosen = tuple(one for group in chain.groups if (one := module(group)) is not None)
    return GmaPlan(alone, neighbours, tuple(pairs), chosen, sets is not None)


def _tiles(layer: Layer, tiles: Tiles) -> tuple[int, int]:
    """(n_h, n_w)."""
    return -(-layer.size[0] // tiles.rows), -(-layer.size[1] // tiles.columns)


def _whole(layer: Layer, number: int) -> Fused:
    tiles = Tiles(*layer.size, layer.channels)
    return Fused((number,), layer.kind, tiles, layer.ifm + layer.ofm + layer.weights, room([layer], tiles))
