"""Groups of nodes as units of execution: each becomes one body (`kernels.fusion.compose`), or stays a host stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kernels.errors import DefinitionError
from kernels.fusion.compose import Part, Source, compose
from kernels.ir.body import Body
from kernels.param import Param
from pipelines.graph import Bound, BoundNode, Ref


@dataclass(frozen=True)
class Unit:
    """What runs as one program.

    Args:
        nodes: the nodes in it, in order.
        body: the fused body, or the host stage's.
        inputs: where each input comes from; None where not connected.
        outputs: what each of the body's outputs is called in the pipeline.
        params: name of each parameter in the body, by (node, parameter).
    """

    nodes: tuple[BoundNode, ...]
    body: Body
    inputs: tuple[Ref | None, ...]
    outputs: Mapping[str, Ref]
    params: Mapping[tuple[str, str], str]

    @property
    def name(self) -> str:
        """The nodes' names, joined by +."""
        return "+".join(node.id for node in self.nodes)

    def param(self, node: str, name: str) -> Param | None:
        """The declaration of a node's parameter."""
        return next((p for n in self.nodes if n.id == node for p in n.stage.params if p.name == name), None)


def fuse(bound: Bound, groups: Sequence[Sequence[str]], wanted: Sequence[Ref]) -> tuple[Unit, ...]:
    """The units that compute `wanted`, a unit a group, in the groups' order.

    Args:
        bound: the pipeline.
        groups: node ids; each node in one group, each group after those it takes from. Nodes that `wanted` does not
            need may stand in them and are left out.
        wanted: the outputs that must be there at the end.

    Raises:
        DefinitionError: a host stage is grouped with another, a node stands in no group or in two, or a group comes
            before one that it needs.
    """
    needed = needed_nodes(bound, wanted)
    by_id = {node.id: node for node in needed}
    listed = [name for group in groups for name in group if name in by_id]
    if sorted(listed) != sorted(by_id):
        raise DefinitionError("every node must stand in exactly one group")
    members = [[by_id[name] for name in group if name in by_id] for group in groups]
    units: list[Unit] = []
    made: set[str] = set()
    for i, group in enumerate(members):
        if not group:
            continue
        others = [node for k, other in enumerate(members) if k != i for node in other]
        outside = {ref for node in others for ref in node.inputs if ref is not None}
        unit = _unit(group, outside | set(wanted))
        late = [str(ref) for ref in unit.inputs if ref is not None and ref.node in by_id and ref.node not in made]
        if late:
            raise DefinitionError(f"group {unit.name} comes before what it needs: {', '.join(late)}")
        made |= {node.id for node in group}
        units.append(unit)
    return tuple(units)


def largest_groups(bound: Bound, wanted: Sequence[Ref]) -> list[list[str]]:
    """The fewest groups: all stages between two host stages in one, host stages alone.

    A stage's level counts the host stages on the longest way to it, so no way from a group leads back into it.
    """
    level: dict[str, int] = {}
    groups: dict[tuple[int, str], list[str]] = {}
    for node in needed_nodes(bound, wanted):
        host = node.body.host is not None
        before = [level.get(ref.node, 0) for ref in node.inputs if ref is not None]
        level[node.id] = max(before, default=0) + host
        groups.setdefault((level[node.id], "" if not host else node.id), []).append(node.id)
    # Of one level, host stages come first: they take from the levels below and give to this one.
    return [groups[key] for key in sorted(groups, key=lambda key: (key[0], key[1] == ""))]


def needed_nodes(bound: Bound, wanted: Sequence[Ref]) -> tuple[BoundNode, ...]:
    """The nodes that any of `wanted` depends on, in order."""
    names = {ref.node for ref in wanted}
    kept = []
    for node in reversed(bound.nodes):
        if node.id in names:
            kept.append(node)
            names |= {ref.node for ref in node.inputs if ref is not None}
    return tuple(reversed(kept))


def output_refs(node: BoundNode) -> dict[str, Ref]:
    """What a node's outputs are called in the pipeline, by their names in its body."""
    if len(node.body.outputs) == 1:
        return {node.body.outputs[0].name: Ref(node.id)}
    return {output.name: Ref(node.id, output.name) for output in node.body.outputs}


def _unit(group: Sequence[BoundNode], wanted: set[Ref]) -> Unit:
    if any(node.body.host is not None for node in group):
        if len(group) > 1:
            raise DefinitionError(f"a host stage cannot be fused: {'+'.join(node.id for node in group)}")
        node = group[0]
        params = {(node.id, p.name): p.name for p in node.stage.params if not p.structural}
        return Unit((node,), node.body, node.inputs, output_refs(node), params)
    inside = {ref: (node.id, name) for node in group for name, ref in output_refs(node).items()}
    external: dict[Ref, int] = {}
    parts = []
    for node in group:
        sources: list[Source] = []
        for ref in node.inputs:
            if ref is None:
                sources.append(None)
            else:
                sources.append(inside[ref] if ref in inside else external.setdefault(ref, len(external)))
        parts.append(Part(node.id, node.body, tuple(sources)))
    leaving = [(ref, key) for ref, key in inside.items() if ref in wanted]
    body = compose(parts, [key for _, key in leaving])
    params = {(n.id, p.name): f"{n.id}.{p.name}" for n in group for p in n.stage.params if not p.structural}
    return Unit(tuple(group), body, tuple(external), {".".join(key): ref for ref, key in leaving}, params)
