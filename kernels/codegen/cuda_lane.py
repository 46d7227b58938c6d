"""What one lane (a pixel of a thread's vector) computes, as C statements; and the loads that all lanes share."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from kernels.codegen.cuda_expr import RAISED, from_memory, looked_up, number, operation, register_type
from kernels.fusion.blocks_model import Region
from kernels.fusion.blocks_plan import is_far, is_image, offset
from kernels.fusion.narrow import Range, limits
from kernels.fusion.normal import is_strided
from kernels.ir.expr import Expr
from kernels.ir.image import U8, DType, dtype_of
from kernels.ir.ops import convert
from kernels.ir.planes import Border

LONGEST = 72
"""Characters of an expression that is written where it is used."""


@dataclass(eq=False, slots=True)
class Window:
    """A run of a tile's row in registers, around the thread's vector.

    `first` and `last` are the offsets of the pixels that any lane needs, relative to the vector's first pixel.
    """

    name: str
    region: Region
    dy: int
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class ImageRow:
    """A vector of an image in memory: all channels of its pixels. `plane` says which image, and when."""

    name: str
    plane: Expr
    dtype: DType
    channels: int
    pointer: str


class Packs(Protocol):
    """What computes several pixels in a word."""

    def value(self, node: Expr, kept: bool = False) -> str | None:
        """The C expression of a node's value in lane j; None if it is better computed alone."""


class Context(Protocol):
    """What a lane asks of the kernel around it."""

    vector: int
    raised: Collection[Expr]  # planes whose tiles hold what is 32768 more

    def image(self, plane: Expr) -> tuple[str, int, int]:
        """(pointer to this frame of an image in memory, its channels, the channel)."""

    def region(self, plane: Expr, node: Expr) -> Region | None:
        """The tile in which a load of `plane` looks; None if it reads memory."""

    def at(self, plane: Expr) -> str | Region | None:
        """Another group's register array, or a tile, with this pixel of `plane`; None if it is in memory."""

    def param(self, name: str, dtype: DType) -> str:
        """The argument of a live parameter."""

    def table(self, node: Expr) -> str:
        """The array of a lookup's entries."""

    def uniform(self, node: Expr) -> str | None:
        """The variable that holds what is the same for every pixel and frame; None if it is to be computed here."""


