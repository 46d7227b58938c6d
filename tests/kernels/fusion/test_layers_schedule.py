"""Orders in which rows of layers are made, and the memory that they need."""

from __future__ import annotations

import pytest

from kernels.errors import DefinitionError
from kernels.fusion.layers import Look, Map, Place
from kernels.fusion.layers_schedule import NO_ROW, pulled, schedule, striped
from tests.kernels.fusion.layers_made import Net, chain


def test_a_fused_pair_needs_a_ring_of_one_row():
    net = chain()
    assert [ring.rows for (ring,) in schedule(net, [[pulled(net)]]).rings] == [32, 1, 5, 28]
    assert [ring.rows for (ring,) in schedule(net, [[pulled(net, range(1, 3))]]).rings] == [32, 32, 32, 28]
    assert [ring.rows for (ring,) in schedule(net, [[pulled(net, [2])]]).rings] == [32, 1, 32, 28]


def test_layer_by_layer_and_streamed_orders_hold_the_same_rows():
    net = chain()
    by_layer = pulled(net, range(1, 3))
    assert by_layer == [(n, y) for n in range(3) for y in range(net.layers[n].size[0])]
    assert sorted(pulled(net)) == by_layer
    assert pulled(net)[:4] == [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_rows_are_made_together_where_they_are_needed():
    net = chain()
    three = 3 * net.maps[1].row_bytes
    order = pulled(net, (), three)
    assert [unit for unit in order if unit[0] < 2][:9] == [*((0, y) for y in range(3)), *((1, y) for y in range(3)),
                                                           *((0, y) for y in range(3, 6))]  # fmt: skip
    assert sorted(order) == sorted(pulled(net))
    assert [ring.rows for (ring,) in schedule(net, [[order]]).rings] == [32, 3, 7, 28]
    assert pulled(net, range(1, 3), three) == pulled(net, range(1, 3))
    for plain, strip in zip(striped(net, (), 2)[0], striped(net, (), 2, three)[0], strict=True):
        assert sorted(plain) == sorted(strip)


def test_rows_may_be_made_several_at_a_time():
    """Four of ten rows, the last two alone; who looks at three of them is never before them."""
    net = Net([Map(10, 20, 8, 8, kept=True)])
    made = net.layer((3, 20), Look(0, (4, 1), stride=(4, 1)))
    net.maps[made] = Map(10, 20, 8, 8)
    net.layers[0].place = Place(made, together=4, count=10)
    last = net.layer((10, 20), Look(made, (3, 1), (-1, 0)))
    net.maps[last].kept = True
    order = pulled(net)
    assert order[:6] == [(0, 0), (1, 0), (1, 1), (1, 2), (0, 1), (1, 3)]
    table = schedule(net, [[order]])
    assert [ring.rows for (ring,) in table.rings] == [10, 6, 10]  # the next four, and two that are still looked at
    assert table.words == (1 + 4 + 4, 1 + 1 + 3)
    (steps,), ring = table.steps[0], table.rings[made][0]
    ends = steps.tolist()
    assert ends[:5] == [0, *(ring.place(y) for y in range(4))]
    third = 2 * table.words[0] + 7 * table.words[1]
    assert ends[third : third + 5] == [0, ring.place(8), ring.place(9), NO_ROW, NO_ROW]
    upper, lower = striped(net, (), 2)[0]
    assert [y for n, y in upper if n == 0] == [0, 1]
    assert [y for n, y in lower if n == 0] == [1, 2]
    assert Place(0, (1, 0), (2, 1), together=4, count=10).rows(2) == [17, 19]


def test_what_leaves_is_made_though_who_looks_at_it_sees_but_its_edge():
    net = chain()
    net.maps[2].bank = 1
    net.layers[2].looks = (Look(2, at=(32, 0)),)
    assert [y for n, y in pulled(net) if n == 1] == list(range(32))


def test_a_step_names_its_layer_its_row_and_the_rows_that_it_looks_at():
    net = chain()
    made = schedule(net, [[pulled(net)]])
    assert made.words == (5, 3, 7)
    (first,), (second,), (third,), _ = made.rings
    ((steps,),), size = made.steps, first.size
    rows = [first.edge, first.offset, first.offset + size]
    assert steps[:5].tolist() == [0, second.offset, *(row - 8 for row in rows)]
    assert steps[5:8].tolist() == [1, third.offset, second.offset]
    assert first.left == 1
    assert first.size >= (1 + 20 + 1) * 8


def test_strips_of_a_phase_make_what_they_need_and_no_more():
    net = chain()
    (upper, lower) = striped(net, (), 2)[0]
    assert [y for n, y in upper if n == 2] == list(range(14))
    assert [y for n, y in lower if n == 2] == list(range(14, 28))
    assert [y for n, y in upper if n == 0] == list(range(18))  # 5 rows of the middle: four more than the own
    assert [y for n, y in lower if n == 0] == list(range(14, 32))
    made = schedule(net, [[upper, lower]])
    own = made.rings[2]
    assert [ring.rows for ring in own] == [5, 5]
    places = [{ring.place(y) for y in range(32)} for ring in own]
    assert not places[0] & places[1]
    assert made.rings[3][0] == made.rings[3][1]  # what is kept is of all strips


def test_of_a_phase_with_a_cut_nothing_is_made_twice():
    net = chain()
    phases = striped(net, (1, 2), 3)
    assert [len(phase) for phase in phases] == [3, 3, 3]
    units = [unit for phase in phases for order in phase for unit in order]
    assert sorted(units) == sorted(pulled(net))
    made = schedule(net, phases)
    assert [ring[0].rows for ring in made.rings] == [32, 32, 32, 28]


def test_a_strip_does_not_wait_for_another():
    net = chain()
    (upper, lower) = striped(net, (2,), 2)[0]
    first = striped(net, (2,), 2)[1]
    with pytest.raises(DefinitionError, match="before it is made"):
        schedule(net, [[upper, []], first])
    with pytest.raises(DefinitionError, match="before it is made"):
        schedule(net, [[upper, [unit for unit in lower if unit[0] != 0]], first])


def test_what_stands_beyond_a_map_is_filled():
    net = chain()
    net.maps[0].outside = -1.0
    made = schedule(net, [[pulled(net)]])
    beyond = {offset + k for offset, count, value, _ in made.fills for k in range(count) if value == -1.0}
    (ring,) = made.rings[0]
    assert set(range(ring.edge - 8, ring.edge + 21 * 8)) <= beyond
    inside = {ring.place(y) + k for y in range(32) for k in range(20 * 8)}
    assert not inside & beyond
    assert all({ring.place(y) - 1, ring.place(y) + 20 * 8} <= beyond for y in range(32))


def test_a_schedule_that_cannot_be_is_refused():
    net = Net([Map(4, 4, 8, 8, kept=True)])
    middle = net.layer((4, 4), Look(0))
    net.layer((4, 4), Look(middle))
    with pytest.raises(DefinitionError, match="before it is made"):
        schedule(net, [[pulled(net)[::-1]]])
    net.maps.append(Map(4, 4, 8, 8, bank=1))
    net.layer((4, 4), Look(3, (3, 3), (-1, -1)))
    with pytest.raises(DefinitionError, match="copy it"):
        schedule(net, [[pulled(net)]])
    large = Net([Map(1 << 14, 1 << 14, 8, 8, kept=True)])
    large.layer((1, 1), Look(0))
    with pytest.raises(DefinitionError, match="8 GB"):
        schedule(large, [[pulled(large)]])
