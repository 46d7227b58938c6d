"""Random networks of layers, with what each of their maps must hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from kernels.codegen.layers_epilogue import SUM, Epilogue, beside, constant
from kernels.codegen.layers_network import Ending, Network, Taps
from kernels.codegen.layers_target import Target
from kernels.fusion.layers import Look
from kernels.fusion.layers_schedule import Unit, writers
from kernels.ir.expr import Expr, maximum, minimum, select
from kernels.ir.ops import OPS
from tests.kernels.codegen import layers_reference as reference

Array = npt.NDArray[Any]
HARD_SWISH = SUM * maximum(minimum(SUM * (1 / 6) + 0.5, 1), 0)
EPILOGUES: dict[str, Expr] = {
    "none": SUM,
    "relu": maximum(SUM, 0),
    "relu6": minimum(maximum(SUM, 0), 6),
    "leaky": select(SUM < 0, SUM * 0.1, SUM),
    "prelu": select(SUM < 0, SUM * constant(0), SUM),
    "hardswish": HARD_SWISH,
    "hardsigmoid": maximum(minimum(SUM * 0.2 + 0.5, 1), 0),
    "residual": maximum(SUM + beside(0), 0),
    "pooled": maximum(SUM + maximum(maximum(beside(0), beside(1)), maximum(beside(2), beside(3))), 0),
}


def applied(root: Expr, total: Array, rows: list[Array], tables: list[Array]) -> Array:
    """The meaning of an epilogue."""
    with np.errstate(all="ignore"):
        return _value(root, total, rows, tables)


def _value(node: Expr, total: Array, rows: list[Array], tables: list[Array]) -> Array:
    if node.op == "input":
        return total if node == SUM else rows[node.arg.index - 1]
    if node.op == "param":
        return np.broadcast_to(tables[int(node.arg.removeprefix("channel"))], total.shape)
    if node.op == "const":
        return np.asarray(node.arg, node.dtype.numpy)
    return OPS[node.op].numpy(*(_value(s, total, rows, tables) for s in node.src))


@dataclass
class Drawn:
    """A network, its input, and by map what must be there."""

    network: Network
    image: Array
    values: dict[int, Array]


def numbers(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """f32 of many magnitudes, some of few bits so that sums meet half way between two floats, and zeros."""
    made = rng.normal(size=shape) * 2.0 ** rng.integers(-12, 12, shape)
    few = rng.integers(-3, 4, shape) * 2.0 ** rng.integers(-24, 2, shape)
    made = np.where(rng.random(shape) < 0.4, few, made)
    return np.where(rng.random(shape) < 0.05, -0.0, made).astype(np.float32)


@st.composite
def networks(draw: st.DrawFn, target: Target, longest: int = 5) -> Drawn:
    """A chain with residuals, pooled skips, stacks, repeats and pools."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    h, w, c = draw(st.integers(1, 9)), draw(st.integers(1, 40)), draw(st.integers(1, 20))
    network = Network(target)
    now = network.map(h, w, c, kept=True)
    image = numbers(rng, (h, w, c))
    values = {now: image}
    for _ in range(draw(st.integers(1, longest))):
        kinds = ["dense", "dense", "depthwise", "grouped", "pool", "stack", "repeat"]
        now = _layer(draw, rng, network, values, now, draw(st.sampled_from(kinds)))
    return Drawn(network, image, values)