@dataclass(slots=True)
class Lane:
    """Statements of one lane."""

    context: Context
    ranges: Mapping[Expr, Range]
    counts: Mapping[Expr, int]
    atoms: Collection[Expr]
    fresh: Iterator[int]
    windows: dict[tuple[str, int], Window] = field(default_factory=dict)
    rows: dict[str, ImageRow] = field(default_factory=dict)
    loaded: Mapping[str, ImageRow] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    known: dict[Expr, str] = field(default_factory=dict)
    indent: int = 0
    packer: Packs | None = None
    images: dict[tuple[int, int], Expr] = field(default_factory=dict)

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def within(self, head: str) -> Iterator[None]:
        """A block `head { ... }`; what is computed inside is not seen outside."""
        self.line(f"{head} {{")
        before = dict(self.known)
        self.indent += 1
        yield
        self.indent -= 1
        self.known.clear()
        self.known.update(before)
        self.line("}")

    def name(self, text: str, dtype: DType) -> str:
        """A variable that holds `text`."""
        made = f"v{next(self.fresh)}"
        self.line(f"const {register_type(dtype)} {made} = {text};")
        return made

    def value(self, root: Expr) -> str:
        """The C expression of a node's value; what it needs is computed before."""
        stack = [root]
        # By a stack and not by recursion: expressions may be thousands of nodes deep.
        while stack:
            node = stack[-1]
            if node in self.known:
                stack.pop()
                continue
            # Hoisted before the march.
            uniform = self.context.uniform(node)
            if uniform is not None:
                self.known[node] = uniform
                continue
            # Words first: what they hold is not to be computed pixel by pixel as well.
            packed = self.packer.value(node) if self.packer is not None and node not in self.atoms else None
            if packed is not None:
                self.known[node] = self.name(packed, node.dtype) if self.counts.get(node, 0) > 1 else packed
                stack.pop()
                continue
            missing = [s for s in self._operands(node) if s not in self.known]
            if missing:
                stack += missing
                continue
            stack.pop()
            self._compute(node)
        return self.known[root]

    def own(self, node: Expr) -> str:
        """The C expression that makes an atom."""
        packed = self.packer.value(node, True) if self.packer is not None else None
        if packed is not None:
            return packed
        for operand in self._operands(node, True):
            self.value(operand)
        return self._text(node, True)

    def _operands(self, node: Expr, own: bool = False) -> tuple[Expr, ...]:
        if (node in self.atoms and not own) or node.op in ("load", "input", "state", "recur"):
            return ()
        return node.src[1:] if node.op == "gather" else node.src

    def _compute(self, node: Expr) -> None:
        text = self._text(node)
        # What costs nothing is repeated; what is used again, or long, gets a name.
        simple = node.op in ("const", "param", "coord", "wrap") or node in self.atoms
        again = self.counts.get(node, 0) > 1
        if not simple and (again or len(text) > LONGEST):
            text = self.name(text, node.dtype)
        self.known[node] = text

    def _text(self, node: Expr, own: bool = False) -> str:
        if (node in self.atoms and not own) or is_image(node):
            return self.atom(node)
        src = [self.known[s] for s in self._operands(node, own)]
        match node.op:
            case "const":
                return number(node.arg, node.dtype)
            case "param":
                return self.context.param(node.arg, node.dtype)
            case "coord":
                return "px" if node.arg == "x" else "y"
            case "load":
                return self._load(node)
            case "gather":
                return self._direct(node, src[0], src[1], [self.ranges.get(s) for s in node.src[1:]])
            case "table":
                last = len(node.arg) - 1
                # Held within the table unless its range tells that it is.
                index = src[0]
                low, high = self.ranges.get(node.src[0], (-1, last + 1))
                if low < 0 or high > last:
                    index = f"(int)smaller(larger({index}, ({register_type(node.src[0].dtype)})0), " \
                            f"({register_type(node.src[0].dtype)}){last})"  # fmt: skip
                return looked_up(self.context.table(node), index, node)
        # What `narrow` has put into 16 bits fits there, and an i32 that keeps within a range does not wrap.
        known = self.ranges.get(node)
        fits = node.dtype.bits < 32 or (known is not None and known != limits(node.dtype))
        return operation(node, src, fits)

    def atom(self, node: Expr) -> str:
        """This pixel of an image, of a tile, or of what another group left in registers."""
        place = None if is_image(node) and node not in self.atoms else self.context.at(node)
        if isinstance(place, Region):
            return self._window(place, node.dtype, 0, 0)
        return place if place is not None else self.pixel(node)

    def pixel(self, node: Expr) -> str:
        """This pixel of an image in memory."""
        pointer, channels, channel = self.context.image(node)
        row = self.rows.get(pointer) or self.loaded.get(pointer)
        # A whole vector of all channels is loaded once, whichever of them is asked for.
        if row is None:
            row = ImageRow(f"{pointer}_v", node, node.dtype, channels, pointer)
            self.rows[pointer] = row
        index = "j" if channels == 1 else f"{channels} * j + {channel}" if channel else f"{channels} * j"
        return from_memory(f"{row.name}[{index}]", node.dtype)

    def _window(self, region: Region, dtype: DType, dy: int, dx: int) -> str:
        key = region.name, dy
        if key not in self.windows:
            mark = "" if not dy else f"_d{dy}" if dy > 0 else f"_u{-dy}"
            self.windows[key] = Window(f"{region.name}{mark}_v{next(self.fresh)}", region, dy, dx, dx)
        window = self.windows[key]
        # The window is loaded last, when its ends are known: until then the offset is written as a mark.
        window.first, window.last = min(window.first, dx), max(window.last, dx)
        cell = f"{window.name}[@{window.name}:{dx}@]"
        if region.plane in self.context.raised:
            return f"((int)(unsigned short){cell}{RAISED}"
        return from_memory(cell, dtype)

    def leaf(self, node: Expr) -> tuple[Region, int, int] | None:
        """The cell of a tile that a node is: (tile, dy, dx); None if it is none."""
        if node in self.atoms:  # a plane by itself: what was looked at, or what a plane was
            place = self.context.at(node)
            return (place, 0, 0) if isinstance(place, Region) else None
        return self._seen(node) if node.op == "load" and not is_image(node) else None

    def _seen(self, node: Expr) -> tuple[Region, int, int] | None:
        """The cell of a tile at which a load looks; None if it reads memory."""
        tap, plane = node.arg, node.src[0]
        region = self.context.region(plane, node) if not is_strided(node) and not is_far(node) else None
        if region is None:
            return None
        assert plane.size is not None
        mode = tap.border.mode
        return region, offset(tap.dy, plane.size[0], mode), offset(tap.dx, plane.size[1], mode)

    def channel(self, node: Expr) -> tuple[Expr, int] | None:
        """(a plane of the image, the channel) of this pixel of an image of four bytes; None if a node is none."""
        if not is_image(node) or node in self.atoms or node.dtype != U8 or self.context.image(node)[1] != 4:
            return None
        back = node.op == "load"
        key = (node.src[0] if back else node).arg.index, node.arg.dt if back else 0
        return self.images.setdefault(key, node), self.context.image(node)[2]

    def pixels(self, node: Expr) -> str:
        """The four bytes of this pixel of the image of such a node."""
        self.pixel(node)
        return f"{self.context.image(node)[0]}_vw[j]"

    def _load(self, node: Expr) -> str:
        tap = node.arg
        found = self._seen(node)
        if found is not None:
            return self._window(found[0], node.dtype, found[1], found[2])
        # A strided look reads memory at its own place.
        y, x = _step("y", tap.stride_y, tap.dy), _step("px", tap.stride_x, tap.dx)
        assert node.size is not None
        spans = [(d, (n - 1) * s + d) for d, n, s in zip((tap.dy, tap.dx), node.size, (tap.stride_y, tap.stride_x),
                                                        strict=True)]  # fmt: skip
        return self._direct(node, y, x, spans)

    def _direct(self, node: Expr, y: str, x: str, spans: list[Range | None] | list[Range]) -> str:
        """Any pixel of an image in memory."""
        plane = node.src[0]
        pointer, channels, channel = self.context.image(plane)
        assert plane.size is not None
        height, width = plane.size
        mode, outside = node.arg.border.mode, []
        places = []
        for text, span, length in zip((y, x), spans, plane.size, strict=True):
            # Places that cannot leave the image need neither test nor folding.
            inside = span is not None and span[0] >= 0 and span[1] < length
            if mode == "constant" and not inside:
                name = self.name(text, _I32)
                outside.append(f"(unsigned){name} < {length}u")
                places.append(name)
            else:
                places.append(text if inside else f"fold_{mode}({text}, {length})")
        # Beyond 2^31 elements an index of 32 bits would wrap.
        big = height * width * channels >= 2**31
        index = f"{places[0]} * {width} + {places[1]}" if not big else f"(size_t){places[0]} * {width} + {places[1]}"
        index = index if channels == 1 else f"({index}) * {channels} + {channel}"
        value = from_memory(f"{pointer}[{index}]", node.dtype)
        if outside:
            constant = border_value(node.arg.border, node.dtype)
            value = f"({' && '.join(outside)} ? {value} : {constant})"
        return self.name(value, node.dtype)

    def finished(self) -> list[str]:
        """The statements, with every window's first pixel known."""
        text = "\n".join(self.lines)
        for window in self.windows.values():
            # As `_load_window` loads: from a whole vector on.
            start = window.first // self.context.vector * self.context.vector
            for dx in range(window.first, window.last + 1):
                text = text.replace(f"@{window.name}:{dx}@", _shifted("j", dx - start))
        return text.split("\n") if text else []


_I32 = dtype_of(np.int32)


def border_value(border: Border, dtype: DType) -> str:
    """The constant beyond a border, in the register type of a plane of type `dtype`."""
    return number(convert(np.array([border.value]), dtype)[0].item(), dtype)


def _step(axis: str, stride: int, d: int) -> str:
    text = axis if stride == 1 else f"{stride} * {axis}"
    return f"({text} {'+' if d >= 0 else '-'} {abs(d)})" if d else text


def _shifted(index: str, by: int) -> str:
    return index if not by else f"{index} + {by}" if by > 0 else f"{index} - {-by}"
