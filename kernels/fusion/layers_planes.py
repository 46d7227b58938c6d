"""Expressions over volumes that mix no channels, as planes that image kernels can compute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kernels.fusion.normal import Unsupported
from kernels.ir.expr import Expr, const, joint_size, postorder
from kernels.ir.planes import input_plane, spread
from kernels.ir.volumes import WHOLE

MOST_PLANES = 4096
"""Planes of the image pass, nodes of its expressions."""


def planes_of(roots: Iterable[Expr]) -> dict[Expr, tuple[Expr, ...]]:
    """Expressions over volumes without contractions as planes, one for each channel.

    Raises:
        Unsupported: there are too many.
    """
    made: dict[Expr, tuple[Expr, ...]] = {}
    count = 0
    for node in postorder(roots):
        src = [made[s] for s in node.src]
        count += node.channels
        if count > MOST_PLANES:
            raise Unsupported("the images beside the layers of a network have too many channels")
        match node.op:
            case "input" if node.arg.channel == WHOLE:
                at = node.arg
                made[node] = tuple(input_plane(at.index, c, node.dtype, at.size) for c in range(node.channels))
            case "vector":
                made[node] = tuple(const(v.item(), node.dtype) for v in node.arg.array)
            case "stack":
                made[node] = tuple(plane for planes in src for plane in planes)
            case "part":
                made[node] = src[0][node.arg[0] : node.arg[0] + node.arg[1]]
            case "mosaic" | "contract":
                raise Unsupported(f"{node.op} is used among images")
            case _:
                made[node] = tuple(_channel(node, src, c) for c in range(node.channels))
    return made


def _channel(node: Expr, src: Sequence[tuple[Expr, ...]], c: int) -> Expr:
    own = tuple(planes[c if len(planes) > 1 else 0] for planes in src)
    if own == node.src:
        return node
    size = node.size
    if node.op == "recur" and size is not None:  # a memory has pixels, of constants, too
        own = tuple(spread(plane, size) for plane in own)
    if node.op in ("load", "gather", "window"):
        return Expr(node.op, (spread(own[0], node.src[0].size or (1, 1)), *own[1:]), node.arg, node.dtype, size, 1)
    return Expr(node.op, own, node.arg, node.dtype, joint_size(own), 1)
