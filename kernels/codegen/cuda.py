"""A body as CUDA C: the text of its kernels, and how they are launched. Text only: no device, no compiler.

The same body, tile and vector give the same text, in every process. Under `kernels.codegen.cuda_launch.OPTIONS` the
kernels give the bits of `kernels.executors.reference`, subnormal numbers included.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from kernels.codegen.cuda_decoders import DecoderProgram, print_decoder
from kernels.codegen.cuda_expr import entry, entry_type, memory_type
from kernels.codegen.cuda_lane import Lane
from kernels.codegen.cuda_launch import Argument, CudaKernel, CudaProgram
from kernels.codegen.cuda_modules import print_modules
from kernels.codegen.cuda_pass import PassPrinter
from kernels.codegen.cuda_prelude import PRELUDE, TABLE_PRELUDE, TENSOR_PRELUDE, WORD_PRELUDE
from kernels.codegen.cuda_tables import list_kernel
from kernels.fusion.blocks import SHARED, lower_blocks
from kernels.fusion.blocks_model import BlockProgram, Tile
from kernels.fusion.modules import ModuleProgram, lower_modules
from kernels.fusion.narrow import ranges
from kernels.fusion.normal import Unsupported, normalise
from kernels.fusion.tables_behind import halves
from kernels.ir.body import Body
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, I32, DType, ImageType
from kernels.ir.volumes import has_volumes


def cuda(
    body: Body, name: str = "fused", tile: Tile | None = None, vector: int | None = None,
    threads: int | None = None, shared: int = SHARED, resident: int | None = None,
) -> CudaProgram:
    """The CUDA program of a body (see `kernels.fusion.blocks.lower_blocks` for the arguments).

    Args:
        name: what its kernels' names begin with.
        resident: blocks that shall fit a multiprocessor by their registers; more mean fewer registers, perhaps spills.
            None: those of 512 threads.

    Raises:
        Unsupported: it has a construct that blocks cannot hold, or no tile fits; says which.
    """
    if body.host is not None:
        if tile is not None or vector is not None or threads is not None:
            raise Unsupported("a block of a decoder takes a frame")
        made = print_decoder(body, name)
        return CudaProgram(f"{PRELUDE}{made.text}\n", made.kernels, DecoderProgram(body), made.weights)
    if has_volumes(body.roots):
        if tile is not None or vector is not None or threads is not None:
            raise Unsupported("blocks of modules of layers have the shape that their planner finds")
        if any(output.table is not None for output in body.outputs):
            return _tables_behind(body, name, shared, resident)
        return print_network(lower_modules(body, shared=shared), name, resident)
    return print_blocks(lower_blocks(body, tile, vector, threads, shared), name, resident)


def _tables_behind(body: Body, name: str, shared: int, resident: int | None) -> CudaProgram:
    """The CUDA program of a body of layers and tables: modules, then passes over what they leave on the device."""
    parts = halves(body)
    layers, tables = lower_modules(parts.layers, shared=shared), lower_blocks(parts.tables, shared=shared)
    if tables.back or tables.normal.recurrences or tables.normal.histories:
        raise Unsupported("layers of a network beside a memory of earlier frames")
    text = _Text()
    text.modules(layers, f"{name}_layers", resident)
    text.blocks(tables, f"{name}_tables", resident)
    images = {output.name for output in body.outputs}
    names = dict(enumerate(parts.given, len(body.inputs)))

    def between(argument: Argument) -> Argument:
        """What goes from modules to tables is no input, and an output only where it is the body's."""
        kind, key = argument.kind, argument.key
        if kind == "input" and key in names:
            kind, key = "output", names[int(key)]
        if kind == "output" and key in parts.given and key not in images:
            kind = "frame"
        return replace(argument, kind=kind, key=key)

    kernels = [replace(k, arguments=tuple(map(between, k.arguments))) for k in text.kernels]
    return CudaProgram(text.whole, tuple(kernels), replace(layers, body=body), text.weights,
                       tuple(text.levels))  # fmt: skip


def print_network(program: ModuleProgram, name: str = "fused", resident: int | None = None) -> CudaProgram:
    """The CUDA program of modules of layers."""
    text = _Text()
    text.modules(program, name, resident)
    return CudaProgram(text.whole, tuple(text.kernels), program, text.weights)


def print_blocks(program: BlockProgram, name: str = "fused", resident: int | None = None) -> CudaProgram:
    """The CUDA program of a block program."""
    text = _Text()
    text.blocks(program, name, resident)
    return CudaProgram(text.whole, tuple(text.kernels), program, levels=tuple(text.levels))


