"""Fusing: several stages as one body.

A stage's loads of an input become loads of the expression that produces it; that is all. It is exact, borders, first
frames and recurrences included, because a load of a computed plane means what a load of the finished image means:
"compute the plane whole, extend it by the border rule, look there" (`kernels.ir.expr`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kernels.errors import ExprError
from kernels.ir.body import Body, Output, Part, ValueType
from kernels.ir.expr import Expr, param, postorder
from kernels.ir.image import DType, ImageType
from kernels.ir.recurrence import recurrences, rename_states
from kernels.ir.rewriting import rewrite, substitute
from kernels.ir.table import Candidates, Reduction
from kernels.ir.verify import verify
from kernels.ir.volumes import WHOLE, input_volume, stack
from kernels.ir.volumes import part as channel
from kernels.param import Value


def compose(parts: Sequence[Part], outputs: Sequence[tuple[str, str]]) -> Body:
    """One body that does what `parts` do one after another.

    Args:
        parts: in an order in which each comes after those it takes from.
        outputs: (part, output) of what must leave, in order; in the fused body they are called "part.output".

    Returns:
        A verified body. Stages that no output needs vanish; a recurrence stays as long as anything looks at its state.

    Raises:
        ExprError: a part is opaque, comes before one that it takes from, takes from a table, or types do not fit.
    """
    made: dict[tuple[str, str], Output] = {}
    external: dict[int, ValueType | None] = {}
    live: dict[str, DType | None] = {}
    params: dict[str, Value] = {}
    limits: dict[str, tuple[float, float]] = {}
    known: dict[str, Expr] = {}
    passed: set[Expr] = set()  # what parts before made, whose recurrences are known
    for part in parts:
        if part.body.host is not None:
            raise ExprError(f"{part.id} is opaque and cannot be fused")
        roots = _connected(part, made, external)
        known |= recurrences(roots, passed)
        passed |= {*roots}
        # Roots are listed output by output, then the rest: they are taken back in the same order.
        rest = iter(roots)
        for output in part.body.outputs:
            made[part.id, output.name] = _rebuilt(part.id, output, [next(rest) for _ in output.roots])
        # Names are made unique by the part's own in front.
        live |= {f"{part.id}.{name}": scalar for name, scalar in part.body.live.items()}
        params |= {f"{part.id}.{name}": value for name, value in part.body.params.items()}
        limits |= {f"{part.id}.{name}": ends for name, ends in part.body.limits.items()}
    for part_id, name in outputs:
        if (part_id, name) not in made:
            raise ExprError(f"no part has an output {part_id}.{name}")
    chosen = tuple(replace(made[key], name=".".join(key)) for key in outputs)
    # Inputs that no part looks at keep their number, as None.
    inputs = tuple(external.get(i) for i in range(max(external, default=-1) + 1))
    updates = _kept_alive([root for output in chosen for root in output.roots], known)
    body = Body(inputs, chosen, live, params, updates=updates, limits=limits)
    verify(body, " + ".join(part.id for part in parts))
    return body


def _connected(
    part: Part, made: Mapping[tuple[str, str], Output], external: dict[int, ValueType | None]
) -> tuple[Expr, ...]:
    """The part's roots with its own names, looking at what feeds them."""
    if len(part.inputs) != len(part.body.inputs):
        raise ExprError(f"{part.id} has {len(part.body.inputs)} inputs, {len(part.inputs)} are connected")
    looks = [node for node in postorder(part.body.roots) if node.op == "input"]
    replacements: dict[Expr, Expr] = {}
    for index, (type_, source) in enumerate(zip(part.body.inputs, part.inputs, strict=True)):
        if type_ is None or source is None:
            continue
        if not isinstance(type_, ImageType):
            raise ExprError(f"{part.id} takes a table, which cannot be fused into it")
        if isinstance(source, int):
            # The same input in several parts must be of one type.
            if external.setdefault(source, type_) != type_:
                raise ExprError(f"input {source} is used as {type_} and as {external[source]}")
            whole = input_volume(source, type_)
        else:
            if source not in made:
                raise ExprError(f"{part.id} takes from {'.'.join(source)}, which no part before it makes")
            whole = stack(made[source].planes)
            if whole.channels != type_.channels:
                raise ExprError(f"{part.id} takes {type_.channels} channels, {'.'.join(source)} has {whole.channels}")
        for node in looks:
            if node.arg.index == index:
                replacements[node] = whole if node.arg.channel == WHOLE else channel(whole, node.arg.channel)

    def own_parameter(node: Expr) -> Expr | None:
        return param(f"{part.id}.{node.arg}", node.dtype) if node.op == "param" else None

    # First the part's own names, then what feeds it: what comes from other parts has its names already.
    roots = rename_states(rewrite(part.body.roots, own_parameter), lambda name: f"{part.id}/{name}")
    return substitute(roots, replacements)


def _rebuilt(part: str, output: Output, roots: Sequence[Expr]) -> Output:
    """`output` defined by new roots."""
    table = output.table
    if table is None:
        return replace(output, planes=tuple(roots))
    if isinstance(table, Candidates):
        names = [name for name, _ in table.columns]
        columns = tuple(zip(names, roots[1:], strict=True))
        return replace(output, table=replace(table, condition=roots[0], columns=columns))
    assert isinstance(table, Reduction)
    reduced = tuple(replace(c, expr=root) for c, root in zip(table.columns, roots, strict=True))
    regions = table.regions
    if regions.boxes:
        regions = replace(regions, boxes=f"{part}.{regions.boxes}")
    return replace(output, table=replace(table, columns=reduced, regions=regions))


def _kept_alive(roots: Sequence[Expr], known: Mapping[str, Expr]) -> tuple[Expr, ...]:
    """Recurrences that `roots` do not contain but whose states they, or such recurrences, look at."""
    kept: list[Expr] = []
    # A kept recurrence may look at further states: until nothing is missing.
    while True:
        nodes = list(postorder([*roots, *kept]))
        present = {node.arg for node in nodes if node.op == "recur"}
        missing = sorted({node.arg for node in nodes if node.op == "state"} - present)
        if not missing:
            return tuple(kept)
        kept += [known[name] for name in missing]
