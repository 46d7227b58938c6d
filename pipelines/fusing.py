"""Groups of nodes as units of execution: each becomes one body (`kernels.fusion.compose`), or stays a host stage.

An output that is an input unchanged, as `gray` is of a mono picture, is not computed: its readers take that input
(`Unit.same`); two outputs of a group that are the same are made once. So they cost nothing on any back end, neither a
copy nor a way from a device, and what programs make is always memory of its own. Two names may stand for one array
then; see `pipelines.streaming.engine.engine` for who may hold it. The reference makes all of them, so that who
compares with it compares with what the stages say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from kernels.errors import DefinitionError
from kernels.fusion.algebra import simplified
from kernels.fusion.compose import compose
from kernels.ir.body import Body, Part, Source
from kernels.ir.expr import Expr, postorder
from kernels.ir.rewriting import Rewriting
from kernels.param import Param
from pipelines.feedback import feedback
from pipelines.fractions import whole_where_possible
from pipelines.graph import Bound, BoundNode, Ref, output_refs
from pipelines.pins import Pins, linked


@dataclass(frozen=True)
class Unit:
    """What runs as one program.

    Args:
        nodes: the nodes in it, in order.
        body: the fused body, or the host stage's.
        inputs: where each input comes from; None where not connected.
        outputs: what each of the body's outputs is called in the pipeline.
        params: name of each parameter in the body, by (node, parameter).
        rewritings: what algebra changed in the body, and stages when they were bound.
        before: inputs by number that are of the frame before, which `inputs` does not name.
        loop, asker: see `pipelines.feedback`; "" for none.
        passed_by: what it remembers changes nothing that is read (`fuse`, `share`).
        same: outputs of this unit and of those before that are no outputs of a body, since they are a value unchanged:
            that of the source, or one that a body makes.
    """

    nodes: tuple[BoundNode, ...]
    body: Body
    inputs: tuple[Ref | None, ...]
    outputs: Mapping[str, Ref]
    params: Mapping[tuple[str, str], str]
    rewritings: tuple[Rewriting, ...] = ()
    same: Mapping[Ref, Ref] = field(default_factory=dict)
    before: Mapping[int, Ref] = field(default_factory=dict)
    loop: str = ""
    asker: str = ""
    passed_by: bool = False

    @cached_property
    def idle(self) -> bool:
        """Whether there is nothing to compute: all that leaves is an input unchanged."""
        return not self.body.outputs

    @cached_property
    def name(self) -> str:
        """The nodes' names, joined by +."""
        return "+".join(node.id for node in self.nodes)

    def param(self, node: str, name: str) -> Param | None:
        """The declaration of a node's parameter."""
        return next((p for n in self.nodes if n.id == node for p in n.stage.params if p.name == name), None)


def fuse(
    bound: Bound, groups: Sequence[Sequence[str]], wanted: Sequence[Ref], exact: bool = True, share: bool = True
) -> tuple[Unit, ...]:
    """The units that compute `wanted`, a unit a group, in the groups' order.

    Args:
        bound: the pipeline.
        groups: node ids; every node in a group, each group after those it takes from. A node may be in several: each
            computes it for itself, with a state of its own where it has one (copies see the same frames, so their
            states are the same), and what others read comes from the first. Nodes that `wanted` does not need, and
            copies that nothing in their group reads, may be in them and are left out.
        wanted: the outputs that must be there at the end.
        exact: only rewritings that keep every bit; else also those of floats within stated bounds.
        share: outputs that are an input, or another output, unchanged are made nowhere (`Unit.same`), and host
            functions are given whole numbers for fractions of them (`pipelines.fractions`). A node whose outputs
            nothing reads then is computed nowhere; without `share` it is a unit of its own (`Unit.passed_by`), whatever
            group it is in or if it is in none, so that all other units are the same ones and have the same state.

    Raises:
        DefinitionError: a host stage is grouped with another, a node is in no group or twice in one, or a group
            comes before one that it needs.
    """
    sharing = whole_where_possible(bound)
    needed = needed_nodes(sharing if share else bound, wanted)
    by_id = {node.id: node for node in needed}
    passed = by_id.keys() - {node.id for node in needed_nodes(sharing, wanted)}
    members = [[by_id[name] for name in group if name in by_id and name not in passed] for group in groups]
    if passed:
        members = _as_needed([*([by_id[name]] for name in by_id if name in passed), *members])
    turns = feedback(needed, wanted)
    if {node.id for group in members for node in group} != set(by_id) or any(
        len({node.id for node in group}) < len(group) for group in members
    ):
        raise DefinitionError("every node must be in exactly one group")
    members = turns.apart(members)
    units: list[Unit] = []
    made: set[Ref] = set()
    same: Mapping[Ref, Ref] = {}
    first: dict[str, int] = {}
    for i, group in enumerate(members):
        for node in group:
            first.setdefault(node.id, i)
    for i, group in enumerate(members):
        outside = set(wanted)
        for other in members:
            inside = {node.id for node in other}
            outside |= {ref for node in other for ref in node.inputs if ref is not None and ref.node not in inside}
            outside |= {ref for node in other for ref in node.before.values()}
        leaving = {ref for node in group if first[node.id] == i for ref in output_refs(node).values()} & outside
        kept = _reading(group, leaving)
        if not kept:
            continue
        late = [str(ref) for ref in _taken(kept) if ref.node in by_id and ref not in made]
        if late:
            names = "+".join(node.id for node in kept)
            raise DefinitionError(f"group {names} comes before what it needs: {', '.join(late)}")
        made |= leaving
        made_now = _unit(kept, leaving, exact, same, share=share)
        loop, asker = (of.get(kept[0].id, "") for of in (turns.loop, turns.asker))
        units.append(replace(made_now, loop=loop, asker=asker, passed_by=kept[0].id in passed))
        same = units[-1].same
    return tuple(units)


