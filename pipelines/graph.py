"""Pipelines: a directed graph of named stages and trackers, and the same graph bound to a type of frame.

A `Pipeline` is what a file says. `bind` infers the type of every edge for one type of source, orders the nodes and
builds their bodies; everything after it (planning, running) starts from the `Bound` pipeline.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.body import Body, Output, Source, ValueType
from kernels.ir.expr import postorder
from kernels.ir.image import ImageType
from kernels.ir.rewriting import Rewriting
from kernels.ir.table import TableType
from kernels.ir.volumes import input_volume
from kernels.param import NONE_RETIRED, Param, Value, renewed, resolve
from kernels.plugins import find_stage
from kernels.stage import Expanded, Stage
from pipelines.pins import Pins
from pipelines.trackers.base import Tracker, TrackerInput
from pipelines.trackers.base import find_tracker as find_tracker  # for all who know trackers by graphs

MOST_PIXELS = 1 << 26
"""Pixels that a stage may make of a smaller picture (8192 x 8192); beyond, the memory would burst at once."""

SOURCE = "source"
"""The name under which nodes refer to the frames of the clip."""


class Ref(NamedTuple):
    """An output of a node: written "node", or "node.output" where the node has several."""

    node: str
    output: str = ""

    @staticmethod
    def parse(text: str) -> Ref:
        """From "node" or "node.output"."""
        node, _, output = text.partition(".")
        return Ref(node, output)

    def __str__(self) -> str:
        return f"{self.node}.{self.output}" if self.output else self.node


@dataclass(frozen=True, slots=True)
class Node:
    """A stage in a pipeline.

    Args:
        id: its name in the pipeline.
        stage: the stage's name in the registry.
        inputs: where each of the stage's inputs comes from, by the input's name.
        params: the parameters that the definition sets (the others take their defaults).
    """

    id: str
    stage: str
    inputs: Mapping[str, Ref]
    params: Mapping[str, Value] = field(default_factory=dict)

    @property
    def needs(self) -> tuple[Ref, ...]:
        """What it takes of the same frame, and so comes after."""
        previous = find_stage(self.stage).previous
        return tuple(ref for name, ref in self.inputs.items() if name not in previous)


@dataclass(frozen=True, slots=True)
class TrackerNode:
    """A tracker in a pipeline; fields as in `Node`."""

    id: str
    tracker: str
    inputs: Mapping[str, Ref]
    params: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Pipeline:
    """What a definition says.

    Args:
        name: short name.
        summary: one line for people.
        nodes: the stages, in any order that people like.
        trackers: the trackers.
        taps: outputs that leave the pipeline besides what the trackers take.
        pins: which stages share a kernel, and which do not; no part of what the pipeline means.
        notes: what a user must know, such as which files it takes.
    """

    name: str
    summary: str
    nodes: tuple[Node, ...]
    trackers: tuple[TrackerNode, ...]
    taps: tuple[Ref, ...] = ()
    pins: Pins = field(default_factory=Pins)
    notes: str = ""

    @property
    def members(self) -> tuple[Node | TrackerNode, ...]:
        """Stages and trackers."""
        return (*self.nodes, *self.trackers)

    @cached_property
    def digest(self) -> str:
        """A hash of all that decides the result: stages, wiring, every parameter (defaults included), files' content.

        Raises:
            DefinitionError: a file that a parameter names cannot be read.
        """

        def parameters(node: Node | TrackerNode) -> dict[str, Value]:
            kind = find_stage(node.stage) if isinstance(node, Node) else find_tracker(node.tracker)
            values = resolve(kind.params, node.params, node.id)
            for param in kind.params:  # the content of a file counts, not where it lies
                if param.content is not None and values[param.name]:
                    values[param.name] = param.content(str(values[param.name]))
            return values

        facts = [
            [n.id, n.stage if isinstance(n, Node) else n.tracker, {k: str(r) for k, r in n.inputs.items()},
             parameters(n)]
            for n in self.members
        ]  # fmt: skip
        text = json.dumps([facts, [str(t) for t in self.taps]], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def with_settings(self, settings: Mapping[str, object]) -> Pipeline:
        """A copy with some parameters changed.

        Args:
            settings: values by "node.param".

        Raises:
            DefinitionError: an unknown node or parameter (with a suggestion), or a value out of range.
        """
        changes: dict[str, dict[str, object]] = {}
        ids = [n.id for n in self.members]
        for path, value in settings.items():
            node, _, name = path.partition(".")
            if not name:
                raise DefinitionError(f"a setting is written node.param=value, not {path!r}")
            if node not in ids:
                near = get_close_matches(node, ids, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else f"it has: {', '.join(ids)}"
                raise DefinitionError(f"pipeline {self.name!r} has no node {node!r}; {hint}")
            changes.setdefault(node, {})[name] = value
        stages = tuple(
            replace(n, params=_merged(n, changes.get(n.id, {}), find_stage(n.stage).params)) for n in self.nodes
        )
        trackers = tuple(
            replace(n, params=_merged(n, changes.get(n.id, {}), (kind := find_tracker(n.tracker)).params, kind.retired))
            for n in self.trackers
        )
        return replace(self, nodes=stages, trackers=trackers)


def _merged(
    node: Node | TrackerNode, changes: Mapping[str, object], declared: Sequence[Param],
    retired: Mapping[str, str] = NONE_RETIRED,
) -> dict[str, Value]:  # fmt: skip
    if not changes:
        return dict(node.params)
    changes = renewed(declared, changes)
    values = resolve(declared, {**node.params, **changes}, node.id, retired)
    return {name: values[name] for name in (*node.params, *(c for c in changes if c not in node.params))}


@dataclass(frozen=True)
class BoundNode:
    """A node with its body for one type of source, and where its inputs come from (None: not connected).

    `rewritings` is what the stage rewrote when it was bound, as a network does; `before` are inputs by number that it
    gets as they were one frame ago, which `inputs` does not name.
    """

    id: str
    stage: Stage
    body: Body
    inputs: tuple[Ref | None, ...]
    rewritings: tuple[Rewriting, ...] = ()
    before: Mapping[int, Ref] = field(default_factory=dict)


@dataclass(frozen=True)
class BoundTracker:
    """A tracker with its type, the types of its inputs, and its full parameters."""

    id: str
    type: type[Tracker]
    inputs: Mapping[str, Ref]
    params: Mapping[str, Value]


@dataclass(frozen=True)
class Bound:
    """A pipeline bound to one type of frame: nodes in an order in which they can run, every edge typed.

    Args:
        source: type of the delivered frames.
        nodes: in order.
        trackers: the trackers.
        types: type of each output, by full Ref.
        taps: outputs that must leave, those that trackers take included, each once.
        picture: the output that shows the clip as people know it (unpacked, before any cropping).
        pins: which nodes share a kernel, and which do not.
        asked: those of `taps` that the pipeline itself names, whatever trackers take.
        still: what stages that remember are shown before the first frame, as frames are delivered; None for nothing.
    """

    source: ImageType
    nodes: tuple[BoundNode, ...]
    trackers: tuple[BoundTracker, ...]
    types: Mapping[Ref, ValueType]
    taps: tuple[Ref, ...]
    picture: Ref
    pins: Pins = field(default_factory=Pins)
    asked: tuple[Ref, ...] = ()
    still: npt.NDArray[np.generic] | None = field(default=None, compare=False, repr=False)

    def asking(self, taps: Sequence[Ref]) -> Bound:
        """The same nodes, of which other outputs leave.

        Args:
            taps: full references to outputs of its own.
        """
        taken = [ref for tracker in self.trackers for ref in tracker.inputs.values()]
        return replace(self, taps=tuple(dict.fromkeys((*taps, *taken))), asked=tuple(taps))

    @property
    def resting(self) -> frozenset[Ref]:
        """Outputs that leave for trackers alone, all of which can look at them where they lie."""
        able: dict[Ref, bool] = {}
        for one in self.trackers:
            for name, ref in one.inputs.items():
                able[ref] = able.get(ref, True) and name in one.type.looks_there(one.params)
        return frozenset(ref for ref, all_ in able.items() if all_ and ref not in self.asked)


def bind(pipeline: Pipeline, source: ImageType, front: Sequence[Node] = (), crop: Sequence[Node] = ()) -> Bound:
    """The pipeline for frames of type `source`.

    Args:
        front: nodes that turn delivered frames into plain pictures (`pipelines.frontend`), in order.
        crop: nodes after them, such as a region of interest; the picture shown is what enters them.

    Raises:
        DefinitionError: a circle, a reference to nothing, an input of the wrong kind, a parameter or a pin refused.
    """
    types: dict[Ref, ValueType] = {Ref(SOURCE): source}
    bound: list[BoundNode] = []
    head = picture = Ref(SOURCE)
    for i, node in enumerate((*front, *crop)):
        bound += _bind_node(replace(node, inputs=dict.fromkeys(node.inputs, head)), types, {})
        head = Ref(node.id)
        if i < len(front):
            picture = head
    alias = {Ref(SOURCE): head}
    try:
        for node in ordered(pipeline):
            bound += _bind_node(node, types, alias)
    except DefinitionError as error:
        if pipeline.notes:
            raise DefinitionError(f"{error}; `fusetrack pipelines {pipeline.name}` says what it takes") from None
        raise
    nodes = {node.id: node for node in pipeline.nodes}
    bound = [_fed_back(one, nodes[one.id], types, alias) if one.stage.previous else one for one in bound]
    pipeline.pins.check(node.id for node in bound if not node.id.startswith("@"))
    _check_sizes(bound, types)
    trackers = tuple(_bind_tracker(node, types, alias) for node in pipeline.trackers)
    wanted = [_resolved(tap, types, alias, "the taps") for tap in pipeline.taps]
    asked = tuple(wanted)
    wanted += [ref for tracker in trackers for ref in tracker.inputs.values()]
    return Bound(source, tuple(bound), trackers, types, tuple(dict.fromkeys(wanted)), picture,
                 pipeline.pins, asked)  # fmt: skip


def _check_sizes(bound: Sequence[BoundNode], types: Mapping[Ref, ValueType]) -> None:
    """No stage may make a picture that is larger than any in front of it and than MOST_PIXELS."""
    for node in bound:
        given = [types[ref] for ref in node.inputs if ref is not None]
        most = max([MOST_PIXELS, *(t.height * t.width for t in given if isinstance(t, ImageType))])
        for output in node.body.outputs:
            made = output.type
            if isinstance(made, ImageType) and made.height * made.width > most:
                raise DefinitionError(f"node {node.id!r}: {node.stage.name} would make a picture of {made.width}x"
                                      f"{made.height}, which no memory holds; make it smaller")  # fmt: skip


def ordered(pipeline: Pipeline) -> list[Node]:
    """The stages so that each comes after those it needs; otherwise in the definition's order.

    Raises:
        DefinitionError: two nodes share a name, or the wiring has a circle (named).
    """
    by_id: dict[str, Node] = {}
    for node in pipeline.members:
        if node.id in by_id or node.id == SOURCE:
            raise DefinitionError(f"two nodes are called {node.id!r}")
        if isinstance(node, Node):
            by_id[node.id] = node
    done: dict[str, Node] = {}
    for start in by_id:
        _visit(start, by_id, done, [])
    return list(done.values())


def _visit(start: str, by_id: Mapping[str, Node], done: dict[str, Node], path: list[str]) -> None:
    """Depth-first order without recursion, so that a long chain cannot exhaust the stack."""
    stack, path[:] = [(start, iter([r.node for r in by_id[start].needs]))], [start]
    while stack:
        node, rest = stack[-1]
        if node in done:
            stack.pop()
            path.pop()
            continue
        for needed in rest:
            if needed in path:
                circle = " -> ".join([*path[path.index(needed) :], needed])
                raise DefinitionError(f"the wiring has a circle: {circle}")
            if needed in by_id and needed not in done:
                stack.append((needed, iter([r.node for r in by_id[needed].needs])))
                path.append(needed)
                break
        else:
            done[node] = by_id[node]


def _resolved(ref: Ref, types: Mapping[Ref, ValueType], alias: Mapping[Ref, Ref], who: str) -> Ref:
    """The full Ref of an existing output: the first output where none is named."""
    ref = alias.get(ref, ref)
    if ref in types:
        return ref
    of_node = [known for known in types if known.node == ref.node]
    if of_node and not ref.output:
        return of_node[0]
    names = dict.fromkeys(str(k) for k in types if not k.node.startswith("@"))
    near = get_close_matches(str(ref), names, n=1, cutoff=0.5)
    if of_node:
        outputs = ", ".join(str(k) for k in (*of_node, *(a for a in alias if a.node == ref.node and a.output)))
        raise DefinitionError(f"{who}: {ref.node!r} has no output {ref.output!r}; it has {outputs}")
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names)}"
    raise DefinitionError(f"{who}: there is no node {str(ref)!r}; {hint}")


def _bind_node(node: Node, types: dict[Ref, ValueType], alias: dict[Ref, Ref]) -> list[BoundNode]:
    """The node; of an expanding stage its pieces ("node/piece") and then the node itself, which hands on their results.

    That node computes nothing: an output that is an input unchanged is made nowhere (`pipelines.fusing`). What the
    stage makes aside it does not hand on: "node.name" is another name of the piece.
    """
    stage = find_stage(node.stage)
    where = f"node {node.id!r}"
    for name in node.inputs:
        if name not in stage.inputs:
            raise DefinitionError(f"{where}: {stage.name} has no input {name!r}; it takes {', '.join(stage.inputs)}")
    inputs: tuple[Ref | None, ...] = tuple(
        None if name in stage.previous or name not in node.inputs else _resolved(node.inputs[name], types, alias, where)
        for name in stage.inputs
    )
    given = [stage.previous.get(name) if name in {*node.inputs, *stage.remembers} and ref is None else
             None if ref is None else types[ref] for name, ref in zip(stage.inputs, inputs, strict=True)]  # fmt: skip
    pieces: list[BoundNode] = []
    rewritings: tuple[Rewriting, ...] = ()
    try:
        if stage.expands:
            whole = stage.expand(given, node.params)
            rewritings = tuple(replace(r, where=node.id, words=f"{node.id}: {r.words}") for r in whole.rewritings)
            pieces, body, inputs = _expanded(node, stage, whole, inputs)
            known = {output.name for output in body.outputs}
            alias |= {Ref(node.id, name): Ref(f"{node.id}/{piece}") for name, piece in whole.pieces.aside.items()
                      if name not in known}  # fmt: skip
        else:
            body = stage.build(given, node.params)
            idle = [name in stage.optional and not looks_at(body, i) for i, name in enumerate(stage.inputs)]
            if body.host is None and any(ref is not None and free for ref, free in zip(inputs, idle, strict=True)):
                inputs = tuple(None if free else ref for ref, free in zip(inputs, idle, strict=True))
                body = stage.build([None if ref is None else types[ref] for ref in inputs], node.params)
    except DefinitionError as error:
        raise DefinitionError(f"{where}: {error}") from None
    types |= {ref: piece.body.output(name).type for piece in pieces for name, ref in output_refs(piece).items()}
    for output in body.outputs:
        types[Ref(node.id, output.name if len(body.outputs) > 1 else "")] = output.type
    return [*pieces, BoundNode(node.id, stage, body, inputs, rewritings)]


def _fed_back(made: BoundNode, node: Node, types: Mapping[Ref, ValueType], alias: Mapping[Ref, Ref]) -> BoundNode:
    """A node with what it gets of the frame before, now that all types are known."""
    where, stage = f"node {made.id!r}", made.stage
    own = {name: Ref(made.id, output) for name, output in stage.remembers.items()}
    before = {
        stage.inputs.index(name): _resolved(ref, types, alias, where)
        for name, ref in {**own, **node.inputs}.items() if name in stage.previous
    }  # fmt: skip
    given = [types[before[i]] if i in before else None if ref is None else types[ref]
             for i, ref in enumerate(made.inputs)]  # fmt: skip
    try:
        body = stage.build(given, node.params)
    except DefinitionError as error:
        raise DefinitionError(f"{where}: {error}") from None
    if [output.type for output in body.outputs] != [output.type for output in made.body.outputs]:
        raise DefinitionError(f"{where}: what {stage.name} makes depends on what it gets of the frame before")
    return replace(made, body=body, before=before)


def _expanded(
    node: Node, stage: Stage, whole: Expanded, inputs: Sequence[Ref | None]
) -> tuple[list[BoundNode], Body, tuple[Ref | None, ...]]:
    """The pieces of an expanding stage, and the body and the inputs of the node that hands on their results."""

    def ref_of(source: Source) -> Ref | None:
        if isinstance(source, tuple):
            return Ref(f"{node.id}/{source[0]}")
        return None if source is None else inputs[source]

    pieces = [BoundNode(f"{node.id}/{part.id}", stage, part.body, tuple(ref_of(s) for s in part.inputs))
              for part in whole.pieces.parts]  # fmt: skip
    rest = whole.rest
    count = len(whole.body.outputs) - (len(rest.given) if rest is not None else 0)
    own, last = whole.body.outputs[:count], whole.body.outputs[count:]
    made = {output.name: output.type for output in own}
    refs = {output.name: ref_of(whole.pieces.outputs[output.name]) for output in own}
    if rest is not None:
        results = tuple(Output(name, type_) for name, type_ in rest.host.outputs.items())
        body = Body(tuple(output.type for output in last), results, {}, {}, rest.host)
        given = tuple(ref_of(whole.pieces.outputs[output.name]) for output in last)
        id_ = f"{node.id}/{rest.name}"
        on_host = Rewriting("host", node.id, True, 0.0, 0.0, f"{id_} runs in onnxruntime, to its bits: {rest.words}")
        pieces.append(BoundNode(id_, stage, body, given, (on_host,)))
        made |= rest.host.outputs
        refs |= {result.name: output_refs(pieces[-1])[result.name] for result in results}
    outputs = tuple(Output(name, type_, (input_volume(i, type_),))
                    for i, (name, type_) in enumerate(made.items()) if isinstance(type_, ImageType))  # fmt: skip
    return pieces, Body(tuple(made.values()), outputs, {}, whole.body.params), tuple(refs[o.name] for o in outputs)


def output_refs(node: BoundNode) -> dict[str, Ref]:
    """What a node's outputs are called in the pipeline, by their names in its body."""
    if len(node.body.outputs) == 1:
        return {node.body.outputs[0].name: Ref(node.id)}
    return {output.name: Ref(node.id, output.name) for output in node.body.outputs}


