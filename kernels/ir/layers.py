"""A body as several: cut at named values, each piece a body of its own that reads what others made.

Composing the pieces again (`kernels.fusion.compose`) gives the same expressions, since both are substitution.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from kernels.ir.body import Body, Output, Part, Source
from kernels.ir.expr import Expr, joint_size, postorder
from kernels.ir.image import ImageType
from kernels.ir.planes import Input
from kernels.ir.rewriting import Rewriting, substitute
from kernels.ir.verify import verify
from kernels.ir.volumes import input_volume, stack

_LOOKS = ("load", "gather", "window", "contract", "mosaic")
"""Operations that do not leave a value at its pixel."""
OUT = "out"
"""What the output of a piece is called."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A body in pieces.

    Args:
        parts: in an order in which each comes after those it takes from.
        outputs: where each output of the whole comes from, by its name.
        aside: the parts that make what is no output of the whole, by its name.
        inner: marked values that are computed in the piece of another, by their names.
    """

    parts: tuple[Part, ...]
    outputs: Mapping[str, Source]
    aside: Mapping[str, str] = field(default_factory=dict)
    inner: tuple[tuple[str, Expr], ...] = ()


NOTHING: Mapping[str, tuple[Expr, ...]] = {}


def cut(body: Body, marks: Sequence[tuple[str, Expr]], aside: Mapping[str, tuple[Expr, ...]] = NOTHING) -> Cut:
    """`body` in pieces that make marked values.

    A marked value has no piece of its own where only one other piece uses it, at the same pixel, and no more than one
    of the two folds neighbours or sums over channels: an activation, a sum with an earlier value (or with some of its
    pixels) and the scaling behind a convolution stay with it. Then the piece has the name of what folds or sums.

    Args:
        body: of images only, without live parameters or recurrences.
        marks: names and values in the order of computation; values that the body does not need are left out.
        aside: images (an expression a channel) over the same inputs that are no outputs of the body: a piece each.
    """
    roots = {output.name: stack(output.planes) for output in body.outputs}
    needed = set(postorder(roots.values()))
    names: dict[Expr, str] = {}
    for name, value in marks:
        if value in needed and value.op != "input" and value.size is not None:
            names.setdefault(value, name)
    for name, root in roots.items():
        if not _is_input(root, body):
            names.setdefault(root, name)
    # Operands before users, whatever the order of the marks.
    order = [node for node in postorder(roots.values()) if node in names]
    # Each marked value's piece is known by the value that it ends with.
    final, titles = _pieces(order, set(roots.values()), names)
    ends = [node for node in order if final[node] is node]
    ids = _unique([*(titles[node] for node in ends), *aside])
    made = dict(zip(ends, ids, strict=False))
    parts = [_part(made[node], (node,), made, body) for node in ends]
    outputs: dict[str, Source] = {}
    for name, root in roots.items():
        outputs[name] = (made[root], OUT) if root in made else root.arg.index
    beside = dict(zip(aside, ids[len(ends) :], strict=True))
    parts += [_part(beside[name], planes, {}, body) for name, planes in aside.items()]
    inner = tuple((names[node], node) for node in order if made[final[node]] != names[node])
    return Cut(tuple(parts), outputs, beside, inner)


def epilogues(pieces: Cut, pixels: int) -> Rewriting | None:
    """What is known of values that are computed in the layer that they follow; None where there are none.

    Args:
        pixels: of the source.
    """
    pads = _pads(pieces)
    counts = Counter(name.rpartition("_")[0] or name for name, _ in pieces.inner)
    counts += Counter({"channel pad": len(pads)})
    if not counts:
        return None
    moved = 0
    for value in (*(value for _, value in pieces.inner), *pads):
        assert value.size is not None
        # Written by one layer and read by the next, were it no epilogue.
        moved += 2 * math.prod(value.size) * value.channels * value.dtype.numpy.itemsize
    words = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    return Rewriting("epilogue", "", True, 0.0, 0.0, f"{words} are computed in the layers that they follow",
                     moved / pixels)  # fmt: skip


def _pads(pieces: Cut) -> list[Expr]:
    """Values beside zeros for channels that they lack, which pieces make on the way to something else; the pixels of a
    pool are one."""
    found: list[Expr] = []
    for one in pieces.parts:
        nodes = set(postorder(one.body.roots)).difference(one.body.roots)
        pads = [node for node in nodes if node.op == "stack" and node.size and any(map(_is_zero, node.src))]
        found += {(node.size, *filter(_is_zero, node.src)): node for node in pads}.values()
    return found


def _is_zero(value: Expr) -> bool:
    return (value.op == "const" and value.arg == 0) or (value.op == "vector" and not value.arg.array.any())


def _is_input(root: Expr, body: Body) -> bool:
    """Whether a value is an input with all its channels."""
    type_ = body.inputs[root.arg.index] if root.op == "input" else None
    return isinstance(type_, ImageType) and root is input_volume(root.arg.index, type_)


def _pieces(
    order: Sequence[Expr], leaving: set[Expr], names: Mapping[Expr, str]
) -> tuple[dict[Expr, Expr], dict[Expr, str]]:
    """The piece in which each named value is made, by the value that the piece ends with, and the pieces' names."""
    users: dict[Expr, list[tuple[Expr, bool]]] = {node: [] for node in order}
    heavy: dict[Expr, bool] = {}
    for node in order:
        near, looks = _below(node, users.keys())
        heavy[node] = looks
        for other, still in near.items():
            users[other].append((node, still))
    final: dict[Expr, Expr] = {}
    full: set[Expr] = set()
    titles: dict[Expr, str] = {}
    # From the outputs back: a value joins its reader's piece if it has one reader, which looks at its own pixel only.
    for node in reversed(order):
        pieces = {final[user] for user, _ in users[node]}
        end = next(iter(pieces)) if len(pieces) == 1 else node
        stays = node not in leaving and end is not node and all(still for _, still in users[node])
        # A piece holds one value at most that looks at neighbours or sums over channels.
        if not stays or (heavy[node] and end in full):
            end = node
        final[node] = end
        titles.setdefault(end, names[end])
        if heavy[node]:
            full.add(end)
            titles[end] = names[node]
    return final, titles


