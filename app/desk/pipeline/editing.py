"""Edits of a pipeline, each a new pipeline (`history` keeps them, to undo and redo).

An edit that would leave a pipeline without sense (an input that no stage makes, a circle) is refused with a sentence;
whether its types fit is found out when it is bound to a clip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from app.desk.pipeline import catalogue
from kernels.errors import DefinitionError
from kernels.param import Param, Value
from kernels.plugins import find_stage
from pipelines.graph import SOURCE, Node, Pipeline, Ref, TrackerNode, find_tracker
from pipelines.pins import Pair, Pins

SOURCE_REF = Ref(SOURCE)


def declared(member: Node | TrackerNode) -> Sequence[Param]:
    """The parameters of a stage or tracker."""
    return find_stage(member.stage).params if isinstance(member, Node) else find_tracker(member.tracker).params


def member(pipeline: Pipeline, name: str) -> Node | TrackerNode:
    """The stage or tracker called `name`.

    Raises:
        DefinitionError: there is none.
    """
    for found in pipeline.members:
        if found.id == name:
            return found
    raise DefinitionError(f"there is no {name!r} in the pipeline")


def set_param(pipeline: Pipeline, name: str, param: str, value: object) -> Pipeline:
    """A parameter changed (checked)."""
    return pipeline.with_settings({f"{name}.{param}": value})


def live_changes(before: Pipeline, after: Pipeline) -> tuple[tuple[str, str, Value], ...] | None:
    """The (node, parameter, value) that lead from one pipeline to another while it runs; None if it has to be gone over
    to as a whole: more than values differ, one that code is made of, or several of a tracker, which have to fit one
    another."""
    bare = [replace(p, nodes=tuple(replace(n, params={}) for n in p.nodes),
                    trackers=tuple(replace(t, params={}) for t in p.trackers)) for p in (before, after)]  # fmt: skip
    if bare[0] != bare[1]:
        return None
    changes: list[tuple[str, str, Value]] = []
    for old, new in zip(before.members, after.members, strict=True):
        now = [(param, new.params.get(param.name, param.default)) for param in declared(new)]
        other = [(param, value) for param, value in now if value != old.params.get(param.name, param.default)]
        if any(p.structural for p, _ in other) if isinstance(new, Node) else len(other) > 1:
            return None
        changes += [(new.id, param.name, value) for param, value in other]
    return tuple(changes)


def free_name(pipeline: Pipeline, wish: str) -> str:
    """`wish`, or the first of wish2, wish3 ... that is not taken."""
    taken = {found.id for found in pipeline.members} | {SOURCE}
    return next(name for k in range(1, len(taken) + 2) if (name := wish if k == 1 else f"{wish}{k}") not in taken)


def add_stage(
    pipeline: Pipeline, stage: str, after: Ref = SOURCE_REF, params: Mapping[str, Value] | None = None
) -> Pipeline:
    """A stage put behind the output `after`: whatever took that output takes the new stage's.

    All its inputs but the optional ones come from `after`, until they are wired otherwise.
    """
    found = find_stage(stage)
    name = free_name(pipeline, stage)
    if after.node != SOURCE and not isinstance(member(pipeline, after.node), Node):
        raise DefinitionError(f"{after.node!r} is a tracker; stages stand before trackers")
    made = Node(name, stage, {port: after for port in found.inputs if port not in found.optional}, dict(params or {}))
    place = 1 + next((k for k, node in enumerate(pipeline.nodes) if node.id == after.node), -1)
    nodes = (*pipeline.nodes[:place], made, *pipeline.nodes[place:])
    return checked(_rewired(replace(pipeline, nodes=nodes), after, _output(made), but=name))


def insert(pipeline: Pipeline, stage: str, consumer: str, port: str) -> Pipeline:
    """A new stage put into one wire: it takes what the input took, and the input takes the new stage's."""
    after = _feeding(pipeline, consumer, port)
    made = add_stage(pipeline, stage, after)
    new = next(node for node in made.nodes if node.id not in {n.id for n in pipeline.nodes})
    others = _each_input(made, lambda ref: after if ref == _output(new) else ref)
    return rewire(_exchanged(others, new), consumer, port, _output(new))


def move_into(pipeline: Pipeline, name: str, consumer: str, port: str) -> Pipeline:
    """A stage taken out of its place (see `remove`) and put into a wire."""
    moved = member(pipeline, name)
    if isinstance(moved, TrackerNode):
        raise DefinitionError("trackers stand behind the stages; only stages are moved")
    if name in (consumer, _feeding(pipeline, consumer, port).node):
        return pipeline
    rest = remove(pipeline, name)
    after = _feeding(rest, consumer, port)
    place = 1 + next((k for k, node in enumerate(rest.nodes) if node.id == after.node), -1)
    again = replace(moved, inputs=_first_from(moved, after))
    made = replace(rest, nodes=(*rest.nodes[:place], again, *rest.nodes[place:]), pins=pipeline.pins)
    return rewire(made, consumer, port, _output(moved))


