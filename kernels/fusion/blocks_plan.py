"""What the blocks of a GPU make, and in which order: passes (one kernel each), depths in a pass, halos.

A *thing* is made as a whole: a plane that somebody looks at from another pixel, a recurrence, what a state or a delayed
plane was, an output, a table. Everything else is recomputed where it is used. Things whose users need their whole image
(gathers, strides, wrapping, far looks) are made by an earlier pass; in a pass, a thing that is looked at from other
pixels has a smaller *depth* than those who look.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kernels.fusion.normal import Normal, Unsupported, ends, is_delay, is_strided
from kernels.ir.body import Body
from kernels.ir.expr import Expr, Size, postorder
from kernels.ir.image import ImageType

FAR = 48
"""Pixels beyond which a look reads memory instead of a tile."""

TABLES = ("reduction", "candidates")


@dataclass(frozen=True, slots=True)
class Extent:
    """Pixels beyond a block's own on each side, >= 0."""

    left: int = 0
    right: int = 0
    up: int = 0
    down: int = 0

    def union(self, other: Extent) -> Extent:
        return Extent(max(self.left, other.left), max(self.right, other.right), max(self.up, other.up),
                      max(self.down, other.down))  # fmt: skip

    def plus(self, other: Extent) -> Extent:
        return Extent(self.left + other.left, self.right + other.right, self.up + other.up, self.down + other.down)

    def holds(self, other: Extent) -> bool:
        return self.union(other) == self


@dataclass(frozen=True, slots=True)
class Use:
    """How an expression uses an atom: "at" its own pixel, by a "load" aside, by a "strided" load or a "gather"."""

    kind: str
    target: Expr
    node: Expr


@dataclass(eq=False, slots=True)
class Thing:
    """Something that is made.

    Args:
        kind: "plane" (a recurrence too), "state" and "delay" (what a recurrence or a plane was), "copy" (pixels of an
            image in memory), "output", "reduction", "candidates".
        roots: what it computes; of a state its first value.
        size: of its image.
        plane: the node that it makes; None for outputs and tables.
        index: number of the body's output.
        uses: of other things and of images.
        level: of its pass; passes of one level differ in size.
        depth: the stage in its pass.
        extent: the halo in which it is made.
    """

    kind: str
    roots: tuple[Expr, ...]
    size: Size
    plane: Expr | None = None
    index: int = -1
    uses: tuple[Use, ...] = ()
    level: int = 0
    depth: int = 0
    extent: Extent = field(default_factory=Extent)


def is_image(node: Expr) -> bool:
    """Whether `node` is an input, now or some frames ago: pixels in the caller's memory."""
    return node.op == "input" or (is_delay(node) and node.src[0].op == "input")


def offset(d: int, length: int, mode: str) -> int:
    """The shortest offset that sees the same pixels as `d` in an image of `length` pixels."""
    if mode == "constant":
        return max(-length, min(d, length))
    if mode == "replicate" or length == 1:
        return max(1 - length, min(d, length - 1))
    # A period of the image's extension; of its offsets the shortest, to either side.
    period = length if mode == "wrap" else 2 * (length - 1)
    d %= period
    return d - period if d > period // 2 else d


def reach(node: Expr) -> Extent:
    """The halo that a load needs around its pixel, with the pixels from which a border is filled."""
    tap, size = node.arg, node.src[0].size
    assert size is not None
    sides = []
    for d, length in ((tap.dx, size[1]), (tap.dy, size[0])):
        d = offset(d, length, tap.border.mode)
        # A reflected border is filled from the other side of the edge: the halo must hold those pixels, too.
        back = abs(d) if tap.border.mode == "reflect101" else -d
        sides += [max(0, back), max(0, abs(d) if tap.border.mode == "reflect101" else d)]
    return Extent(*sides)


def is_far(node: Expr) -> bool:
    """Whether a load looks further than a tile should reach."""
    halo = reach(node)
    return max(halo.left, halo.right, halo.up, halo.down) > FAR


