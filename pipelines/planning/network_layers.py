"""The convolutions of a bound pipeline in their order, as the published cost models take them."""

from __future__ import annotations

from dataclasses import replace

from kernels.fusion.models.layer import Layer, kind_of
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import ImageType
from pipelines.graph import Bound, BoundNode, Ref


def network_layers(bound: Bound) -> list[Layer]:
    """The layers. What is only moved, pooled or added between two of them is part of the way from one to the other."""
    found: list[Layer] = []
    made: dict[Ref, frozenset[int]] = {}  # the layers that a value comes from
    for node in bound.nodes:
        sources = [made.get(ref, frozenset()) for ref in node.inputs if ref is not None]
        taken: frozenset[int] = frozenset().union(*sources)
        first = len(found)
        found += _layers(node, tuple(sorted(taken)))
        own = frozenset(range(first, len(found))) or taken
        for output in node.body.outputs:
            made[Ref(node.id, output.name if len(node.body.outputs) > 1 else "")] = own
    leaving: frozenset[int] = frozenset().union(*(made.get(ref, frozenset()) for ref in bound.taps))
    used = {b for layer in found for b in layer.before}
    return [replace(layer, leaves=k in leaving or k not in used) for k, layer in enumerate(found)]


def _layers(node: BoundNode, before: tuple[int, ...]) -> list[Layer]:
    """Those of a node; what its last one adds to its sums is read besides."""
    if node.body.host is not None:
        return []
    contractions = [one for one in postorder(node.body.roots) if one.op == "contract"]
    type_ = node.body.outputs[0].type
    item = type_.dtype.itemsize if isinstance(type_, ImageType) else 4
    found = []
    for one in contractions:
        how, volume = one.arg, one.src[0]
        assert volume.size is not None
        added = 0
        if one is contractions[-1]:
            summed = {e for c in contractions for e in postorder(c.src) if e.op == "input"}
            added = sum(_elements(e) for e in postorder(node.body.roots) if e.op == "input" and e not in summed)
        found.append(Layer(node.id, kind_of(how), before, volume.size, volume.channels, how.size, one.channels,
                           how.taps, how.stride, how.weights.array.size, item, added=added, dilation=how.dilation,
                           up=how.up))  # fmt: skip
    return found


def _elements(one: Expr) -> int:
    assert one.size is not None
    return one.size[0] * one.size[1] * one.channels