class _Text:
    """A text that grows kernel by kernel.

    Attributes:
        preludes: what all kernels may call.
        lookups: arrays of tables by node.
        levels: numbers that the host computes, by node.
        texts: of the kernels.
        kernels: how they are launched.
        weights: constants that lie on the device.
    """

    def __init__(self) -> None:
        self.preludes = [PRELUDE]
        self.lookups: dict[Expr, str] = {}
        self.levels: dict[Expr, int] = {}
        self.texts: list[str] = []
        self.kernels: list[CudaKernel] = []
        self.weights = np.zeros(0, np.uint8)

    def modules(self, program: ModuleProgram, name: str, resident: int | None) -> None:
        """Add the kernels of modules."""
        if any(one.core is not None and one.core.dtype == I32 for one in program.kept):
            self.preludes.append(WORD_PRELUDE)
        if any(one.core is not None and one.core.arg.tensor for one in program.kept):
            self.preludes.append(TENSOR_PRELUDE)
        texts, kernels, self.weights = print_modules(program, name, self.lookups, resident)
        self.texts += texts
        self.kernels += kernels

    def blocks(self, program: BlockProgram, name: str, resident: int | None) -> None:
        """Add the kernels of passes over blocks, and of lists of candidates."""
        if any(output.table is not None for output in program.body.outputs):
            self.preludes.append(TABLE_PRELUDE)
        for i in range(len(program.passes)):
            own = f"{name}_{i}" if len(program.passes) > 1 else name
            printer = PassPrinter(program, i, own, self.lookups, self.levels, resident)
            made = [printer.kernel()]
            made += [list_kernel(f"{own}_list{index}", index, program.body.outputs[index].name, table, size,
                                 program.vector) for index, table, size in printer.tables.lists]  # fmt: skip
            for text, kernel in made:
                self.texts.append(text)
                self.kernels.append(kernel)

    @property
    def whole(self) -> str:
        """All of it."""
        arrays = [lookup(node, array) for node, array in self.lookups.items()]
        return "\n".join(part.rstrip("\n") + "\n" for part in (*self.preludes, *arrays, *self.texts))


def lookup(node: Expr, name: str) -> str:
    """The array of a lookup's entries."""
    entries = [entry(v, node) for v in node.arg]
    rows = [", ".join(entries[i : i + 12]) for i in range(0, len(entries), 12)]
    return (f"__device__ const {entry_type(node)} {name}[{len(entries)}] = {{\n    "
            + ",\n    ".join(rows) + "};\n")  # fmt: skip


@dataclass(frozen=True, slots=True)
class ElementwiseText:
    """What cupy.ElementwiseKernel takes: `in_params` are the inputs' channels in order, then the live parameters.

    Args:
        in_params: "uint8 in0_0, float32 a_gain".
        out_params: "float32 out0".
        operation: statements.
        preamble: the functions that they call, and lookups.
        planes: (input, channel) of each of the first parameters.
        params: the live parameters that follow.
        outputs: (output, channel) of each of the out_params.
    """

    in_params: str
    out_params: str
    operation: str
    preamble: str
    planes: tuple[tuple[int, int], ...]
    params: tuple[str, ...]
    outputs: tuple[tuple[int, int], ...]


class _Elements:
    """The context of a lane that is one element."""

    vector = 1
    raised: Collection[Expr] = ()

    def __init__(self, lookups: dict[Expr, str]) -> None:
        self.lookups = lookups
        self.planes: dict[tuple[int, int], tuple[str, DType]] = {}
        self.params: dict[str, tuple[str, DType]] = {}

    def image(self, plane: Expr) -> tuple[str, int, int]:  # noqa: ARG002 - as Context has it
        raise Unsupported("an element sees no other pixel")

    def region(self, plane: Expr, node: Expr) -> None:  # noqa: ARG002
        return None

    def at(self, plane: Expr) -> str:
        key = plane.arg.index, plane.arg.channel
        name = f"in{key[0]}_{key[1]}"
        self.planes[key] = name, plane.dtype
        return f"({name} != 0)" if plane.dtype == BOOL else name

    def param(self, name: str, dtype: DType) -> str:
        made = self.params.setdefault(name, (f"a{len(self.params)}", dtype))[0]
        return f"({made} != 0)" if dtype == BOOL else made

    def table(self, node: Expr) -> str:
        key = Expr("table", (), node.arg, node.dtype, None)
        return self.lookups.setdefault(key, f"lookup{len(self.lookups)}")

    def uniform(self, node: Expr) -> None:  # noqa: ARG002
        return None


def elementwise(body: Body) -> ElementwiseText:
    """The parts of a cupy.ElementwiseKernel for a body in which every pixel is alone.

    Raises:
        Unsupported: it looks at other pixels or frames, keeps state, knows where it is, or leaves a table.
    """
    if body.host is not None or any(output.table is not None for output in body.outputs):
        raise Unsupported("an ElementwiseKernel makes images from images")
    roots = [root for planes in normalise(body).outputs for root in planes]
    order = list(postorder(roots))
    wrong = next((n.op for n in order if n.op in ("load", "gather", "state", "recur", "coord")), None)
    if wrong is not None:
        raise Unsupported(f"a body with a {wrong} is no ElementwiseKernel")
    lookups: dict[Expr, str] = {}
    context = _Elements(lookups)
    counts: dict[Expr, int] = {}
    for node in order:
        for operand in node.src:
            counts[operand] = counts.get(operand, 0) + 1
    lane = Lane(context, ranges(order), counts, {n for n in order if n.op == "input"}, count())
    listed, outputs = [], []
    i = 0
    for number_, output in enumerate(body.outputs):
        assert isinstance(output.type, ImageType)
        for channel in range(len(output.planes)):
            dtype = output.type.dtype
            made = f"out{number_}_{channel}"
            lane.line(f"{made} = ({memory_type(dtype)}){lane.value(roots[i])};")
            listed.append(f"{dtype.numpy.name} {made}")
            outputs.append((number_, channel))
            i += 1
    inputs = sorted(context.planes)
    given = [f"{context.planes[k][1].numpy.name} {context.planes[k][0]}" for k in inputs]
    given += [f"{dtype.numpy.name} {made}" for made, dtype in context.params.values()]
    preamble = PRELUDE + "".join(lookup(node, array) for node, array in lookups.items())
    return ElementwiseText(", ".join(given), ", ".join(listed), "\n".join(lane.finished()), preamble, tuple(inputs),
                           tuple(context.params), tuple(outputs))  # fmt: skip
