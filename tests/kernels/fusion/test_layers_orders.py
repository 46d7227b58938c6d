"""Ways through networks: the best of all chains of down-sets, whatever the order of the layers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.fusion import layers_orders
from kernels.fusion.down_sets import bits
from kernels.fusion.layers import Look, Map
from kernels.fusion.layers_orders import chosen
from kernels.fusion.layers_runs import Core, Runs, chosen_cuts, stretches
from kernels.fusion.layers_schedule import pulled, schedule, striped
from tests.kernels.fusion.layers_made import Net, nets

TWO = Core(1e9, 1e9)
"""A core on which nothing counts but work, waits, and rows that are made twice."""


def seconds(net: Net, runs: Runs, core: Core, threads: int) -> float:
    return sum(one.seconds(core, threads) for one in stretches(net, runs.cuts, core, runs.order))


def ways(net: Net) -> Iterator[Runs]:
    """All chains of down-sets."""
    n = len(net.layers)
    makers = {layer.place.map: 1 << k for k, layer in enumerate(net.layers)}
    before = [sum({makers[look.map] for look in layer.looks if look.map in makers}) for layer in net.layers]

    def further(done: int, groups: list[int]) -> Iterator[Runs]:
        if done == (1 << n) - 1:
            order = [t for group in groups for t in bits(group)]
            sizes = [group.bit_count() for group in groups]
            yield Runs(tuple(order), tuple(sum(sizes[: k + 1]) for k in range(len(sizes) - 1)))
            return
        free = [t for t in range(n) if not done >> t & 1]
        for chosen_ones in range(1, 1 << len(free)):
            group = sum(1 << free[k] for k in bits(chosen_ones))
            if all(not before[t] & ~(done | group) for t in bits(group)):
                yield from further(done | group, [*groups, group])

    yield from further(0, [])


@settings(max_examples=30)
@given(net=nets(8), room=st.sampled_from((1e3, 3e4, 3e5, 1e9)), threads=st.integers(1, 3))
def test_no_order_and_no_cuts_take_less(net: Net, room: float, threads: int) -> None:
    """All ways through most of the networks; of those that have more, so many."""
    core = Core(room, room / 16)
    found = chosen(net, core, threads)
    least = min(seconds(net, way, core, threads) for way in islice(ways(net), 1000))
    assert seconds(net, found, core, threads) <= least * (1 + 1e-9)
    assert found.gap == 0
    assert sorted(found.order) == list(range(len(net.layers)))


def test_rows_that_strips_make_twice_cost_one_thread_nothing() -> None:
    """Two ends of a trunk of wide windows, whose heavy layers are best in other stretches than by their numbers."""
    net = Net([Map(16, 16, 8, 8, kept=True)])
    size, wide = (16, 16), ((5, 5), (-2, -2))
    net.layer(size, Look(0), weights=64)
    heavy = net.layer(size, Look(1), weights=400_000)
    working = net.layer(size, Look(heavy), Look(1), slots=100_000, weights=64)
    trunk = net.layer(size, Look(working, *wide), Look(1), weights=64)
    small = net.layer((8, 8), Look(trunk, *wide, (2, 2)), weights=64)
    other = net.layer(size, Look(trunk, *wide), Look(1), weights=400_000)
    net.layer((8, 8), Look(other, stride=(2, 2)), Look(small), weights=64)
    net.maps[net.layer(size, Look(other), weights=64)].kept = True
    core = Core(3e5, 3e5 / 16)
    found = chosen(net, core)
    assert found.gap == 0
    assert seconds(net, found, core, 1) <= min(seconds(net, way, core, 1) for way in ways(net)) * (1 + 1e-9)


def branches(lengths: tuple[int, ...], slots: float = 200_000.0, trunk: int = 0) -> Net:
    """Branches of one picture, one after another by their numbers, whose rows are made twice by two threads."""
    net = Net([Map(64, 64, 8, 8, kept=True)])
    root = 0
    for _ in range(trunk):
        root = net.layer((64, 64), Look(root, (3, 3), (-1, -1)), slots=slots, weights=100)
    for length in lengths:
        now = root
        for _ in range(length):
            now = net.layer((64, 64), Look(now, (3, 3), (-1, -1)), slots=slots, weights=100)
        net.maps[now].kept = True
    return net


def test_branches_that_wait_together_wait_less() -> None:
    """By their numbers a branch is gone through before the next begins: twice as many waits."""
    net = branches((6, 6))
    straight = Runs(tuple(range(12)), chosen_cuts(net, TWO, 2))
    found = chosen(net, TWO, 2)
    assert found.gap == 0
    assert len(found.cuts) == 5 < len(straight.cuts)
    assert seconds(net, found, TWO, 2) < seconds(net, straight, TWO, 2)
    assert {tuple(sorted(t % 6 for t in group)) for group in found.groups} == {(k, k) for k in range(6)}
    assert chosen(net, TWO, 1) == Runs(straight.order, ())  # one thread waits for nobody


def test_any_order_is_a_schedule() -> None:
    net = branches((3, 2, 4))
    found = chosen(net, TWO, 2)
    assert found.order != tuple(range(9))
    made = schedule(net, striped(net, found.cuts, 2, 0.0, found.order))
    assert len(made.steps) == len(found.groups)
    assert sorted(pulled(net, found.cuts, 0.0, found.order)) == sorted(pulled(net))


def test_where_there_are_too_many_the_gap_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    net = branches((4, 4, 4), 20_000.0)
    exact = chosen(net, TWO, 2)
    assert exact.gap == 0
    steps = {}
    for factor in (1, 0.5):
        monkeypatch.setattr(layers_orders, "STEPS", 60 * factor)
        found = chosen(net, TWO, 2)
        steps[factor] = found.gap
        least = seconds(net, found, TWO, 2) / (1 + found.gap)
        assert least <= seconds(net, exact, TWO, 2) * (1 + 1e-9)
    assert steps[0.5] > 0
    assert math.isfinite(steps[0.5])


@pytest.mark.parametrize(("factor", "gap"), [(1.0, 0.0), (0.5, 0.01)])
def test_the_search_ends_after_half_a_second_of_a_core(
    factor: float, gap: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best of these takes 16,000 stretches; with half of `STEPS` it is known that no way is better by 1 %."""
    monkeypatch.setattr(layers_orders, "STEPS", layers_orders.STEPS * factor)
    assert chosen(branches((4, 4, 4, 4), 2000.0), TWO, 2).gap == pytest.approx(gap, rel=0.01)