def looks_at(body: Body, number: int) -> bool:
    """Whether anything that a body of expressions computes depends on its input of this number."""
    return any(e.op == "input" and e.arg.index == number for e in postorder(body.roots))


def _fitting(entry: TrackerInput, types: Mapping[Ref, ValueType]) -> str:
    """How an input that is missing is written: with the last output of a stage that it may be."""
    for ref, type_ in reversed([*types.items()]):
        of_stage = ref.node != SOURCE and not ref.node.startswith("@")
        if isinstance(type_, TableType):
            fits = entry.kind == "features" and set(entry.columns) <= {name for name, _ in type_.columns}
        else:
            fits = entry.kind == "image" and type_.channels == 1
        if of_stage and fits:
            return f'; write inputs = {{ {entry.name} = "{ref}" }}'
    return ""


def _bind_tracker(node: TrackerNode, types: Mapping[Ref, ValueType], alias: Mapping[Ref, Ref]) -> BoundTracker:
    kind = find_tracker(node.tracker)
    where = f"tracker {node.id!r}"
    known = {entry.name: entry for entry in kind.inputs}
    inputs = {}
    for name, ref in node.inputs.items():
        if name not in known:
            raise DefinitionError(f"{where}: {kind.name} has no input {name!r}; it takes {', '.join(known)}")
        inputs[name] = _resolved(ref, types, alias, where)
        given = types[inputs[name]]
        if isinstance(given, TableType) != (known[name].kind == "features"):
            raise DefinitionError(f"{where}: input {name!r} takes {known[name].kind}, but {ref} is a {given}")
        if isinstance(given, TableType):
            missing = [c for c in known[name].columns if c not in dict(given.columns)]
            if missing:
                raise DefinitionError(f"{where}: {kind.name} needs columns {', '.join(missing)}, but {ref} is a "
                                      f"{given}; stages such as components and refine give them")  # fmt: skip
        elif given.channels != 1:
            raise DefinitionError(f"{where}: {kind.name} takes one channel, but {ref} has {given.channels}; "
                                  "put a `gray` stage before it")  # fmt: skip
    for entry in kind.inputs:
        if entry.name not in inputs and not entry.optional:
            raise DefinitionError(f"{where}: {kind.name} needs an input {entry.name!r}{_fitting(entry, types)}")
    return BoundTracker(node.id, kind, inputs, resolve(kind.params, node.params, node.id, kind.retired))
