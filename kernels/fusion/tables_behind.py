"""Tables of what layers of networks give, on a GPU: modules make images, passes over blocks make tables of them.

Modules (`kernels.fusion.modules`) hold no tables, and blocks (`kernels.fusion.blocks`) no layers. A body with both
falls apart at the values of its layers that tables look at: each leaves the modules as an image, which stays on the
device.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kernels.fusion.algebra import with_roots
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, frontier, postorder
from kernels.ir.image import ImageType
from kernels.ir.planes import input_plane, spread
from kernels.ir.rewriting import substitute
from kernels.ir.volumes import VOLUMES, stack


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """A body in two.

    Args:
        layers: its images, and behind these what tables look at.
        tables: its tables; its inputs are the body's, then the images of `given`.
        given: names of these images as outputs of `layers`.
    """

    layers: Body
    tables: Body
    given: tuple[str, ...]


def halves(body: Body) -> Halves:
    """A body with layers and tables as one of images and one of tables."""
    images = tuple(output for output in body.outputs if output.table is None)
    tables = tuple(output for output in body.outputs if output.table is not None)
    taken, names = _taken([root for output in tables for root in output.roots], images)
    outputs, types = list(images), list(body.inputs)
    place: dict[Expr, int] = {}
    for value, name in names.items():
        assert value.size is not None
        type_ = ImageType(value.dtype, *value.size, value.channels)
        place[value] = len(types)
        types.append(type_)
        if all(name != output.name for output in images):
            outputs.append(Output(name, type_, (value,)))
    new: dict[Expr, Expr] = {}
    for plane, (value, channel) in taken.items():
        assert plane.size is not None
        index = value.arg.index if value.op == "input" else place[value]
        new[plane] = input_plane(index, channel, plane.dtype, plane.size)
    behind = replace(body, inputs=tuple(types), outputs=tables, updates=())
    return Halves(replace(body, outputs=tuple(outputs)), with_roots(behind, substitute(behind.roots, new)),
                  tuple(names.values()))  # fmt: skip


def _taken(
    roots: list[Expr], images: tuple[Output, ...]
) -> tuple[Mapping[Expr, tuple[Expr, int]], Mapping[Expr, str]]:
    """The planes at which tables end and layers begin, each as a channel of a value; and the values' names as images:
    those of outputs that they are in any case, else new ones."""
    leaving = {_image(output): output.name for output in images}
    # Values of several channels, what layers make, and all that is computed from either: only these are searched.
    deep: set[Expr] = set()
    for node in postorder(roots):
        if node.channels > 1 or node.op in VOLUMES or any(s in deep for s in node.src):
            deep.add(node)
    taken: dict[Expr, tuple[Expr, int]] = {}
    names: dict[Expr, str] = {}
    for node in frontier(roots, deep, lambda one: one.size is not None and (one in leaving or one.op in VOLUMES)):
        sliced = node.op == "part" and node not in leaving
        taken[node] = (node.src[0], int(node.arg[0])) if sliced else (node, 0)
        value = taken[node][0]
        if value.op != "input":
            names.setdefault(value, leaving.get(value, f"layers {len(names)}"))
    return taken, names


def _image(output: Output) -> Expr:
    """All channels of an image."""
    assert isinstance(output.type, ImageType)
    return spread(stack(output.planes), (output.type.height, output.type.width))
