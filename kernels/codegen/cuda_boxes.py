"""Boxes of pixels under a block's threads: loops over vectors of neighbouring pixels, and their loads and stores."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from kernels.codegen.cuda_expr import memory_type
from kernels.codegen.cuda_lane import Window
from kernels.codegen.cuda_packed import PackedWindow
from kernels.codegen.cuda_writer import Writer, signed, up
from kernels.fusion.blocks_model import BlockPass, BlockProgram, Loop, Region, steps
from kernels.fusion.blocks_plan import Extent
from kernels.ir.image import DType

UNROLLED = 2
"""Times that a loop is written out: then every cell is at a constant distance from one."""


class Boxes(Writer):
    """The boxes of one pass: a block's own pixels, with halos. Threads take vectors row by row."""

    def __init__(self, program: BlockProgram, number: int) -> None:
        super().__init__()
        self.program = program
        self.plan: BlockPass = program.passes[number]
        self.vector = program.vector  # pixels of the vectors of the loop that is being printed
        self.height, self.width = self.plan.size
        self.halo = self.plan.halo
        self.starts: dict[tuple[int, int], None] = {}  # (vectors across, rows a step) of the boxes of loops
        self.corner = 0, 0  # the first pixel of the loop's box, from (x0, y0)
        self.opening: list[str] = []  # what is before the test whether a vector is to be made,
        self.closing: list[str] = []  # and behind it, for all threads together

    def _across(self, extent: Extent) -> int:
        v = self.vector
        return (up(extent.left, v) + self.program.tile[0] + up(extent.right, v)) // v

    def _down(self, extent: Extent) -> int:
        return extent.up + self.program.tile[1] + extent.down

    def _steps(self, extent: Extent) -> tuple[int, int]:
        return steps(self._across(extent), self._down(extent), self.program.threads)

    @contextmanager
    def _vectors(self, loop: Loop, unrolled: bool = False) -> Iterator[None]:
        """A loop over the thread's vectors of a box with halo; x, y: first pixel; at: its cell in a tile."""
        self.vector, extent = loop.vector, loop.extent
        v, threads = self.vector, self.program.threads
        across, down, (turns, rows) = self._across(extent), self._down(extent), self._steps(extent)
        left, top = self.halo.left - up(extent.left, v), self.halo.up - extent.up
        self.corner = left, top
        # A scope: names of columns and rows are used by each loop.
        with self.block(""):
            self.starts[across, rows] = None
            suffix = f"{across}x{rows}" if rows else str(across)
            # Whole rows a step: a thread keeps its column and goes down.
            if rows:
                self.line(f"const int column = column{suffix};")
                self.line(f"int row = row{suffix};")
            else:
                self.line(f"int row = row{suffix}, column = column{suffix};")
            if unrolled or turns > 1:
                self.line("#pragma unroll" if unrolled or (rows and turns <= UNROLLED) else "#pragma unroll 1")
            with self.block(f"for (int k = 0; k < {turns}; ++k)" if turns > 1 or unrolled else ""):
                self.line(f"const int x = x0{signed(left)} + {v} * column, y = y0{signed(top)} + row;")
                # Only the tests that can fail for this box.
                tests = [f"row < {down}"] if across * down % threads or rows else []
                bx, by = self.program.tile
                if extent.left or extent.right or self.width % bx:
                    tests.append(f"(unsigned)x < {self.width}u")
                if extent.up or extent.down or self.height % by:
                    tests.append(f"(unsigned)y < {self.height}u")
                # What the body asks to have before and behind the test is known after it is printed.
                place, depth = len(self.lines), self.depth
                with self.block(f"if ({' && '.join(tests)})" if tests else ""):
                    yield
                self.lines[place:place] = ["    " * depth + text for text in self.opening]
                for text in self.closing:
                    self.line(text)
                self.opening, self.closing = [], []
                if turns > 1:
                    # Without divisions: the next vector is `threads` further on in raster order.
                    self.line(f"row += {rows or threads // across};")
                    if threads % across and not rows:
                        self.line(f"column += {threads % across};")
                        self.line(f"if (column >= {across}) {{ column -= {across}; ++row; }}")
        self.vector = self.program.vector

    def _inside(self, outer: Extent, inner: Extent) -> str:
        """The test that a vector of the box with halo `outer` is in that with halo `inner`; empty if all are."""
        v, tests = self.vector, []
        first = (up(outer.left, v) - up(inner.left, v)) // v
        if first:
            tests.append(f"column >= {first}")
        if up(outer.right, v) != up(inner.right, v):
            tests.append(f"column < {first + self._across(inner)}")
        above = outer.up - inner.up
        if above:
            tests.append(f"row >= {above}")
        if outer.down != inner.down:
            tests.append(f"row < {above + self._down(inner)}")
        return " && ".join(tests)

    def _load_window(self, window: Window) -> None:
        v, region = self.vector, window.region
        # Whole vectors, so that loads are aligned.
        start = window.first // v * v
        length = -(-(window.last + v - start) // v) * v
        item = region.plane.dtype.itemsize
        # 16 bytes an access at most.
        access = min(16, v * item)
        self.line(f"{memory_type(region.plane.dtype)} {window.name}[{length}];")
        for i in range(0, length, access // item):
            place = self._cell(region, region.name, window.dy * region.pitch + start + i)
            self.line(f"load<{access}>({window.name}{signed(i)}, {place});")

    def _load_words(self, window: PackedWindow) -> None:
        """The same, several pixels a word."""
        v, region = self.vector, window.region
        start = window.first // v * v
        words = (window.last + v - 1 - start) // window.lanes + 1
        words = up(words, v // window.lanes)
        access = min(16, 4 * v // window.lanes)
        self.line(f"unsigned {window.name}[{words}];")
        for i in range(0, words, access // 4):
            place = self._cell(region, region.name, window.dy * region.pitch + start + i * window.lanes)
            self.line(f"load<{access}>({window.name}{signed(i)}, (const unsigned *)({place}));")
        if window.raise_:
            self.line(f"raise<{words}>({window.name});")

    def _shift(self, region: Region, left: int = 0, top: int = 0) -> int:
        """From the start of a tile, a vector before its first cell, to the cell of pixel (x0 + left, y0 + top)."""
        before, above = self.halo.left - up(region.extent.left, region.vector), self.halo.up - region.extent.up
        return region.vector + (top - above) * region.pitch + left - before

    def _cell(self, region: Region, name: str, further: int = 0) -> str:
        """The cell of the loop's vector, or one some cells on; the stage declares what is named here."""
        return f"{name} + at{region.pitch}{signed(self._shift(region, *self.corner) + further)}"

    def _store_tile(self, region: Region, array: str, dtype: DType) -> None:
        access = min(16, self.vector * dtype.itemsize)
        for i in range(0, self.vector, access // dtype.itemsize):
            cell = self._cell(region, region.source or region.name, i)
            self.line(self._store(access, cell, array, i, dtype))

    def _store(self, access: int, place: str, array: str, first: int, dtype: DType) -> str:
        """A store of `access` bytes from value `first` of an array on; those whose names begin with q hold words."""
        # Plain arrays hold a value a pixel.
        if not array.startswith("q"):
            return f"store<{access}>({place}, {array}{signed(first)});"
        lanes = 4 // dtype.itemsize
        if access >= 4:
            return f"store<{access}>((unsigned *)({place}), {array}{signed(first // lanes)});"
        taken = f"({memory_type(dtype)})({array}[{first // lanes}] >> {first % lanes * 8 * dtype.itemsize})"
        if access == dtype.itemsize:
            return f"*({place}) = {taken};"
        return f"*(unsigned short *)({place}) = (unsigned short)({array}[{first // lanes}] >> {first % lanes * 8});"

    def _pieces(self, dtype: DType, channels: int) -> tuple[int, int]:
        """(pixels that lie inside the image together, bytes of one access)."""
        # Rows need not begin at multiples of a vector: pieces as long as the divisor of both begin at multiples of
        # themselves.
        whole = math.gcd(self.width, self.vector)
        size = whole * channels * dtype.itemsize
        return whole, min(16, size & -size)

    def _place(self, pixel: str, channels: int) -> str:
        big = self.height * self.width * channels >= 2**31
        place = f"{'(size_t)' if big else ''}y * {self.width} + {pixel}"
        return place if channels == 1 else f"({place}) * {channels}"

    def _load_row(self, array: str, dtype: DType, channels: int, pointer: str) -> None:
        """The thread's vector of an image in memory; pixels beyond the image are copies of others."""
        whole, access = self._pieces(dtype, channels)
        step = access // dtype.itemsize
        for first in range(0, self.vector, whole):
            pixel = "x" if not first else f"x + {first}"
            if whole < self.vector:
                # Within the row: no load beyond the image.
                pixel = f"smaller({pixel}, {self.width - whole})"
            for i in range(0, whole * channels, step):
                to = first * channels + i
                place = f"{pointer} + {self._place(pixel, channels)}{signed(i)}"
                self.line(f"load<{access}>({array}{signed(to)}, {place});")

    def _store_row(self, pointer: str, array: str, dtype: DType, channels: int) -> None:
        whole, access = self._pieces(dtype, channels)
        step = access // dtype.itemsize
        for first in range(0, self.vector, whole):
            # The first piece is inside whenever the vector is.
            guard = f"if (x + {first} < {self.width}) " if first and whole < self.vector else ""
            listed = []
            for i in range(0, whole * channels, step):
                pixel = f"x + {first}" if first else "x"
                place = f"{pointer} + {self._place(pixel, channels)}{signed(i)}"
                listed.append(self._store(access, place, array, first * channels + i, dtype))
            if guard and len(listed) > 1:
                with self.block(guard.strip()):
                    for s in listed:
                        self.line(s)
            else:
                for s in listed:
                    self.line(guard + s)
