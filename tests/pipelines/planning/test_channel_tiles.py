"""Layers in tiles of rows, columns and channels: what moves is what loops that are walked load, and none move less."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.fusion.models.layer import Layer
from pipelines.planning.channel_tiles import LOOPS, SUM, ChannelTiles, best, tileable


def layer(
    size: tuple[int, int], channels: int, given: int, taps: int = 3, stride: int = 1, kind: str = "conv"
) -> Layer:
    weights = channels * taps**2 * (1 if kind == "DW" else given)
    seen = size[0] * stride, size[1] * stride
    return Layer("", kind, (), seen, given, size, channels, (taps, taps), (stride, stride), weights)


def walked(one: Layer, tile: tuple[int, ...], order: str, data: int, weights: int) -> tuple[float, float]:
    """(bytes moved, bytes held) of loops that are gone through, loading where something else is needed at a place."""
    alone = one.kind == "DW"
    full = dict(zip(LOOPS, (*one.size, one.channels, 1 if alone else one.channels_in), strict=True))
    own = dict(zip(LOOPS, tile, strict=True))
    turns = [range(-(-full[loop] // own[loop])) for loop in order]

    def extent(loop: str, at: dict[str, int], outside: str) -> int:
        """How long a loop's range is that stands at a place."""
        return min(own[loop], full[loop] - at[loop] * own[loop]) if loop in outside else full[loop]

    moved, held, loaded = 0.0, 0.0, [None, None]
    seen_sums: set[tuple[int, ...]] = set()
    for indices in itertools.product(*turns):
        at = dict(zip(order, indices, strict=True))
        for what, place in enumerate((data, weights)):
            here = indices[:place]
            if here != loaded[what]:
                loaded[what] = here
                outside = order[:place]
                if what:
                    moved += 4 * math.prod(one.taps) * extent("o", at, outside) * extent("i", at, outside)
                else:
                    seen = one.seen(extent("y", at, outside), extent("x", at, outside))
                    moved += 4 * math.prod(seen) * extent("o" if alone else "i", at, outside)
        block = tuple(at.get(loop, 0) for loop in "yxo")
        size = math.prod(extent(loop, at, order) for loop in "yxo")
        inner = order[order.index("i") + 1 :] if "i" in order else ""
        last = at.get("i", 0) == len(turns[order.index("i")]) - 1 if "i" in order else True
        if inner or last:
            moved += 4 * size if last else SUM * size
        if inner and block in seen_sums:
            moved += SUM * size
        seen_sums.add(block)
    first = order[data : data + 1]
    spans = [own[loop] if loop in order[:data] or loop == first else full[loop] for loop in "yx"]
    looked = "o" if alone else "i"
    held = 4.0 * math.prod(one.seen(*spans)) * (own[looked] if looked in order[:data] else full[looked])
    held += 4 * math.prod(one.taps) * math.prod(own[loop] if loop in order[:weights] else full[loop] for loop in "oi")
    return moved, held + SUM * own["y"] * own["x"] * own["o"]


def every(one: Layer) -> list[tuple[float, float]]:
    """All tiles, orders and places."""
    sizes = (*one.size, one.channels, 1 if one.kind == "DW" else one.channels_in)
    found = []
    for tile in itertools.product(*(range(1, n + 1) for n in sizes)):
        loops = [loop for loop, n, t in zip(LOOPS, sizes, tile, strict=True) if t < n]
        for order in map("".join, itertools.permutations(loops)):
            for data, weights in itertools.product(range(len(order) + 1), repeat=2):
                found.append(walked(one, tile, order, data, weights))
    return found


@pytest.mark.parametrize("one", [
    layer((3, 2), 3, 2), layer((4, 1), 2, 3, 1), layer((3, 3), 3, 3, 3, 1, "DW"), layer((2, 2), 3, 3, 3, 2),
], ids=["conv", "pointwise", "depthwise", "stride 2"])  # fmt: skip
def test_no_loops_that_are_walked_load_less(one: Layer) -> None:
    ways = every(one)
    for room in sorted({held for _, held in ways})[::5]:
        least = min(moved for moved, held in ways if held <= room)
        made = best(one, 4, 4.0, room)
        assert made is not None
        assert made.held <= room
        assert made.moved == pytest.approx(least)
        assert (made.moved, made.held) == pytest.approx(
            walked(one, made.tile, made.order, made.data_place, made.weights_place))  # fmt: skip
    assert best(one, 4, 4.0, min(held for _, held in ways) - 1) is None


@given(rows=st.integers(1, 30), columns=st.integers(1, 30), channels=st.integers(1, 64), taken=st.integers(1, 64),
       taps=st.sampled_from((1, 3)), room=st.integers(2_000, 60_000))  # fmt: skip
@settings(max_examples=15, deadline=None)
def test_more_room_never_moves_more(rows: int, columns: int, channels: int, taken: int, taps: int, room: int) -> None:
    one = layer((rows, columns), channels, taken, taps)
    smaller, larger = best(one, 4, 4.0, room), best(one, 4, 4.0, 2 * room)
    assert larger is not None or smaller is None
    if smaller is not None and larger is not None:
        assert larger.moved <= smaller.moved
    whole = best(one, 4, 4.0, 1e9)
    assert whole is not None
    assert whole.moved == 4 * (one.ifm + one.weights + one.ofm)  # each once


def test_what_is_grouped_or_transposed_is_left_alone() -> None:
    assert tileable(layer((4, 4), 8, 8))
    assert tileable(layer((4, 4), 8, 8, kind="DW"))
    assert not tileable(replace(layer((4, 4), 8, 8), weights=8 * 9 * 4))
    assert not tileable(replace(layer((4, 4), 8, 8), up=(2, 2)))
    assert isinstance(best(layer((4, 4), 8, 8), 4, 4.0, 4000), ChannelTiles)
