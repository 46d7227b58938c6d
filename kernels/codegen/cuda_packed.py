"""What a thread computes with several pixels in one 32-bit word: sums in halves, logic in bytes.

Halves: a sum of pixels times constants is the same sum of words, modulo 2**32: the word H * 65536 + L stands for two
pixels, whatever their signs, and only the last sum must fit its half. Of planes with values below 0 the tiles hold
what is 32768 more; the constant of the sum takes it off. Nothing is rounded, so the bits are those of the pixels one
by one.

Bytes: of values that are 0 or 1 the smaller is `and`, the larger is `or`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from kernels.codegen.cuda_expr import RAISED
from kernels.codegen.cuda_lane import Window
from kernels.fusion.blocks_model import Region
from kernels.fusion.narrow import Range, limits
from kernels.ir.expr import Expr
from kernels.ir.image import BOOL

HALF = 0x80008000
"""32768 in both halves."""

MOST = 64
"""Taps of a sum that is written at once."""

ROWS = 12
"""Rows of tiles that it takes: their words are in registers together."""

_LOGIC = {"and": "&", "min": "&", "or": "|", "max": "|", "xor": "^"}
_WORD = 1 << 32
Leaf = tuple[Region, int, int]
Tap = TypeVar("Tap", bound=Hashable)


@dataclass(slots=True)
class PackedWindow(Window):
    """A run of a tile's row as words; `raise_`: whether every half is to be raised by 32768."""

    lanes: int = 2
    raise_: bool = False


@dataclass(frozen=True, slots=True)
class Packed:
    """Words over the thread's vector: `text` is one of them, with @window:dx@ for the word that begins dx pixels on."""

    name: str
    lanes: int
    text: str
    windows: tuple[PackedWindow, ...]
    raised: bool = False


@dataclass(slots=True)
class _Sum(Generic[Tap]):
    """Taps with their factors, and a constant."""

    taps: dict[Tap, int] = field(default_factory=dict)
    constant: int = 0

    def add(self, other: _Sum[Tap], factor: int = 1) -> None:
        self.constant += factor * other.constant
        for tap, f in other.taps.items():
            self.taps[tap] = self.taps.get(tap, 0) + factor * f


