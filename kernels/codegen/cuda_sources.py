"""What the lanes of a pass ask for: images, tiles, parameters, lookups; and the kernel's arguments that follow."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count

from kernels.codegen.cuda_boxes import Boxes
from kernels.codegen.cuda_expr import memory_type
from kernels.codegen.cuda_lane import Lane
from kernels.codegen.cuda_launch import Argument, is_level
from kernels.codegen.cuda_writer import word
from kernels.fusion.blocks_model import BlockProgram, Region
from kernels.fusion.blocks_plan import is_image
from kernels.fusion.narrow import limits, ranges
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, I16, DType, ImageType


class Sources(Boxes):
    """`kernels.codegen.cuda_lane.Context` for one pass. `lookups` collects the constant arrays of the whole text,
    `levels` what the host computes for it."""

    def __init__(self, program: BlockProgram, number: int, lookups: dict[Expr, str], levels: dict[Expr, int]) -> None:
        super().__init__(program, number)
        self.lookups, self.levels = lookups, levels
        self.arguments: dict[str, Argument] = {}
        self.pointers: dict[str, str] = {}  # of a frame: name -> declaration
        self.fresh = count()
        self.words: dict[str, str] = {}  # of our own names: word -> name
        self.here: dict[Expr, str] = {}  # planes that another group of the loop left in registers
        self.atoms = set(self.plan.made) | set(program.frames)
        roots = [root for thing in self.plan.things for root in thing.roots]
        order = list(postorder([*roots, *(plane.src[1] for plane in self.plan.made if plane.op == "recur")]))
        self.ranges = ranges(order)
        self.uniforms = uniforms(order)
        self.raised: Collection[Expr] = {r.plane for r in self.plan.regions if self._both_signs(r)}
        self.head = Lane(self, self.ranges, {}, set(), self.fresh)  # what is computed once, before the march

    def _both_signs(self, region: Region) -> bool:
        """Whether a tile has values below 0 in halves of words: it holds them raised by 32768."""
        plane = region.plane
        made = self.plan.made[plane].kind == "plane" and plane not in self.program.frames
        return made and plane.dtype == I16 and self.ranges.get(plane, limits(I16))[0] < 0

    def argument(self, name: str, kind: str, dtype: DType, key: int | str = 0, shape: tuple[int, ...] = (),
                 depth: int = 0, initial: tuple[int, ...] = ()) -> str:  # fmt: skip
        """Declare an argument, once; returns its name."""
        if name not in self.arguments:
            self.arguments[name] = Argument(name, kind, dtype, key, shape, depth, initial)
        return name

    def image(self, plane: Expr) -> tuple[str, int, int]:
        """(pointer to this frame of an image in memory, its channels, the channel)."""
        if not is_image(plane):
            number, shape = self._frame(plane), self.program.frames[plane]
            size = shape[0] * shape[1]
            given = self.argument(f"frames{number}", "frame", plane.dtype, number, shape)
            self._pointer(f"frame{number}", plane.dtype, f"{given} + (size_t)t * {size}", True)
            return f"frame{number}", 1, 0
        source = plane if plane.op == "input" else plane.src[0]
        index = source.arg.index
        type_ = self.program.body.inputs[index]
        assert isinstance(type_, ImageType)
        size = type_.height * type_.width * type_.channels
        given = self.argument(f"input{index}", "input", type_.dtype, index, type_.shape)
        name = f"in{index}"
        if plane is source:
            self._pointer(name, type_.dtype, f"{given} + (size_t)t * {size}", True)
            return name, type_.channels, source.arg.channel
        back, depth = -plane.arg.dt, self.program.back[index]
        past = self.argument(f"past{index}", "past", type_.dtype, index, type_.shape, depth)
        name += f"_ago{back}"
        # Before the stream's first frame stands the first: t - back is held at -age.
        frame = f"larger(t - {back}, -age)"
        now, before = f"{given} + (size_t){frame} * {size}", f"{past} + (size_t)({depth} + {frame}) * {size}"
        self._pointer(name, type_.dtype, f"{frame} >= 0 ? {now} : {before}", True)
        return name, type_.channels, source.arg.channel

    def word(self, prefix: str, name: str) -> str:
        """`kernels.codegen.cuda_writer.word`, numbered where names that differ would be one word."""
        first = made = word(prefix, name)
        number = 1
        while self.words.setdefault(made, name) != name:
            number += 1
            made = f"{first}__{number}"
        return made

    def _pointer(self, name: str, dtype: DType, place: str, read: bool) -> None:
        """Declare a pointer to this frame of an array."""
        const = "const " if read else ""
        self.pointers[name] = f"{const}{memory_type(dtype)} *const {name} = {place};"

    def _frame(self, plane: Expr) -> int:
        return list(self.program.frames).index(plane)

    def region(self, plane: Expr, node: Expr) -> Region | None:
        """The tile in which a load of `plane` looks; None if it reads memory."""
        return self.plan.region(plane, node.arg.border) if plane in self.plan.made else None

    def at(self, plane: Expr) -> str | Region | None:
        """Another group's register array, or a tile, with this pixel of `plane`; None if it is in memory."""
        if plane in self.here:
            return self.here[plane]
        return self.plan.region(plane) if plane in self.plan.made else None

    def param(self, name: str, dtype: DType) -> str:
        """The argument of a live parameter."""
        argument = self.argument(self.word("a", name), "param", dtype, name)
        return f"({argument} != 0)" if dtype == BOOL else argument

    def table(self, node: Expr) -> str:
        """The array of a lookup's entries."""
        key = Expr("table", (), node.arg, node.dtype, None)
        return self.lookups.setdefault(key, f"lookup{len(self.lookups)}")

    def uniform(self, node: Expr) -> str | None:
        """The variable that holds what is the same for every pixel and frame; None if it is to be computed here."""
        if node not in self.uniforms or node.op in ("const", "param"):
            return None
        # What costs the device a division or a root is computed by the host, once for all threads.
        if node not in self.head.known and is_level(node):
            level = self.levels.setdefault(node, len(self.levels))
            given = self.argument(f"level{level}", "level", node.dtype, level)
            self.head.known[node] = given
        if node not in self.head.known:
            # Each part gets a name: other uniforms may share it.
            for n in postorder((node,)):
                if n.op in ("const", "param"):
                    self.head.value(n)
                elif n not in self.head.known:
                    self.head.known[n] = self.head.name(self.head.own(n), n.dtype)
        return self.head.known[node]


def uniforms(order: Sequence[Expr]) -> set[Expr]:
    """The nodes that depend on constants and live parameters alone."""
    found: set[Expr] = set()
    for node in order:
        if node.op in ("const", "param") or (node.src and node.op != "recur" and all(s in found for s in node.src)):
            found.add(node)
    return found