@pytest.mark.parametrize(("lengths", "shares"), [((4,) * 32, [0.01, 0.0]), ((4,) * 33, [0.01])])
def test_of_more_than_128_layers_a_close_way_is_enough(
    lengths: tuple[int, ...], shares: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    search = layers_orders._Search(branches(lengths, 2000.0), TWO, 1)
    monkeypatch.setattr(search, "atleast", lambda _: 0.0)
    limits: list[float] = []

    def below(limit: float) -> float:
        limits.append(limit)
        return limit

    monkeypatch.setattr(search, "_below", below)
    found = search.best()
    assert [search.upper / limit - 1 for limit in limits] == pytest.approx(shares, abs=1e-6)
    assert found.gap == pytest.approx(shares[-1], abs=1e-6)


def test_in_long_networks_a_stretch_counts_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 600 layers each counts for three, and each down-set for two: a third as many are looked at."""
    looked = [0]
    add = layers_orders.Growing.add

    def counted(growing: layers_orders.Growing, number: int) -> None:
        looked[0] += 1
        add(growing, number)

    net = Net([Map(4, 4, 8, 8, kept=True)])
    for _ in range(300):
        net.layer((4, 4), Look(0), weights=len(net.maps))
        net.layer((4, 4), Look(len(net.maps) - 1))
    monkeypatch.setattr(layers_orders, "STEPS", 2400)
    search = layers_orders._Search(net, TWO, 1)
    monkeypatch.setattr(layers_orders.Growing, "add", counted)
    assert search._below(1.0) == 0.0
    assert search.steps == pytest.approx(2400, rel=0.01)
    assert looked[0] == pytest.approx(800, rel=0.1)


def test_of_long_chains_short_stretches_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer ones make no fewer rows twice than the short ones in them together: the limit stays below what they take,
    and by less than half."""
    added = [0]
    add = layers_orders.Growing.add

    def counted(growing: layers_orders.Growing, number: int) -> None:
        added[0] += 1
        add(growing, number)

    monkeypatch.setattr(layers_orders.Growing, "add", counted)
    search = layers_orders._Search(branches((40,), 500.0), TWO, 2)
    whole = layers_orders._Chain(range(40), search, math.inf)
    assert added[0] == 40 * 41 / 2
    monkeypatch.setattr(layers_orders, "LOOKS", 0)
    monkeypatch.setattr(layers_orders, "FEW", 10)
    short = layers_orders._Chain(range(40), search, math.inf)
    assert added[0] < 40 * 41 / 2 + 40 * 10
    for j, exact in enumerate(whole.best):
        assert 0.5 * exact <= short.best[j] <= exact * (1 + 1e-9)
        for k in range(j):
            assert short.longer((1 << j) - 1, (1 << k) - 1) <= whole.longer((1 << j) - 1, (1 << k) - 1) * (1 + 1e-9)


def test_of_every_branch_a_chain_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of half of them half as many stretches more are."""
    counted = {}
    for count in (layers_orders.CHAINS, layers_orders.CHAINS // 2):
        monkeypatch.setattr(layers_orders, "CHAINS", count)
        search = layers_orders._Search(branches((4, 4, 5), 20_000.0, 4), TWO, 2)
        assert search.best().gap == 0
        counted[count] = search.steps
    assert counted[2] > 1.4 * counted[4]


def test_no_layers_have_a_way() -> None:
    assert chosen(Net(), TWO) == Runs((), ())
