"""Which dense 3x3 layers are made of tiles (`kernels.codegen.layers_winograd`), where roundings may change.

Each that may be is compared with itself as it was, among the layers beside it: what they take together is predicted by
the rule that cuts networks into runs (`kernels.fusion.layers_runs`), so that rows and weights which leave the caches,
and more layers, count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernels.codegen import layers_choice, layers_dense
from kernels.codegen.layers_dense import Tile
from kernels.codegen.layers_network import Ending, Layer, Network, roomy
from kernels.codegen.layers_winograd import TilesIn, TilesOut
from kernels.codegen.layers_work import weighed
from kernels.fusion.layers import Look, Map, Place
from kernels.fusion.layers_runs import Core, chosen_cuts, stretches
from kernels.fusion.winograd import FILTERINGS, TAPS
from kernels.ir.expr import Expr
from kernels.ir.image import F32

NEAR = 3
"""Layers before and behind one that it is compared with."""


@dataclass(frozen=True, slots=True)
class Tiled:
    """A layer that may be made of tiles.

    Args:
        value: the contraction.
        outputs: pixels of a tile each way; 0 where it stays a sum.
        before, after: predicted seconds on a core, with the layers beside it.
    """

    value: Expr
    outputs: int
    before: float
    after: float


def choose_tiles(network: Network, core: Core) -> list[Tiled]:
    """Have the layers that gain by it, and for which it is allowed, made of tiles."""
    found = []
    number = 0
    while number < len(network.layers):
        layer = network.layers[number]
        near = network.layers[max(0, number - NEAR) : number], network.layers[number + 1 :][:NEAR]
        made = [layer]
        allowed = [m for m in FILTERINGS if m <= _allowed(layer)] if can(network, layer) else []
        if allowed:
            before = best = _seconds(network, [*near[0], layer, *near[1]], core)
            maps, outputs = network.maps, 0
            for m in allowed:
                trial = Network(network.target, list(network.maps))
                other = tiled(trial, layer, m)
                seconds = _seconds(trial, [*near[0], *other, *near[1]], core)
                if seconds < best:
                    best, made, maps, outputs = seconds, other, trial.maps, m
            network.maps[:], network.layers[number : number + 1] = maps, made
            assert layer.value is not None
            found.append(Tiled(layer.value, outputs, before, best))
        number += len(made)
    return found


def _allowed(layer: Layer) -> int:
    value = layer.value
    return int(value.arg.tiles) if value is not None and value.op == "contract" else 0


def _seconds(network: Network, layers: Sequence[Layer], core: Core) -> float:
    """What some layers are predicted to take on a core, lanes as they would be chosen."""
    maps: list[Map] = [replace(map_) for map_ in network.maps]
    some = Network(network.target, maps, list(layers))
    layers_choice.choose(some)
    seen = weighed(some)
    return sum(part.seconds(core) for part in stretches(seen, chosen_cuts(seen, core), core))


def can(network: Network, layer: Layer) -> bool:
    """Whether a layer may be made of tiles: a dense one of 3x3 taps side by side, of floats."""
    look, there = layer.looks[0], network.maps[layer.place.map]
    source = network.maps[look.map]
    dense = layer.given is not None and all(isinstance(k, Tile) and not k.grouped and not k.ends for k in layer.kernels)
    plain = look.taps == (TAPS, TAPS) and look.stride == look.dilation == (1, 1) and look.repeat == 1
    near = not any(network.maps[b.map].bank for b in layer.looks)  # rows behind the last are looked at, too
    room = layer.given is not None and look.channel + roomy(layer.given.shape[3]) <= source.pitch
    floats = source.dtype == F32 and layer.kernels[0].epilogue.root.dtype == F32
    return dense and plain and near and room and floats and not (there.parts or look.slide or look.fall)


def tiled(network: Network, layer: Layer, outputs: int) -> list[Layer]:
    """The layers that make the same of tiles of `outputs` x `outputs` pixels; the network gets two maps for them.

    Args:
        layer: one that `can` be.
    """
    weights, look, (height, width) = layer.given, layer.looks[0], layer.size
    assert weights is not None
    filtering = FILTERINGS[outputs]
    tile, groups, (f, _, _, c) = filtering.tile, filtering.groups, weights.shape
    steps, along = -(-height // outputs), -(-width // outputs)
    line = along | 1  # groups an even number of pixels apart would meet in the same lines of the first cache
    seen, made = (network.map(steps, groups * line, channels) for channels in (c, f))
    reading = Layer((TilesIn(outputs, roomy(c)),), (), (steps, along), roomy(c), Place(seen),
                    (replace(look, taps=(tile, tile), stride=(outputs, outputs)),),
                    groups=groups, value=layer.value)  # fmt: skip
    transformed = filtering.transformed(weights).astype(np.float32).reshape(groups, f, 1, 1, c)
    end = Ending(scalars=np.zeros(0, np.int32))
    one = network.dense(Look(seen), transformed[0], np.zeros(f), (steps, along), end, Place(made))
    cut = [(kernel, count) for kernel, count in zip(one.kernels, one.counts, strict=True) if isinstance(kernel, Tile)]
    bias = np.zeros((groups, roomy(f)), np.float32)
    bias[tile + 1] = layer.bias  # every pixel of a tile takes that group once
    products = replace(one, groups=groups, weights=np.concatenate([layers_dense.pack(w, cut) for w in transformed]),
                       bias=bias.ravel(), given=None, value=layer.value)  # fmt: skip
    making = replace(
        layer, kernels=(TilesOut(outputs, layer.channels, width % outputs, layer.kernels[0].epilogue),), counts=(),
        size=(steps, width), place=replace(layer.place, together=outputs, count=height),
        looks=(Look(made, (1, groups // outputs), stride=(1, 0)), *(_rows(b, outputs) for b in layer.looks[1:])),
        run=(1, 1, 1), groups=outputs, weights=np.zeros(0, np.float32), bias=np.zeros(0, np.float32), given=None,
    )  # fmt: skip
    return [reading, products, making]


def _rows(look: Look, count: int) -> Look:
    """So many rows of a further operand at a time."""
    return replace(look, taps=(count, 1), stride=(look.stride[0] * count, look.stride[1]),
                   dilation=(look.stride[0], 1))  # fmt: skip
