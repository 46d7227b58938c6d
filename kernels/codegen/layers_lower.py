"""Lowering: a body with volumes becomes an image pass and a network of rows.

What comes before the first contraction is a body of planes that the image kernels make (`Lowered.front`). Above it,
values are *maps*: each contraction, window or look at neighbours is a layer, with the point-wise expressions that only
it serves as its epilogue. Channels taken from a map are a view of it. Looks whose rows and columns follow from the
pixel alone (copies of edges, resizing, moving pictures) are as many moves as they have regular pieces. An output that
only arranges values anew is read from the maps by a list (`Listed`).

Which layer's row is made when is nothing of this: `kernels.fusion.layers_schedule`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_choice import choose
from kernels.codegen.layers_epilogue import SUM, Epilogue, beside, constant, summed
from kernels.codegen.layers_moves import MOST_TAPS
from kernels.codegen.layers_network import Ending, Layer, Network, Taps, roomy
from kernels.codegen.layers_pieces import patches, runs
from kernels.codegen.layers_quantise import MIDDLE, prepared
from kernels.codegen.layers_record import BESIDE, CHANNELS, TABLES
from kernels.codegen.layers_target import Target
from kernels.codegen.layers_tiles import Tiled, choose_tiles
from kernels.codegen.layers_whole import MADE_WHOLE, with_products, with_rearranged
from kernels.errors import DefinitionError
from kernels.fusion.algebra import with_roots
from kernels.fusion.layers import Look, Place
from kernels.fusion.layers_planes import planes_of
from kernels.fusion.layers_runs import Core
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const, convert, joint_size, postorder, select
from kernels.ir.image import BOOL, F32, I8, I16, I32, U8, U16, DType, ImageType
from kernels.ir.ops import OPS, fits
from kernels.ir.planes import Border, Tap, coord, gather, spread
from kernels.ir.rewriting import substitute, with_operands
from kernels.ir.table import joint_table_size
from kernels.ir.volumes import WHOLE, Contract, part, stack

Array = npt.NDArray[Any]
Evaluate = Callable[[Expr], Array]
"""An expression without inputs -> its values, (height, width, channels); (1, 1, channels) if it varies over nothing."""
MOST_PIECES = 64
"""Moves of which a picture that is put together anew may consist."""
MOST_PATCHES = 256
"""The same of one whose pixels go ways that are not those of its rows and columns (turned, or a row for each pixel)."""
MOST_LAYERS = 2000
"""With those moves, at most."""
CORE = Core(1 << 20)
"""One that was not looked at."""
MANY_LEAVES = 32
"""Of an expression that is cut into layers: of more, cuts are made side by side, not one after another."""
_EXACT = 1 << 24
"""Whole numbers up to here are floats."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An output whose values are in maps in another order.

    Args:
        banks: the maps' banks, one after another: the values that `index` counts.
        constants: more values behind them.
        index: for each value of the output, in its order.
    """

    banks: tuple[int, ...]
    constants: npt.NDArray[np.float32]
    index: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sliced:
    """What a list looks at: some channels of a map.

    Args:
        bank: the map's.
        first, count: which channels.
    """

    bank: int
    first: int
    count: int


@dataclass(slots=True)
class Lowered:
    """What makes a body's outputs.

    Args:
        front: the image pass, its outputs called "0", "1" ... and by the name of an output of the body that it makes
            alone; None without any.
        network: its maps and layers.
        given: bank -> the number of an input, or the name of an output of `front`, that lies there.
        made: bank -> (height, width, channels) of what is written there.
        outputs: name -> its bank, or how it is listed; those missing are `front`'s.
        constants: map -> what it holds for ever.
        tiled: contractions that may be made of tiles, and what was chosen.
    """

    front: Body | None
    network: Network
    given: dict[int, int | str] = field(default_factory=dict)
    made: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    outputs: dict[str, int | Listed] = field(default_factory=dict)
    constants: dict[int, Array] = field(default_factory=dict)
    tiled: list[Tiled] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _View:
    """Channels of a map."""

    map: int
    channel: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class _Leaving:
    """A copy of a map's channels, from `view` on, into a bank."""

    view: _View
    bank: int
    layer: Layer


def lower_layers(body: Body, target: Target, evaluate: Evaluate, core: Core = CORE) -> Lowered:
    """A body as an image pass and a network.

    Args:
        core: by which it is chosen what is made of tiles, where that may be.

    Raises:
        Unsupported: it has a construct that rows of layers cannot hold; says which.
    """
    try:
        return _Lowering(_without_flags(body), target, evaluate, core).lowered()
    except DefinitionError as error:
        raise Unsupported(str(error)) from None


def _without_flags(body: Body) -> Body:
    """A body in which what contractions lead to is true or false at a pixel only: elsewhere bytes stand for it."""
    made: dict[Expr, Expr] = {}
    deep: set[Expr] = set()
    for node in postorder(body.roots):
        src = tuple(made[s] for s in node.src)
        if node.op == "contract" or not deep.isdisjoint(node.src):
            deep.add(node)
        moved = node in deep and node.dtype == BOOL and node.op in ("gather", "load", "part", "stack", "mosaic")
        if moved:
            src = tuple(convert(s, U8) if s.dtype == BOOL else s for s in src)
            made[node] = Expr(node.op, src, node.arg, U8, node.size, node.channels).ne(0)
        else:
            made[node] = with_operands(node, src)
    outputs = (replace(o, planes=tuple(made[p] for p in o.planes)) if o.table is None else o for o in body.outputs)
    return replace(body, outputs=tuple(outputs))


@contextmanager
def _blamed(node: Expr) -> Iterator[None]:
    """What cannot be lowered in here is a value's fault, unless another's is known."""
    try:
        yield
    except Unsupported as reason:
        if reason.node is None:
            reason.node = node
        raise


def _pointwise(node: Expr) -> bool:
    return node.op in OPS or node.op == "convert"


def _moved_values(root: Expr, ends: Collection[Expr]) -> set[Expr]:
    """What a value that is only moved is made of: conditions and places, which say of what, left out."""
    found: set[Expr] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            if node not in ends:
                waiting += {"gather": node.src[:1], "select": node.src[1:]}.get(node.op, node.src)
    return found


def _seen(core: Expr) -> tuple[Expr, int]:
    """What a layer looks at first, and how often: siblings of groups (`kernels.networks.siblings`) look at one value,
    sums of windows of bytes at bytes."""
    volume = core.src[0]
    if core.op == "window" and core.arg.kind == "sum" and volume.op == "convert" and volume.src[0].dtype in (U8, I8):
        border, dtype = core.arg.border, volume.src[0].dtype
        if border.mode != "constant" or (float(border.value).is_integer() and fits(border.value, dtype)):
            return volume.src[0], 1
    if core.op == "contract" and volume.op == "stack" and len(set(volume.src)) == 1:
        times = len(volume.src)
        if core.arg.groups % times == 0 and core.channels // times % CHANNELS == 0:
            return volume.src[0], times
    return volume, 1


def _ending(ends: Mapping[str, Any], looks: Sequence[Look] = ()) -> Ending:
    """The epilogue among what a layer ends in, its further rows being `looks`."""
    return Ending(ends["epilogue"], looks, ends["tables"], ends["scalars"])


def _holds(node: Expr) -> bool:
    """Whether a value may be a map: a float, a byte, or a whole number that is no step of a computation."""
    return node.dtype in (F32, U8, I8) or (node.dtype == I32 and not _pointwise(node))


