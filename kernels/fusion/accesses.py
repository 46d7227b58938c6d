"""What an item looks at: the edges between the things that a row program makes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from kernels.fusion.normal import is_delay, is_strided
from kernels.ir.expr import Expr, postorder
from kernels.ir.planes import Tap

FRAME_LOOKS = ("strided", "gather", "delay", "wrap")
"""Looks that need the whole plane, so that an earlier pass must have made it."""

PAGE = 4096
"""Bytes after which rows meet in the same lines of a processor's first cache."""
WAYS = 12
"""Rows that may meet so: differences of Gaussians of 15 and of 25 taps on f32 images 1024 px wide take 1.2 and 2.3
times as long where they lie as from rows of another pitch, on images 512 px wide no longer."""


@dataclass(frozen=True, slots=True)
class Look:
    """An item's look at a plane.

    kind "point": this pixel of a kept plane; "row": a load at (dx, dy); "direct": pixels of an input image in the
    caller's memory; "state": a state; and FRAME_LOOKS. `node` is the one that looks.
    """

    kind: str
    plane: Expr
    node: Expr

    @property
    def extent(self) -> tuple[int, int]:
        """The rows (from, to) that it needs relative to its own, whatever the border folds where."""
        if self.kind != "row":
            return 0, 0
        tap: Tap = self.node.arg
        assert self.plane.size is not None
        dy, last = tap.dy, self.plane.size[0] - 1
        # Rows beyond the image are constants: no look folds back into it.
        if tap.border.mode == "constant":
            return max(dy, -last), min(dy, last)
        if tap.border.mode == "replicate":
            return max(min(dy, 0), -last), min(max(dy, 0), last)
        # A reflected look may land as far on the other side.
        reach = min(abs(dy), last)
        return -reach, reach

    @property
    def side(self) -> int:
        """The offset in x; not 0 only where the plane's padding may be seen."""
        return self.node.arg.dx if self.kind in ("row", "wrap") else 0


def direct_rows(node: Expr) -> bool:
    """Whether a load of an input can read the caller's memory: whole rows, or a part that lies inside."""
    tap, plane = node.arg, node.src[0]
    if plane.op != "input":
        return False
    # Whole rows without a shift in x need no padding; a constant border would need rows of its own.
    if tap.size is None:
        return bool(tap.dx == 0 and tap.border.mode != "constant") or (tap.dx, tap.dy) == (0, 0)
    assert plane.size is not None
    corner = tap.dy + tap.size[0], tap.dx + tap.size[1]
    inside = min(tap.dx, tap.dy) >= 0 and corner[0] <= plane.size[0] and corner[1] <= plane.size[1]
    return bool(tap.stride_x == tap.stride_y == 1 and inside)


def kept_by_looks(roots: Iterable[Expr]) -> set[Expr]:
    """The planes that must be in memory because something looks aside, every recurrence, and images whose rows would
    push one another out of the first cache."""
    kept = set()
    rows: dict[Expr, set[int]] = {}
    for node in postorder(roots):
        if node.op == "recur":
            kept.add(node)
        if node.op == "gather" or is_delay(node):
            if node.src[0].op != "input":
                kept.add(node.src[0])
        elif node.op == "load" and not direct_rows(node):
            kept.add(node.src[0])
        elif node.op == "load" and node.arg.size is None:
            rows.setdefault(node.src[0], {0}).add(node.arg.dy)
    return kept | {plane for plane, seen in rows.items() if _crowded(plane, len(seen))}


def _crowded(image: Expr, rows: int) -> bool:
    """Whether so many rows of an image meet in too few lines of the first cache."""
    assert image.size is not None
    # Rows whose distance is a multiple of the page fall into the same lines; gcd / PAGE is the share that do.
    return rows * math.gcd(image.size[1] * image.dtype.itemsize, PAGE) // PAGE > WAYS


def kept_for_table(roots: Iterable[Expr], condition: bool) -> set[Expr]:
    """What must be in padded rows so that a table can be computed from any x on: everything but arithmetic."""
    kept: set[Expr] = set()
    first = next(iter(roots))
    if condition:
        kept.add(first)
    stack = list(roots)
    # Arithmetic is repeated by the table from any x on; everything else must lie in padded rows.
    while stack:
        node = stack.pop()
        if node.op in ("input", "state", "gather", "recur") or is_delay(node) or is_strided(node):
            kept.add(node)
        elif node.op == "load":
            kept.add(node.src[0])
        else:
            stack += node.src
    return kept


def looks(
    roots: Iterable[Expr], kept: Collection[Expr], firsts: Mapping[str, Expr], own: Expr | None = None
) -> Iterator[Look]:
    """The looks of expressions over kept planes; `own` is the kept plane that they define, seen through.

    Each once; a kept plane is not searched any further. With a state comes what it is in the first frame.
    """
    seen: set[Expr] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node in kept and node is not own:
            yield Look("point", node, node)
        elif node.op == "recur":
            stack.append(node.src[1])
        elif node.op == "state":
            yield Look("state", node, node)
            stack += [firsts[node.arg]] if node.arg in firsts else []
        elif node.op == "input":
            yield Look("direct", node, node)
        elif node.op == "gather":
            yield Look("direct" if node.src[0].op == "input" else "gather", node.src[0], node)
            stack += node.src[1:]
        elif node.op == "load":
            yield Look(_kind(node, kept), node.src[0], node)
        else:
            stack += node.src


def _kind(node: Expr, kept: Collection[Expr]) -> str:
    if is_delay(node):
        return "direct" if node.src[0].op == "input" else "delay"
    if direct_rows(node) and (is_strided(node) or node.src[0] not in kept):
        return "direct"
    if is_strided(node):
        return "strided"
    # Down and up around the image needs rows that this pass makes last.
    return "wrap" if node.arg.border.mode == "wrap" and node.arg.dy else "row"