def _below(node: Expr, named: Container[Expr]) -> tuple[dict[Expr, bool], bool]:
    """The named values that `node` uses directly, and whether at the same pixel; and whether it folds neighbours or
    sums (a pixel elsewhere is looked at like one here)."""
    found: dict[Expr, bool] = {}
    looks = False
    waiting = [(node, True)]
    seen: set[tuple[Expr, bool]] = set()
    while waiting:
        one, still = waiting.pop()
        if (one, still) in seen:
            continue
        seen.add((one, still))
        # By several ways: at the same pixel only if all of them are.
        if one is not node and one in named:
            found[one] = found.get(one, True) and still
            continue
        far = one.op in _LOOKS
        looks |= far and one.op != "load"
        waiting += [(operand, still and not far) for operand in one.src]
    return found, looks


def _unique(titles: Sequence[str]) -> list[str]:
    found: list[str] = []
    for title in titles:
        name, number = title, 2
        while name in found:
            name, number = f"{title}_{number}", number + 1
        found.append(name)
    return found


def _part(name: str, ends: Sequence[Expr], made: Mapping[Expr, str], body: Body) -> Part:
    """One piece: what ends with `ends`, an image, over what other pieces make and what comes from outside."""
    leaves = {node for node in made if node not in ends}
    nodes = list(postorder(ends, leaves))
    sources: dict[Source, int] = {}
    types: list[ImageType] = []
    replacements: dict[Expr, Expr] = {}
    for node in nodes:
        source: Source
        if node in leaves:
            assert node.size is not None
            type_, source = ImageType(node.dtype, *node.size, node.channels), (made[node], OUT)
        elif node.op == "input":
            given = body.inputs[node.arg.index]
            assert isinstance(given, ImageType)
            type_, source = given, node.arg.index
        else:
            continue
        # One input for each source, by however many nodes the piece looks at it.
        if source not in sources:
            sources[source] = len(types)
            types.append(type_)
        index = sources[source]
        if node in leaves:
            replacements[node] = input_volume(index, type_)
        else:
            at = node.arg
            moved = Input(index, at.channel, at.size)
            replacements[node] = Expr("input", (), moved, node.dtype, node.size, node.channels)
    if not sources:  # constants and coordinates alone: something must say how many frames there are
        index, image = next((i, t) for i, t in enumerate(body.inputs) if isinstance(t, ImageType))
        sources[index] = 0
        types.append(image)
    planes = substitute(ends, replacements)
    size = joint_size(planes)
    assert size is not None
    type_ = ImageType(planes[0].dtype, *size, sum(plane.channels for plane in planes))
    piece = Body(tuple(types), (Output(OUT, type_, tuple(planes)),), {}, {})
    verify(piece, name)
    return Part(name, piece, tuple(sources))
