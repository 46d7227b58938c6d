"""A body with layers of networks, and with what layers cannot hold, as several bodies that run one after another.

Rows of layers hold no live parameters, no memory of earlier frames, no flags that leave, no tables, and no expressions
that look at too much at once (`kernels.codegen.layers_lower`); image kernels hold no contractions. So every value has a
*level*, of image kernels where it is even, of layers where it is odd: the lowest that is none below its operands', odd
for what only layers hold, even for what they cannot. What a level makes and higher ones look at leaves it as an image.

What depends on neither layers, nor a memory, nor a live parameter has no level: whoever looks at it computes it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from kernels.fusion.algebra import with_roots
from kernels.fusion.layers_planes import planes_of
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, frontier, postorder
from kernels.ir.image import F32, I8, I32, U8, ImageType
from kernels.ir.planes import spread
from kernels.ir.rewriting import substitute
from kernels.ir.table import joint_table_size
from kernels.ir.volumes import input_volume, stack

IMAGES, LAYERS = 0, 1
"""What a level is of, by its rest."""
ONLY_LAYERS = ("contract", "mosaic")
"""What image kernels do not hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A level of a body.

    Args:
        body: its inputs are those of the whole, then `given`.
        layers: whether rows of layers make it, or image kernels.
        given: names of what pieces before it give, in the order of its further inputs.
        values: of each further input what it is in the whole.
        names: outputs of the whole that it makes.
        pasts: of what it looks at in earlier frames, in its order: the number among `pasts_of` the whole, and channels.
    """

    body: Body
    layers: bool
    given: tuple[str, ...]
    values: Mapping[Expr, Expr]
    names: tuple[str, ...]
    pasts: tuple[tuple[int, int], ...]

    def in_whole(self, node: Expr) -> Expr:
        """What a value of the piece is in the whole."""
        (found,) = substitute([node], self.values)
        return found


def pasts_of(roots: Collection[Expr]) -> list[Expr]:
    """What is looked at in earlier frames, in the order of histories in a state (`executors.base.State`)."""
    return list(dict.fromkeys(node.src[0] for node in postorder(roots) if node.op == "load" and node.arg.dt < 0))


def apart(body: Body, unfit: AbstractSet[Expr] = frozenset()) -> tuple[Piece, ...]:
    """A body in pieces, in the order in which they run; none where layers need what comes behind them (in a memory).

    Args:
        unfit: values that layers cannot hold, as they turned out.

    Raises:
        Unsupported: what image kernels are left with has too many channels, or is the same for every pixel.
    """
    levels = _levels(body, unfit)
    return () if levels is None else _Pieces(body, levels, unfit).made()


def _levels(body: Body, unfit: AbstractSet[Expr]) -> dict[Expr, int] | None:
    """The level of each value that has one; None where there are none."""
    nodes = list(postorder(body.roots))
    changing = set[Expr]()  # what follows from live parameters and states, without an image
    for node in nodes:
        if node.op in ("param", "state") or (node.size is None and not changing.isdisjoint(node.src)):
            changing.add(node)
    most = 2 * sum(node.op in ONLY_LAYERS for node in nodes) + 2
    states: dict[str, int] = {}  # a state is where its recurrence is
    while max(states.values(), default=0) <= most:
        levels: dict[Expr, int] = {}
        for node in nodes:
            known = [levels[operand] for operand in node.src if operand in levels]
            level = max(known, default=0)
            live = node.size is not None and not changing.isdisjoint(node.src)
            past = node.op == "recur" or (node.op == "load" and node.arg.dt < 0)
            if node.op in ONLY_LAYERS:
                levels[node] = _raised(level, LAYERS)
            elif node.op == "state":
                levels[node] = states.get(node.arg, 0)
            elif past or live or (node in unfit and node.size is not None):
                levels[node] = _raised(level, IMAGES)
            elif known:
                levels[node] = level
        found = {node.arg: levels[node] for node in nodes if node.op == "recur"}
        if found == states or not found:
            return levels
        states = found
    return None


def _raised(level: int, kind: int) -> int:
    """A level, or that above it, which is of a kind."""
    return level + (level + kind) % 2


class _Pieces:
    """See `apart`."""

    def __init__(self, body: Body, levels: Mapping[Expr, int], unfit: AbstractSet[Expr]) -> None:
        self.body, self.levels = body, levels
        self.outputs: dict[int, list[Output]] = {}
        free: list[Output] = []
        for output in body.outputs:
            level = self._level(output, unfit)
            (free if level is None else self.outputs.setdefault(level, [])).append(output)
        self.recurrences: dict[int, list[Expr]] = {}
        for node in levels:
            if node.op == "recur":
                self.recurrences.setdefault(levels[node], []).append(node)
        first = min((*self.outputs, *self.recurrences), default=IMAGES)
        if free:
            self.outputs[first] = [*self.outputs.get(first, ()), *free]
        self.names: dict[Expr, str] = {}  # of what leaves a level: its name there
        for level, some in self.outputs.items():
            for output in some:
                if output.table is None:
                    value = _image(output)
                    if levels.get(value) == level:
                        self.names.setdefault(value, output.name)
        self.pasts = {value: number for number, value in enumerate(pasts_of(body.roots))}
        self.inner: dict[int, list[Expr]] = {}  # what leaves a level for higher ones alone

    def _level(self, output: Output, unfit: AbstractSet[Expr]) -> int | None:
        """That which makes an output."""
        known = [self.levels[root] for root in output.roots if root in self.levels]
        if not known:
            return None
        held = output.table is None and output.roots[0].dtype in (F32, U8, I8, I32)
        held = held and unfit.isdisjoint((_image(output), *output.roots))
        return max(known) if held else _raised(max(known), IMAGES)

    def made(self) -> tuple[Piece, ...]:
        """The pieces."""
        found: list[Piece] = []
        for level in range(max((*self.outputs, *self.recurrences), default=-1), -1, -1):
            outputs = self.outputs.get(level, [])
            roots = [root for output in outputs for root in output.roots]
            roots += [*self.inner.get(level, ()), *self.recurrences.get(level, ())]
            if roots:
                found.append(self._piece(level, outputs, roots))
        return tuple(reversed(found))

    def _piece(self, level: int, outputs: Sequence[Output], roots: Sequence[Expr]) -> Piece:
        body, own = self.body, list(outputs)
        types, new, given = list(body.inputs), dict[Expr, Expr](), list[str]()
        for value in frontier(roots, self.levels, lambda node: self._leaves(node, level)):
            if value.size is None:
                raise Unsupported("what is the same for every pixel leaves a memory for layers")
            type_ = ImageType(value.dtype, *value.size, value.channels)
            new[value] = input_volume(len(types), type_)
            types.append(type_)
            if value not in self.names:
                self.names[value] = f"layers {len(self.names)}"
                self.inner.setdefault(self.levels[value], []).append(value)
            given.append(self.names[value])
        for value in self.inner.get(level, ()):
            assert value.size is not None
            own.append(Output(self.names[value], ImageType(value.dtype, *value.size, value.channels), (value,)))
        inside = {node for output in own for node in postorder(output.roots)}
        updates = [node for node in self.recurrences.get(level, ()) if node not in inside]
        here = replace(body, inputs=tuple(types), outputs=tuple(own), updates=tuple(updates))
        if level % 2 == LAYERS:
            here = with_roots(here, substitute(here.roots, new))
        else:
            here = replace(here, outputs=tuple(_planar(here, output, new) for output in own),
                           updates=_planes(updates, new))  # fmt: skip
        # All looks at the past of a value are in the first piece of image kernels behind it.
        pasts = [value for value in pasts_of(roots) if _raised(self.levels.get(value, 0), IMAGES) == level]
        return Piece(here, level % 2 == LAYERS, tuple(given), {new[value]: value for value in new},
                     tuple(output.name for output in outputs),
                     tuple((self.pasts[value], value.channels) for value in pasts))  # fmt: skip

    def _leaves(self, node: Expr, level: int) -> bool:
        """Whether a value is that at which a level begins.

        Image kernels compute anew what stands between them and the last contractions: epilogues are of any type.
        """
        own = self.levels[node]
        if own == level:
            return False
        if own % 2 == IMAGES or node.op in ONLY_LAYERS or node in self.names:
            return True
        return level % 2 == LAYERS and node.dtype in (F32, U8, I8) and node.op not in ("part", "stack")


def _planar(body: Body, output: Output, new: Mapping[Expr, Expr]) -> Output:
    """An output of images."""
    if output.table is not None:
        size = joint_table_size(output.table)
        planes = [spread(plane, size) for plane in _planes(output.roots, new)]
        return with_roots(replace(body, outputs=(output,), updates=()), planes).outputs[0]
    assert isinstance(output.type, ImageType)
    size = output.type.height, output.type.width
    return replace(output, planes=tuple(spread(plane, size) for plane in _planes(output.roots, new)))


def _planes(roots: Collection[Expr], new: Mapping[Expr, Expr]) -> tuple[Expr, ...]:
    moved = substitute(roots, new)
    made = planes_of(moved)
    return tuple(plane for root in moved for plane in made[root])


def _image(output: Output) -> Expr:
    """All channels of an image."""
    return stack(output.planes)