def _lying(dtype: DType) -> DType:
    """The type in which values of a type lie in maps: an i8 is a u8 that is 128 more, for kernels look at u8."""
    return U8 if dtype == I8 else dtype


def _up(value: Expr) -> Expr:
    """An i8 as it lies in maps."""
    if value.op == "convert" and value.src[0].op == "sub" and value.src[0].src[1] == const(MIDDLE, I32):
        inner = value.src[0].src[0]
        if inner.op == "convert" and inner.src[0].dtype == U8:
            return inner.src[0]  # of one that lay in a map
    return convert(convert(value, I32) + MIDDLE, U8)


def _down(value: Expr) -> Expr:
    """What lies in a map as an i8."""
    return convert(convert(value, I32) - MIDDLE, I8)


class _Lowering:
    def __init__(self, body: Body, target: Target, evaluate: Evaluate, core: Core) -> None:
        self.body, self.evaluate, self.core = body, functools.cache(evaluate), core
        self._places = functools.cache(self._looked_places)
        self.network = Network(target)
        self.result = Lowered(None, self.network)
        self.views: dict[Expr, _View] = {}
        self.copies: dict[tuple[Expr, bytes], int] = {}
        self.claimed: set[int] = set()
        self.users: dict[Expr, list[Expr]] = {}
        self.spreads: dict[tuple[Expr, int], int] = {}
        self.fronts: dict[Expr, str] = {}
        self.banks = 0
        self.leaving: list[_Leaving] = []
        self.early: set[Expr] = set()
        self.fixed: set[Expr] = set()
        self.owner: dict[Expr, frozenset[Expr]] = {}

    def lowered(self) -> Lowered:
        """See `lower_layers`."""
        body = self.body
        if body.updates:
            raise Unsupported("it has layers of a network beside recurrences")
        # What no contraction leads to (early) is made by image kernels; what depends on no input (fixed) is a constant;
        # all else becomes maps and layers.
        self._sort()
        tails: dict[str, list[Expr]] = {}
        roots: dict[str, Expr] = {}
        arranged: dict[str, Expr] = {}
        plain: list[Output] = []
        for output in body.outputs:
            if all(root in self.early or root in self.fixed for root in output.roots):
                plain.append(output)
                continue
            if output.table is not None:
                raise Unsupported("a table is made of what a network gives")
            root = stack(output.planes)
            if root.dtype not in (F32, U8, I8, I32) or root.size is None:
                raise Unsupported(f"a network gives {root.dtype}")
            self._sort([root])
            root = self._sunk(root)
            leaves = self._arranged(root)
            if leaves is None or (root.dtype != F32 and not self._only_listed(root, leaves)):
                roots[output.name] = root
            elif root.dtype not in (F32, I32):  # lists are of words
                raise Unsupported(f"an output of {root.dtype} is put together anew")
            else:
                tails[output.name], arranged[output.name] = leaves, root
        ends = [*roots.values(), *(leaf for leaves in tails.values() for leaf in leaves)]
        new = self._at_once(ends)
        self._own([new[end] for end in ends])
        for name, root in roots.items():
            self.result.outputs[name] = self._leaving(new[root])
        listed: dict[Expr, int] = {}
        for leaves in tails.values():
            for leaf in leaves:
                if leaf not in listed:
                    listed[leaf] = self._leaving(new[leaf])
        slices = self._delivered()
        for name, leaves in tails.items():
            places = [slices.get(listed[leaf], Sliced(listed[leaf], 0, leaf.channels)) for leaf in leaves]
            with _blamed(arranged[name]):
                self.result.outputs[name] = self._listed(arranged[name], leaves, places)
        self.result.tiled = choose_tiles(self.network, self.core)
        choose(self.network)
        self.result.constants |= self.network.filled
        self._front(plain)
        return self.result

    def _sort(self, roots: Sequence[Expr] = ()) -> None:
        """Which nodes have no inputs below (`fixed`), and which are the image pass's (`early`)."""
        for node in postorder(roots or self.body.roots):
            if node in self.early or node in self.fixed:
                continue
            if node.op in ("state", "recur") or (node.op == "load" and node.arg.dt < 0):
                raise Unsupported("it has layers of a network beside a memory of earlier frames")
            if node.op == "input":
                if node.arg.channel != WHOLE or node.dtype != F32:
                    self.early.add(node)
            elif node.op == "param":
                self.early.add(node)
            elif all(s in self.fixed for s in node.src):
                self.fixed.add(node)
            elif node.op not in ("contract", "mosaic", *MADE_WHOLE) and all(
                s in self.early or s in self.fixed for s in node.src
            ):
                self.early.add(node)

    def _sunk(self, root: Expr) -> Expr:
        """A value computed from one that is only moved, as moved values that are computed: so a list can move it."""
        chain: list[Expr] = []
        base = root
        while _pointwise(base) and base not in self.early and not self._chooses(base):
            others = [s for s in base.src if s not in self.fixed]
            if len(others) != 1 or any(s.size is not None or s.channels > 1 for s in base.src if s in self.fixed):
                return root
            chain.append(base)
            (base,) = others
        leaves = self._arranged(base)
        if leaves is None or not self._only_listed(base, leaves):
            return root

        def computed(value: Expr) -> Expr:
            for node in reversed(chain):
                src = tuple(s if s in self.fixed else value for s in node.src)
                value = Expr(node.op, src, node.arg, node.dtype, joint_size(src), value.channels)
            return value

        made: dict[Expr, Expr] = {}
        for node in postorder([base], set(leaves)):
            if node in leaves or node in self.fixed:
                moves = node not in leaves and node.dtype != base.dtype  # conditions and places
                made[node] = node if moves else self._sunk(computed(node))
                continue
            if getattr(getattr(node.arg, "border", None), "mode", "") == "constant":
                return root
            keep = {"gather": (1, 2), "select": (0,)}.get(node.op, ())
            src = tuple(s if k in keep else made[s] for k, s in enumerate(node.src))
            made[node] = Expr(node.op, src, node.arg, root.dtype, node.size, node.channels)
        self._sort([made[base]])
        return made[base]

    def _chooses(self, node: Expr) -> bool:
        """Whether a value is one of two by where the pixel is."""
        return node.op == "select" and node.src[0] in self.fixed

    def _only_listed(self, base: Expr, leaves: Sequence[Expr]) -> bool:
        """Whether a value that is only moved cannot be made by layers."""
        for node in postorder([base], set(leaves)):
            if node.op == "select" and node not in self.fixed:
                return True
            if node.op == "gather" and node not in self.fixed:
                try:
                    self._followed(node)
                except Unsupported:
                    return True
        return False

    def _arranged(self, root: Expr) -> list[Expr] | None:
        """What a value that is only moved consists of; None if it is computed, or a map that needs no list."""
        leaves: list[Expr] = []
        moved = False
        waiting, seen = [root], set[Expr]()
        while waiting:
            node = waiting.pop()
            if node in seen or node in self.fixed:
                continue
            seen.add(node)
            if node in self.early:
                leaves.append(node)
                continue
            kept = node.op in ("stack", "part")
            moves = node.op in ("gather", "mosaic") or self._chooses(node)
            if node.op == "gather":
                moves = node.src[1] in self.fixed and node.src[2] in self.fixed
            if kept or moves:
                moved |= moves
                waiting += reversed(node.src[:1] if node.op == "gather" else node.src)
            else:
                leaves.append(node)
        return leaves if moved else None

    def _at_once(self, ends: Sequence[Expr]) -> dict[Expr, Expr]:
        """Each end with what layers make at once in the place of what says it value by value."""
        apart = self.early | self.fixed
        found = with_products(ends, apart)
        middle = [found[end] for end in ends]
        self._sort(middle)
        new = with_rearranged(middle, self.early | self.fixed, self._chooses, self.evaluate)
        made = {end: new[one] for end, one in zip(ends, middle, strict=True)}
        self._sort(list(made.values()))
        return made

    def _own(self, ends: Sequence[Expr]) -> None:
        """For each value the layers in whose epilogue it is computed; itself where it is a map."""
        forced = set(ends)
        nodes = [node for node in postorder(ends) if node not in self.early and node not in self.fixed]
        users = self.users = {node: [] for node in nodes}
        for node in nodes:
            for operand in node.src:
                if operand in users:
                    users[operand].append(node)
        forced |= {_seen(node)[0] for node in nodes if node.op == "window"}
        forced |= {one for node in nodes if node.op in MADE_WHOLE for one in (node, *node.src)}
        for node in reversed(nodes):
            owners = frozenset[Expr]().union(*(self.owner[u] if _pointwise(u) else {node} for u in users[node]))
            shared = _holds(node) and owners != {node} and len(owners) > 1 and not self._again(node)
            if node in forced or not owners or shared:
                owners = frozenset({node})
            self.owner[node] = owners

    def _again(self, node: Expr) -> bool:
        """Whether a float is computed from one byte of the same pixel alone (dequantised), and constants that are in
        every pixel: then each layer that needs it reads the byte."""
        if node.dtype != F32 or not _pointwise(node):
            return False
        bytes_: set[Expr] = set()
        waiting = [node]
        while waiting:
            one = waiting.pop()
            if one in self.fixed:
                if one.size is not None:
                    return False
            elif one.dtype in (U8, I8):
                bytes_.add(one)
            elif _pointwise(one):
                waiting += one.src
            else:
                return False
        return len(bytes_) == 1

    def _stored(self, one: Expr, node: Expr) -> bool:
        """Whether the layer of `node` finds a value in a map."""
        return _holds(one) and not self._inner(one, node) and (self._inner(one, one) or not self._again(one))

    def _inner(self, one: Expr, node: Expr) -> bool:
        """Whether a value is computed in the layer of `node` alone."""
        return self.owner.get(one) == frozenset((node,))

    # Maps

    def _view(self, node: Expr) -> _View:
        """Where a value lies; made if it is not there yet."""
        found = self.views.get(node)
        if found is None:
            waiting = [node]
            while waiting:  # a network may be deeper than Python's own stack
                now = waiting[-1]
                missing = [n for n in self._needs(now) if n not in self.views]
                if missing:
                    waiting += missing
                    continue
                waiting.pop()
                if now not in self.views:
                    first = len(self.network.layers)
                    with _blamed(now):
                        self.views[now] = self._made(now)
                    self._marked(now, first)
            found = self.views[node]
        return found

    def _marked(self, node: Expr, first: int) -> None:
        """Layers from a number on are for a value, unless they are for another."""
        layers = self.network.layers
        layers[first:] = [layer if layer.value is not None else replace(layer, value=node) for layer in layers[first:]]

    def _needs(self, node: Expr) -> list[Expr]:
        """Maps that must be there before that of a node."""
        if node in self.early or node in self.fixed or node.op == "input":
            return []
        needed: list[Expr] = []
        looked = node.src[0].src if self._strided(node) else (_seen(node)[0], *node.src[1:]) if node.src else ()
        waiting, seen = list(looked), set[Expr]()
        while waiting:
            one = waiting.pop()
            if one in seen or one in self.fixed:
                continue
            seen.add(one)
            if _pointwise(one) and not self._stored(one, node) and one not in self.early:
                waiting += one.src
            elif one.op in ("contract", "window", "load") and self._inner(one, node):
                operands = one.src[0].src if self._strided(one) else (_seen(one)[0], *one.src[1:])
                needed += [s for s in operands if s not in self.fixed]
            elif self._carried(one, node):
                needed.append(one.src[0])
            elif _holds(one):
                padded = None if one in self.views else self._padded(one)
                needed.append(one if padded is None else self._looked(padded))
        return needed

    def _made(self, node: Expr) -> _View:
        if not _holds(node) and node.dtype != I32:
            raise Unsupported(f"layers of a network hold {node.dtype} ({node.op})")
        if node in self.fixed:
            return _View(self._constant(node))
        if node in self.early or node.op == "input":
            return _View(self._source(node))
        match node.op:
            case "part":
                inner = self._view(node.src[0])
                return _View(inner.map, inner.channel + node.arg[0])
            case "stack":
                return _View(self._stacked(node))
            case "mosaic":
                return _View(self._mosaic(node))
            case "gather":
                return _View(self._gathered(node))
            case "product":
                return _View(self._product(node))
            case "rearranged":
                return _View(self._rearranged(node))
            case "contract" | "window" | "load":
                return _View(self._layer(node))
        if not _pointwise(node):
            raise Unsupported(f"layers of a network hold {node.op!r}")
        return _View(self._layer(node))

    def _source(self, node: Expr) -> int:
        """The bank of a value that comes from outside."""
        if node.size is None:
            raise Unsupported("a live parameter is used among layers of a network")
        self.banks += 1
        type_ = self.body.inputs[node.arg.index] if node.op == "input" else None
        whole = isinstance(type_, ImageType) and type_.channels == node.channels
        if whole:
            self.result.given[self.banks] = node.arg.index
        else:
            name = self.fronts.setdefault(node, f"{len(self.fronts)} for layers")
            self.result.given[self.banks] = name
        given = self.network.map(*node.size, node.channels, bank=self.banks, dtype=node.dtype)
        if node.dtype != I8:
            return given
        return self.network.move([Look(given)], node.size, node.channels, epilogue=Epilogue(_up(summed(I8))))

    def _constant(self, node: Expr) -> int:
        values = self.evaluate(node)
        height, width, channels = values.shape
        number = self.network.map(height, width, channels, kept=True, dtype=_lying(node.dtype))
        self.result.constants[number] = values + np.int16(MIDDLE) if node.dtype == I8 else values
        return number

    def _leaving(self, node: Expr) -> int:
        """A bank for a value that is looked at from outside."""
        assert node.size is not None
        direct = self._straight(node)
        for needed in self._needs(node) if direct else (node,):
            self._view(needed)
        self.banks += 1
        bank = self.banks  # what the image pass makes for a layer gets banks, too
        place = self.network.map(*node.size, node.channels, bank=bank, dtype=node.dtype)
        self.result.made[bank] = (*node.size, node.channels)
        first = len(self.network.layers)
        if direct:
            with _blamed(node):
                self.views[node] = _View(self._layer(node, Place(place)))
            self._marked(node, first)
            return bank
        view = self.views[node]
        copy = Epilogue(_down(summed(U8))) if node.dtype == I8 else None
        self.network.move([Look(view.map, channel=view.channel)], node.size, node.channels, epilogue=copy,
                          into=Place(place))  # fmt: skip
        self._marked(node, first)
        if node.dtype == F32:
            self.leaving.append(_Leaving(view, bank, self.network.layers[-1]))
        return bank

    def _straight(self, node: Expr) -> bool:
        """Whether a layer can write a value where it is looked at from outside: whole vectors, that no layer needs."""
        layer = node.op in ("contract", "window", "load") or (_pointwise(node) and not self._chooses(node))
        inside = node in self.views or node in self.early or node in self.fixed or self.users.get(node)
        return layer and not inside and node.dtype != I8 and node.channels % CHANNELS == 0

    def _delivered(self) -> dict[int, Sliced]:
        """Maps that leave, whole or in parts, are made where they leave, not copied there; lists look at a map that
        leaves for the most part.

        Returns:
            For each bank that is none any more, where its values lie.
        """
        found: dict[int, Sliced] = {}
        listed = set(self.result.made) - set(self.result.outputs.values())
        by_map: dict[int, list[_Leaving]] = {}
        for one in self.leaving:
            by_map.setdefault(one.view.map, []).append(one)
        for number, some in by_map.items():
            copies = {id(one.layer) for one in some}
            there, made = self.network.maps[number], self.result.made
            counts = [made[one.bank][2] for one in some]
            parts = sorted((one.view.channel, n, one.bank) for one, n in zip(some, counts, strict=True))
            ends = [0, *(first + n for first, n, _ in parts)]
            covered = ends == [*(first for first, _, _ in parts), there.channels]
            fits = self._deliverable(number, copies)
            if counts == [there.channels] and fits:
                there.bank = some[0].bank
            elif covered and self.network.leaves_apart(number, copies):
                there.bank, there.parts = parts[0][2], tuple(parts)
            elif covered and self._divided(number, some, copies):
                pass
            elif 2 * sum(counts) < there.channels or not fits or any(one.bank not in listed for one in some):
                continue
            else:
                self.banks += 1
                there.bank = self.banks
                for one, count in zip(some, counts, strict=True):
                    found[one.bank] = Sliced(there.bank, one.view.channel, count)
                    del made[one.bank]
                made[there.bank] = there.height, there.width, there.channels
            self.network.layers[:] = [layer for layer in self.network.layers if id(layer) not in copies]
        return found

    def _divided(self, number: int, some: Sequence[_Leaving], copies: set[int]) -> bool:
        """Whether the layers that make a map now write into those that it was copied to."""
        maps = [one.layer.place.map for one in some]
        whole = all(self.network.maps[map_].channels % CHANNELS == 0 for map_ in maps)
        parts = [(one.view.channel, map_) for one, map_ in zip(some, maps, strict=True)]
        return whole and self.network.divided(number, parts, copies)

    def _deliverable(self, number: int, copies: set[int]) -> bool:
        """Whether a map may lie in memory of others: its pixels side by side, nothing beyond its edges.

        Args:
            copies: layers that would be left out, by `id`.
        """
        there = self.network.maps[number]
        if there.bank or there.kept or there.pitch != there.channels or there.channels % CHANNELS:
            return False
        for layer in self.network.layers:
            for look in layer.looks if id(layer) not in copies else ():
                if look.map != number:
                    continue
                first, last = look.columns(layer.size[1])
                rows = (*look.rows(0), *look.rows(layer.size[0] - 1))
                if first < 0 or last >= there.width or min(rows) < 0 or max(rows) >= there.height:
                    return False
        return True

    def _listed(self, root: Expr, leaves: Sequence[Expr], places: Sequence[Sliced]) -> Listed:
        """The list of an output: what its expression makes of numbers in the place of values.

        Args:
            places: where the values of each leaf lie.
        """
        numbers: dict[Expr, Expr] = {}
        at = 0
        constants: list[Array] = []
        for leaf, place in zip(leaves, places, strict=True):
            height, width, channels = self.result.made[place.bank]
            first = (coord("y", (height, width)) * width + coord("x", (height, width))) * channels + (at + place.first)
            numbers[leaf] = stack([first + c for c in range(leaf.channels)])
            at += height * width * channels
        if at >= 1 << 30:
            raise Unsupported("an output that is put together anew is too large")

        def constant_numbers(values: Expr) -> Expr:
            nonlocal at
            found = self.evaluate(values)
            height, width, channels = found.shape
            constants.append(found.ravel().view(np.float32))
            first = const(at) if values.size is None else (
                coord("y", (height, width)) * width + coord("x", (height, width))) * channels + at  # fmt: skip
            at += found.size
            return stack([first + c for c in range(channels)])

        made: dict[Expr, Expr] = {}
        values = _moved_values(root, {*leaves, *self.fixed})
        for node in postorder([root], set(leaves)):
            if node in numbers:
                made[node] = numbers[node]
            elif node in self.fixed:
                made[node] = constant_numbers(node) if node in values else node
            elif node.op == "gather":
                made[node] = self._inside(
                    gather(made[node.src[0]], node.src[1], node.src[2], node.arg.size, node.arg.border)
                )
            elif node.op == "select":
                made[node] = select(node.src[0], made[node.src[1]], made[node.src[2]])
            elif node.op == "part":
                made[node] = part(made[node.src[0]], *node.arg)
            elif node.op == "stack":
                made[node] = stack([made[s] for s in node.src])
            else:
                src = tuple(made[s] for s in node.src)
                made[node] = self._inside(Expr(node.op, src, node.arg, I32, node.size, node.channels))
        index = self.evaluate(made[root]).astype(np.int64).ravel()
        banks = tuple(place.bank for place in places)
        return Listed(banks, np.concatenate([np.zeros(0, np.float32), *constants]), index)

    def _inside(self, node: Expr) -> Expr:
        """A look that must not see what is beyond the edge, unless by copies of pixels."""
        border = getattr(node.arg, "border", None)
        if border is None or border.mode != "constant":
            return node
        if node.op == "gather":
            size = node.src[0].size
            assert size is not None
            y, x = (self.evaluate(s) for s in node.src[1:])
            if y.min() >= 0 and x.min() >= 0 and y.max() < size[0] and x.max() < size[1]:
                return node
        raise Unsupported("an output is put together with values beyond an edge")

    # Layers

    def _layer(self, node: Expr, into: Place | None = None) -> int:
        """A layer and its epilogue; its map."""
        inner: set[Expr] = set()
        while True:
            made = _Epilogue(self, node, inner)
            if made.fits:
                break
            inner.update(made.widest())
        return self._emitted(node, made, into)

    def _emitted(self, node: Expr, made: _Epilogue, into: Place | None) -> int:
        assert node.size is not None
        core, channels = made.core, node.channels
        if core is None:
            pieces = self._pieced(node, made, into)
            if pieces is not None:
                return pieces
        looks = [self._beside(leaf, node, alone=made.core is None) for leaf in made.leaves]
        epilogue, scalars = prepared(made.root, _limits(made.tables))
        ends: dict[str, Any] = {"epilogue": epilogue, "tables": made.tables, "scalars": scalars, "into": into}
        if core is not None and core.op == "contract":
            first = len(self.network.layers)
            there = self._contracted(core, looks, ends)
            self._marked(core, first)
            return there
        if core is None:
            if self._flat(node, looks, made.tables):
                pitch, (height, width) = channels, node.size
                there = self.network.map(height, width, channels, pitch, dtype=epilogue.root.dtype, tight=True)
                ends["into"] = into or Place(there)
                return self.network.move(looks, (height, 1), width * channels, **ends)
            return self.network.move(looks, node.size, channels, **ends)
        if core.op == "window":
            return self._window(core, (1, 1), (0, 0), core.size, looks, ends)
        source, tap = core.src[0], core.arg
        if self._strided(core):
            return self._window(source, (tap.stride_y, tap.stride_x), (tap.dy, tap.dx), core.size, looks, ends)
        look = self._look(source, tap.border, (1, 1), (tap.dy, tap.dx), (tap.stride_y, tap.stride_x), core.size)
        return self.network.move([look, *looks], node.size, channels, **ends)

    def _carried(self, one: Expr, node: Expr) -> bool:
        """Whether a value is a picture put together anew that only the layer of `node` looks at."""
        floats = node.dtype == one.dtype == F32
        carried = floats and one.op == "gather" and one not in self.views and self._inner(one, node)
        return carried and not {*one.src[1:]} - self.fixed and _separable(self._places(one))

    def _pieced(self, node: Expr, made: _Epilogue, into: Place | None) -> int | None:
        """A layer without a sum that looks at pictures put together anew, as as many moves as these have pieces in
        which also the constants of a row or a column stay the same: what interpolates looks at what it is made of, and
        its weights are of the code. None if it looks at none, or there would be too many."""
        assert node.size is not None
        height, width = node.size
        lines: dict[int, tuple[Array, Array]] = {}
        weights: dict[int, Array] = {}
        for k, leaf in enumerate(made.leaves):
            if self._carried(leaf, node):
                lines[k] = self._followed(leaf)
            elif leaf in self.fixed and leaf.channels == 1 and leaf.dtype == F32:
                values = self.evaluate(leaf)[..., 0]
                if values.shape == node.size and ((values == values[:, :1]).all() or (values == values[:1]).all()):
                    weights[k] = values
        if not lines or any(leaf.dtype != F32 for leaf in made.leaves):
            return None
        moving = [k for k in range(len(made.leaves)) if k not in weights]
        seen = [lines.get(k, (np.arange(height), np.arange(width))) for k in moving]
        down = runs([rows for rows, _ in seen], [v[:, 0].view(np.int32) for v in weights.values() if _differ(v[:, 0])])
        along = runs([columns for _, columns in seen], [v[0].view(np.int32) for v in weights.values() if _differ(v[0])])
        if len(down) * len(along) > MOST_PIECES:
            return None
        sources = [made.leaves[k].src[0] if k in lines else made.leaves[k] for k in moving]
        whole = [self._beside(source, node, alone=True) for source in sources]
        place = into or Place(self.network.map(height, width, node.channels))
        for a in down:
            for b in along:
                looks = [_through(look, (a.source[n], b.source[n]), (a.by[n], b.by[n])) for n, look in enumerate(whole)]
                leaves = {beside(k - 1) if k else SUM: beside(n - 1) if n else SUM for n, k in enumerate(moving)}
                leaves |= {beside(k - 1) if k else SUM: const(v[a.first, b.first].item(), F32)
                           for k, v in weights.items()}  # fmt: skip
                epilogue, scalars = prepared(_with_leaves(made.root, leaves), _limits(made.tables))
                (y, x), (sy, sx) = place.at, place.stride
                part_ = replace(place, at=(y + a.first * sy, x + b.first * sx), stride=(a.step * sy, b.step * sx))
                self.network.move(looks, (a.count, b.count), node.channels, epilogue=epilogue, tables=made.tables,
                                  scalars=scalars, into=part_)  # fmt: skip
        return place.map

    def _flat(self, node: Expr, looks: Sequence[Look], tables: Sequence[Array]) -> bool:
        """Whether a point-wise layer may take a row for one pixel of many channels: nothing lies between the pixels of
        its operands, and nothing need lie between its own, for those who look at it are dense layers."""
        dense = all(u.op == "contract" and u.arg.groups == 1 and u.arg.up == (1, 1) for u in self.users.get(node, ()))
        maps = [self.network.maps[look.map] for look in looks]
        size = node.size, node.channels
        near = all(((m.height, m.width), m.channels) == size and (m.bank or m.tight) for m in maps)
        still = all(look == Look(look.map) for look in looks)
        return near and still and not tables and (node.channels % CHANNELS == 0 or (dense and node.dtype != F32))

    def _strided(self, core: Expr) -> bool:
        """Whether a load looks at a window that nothing else needs, inside it: then only what it looks at is made."""
        source, tap = core.src[0], core.arg
        if core.op != "load" or source.op != "window" or len(self.users.get(source, [])) != 1:
            return False
        ends = zip((tap.dy, tap.dx), (tap.stride_y, tap.stride_x), core.size or (), source.size or (), strict=True)
        return all(d >= 0 and d + (n - 1) * s < whole for d, s, n, whole in ends)

    def _contracted(self, core: Expr, looks: Sequence[Look], ends: Mapping[str, Any]) -> int:
        """A contraction; `ends` are its epilogue and the constants of that."""
        how: Contract = core.arg
        weights = how.weights.array
        bias = np.broadcast_to(self.evaluate(core.src[1]).ravel(), (how.features,))
        network = self.network
        if how.up != (1, 1):
            assert not looks  # see `_Epilogue`
            volume = core.src[0]
            source = self._source_map(volume, how.outside, dense=how.groups == 1)
            taps = Taps((how.y0, how.x0), how.stride, how.dilation, how.groups, source.channel)
            return network.transposed(source.map, weights, bias, how.size, how.up, taps, _ending(ends), ends["into"],
                                      middle=MIDDLE * (volume.dtype == I8))  # fmt: skip
        volume, times = _seen(core)
        source = self._source_map(volume, how.outside, self._beyond(core), how.groups == 1)
        taps = Taps((how.y0, how.x0), how.stride, how.dilation, how.groups // times, source.channel)
        if volume.dtype == I8:  # its map holds 128 more
            more = MIDDLE * weights.astype(np.int64).sum((1, 2, 3))
            bias = (bias.astype(np.int64) - more).astype(np.int32)  # modulo 2**32, as the sum
        write = network.convolution if weights.dtype == np.float32 else network.int8_convolution
        if times == 1:
            return write(source.map, weights, bias, how.size, taps, _ending(ends, looks), ends["into"])
        place = ends["into"] or Place(network.map(*how.size, how.features, dtype=ends["epilogue"].root.dtype))
        each = how.features // times
        for first in range(0, how.features, each):
            some = slice(first, first + each)
            end = replace(_ending(ends, [replace(look, channel=look.channel + first) for look in looks]),
                          tables=[table[some] for table in ends["tables"]])  # fmt: skip
            write(source.map, weights[some], bias[some], how.size, taps, end, replace(place, channel=first))
        return place.map

    @staticmethod
    def _beyond(core: Expr) -> bool:
        """Whether a contraction looks beyond the edges."""
        how = core.arg
        axes = zip((how.y0, how.x0), how.size, how.stride, how.dilation, how.taps, core.src[0].size or (), strict=True)
        return any(at < 0 or at + (n - 1) * s + (t - 1) * d >= whole for at, n, s, d, t, whole in axes)

    def _source_map(self, node: Expr, outside: float, beyond: bool = True, dense: bool = False) -> _View:
        """Where contractions look at a value: its channels in a map, of which others may be for dense layers, with
        that beyond its edges."""
        view = self._view(node)
        there = self.network.maps[view.map]
        outside += MIDDLE * (node.dtype == I8)
        whole = view.channel == 0 and there.channels == node.channels
        inside = node.dtype == F32 if dense else node.channels % CHANNELS == 0  # what may be some channels of others
        inside |= dense and node.dtype in (U8, I8)
        fits = not there.bank or (there.channels % CHANNELS == 0 and there.dtype == F32)
        if (whole or inside) and fits and (not beyond or self._claimed(view.map, outside)):
            return view
        if dense and whole and there.bank:
            return _View(self._copied_rows(node, view, outside))
        return _View(self._copied(node, outside))

    def _copied_rows(self, node: Expr, view: _View, outside: float) -> int:
        """A copy whose pixels have no room between them, for dense layers alone: a row is moved as one pixel, and taps
        that lie side by side are one run of the sum."""
        key = node, b"rows" + _bits(outside)
        if key not in self.copies:
            height, width = self._size(view)
            there = self.network.maps[view.map]
            made = self.network.map(height, width, node.channels, node.channels, outside=outside, dtype=there.dtype,
                                    tight=True)  # fmt: skip
            self.network.move([Look(view.map)], (height, 1), width * node.channels, into=Place(made))
            self.copies[key] = made
        return self.copies[key]

    def _claimed(self, number: int, outside: float) -> bool:
        """Whether a map has that beyond its edges, or may have."""
        there = self.network.maps[number]
        if there.bank:
            return False
        if number not in self.claimed:
            self.claimed.add(number)
            there.outside = outside
        return _bits(there.outside) == _bits(outside)

    def _copied(self, node: Expr, outside: float) -> int:
        key = node, _bits(outside)
        if key not in self.copies:
            view = self._view(node)
            assert node.size is not None
            made = self.network.move([Look(view.map, channel=view.channel)], self._size(view), node.channels,
                                     outside=outside)  # fmt: skip
            self.claimed.add(made)
            self.copies[key] = made
        return self.copies[key]

    def _size(self, view: _View) -> tuple[int, int]:
        there = self.network.maps[view.map]
        return there.height, there.width

    def _padded(self, leaf: Expr) -> Expr | None:
        """The value that a stack begins with, where only what lies in maps as zeros, and no other layer looks at, is
        behind it."""
        if leaf.op != "stack" or len(leaf.src) != 2 or len(self.users.get(leaf, [])) != 1:
            return None
        first, zeros = leaf.src
        if zeros not in self.fixed or zeros.size is not None:
            return None
        values = self.evaluate(zeros)
        if (values != -MIDDLE).any() if leaf.dtype == I8 else values.tobytes().strip(b"\0"):
            return None
        return first if first not in self.fixed and first not in self.early else None

    def _looked(self, value: Expr) -> Expr:
        """What an epilogue looks at for a value: of pixels elsewhere, within a map, that map itself, unless others want
        them as well."""
        return value.src[0] if self._elsewhere(value) else value

    def _elsewhere(self, value: Expr) -> bool:
        source = value.src[0] if value.op == "load" else value
        if value in self.views or source is value or source in self.early or source in self.fixed:
            return False
        tap, alone = value.arg, len(self.users.get(value, ())) == 1 and not self._strided(value)
        axes = zip((tap.dy, tap.dx), (tap.stride_y, tap.stride_x), value.size or (), source.size or (), strict=True)
        return alone and _holds(source) and all(a >= 0 and a + (n - 1) * s < whole for a, s, n, whole in axes)

    def _beside(self, leaf: Expr, node: Expr, alone: bool) -> Look:
        """A further operand of an epilogue, of as many channels as the layer makes.

        Args:
            alone: whether the layer has no sum but only such operands.
        """
        padded = None if alone or leaf in self.views else self._padded(leaf)
        if padded is not None:
            view = self._view(self._looked(padded))
            there = self.network.maps[view.map]
            if view.channel == 0 and there.channels == padded.channels and not there.bank:
                return self._at(padded, view)  # `Network` lets zeros follow
        elif leaf.channels == node.channels and self._elsewhere(leaf):
            view = self._view(leaf.src[0])
            there = self.network.maps[view.map]
            whole = there.channels == node.channels and there.channels % CHANNELS == 0
            if whole or not (there.bank or view.channel + roomy(node.channels) > there.pitch):
                return self._at(leaf, view)
        if leaf.channels == 1 and node.channels > 1:
            key = leaf, node.channels
            if key not in self.spreads:
                self.spreads[key] = self._widened(leaf, node.channels)
            return Look(self.spreads[key])
        view = self._view(leaf)
        there = self.network.maps[view.map]
        if alone and there.bank and view.channel == 0 and there.channels == node.channels:
            return Look(view.map)
        if there.bank or view.channel + roomy(node.channels) > there.pitch:
            if there.channels == node.channels and there.channels % CHANNELS == 0:
                return Look(view.map, channel=view.channel)
            return Look(self._copied(leaf, 0.0))
        return Look(view.map, channel=view.channel)

    def _at(self, value: Expr, view: _View) -> Look:
        """A look at a value in the map of what `_looked` says."""
        if not self._elsewhere(value):
            return Look(view.map, channel=view.channel)
        tap = value.arg
        return Look(view.map, at=(tap.dy, tap.dx), stride=(tap.stride_y, tap.stride_x), channel=view.channel)

    def _widened(self, leaf: Expr, channels: int) -> int:
        """One channel, many times."""
        if leaf in self.fixed:
            values = self.evaluate(leaf)
            height, width, _ = values.shape
            number = self.network.map(height, width, channels, kept=True, dtype=_lying(leaf.dtype))
            values = values + np.int16(MIDDLE) if leaf.dtype == I8 else values
            self.result.constants[number] = np.broadcast_to(values, (height, width, channels))
            return number
        view = self._view(leaf)
        size = self._size(view)
        made = self.network.map(*size, channels, dtype=_lying(leaf.dtype))
        self.network.spread(Look(view.map, channel=view.channel), size, channels, Place(made))
        return made

    @staticmethod
    def _outside(value: float, dtype: DType) -> float:
        """The value beyond the edges of a map, for a border's value."""
        if dtype == F32:
            return float(np.float32(value))
        return float(convert(const(value, F32), dtype).arg + MIDDLE * (dtype == I8))

    def _look(
        self, node: Expr, border: Border, taps: tuple[int, int], at: tuple[int, int], stride: tuple[int, int],
        size: tuple[int, int] | None,
    ) -> Look:  # fmt: skip
        """A look at neighbours of a value, under a border rule."""
        assert size is not None
        assert node.size is not None
        ends = [(a, a + (n - 1) * s + t - 1) for a, n, s, t in zip(at, size, stride, taps, strict=True)]
        inside = all(first >= 0 and last < n for (first, last), n in zip(ends, node.size, strict=True))
        view = self._view(node)
        if inside:
            return Look(view.map, taps, at, stride, channel=view.channel)
        if border.mode == "constant":
            value = self._outside(border.value, node.dtype)
            if self._claimed(view.map, value):
                return Look(view.map, taps, at, stride, channel=view.channel)
            return Look(self._copied(node, value), taps, at, stride)
        before = [max(0, -first) for first, _ in ends]
        whole = [b + max(n, last + 1) for b, n, (_, last) in zip(before, node.size, ends, strict=True)]
        tap = Tap(0, -before[0], -before[1], border, 1, 1, (whole[0], whole[1]))
        rows, columns = (self.evaluate(Expr("load", (coord(axis, node.size),), tap, I32, tap.size))[..., 0]
                         for axis in "yx")  # fmt: skip
        made = self.network.map(whole[0], whole[1], node.channels, dtype=_lying(node.dtype))
        self._pieces(view, rows[:, 0], columns[0], node.channels, made)
        return Look(made, taps, (at[0] + before[0], at[1] + before[1]), stride)

    def _window(
        self, core: Expr, stride: tuple[int, int], shift: tuple[int, int], size: tuple[int, int] | None,
        looks: Sequence[Look], ends: Mapping[str, Any],
    ) -> int:  # fmt: skip
        """A window: its rows folded along, then these down, which is its order."""
        assert size is not None
        w, node = core.arg, core.src[0]
        assert node.size is not None
        columns, rows = w.x1 - w.x0 + 1, w.y1 - w.y0 + 1
        kind = w.kind
        network = self.network
        if _seen(core)[0] is not node:  # sums of bytes
            node = _seen(core)[0]
            look = self._look(node, w.border, (rows, columns), (w.y0 + shift[0], w.x0 + shift[1]), stride, size)
            ones = np.ones((node.channels, rows, columns, 1), np.int8)
            start = np.full(node.channels, -rows * columns * MIDDLE * (node.dtype == I8), np.int32)
            taps = Taps(look.at, stride, groups=node.channels, first=look.channel)
            return network.int8_convolution(look.map, ones, start, size, taps, _ending(ends, looks), ends["into"])
        if rows == 1 or columns == 1 or rows * columns <= MOST_TAPS:
            at = w.y0 + shift[0], w.x0 + shift[1]
            look = self._look(node, w.border, (rows, columns), at, stride, size)
            return network.move([look, *looks], size, core.channels, kind=kind, **ends)
        first = shift[0] + w.y0
        count = (size[0] - 1) * stride[0] + rows
        along = self._look(node, w.border, (1, columns), (first, w.x0 + shift[1]), (1, stride[1]), (count, size[1]))
        made = network.move([along], (count, size[1]), core.channels, kind=kind)
        look = Look(made, (rows, 1), (0, 0), (stride[0], 1))
        return network.move([look, *looks], size, core.channels, kind=kind, **ends)

    # Moves

    def _stacked(self, node: Expr) -> int:
        assert node.size is not None
        made = self.network.map(*node.size, node.channels, dtype=_lying(node.dtype))
        at = 0
        for one in node.src:
            view = self._view(one)
            still = (0, 0) if one.size is None else (1, 1)  # a constant is in one pixel
            self.network.move([Look(view.map, stride=still, channel=view.channel)], node.size, one.channels,
                              into=Place(made, channel=at))  # fmt: skip
            at += one.channels
        return made

    def _mosaic(self, node: Expr) -> int:
        by, bx = node.arg
        assert node.size is not None
        made = self.network.map(*node.size, node.channels, dtype=_lying(node.dtype))
        for number, one in enumerate(node.src):
            view = self._view(one)
            assert one.size is not None
            self.network.move([Look(view.map, channel=view.channel)], one.size, node.channels,
                              into=Place(made, divmod(number, bx), (by, bx)))  # fmt: skip
        return made

    def _gathered(self, node: Expr) -> int:
        """A gather from places that are known."""
        size = node.arg.size
        places, view = self._places(node), self._view(node.src[0])
        made = self.network.map(size[0], size[1], node.channels, dtype=_lying(node.dtype))
        if _separable(places):
            self._pieces(view, places[:, 0, 0], places[0, :, 1], node.channels, made)
            return made
        found = patches(places, MOST_PATCHES)
        if found is None or len(self.network.layers) > MOST_LAYERS:
            raise Unsupported("pixels of layers of a network go each its own way", node)
        for one in found:
            fall = one.along[0]
            look = Look(view.map, at=one.source, stride=(one.down[0], one.along[1]), channel=view.channel,
                        slide=one.down[1], fall=fall, across=one.size[1] * bool(fall))  # fmt: skip
            there = self.network.maps[view.map]
            there.kept = there.kept or (bool(fall) and not there.bank)
            self.network.move([look], one.size, node.channels, into=Place(made, one.first))
        return made

    def _product(self, node: Expr) -> int:
        """A product of two matrices: all rows of the second for each of the first."""
        first, second = (self._own_map(one) for one in node.src)
        assert node.size is not None
        return self.network.product(first, second, node.size, node.channels)

    def _own_map(self, node: Expr) -> int:
        """A map of a value alone, with room behind its channels."""
        view = self._view(node)
        there = self.network.maps[view.map]
        alone = not there.bank and view.channel == 0 and there.channels == node.channels
        return view.map if alone and there.pitch >= roomy(node.channels) else self._copied(node, 0.0)

    def _rearranged(self, node: Expr) -> int:
        """A picture put together by a list: of the channels, where all pixels are alike, else of all values."""
        index = node.arg.array
        height, width, channels = index.shape
        views = [self._view(source) for source in node.src]
        looks = [Look(view.map, channel=view.channel) for view in views]
        here = np.arange(height * width, dtype=np.int32).reshape(height, width, 1) * node.src[0].channels
        same = index - here
        made = self.network.map(height, width, channels)
        if len(looks) == 1 and node.src[0].size == (height, width) and (same == same[:1, :1]).all():
            self.network.listed(looks[0], (height, width), same[0, 0], Place(made))
        else:
            self.network.rearranged(looks, [source.channels for source in node.src], index, Place(made))
        return made

    def _followed(self, node: Expr) -> tuple[Array, Array]:
        """The rows and the columns that a gather looks at, where rows follow from the pixel's row and columns from its
        column."""
        places = self._places(node)
        if not _separable(places):
            raise Unsupported("pixels of layers of a network go each its own way", node)
        return places[:, 0, 0], places[0, :, 1]

    def _looked_places(self, node: Expr) -> Array:
        """(row, column) of each pixel that a gather looks at."""
        plane, y, x = node.src
        if y not in self.fixed or x not in self.fixed:
            raise Unsupported("layers of a network are looked at where computed values say", node)
        size, border = node.arg.size, node.arg.border
        assert plane.size is not None
        marked = Border("constant", -1) if border.mode == "constant" else border
        made = [self.evaluate(gather(coord(axis, plane.size), y, x, size, marked)) for axis in "yx"]
        if border.mode == "constant" and min(one.min() for one in made) < 0:
            raise Unsupported("layers of a network are looked at beyond their edges where tables say", node)
        return np.concatenate(made, axis=2)

    def _pieces(self, view: _View, rows: Array, columns: Array, channels: int, made: int) -> None:
        """Write a map: pixel (y, x) is that at rows[y], columns[x]."""
        down, along = runs([rows]), runs([columns])
        if len(down) * len(along) > MOST_PIECES:
            raise Unsupported(f"a picture of {len(rows)} x {len(columns)} pixels is put together of "
                              f"{len(down) * len(along)} pieces")  # fmt: skip
        for a in down:
            for b in along:
                look = Look(view.map, (1, 1), (a.source[0], b.source[0]), (a.by[0], b.by[0]), channel=view.channel)
                place = Place(made, (a.first, b.first), (a.step, b.step))
                self.network.move([look], (a.count, b.count), channels, into=place)

    # The image pass

    def _front(self, plain: Sequence[Output]) -> None:
        if not self.fronts and not plain:
            return
        planes = planes_of([*self.fronts, *(root for output in plain for root in output.roots)])
        outputs = []
        for node, name in self.fronts.items():
            assert node.size is not None
            size = node.size
            type_ = ImageType(node.dtype, *size, node.channels)
            outputs.append(Output(name, type_, tuple(spread(plane, size) for plane in planes[node])))
        for output in plain:
            own = tuple(plane for root in output.roots for plane in planes[root])
            if output.table is None:
                outputs.append(Output(output.name, output.type, own))
            else:
                size = joint_table_size(output.table)
                alone = replace(self.body, outputs=(output,), updates=())
                outputs += with_roots(alone, [spread(plane, size) for plane in own]).outputs
        self.result.front = Body(self.body.inputs, tuple(outputs), self.body.live, self.body.params,
                                 limits=self.body.limits)  # fmt: skip


class _Epilogue:
    """What becomes of a layer's sum, as an expression over it, further maps and constants a channel.

    Args:
        inner: values that are to be maps of their own, besides those that are anyway.
    """

    def __init__(self, whole: _Lowering, node: Expr, inner: set[Expr]) -> None:
        self.whole, self.node, self.inner = whole, node, inner
        self.leaves: list[Expr] = []
        self.tables: list[Array] = []
        self.core: Expr | None = None
        mine = self._mine()
        cores = [n for n in mine if n.op in ("contract", "window", "load") and n.channels == node.channels]
        if cores:
            self.core = max(cores, key=lambda n: n.arg.macs if n.op == "contract" else 0)
        self.mine, self.inside = mine, set(mine)
        self.root = self._written()
        core = self.core
        if core is not None and core.op == "contract" and core.arg.up != (1, 1) and self.leaves:
            self.core, self.leaves, self.tables = None, [], []  # the phases of its rows have no further operands
            self.root = self._written()

    def _mine(self) -> list[Expr]:
        """The nodes that are computed in this layer, operands first."""
        node, whole = self.node, self.whole
        found: set[Expr] = {node}
        waiting = list(node.src) if _pointwise(node) else []
        while waiting:
            one = waiting.pop()
            if one in found or one in whole.fixed or one in whole.early or one in self.inner or one in whole.views:
                continue
            if whole._stored(one, node):
                continue
            found.add(one)
            if _pointwise(one):
                waiting += one.src
        beyond = {s for n in found for s in n.src} - found
        return [n for n in postorder([node], beyond) if n in found]

    def _written(self) -> Expr:
        made: dict[Expr, Expr] = {}
        mine = {n for n in self.mine if _pointwise(n) or n is self.core}
        outside = {s for n in mine if n is not self.core for s in n.src} - mine
        for one in postorder([self.node], outside | ({self.core} if self.core is not None else set())):
            if one in outside:
                made[one] = self._leaf(one)
            elif one is self.core:
                made[one] = _down(summed(U8)) if one.dtype == I8 else summed(one.dtype)
            elif one in mine and one.dtype == I8 and one.op in ("max", "min"):  # as what lies in maps compares
                src = tuple(_up(made[s]) for s in one.src)
                made[one] = _down(Expr(one.op, src, None, U8, joint_size(src), 1))
            elif one in mine:
                src = tuple(made[s] for s in one.src)
                made[one] = Expr(one.op, src, one.arg, one.dtype, joint_size(src), 1)
        root = _up(made[self.node]) if self.node.dtype == I8 else made[self.node]
        if self.core is None and self.leaves:  # the first further row is what is moved
            root = _lower_leaves(root, [_lying(leaf.dtype) for leaf in self.leaves])
        return root

    def _leaf(self, one: Expr) -> Expr:
        whole = self.whole
        if one in whole.fixed and one.size is None:
            if one.channels == 1:
                value = whole.evaluate(one).ravel()[0].item()
                return const(value, one.dtype)
            values = whole.evaluate(one).ravel()
            return convert(self._table(_floats(values)), one.dtype)
        early = one in whole.early and one.dtype in (BOOL, U16, I16)
        if one.dtype != F32 and (one in whole.fixed or early):
            if one in whole.fixed:
                _floats(whole.evaluate(one))
            made = convert(one, F32)
            (whole.fixed if one in whole.fixed else whole.early).add(made)
            return convert(self._further(made), one.dtype)
        return self._further(one)

    def _table(self, values: Array) -> Expr:
        for number, other in enumerate(self.tables):
            if np.array_equal(other.view(np.int32), values.view(np.int32)):
                return constant(number) if number < TABLES else summed(F32)
        self.tables.append(values)
        return constant(len(self.tables) - 1) if len(self.tables) <= TABLES else summed(F32)

    def _further(self, leaf: Expr) -> Expr:
        if not _holds(leaf):
            raise Unsupported(f"layers of a network hold {leaf.dtype} ({leaf.op})")
        if leaf not in self.leaves:
            self.leaves.append(leaf)
        there = beside(self.leaves.index(leaf), _lying(leaf.dtype))
        return _down(there) if leaf.dtype == I8 else there

    @property
    def fits(self) -> bool:
        """Whether a record has room for it."""
        further = len(self.leaves) - (self.core is None)
        return further <= BESIDE and len(self.tables) <= TABLES

    def widest(self) -> list[Expr]:
        """A value in it that is to be a map, so that less is left; where very much is in it several, side by side."""
        found: list[tuple[Expr, frozenset[Expr]]] = []
        most = 0
        leaves = set(self.leaves)
        under: dict[Expr, frozenset[Expr]] = {}
        for one in postorder([self.node], leaves):
            ends = one in leaves or one.op == "vector"
            under[one] = below = frozenset((one,)) if ends else frozenset[Expr]().union(*(under[s] for s in one.src))
            if one is self.node or one not in self.inside or one.dtype != F32 or one.size is None:
                continue
            if _pointwise(one) and most <= len(below) <= 3:
                found, most = [*(found if len(below) == most else ()), (one, below)], len(below)
            elif len(below) > 3:
                under[one] = frozenset(list(below)[:4])  # too many, whatever they are
        if most < 2:
            raise Unsupported("an expression of a network looks at too many maps and constants at once")
        chosen: list[Expr] = []
        taken: set[Expr] = set()
        for one, below in found[:1] if len(self.leaves) < MANY_LEAVES else found:
            if taken.isdisjoint(below):
                chosen.append(one)
                taken |= below
        for one in chosen:
            self.whole.owner[one] = frozenset({one})
        return chosen


def _through(look: Look, at: tuple[int, int], stride: tuple[int, int]) -> Look:
    """A look at the pixels that another one looks at."""
    (y, x), (sy, sx) = look.at, look.stride
    return replace(look, at=(y + at[0] * sy, x + at[1] * sx), stride=(stride[0] * sy, stride[1] * sx))


def _lower_leaves(root: Expr, types: Sequence[DType]) -> Expr:
    """The first further row as what is summed, the others one number lower."""
    numbers = {beside(k, type_): beside(k - 1, type_) if k else summed(type_) for k, type_ in enumerate(types)}
    (made,) = substitute([root], numbers)
    return made


def _limits(tables: Sequence[Array]) -> dict[str, tuple[float, float]]:
    """Of the constants a channel."""
    return {constant(k).arg: (float(t.min()), float(t.max())) for k, t in enumerate(tables)}


def _separable(places: Array) -> bool:
    """Whether rows follow from the pixel's row and columns from its column."""
    return bool((places[..., 0] == places[:, :1, 0]).all() and (places[..., 1] == places[:1, :, 1]).all())


def _with_leaves(root: Expr, leaves: Mapping[Expr, Expr]) -> Expr:
    """An epilogue with other leaves."""
    made = dict(leaves)
    for node in postorder([root], set(leaves)):
        if node not in made:
            src = tuple(made[s] for s in node.src)
            made[node] = Expr(node.op, src, node.arg, node.dtype, joint_size(src), 1) if src else node
    return made[root]


def _differ(values: Array) -> bool:
    return bool((values != values[0]).any())


def _floats(values: Array) -> Array:
    """Constants as f32, exactly."""
    if values.dtype.kind not in "fb" and values.size and np.abs(values.astype(np.float64)).max() > _EXACT:
        raise Unsupported("layers of a network hold large whole numbers")
    if values.dtype == np.float64:
        raise Unsupported("layers of a network hold f64")
    return values.astype(np.float32)


def _bits(value: float) -> bytes:
    """What tells floats apart: zeros have signs, and a NaN is itself."""
    return np.float32(value).tobytes()