@dataclass(slots=True)
class Packer:
    """Finds what a group of things can compute in words.

    Args:
        leaf: the cell of a tile that a node is, if it is one.
        channel: (image, channel) of the pixel of an image of four bytes that a node is, if it is one.
        pixels: the word of such an image's pixel in lane j.
        held: planes whose tiles hold their values raised.
        ranges: of whole numbers.
        fresh: numbers for names.
        known: nodes that are in registers by now.
        own: planes that the group itself makes: they are in no tile yet.
        atoms: planes that stand somewhere by themselves: what they are made of need not be at hand.
    """

    leaf: Callable[[Expr], Leaf | None]
    channel: Callable[[Expr], tuple[Expr, int] | None]
    pixels: Callable[[Expr], str]
    held: Collection[Expr]
    ranges: Mapping[Expr, Range]
    fresh: Iterator[int]
    known: Collection[Expr]
    own: Collection[Expr] = ()
    atoms: Collection[Expr] = ()
    windows: dict[tuple[str, int, int], PackedWindow] = field(default_factory=dict)
    made: list[Packed] = field(default_factory=list)
    words: dict[Expr, Packed] = field(default_factory=dict)  # of each node that has them
    root: Expr | None = None  # what is being made is no leaf, though it has a tile

    def value(self, node: Expr, kept: bool = False) -> str | None:
        """The C expression of a node's value in lane j, from words; None if it is better computed alone.

        Args:
            node: any.
            kept: whether it goes into a tile as it is, so that its words need not be taken apart.
        """
        if node.op in ("const", "param", "load", "input", "table", "gather", "coord", "state") or node.dtype.is_float:
            return None
        self.root = node if kept else None
        if self.one_bit(node):
            # Four pixels a word.
            text = self._logic(node)
            if text is None:
                return None
            # The lowest bit alone: other bits of the byte are 0 already where a value was a byte.
            name = self._make(node, text, 4)
            return f"(bool)(byte({name}, j) & 1)" if node.dtype == BOOL else f"byte({name}, j)"
        found = self._halves(node, kept)
        if found is None:
            return self._dot(node)
        text, signed = found
        if signed:  # words stay raised
            return f"(half_of<unsigned short>({self._make(node, text, 2, True)}, j){RAISED}"
        return f"half_of<unsigned short>({self._make(node, text, 2)}, j)"

    def stored(self, node: Expr, item: int) -> str | None:
        """The array of words to store for a node in memory that takes `item` bytes a pixel; None if it has none."""
        packed = self.words.get(node)
        # Raised words fit only tiles that hold raised values.
        fits = packed is not None and packed.lanes * item == 4 and (not packed.raised or node in self.held)
        return packed.name if packed is not None and fits else None

    def _here(self, node: Expr) -> bool:
        """Whether a node is to be taken from where it is alone: it was computed, or is in no tile, or not yet.

        What is in a register because it was used alone, but costs nothing in words, may be taken as word too.
        """
        if node not in self.known:
            return node in self.atoms and node is not self.root and self.leaf(node) is None
        # A conversion that keeps the bits is looked through.
        while node.op in ("convert", "wrap") and node not in self.own and self.leaf(node) is None:
            node = node.src[0]
        return node in self.own or (node.op != "const" and self.leaf(node) is None and self.channel(node) is None)

    def _look(self, node: Expr) -> Leaf | None:
        return None if node is self.root else self.leaf(node)

    def _dot(self, node: Expr) -> str | None:
        """A sum of the four bytes of this pixel of an image, times constants: the word as it was loaded."""
        total = self._sum(node, 0, self.channel)
        # All four bytes are of one word: one image.
        if total is None or len(total.taps) < 2 or len({pointer for pointer, _ in total.taps}) > 1:
            return None
        factors = [0, 0, 0, 0]
        for (_, channel), factor in total.taps.items():
            factors[channel] = factor
        # dp4a multiplies bytes without a sign, dp2a halves of 16 bits.
        if min(factors) < 0 or max(factors) > 65535:
            return None
        word = self.pixels(next(iter(total.taps))[0])
        text = f"{total.constant % _WORD}u"
        if max(factors) < 256:
            return f"(int)__dp4a(0x{sum(f << 8 * k for k, f in enumerate(factors)):08x}u, {word}, {text})"
        # Two instructions where factors need 16 bits: the upper and the lower pair of bytes.
        for name, pair in (("hi", factors[2:]), ("lo", factors[:2])):
            if any(pair):
                text = f"__dp2a_{name}(0x{pair[0] | pair[1] << 16:08x}u, {word}, {text})"
        return f"(int){text}"

    def one_bit(self, node: Expr) -> bool:
        """Whether a node is 0 or 1."""
        low, high = self.ranges.get(node, (0, 2))
        return node.dtype.bits <= 32 and low >= 0 and high <= 1

    def _make(self, node: Expr, text: str, lanes: int, raised: bool = False) -> str:
        name = f"q{next(self.fresh)}"
        used = dict.fromkeys(re.findall(r"@(\w+):", text))
        windows = tuple(w for w in self.windows.values() if w.name in used)
        self.made.append(Packed(name, lanes, text, windows, raised))
        self.words[node] = self.made[-1]
        return name

    def _cell(self, leaf: Leaf, lanes: int, raise_: bool = False) -> str:
        region, dy, dx = leaf
        key = region.name, dy, lanes
        # A window a tile's row and width of lanes; it grows to both sides with what is looked at.
        if key not in self.windows:
            mark = "" if not dy else f"_d{dy}" if dy > 0 else f"_u{-dy}"
            name = f"{region.name}{mark}_w{next(self.fresh)}"
            self.windows[key] = PackedWindow(name, region, dy, dx, dx, lanes, raise_)
        window = self.windows[key]
        window.first, window.last = min(window.first, dx), max(window.last, dx)
        return f"@{window.name}:{dx}@"

    # bytes

    def _logic(self, node: Expr) -> str | None:
        """Ands and ors of looks at tiles of bytes that are 0 or 1."""
        looks: dict[Leaf, None] = {}
        if not self._bytes(node, looks, 0) or len(looks) < 2:
            return None
        return self._spelled(node)

    def _bytes(self, node: Expr, looks: dict[Leaf, None], depth: int) -> bool:
        if depth > MOST or not self.one_bit(node) or self._here(node):
            return False
        leaf = self._look(node)
        if leaf is not None:
            looks[leaf] = None
            return leaf[0].plane.dtype.itemsize == 1
        if node.op in _LOGIC or (node.op in ("convert", "wrap") and self.one_bit(node.src[0])):
            return all(self._bytes(s, looks, depth + 1) for s in node.src)
        return False

    def _spelled(self, node: Expr) -> str:
        leaf = self._look(node)
        if leaf is not None:
            return self._cell(leaf, 4)
        if node.op not in _LOGIC:
            return self._spelled(node.src[0])
        left, right = (self._spelled(s) for s in node.src)
        return f"({left} {_LOGIC[node.op]} {right})"

    # halves

    def _halves(self, node: Expr, kept: bool) -> tuple[str, bool] | None:
        """(a word, whether its halves are raised)."""
        # The result must fit its half, with a sign or without; what is in between may wrap.
        low, high = self.ranges.get(node, limits(node.dtype))
        if low < -32768 or high > (65535 if low >= 0 else 32767) or node.dtype.bits > 32:
            return None
        if self._here(node) or self._look(node) is not None:  # a word of one cell would only be taken apart again
            return None
        if node.op in ("convert", "wrap") and self._same(node):
            return self._halves(node.src[0], kept)
        # Halves are shifted together and bits that came from the other half are cleared.
        if node.op == "shr" and node.src[1].op == "const" and 0 < int(node.src[1].arg) < 16:
            return self._shifted(node.src[0], int(node.src[1].arg), kept)
        total = self._sum(node, 0, self._cells)
        if total is None or len(total.taps) < 2 or not all(0 < abs(f) < 32768 for f in total.taps.values()):
            return None
        # Too many words in registers would spill.
        if len({(region.name, dy) for region, dy, _ in total.taps}) > ROWS:
            return None
        # What tiles hold unraised is raised when it is loaded.
        raise_ = any(self._signed(leaf) and leaf[0].plane not in self.held for leaf in total.taps)
        if raise_ and not kept and len(total.taps) < 4:
            return None  # raising and taking apart would cost more
        return self._spell(total, low < 0), low < 0

    def _shifted(self, source: Expr, by: int, kept: bool) -> tuple[str, bool] | None:
        found = self._halves(source, kept)
        # A shift of a raised half would bring down a bit of the bias.
        if found is None or found[1]:
            return None
        mask = (0xFFFF >> by) * 0x10001
        return f"(({found[0]}) >> {by} & 0x{mask:08x}u)", False

    def _signed(self, leaf: Leaf) -> bool:
        low, _ = self.ranges.get(leaf[0].plane, limits(leaf[0].plane.dtype))
        if leaf[0].border is not None and leaf[0].border.mode == "constant":
            low = limits(leaf[0].plane.dtype)[0]  # what lies outside may be less
        return low < 0

    def _same(self, node: Expr) -> bool:
        """Whether a conversion leaves every value as it is."""
        source = node.src[0]
        if source.dtype.is_float or source.dtype.bits > 32 or node.dtype == BOOL:
            return False
        low, high = self.ranges.get(source, limits(source.dtype))
        least, most = limits(node.dtype)
        return least <= low and high <= most

    def _cells(self, node: Expr) -> Leaf | None:
        leaf = self._look(node)
        return leaf if leaf is not None and leaf[0].plane.dtype.name in ("i16", "u16") else None

    def _sum(self, node: Expr, depth: int, look: Callable[[Expr], Tap | None]) -> _Sum[Tap] | None:
        """A node as taps times constants, modulo 2**32; `look` knows a tap."""
        if depth > MOST or node.dtype.is_float or node.dtype.bits > 32 or self._here(node):
            return None
        if node.op == "const":
            return _Sum({}, int(node.arg))
        tap = look(node)
        if tap is not None:
            return _Sum({tap: 1})
        if self._look(node) is not None:
            return None
        if node.op in ("convert", "wrap"):
            return self._sum(node.src[0], depth + 1, look) if self._same(node) else None
        if node.op == "neg":
            return self._joined(node, (-1,), depth, look)
        if node.op in ("add", "sub"):
            return self._joined(node, (1, 1 if node.op == "add" else -1), depth, look)
        if node.op == "mul":
            left, right = (self._sum(s, depth + 1, look) for s in node.src)
            # A product of two sums with taps is not linear.
            if left is None or right is None or (left.taps and right.taps):
                return None
            made: _Sum[Tap] = _Sum()
            made.add(*((left, right.constant) if left.taps else (right, left.constant)))
            return made
        return None

    def _joined(
        self, node: Expr, factors: Sequence[int], depth: int, look: Callable[[Expr], Tap | None]
    ) -> _Sum[Tap] | None:
        made: _Sum[Tap] = _Sum()
        for source, factor in zip(node.src, factors, strict=True):
            part = self._sum(source, depth + 1, look)
            if part is None or len(made.taps) + len(part.taps) > MOST:
                return None
            made.add(part, factor)
        return made

    def _spell(self, total: _Sum[Leaf], raised: bool) -> str:
        # The same constant in both halves.
        constant = total.constant * 0x10001
        groups: dict[int, list[str]] = {}
        for leaf, factor in total.taps.items():
            signed = self._signed(leaf)
            # A raised tap adds factor * 32768 to each half.
            constant -= factor * HALF * signed
            raise_ = signed and leaf[0].plane not in self.held
            groups.setdefault(factor, []).append(self._cell(leaf, 2, raise_))
        # The result is raised itself where it can be below 0.
        constant = (constant + HALF * raised) % _WORD
        text = f"0x{constant:08x}u" if constant else ""
        # Cells of one factor are added first: one multiplication for them all. Positive ones come first, so that no
        # negation begins.
        for factor in sorted(groups, key=lambda f: -f):
            cells, by = groups[factor], abs(factor)
            scaled = " + ".join(cells)
            if len(cells) > 1 and factor != 1:
                scaled = f"({scaled})"
            if by > 1:
                scaled = f"{scaled} * {by}u"
            sign = "+" if factor > 0 else "-"
            text = f"{text} {sign} {scaled}" if text else scaled if factor > 0 else f"0u - {scaled}"
        return text


def spelled(packed: Packed, vector: int) -> str:
    """The text of word i, when every window's first pixel is known."""
    text = packed.text
    lanes = packed.lanes
    for window in packed.windows:
        # The window was loaded from a whole vector on.
        start = window.first // vector * vector
        for dx in range(window.first, window.last + 1):
            word, rest = divmod(dx - start, lanes)
            cell = f"{window.name}[{_plus(word)}]"
            # A word that straddles two: __byte_perm picks four bytes from both, from byte `rest` on.
            if rest:
                picks = 0x76543210 >> 4 * rest * (4 // lanes) & 0xFFFF
                cell = f"__byte_perm({cell}, {window.name}[{_plus(word + 1)}], 0x{picks:04x})"
            text = text.replace(f"@{window.name}:{dx}@", cell)
    return text


def _plus(by: int) -> str:
    return f"i + {by}" if by else "i"
