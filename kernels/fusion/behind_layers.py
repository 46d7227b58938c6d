"""What follows the last layers of a network in a body, apart from them.

Rows of layers hold no live parameters, no memory of earlier frames, no flags that leave, and no tables
(`kernels.codegen.layers_lower`); image kernels hold no contractions. A body with both falls apart at what the last
contractions make: these leave the layers as images, and the rest looks at such an image as at any other.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from kernels.fusion.algebra import with_roots
from kernels.fusion.layers_planes import planes_of
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, frontier, postorder
from kernels.ir.image import F32, ImageType
from kernels.ir.planes import spread
from kernels.ir.rewriting import substitute
from kernels.ir.table import joint_table_size
from kernels.ir.volumes import input_volume, stack


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """A body in two.

    Args:
        layers: makes `given`, images, and the outputs of the body that are named so.
        rest: the body's other outputs, of its inputs and then of `given`.
        given: outputs of `layers`.
        kept: outputs of the body that `layers` makes.
    """

    layers: Body
    rest: Body
    given: tuple[str, ...]
    kept: tuple[str, ...]


def apart(body: Body, leaving: bool) -> Apart | None:
    """A body with layers in two; None where nothing follows them.

    Args:
        leaving: whether outputs that layers can make, as far as their operations tell, stay with them.

    Raises:
        Unsupported: what follows has too many channels, or moves them into pixels.
    """
    deep: set[Expr] = set()
    for node in postorder(body.roots):
        if node.op == "contract" or not deep.isdisjoint(node.src):
            deep.add(node)
    roots = {output.name: _image(output) for output in body.outputs if output.table is None}
    kept = {name: root for name, root in roots.items() if root in deep and leaving and _plain(root)}
    others = [output for output in body.outputs if output.name not in kept]
    if not others or all(output.table is None and roots[output.name].op == "contract" for output in others):
        return None
    looked = [*(root for output in others for root in output.roots), *body.updates]
    leaving_too = set(kept.values())
    # Where layers end: at contractions, at channels that became pixels, at what leaves.
    ends = frontier(looked, deep, lambda node: node.op in ("contract", "mosaic") or node in leaving_too)
    names = {root: name for name, root in kept.items()}
    outputs, types = [output for output in body.outputs if output.name in kept], list(body.inputs)
    given: list[str] = []
    new: dict[Expr, Expr] = {}
    for value in ends:
        assert value.size is not None
        type_ = ImageType(value.dtype, *value.size, value.channels)
        new[value] = input_volume(len(types), type_)
        types.append(type_)
        given.append(names.get(value, f"layers {len(given)}"))
        if value not in names:
            outputs.append(Output(given[-1], type_, (value,)))
    rest = replace(body, inputs=tuple(types), outputs=tuple(_planar(body, output, new) for output in others),
                   updates=_planes(body.updates, new))  # fmt: skip
    return Apart(replace(body, outputs=tuple(outputs), updates=()), rest, tuple(given), tuple(kept))


def _planar(body: Body, output: Output, new: dict[Expr, Expr]) -> Output:
    """An output of images."""
    if output.table is not None:
        size = joint_table_size(output.table)
        planes = [spread(plane, size) for plane in _planes(output.roots, new)]
        return with_roots(replace(body, outputs=(output,), updates=()), planes).outputs[0]
    assert isinstance(output.type, ImageType)
    size = output.type.height, output.type.width
    return replace(output, planes=tuple(spread(plane, size) for plane in _planes(output.roots, new)))


def _planes(roots: Collection[Expr], new: dict[Expr, Expr]) -> tuple[Expr, ...]:
    moved = substitute(roots, new)
    made = planes_of(moved)
    return tuple(plane for root in moved for plane in made[root])


def _plain(root: Expr) -> bool:
    """Whether a value is of what rows of layers hold: floats, of this frame, that no parameter changes."""
    return root.dtype == F32 and not any(
        node.op in ("param", "state", "recur") or (node.op == "load" and node.arg.dt < 0) for node in postorder([root])
    )


def _image(output: Output) -> Expr:
    """All channels of an image."""
    return stack(output.planes)
