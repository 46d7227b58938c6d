"""The cheapest partition of a graph, against all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.fusion.down_sets import Rules, bits, down_sets, in_order


def partitions(before: list[int], ideal: int = 0) -> Iterator[list[int]]:
    """Every partition into groups that can run one after another, and some of them in several orders."""
    rest = (1 << len(before)) - 1 & ~ideal
    if not rest:
        yield []
    group = rest
    while group:
        if all(not before[t] & ~(ideal | group) for t in bits(group)):
            for more in partitions(before, ideal | group):
                yield [group, *more]
        group = group - 1 & rest


@st.composite
def graphs(draw: st.DrawFn, most: int = 6) -> list[int]:
    count = draw(st.integers(1, most))
    return [draw(st.integers(0, (1 << t) - 1)) for t in range(count)]


def spent(groups: list[int], cost: Callable[[int], float], rules: Rules) -> float:
    weights = rules.weights or (1,) * 8
    for group in groups:
        members = list(bits(group))
        if sum(weights[t] for t in members) > rules.longest or any(rules.apart[t] & group for t in members):
            return math.inf
    return sum(cost(group) if rules.together(group) else math.inf for group in groups)


@settings(max_examples=40, deadline=None)
@given(graphs(), st.integers(0, 99), st.data())
def test_no_partition_is_cheaper(before: list[int], seed: int, data: st.DataObject) -> None:
    count = len(before)
    costs = np.random.default_rng(seed).exponential(size=1 << count).round(2)
    apart, linked = [0] * count, [0] * count
    for pairs in (apart, linked):
        for a, b in data.draw(st.lists(st.tuples(*[st.integers(0, count - 1)] * 2), max_size=6)):
            if a != b:
                pairs[a] |= 1 << b
                pairs[b] |= 1 << a
    weights = data.draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    rules = Rules(data.draw(st.integers(3, 12)), weights, apart, linked if any(linked) else ())
    asked: list[int] = []

    def cost(group: int, limit: float) -> float:
        asked.append(group)
        return float(costs[group]) if costs[group] < limit else (limit + float(costs[group])) / 2

    least = [float(c) * data.draw(st.sampled_from((0.0, 0.7, 1.0))) for c in costs]
    sets = down_sets(before, rules)
    assert sets is not None
    found = sets.cheapest(cost, least.__getitem__)
    assert found.cost == pytest.approx(min(spent(g, costs.__getitem__, rules) for g in partitions(before)))
    assert sum(found.groups) == (1 << count) - 1  # all, and nothing twice
    assert spent(list(found.groups), costs.__getitem__, rules) == pytest.approx(found.cost)
    assert list(found.groups) in list(partitions(before))


def test_what_is_too_wide_goes_in_its_order() -> None:
    before = [0] * 13
    cost = lambda group, _: 1.0 + group.bit_count() ** 2  # noqa: E731
    assert down_sets(before, Rules(12)) is None
    assert in_order(13, cost, 12).cost == 26.0
    few = down_sets(before[:5], Rules(12))
    assert few is not None
    assert few.cheapest(lambda group, _: math.inf if group & 2 else 1.0).groups == ()
