"""What a stage costs a CPU: the instructions of its body in normal form, which is what the code is printed from.

The unit is a *lane*: 32 bits of a vector register through one instruction. A loop works on as many pixels at a time
as its widest type allows (`kernels.fusion.rows`), so a byte beside floats takes as much of an instruction as a float,
and a loop of bytes alone takes a quarter. Windows count as the folds that they become, whole numbers in the 16 bits
that they were found to need, divisions by constants as products.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kernels.fusion.accesses import direct_rows, kept_by_looks
from kernels.fusion.normal import Unsupported, is_delay, normalise
from kernels.fusion.rows import ALIGN, LANES, loop_of
from kernels.ir.body import Body
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL
from kernels.ir.ops import OPS
from kernels.ir.table import Candidates

_GATHERED = 24.0
"""Instructions that a gather of one vector takes, about: two coordinates folded, and a load for every lane."""
_SCANNED = 64.0
"""Lanes that it takes to look for a candidate at a pixel: one after another, with a branch."""
_SUMMED = 8.0
"""Lanes a pixel for a column of a reduction: widened, masked and added in 64 bits."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Of one frame.

    Args:
        lanes: of arithmetic.
        loads: lanes read from rows: what is looked at beside the own pixel, and the intermediates of the stage.
        stores: lanes written to rows of intermediates.
        rows: rows of the loops that make its intermediates; the last loop may be another stage's.
    """

    lanes: float
    loads: float
    stores: float
    rows: float


def mix(body: Body, numbers: Sequence[int]) -> Mix | None:
    """Of the outputs with these numbers; None where the back end cannot compile the body.

    A look at an input's own pixel is not counted: whether it is a load is the group's affair.
    """
    try:
        normal = normalise(body)
    except Unsupported:
        return None
    roots: list[Expr] = []
    scanned = 0.0
    for number in numbers:
        found, table = normal.outputs[number], body.outputs[number].table
        if isinstance(table, Candidates):
            found = found[:1]  # the columns are computed where there is a candidate
            scanned += _SCANNED * _pixels(found[0])
        elif table is not None:
            scanned += _SUMMED * sum(_pixels(root) for root in found)
        roots += found
    nodes = _closure(roots, dict(normal.recurrences))
    kept = kept_by_looks(nodes)
    lanes_of = _loops(nodes, roots, kept)
    lanes = loads = stores = 0.0
    for node in nodes:
        # Vectors hold as many pixels as the loop's widest type allows; in lanes of 32 bits.
        size = 4.0 * _pixels(node) / lanes_of.get(node, LANES) * (ALIGN / 16)
        lanes += _instructions(node, lanes_of.get(node, LANES)) * size
        if node.op == "gather":
            loads += _GATHERED * size
        elif node.op == "load" and not (node.src[0].op == "input" and (node.arg.dx, node.arg.dy) == (0, 0)):
            loads += size
        # A recurrence reads what it was; what is kept is written, unless it is the caller's image.
        if node in kept:
            loads += size * (node.op == "recur")
            stores += size * (node.op != "input")
    return Mix(lanes + scanned, loads, stores, _rows(roots, kept))


def _closure(roots: Sequence[Expr], known: dict[str, Expr]) -> list[Expr]:
    wanted = list(roots)
    while True:
        nodes = list(postorder(wanted))
        missing = [known[n.arg] for n in nodes if n.op == "state" and known[n.arg] not in nodes]
        if not missing:
            return nodes
        wanted += dict.fromkeys(missing)


def _pixels(node: Expr) -> float:
    return 0.0 if node.size is None else float(node.size[0] * node.size[1])


def _loops(nodes: Sequence[Expr], roots: Sequence[Expr], kept: Collection[Expr]) -> dict[Expr, int]:
    """Pixels that each node is computed for at a time: by the widest type of the loop that it is in first."""
    found: dict[Expr, int] = {}
    for start in [*(n for n in nodes if n in kept and n.op != "input"), *roots]:
        loop, lanes = loop_of([start], kept)
        for node in loop:
            found.setdefault(node, lanes)
    return found


def _instructions(node: Expr, lanes: int) -> float:
    """Vector instructions that a node takes for `lanes` pixels, in terms of whole vectors."""
    if node.op == "convert":
        given, to = node.src[0].dtype, node.dtype
        widest = max(given.itemsize, to.itemsize)
        # Float to whole number: round, clamp on both sides, sort NaN out, and narrow.
        if given.is_float and not to.is_float:
            count = 1.0 if to == BOOL else 6.0
        elif to.is_float and given.itemsize < 4:
            count = 2.0
        else:
            count = 1.0 if to.itemsize > given.itemsize else 2.0
        # Loops of wide pixels take several registers of the wider type.
        return count * max(1.0, lanes * widest / ALIGN)
    if node.op == "table":
        return 2.0 * max(1.0, lanes * node.dtype.itemsize / ALIGN)
    if node.op not in OPS:
        return 0.0
    widest = max(node.src[0].dtype.itemsize, node.dtype.itemsize)
    return OPS[node.op].cost * max(1.0, lanes * widest / ALIGN)


def _rows(roots: Sequence[Expr], kept: Collection[Expr]) -> float:
    """Rows of the loops one after another, but for the last."""
    depth: dict[Expr, int] = {}
    rows: dict[int, float] = {}
    for node in postorder(roots):
        looked = node.op == "load" and node.src[0] in kept and not is_delay(node) and not direct_rows(node)
        # Each look at a kept plane begins another loop behind it.
        depth[node] = max((depth[s] for s in node.src), default=0) + looked
        made = node.src[0] if looked else None
        if made is not None and made.op != "input" and made.size is not None:
            rows[depth[made]] = max(rows.get(depth[made], 0.0), float(made.size[0]))
    return sum(rows.values())