def uses(thing: Thing, kept: Collection[Expr]) -> Iterator[Use]:
    """What a thing uses, each once; atoms are not searched any further."""
    # Of a recurrence the update; the first value belongs to the state.
    stack = [thing.plane.src[1]] if thing.plane is not None and thing.plane.op == "recur" else list(thing.roots)
    if thing.kind == "copy":
        return
    if thing.kind == "delay":
        yield Use("at", thing.roots[0], thing.roots[0])
        return
    seen: set[Expr] = set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.op in ("input", "state", "recur") or is_delay(node) or (node in kept and node is not thing.plane):
            yield Use("at", node, node)
        elif node.op == "gather":
            yield Use("gather", node.src[0], node)
            stack += node.src[1:]
        elif node.op == "load":
            yield Use("strided" if is_strided(node) else "load", node.src[0], node)
        else:
            stack += node.src


def kept_planes(roots: Iterable[Expr]) -> set[Expr]:
    """The computed planes that somebody looks at from another pixel, size or frame; and recurrences."""
    kept = set()
    for node in postorder(roots):
        if node.op == "recur":
            kept.add(node)
        elif node.op in ("load", "gather") and not is_image(node) and (is_delay(node) or not is_image(node.src[0])):
            kept.add(node.src[0])
    return kept


class Things:
    """The things of a body, placed in passes; who looks aside at one of `cuts` is in a later pass than it."""

    def __init__(self, body: Body, normal: Normal, cuts: Collection[Expr] = ()) -> None:
        self.cuts = cuts
        self.inputs = body.inputs
        self.owners = normal.recurrences
        self.delays: dict[Expr, int] = {}
        # How deep the past of a plane goes: so many frames stay in registers.
        for node in postorder(normal.roots):
            if is_delay(node) and not is_image(node):
                self.delays[node.src[0]] = max(self.delays.get(node.src[0], 0), -node.arg.dt)
        leaving = [Thing(kind, roots, size, index=index) for index, kind, roots, size in ends(body, normal)]
        nodes = list(postorder([*normal.roots, *(r for t in leaving for r in t.roots)]))
        kept = kept_planes(nodes)
        self.maker: dict[Expr, Thing] = {}
        for node in nodes:
            made = self._made(node, kept)
            if made is not None:
                self.maker[node] = made
        things = [*self.maker.values(), *leaving]
        for thing in things:
            thing.uses = tuple(uses(thing, self.maker.keys()))
        self.things = self._alive(things, leaving)
        self._check_sizes()
        self._levels()

    def _made(self, node: Expr, kept: Collection[Expr]) -> Thing | None:
        if node.op == "state":
            owner = self.owners.get(node.arg)
            if owner is None or owner.size is None:
                raise Unsupported(f"state {node.arg!r} has no image")
            return Thing("state", owner.src[:1], owner.size, node)
        if is_image(node):  # a past of a past needs its pixels in registers
            return Thing("copy", (node,), node.size, node) if node in kept and node.size is not None else None
        if is_delay(node) or node in kept:
            if node.size is None:
                raise Unsupported(f"{node.op} has to be in memory but has no size")
            return Thing("delay" if is_delay(node) else "plane", node.src[:1] if is_delay(node) else (node,),
                         node.size, node)  # fmt: skip
        return None

    def _alive(self, things: Sequence[Thing], ends: Sequence[Thing]) -> list[Thing]:
        # What leaves keeps alive what it needs, and ties keep their partners.
        stack, alive = list(ends), set()
        while stack:
            thing = stack.pop()
            if thing not in alive:
                alive.add(thing)
                stack += self.needs(thing)
                stack += self.tied(thing)
        return [t for t in things if t in alive]

    def item(self, plane: Expr) -> int:
        """Bytes of a pixel of what `plane` is in memory; of an image, of all its channels."""
        if not is_image(plane):
            return plane.dtype.itemsize
        type_ = self.inputs[(plane if plane.op == "input" else plane.src[0]).arg.index]
        assert isinstance(type_, ImageType)
        return type_.dtype.itemsize * type_.channels

    def needs(self, thing: Thing) -> Iterator[Thing]:
        """The things that `thing` uses."""
        for use in thing.uses:
            if use.target in self.maker:
                yield self.maker[use.target]

    def tied(self, thing: Thing) -> Iterator[Thing]:
        """Those whose registers `thing` shares: a recurrence with its state, a plane with its past."""
        if thing.kind == "state":
            assert thing.plane is not None
            yield self.maker[self.owners[thing.plane.arg]]
        if thing.kind == "delay":
            yield self.maker[thing.roots[0]]

    def _check_sizes(self) -> None:
        for thing in self.things:
            for use in thing.uses:
                if use.kind == "at" and use.target in self.maker and self.maker[use.target].size != thing.size:
                    raise Unsupported("a state is seen from an image of another size")

    def _levels(self) -> None:
        # Who needs a whole image is one level later; ties share a level.
        settle(self.things, "level", [(t, self.maker[u.target], self.whole(u)) for t in self.things for u in t.uses
                                      if u.target in self.maker], [(t, o) for t in self.things for o in self.tied(t)])
        self._late()

    def whole(self, use: Use) -> int:
        """1 if the use needs its target's whole image, so that an earlier pass must have made it."""
        if use.kind == "load":
            return int(use.node.arg.border.mode == "wrap" or is_far(use.node) or use.target in self.cuts)
        return int(use.kind != "at")

    def _late(self) -> None:
        """Move what only later passes use into them, so that it need not be kept for whole frames."""
        leader = {t: t for t in self.things}

        def find(t: Thing) -> Thing:
            while leader[t] is not t:
                t = leader[t]
            return t

        for thing in self.things:
            for other in self.tied(thing):
                leader[find(thing)] = find(other)
        groups: dict[Thing, list[Thing]] = {}
        for thing in self.things:
            groups.setdefault(find(thing), []).append(thing)
        # A fixed point: moving one thing later may let what it uses move, too.
        changed = True
        while changed:
            changed = False
            for head, members in groups.items():
                wanted = [user.level - self.whole(use) for user in self.things if find(user) is not head
                          for use in user.uses if use.target in self.maker and self.maker[use.target] in members]
                # Only things that are planes move: what leaves stays where it is.
                if wanted and min(wanted) > members[0].level and all(t.plane is not None for t in members):
                    changed = True
                    for thing in members:
                        thing.level = min(wanted)


