"""Expressions from expressions: nodes replaced bottom-up, each once; and what was rewritten, described."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kernels.errors import ExprError
from kernels.ir.expr import Expr, joint_size, postorder

_OWN_SIZE = ("gather", "contract", "mosaic")


class AtOutputs(Protocol):
    """How far what a body gives can lie from what is written (`kernels.fusion.deviation`)."""

    def at_outputs(self, inputs: Sequence[float | None] = ()) -> Mapping[str, float]:
        """Each output's largest absolute difference; infinite where no bound holds.

        Args:
            inputs: the largest absolute value of each image that goes in; None, or missing, for full scale.
        """
        ...


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What was rewritten.

    Args:
        kind: of image kernels "composed" (serial filters as one), "added" (parallel ones), "factored" (a pass along
            rows and one down columns), "grouped" (equal weights together), "commuted" (a recurrence moved behind a
            filter); of networks "composed", "added", "folded" (constants into weights), "stacked" (siblings as one
            contraction), "epilogue" (computed in the layer that it follows), "pooled" (a pool in the layer that adds
            it),
            "tensor" (by tensor cores, from rounded operands; nothing is saved),
            "tiles" (of tiles, by fewer products; what is saved if all are),
            "host" (not understood and run in onnxruntime; nothing is saved).
        where: the outputs, for a recurrence its state, or the layers that are computed differently.
        exact: whether every bit stays.
        bound: the largest absolute difference at the rewritten value (of "tensor", by the sizes of a sum's terms added
            up: sum |w||x|; of "tiles", by these where each |x| is the largest of its tile); 0 if exact. It holds for
            live parameters as they
            are in the body, and for float images within -1..1.
        saved: scalar operations a pixel of the source; a multiply-add is one.
        words: a sentence.
        moved: bytes a pixel that are not written and read.
        device: the kind of device ("cpu", "cuda") that computes differently because of it; "" for all.
        deviation: what it does to the outputs; there wherever bits may change.
    """

    kind: str
    where: str
    exact: bool
    bound: float
    saved: float
    words: str
    moved: float = 0.0
    device: str = ""
    deviation: AtOutputs | None = field(default=None, compare=False, repr=False)

    def as_dict(self) -> dict[str, Any]:
        """For JSON: plain types only."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "deviation"}


def at_outputs(
    rewritings: Iterable[Rewriting], device: str, inputs: Sequence[float | None] = ()
) -> dict[str, float]:  # fmt: skip
    """How far each output of a body lies, at most, from what is written, by all that a kind of device does differently;
    outputs that nothing touches are left out.

    Args:
        inputs: the largest absolute value of each image that goes in; None, or missing, for full scale.
    """
    total: dict[str, float] = {}
    for made in rewritings:
        if not made.exact and made.device in ("", device):
            assert made.deviation is not None
            # Bounds of independent rewritings add up.
            for name, off in made.deviation.at_outputs(inputs).items():
                if off > 0:
                    total[name] = total.get(name, 0.0) + off
    return total


def rewriting_lines(rewritings: Iterable[Rewriting]) -> list[str]:
    """A line for each rewriting, for people."""
    lines = []
    for r in rewritings:
        if r.kind == "host":
            lines.append(f"{r.kind}: {r.words}")
            continue
        savings = [f"{r.saved:.3g} operations per pixel"] if r.saved or not r.moved else []
        savings += [f"{r.moved:.3g} B per pixel"] if r.moved else []
        bits = "every bit stays" if r.exact else f"within {r.bound:.2g}"
        lines.append(f"{r.kind}: {r.words}; saves {' and '.join(savings)}, {bits}")
    return lines


def with_operands(node: Expr, src: tuple[Expr, ...]) -> Expr:
    """`node` over other operands of the same types; its size follows theirs."""
    if src == node.src:
        return node
    if node.op in ("stack", "part"):
        return Expr(node.op, src, node.arg, node.dtype, joint_size(src), node.channels)
    # These say their own size: it does not follow from the operands.
    if node.op in _OWN_SIZE or (node.op == "load" and node.arg.size is not None):
        return Expr(node.op, src, node.arg, node.dtype, node.size, node.channels)
    return Expr(node.op, src, node.arg, node.dtype, joint_size(src))


def rewrite(roots: Iterable[Expr], rule: Callable[[Expr], Expr | None]) -> tuple[Expr, ...]:
    """`roots` with nodes replaced bottom-up: `rule` sees each node with its new operands; None keeps it."""
    wanted = tuple(roots)
    new: dict[Expr, Expr] = {}
    for node in postorder(wanted):
        copy = with_operands(node, tuple(new[s] for s in node.src))
        ruled = rule(copy)
        new[node] = copy if ruled is None else ruled
    return tuple(new[root] for root in wanted)


def substitute(roots: Iterable[Expr], replacements: Mapping[Expr, Expr]) -> tuple[Expr, ...]:
    """`roots` with each key of `replacements` replaced by its value, all at once (values are not searched again).

    Raises:
        ExprError: a value has another type, size or number of channels than its key.
    """
    # Checked before anything is built: a replacement of another shape would be found far away.
    for old, by in replacements.items():
        if old.channels != by.channels:
            raise ExprError(f"{old.op} of {old.channels} channels cannot be replaced by {by.op} of {by.channels}")
        if old.dtype != by.dtype or old.size != by.size:
            raise ExprError(f"{old.op} of {old.dtype} {old.size} cannot be replaced by {by.op} of {by.dtype} {by.size}")
    wanted = tuple(roots)
    new: dict[Expr, Expr] = {}
    for node in postorder(wanted, replacements):  # what is below a key alone is not looked at
        replaced = replacements.get(node)
        new[node] = with_operands(node, tuple(new[s] for s in node.src)) if replaced is None else replaced
    return tuple(new[root] for root in wanted)