def _layer(
    draw: st.DrawFn, rng: np.random.Generator, network: Network, values: dict[int, Array], now: int, kind: str
) -> int:
    here = network.maps[now]
    volume = values[now]
    if kind == "stack":
        others = [m for m in values if volume.shape[:2] == values[m].shape[:2]]
        parts = [now, draw(st.sampled_from(others))]
        made = network.stack(parts)
        values[made] = reference.concatenated([values[m] for m in parts])
        return made
    if kind == "repeat" and here.height * here.width < 200:
        times = draw(st.integers(1, 2)), draw(st.integers(1, 3))
        made = network.repeated(now, times)
        values[made] = volume.repeat(times[0], 0).repeat(times[1], 1)
        return made
    taps = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    stride = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    at = draw(st.integers(-taps[0] + 1, 0)), draw(st.integers(-taps[1] + 1, 0))
    size = tuple(max(1, -(-n // s)) for n, s in zip(volume.shape[:2], stride, strict=True))
    assert len(size) == 2
    if kind in ("pool", "repeat"):
        which = draw(st.sampled_from(["max", "sum"]))
        epilogue = Epilogue(SUM / (taps[0] * taps[1])) if which == "sum" else Epilogue()
        made = network.move([Look(now, taps, at, stride)], size, here.channels, kind=which, epilogue=epilogue)
        fold = OPS["max" if which == "max" else "add"].numpy
        found = reference.folded(volume, fold, taps, size, at, stride, 0.0)
        values[made] = applied(epilogue.root, found, [], [])
        return made
    dilation = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    f, groups = draw(st.integers(1, 60)), 1
    if kind == "depthwise":
        f = groups = here.channels
    elif kind == "grouped":
        groups = draw(st.sampled_from([g for g in range(1, here.channels + 1) if here.channels % g == 0]))
        f = groups * draw(st.sampled_from([1, 2, 3, 8]))
    weights = numbers(rng, (f, *taps, here.channels // groups))
    bias = numbers(rng, (f,))
    fitting = {"residual": [m for m in values if values[m].shape[:2] == size and values[m].shape[2] <= f],
               "pooled": [m for m in values if values[m].shape[:2] == (2 * size[0], 2 * size[1])
                          and values[m].shape[2] <= f]}  # fmt: skip
    name = draw(st.sampled_from([e for e in EPILOGUES if fitting.get(e, True)]))
    looks, rows = [], []
    if name in fitting:
        skip = draw(st.sampled_from(fitting[name]))
        wide = np.zeros((*values[skip].shape[:2], f), np.float32)
        wide[..., : values[skip].shape[2]] = values[skip]
        if name == "residual":
            looks, rows = [Look(skip)], [wide]
        else:
            looks = [Look(skip, at=(j, i), stride=(2, 2)) for j in range(2) for i in range(2)]
            rows = [wide[j::2, i::2] for j in range(2) for i in range(2)]
    tables = [numbers(rng, (f,))] if name == "prelu" else []
    epilogue = Epilogue(EPILOGUES[name])
    made = network.convolution(
        now, weights, bias, size,
        Taps(at=at, stride=stride, dilation=dilation, groups=groups),
        Ending(epilogue=epilogue, beside=looks, tables=tables),
    )  # fmt: skip
    total = reference.convolution(volume, weights, bias, size, at, stride, dilation, groups)
    values[made] = applied(epilogue.root, total, rows, tables)
    return made


@st.composite
def orders(draw: st.DrawFn, network: Network) -> list[Unit]:
    """Any order in which all rows of a network can be made."""
    made_by = writers(network)
    waiting: dict[Unit, int] = {}
    readers: dict[Unit, list[Unit]] = {}
    for number, layer in enumerate(network.layers):
        for y in range(layer.size[0]):
            needed = {
                unit
                for look in layer.looks
                for row in look.rows(y)
                for unit in made_by.get((look.map, row), [])
            }  # fmt: skip
            waiting[number, y] = len(needed)
            for unit in needed:
                readers.setdefault(unit, []).append((number, y))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    downward = draw(st.booleans())
    ready = [unit for unit, count in waiting.items() if not count]
    order: list[Unit] = []
    while ready:
        if downward:  # each layer from the top down, so that rings can be short
            first: dict[int, int] = {}
            for number, y in ready:
                first[number] = min(y, first.get(number, y))
            choice = ready.index((number := int(rng.choice(list(first))), first[number]))
        else:
            choice = int(rng.integers(len(ready)))
        unit = ready.pop(choice)
        order.append(unit)
        for reader in readers.get(unit, []):
            waiting[reader] -= 1
            if not waiting[reader]:
                ready.append(reader)
    return order
