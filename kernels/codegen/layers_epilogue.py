"""What becomes of a sum before it is stored, as an expression, in vectors of channels.

Leaves: `SUM`, of whole numbers `summed(I32)`; `beside(k)`, the same pixel and channel of a further row (a residual, one
of the four pixels of a pooled skip); `constant(k)`, a number a channel (PReLU's slopes, the scales of a quantiser);
`scalar(k)`, a number that differs from layer to layer (zero points), so that layers which differ in nothing else share
a kernel. Any activation that `kernels.ir.ops` can say is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kernels.codegen import arithmetic
from kernels.codegen.layers_bounds import Bounds, bounds
from kernels.codegen.layers_record import BESIDE, SCALARS, TABLES
from kernels.codegen.writer import Writer, splat, vector
from kernels.errors import ExprError
from kernels.ir.expr import Expr, param, postorder
from kernels.ir.image import F32, I8, I32, U8, DType
from kernels.ir.listing import fingerprint
from kernels.ir.ops import OPS
from kernels.ir.planes import input_plane

STORED = (F32, U8, I8, I32)
"""Types of what lies in rows."""


def summed(dtype: DType) -> Expr:
    """What is summed, or moved."""
    return input_plane(0, 0, dtype, (1, 1))


SUM: Expr = summed(F32)


def beside(number: int, dtype: DType = F32) -> Expr:
    """The value of a further row at this pixel and channel."""
    return input_plane(1 + number, 0, dtype, (1, 1))


def constant(number: int) -> Expr:
    """A constant of this channel."""
    return param(f"channel{number}", F32)


def scalar(number: int, dtype: DType) -> Expr:
    """A constant of the layer."""
    return param(f"scalar{number}", dtype)


@dataclass(frozen=True, slots=True)
class Epilogue:
    """A function of `SUM` and the other leaves.

    Args:
        calm: that no float which becomes an i32 in it is a NaN or beyond +-2**30, whatever goes in: then it needs no
            limits before it is rounded.

    Raises:
        ExprError: it is of another type than rows hold, has other nodes than scalar operations, or more leaves than a
            record has room for.
    """

    root: Expr = SUM
    calm: bool = False

    def __post_init__(self) -> None:
        if self.root.dtype not in STORED:
            raise ExprError(f"what a layer stores must be f32, u8, i8 or i32, not {self.root.dtype}")
        for node in postorder((self.root,)):
            if node.op not in OPS and node.op not in ("const", "convert", "input", "param"):
                raise ExprError(f"the epilogue of a layer cannot hold {node.op!r}")
        if self.beside > BESIDE or self.tables > TABLES or self.scalars > SCALARS:
            raise ExprError(f"an epilogue looks at {BESIDE} further rows, {TABLES} constants a channel and {SCALARS} "
                            f"others at most, not at {self.beside}, {self.tables} and {self.scalars}")  # fmt: skip

    @property
    def beside(self) -> int:
        """How many further rows it looks at: as many as the highest number says."""
        return max((n.arg.index for n in postorder((self.root,)) if n.op == "input"), default=0)

    @property
    def tables(self) -> int:
        """How many constants a channel."""
        return max((1 + k for k in range(TABLES + 1) if constant(k) in set(postorder((self.root,)))), default=0)

    @property
    def scalars(self) -> int:
        """How many constants of the layer."""
        return max((1 + number for number, _ in self.scalar_leaves), default=0)

    @property
    def operations(self) -> int:
        """How many it has."""
        return sum(node.op not in ("input", "const", "param") for node in postorder((self.root,)))

    @property
    def leaves(self) -> list[Expr]:
        """All of them."""
        return [n for n in postorder((self.root,)) if n.op in ("input", "param")]

    @property
    def scalar_leaves(self) -> list[tuple[int, Expr]]:
        """(number, leaf) of the constants of the layer."""
        found = [n for n in self.leaves if n.op == "param" and n.arg.startswith("scalar")]
        return [(int(n.arg.removeprefix("scalar")), n) for n in found]

    def type_of(self, number: int) -> DType:
        """The type of what is summed (number 0), or of further row number - 1."""
        found = [n.dtype for n in postorder((self.root,)) if n.op == "input" and n.arg.index == number]
        return found[0] if found else F32

    @property
    def name(self) -> str:
        """Equal for equal ones; of letters and figures."""
        return fingerprint((self.root,))[:12] + "c" * self.calm

    def write(self, w: Writer, lanes: int, leaf: Callable[[Expr], str]) -> str:
        """Its vector, from those of its leaves."""
        made: dict[Expr, str] = {}
        order = list(postorder((self.root,)))
        known = bounds(order)
        for node in order:
            src = [made[s] for s in node.src]
            if node.op in ("input", "param"):
                made[node] = leaf(node)
            elif node.op == "const":
                made[node] = splat(node.arg, node.dtype)
            elif node.op == "convert" and self._rounded_only(node, known):
                name = f"llvm.lrint.v{lanes}i32.v{lanes}f32"
                made[node] = w.call(vector(lanes, "i32"), name, (vector(lanes, "float"), src[0]))
            elif node.op == "convert":
                made[node] = arithmetic.convert(w, node.src[0].dtype, node.dtype, lanes, src[0])
            else:
                made[node] = arithmetic.apply(w, node, lanes, src)
        return made[self.root]

    def _rounded_only(self, node: Expr, known: Mapping[Expr, Bounds]) -> bool:
        """Whether a float becomes an i32 that it cannot be beyond."""
        return (node.src[0].dtype, node.dtype) == (F32, I32) and (node in known or self.calm)


NOTHING = Epilogue()
"""The sum as it is."""
COPIES = {dtype: Epilogue(summed(dtype)) for dtype in STORED}
"""The same of other types."""