def shift(pipeline: Pipeline, name: str, down: bool) -> Pipeline:
    """A stage taken out (see `remove`) and put in before what it takes from, or (down) behind a stage that takes from
    it: there it feeds what that stage fed, and nothing else."""
    moved = member(pipeline, name)
    if isinstance(moved, TrackerNode):
        raise DefinitionError("trackers stand behind the stages; only stages are moved")
    if down:
        below = next((node for node in pipeline.nodes for ref in node.inputs.values() if ref.node == name), None)
        if below is None:
            raise DefinitionError(f"no stage takes from {name!r}; it is the last one")
        return _behind(pipeline, moved, below)
    above = next((ref.node for ref in moved.inputs.values()), SOURCE)
    if above == SOURCE:
        raise DefinitionError(f"{name!r} takes the clip's pictures; it is the first one")
    return move(pipeline, name, above)


def _behind(pipeline: Pipeline, moved: Node, below: Node) -> Pipeline:
    """A stage taken out and put behind the main output of another one."""
    if catalogue.category(below.stage) == "Features":
        raise DefinitionError(f"{below.id!r} makes features of its picture; {moved.id!r} works on pictures and stays "
                              "before it")  # fmt: skip
    rest = remove(pipeline, moved.id)
    after = _output(below)
    place = 1 + next(k for k, node in enumerate(rest.nodes) if node.id == below.id)
    again = replace(moved, inputs=_first_from(moved, after))
    made = replace(rest, nodes=(*rest.nodes[:place], again, *rest.nodes[place:]), pins=pipeline.pins)
    return checked(_rewired(made, after, _output(moved), but=moved.id))


def _feeding(pipeline: Pipeline, consumer: str, port: str) -> Ref:
    """What an input takes."""
    found = member(pipeline, consumer).inputs.get(port)
    if found is None:
        raise DefinitionError(f"the input {port!r} of {consumer!r} takes nothing")
    return found


def _output(node: Node) -> Ref:
    """The output of a stage that others take unless another is named."""
    return Ref(node.id, catalogue.main_output(node.stage))


def tracker_inputs(pipeline: Pipeline, tracker: str, near: str = "") -> dict[str, Ref]:
    """What a new tracker would take: for features the last stage that makes some, for pictures that of the stage
    `near`, else of the first stage; optional inputs only where something suits."""
    tables = [node for node in pipeline.nodes if catalogue.category(node.stage) == "Features"]
    pictures = [node for node in pipeline.nodes if node not in tables]
    chosen = [node for node in pictures if node.id == near] or pictures[:1]
    found: dict[str, Ref] = {}
    for need in find_tracker(tracker).inputs:
        if need.kind == "features" and tables:
            found[need.name] = Ref(next((n.id for n in tables if n.id == near), tables[-1].id))
        elif need.kind == "image":
            found[need.name] = _output(chosen[0]) if chosen else SOURCE_REF
        elif not need.optional:
            raise DefinitionError(f"the tracker {tracker!r} needs features; put in components or peaks first")
    return found


def add_tracker(pipeline: Pipeline, tracker: str, inputs: Mapping[str, Ref]) -> Pipeline:
    """A tracker that takes `inputs`."""
    name = free_name(pipeline, tracker)
    made = TrackerNode(name, tracker, dict(inputs), {})
    return checked(replace(pipeline, trackers=(*pipeline.trackers, made)))


def remove(pipeline: Pipeline, name: str) -> Pipeline:
    """Without a stage or tracker; what took its output takes what it took first."""
    gone = member(pipeline, name)
    if isinstance(gone, TrackerNode):
        return checked(replace(pipeline, trackers=tuple(t for t in pipeline.trackers if t.id != name)))
    source = next(iter(gone.inputs.values()), Ref(SOURCE))
    made = replace(pipeline, nodes=tuple(n for n in pipeline.nodes if n.id != name))
    made = _each_input(made, lambda ref: source if ref.node == name else ref)
    taps = tuple(tap for tap in made.taps if tap.node != name)
    keep = [pair for pair in made.pins.fuse if name not in pair]
    cut = [pair for pair in made.pins.cut if name not in pair]
    return checked(replace(made, taps=taps, pins=Pins(tuple(keep), tuple(cut))))


def rewire(pipeline: Pipeline, name: str, port: str, source: Ref | None) -> Pipeline:
    """An input taken from elsewhere; None leaves an optional one open."""
    old = member(pipeline, name)
    inputs = {k: v for k, v in old.inputs.items() if k != port}
    if source is not None:
        inputs[port] = source
    return checked(_exchanged(pipeline, replace(old, inputs=inputs)))


