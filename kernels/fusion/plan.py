"""The things that a row program makes and the order that their looks at one another force: passes, leads, depths."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from kernels.fusion.accesses import FRAME_LOOKS, Look, looks
from kernels.ir.expr import Expr, Size


@dataclass(eq=False, slots=True)
class Thing:
    """An item while its place is sought; see `kernels.fusion.rows.Item`."""

    kind: str
    roots: tuple[Expr, ...]
    size: Size
    plane: Expr | None = None
    index: int = -1
    looks: tuple[Look, ...] = ()
    level: int = 0
    lead: int = 0
    depth: int = 0

    @property
    def place(self) -> tuple[int, Size]:
        """The pass."""
        return self.level, self.size


def moved(look: Look) -> bool:
    """Whether the look needs more than this pixel, so that its plane must be made in another loop."""
    return look.kind == "row" or look.kind in FRAME_LOOKS


@dataclass(slots=True)
class Plan:
    """Things, which of them must share a loop, and where each stands."""

    things: list[Thing]
    firsts: Mapping[str, Expr]
    maker: dict[Expr, Thing] = field(default_factory=dict)
    ties: dict[Thing, Thing] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.maker = {t.plane: t for t in self.things if t.plane is not None}
        for thing in self.things:
            own = thing.plane
            thing.looks = tuple(looks(thing.roots, self.maker.keys(), self.firsts, own))

    def prune(self, wanted: Collection[Expr]) -> None:
        """Drop the planes that nothing looks at, except `wanted`."""
        stack = [t for t in self.things if t.plane is None or t.plane in wanted]
        alive: set[Thing] = set()
        while stack:
            thing = stack.pop()
            if thing not in alive:
                alive.add(thing)
                stack += [maker for _, maker in self.needs(thing)]
        self.things = [t for t in self.things if t in alive]

    def needs(self, thing: Thing) -> Iterable[tuple[Look, Thing]]:
        """The things that `thing` looks at."""
        for look in thing.looks:
            maker = self.maker.get(look.plane)
            if maker is not None and look.kind not in ("state", "direct"):
                yield look, maker

    def leader(self, thing: Thing) -> Thing:
        """The one that stands for all that share the loop of `thing`."""
        while thing in self.ties:
            thing = self.ties[thing]
        return thing

    def tie(self, a: Thing, b: Thing) -> bool:
        """Let two things share a loop, if no path between them leaves it."""
        first, second = self.leader(a), self.leader(b)
        if first is second:
            return True
        if a.size != b.size or "reduction" in (a.kind, b.kind) or "candidates" in (a.kind, b.kind):
            return False
        # Union, tried: if the loops then wait for each other, it is taken back.
        self.ties[first] = second
        if self._sorted() is None:
            del self.ties[first]
            return False
        return True

    def clusters(self) -> list[list[Thing]]:
        """The tied things together, what is looked at before what looks."""
        order = self._sorted()
        assert order is not None
        return order

    def _sorted(self) -> list[list[Thing]] | None:
        members: dict[Thing, list[Thing]] = {}
        for thing in self.things:
            members.setdefault(self.leader(thing), []).append(thing)
        before: dict[Thing, set[Thing]] = {leader: set() for leader in members}
        for thing in self.things:
            leader = self.leader(thing)
            for look, maker in self.needs(thing):
                other = self.leader(maker)
                if other is not leader:
                    before[leader].add(other)
                # A look aside within one loop would meet pixels that are not made yet.
                elif moved(look):
                    return None
        order: list[list[Thing]] = []
        done: set[Thing] = set()
        # Kahn's topological sort, layer by layer.
        while len(done) < len(members):
            ready = [t for t in members if t not in done and before[t] <= done]
            if not ready:
                return None
            done.update(ready)
            order += [members[t] for t in ready]
        return order

    def place(self) -> None:
        """Find every thing's pass (`level`), its lead in rows and its depth in the step."""
        order = self.clusters()
        self._levels(order)
        users: dict[Thing, list[tuple[Look, Thing]]] = {thing: [] for thing in self.things}
        for thing in self.things:
            for look, maker in self.needs(thing):
                users[maker].append((look, thing))
        self._late(order, users)
        # The lead is the largest that any user needs: its own lead and how far down it looks.
        for cluster in reversed(order):
            lead = 0
            for thing in cluster:
                inside = [(look, user) for look, user in users[thing] if user.place == thing.place]
                lead = max([lead, *(user.lead + look.extent[1] for look, user in inside)])
            _set(cluster, "lead", lead)
        # Ends (nobody looks at them) work as far ahead as what they look at allows: rings stay short.
        for cluster in order:
            if not any(users[thing] for thing in cluster):
                seen = [maker.lead - look.extent[1] for thing in cluster for look, maker in self.needs(thing)
                        if maker.place == thing.place]  # fmt: skip
                _set(cluster, "lead", min(seen, default=cluster[0].lead))
        for cluster in order:
            depth = 0
            for thing in cluster:
                for look, maker in self.needs(thing):
                    if maker.place == thing.place:
                        apart = moved(look) or maker.lead != thing.lead or thing.kind in ("reduction", "candidates")
                        depth = max(depth, maker.depth + apart)
            _set(cluster, "depth", depth)

    def _levels(self, order: list[list[Thing]]) -> None:
        for cluster in order:
            level = 0
            for thing in cluster:
                for look, maker in self.needs(thing):
                    level = max(level, maker.level + (look.kind in FRAME_LOOKS))
            _set(cluster, "level", level)

    def _late(self, order: list[list[Thing]], users: Mapping[Thing, list[tuple[Look, Thing]]]) -> None:
        """Move what only later passes look at into them, so that it need not be kept for whole frames."""
        for cluster in reversed(order):
            wanted = [user.level - (look.kind in FRAME_LOOKS) for thing in cluster for look, user in users[thing]
                      if user not in cluster]  # fmt: skip
            if wanted:
                _set(cluster, "level", max(cluster[0].level, min(wanted)))


def _set(cluster: list[Thing], name: str, value: int) -> None:
    for thing in cluster:
        setattr(thing, name, value)