def settle(
    things: Sequence[Thing], name: str, edges: Sequence[tuple[Thing, Thing, int]], ties: Sequence[tuple[Thing, Thing]]
) -> None:
    """The least numbers with user >= maker + weight along `edges`, and equal along `ties`."""
    for thing in things:
        setattr(thing, name, 0)
    # Bellman-Ford: longest paths settle in as many rounds as there are things; with ties twice as many. More means a
    # circle.
    for _ in range(2 * len(things) + 2):
        changed = False
        for user, maker, weight in edges:
            if getattr(user, name) < getattr(maker, name) + weight:
                setattr(user, name, getattr(maker, name) + weight)
                changed = True
        for a, b in ties:
            if getattr(a, name) != getattr(b, name):
                both = max(getattr(a, name), getattr(b, name))
                setattr(a, name, both)
                setattr(b, name, both)
                changed = True
        if not changed:
            return
    raise Unsupported("a state and its recurrence cannot be in one stage")


def ordered(things: Sequence[Thing], before: Mapping[Thing, Collection[Thing]]) -> list[Thing]:
    """`things`, each after those of `before` it."""
    order: list[Thing] = []
    done: set[Thing] = set()
    inside = set(things)

    # Depth first with an explicit stack: a thing is done when all before it are.
    def visit(thing: Thing) -> None:
        stack = [(thing, iter(before.get(thing, ())))]
        open_ = {thing}
        while stack:
            top, rest = stack[-1]
            for other in rest:
                if other in inside and other not in done and other not in open_:
                    open_.add(other)
                    stack.append((other, iter(before.get(other, ()))))
                    break
            else:
                stack.pop()
                if top not in done:
                    done.add(top)
                    order.append(top)

    for thing in things:
        if thing not in done:
            visit(thing)
    return order
