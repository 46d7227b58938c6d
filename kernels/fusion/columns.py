"""Blocks of columns: a strip is worked on in parts side by side, where its rows would not stay in the first cache.

In every step of a march all rings of a pass are read and written. While they fit in a processor's first cache that
costs next to nothing; beyond, each step fetches them from the second. A block's rows are shorter; the columns beside it
that its groups look at are made once more. Memory is laid out as for whole rows: of each row a block touches its part
only. Each block keeps states of its own, those of the columns beside it included, as strips do with rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from kernels.fusion.accesses import Look
from kernels.fusion.plan import Thing
from kernels.fusion.rows import ALIGN, LANES, Pass, Store
from kernels.ir.expr import Expr
from kernels.ir.ops import OPS

FIRST_CACHE = 48 << 10
"""Bytes of a processor's first cache, unless said otherwise."""

GRAIN = 128
"""The width of blocks is a multiple of so many columns: of two of the longest vectors, so that no turn of a loop begins
within one. The last block has as many at least."""

BESIDE = 64
"""The most columns beside a block: in each block there must be what lies beyond the image's edge."""

STREAMED = 3
"""Rows of an image that are in the first cache: the one at hand, and those that have been asked for."""

SPILL = 1.25
"""How many times the first cache a step must touch: harris 576 px wide (1.1) takes 1.02 times as long a pixel as with
512, 768 px wide (1.5) 1.4 times."""

RINGS = 8
"""How many times what goes to and from images and states the rings' traffic must be: blocks break the streams of rows
from memory. Measured at 1024x1024 on two threads: harris (61 times) gains 1.3, seed-f32 (4 times) loses 1.25."""

BUSY = 20
"""Bytes of rings for each vector operation from which the second cache holds a march up: some 48 arrive in a cycle, in
which about two and a half operations are done. Measured likewise: harris has 30; unsharp, with 10, loses 1.05."""


def columns_beside(
    order: Sequence[Sequence[Thing]],
    needs: Sequence[Sequence[Sequence[tuple[Look, Thing]]]],
    joined: Sequence[int | None],
) -> list[tuple[int, int]]:
    """Columns to the left and to the right of a block that each group must make.

    Args:
        order: the groups of a pass.
        needs: what each of their things looks at.
        joined: see `kernels.fusion.rows.Group`: two that share a loop make the same columns.
    """
    number = {thing: i for i, members in enumerate(order) for thing in members}
    left, right = [0] * len(order), [0] * len(order)
    # From the last group back: what a group needs beside the block is what its readers need, and their looks on top.
    for i in reversed(range(len(order))):
        for look, maker in (need for each in needs[i] for need in each):
            j = number.get(maker, i)
            if j != i:
                left[j] = max(left[j], left[i] + max(0, -look.side))
                right[j] = max(right[j], right[i] + max(0, look.side))
    for i in range(1, len(order)):
        if joined[i] is not None:
            left[i], right[i] = left[i - 1], right[i - 1]
    return list(zip(left, right, strict=True))


def blocks(plan: Pass, things: Iterable[Thing], near: int, forced: int = 0) -> tuple[int, ...]:
    """Where the blocks of a pass begin, and where the last ends; nothing for whole rows.

    Blocks are as few as make what a step touches (`Step.touched`) fit in the first cache; there are none where it
    nearly fits (`SPILL`) or where it is not the rings that hold a pass up (`RINGS`, `BUSY`).

    Args:
        plan: the pass.
        things: what it makes.
        near: bytes of the first cache.
        forced: columns of a block, if the pass can be cut at all.
    """
    width = plan.size[1]
    if width < 2 * GRAIN or not _divisible(plan):
        return ()
    columns = forced
    if not columns:
        step = Step.of(plan, things)
        if step.touched < SPILL * near or step.rings < RINGS * step.streams or step.rings < BUSY * step.operations:
            return ()
        # As few blocks as bring a step's bytes below the first cache.
        columns = -(-width // -(-step.touched // near))
    back = max([LANES, *(g.lanes for g in plan.groups for item in g.items if item.kind == "output")])
    # Rounded up to GRAIN; one block alone is no division.
    found = edges(width, -(-columns // GRAIN) * GRAIN, back)
    return found if len(found) > 2 else ()


def edges(width: int, columns: int, back: int) -> tuple[int, ...]:
    """Where blocks of about `columns` columns begin, and where the last ends: `back` before the multiples of `columns`,
    so that with what is made beside them they end and begin there, or nearly so.

    >>> edges(1000, 384, 16), edges(800, 384, 32)
    ((0, 368, 752, 1000), (0, 352, 800))
    """
    starts = [0, *range(columns - back, width - GRAIN + 1, columns)]
    return (*starts, width)


@dataclass(frozen=True, slots=True)
class Step:
    """What a pass does in a step, for whole rows.

    Args:
        touched: bytes of all rows of its rings, of the rows of states at hand and the next, and of `STREAMED` rows of
            its images.
        rings: bytes of rings that are read and written.
        streams: bytes of images and states that are.
        operations: vectors of 64 bytes that are computed.
    """

    touched: int
    rings: int
    streams: int
    operations: float

    @staticmethod
    def of(plan: Pass, things: Iterable[Thing]) -> Step:
        width, made = plan.size[1], list(things)
        rings = [s for s in plan.stores if s.kind == "ring"]
        room = sum(s.rows * _row(s) for s in rings)
        # The rows at hand and those of the next step.
        states = 2 * sum(_row(s) for s in plan.stores if s.kind == "state")
        planes = dict.fromkeys(look.plane for t in made for look in t.looks if look.kind == "direct")
        outputs = [root for t in made if t.kind == "output" for root in t.roots]
        images = width * sum(plane.dtype.itemsize for plane in (*planes, *outputs))
        kept = {store.plane for store in plan.stores}
        # Each look at other rows of a plane reads a row of its own.
        looked = {(look.plane, look.extent) for t in made for look in t.looks if look.plane in kept}
        read = width * sum(plane.dtype.itemsize for plane, _ in looked)
        nodes = {node for t in made for node in _own(t, kept)}
        work = width * sum(node.dtype.itemsize for node in nodes) / ALIGN
        return Step(room + states + STREAMED * images, read + sum(_row(s) for s in rings), images + states, work)


def _row(store: Store) -> int:
    """Bytes."""
    return store.pitch * store.plane.dtype.itemsize


def _own(thing: Thing, kept: Collection[Expr]) -> Iterator[Expr]:
    """The operations that make a thing, and the looks aside, which take a shuffle each."""
    stack, seen = list(thing.roots), set[Expr]()
    while stack:
        node = stack.pop()
        if node in seen or (node in kept and node is not thing.plane):
            continue
        seen.add(node)
        aside = node.op == "load" and node.arg.dx
        if node.op in OPS or node.op == "convert" or aside:
            yield node
        if node.op not in ("load", "gather"):
            stack += node.src


def _divisible(plan: Pass) -> bool:
    """Whether a pass can be worked on in blocks: it fills no table and no frame for later passes, and no row goes on
    with its other end."""
    items = [item for group in plan.groups for item in group.items]
    if any(item.kind not in ("plane", "output") for item in items):
        return False
    if any(store.kind == "frame" for item in items for store in item.stores):
        return False
    if any(s.border is not None and s.border.mode == "wrap" for s in plan.stores):
        return False
    return max(max(group.left, group.right) for group in plan.groups) <= BESIDE
