"""Host functions given whole gray values in place of the fractions of full scale that a stage makes of them.

`normalize` makes f32 of one or two bytes, a division a pixel. Where a host function divides as it looks
(`kernels.ir.body.Host.fractions`), it is given the whole numbers themselves: those of the source it has already, so
that nothing crosses a bus and on a processor four bytes a pixel are neither written nor read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernels.ir.body import Body, HostBatch
from kernels.ir.image import F32, U8, U16, ImageType
from kernels.loops.fractions import Fractions
from kernels.param import Value
from pipelines.graph import SOURCE, Bound, BoundNode, Ref, output_refs


def whole_where_possible(bound: Bound) -> Bound:
    """The same pipeline, with host functions that take whole numbers where they can; same bits."""
    made = {ref: (node, name) for node in bound.nodes for name, ref in output_refs(node).items()}

    def origin(ref: Ref) -> Ref:
        """The first of the values that are one, unchanged."""
        while ref in made:
            node, name = made[ref]
            number = node.body.unchanged(node.body.output(name)) if node.body.host is None else None
            before = None if number is None else node.inputs[number]
            if before is None:
                return ref
            ref = before
        return ref

    def turned(node: BoundNode) -> BoundNode:
        host = node.body.host
        for number in () if host is None else host.fractions:
            ref = node.inputs[number]
            first = None if ref is None else origin(ref)
            if first not in made:
                continue
            maker, name = made[first]
            fraction = _fraction(maker.body, name)
            before = None if fraction is None else maker.inputs[fraction[0]]
            if fraction is not None and before is not None:
                before = origin(before)
                type_ = bound.source if before == Ref(SOURCE) else bound.types[before]
                inputs = (*node.inputs[:number], before, *node.inputs[number + 1 :])
                node = replace(node, inputs=inputs, body=_taking(node.body, number, type_, fraction[1]))
        return node

    return replace(bound, nodes=tuple(turned(node) for node in bound.nodes))


def _fraction(body: Body, name: str) -> tuple[int, int] | None:
    """The number of the input whose whole numbers an output divides by full scale, and that; None where it does
    anything else."""
    output = body.output(name)
    if body.host is not None or len(output.planes) != 1 or output.planes[0].op != "div":
        return None
    value, white = output.planes[0].src
    pixel = value.src[0] if value.op == "convert" and value.dtype == F32 else value
    if white.op != "const" or pixel.op != "input" or pixel.dtype not in (U8, U16):
        return None
    type_ = body.inputs[pixel.arg.index]
    plain = isinstance(type_, ImageType) and type_.channels == 1 and 1 <= white.arg <= 65535 and white.arg % 1 == 0
    return (int(pixel.arg.index), int(white.arg)) if plain else None


def _taking(body: Body, number: int, type_: Any, white: int) -> Body:
    """A host function's body that is given whole numbers."""
    host = body.host
    assert host is not None

    def given(inputs: Sequence[Any], one: bool) -> list[Any]:
        whole = np.asarray(inputs[number])
        return [*inputs[:number], Fractions(whole[None] if one else whole, white), *inputs[number + 1 :]]

    def run(inputs: Sequence[Any], params: Mapping[str, Value]) -> Any:
        return host.run(given(inputs, True), params)

    def of_batches(function: HostBatch | None) -> HostBatch | None:
        return None if function is None else lambda inputs, params: function(given(inputs, False), params)

    decoder = host.decoder.of_fractions(number, type_.dtype, white) if host.decoder is not None else None
    made = replace(host, decoder=decoder, run=run, batch=of_batches(host.batch), words=of_batches(host.words))
    return replace(body, inputs=(*body.inputs[:number], type_, *body.inputs[number + 1 :]), host=made)
