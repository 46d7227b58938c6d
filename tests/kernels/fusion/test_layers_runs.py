"""Cuts of a network by what rows and weights take."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.fusion.layers import Look, Map
from kernels.fusion.layers_runs import chosen_cuts, map_bytes, row_bytes, stretches
from kernels.fusion.layers_schedule import pulled, schedule
from tests.kernels.fusion.layers_made import Net, chain, nets


@settings(max_examples=60)
@given(net=nets(), room=st.sampled_from((1e3, 3e4, 3e5, 1e9)), threads=st.integers(1, 4))
def test_no_cuts_cost_less(net: Net, room: float, threads: int):
    n = len(net.layers)
    cost = {
        cuts: sum(one.seconds(room, threads) for one in stretches(net, cuts, room))
        for size in range(n) for cuts in combinations(range(1, n), size)
    }  # fmt: skip
    chosen = chosen_cuts(net, room, threads)
    least = min(cost.values())
    assert cost[chosen] == pytest.approx(least)
    assert len(chosen) <= min(len(cuts) for cuts, seconds in cost.items() if seconds <= least)


@settings(max_examples=80)
@given(net=nets(), cut=st.integers(1, 6))
def test_the_rows_at_hand_are_about_those_of_the_schedule(net: Net, cut: int):
    cuts = [cut] if cut < len(net.layers) else []
    for (first, last), one in zip(zip([0, *cuts], [*cuts, len(net.layers)], strict=True), stretches(net, cuts),
                                  strict=True):  # fmt: skip
        rings = schedule(net, [[pulled(net, cuts)]]).rings
        looked = {look.map for layer in net.layers[first:last] for look in layer.looks}
        inside = [m for m in range(first + 1, last + 1) if m in looked]
        counted = sum(rings[m][0].rows * row_bytes(net.maps[m]) for m in inside)
        assert one.weights == sum(layer.weight_bytes for layer in net.layers[first:last])
        assert one.rings <= sum(map_bytes(net.maps[m]) for m in inside)
        if {look.map for layer in net.layers[last:] for look in layer.looks} & set(inside):
            continue  # they stand whole
        assert one.rings <= 2.5 * counted
        if {look.map for layer in net.layers for look in layer.looks} >= set(range(1, len(net.layers))):
            assert counted <= 2.5 * one.rings + sum(2 * row_bytes(net.maps[m]) for m in inside)


def test_of_a_chain_the_rows_are_counted_exactly():
    net = chain()
    (one,) = stretches(net, ())
    assert one.rings == (1 + 5) * row_bytes(net.maps[1])
    assert one.moved == map_bytes(net.maps[0]) + map_bytes(net.maps[3])
    assert 0 < one.twice < 1e-7  # four rows, of which nothing is computed
    first, second = stretches(net, (2,))
    assert first.rings == row_bytes(net.maps[1])
    assert second.rings == 0
    assert first.moved == map_bytes(net.maps[0]) + map_bytes(net.maps[2])
    assert second.moved == map_bytes(net.maps[2]) + map_bytes(net.maps[3])


def weighty() -> Net:
    """Two layers of many rows and large weights, between maps of a few kilobytes."""
    net = Net([Map(64, 4, 8, 8, kept=True)])
    middle = net.layer((64, 4), Look(0), macs=1000, weights=700_000)
    last = net.layer((64, 4), Look(middle), macs=1000, weights=700_000)
    net.maps[last].kept = True
    return net


def test_weights_that_do_not_fit_together_are_cut():
    net = weighty()
    assert chosen_cuts(net, 1e6) == (1,)
    assert chosen_cuts(net, 2e6) == ()  # all stays near


def test_threads_cut_where_rows_would_be_made_twice():
    net = Net([Map(64, 64, 8, 8, kept=True)])
    now = 0
    for _ in range(12):
        now = net.layer((64, 64), Look(now, (3, 3), (-1, -1)), macs=3_000_000, weights=100)
    net.maps[now].kept = True
    assert chosen_cuts(net, 1e9) == ()
    assert len(chosen_cuts(net, 1e9, 2)) > 3
    for layer in net.layers:
        layer.macs = 100  # what is made twice is less than a wait
    assert chosen_cuts(net, 1e9, 2) == ()
