"""Which dense layers are computed across pixels (`kernels.codegen.layers_across`), whole, or those channels that leave
vectors of channels partly empty: where that is faster, what turning maps costs included.

A map that only such layers look at, and such layers or plain copies make, lies plane by plane; of another a copy does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from kernels.codegen import layers_across
from kernels.codegen.layers_across import Across, Turn
from kernels.codegen.layers_dense import Tile
from kernels.codegen.layers_epilogue import COPIES
from kernels.codegen.layers_moves import Move
from kernels.codegen.layers_network import Ending, Layer, Network, roomy
from kernels.codegen.layers_record import SEGMENTS
from kernels.fusion.layers import Look, Place
from kernels.ir.image import F32

HALF, ALONE = 0.6, 0.9
"""Of a full vector's time that the half vector of a tile takes, beside others and alone (shuffles, broadcasts)."""
HALVES = 0.52, 0.68
"""The same where half vectors are as fast for what they hold (`Target.halves`)."""
WIDE = {1: 1.2, 2: 1.05, 3: 1.03}
"""Of the time of its multiply-adds that a tile takes whose weights serve so many vectors (loads)."""
SINGLE = 1.2
"""The same of a full vector that is alone in a tile where sums are but as many as keep multiply-adds busy: each takes
a load."""
TURN_IN, TURN_OUT = 0.35, 0.3
"""Cycles a value that is turned on its way in, or out."""
LEAST_SUMS = 8
"""That keep the multiply-adds busy: fewer wait for one another."""
GAIN = 0.95
"""Of the time as it was that is left, at most."""


def choose(network: Network) -> None:
    """Have the layers, or their last channels, that gain by it computed across pixels."""
    known = [layer for layer in network.layers if _can(network, layer)]
    first = {id(layer): 0 for layer in known}
    while True:
        own = _own(network, {number for number, at in first.items() if not at})
        kept: dict[int, int] = {}
        for layer in known:
            if id(layer) in first:
                best = _best(network, layer, first[id(layer)], own)
                if best is not None:
                    kept[id(layer)] = best
        if kept == first:
            break
        first = kept
    if first:
        _apply(network, first, own)