def _as_needed(groups: Sequence[list[BoundNode]]) -> list[list[BoundNode]]:
    """The groups in an order in which each comes after those it takes from, as near to theirs as can be."""
    waiting, ordered = [group for group in groups if group], list[list[BoundNode]]()
    there: set[str] = set()
    names = {node.id for group in waiting for node in group}
    while waiting:
        ready = (group for group in waiting if not {ref.node for ref in _taken(group)} & (names - there))
        group = next(ready, waiting[0])  # of those that need each other any one, which is an error then
        waiting.remove(group)
        ordered.append(group)
        there |= {node.id for node in group}
    return ordered


def _taken(group: Sequence[BoundNode]) -> list[Ref]:
    """What a group takes from outside, in order."""
    inside = {node.id for node in group}
    refs = [ref for node in group for ref in node.inputs if ref is not None and ref.node not in inside]
    return list(dict.fromkeys(refs))


def _reading(group: Sequence[BoundNode], leaving: set[Ref]) -> list[BoundNode]:
    """The nodes of a group that what leaves it depends on, in the group's order."""
    by_id = {node.id: node for node in group}
    needed: set[str] = set()
    waiting = [ref.node for ref in leaving]
    while waiting:
        name = waiting.pop()
        if name in by_id and name not in needed:
            needed.add(name)
            waiting += [ref.node for ref in by_id[name].inputs if ref is not None]
    return [node for node in group if node.id in needed]


def largest_groups(bound: Bound, wanted: Sequence[Ref]) -> list[list[str]]:
    """The fewest groups that the pins allow: all stages between two host stages in one, host stages alone.

    A stage's level counts the host stages, and the cuts between pinned ones, on the longest way to it, so no way from
    a group leads back into it.

    Raises:
        DefinitionError: stages that are pinned together cannot share a kernel.
    """
    nodes = needed_nodes(bound, wanted)
    level = _levels(nodes, bound.pins)
    groups: dict[tuple[int, str], list[str]] = {}
    for node in nodes:
        groups.setdefault((level[node.id], node.id if node.body.host is not None else ""), []).append(node.id)
    # Of one level, host stages come first: they take from the levels below and give to this one.
    return [groups[key] for key in sorted(groups, key=lambda key: (key[0], key[1] == ""))]


def _levels(nodes: Sequence[BoundNode], pins: Pins) -> dict[str, int]:
    """The least levels that every edge and pin allows."""
    level = {node.id: 0 for node in nodes}
    place = {node.id: k for k, node in enumerate(nodes)}
    hosts = {node.id for node in nodes if node.body.host is not None}
    together = [sorted(names & level.keys(), key=place.__getitem__) for names in linked(pins.fuse)]
    apart = [sorted(pair, key=place.__getitem__) for pair in pins.cut if set(pair) <= level.keys() - hosts]
    for names in together:
        if len(names) > 1 and hosts & set(names):
            raise DefinitionError(f"{' + '.join(names)} cannot share a kernel: {(hosts & set(names)).pop()} runs on "
                                  "the host; drop the pin")  # fmt: skip
    before: dict[str, int] = {}
    while before != level:
        before = dict(level)
        for node in nodes:
            needs = [level[ref.node] for ref in node.inputs if ref is not None and ref.node in level]
            level[node.id] = max(level[node.id], max(needs, default=0) + (node.id in hosts))
        for names in together:
            level |= dict.fromkeys(names, max((level[name] for name in names), default=0))
        for first, second in apart:
            level[second] += level[first] == level[second]
        if max(level.values(), default=0) > 2 * len(nodes):  # each round pushes them further apart
            raise DefinitionError("stages that are pinned together need each other's results in between: "
                                  f"{', '.join(' + '.join(names) for names in together)}; drop a pin")  # fmt: skip
    return level


