"""Orders in which rows of layers are made, and the memory that they need."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from kernels.errors import DefinitionError
from kernels.fusion.layers import Look, Map, Place
from kernels.fusion.layers_schedule import pulled, schedule


@dataclass
class Row:
    size: tuple[int, int]
    place: Place
    looks: tuple[Look, ...]


@dataclass
class Net:
    maps: list[Map] = field(default_factory=list)
    layers: list[Row] = field(default_factory=list)

    def layer(self, size: tuple[int, int], *looks: Look) -> int:
        """A layer and its map of 8 channels."""
        self.maps.append(Map(*size, 8, 8))
        self.layers.append(Row(size, Place(len(self.maps) - 1), looks))
        return len(self.maps) - 1


def chain() -> Net:
    """Depthwise 3x3, pointwise, depthwise 5x1."""
    net = Net([Map(32, 20, 8, 8, kept=True)])
    middle = net.layer((32, 20), Look(0, (3, 3), (-1, -1)))
    wide = net.layer((32, 20), Look(middle))
    last = net.layer((28, 20), Look(wide, (5, 1)))
    net.maps[last].kept = True
    return net


def test_a_fused_pair_needs_a_ring_of_one_row():
    net = chain()
    assert [ring.rows for ring in schedule(net, pulled(net)).rings] == [32, 1, 5, 28]
    assert [ring.rows for ring in schedule(net, pulled(net, range(1, 3))).rings] == [32, 32, 32, 28]
    assert [ring.rows for ring in schedule(net, pulled(net, [2])).rings] == [32, 1, 32, 28]


def test_layer_by_layer_and_streamed_orders_hold_the_same_rows():
    net = chain()
    by_layer = pulled(net, range(1, 3))
    assert by_layer == [(n, y) for n in range(3) for y in range(net.layers[n].size[0])]
    assert sorted(pulled(net)) == by_layer
    assert pulled(net)[:4] == [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_a_step_names_its_layer_its_row_and_the_rows_that_it_looks_at():
    net = chain()
    made = schedule(net, pulled(net))
    assert made.words == (5, 3, 7)
    first, size = made.rings[0], made.rings[0].size
    rows = [first.edge, first.offset, first.offset + size]
    assert made.steps[:5].tolist() == [0, made.rings[1].offset, *(row - 8 for row in rows)]
    assert made.steps[5:8].tolist() == [1, made.rings[2].offset, made.rings[1].offset]
    assert first.left == 1
    assert first.size >= (1 + 20 + 1) * 8


def test_what_stands_beyond_a_map_is_filled():
    net = chain()
    net.maps[0].outside = -1.0
    made = schedule(net, pulled(net))
    beyond = {offset + k for offset, count, value, _ in made.fills for k in range(count) if value == -1.0}
    ring = made.rings[0]
    assert set(range(ring.edge - 8, ring.edge + 21 * 8)) <= beyond
    inside = {ring.place(y) + k for y in range(32) for k in range(20 * 8)}
    assert not inside & beyond
    assert all({ring.place(y) - 1, ring.place(y) + 20 * 8} <= beyond for y in range(32))


def test_a_schedule_that_cannot_be_is_refused():
    net = Net([Map(4, 4, 8, 8, kept=True)])
    middle = net.layer((4, 4), Look(0))
    net.layer((4, 4), Look(middle))
    with pytest.raises(DefinitionError, match="before it is made"):
        schedule(net, pulled(net)[::-1])
    net.maps.append(Map(4, 4, 8, 8, bank=1))
    net.layer((4, 4), Look(3, (3, 3), (-1, -1)))
    with pytest.raises(DefinitionError, match="copy it"):
        schedule(net, pulled(net))
    large = Net([Map(1 << 14, 1 << 14, 8, 8, kept=True)])
    large.layer((1, 1), Look(0))
    with pytest.raises(DefinitionError, match="8 GB"):
        schedule(large, pulled(large))
