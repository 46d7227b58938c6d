"""Lowering: a body becomes a row program (`kernels.fusion.rows`).

Which planes are in memory follows from the looks (`kernels.fusion.accesses`), in which order they are made from the
plan (`kernels.fusion.plan`); here the two become groups and stores of the exact size.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from kernels.fusion.accesses import FRAME_LOOKS, Look, kept_by_looks, kept_for_table
from kernels.fusion.columns import FIRST_CACHE, blocks, columns_beside
from kernels.fusion.normal import Normal, Unsupported, ends, normalise
from kernels.fusion.plan import Plan, Thing
from kernels.fusion.rows import Group, Item, Pass, RowProgram, Store, loop_of
from kernels.fusion.running_maxima import separate
from kernels.ir.body import Body
from kernels.ir.expr import Expr, Size, postorder
from kernels.ir.planes import Border

TABLES = ("reduction", "candidates")
_Key = tuple[Expr, Border | None]


def lower(body: Body, near: int = FIRST_CACHE, columns: int = 0) -> RowProgram:
    """The row program of a body of expressions.

    Args:
        near: bytes of a processor's first cache (see `kernels.fusion.columns`).
        columns: of the blocks in which strips are worked on wherever that is possible, for tests.

    Raises:
        Unsupported: it has a construct that rows cannot hold; says which.
    """
    normal, kept = _separated(normalise(body), body.limits)
    plan = _plan(body, normal, kept)
    plan.place()
    return _Builder(plan, normal, near, columns).program()


def _separated(normal: Normal, limits: Mapping[str, tuple[float, float]]) -> tuple[Normal, frozenset[Expr]]:
    """Comparisons with many neighbours as those with their maximum; also says what must be kept for that."""
    past = [plane for plane, _ in normal.histories]
    made = separate(normal.roots, past, limits)
    roots = iter(made.roots)
    outputs = tuple(tuple(islice(roots, len(output))) for output in normal.outputs)
    return Normal(outputs, dict(zip(normal.recurrences, roots, strict=False)), normal.histories), made.kept


def _plan(body: Body, normal: Normal, twice: Collection[Expr]) -> Plan:
    """Everything that is made, with those that see a state in the loop of its recurrence."""
    kept = kept_by_looks(normal.roots) | set(twice)
    kept.update(plane for plane, _ in normal.histories if plane.op != "input")
    tables: list[Thing] = []
    for index, kind, roots, size in ends(body, normal):
        if kind != "output":
            kept |= kept_for_table(roots, kind == "candidates")
        tables.append(Thing(kind, roots, size, index=index))
    owners = normal.recurrences
    wanted = {*owners.values(), *(plane for plane, _ in normal.histories)}
    # A state that is seen somewhere else than in the loop of its recurrence must be copied to memory before it is
    # overwritten: keep it, and plan again with that.
    while True:
        nodes = list(postorder([*normal.roots, *(r for t in tables for r in t.roots)]))
        made = [node for node in nodes if node in kept]
        things = [Thing("plane", (n,), _size(n, owners), n) for n in made]
        things += [Thing(t.kind, t.roots, t.size, index=t.index) for t in tables]
        plan = Plan(things, plain_firsts(normal))
        plan.prune(wanted)
        untied = _tie_states(plan, owners)
        if not untied:
            return plan
        kept |= untied


def plain_firsts(normal: Normal) -> Mapping[str, Expr]:
    """What each state is in the first frame, if all of that needs no more than the pixel itself; else nothing."""
    firsts = {name: node.src[0] for name, node in normal.recurrences.items()}
    far = any(node.op in ("load", "gather", "recur") for node in postorder(firsts.values()))
    return {} if far else firsts


def _size(node: Expr, owners: Mapping[str, Expr]) -> Size:
    size = owners[node.arg].size if node.op == "state" else node.size
    if size is None:
        raise Unsupported(f"{node.op} has to be in memory but has no size")
    return size


def _tie_states(plan: Plan, owners: Mapping[str, Expr]) -> set[Expr]:
    """Tie what sees a state to its recurrence; returns the states of which somebody else needs a copy."""
    copies = set()
    for thing in plan.things:
        for look in thing.looks:
            if look.kind != "state":
                continue
            owner = plan.maker[owners[look.plane.arg]]
            if thing.size != owner.size:
                raise Unsupported(f"state {look.plane.arg!r} is seen from an image of another size")
            if not plan.tie(thing, owner):
                if thing.plane is look.plane:
                    raise Unsupported(f"a copy of state {look.plane.arg!r} has no place")
                copies.add(look.plane)
    return copies


class _Builder:
    """Groups and stores for placed things."""

    def __init__(self, plan: Plan, normal: Normal, near: int, columns: int) -> None:
        self.plan = plan
        self.near, self.columns = near, columns
        self.normal = normal
        self.looked: dict[Thing, list[tuple[Look, Thing]]] = {t: [] for t in plan.things}
        for thing in plan.things:
            for look, maker in plan.needs(thing):
                self.looked[maker].append((look, thing))
        self.frames: list[Store] = []
        self.depth: list[int] = []
        self.seen_frames: dict[_Key, Store] = {}
        self.count = 0
        self.above: dict[tuple[Thing, Thing], int] = {}  # of maker and user in joined groups: see `_joins`

    def program(self) -> RowProgram:
        places = sorted({t.place for t in self.plan.things})
        passes = tuple(self._pass(place) for place in places)
        back: dict[int, int] = {}
        for plane, depth in self.normal.histories:
            if plane.op == "input":
                back[plane.arg.index] = max(back.get(plane.arg.index, 0), depth)
        firsts = plain_firsts(self.normal)
        plain = len(firsts) == len(self.normal.recurrences)
        return RowProgram(passes, tuple(self.frames), tuple(self.depth), back, dict(firsts), plain)

    def _pass(self, place: tuple[int, Size]) -> Pass:
        things = [t for t in self.plan.things if t.place == place]
        # Things of the same depth and lead are made in one loop over a row; what is looked at ahead of the row (lead)
        # is made first, so that groups follow one another down the strip.
        grouped: dict[tuple[int, int, int], list[Thing]] = {}
        for i, thing in enumerate(things):
            alone = i + 1 if thing.kind in TABLES else 0  # tables march by themselves
            grouped.setdefault((thing.depth, -thing.lead, alone), []).append(thing)
        order = [grouped[key] for key in sorted(grouped)]
        up, down = self._reach(order, place)
        lanes = [loop_of((root for t in members for root in t.roots), self.plan.maker)[1] for members in order]
        joined: list[int | None] = [None]
        for i in range(1, len(order)):
            # Two loops at most are joined, with vectors of the same length.
            fits = joined[-1] is None and lanes[i - 1] == lanes[i]
            joined.append(self._joins(order[i - 1], order[i]) if fits else None)
            if joined[-1] is not None:
                self.above |= {(maker, user): joined[-1] for maker in order[i - 1] for user in order[i]}
        stores: list[Store] = []
        seen = dict(self.seen_frames)
        groups = []
        for number, members in enumerate(order):
            items = []
            for thing in members:
                own, frames = self._stores(thing, seen)
                stores += own
                items.append(Item(thing.kind, thing.roots, (*own, *frames), thing.index))
            states = [look.plane.arg for t in members for look in t.looks if look.kind == "state"]
            groups.append(Group(members[0].lead, up[number], down[number], lanes[number], tuple(items),
                                tuple(dict.fromkeys(states)), joined[number]))  # fmt: skip
        needs = [[list(self.plan.needs(thing)) for thing in members] for members in order]
        beside = columns_beside(order, needs, joined)
        groups = [replace(g, left=left, right=right) for g, (left, right) in zip(groups, beside, strict=True)]
        made = Pass(place[1], tuple(groups), tuple(stores), seen)
        return replace(made, columns=blocks(made, things, self.near, self.columns))

    def _joins(self, before: Sequence[Thing], members: Sequence[Thing]) -> int | None:
        """Whether `members` can work in the loop of the group before, a vector behind it: they look at what it makes
        up and down only. Returns the rows that they need above theirs."""
        if any(t.kind in TABLES or any(k.kind == "state" for k in t.looks) for t in (*before, *members)):
            return None
        ahead, above = before[0].lead - members[0].lead, -1
        for thing in members:
            for look, maker in self.plan.needs(thing):
                if maker in before:
                    # Its own offset, not its extent: in a low image nearly every row is folded, and folded rows are
                    # not where the joined loop looks for them.
                    dy = look.node.arg.dy if look.kind == "row" else 0
                    if look.kind not in ("row", "point") or look.side or max(dy, look.extent[1]) > ahead:
                        return None
                    above = max(above, -dy, -look.extent[0])
        return above if above >= 0 else None

    def _reach(self, order: Sequence[Sequence[Thing]], place: tuple[int, Size]) -> tuple[list[int], list[int]]:
        """Rows beyond its strip that each group must make, above and below."""
        number = {thing: i for i, members in enumerate(order) for thing in members}
        # Backwards: what a group needs beyond the strip is what its readers need, and their looks on top.
        up, down = [0] * len(order), [0] * len(order)
        for i in reversed(range(len(order))):
            for thing in order[i]:
                for look, maker in self.plan.needs(thing):
                    if maker.place == place and number[maker] != i:
                        first, last = look.extent
                        j = number[maker]
                        assert j < i, "a group looks at one that works after it"
                        # A row that is `first` above the reader's: the maker's strip begins so much earlier.
                        up[j], down[j] = max(up[j], up[i] - first), max(down[j], down[i] + last)
        return up, down

    def _stores(self, thing: Thing, seen: dict[_Key, Store]) -> tuple[list[Store], list[Store]]:
        """The rings and states of a plane, and its whole frames."""
        plane = thing.plane
        if plane is None:
            return [], []
        # In this pass a ring of rows serves; later passes, and looks of the whole frame, need all rows.
        near = [(k, u) for k, u in self.looked[thing] if u.place == thing.place and k.kind not in FRAME_LOOKS]
        far = [(k, u) for k, u in self.looked[thing] if u.place != thing.place or k.kind in FRAME_LOOKS]
        # Those of the same loop take the value from registers.
        apart = [(k, u) for k, u in near if (u.lead, u.depth) != (thing.lead, thing.depth) or u.kind in TABLES]
        # A ring holds from the oldest row that somebody still looks at to the row that is being made.
        rows = 1
        for look, user in apart:
            # Joined, they overwrite the oldest row once it was seen; not yet joined, at the top, they need none older.
            above = self.above.get((thing, user))
            oldest = user.lead + look.extent[0] if above is None else user.lead - above + 1
            rows = max(rows, thing.lead - oldest + 1)
        rows = min(rows, thing.size[0])
        own: list[Store] = []
        kind = "state" if plane.op == "recur" else "ring"
        for border, left, right in _sides([k for k, _ in apart], plane.op == "recur"):
            own.append(self._store(kind, thing, border, left, right, rows))
            # The first copy also serves looks without a border.
            seen[plane, border] = own[-1]
            seen.setdefault((plane, None), own[-1])
            kind = "ring"
        frames: list[Store] = []
        depth = max([0, *(-k.node.arg.dt for k, _ in far if k.kind == "delay")])
        depth = max([depth, *(d for p, d in self.normal.histories if p is plane)])
        kept = bool(depth)
        for border, left, right in _sides([k for k, _ in far], kept):
            frames.append(self._store("frame", thing, border, left, right, thing.size[0]))
            self.frames.append(frames[-1])
            self.depth.append(depth)
            self.seen_frames[plane, border] = frames[-1]
            self.seen_frames.setdefault((plane, None), frames[-1])
        return own, frames

    def _store(self, kind: str, thing: Thing, border: Border | None, left: int, right: int, rows: int) -> Store:
        assert thing.plane is not None
        self.count += 1
        if (left + right) * thing.plane.dtype.itemsize > 1 << 20:
            raise Unsupported("a look reaches further than a row can be padded")
        return Store(f"{kind}{self.count}", kind, thing.plane, thing.size, border, left, right, rows)


def _sides(looks: Sequence[Look], always: bool) -> list[tuple[Border | None, int, int]]:
    """The copies of a plane that looks need: one for each border that is seen, with the padding."""
    found: dict[Border | None, tuple[int, int]] = {}
    for look in looks:
        if look.kind == "strided":
            tap, width = look.node.arg, look.plane.size[1]  # type: ignore[index]
            # How far the first and the last pixel that the stride meets lie beyond the row.
            left, right = max(0, -tap.dx), max(0, (tap.size[1] - 1) * tap.stride_x + tap.dx - width + 1)
        else:
            left, right = max(0, -look.side), max(0, look.side)
        if left or right:
            # One copy of the plane a border, padded as far as any look with it goes.
            border = look.node.arg.border
            old = found.get(border, (0, 0))
            found[border] = (max(old[0], left), max(old[1], right))
    if not found and (looks or always):
        return [(None, 0, 0)]
    return [(border, left, right) for border, (left, right) in found.items()]