def _can(network: Network, layer: Layer) -> bool:
    look, source = layer.looks[0], network.maps[layer.looks[0].map]
    if layer.given is None or len(layer.looks) > 1 or look.stride[1] != 1 or look.repeat != 1:
        return False
    plain = all(isinstance(kernel, Tile) and not kernel.grouped for kernel in layer.kernels)
    epilogue = layer.kernels[0].epilogue
    floats = epilogue.root.dtype == F32 and all(leaf.dtype == F32 for leaf in epilogue.leaves)
    wide = min(layer.size[1], source.width) >= network.target.lanes
    few = 2 * -(-len(layer.given) // layers_across.TURNED) <= SEGMENTS  # tiles may have half as many channels
    return bool(plain and floats and wide and few and source.outside == 0)


def _single(network: Network, layer: Layer) -> bool:
    """Whether what a layer looks at is one plane as it is."""
    source = network.maps[layer.looks[0].map]
    return source.channels == source.pitch == 1


def _own(network: Network, whole: Collection[int]) -> set[int]:
    """Maps that can lie plane by plane.

    Args:
        whole: the layers of which all channels are computed across pixels, by `id`.
    """
    found = {layer.looks[0].map for layer in network.layers if id(layer) in whole and not _single(network, layer)}
    for layer in network.layers:
        if id(layer) not in whole:
            found -= {look.map for look in layer.looks}
        if layer.place.stride[1] != 1 or (id(layer) not in whole and not _copies(network, layer)):
            found.discard(layer.place.map)
    made = {layer.place.map for layer in network.layers}
    return {m for m in found & made if not (network.maps[m].bank or network.maps[m].kept or network.maps[m].tight)}


def _copies(network: Network, layer: Layer) -> bool:
    """Whether a layer only copies pixels."""
    (kernel, *_), look = layer.kernels, layer.looks[0]
    plain = isinstance(kernel, Move) and kernel.kind == "sum" and kernel.epilogue == COPIES[F32]
    near = look.taps == (1, 1) and look.stride[1] == 1 and not look.fall and layer.place.stride[1] == 1
    return plain and near and layer.size[1] >= network.target.lanes


def _best(network: Network, layer: Layer, first: int, own: set[int]) -> int | None:
    """The first channel that is computed across pixels in the least time: 0, or that behind the full vectors; None
    where none is.

    Args:
        first: which of these it may be at the earliest.
    """
    assert layer.given is not None
    f, _, _, c = layer.given.shape
    lanes = network.target.lanes
    before = _last(network, layer, f)
    tail = f // lanes * lanes
    times: dict[int, float] = {}
    if tail < f:
        turns = TURN_IN * c * (not _single(network, layer)) + TURN_OUT * (f - tail)
        times[tail] = _last(network, layer, tail) + _across(network, layer, f - tail) + turns
    if not first:
        turns = 0 if layer.looks[0].map in own or _single(network, layer) else TURN_IN * c
        times[0] = _across(network, layer, f) + turns + TURN_OUT * f * (layer.place.map not in own)
    best = min(times, key=times.__getitem__, default=None)
    return best if best is not None and times[best] < GAIN * before else None


def _steps(layer: Layer) -> int:
    assert layer.given is not None
    return layer.given.size // len(layer.given)


def _last(network: Network, layer: Layer, f: int) -> float:
    """Cycles a pixel of so many channels, channels last."""
    target = network.target
    full, half = divmod(roomy(f), target.lanes)
    single = SINGLE if full == 1 and target.wide(1) <= LEAST_SUMS else 1.0
    beside, alone = HALVES if target.halves else (HALF, ALONE)
    return 0.5 * _steps(layer) * (full * single + (half > 0) * (beside if full else alone))


def _across(network: Network, layer: Layer, f: int) -> float:
    """The same, pixels in lanes."""
    width = layer.size[1]
    vectors, gap = layers_across.vectors_of(width, network.target)
    cut = layers_across.cut(f, vectors, network.target)
    tiles = -(-width // ((vectors - 1) * gap + network.target.lanes))
    sums = sum(max(n * vectors, LEAST_SUMS) for n in cut)
    return 0.5 * _steps(layer) * sums * tiles / width * WIDE[vectors]


def _apply(network: Network, first: Mapping[int, int], own: set[int]) -> None:
    for number in own:
        network.maps[number].planes, network.maps[number].pitch = True, 1
    copies: dict[tuple[int, int, int], int] = {}
    made: list[Layer] = []
    for layer in network.layers:
        if id(layer) not in first:
            turns = layer.place.map in own
            made.append(replace(layer, kernels=(Turn(layer.channels),)) if turns else layer)
            continue
        look, at, whole = layer.looks[0], first[id(layer)], layer.given
        assert whole is not None
        if look.map not in own and not _single(network, layer):
            key = look.map, look.channel, whole.shape[3]
            if key not in copies:
                there = network.maps[look.map]
                copies[key] = network.map(there.height, there.width, key[2], 1, planes=True)
                made.append(Layer((Turn(key[2]),), (), (there.height, there.width), key[2], Place(copies[key]),
                                  (Look(look.map, channel=look.channel),), value=layer.value))  # fmt: skip
            look = replace(look, map=copies[key], channel=0)
        if at:
            tables = tuple(table[:at] for table in layer.tables)
            end = Ending(layer.kernels[0].epilogue, (), tables, layer.scalars)
            full = network.dense(layer.looks[0], whole[:at], layer.bias[:at], layer.size, end, layer.place)
            made.append(replace(full, value=layer.value))
        vectors, gap = layers_across.vectors_of(layer.size[1], network.target)
        cut = layers_across.cut(len(whole) - at, vectors, network.target)
        made.append(replace(
            layer, kernels=tuple(Across(n, vectors, gap, layer.kernels[0].epilogue) for n in cut),
            counts=(1,) * len(cut), channels=layer.channels - at, looks=(look,), bias=layer.bias[at:],
            place=replace(layer.place, channel=layer.place.channel + at), given=whole[at:],
            weights=layers_across.pack(whole[at:], cut), tables=tuple(table[at:] for table in layer.tables),
        ))  # fmt: skip
    network.layers[:] = made