def rename(pipeline: Pipeline, name: str, new: str) -> Pipeline:
    """A stage or tracker called otherwise."""
    if not new.isidentifier():
        raise DefinitionError(f"a name is letters, digits and _, and begins with a letter, not {new!r}")
    if new != name and (new == SOURCE or any(found.id == new for found in pipeline.members)):
        raise DefinitionError(f"there is another {new!r}")

    def other(text: str) -> str:
        return new if text == name else text

    made = _exchanged(pipeline, replace(member(pipeline, name), id=new), name)
    made = _each_input(made, lambda ref: ref._replace(node=other(ref.node)))
    pins = Pins(*(tuple((other(a), other(b)) for a, b in pairs) for pairs in (made.pins.fuse, made.pins.cut)))
    return replace(made, taps=tuple(tap._replace(node=other(tap.node)) for tap in made.taps), pins=pins)


def move(pipeline: Pipeline, name: str, before: str | None) -> Pipeline:
    """A stage at another place in the chain: taken out (see `remove`) and put in behind the one that is before.

    Args:
        before: the stage that it comes to be before; None for the end of the list.
    """
    moved = member(pipeline, name)
    if isinstance(moved, TrackerNode):
        raise DefinitionError("trackers stand behind the stages; only stages are moved")
    if before == name:
        return pipeline
    rest = remove(pipeline, name)
    if before is None:
        behind = rest.nodes[-1].id if rest.nodes else SOURCE
        first = Ref(behind)
        made = replace(rest, nodes=(*rest.nodes, replace(moved, inputs=_first_from(moved, first))))
        return checked(replace(_rewired(made, first, _output(moved), but=name), pins=pipeline.pins))
    target = member(rest, before)
    first = next(iter(target.inputs.values()), Ref(SOURCE))
    place = next(k for k, node in enumerate(rest.nodes) if node.id == before)
    node = replace(moved, inputs=_first_from(moved, first))
    made = replace(rest, nodes=(*rest.nodes[:place], node, *rest.nodes[place:]))
    port = next(iter(target.inputs))
    made = _exchanged(made, replace(target, inputs={**target.inputs, port: _output(moved)}))
    return checked(replace(made, pins=pipeline.pins))


def _first_from(node: Node, source: Ref) -> dict[str, Ref]:
    """The inputs with the first taken from `source`."""
    return {port: source if k == 0 else ref for k, (port, ref) in enumerate(node.inputs.items())}


def pin(pipeline: Pipeline, pair: Pair, how: str | None) -> Pipeline:
    """Two stages pinned together ("fuse") or apart ("cut"), or left to the planner (None)."""

    def without(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
        return tuple(p for p in pairs if set(p) != set(pair))

    fuse, cut = without(pipeline.pins.fuse), without(pipeline.pins.cut)
    pins = Pins((*fuse, pair) if how == "fuse" else fuse, (*cut, pair) if how == "cut" else cut)
    pins.check(node.id for node in pipeline.nodes)
    return replace(pipeline, pins=pins)


def set_tap(pipeline: Pipeline, ref: Ref, wanted: bool) -> Pipeline:
    """Whether an output leaves the pipeline besides what the trackers take."""
    taps = tuple(tap for tap in pipeline.taps if tap != ref)
    return checked(replace(pipeline, taps=(*taps, ref) if wanted else taps))


def checked(pipeline: Pipeline) -> Pipeline:
    """The pipeline, if every input comes from somewhere and there is no circle.

    Raises:
        DefinitionError: says what is wrong.
    """
    nodes = {node.id: node for node in pipeline.nodes}
    for found in pipeline.members:
        for port, ref in found.inputs.items():
            if ref.node != SOURCE and ref.node not in nodes:
                raise DefinitionError(f"the input {port!r} of {found.id!r} comes from {ref.node!r}, which is no stage")
    done: set[str] = set()
    waiting = list(nodes)
    while waiting:
        ready = [name for name in waiting
                 if all(ref.node == SOURCE or ref.node in done for ref in nodes[name].inputs.values())]  # fmt: skip
        if not ready:
            raise DefinitionError(f"{', '.join(waiting)} would take from one another in a circle")
        done |= set(ready)
        waiting = [name for name in waiting if name not in done]
    return pipeline


def _exchanged(pipeline: Pipeline, new: Node | TrackerNode, old: str = "") -> Pipeline:
    name = old or new.id
    if isinstance(new, Node):
        return replace(pipeline, nodes=tuple(new if n.id == name else n for n in pipeline.nodes))
    return replace(pipeline, trackers=tuple(new if t.id == name else t for t in pipeline.trackers))


def _each_input(pipeline: Pipeline, change: Callable[[Ref], Ref]) -> Pipeline:
    nodes = tuple(replace(n, inputs={k: change(r) for k, r in n.inputs.items()}) for n in pipeline.nodes)
    trackers = tuple(replace(t, inputs={k: change(r) for k, r in t.inputs.items()}) for t in pipeline.trackers)
    return replace(pipeline, nodes=nodes, trackers=trackers)


def _rewired(pipeline: Pipeline, old: Ref, new: Ref, but: str) -> Pipeline:
    """What took `old` takes `new`, but for the node `but`."""
    made = _each_input(pipeline, lambda ref: new if ref == old else ref)
    kept = member(pipeline, but)
    return _exchanged(made, kept)
