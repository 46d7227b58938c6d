"""What becomes of a sum before it is stored, as an expression, in vectors of channels.

Leaves: `SUM`; `beside(k)`, the same pixel and channel of a further row (a residual, one of the four pixels of a pooled
skip); `constant(k)`, a number a channel (PReLU's slopes). Any activation that `kernels.ir.ops` can say is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kernels.codegen import arithmetic
from kernels.codegen.layers_record import BESIDE, TABLES
from kernels.codegen.writer import Writer, splat
from kernels.errors import ExprError
from kernels.ir.expr import Expr, param, postorder
from kernels.ir.image import F32
from kernels.ir.listing import fingerprint
from kernels.ir.ops import OPS
from kernels.ir.planes import input_plane

SUM: Expr = input_plane(0, 0, F32, (1, 1))


def beside(number: int) -> Expr:
    """The value of a further row at this pixel and channel."""
    return input_plane(1 + number, 0, F32, (1, 1))


def constant(number: int) -> Expr:
    """A constant of this channel."""
    return param(f"channel{number}", F32)


@dataclass(frozen=True, slots=True)
class Epilogue:
    """A function of `SUM` and the other leaves.

    Raises:
        ExprError: it is no f32, has other nodes than scalar operations, or more leaves than a record has room for.
    """

    root: Expr = SUM

    def __post_init__(self) -> None:
        if self.root.dtype != F32:
            raise ExprError(f"what a layer stores must be f32, not {self.root.dtype}")
        for node in postorder((self.root,)):
            if node.op not in OPS and node.op not in ("const", "convert", "input", "param"):
                raise ExprError(f"the epilogue of a layer cannot hold {node.op!r}")
        if self.beside > BESIDE or self.tables > TABLES:
            raise ExprError(f"an epilogue looks at {BESIDE} further rows and {TABLES} constants a channel at most, not "
                            f"at {self.beside} and {self.tables}")  # fmt: skip

    @property
    def beside(self) -> int:
        """How many further rows it looks at: as many as the highest number says."""
        return max((n.arg.index for n in postorder((self.root,)) if n.op == "input"), default=0)

    @property
    def tables(self) -> int:
        """How many constants a channel."""
        return max((1 + k for k in range(TABLES + 1) if constant(k) in set(postorder((self.root,)))), default=0)

    @property
    def name(self) -> str:
        """Equal for equal ones; of letters and figures."""
        return fingerprint((self.root,))[:12]

    def write(self, w: Writer, lanes: int, leaf: Callable[[Expr], str]) -> str:
        """Its vector, from those of its leaves."""
        made: dict[Expr, str] = {}
        for node in postorder((self.root,)):
            src = [made[s] for s in node.src]
            if node.op in ("input", "param"):
                made[node] = leaf(node)
            elif node.op == "const":
                made[node] = splat(node.arg, node.dtype)
            elif node.op == "convert":
                made[node] = arithmetic.convert(w, node.src[0].dtype, node.dtype, lanes, src[0])
            else:
                made[node] = arithmetic.apply(w, node, lanes, src)
        return made[self.root]


NOTHING = Epilogue()
"""The sum as it is."""
