"""Cuts of a network by what rows and weights take."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.fusion import layers_runs
from kernels.fusion.layers import Look, Map
from kernels.fusion.layers_orders import runs_of
from kernels.fusion.layers_runs import (
    START,
    TOGETHER,
    WAIT,
    Core,
    Edge,
    Stretch,
    chosen_cuts,
    map_bytes,
    stretches,
)
from kernels.fusion.layers_schedule import pulled, schedule
from tests.kernels.fusion.layers_made import Net, chain, nets

CORE = Core(1e6)


@settings(max_examples=50)
@given(net=nets(), room=st.sampled_from((1e3, 3e4, 3e5, 1e9)), threads=st.integers(1, 4))
def test_no_cuts_cost_less(net: Net, room: float, threads: int):
    n = len(net.layers)
    core = Core(room, room / 16)
    known: dict[tuple[int, int], float] = {}  # a stretch takes what it takes, whatever is cut elsewhere

    def seconds(cuts: tuple[int, ...]) -> float:
        return sum(known[part] for part in pairwise((0, *cuts, n)))

    for first, end in combinations(range(n + 1), 2):
        cuts = [cut for cut in (first, end) if 0 < cut < n]
        known[first, end] = stretches(net, cuts, core)[first > 0].seconds(core, threads)
    cost = {cuts: seconds(cuts) for size in range(n) for cuts in combinations(range(1, n), size)}
    chosen = chosen_cuts(net, core, threads)
    least = min(cost.values())
    assert cost[chosen] == pytest.approx(least)
    assert len(chosen) <= min(len(cuts) for cuts, seconds in cost.items() if seconds <= least)


@settings(max_examples=80)
@given(net=nets(), cut=st.integers(1, 6))
def test_the_rows_at_hand_are_about_those_of_the_schedule(net: Net, cut: int):
    cuts = [cut] if cut < len(net.layers) else []
    for (first, last), one in zip(zip([0, *cuts], [*cuts, len(net.layers)], strict=True), stretches(net, cuts, CORE),
                                  strict=True):  # fmt: skip
        rings = schedule(net, [[pulled(net, cuts, CORE.together)]]).rings
        looked = {look.map for layer in net.layers[first:last] for look in layer.looks}
        inside = [m for m in range(first + 1, last + 1) if m in looked]
        counted = sum(rings[m][0].rows * net.maps[m].row_bytes for m in inside)
        assert one.weights == sum(layer.weight_bytes for layer in net.layers[first:last])
        assert one.rings <= sum(map_bytes(net.maps[m]) for m in inside)
        if {look.map for layer in net.layers[last:] for look in layer.looks} & set(inside):
            continue  # they stand whole
        assert one.rings <= 2.5 * counted
        if {look.map for layer in net.layers for look in layer.looks} >= set(range(1, len(net.layers))):
            assert counted <= 2.5 * one.rings + sum(2 * net.maps[m].row_bytes for m in inside)


def test_of_a_chain_the_rows_are_counted_exactly():
    net = chain()
    for layer in net.layers:
        layer.slots = 1
    core = Core(1e6, 0.0)  # rows are made one by one
    (one,) = stretches(net, (), core)
    assert one.rings == (1 + 5) * net.maps[1].row_bytes
    assert one.moved == map_bytes(net.maps[0]) + map_bytes(net.maps[3])
    assert one.twice == 4  # of two layers four rows, two in the mean of the strips
    assert one.slots == 32 + 32 + 28
    row, size = net.maps[1].row_bytes, map_bytes(net.maps[1])
    assert one.passing == {32: ((1 + 5) * row, 2 * size), 28: (0, 4 * size)}  # nothing for the weights, which are none
    assert [one.rest for one in stretches(net, (2,), core)] == [28 * row, 2 * size]
    first, second = stretches(net, (2,), core)
    assert first.rings == net.maps[1].row_bytes
    assert second.rings == 0
    (three,) = stretches(net, (), Core(1e6, 3 * row / TOGETHER))
    assert three.rings == (1 + 2 + 5 + 2) * row
    assert first.moved == map_bytes(net.maps[0]) + map_bytes(net.maps[2])
    assert second.moved == map_bytes(net.maps[2]) + map_bytes(net.maps[3])


def weighty() -> Net:
    """Two layers of many rows and large weights, between maps of a few kilobytes."""
    net = Net([Map(64, 4, 8, 8, kept=True)])
    middle = net.layer((64, 4), Look(0), slots=1000, weights=700_000)
    last = net.layer((64, 4), Look(middle), slots=1000, weights=700_000)
    net.maps[last].kept = True
    return net


def test_weights_that_do_not_fit_together_are_cut():
    net = weighty()
    assert chosen_cuts(net, Core(1e6, 1.0)) == (1,)
    assert chosen_cuts(net, Core(2e6, 1.0)) == ()  # all stays near


def test_threads_cut_where_rows_would_be_made_twice():
    net = Net([Map(64, 64, 8, 8, kept=True)])
    now = 0
    for _ in range(12):
        now = net.layer((64, 64), Look(now, (3, 3), (-1, -1)), slots=200_000, weights=100)
    net.maps[now].kept = True
    assert chosen_cuts(net, Core(1e9, 1e9)) == ()
    assert len(chosen_cuts(net, Core(1e9, 1e9), 2)) > 3
    for layer in net.layers:
        layer.slots = 10  # what is made twice is less than a wait
    assert chosen_cuts(net, Core(1e9, 1e9), 2) == ()


def test_pairs_are_cut_everywhere_but_between_depthwise_and_pointwise():
    net = Net([Map(8, 8, 8, 8, kept=True)])
    now = 0
    for module in ("conv", "DW", "PW", "PW", "DW", "move", "PW"):
        now = net.layer((8, 8), Look(now), module=module)
    assert runs_of("pairs", net, CORE).cuts == (1, 3, 4, 5, 6)
    assert runs_of("layers", net, CORE).cuts == tuple(range(1, 7))
    assert runs_of("streamed", net, CORE).cuts == ()
    assert runs_of("chosen", net, CORE).cuts == chosen_cuts(net, CORE)
    with pytest.raises(DefinitionError, match="no schedule 'some'; one of layers, pairs, chosen, streamed"):
        runs_of("some", net, CORE)


@pytest.mark.parametrize(("height", "cuts"), [(2000, ()), (20, (1,))])
def test_maps_that_fit_the_cache_are_worth_no_weights_that_come_by_again(height: int, cuts: tuple[int, ...]):
    """Two layers, the weights of each fill the first cache, over maps of 16 kB a row: fused, the map between them is
    never written, but all weights come by again for every row."""
    net = Net([Map(height, 500, 8, 8, kept=True)])
    middle = net.layer((height, 500), Look(0), weights=48_000)
    net.maps[net.layer((height, 500), Look(middle), weights=48_000)].kept = True
    assert chosen_cuts(net, Core(4e6)) == cuts


def test_a_stretch_takes_the_longer_of_its_work_and_what_it_moves():
    core = Core(room=1e6, first=1e5, slots=1e9, near=1e11, shared=1e10)

    def micros(**what: object) -> float:
        return 1e6 * Stretch(**what).seconds(core)

    assert micros(slots=5e4) == pytest.approx(50)
    assert micros(slots=5e4, layers=3) == pytest.approx(50 + 3e6 * START)
    for size, moved in ((1e5, 50), (1.5e5, 50), (4e5, 75), (2e6, 545)):  # what the first cache, the second do not hold
        assert micros(slots=5e4, passing={8: (size, 1e7)}) == pytest.approx(moved, rel=1e-3)
    often, seldom = (9e4, 1e7), (2e5, 1e5)
    assert micros(passing={8: seldom, 64: often}) == pytest.approx(1e6 * (1e5 * 0.95) / 1e11)
    assert micros(passing={8: often, 64: seldom}) > 70  # now it is those of many rows that are many bytes
    assert micros(slots=5e4, weights=9e5, rest=2e5) == pytest.approx(90)
    assert micros(slots=5e4, weights=9e4, rest=1e6, fetched=7e-6) == pytest.approx(57)
    near, gone = Edge(1e4, 2e6, 0, 0), Edge(1e4, 2e6, 2e6, 0)
    assert micros(slots=5e4, edges=(near,)) == pytest.approx(40 + 20)  # moving takes longer than its own work
    assert micros(slots=5e4, edges=(gone,)) == pytest.approx(40 + 200)
    leaving = Edge(1e4, 0, 0, 5e5)
    assert micros(slots=5e4, edges=(leaving,)) == pytest.approx(50)
    assert micros(slots=5e4, edges=(leaving,), rest=6e5) == pytest.approx(40 + 200)  # four times as long as a copy
    two = 1e6 * Stretch(slots=5e4, twice=2e3).seconds(core, 2)
    assert two == pytest.approx(25 + 2 + 1e6 * WAIT)


def test_what_outgrows_the_shared_cache_comes_from_memory_again():
    """Two layers of 64 rows and 700 kB of weights: streamed, all weights come by 63 times more."""
    net = weighty()
    (whole,) = stretches(net, (), CORE)
    core = Core(1e5, 1.0, last=5e5)
    more = whole.seconds(core) - whole.seconds(Core(1e5, 1.0))
    again = whole.beyond(core.room)
    assert again == pytest.approx(63 * 1.4e6, rel=0.1)
    assert more == pytest.approx(again * (1 / core.memory - 1 / core.shared))
    busy = replace(core, slots=1e5)  # it is waited for, however long the work takes; what the shared cache gives is not
    assert whole.seconds(busy) == pytest.approx(whole.slots / 1e5 + again / core.memory, rel=0.01)
    assert whole.seconds(replace(busy, last=math.inf)) == pytest.approx(whole.slots / 1e5, rel=0.01)


def test_the_more_outgrows_the_shared_cache_the_less_is_found_there():
    """Nothing is lost of what is held, half of one and a half times as much, all of twice as much and more."""
    (whole,) = stretches(weighty(), (), CORE)
    shares = [whole.pushed_out(whole.held / times) for times in (0.5, 1.0, 1.25, 1.5, 2.0, 3.0)]
    assert shares == pytest.approx([0, 0, 0.25, 0.5, 1, 1])
    core = Core(1e5, 1.0, slots=1e5, last=whole.held / 1.5)
    late = whole.seconds(core) - whole.seconds(replace(core, last=math.inf))
    assert late == pytest.approx(whole.beyond(core.room) / 2 / core.memory)


def test_memory_gives_what_two_processors_were_seen_to_wait_for():
    """727 MB that come by again: 36 ms on a Sapphire Rapids, the default; 17.5 ms on a Zen 3 that copies 36 GB/s."""
    (whole,) = stretches(weighty(), (), Core(1e5, 1.0, last=5e5))
    scale = 727e6 / whole.beyond(1e5)
    for memory, waited in ((Core(1.0).memory, 36e-3), (36e9, 17.5e-3)):
        core = Core(1e5, 1.0, slots=1e9, last=5e5, memory=memory)
        late = whole.seconds(core) - whole.seconds(replace(core, memory=math.inf))
        assert scale * late == pytest.approx(waited, rel=0.25)


def test_weights_beyond_the_shared_cache_are_cut():
    net = weighty()
    core = Core(1e5, 1.0, last=1e6)
    assert chosen_cuts(net, core) == (1,)
    assert chosen_cuts(net, Core(1e5, 1e5, slots=1e6, last=2e6)) == ()


def test_maps_are_near_while_little_was_made_since():
    """Where two maps fit, the next layer finds a map near; who looks at it one layer later wants room for three."""
    net = Net([Map(50, 64, 8, 8, kept=True)])
    first = net.layer((50, 64), Look(0))
    net.layer((50, 64), Look(net.layer((50, 64), Look(first))), Look(first))
    size = map_bytes(net.maps[first])
    for room, gone in ((1.5 * size, [1, 1, 2]), (2.5 * size, [1, 0, 1]), (1e9, [1, 0, 0])):
        assert [sum(e.gone for e in one.edges) / size for one in stretches(net, (1, 2), Core(room))] == gone


@pytest.mark.parametrize("factor", [1.0, 2.0, 0.5])
def test_a_wait_is_worth_four_microseconds_of_rows_that_are_made_twice(factor: float, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(layers_runs, "WAIT", factor * WAIT)

    def cut(microseconds: float) -> bool:
        net = Net([Map(64, 4, 8, 8, kept=True)])
        middle = net.layer((64, 4), Look(0), slots=1000 * microseconds)
        net.maps[net.layer((64, 4), Look(middle, (3, 1), (-1, 0)))].kept = True
        return chosen_cuts(net, Core(1e9, 1e9, slots=1e9), 2) == (1,)

    assert (cut(5.0) and not cut(3.2)) == (factor == 1)


def test_chosen_cuts_of_long_networks_look_at_so_many_stretches(monkeypatch: pytest.MonkeyPatch):
    """Of up to 200 layers at all; of 1000 at those of 40 layers at most: planning would take minutes else."""
    looked = list[int]()

    def ending(network: Net, end: int, frame: object, core: Core, longest: int) -> Iterator[tuple[int, Stretch]]:
        looked.append(longest)
        return iter([(end - 1, Stretch())])

    monkeypatch.setattr(layers_runs, "_ending", ending)
    for n, longest in ((200, 200), (1000, 40), (10_000, 16)):
        looked.clear()
        net = Net([Map(1, 1, 8, 8, kept=True)])
        for _ in range(n):
            net.layer((1, 1), Look(len(net.maps) - 1))
        chosen_cuts(net, CORE)
        assert set(looked) == {longest}
