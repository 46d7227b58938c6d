"""The way through a network that is predicted to take least, whatever the order of its layers.

A way is a chain of down-sets (sets of layers that hold, with one, all that it needs), and each stretch the difference
of two neighbours; inside it layers come by their numbers. What a stretch takes depends on itself and on which of the
maps that enter it are out of the core's own caches by then, which depends on how much was made since: on the way to it.

1. The best cuts of the layers in their order (`layers_runs.chosen_cuts`) are an upper limit. What every way takes (each
   layer's work, the weights and maps from outside that must be fetched, a wait) is a lower one. On one thread the two
   mostly meet: a network whose maps stay inside is nothing but its work.
2. Else ways that take less than a limit are looked for, from the end: rest(I) = min over J > I of cost(J - I) +
   rest(J), with cost as if of the maps that enter only those were gone that must be, by what certainly comes between. J
   is left where rest(J) and what all other layers take at least reach the limit. On several threads rows are made
   twice, the more the longer a stretch is: how that adds up, with a wait each, is known of *chains* of layers that need
   one another (any way cuts one into pieces one after another) by a small dynamic program of its own, and of a stretch
   no less than of what a chain has in it. A way that takes as much as rest of nothing is the best.
3. Then best first from the beginning (A*): by what a way has taken to a down-set, with what lay how far back, and by
   its rest; of two that reach the same down-set one that took no longer, with every map as near, is enough.

The first limit is `CLOSE` below the best that is known: few down-sets are looked at then, and where nothing is found no
way is better by more. The second, of networks of up to `MOST_EXACT` layers, is the best itself. Where all that takes
more than `STEPS`, the best that was found stands, with the gap to what every way takes at least.

Sources: Held and Karp 1962, Steiner 1990 (see `down_sets`); Hart, Nilsson and Raphael 1968, "A formal basis for the
heuristic determination of minimum cost paths"; labels that dominate others: Martins 1984.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, count

from kernels.errors import DefinitionError
from kernels.fusion.down_sets import Totals, bits
from kernels.fusion.layers_runs import (
    CHOSEN,
    FEW,
    LOOKS,
    SCHEDULES,
    START,
    WAIT,
    WRITTEN,
    Core,
    Frame,
    Gone,
    Growing,
    Ordered,
    Runs,
    Weighed,
    WeighedLayers,
    chosen_cuts,
    looked_bytes,
    pair,
    stretches,
)

CLOSE = 0.01
"""Share by which a way may take longer than the best before the best is looked for: plans are predicted within 25 %."""
MOST_EXACT = 128
"""Layers of a network of which the best is looked for: of more one that is so close is enough, and the gap is told."""
STEPS = 25_000
"""Stretches that are looked at: half a second of a core, as all else that becomes of a network of 100 layers."""
LAYERS_A_STEP = 256
"""Of a network: sets of each so many more make a stretch, and a down-set, take as long as another stretch."""
CHAINS = 4
"""Chains that are looked at for a lower limit."""
ROUNDING = 1e-9
"""Sums in another order differ in the last digits."""


def runs_of(schedule: str, network: WeighedLayers, core: Core, threads: int = 1) -> Runs:
    """The way of one of SCHEDULES.

    Raises:
        DefinitionError: there is no such schedule.
    """
    order = tuple(range(len(network.layers)))
    every = order[1:]
    if schedule == CHOSEN:
        return chosen(network, core, threads)
    match schedule:
        case "layers":
            return Runs(order, every)
        case "pairs":
            return Runs(order, tuple(n for n in every if not pair(network.layers[n - 1], network.layers[n])))
        case "streamed":
            return Runs(order, ())
    raise DefinitionError(f"there is no schedule {schedule!r}; one of {', '.join(SCHEDULES)}")


def chosen(network: WeighedLayers, core: Core, threads: int = 1) -> Runs:
    """The way that takes least.

    Args:
        threads: that share the rows of a frame.
    """
    if not network.layers:
        return Runs((), ())
    return _Search(network, core, threads).best()


@dataclass(order=True, slots=True)
class _Label:
    """A way to a down-set.

    Args:
        limit: what it takes at least to the end.
        number: which was found first.
        ideal: the down-set.
        seconds: that it took.
        since: map -> bytes that were made from its first layer on.
        groups: its stretches.
    """

    limit: float
    number: int
    ideal: int = field(compare=False)
    seconds: float = field(compare=False)
    since: dict[int, float] = field(compare=False)
    groups: tuple[int, ...] = field(compare=False)


class _Search:
    """See the module."""

    def __init__(self, network: WeighedLayers, core: Core, threads: int) -> None:
        self.network, self.core, self.threads = network, core, threads
        self.frame = Frame.of(network)
        self.n = n = len(network.layers)
        self.full = (1 << n) - 1
        self.before = [0] * n
        for t, layer in enumerate(network.layers):
            for look in layer.looks:
                self.before[t] |= self.frame.makers_of.get(look.map, 0) & ((1 << t) - 1)
            if t and _twins(network.layers[t - 1], layer):
                self.before[t] |= 1 << t - 1  # a way with them the other way round takes as long
        self.after = [0] * n  # all layers that need it, however far behind
        self.ahead = [1] * n  # of a layer and those behind it that need one another, the most
        for t in reversed(range(n)):
            for s in bits(self.before[t]):
                self.after[s] |= self.after[t] | 1 << t
                self.ahead[s] = max(self.ahead[s], 1 + self.ahead[t])
        self.bytes = [float(layer.row_bytes * layer.size[0]) for layer in network.layers]
        self.made = Totals(self.bytes)
        self.least = [self._least(t) for t in range(n)]
        self.atleast = Totals(self.least)  # what some layers take in any way, but for waits
        self.wait = WAIT if threads > 1 else 0.0
        self.chains: list[_Chain] = []
        self.steps = 0
        self.known, self.upper = Runs(tuple(range(n)), ()), math.inf
        self.limit = math.inf
        self.rest: dict[int, float] = {}
        self.ways: dict[int, list[int]] = {}  # down-set -> stretches that may follow
        self._since: dict[int, dict[int, float]] = {}  # down-set -> map -> bytes, see `_least_since`
        self._makers: dict[int, list[tuple[int, int, float]]] = {}

    def _least(self, t: int) -> float:
        """What a layer takes in any way."""
        layer, core = self.network.layers[t], self.core
        work = layer.slots * layer.size[0] / core.slots
        crowded = self.frame.weights[-1] > core.room  # whatever is at hand
        fetched = max(0.0, layer.weight_bytes / core.shared - work) if crowded else 0.0
        made, maps = layer.place.map, self.network.maps
        leaves = not self.frame.readers_of.get(made) or maps[made].kept or maps[made].bank
        moved = self.bytes[t] * leaves * (WRITTEN / core.shared if crowded else 1 / core.near)
        given = sum(size for map_, size in looked_bytes(maps, layer).items()
                    if map_ not in self.frame.makers and self.frame.readers_of[map_] == 1 << t)  # fmt: skip
        moved += given / core.shared
        return (work + fetched + max(0.0, moved - work)) / self.threads + START

    def _chains(self) -> list[list[int]]:
        """Layers of which each needs the one before it: to each last layer those of most work, of so many of these."""
        longest, way = [0.0] * self.n, [-1] * self.n
        for t, layer in enumerate(self.network.layers):
            for s in bits(self.before[t]):
                if longest[s] >= longest[t]:
                    longest[t], way[t] = longest[s], s
            longest[t] += layer.slots * layer.size[0]
        found = []
        for t in sorted((t for t in range(self.n) if not self.after[t]), key=longest.__getitem__)[-CHAINS:]:
            chain = [t]
            while way[chain[-1]] >= 0:
                chain.append(way[chain[-1]])
            found.append(chain[::-1])
        return found

    def seconds(self, runs: Runs) -> float:
        """What a way takes."""
        parts = stretches(self.network, runs.cuts, self.core, runs.order)
        return sum(part.seconds(self.core, self.threads) for part in parts)

    def best(self) -> Runs:
        """The best way that can be found; of equals that of the layers as they are numbered."""
        low = self.atleast(self.full) + self.wait
        for order in self._orders():
            layers = [self.network.layers[k] for k in order]
            self._take(Runs(order, chosen_cuts(Ordered(self.network.maps, layers), self.core, self.threads)))
            if self.upper <= low * (1 + ROUNDING):
                return self.known
        if self.threads > 1:
            self.chains = [_Chain(tasks, self, self.upper - low + self.wait) for tasks in self._chains()]
            low += self._more(self.full) - self.wait
        for share in (CLOSE, 0.0) if self.n <= MOST_EXACT else (CLOSE,):
            limit = self.upper / (1 + share) * (1 - ROUNDING)
            if limit > low:
                low = max(low, self._below(limit))
                if low < limit:
                    break
        gap = self.upper / low - 1
        return replace(self.known, gap=gap) if gap > 2 * ROUNDING else self.known

    def _take(self, runs: Runs) -> None:
        """A way that takes less than what is known is what is known from now on."""
        if (took := self.seconds(runs)) < self.upper * (1 - ROUNDING):
            self.known, self.upper = runs, took

    def _below(self, limit: float) -> float:
        """Look for ways that take less than a limit; returns what every way takes at least: the limit where there is
        none, what the best takes where it is found, less where that takes too long."""
        self.limit, self.rest, self.ways = limit, {self.full: 0.0}, {}
        if not self._backwards():
            return 0.0
        low = self.rest.get(0, limit)
        if low >= limit:
            return limit
        self._take(self._runs(self._straight()))
        if self.upper <= low * (1 + ROUNDING):
            return low
        found, certain = self._forwards()
        if found is None:
            return limit if certain else low
        self._take(self._runs(found))
        return self.upper

    def _orders(self) -> Iterator[tuple[int, ...]]:
        """As the layers are numbered; and each as late as it can be, so that branches end together."""
        numbered = tuple(range(self.n))
        yield numbered
        late = tuple(sorted(numbered, key=lambda t: (-self.ahead[t], t)))
        if late != numbered:
            yield late

    def _runs(self, groups: Sequence[int]) -> Runs:
        order: list[int] = []
        cuts = []
        for group in groups:
            cuts.append(len(order))
            order += bits(group)
        return Runs(tuple(order), tuple(cuts[1:]))

    def _backwards(self) -> bool:
        """The rest of every down-set that may be on a better way; False where that takes too long."""
        waiting: list[set[int]] = [set() for _ in range(self.n + 1)]
        waiting[self.n].add(self.full)
        for size in range(self.n, 0, -1):
            for ideal in waiting[size]:
                room = self.limit - self.rest[ideal] - self.atleast(ideal)
                if room <= self._more(ideal):
                    continue
                for before, group in self._ending(ideal, room):
                    self.ways.setdefault(before, []).append(group)
                    waiting[before.bit_count()].add(before)
                if self.steps > STEPS:
                    return False
        return True

    def _ending(self, ideal: int, room: float) -> Iterator[tuple[int, int]]:
        """The stretches that end with a down-set, and what is before: `rest` of that is what it can be by them.

        Args:
            room: seconds that it and what is before may take longer than their layers take in any way.
        """
        growing, behind = Growing(self.network, self.frame, self.core), self.rest[ideal]
        inside = [after & ideal for after in self.after]
        self.steps += self.n // LAYERS_A_STEP
        # (layer to add, those that could be added then, what the stretch takes at least), or one to take away
        ends = sum(1 << t for t in bits(ideal) if not inside[t])
        waiting: list[tuple[int, int, float]] = [(t, ends, self.wait) for t in bits(ends)]
        while waiting:
            t, could, least = waiting.pop()
            if t < 0:
                growing.drop()
                continue
            growing.add(t)
            waiting.append((-1, 0, 0.0))
            self.steps += 1 + self.n // LAYERS_A_STEP
            if self.steps > STEPS:
                return
            group = growing.members
            before = ideal ^ group
            own = growing.twice / self.core.slots + self.wait if self.threads > 1 else 0.0
            if self.chains and (own >= room or any(c.longer(ideal, before) >= room for c in self.chains)):
                continue
            least += self.least[t]
            if own + self._more(before) < room:
                known = self.rest.get(before, math.inf)
                if behind + least + own - self.wait < known:
                    took = growing.stretch(self._nearest(before)).seconds(self.core, self.threads)
                    self.rest[before] = min(known, behind + took)
                yield before, group
            for s in bits(self.before[t]):
                if not inside[s] & ~group:
                    could |= 1 << s
            could &= (1 << t) - 1
            waiting += [(s, could, least) for s in bits(could)]

    def _more(self, ideal: int) -> float:
        """By how much a way to a down-set takes longer, at least, than its layers take in any way."""
        return max((chain.best[(ideal & chain.members).bit_count()] for chain in self.chains), default=0.0)

    def _nearest(self, before: int) -> Gone:
        """Of the maps that are looked at first behind a down-set those that are gone in any way to it."""
        made = self._since.setdefault(before, {})
        room, makers_of = self.core.room, self.frame.makers_of

        def gone(map_: int, size: float) -> bool:
            since = made.get(map_)
            if since is None:
                since = made[map_] = self._least_since(map_, before) if map_ in makers_of else math.inf
            return since + size > room

        return gone

    def _least_since(self, map_: int, before: int) -> float:
        """Bytes that are made from a layer of a map on to a down-set, at least."""
        return min(
            self.made(after & before) + (0.0 if makers & ~before else own)
            for after, makers, own in self._makers_of(map_)
        )

    def _makers_of(self, map_: int) -> list[tuple[int, int, float]]:
        """The layers that make a map, those with the same layers behind them together: these, their set, and the bytes
        that one makes at least."""
        known = self._makers.get(map_)
        if known is None:
            alike: dict[int, int] = {}
            for t in bits(self.frame.makers_of[map_]):
                alike[self.after[t]] = alike.get(self.after[t], 0) | 1 << t
            known = self._makers[map_] = [
                (after, makers, min(self.bytes[t] for t in bits(makers))) for after, makers in alike.items()
            ]
        return known

    def _straight(self) -> list[int]:
        """A way by what is left at least."""
        ideal, groups = 0, list[int]()
        while ideal != self.full:
            behind = Growing(self.network, self.frame, self.core)
            found = min(self.ways[ideal], key=lambda group: self._took(behind, group, self._nearest(ideal))
                        + self.rest[ideal | group])  # fmt: skip
            groups.append(found)
            ideal |= found
        return groups

    def _took(self, growing: Growing, group: int, gone: Gone) -> float:
        """What a stretch takes, in `growing`, which is left empty."""
        for t in reversed(list(bits(group))):
            growing.add(t)
        made = growing.stretch(gone).seconds(self.core, self.threads)
        for _ in range(group.bit_count()):
            growing.drop()
        return made

    def _forwards(self) -> tuple[tuple[int, ...] | None, bool]:
        """The best way below the limit, None if there is none; and whether that is certain."""
        growing, numbers = Growing(self.network, self.frame, self.core), count()
        waiting = [_Label(self.rest[0], next(numbers), 0, 0.0, {}, ())]
        known: dict[int, list[_Label]] = {}
        while waiting:
            here = heapq.heappop(waiting)
            if here.ideal == self.full:
                return here.groups, True
            others = known.setdefault(here.ideal, [])
            if any(_as_good(other, here) for other in others):
                continue
            others.append(here)
            for group in self.ways.get(here.ideal, ()):
                self.steps += group.bit_count()
                if self.steps > 2 * STEPS:
                    return None, False
                took = here.seconds + self._took(growing, group, self._gone(here))
                limit = took + self.rest[here.ideal | group]
                if limit < self.limit:
                    heapq.heappush(waiting, self._further(here, group, took, limit, next(numbers)))
        return None, True

    def _gone(self, label: _Label) -> Gone:
        room, since = self.core.room, label.since
        return lambda map_, size: map_ not in since or since[map_] + size > room

    def _further(self, label: _Label, group: int, took: float, limit: float, number: int) -> _Label:
        """A label with a stretch more."""
        since, ideal = dict(label.since), label.ideal | group
        for t in bits(group):
            since.setdefault(self.network.layers[t].place.map, 0.0)
            for map_ in since:
                since[map_] += self.bytes[t]
        readers = self.frame.readers_of
        kept = {m: min(size, self.core.room) for m, size in since.items() if readers.get(m, 0) & ~ideal}
        return _Label(limit, number, ideal, took, kept, (*label.groups, group))


def _twins(a: Weighed, b: Weighed) -> bool:
    """Whether it is the same which of two layers comes first."""
    return (a.size, a.looks, a.slots, a.row_bytes, a.weight_bytes, a.place.map, a.place.stride) == (
        b.size, b.looks, b.slots, b.row_bytes, b.weight_bytes, b.place.map, b.place.stride)  # fmt: skip


class _Chain:
    """What waits and rows that are made twice add to a chain's layers, at least.

    Args:
        most: of more it is enough to know that it is no less.

    Attributes:
        members: as a set.
        best: of its first layers, by how many.
    """

    def __init__(self, tasks: Sequence[int], search: _Search, most: float) -> None:
        self.members = sum(1 << t for t in tasks)
        slots, wait, longest = search.core.slots, search.wait, max(FEW, LOOKS // len(tasks))
        self.best = [0.0]
        self._longer: list[list[float]] = [[0.0]]  # of the first j, whose last stretch has all but k at least
        twice: list[list[float]] = [[]]  # what all but k of the first j make twice, in seconds, at least
        for j in range(1, len(tasks) + 1):
            growing = Growing(search.network, search.frame, search.core)
            own, near = [math.inf] * j, max(0, j - longest)
            for k in reversed(range(near, j)):
                growing.add(tasks[k])
                own[k] = growing.twice / slots
                if own[k] + wait >= most:
                    break
            own[:near] = [more + own[near] for more in twice[near]]  # together no less than one by one
            twice.append(own)
            every = [min(before + more + wait, most) for before, more in zip(self.best, own, strict=True)]
            self.best.append(min(every))
            self._longer.append([*accumulate(every, min), math.inf])

    def longer(self, ideal: int, before: int) -> float:
        """What it adds to the way to a down-set, where the last stretch begins behind `before` or sooner."""
        j, k = (ideal & self.members).bit_count(), (before & self.members).bit_count()
        return self._longer[j][k] if k < j else 0.0


def _as_good(a: _Label, b: _Label) -> bool:
    """Whether, of two ways to a down-set, the first is as good as the second whatever follows."""
    return a.seconds <= b.seconds and all(a.since[m] <= size for m, size in b.since.items())
