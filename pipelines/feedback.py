"""What of a pipeline goes frame by frame, and what is computed only in frames in which it is looked at.

A *loop* is a set of nodes each of which depends on all others, by an input of the frame before (`Stage.previous`): the
crop of this frame on the points of the last one. Its nodes see one frame after the other; all others see batches.
A node is *asked for* where all that depends on it is one host stage that does not look at it in every frame
(`kernels.ir.body.Lazy`), such as a detector while the thing that it finds is followed. It has no memory, so leaving
frames out changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kernels.ir.body import Datum, ValueType
from kernels.ir.expr import postorder
from kernels.ir.table import Table, TableType
from pipelines.graph import BoundNode, Ref

Groups = Sequence[Sequence[BoundNode]]


@dataclass(frozen=True)
class Feedback:
    """Of the nodes of a pipeline.

    Args:
        nodes: in an order in which they can run.
        loop: the loop that a node is in, by the name of its first node; nodes in none are missing.
        asker: the host stage that asks for a node; missing are nodes that are needed in every frame.
    """

    nodes: tuple[BoundNode, ...]
    loop: Mapping[str, str]
    asker: Mapping[str, str]

    def apart(self, groups: Groups) -> list[list[BoundNode]]:
        """The groups cut where loops and what is asked for begin and end, in an order in which each loop is in one
        piece and everything comes after what it takes.

        A node's phase counts such cuts on the longest way to it, all nodes of a loop having the largest; within a loop
        the same again. A piece is what a group has of one phase, loop and asker.
        """
        if not self.loop and not self.asker:
            return [list(group) for group in groups]
        phase, inner = self._phases()
        pieces: dict[tuple[int, str, int, int, str], list[BoundNode]] = {}
        for number, group in enumerate(groups):
            for node in group:
                loop, asker = self._label(node.id)
                pieces.setdefault((phase[node.id], loop, inner[node.id], number, asker), []).append(node)
        return [pieces[key] for key in sorted(pieces)]

    def _label(self, name: str) -> tuple[str, str]:
        return self.loop.get(name, ""), self.asker.get(name, "")

    def _phases(self) -> tuple[dict[str, int], dict[str, int]]:
        phase, inner = dict.fromkeys((n.id for n in self.nodes), 0), dict.fromkeys((n.id for n in self.nodes), 0)
        before: tuple[dict[str, int], dict[str, int]] | None = None
        while before != (phase, inner):
            before = dict(phase), dict(inner)
            for node in self.nodes:
                loop, asker = self._label(node.id)
                for ref in node.inputs:
                    if ref is None or ref.node not in phase:
                        continue
                    other = self._label(ref.node)
                    if loop and other[0] == loop:
                        inner[node.id] = max(inner[node.id], inner[ref.node] + (other[1] != asker))
                    else:
                        phase[node.id] = max(phase[node.id], phase[ref.node] + (other != (loop, asker)))
            for loop in {*self.loop.values()}:
                names = [name for name, one in self.loop.items() if one == loop]
                phase |= dict.fromkeys(names, max(phase[name] for name in names))
        return phase, inner


def feedback(nodes: Sequence[BoundNode], wanted: Sequence[Ref]) -> Feedback:
    """Of nodes in an order in which they can run, all of which `wanted` needs."""
    loop = _loops(nodes) if any(node.before for node in nodes) else {}
    return Feedback(tuple(nodes), loop, _askers(nodes, wanted))


def _loops(nodes: Sequence[BoundNode]) -> dict[str, str]:
    after: dict[str, set[str]] = {node.id: set() for node in nodes}
    before: dict[str, set[str]] = {node.id: set() for node in nodes}
    for node in nodes:
        for ref in (*node.inputs, *node.before.values()):
            if ref is not None and ref.node in after:
                after[ref.node].add(node.id)
                before[node.id].add(ref.node)
    found: dict[str, str] = {}
    for node in nodes:
        if node.before and node.id not in found:
            both = (_reached(node.id, after) & _reached(node.id, before)) | {node.id}
            found |= dict.fromkeys(both, next(one.id for one in nodes if one.id in both))
    return found


def _reached(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in edges[waiting.pop()] - seen:
            seen.add(name)
            waiting.append(name)
    return seen


def _askers(nodes: Sequence[BoundNode], wanted: Sequence[Ref]) -> dict[str, str]:
    if not any(node.body.host is not None and node.body.host.lazy is not None for node in nodes):
        return {}
    varies: set[str] = set()  # what depends on a host stage or on the frame before
    for node in nodes:
        if node.body.host is not None or node.before or any(ref and ref.node in varies for ref in node.inputs):
            varies.add(node.id)
    always = {ref.node for ref in wanted} | {ref.node for node in nodes for ref in node.before.values()}
    askers: dict[str, set[str]] = {node.id: {""} if node.id in always else set() for node in nodes}
    for node in reversed(nodes):
        lazy = None if node.body.host is None else node.body.host.lazy
        if lazy is not None and not any(i in node.before or ((ref := node.inputs[i]) and ref.node in varies)
                                        for i in lazy.by):  # fmt: skip
            lazy = None
        if _remembers(node):
            askers[node.id].add("")
        mine = askers[node.id]
        for i, ref in enumerate(node.inputs):
            if ref is not None and ref.node in askers:
                own = lazy is not None and i in lazy.inputs
                askers[ref.node] |= {node.id} if own else mine if len(mine) == 1 else {""}
    return {name: one for name, (one,) in ((n, a) for n, a in askers.items() if len(a) == 1) if one}


def _remembers(node: BoundNode) -> bool:
    """Whether a node must see every frame."""
    if node.body.host is not None:
        return bool(node.before)
    return any(e.op in ("recur", "state") or (e.op == "load" and e.arg.dt < 0) for e in postorder(node.body.roots))


def nothing(type_: ValueType | None) -> Datum:
    """What is before the first frame: an empty table, an image of NaN, or of 0 if it is of whole numbers."""
    if isinstance(type_, TableType):
        return Table(np.zeros(0, type_.numpy))
    assert type_ is not None
    return np.full(type_.shape, np.nan if type_.dtype.is_float else 0, type_.dtype.numpy)
