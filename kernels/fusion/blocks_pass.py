"""One pass laid out: depths, halos, loops, tiles and where they lie in shared memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kernels.fusion.blocks_model import BlockPass, Loop, Region, Tile
from kernels.fusion.blocks_plan import TABLES, Extent, Thing, Things, Use, is_far, is_image, ordered, reach, settle
from kernels.fusion.blocks_rings import from_memory, ring_words, rings
from kernels.fusion.blocks_vectors import Filled, fills, longest, operations, up
from kernels.ir.expr import Expr, Size
from kernels.ir.planes import Border

STATE_REGISTERS = 64
"""Registers of a thread that states may take."""


class TooLargeError(Exception):
    """What a block needs does not fit; a smaller box may."""


@dataclass(slots=True)
class _Wanted:
    """A tile to be laid out: what it holds, its halo, the last stage that looks, how looks go on beyond the image."""

    thing: Thing
    extent: Extent
    until: int
    borders: dict[Border | None, None] = field(default_factory=dict)
    users: list[Thing] = field(default_factory=list)


class PassLayout:
    """One pass: what is the same for all tiles, so that each tile takes little time.

    Args:
        things: that it makes; their depths and halos are set here, and are those of every tile.
        size: (height, width) of their image.
        placed: all things of the body.
        frames: planes that are in memory between passes.
        rings: as `lower_blocks` takes it.
        alone: whether one block spans the image in x, in y.
    """

    def __init__(
        self, things: Sequence[Thing], size: Size, placed: Things, frames: Iterable[Expr], rings: bool,
        alone: tuple[bool, bool],
    ) -> None:  # fmt: skip
        self.size = size
        self.placed = placed
        self.rings = rings
        self.alone = alone
        self.frames = tuple(p for p in frames if any(t.plane is p for t in things))
        self.here = {t.plane: t for t in things if t.plane is not None}
        copies = dict.fromkeys(u.target for t in things for u in t.uses
                               if u.kind == "load" and u.target not in self.here and not is_far(u.node))
        for node in copies:
            self.here[node] = Thing("copy", (node,), size, node)
        self.things = [*(self.here[node] for node in copies), *things]
        self.links = [(t, u, self.here[u.target]) for t in self.things for u in t.uses if self._near(u)]
        self.ties = [(t, o) for t in things for o in placed.tied(t)]
        edges = [(user, maker, int(use.kind == "load")) for user, use, maker in self.links]
        # A look aside (1) needs the maker's stage before: other threads have made those pixels. At the own pixel 0 is
        # enough.
        settle(self.things, "depth", edges, self.ties)
        self._extents()
        count = 1 + max(t.depth for t in self.things)
        self._stages = [self._loops([t for t in self.things if t.depth == d]) for d in range(count)]
        self._tiles = self._wanted()

    def build(self, tile: Tile, vector: int, threads: int, shared: int) -> BlockPass:
        """The pass with blocks of `threads` threads that own `tile`, `vector` pixels together, and have `shared` bytes.

        Raises:
            TooLargeError: what a block needs does not fit.
        """
        self.tile, self.vector, self.threads, self.shared = tile, vector, threads, shared
        return self._regions(tuple(tuple(Loop(extent, groups, vector) for extent, groups in loops)
                                   for loops in self._stages))  # fmt: skip

    def _near(self, use: Use) -> bool:
        """Whether the use is of something that this pass has in registers or in a tile."""
        if use.target not in self.here or use.kind in ("gather", "strided"):
            return False
        return use.kind == "at" or not is_far(use.node)

    def _extents(self) -> None:
        for thing in self.things:
            thing.extent = Extent()
        reaches = [(user, maker, reach(use.node) if use.kind == "load" else Extent())
                   for user, use, maker in self.links]  # fmt: skip
        # A fixed point: halos grow through users, and ties share theirs both ways; looks have no circle, so that it
        # ends.
        changed = True
        while changed:
            changed = False
            needs = [(maker, user.extent.plus(reached)) for user, maker, reached in reaches]
            needs += [pair for a, b in self.ties for pair in ((a, b.extent), (b, a.extent))]
            for maker, needed in needs:
                both = maker.extent.union(self._inside(needed))
                if both != maker.extent:
                    maker.extent, changed = both, True

    def _needed(self, user: Thing, use: Use) -> Extent:
        return user.extent.plus(reach(use.node)) if use.kind == "load" else user.extent

    def _inside(self, extent: Extent) -> Extent:
        """The part of a halo that can lie in the image: none where the block spans it."""
        x, y = self.alone
        return Extent(0 if x else extent.left, 0 if x else extent.right, 0 if y else extent.up,
                      0 if y else extent.down)  # fmt: skip

    def _loops(self, things: Sequence[Thing]) -> list[tuple[Extent, _Groups]]:
        """The loops of a stage: what meets in registers shares one, and so does what has the same halo."""
        # Union-find over the things of a stage.
        leader = {t: t for t in things}

        def find(thing: Thing) -> Thing:
            while leader[thing] is not thing:
                thing = leader[thing]
            return thing

        before: dict[Thing, list[Thing]] = {t: [] for t in things}
        # Who uses a value at its own pixel takes it from registers: the same loop, behind its maker.
        for user, use, maker in self.links:
            if user in before and maker in before and use.kind == "at":
                leader[find(user)] = find(maker)
                before[user].append(maker)
        for a, b in self.ties:
            if a in before:
                leader[find(a)] = find(b)
                if a.kind == "delay":  # in the first frame it is the plane
                    before[a].append(b)
        for other in self._neighbours(things):
            leader[find(other[0])] = find(other[1])
        order = ordered(things, before)
        together: dict[Thing, list[Thing]] = {}
        for thing in order:
            together.setdefault(find(thing), []).append(thing)
        # Loops of one halo are one: one pass over its vectors.
        merged: dict[Extent, list[Thing]] = {}
        for members in together.values():
            extent = Extent()
            for thing in members:
                extent = extent.union(thing.extent)
            merged.setdefault(extent, []).extend(members)
        return [(extent, _groups(extent, members)) for extent, members in merged.items()]

    def _neighbours(self, things: Sequence[Thing]) -> Iterator[tuple[Thing, Thing]]:
        """Those that take the same pixels from memory: one loop loads them once."""
        first: dict[tuple[object, ...], Thing] = {}
        for thing in things:
            given = thing.roots if thing.kind == "copy" else [
                u.target for u in thing.uses if u.kind == "at" and u.target not in self.here]  # fmt: skip
            for node in given:
                source = node.src[0] if is_image(node) and node.op == "load" else node
                # With rings a past frame's pixels come with this frame's.
                when = 0 if self.rings or node is source else node.arg.dt
                key = (source.arg.index, when) if is_image(node) else (node,)
                yield thing, first.setdefault(key, thing)

    def vectors(self, loop: Loop) -> int:
        """Vectors of a loop."""
        extent, v = loop.extent, loop.vector
        return (up(extent.left, v) + self.tile[0] + up(extent.right, v)) // v * (extent.up + self.tile[1] + extent.down)

    def _check_registers(self, stages: Sequence[Sequence[Loop]]) -> None:
        registers = 0
        for loops in stages:
            for loop in loops:
                words = loop.vector * sum(_words(t, self.placed.delays) for t in loop.things)
                words += sum(depth * ring_words(self.placed.inputs[i], loop.vector) for i, depth in loop.rings)
                # Each thread keeps the states of all vectors that it takes.
                registers += words * -(-self.vectors(loop) // self.threads)
        if registers > STATE_REGISTERS:
            raise TooLargeError(f"states take {registers} registers of a thread, more than {STATE_REGISTERS}")

    def _wanted(self) -> list[_Wanted]:
        """The tiles: what is looked at from other pixels or stages."""
        wanted = []
        for thing in self.things:
            made = _Wanted(thing, thing.extent, thing.depth)
            for user, use, maker in self.links:
                if maker is thing and (use.kind == "load" or user.depth != thing.depth):
                    made.until = max(made.until, user.depth)
                    made.extent = made.extent.union(self._needed(user, use))
                    made.users.append(user)
                    if use.kind == "load":
                        made.borders[use.node.arg.border] = None
            if made.users:
                wanted.append(made)
        return wanted

    def _lengthened(self, loop: Loop, by: Mapping[Thing, Loop], wanted: Sequence[_Wanted]) -> Loop:
        """A loop that only fills tiles, with longer vectors where they serve."""
        into = {w.thing for w in wanted}
        if not all(t in into and fills(t, self.here) for t in loop.things):
            return loop
        reads = {p: self.placed.item(p) for t in loop.things for p in from_memory(t, self.here)}
        tiles = [Filled(w.extent, w.thing.roots[0].dtype.itemsize, operations(w.thing),
                        tuple(by[user].extent for user in w.users))
                 for w in wanted if by[w.thing] is loop]  # fmt: skip
        v = longest(loop, list(reads.values()), tiles, self.tile, self.size, self.vector, self.threads)
        return replace(loop, vector=v)

    def _regions(self, stages: tuple[tuple[Loop, ...], ...]) -> BlockPass:
        wanted = self._tiles
        by = {thing: loop for loops in stages for loop in loops for thing in loop.things}
        stages = tuple(tuple(self._lengthened(loop, by, wanted) for loop in loops) for loops in stages)
        if self.rings:
            stages = tuple(tuple(replace(loop, rings=rings(loop, self.here)) for loop in loops) for loops in stages)
        self._check_registers(stages)
        made_by = {thing: loop.vector for loops in stages for loop in loops for thing in loop.things}
        boxes = [(w.extent, made_by[w.thing]) for w in wanted]
        boxes += [(loop.extent, loop.vector) for loops in stages for loop in loops]
        halo = Extent()
        for extent, v in boxes:
            # Halos in whole vectors, as loops take them.
            halo = halo.union(Extent(up(extent.left, v), up(extent.right, v), extent.up, extent.down))
        return self._placed(stages, wanted, made_by, halo)

    def _placed(
        self, stages: tuple[tuple[Loop, ...], ...], wanted: Sequence[_Wanted], by: Mapping[Thing, int], halo: Extent
    ) -> BlockPass:
        last = len(stages) - 1
        regions: list[Region] = []
        taken: list[tuple[int, int, int, int]] = []  # from byte, to byte, first stage, last stage
        hazard = alternates = False
        for number, one in enumerate(wanted):
            thing, extent, until, borders = one.thing, one.extent, one.until, list(one.borders) or [None]
            first_name, v = f"p{number}", by[thing]
            assert thing.plane is not None
            for k, border in enumerate(borders):
                rows = extent.up + self.tile[1] + extent.down
                pitch = up(extent.left, v) + self.tile[0] + up(extent.right, v)
                name = first_name if k == 0 else f"{first_name}_{_suffix(border)}{k}"
                source = None if k == 0 else first_name
                region = Region(name, thing.plane, border, extent, source, 0, rows, pitch, False, v)
                size = region.cells * thing.plane.dtype.itemsize
                # What the last stage reads must stay until all have read it; the next frame's first stage would
                # overwrite it without a barrier in between.
                exposed = thing.depth == 0 and until == last
                # Two copies in turn take the place of a barrier, where they are cheap.
                double = exposed and 2 * size * len(borders) <= self.shared // 4
                hazard |= exposed and not double
                alternates |= double
                size *= 1 + double
                offset = _room(taken, size, thing.depth, until, last)
                taken.append((offset, offset + size, thing.depth, until))
                regions.append(replace(region, offset=offset, double=double))
        shared = max((end for _, end, _, _ in taken), default=0)
        if shared > self.shared:
            raise TooLargeError(f"a block needs {shared} bytes of shared memory, more than {self.shared}")
        return BlockPass(self.size, stages, tuple(regions), self.here, self.frames, halo, shared, hazard,
                         alternates)  # fmt: skip


_Groups = tuple[tuple[Extent, tuple[Thing, ...]], ...]


def _groups(extent: Extent, members: Sequence[Thing]) -> _Groups:
    """The things of a loop by halo, the widest first."""
    groups: dict[Extent, list[Thing]] = {extent: []}
    for thing in members:
        groups.setdefault(thing.extent, []).append(thing)
    listed = [(e, tuple(g)) for e, g in groups.items() if g]
    listed.sort(key=lambda item: -sum((item[0].left, item[0].right, item[0].up, item[0].down)))
    return tuple(listed)


def _suffix(border: Border | None) -> str:
    return border.mode if border is not None else "at"


def _words(thing: Thing, delays: dict[Expr, int]) -> int:
    """Registers of a pixel's state."""
    if thing.kind in TABLES or thing.plane is None:
        return 0
    depth = 1 if thing.plane.op == "recur" else 0
    depth += delays.get(thing.plane, 0)
    return depth * (2 if thing.plane.dtype.bits == 64 else 1)


def _room(taken: Sequence[tuple[int, int, int, int]], size: int, first: int, until: int, last: int) -> int:
    """The lowest offset where `size` bytes are free from stage `first` to stage `until`.

    Two tiles may share bytes if a barrier is between the last look at the one and the making of the other, in this
    frame and over to the next.
    """
    def apart(a: tuple[int, int], b: tuple[int, int]) -> bool:
        # Over to the next frame: the last stage's tile and the first stage's of the next frame have no barrier in
        # between.
        return a[1] < b[0] and not (b[1] == last and a[0] == 0)

    used = sorted((t[0], t[1]) for t in taken
                  if not apart((t[2], t[3]), (first, until)) and not apart((first, until), (t[2], t[3])))  # fmt: skip
    # First fit: the lowest gap among those that live at the same time.
    offset = 0
    for start, end in used:
        if offset + size <= start:
            break
        offset = max(offset, end)
    return offset