def tensor_kinds(bound: Bound, wanted: Sequence[Ref]) -> dict[str, str]:
    """The convolutions that a GPU's tensor cores may make where roundings may change: from the digest of their weights
    to the numbers from which they are made (`kernels.ir.volumes.Contract.tensor`)."""
    units = fuse(bound, largest_groups(bound, wanted), wanted, exact=False)
    nodes = (node for unit in units for node in postorder(unit.body.roots))
    return {node.arg.weights.digest: node.arg.tensor for node in nodes if node.op == "contract" and node.arg.tensor}


def needed_nodes(bound: Bound, wanted: Sequence[Ref]) -> tuple[BoundNode, ...]:
    """The nodes that any of `wanted` depends on, in order."""
    by_id = {node.id: node for node in bound.nodes}
    names: set[str] = set()
    waiting = [ref.node for ref in wanted]
    while waiting:
        name = waiting.pop()
        if name in by_id and name not in names:
            names.add(name)
            waiting += [ref.node for ref in (*by_id[name].inputs, *by_id[name].before.values()) if ref is not None]
    return tuple(node for node in bound.nodes if node.id in names)


def turns(units: Sequence[Unit]) -> list[str]:
    """Sentences about what goes frame by frame, and what is computed in some frames only (`pipelines.feedback`)."""
    loops: dict[str, dict[str, None]] = {}
    asked: dict[str, dict[str, None]] = {}
    for unit in units:
        names = dict.fromkeys(node.id.partition("/")[0] for node in unit.nodes)
        if unit.loop:
            loops.setdefault(unit.loop, {}).update(names)
        if unit.asker:
            asked.setdefault(unit.asker, {}).update(names)
    made = [f"{', '.join(names)}: frame by frame, as {name} takes what they make of the frame before"
            for name, names in loops.items()]  # fmt: skip
    made += [f"{', '.join(names)}: only in frames in which {name} looks at what they make; the plan reckons with all"
             for name, names in asked.items()]  # fmt: skip
    return made


def with_outputs(unit: Unit, refs: Sequence[Ref], exact: bool = True) -> Unit:
    """The same unit with more outputs, the last ones: values that otherwise stay inside.

    Raises:
        DefinitionError: no node of the unit makes one, or it is a host stage, which has no other outputs than its own.
    """
    made = {other for node in unit.nodes for other in output_refs(node).values()}
    for ref in refs:
        if ref not in made or unit.body.host is not None:
            raise DefinitionError(f"{ref} is made nowhere in {unit.name}")
    return _unit(unit.nodes, {*unit.outputs.values()}, exact, unit.same, refs)


def _unit(
    group: Sequence[BoundNode], wanted: set[Ref], exact: bool, same: Mapping[Ref, Ref], last: Sequence[Ref] = (),
    share: bool = True,
) -> Unit:  # fmt: skip
    """The unit of a group.

    Args:
        wanted: the outputs that leave.
        same: what earlier units hand on.
        last: those that the body makes in any case, as its last outputs.
        share: as `fuse` takes it.
    """
    if any(node.body.host is not None for node in group):
        if len(group) > 1:
            raise DefinitionError(f"a host stage cannot be fused: {'+'.join(node.id for node in group)}")
        node = group[0]
        params = {(node.id, p.name): p.name for p in node.stage.params if not p.structural}
        inputs = tuple(None if ref is None else same.get(ref, ref) for ref in node.inputs)
        before = {i: same.get(ref, ref) for i, ref in node.before.items()}
        return Unit((node,), node.body, inputs, output_refs(node), params, node.rewritings, same, before)
    inside = {ref: (node.id, name) for node in group for name, ref in output_refs(node).items()}
    external: dict[Ref, int] = {}
    parts = []
    for node in group:
        sources: list[Source] = []
        for ref in node.inputs:
            if ref is None:
                sources.append(None)
            else:
                own = inside.get(ref)
                sources.append(external.setdefault(same.get(ref, ref), len(external)) if own is None else own)
        parts.append(Part(node.id, node.body, tuple(sources)))
    leaving = [(ref, key) for ref, key in inside.items() if ref in wanted and ref not in last]
    leaving += [(ref, inside[ref]) for ref in last]
    known = tuple(r for node in group for r in node.rewritings)
    body, rewritings = simplified(compose(parts, [key for _, key in leaving]), exact)
    params = {(n.id, p.name): f"{n.id}.{p.name}" for n in group for p in n.stage.params if not p.structural}
    outputs = {".".join(key): ref for ref, key in leaving}
    taken = tuple(external)
    handed: dict[Ref, Ref] = {}
    first: dict[tuple[Expr, ...], Ref] = {}
    for output in body.outputs if share else ():
        name, number = outputs[output.name], body.unchanged(output)
        if name not in last and number is not None:
            handed[name] = taken[number]
        elif name not in last and output.planes and first.setdefault(output.planes, name) != name:
            handed[name] = first[output.planes]
    kept = tuple(output for output in body.outputs if outputs[output.name] not in handed)
    outputs = {output.name: outputs[output.name] for output in kept}
    body = replace(body, outputs=kept)
    return Unit(tuple(group), body, taken, outputs, params, (*known, *rewritings), {**same, **handed})
