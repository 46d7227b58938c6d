"""What an executor must know of printed CUDA text: kernels, their arguments, the memory between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda_expr import memory_type, register_type
from kernels.ir.body import Body
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, U8, DType
from kernels.ir.ops import OPS, convert
from kernels.ir.table import Reduction
from kernels.param import Value

OPTIONS = ("--std=c++17", "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true")
"""NVRTC options under which a kernel gives the reference's bits: nothing contracted, subnormals kept, division and root
rounded correctly. CuPy adds -ftz=true to what it compiles; so compile the text with NVRTC and load the cubin."""


BLOCKS = 4096
"""Blocks of a launch from which on they take several frames each. They are ten waves of a large card (132
multiprocessors that hold three), so that what is lost in the last wave is little; and what a block works out before its
first frame, 47 of 301 PTX instructions a pixel of `corners`, serves several."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a kernel, in order.

    Kinds, with the elements that a pointer's memory has (dense, C order; 16-byte aligned):

    ============ ================================================================================================
    input        (frames, *image shape) of input `key`: the batch
    past         (`depth`, *image shape) of input `key`: the frames before the batch, the last one last. Before the
                 stream's first frame nothing is read, so that the memory may hold anything
    frame        (frames, height, width) or (frames, channels, height, width): plane `key` of BlockProgram.frames, or a
                 value between modules; written by one kernel, read by later ones
    output       (frames, *image shape) of output `key`
    state_in     (height, width) of state `key`, as the last batch left it; not read if `age` is 0
    state_out    the same after this batch; NOT the same memory as state_in
    sums         (frames, rows, columns) i64 of reduction `key`; the caller sets `initial` of each column before
    boxes        (rows, 4) i32: left, top, right, bottom of the regions of reduction `key`, clipped to the image,
                 right and bottom exclusive
    mask         (frames, height, vectors of a row) u8 of candidates `key`: scratch
    rows         (frames, height) i32 of candidates `key`: scratch that the caller sets to 0
    values       (frames, height, width) of column `depth` of candidates `key`: scratch
    list         (frames, capacity) of column `depth` of candidates `key` (0 and 1 are x and y)
    total        (frames,) i32: how many candidates there were
    table        (frames, capacity, bytes of a row) u8: rows of output `key`, a table that a decoder makes; written as
                 far as there are any
    ends         (frames, 2) i32: how many rows there are of that, and how many found no room; -1 rows of a frame that
                 the host makes from its `words`
    words        (frames, height, words of a row) i64: a mask's bits (`kernels.ir.bits`), of which output `key` is made;
                 of `depth` 1 (frames, bytes of an image) u8: input 1, written of the frames that the host makes
    settings     (bytes,) u8: what a decoder says of the parameters (`kernels.ir.body.Decoder.settings`)
    scratch      (frames, *shape): memory of one kernel's own
    weights      (bytes,) u8: constants, `CudaProgram.weights`
    live         (bytes,) u8: live parameters and how many boxes there are, of which `CudaKernel.live` are read
    frames       a scalar i32: frames of the batch
    age          a scalar i32: frames of the stream before the batch (at most 2**30)
    ============ ================================================================================================
    """

    name: str
    kind: str
    dtype: DType
    key: int | str = 0
    shape: tuple[int, ...] = ()
    depth: int = 0
    initial: tuple[int, ...] = ()

    @property
    def is_scalar(self) -> bool:
        return self.kind in ("frames", "age")


@dataclass(frozen=True, slots=True)
class CudaKernel:
    """One kernel.

    Args:
        name: of the function.
        block: threads (x, y).
        boxes: blocks of one frame (x, y).
        by_frame: whether blocks of different frames may run side by side (else blocks march over all frames in order).
        shared: bytes of dynamic shared memory.
        arguments: in order.
        tile: pixels that a block owns, (width, height).
        halo: pixels around them that it makes or looks at: (left, right, up, down).
        lists: whether it lists candidates: grid y is the number of frames.
        live: what it reads from the block of live parameters: of the kinds "param" and "count" (of boxes), by key, and
            "level", by the number in `CudaProgram.levels`.
    """

    name: str
    block: tuple[int, int]
    boxes: tuple[int, int]
    by_frame: bool
    shared: int
    arguments: tuple[Argument, ...]
    tile: tuple[int, int]
    halo: tuple[int, int, int, int]
    lists: bool = False
    live: tuple[Argument, ...] = ()

    def grid(self, frames: int) -> tuple[int, int, int]:
        """Blocks of a launch over a batch."""
        if self.lists:
            return self.boxes[0], max(1, frames), 1
        if not self.by_frame:
            return (*self.boxes, 1)
        beside = max(1, -(-BLOCKS // (self.boxes[0] * self.boxes[1])))  # frames
        turns = -(-max(1, frames) // beside)
        return (*self.boxes, min(-(-max(1, frames) // turns), 65535))


class Lowered(Protocol):
    """What kernels were printed from: blocks (`kernels.fusion.blocks_model`), modules (`kernels.fusion.modules`) or a
    decoder (`kernels.codegen.cuda_decoders`).

    Attributes:
        body: what it computes.
        back: frames of the past that are kept, by number of the input.
        delays: and of values that are computed.
        normal: has its recurrences and histories.
    """

    @property
    def body(self) -> Body: ...
    @property
    def back(self) -> Mapping[int, int]: ...
    @property
    def delays(self) -> Mapping[Expr, int]: ...
    @property
    def normal(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class CudaProgram:
    """The text of a body and how to launch it: `kernels` one after another, once a batch; `weights` are constants that
    lie on the device; `levels` are computed from live parameters alone, by the host."""

    text: str
    kernels: tuple[CudaKernel, ...]
    lowered: Lowered
    weights: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    levels: tuple[Expr, ...] = ()

    def arguments(self, *kinds: str) -> dict[tuple[str, int | str, int], Argument]:
        """The memory of some kinds that the kernels take, each once, by (kind, key, depth)."""
        return {(a.kind, a.key, a.depth): a for k in self.kernels for a in k.arguments if a.kind in kinds}


LIVE = 8
"""Bytes that each number of a block of live parameters has."""
_READ = ("param", "count", "level")


def live_places(body: Body) -> dict[tuple[str, int | str], int]:
    """Where a block of live parameters has each: ("param", its name), and ("count", a table's name) for the number of
    boxes that a reduction is told. Behind these are the numbers that are computed from parameters alone."""
    listed: list[tuple[str, int | str]] = [("param", name) for name in body.params]
    listed += [("count", output.name) for output in body.outputs if isinstance(output.table, Reduction)]
    return {one: LIVE * k for k, one in enumerate(listed)}


def with_live(
    body: Body, arguments: Iterable[Argument]
) -> tuple[tuple[Argument, ...], tuple[Argument, ...], list[str]]:  # fmt: skip
    """A kernel's arguments, with a block of live parameters in place of the numbers among them that `CudaKernel.live`
    names; these; and lines that read them from it.

    So kernels read what changes from memory that stays where it is: what was recorded with one value
    (`kernels.executors.cuda_graphs`) goes on with another.
    """
    places, kept, read, lines = live_places(body), list[Argument](), list[Argument](), list[str]()
    for a in arguments:
        if a.kind not in _READ:
            kept.append(a)
            continue
        if not read:
            kept.append(Argument("live", "live", U8, "live"))
        read.append(a)
        kind = memory_type(a.dtype)
        held = register_type(a.dtype) if a.kind == "level" else kind
        lines.append(f"const {held} {a.name} = *(const {kind} *)(live + {_place(places, a)});")
    return tuple(kept), tuple(read), lines


def _place(places: Mapping[tuple[str, int | str], int], a: Argument) -> int:
    return LIVE * (len(places) + int(a.key)) if a.kind == "level" else places[a.kind, a.key]


def live_bytes(program: CudaProgram, values: Mapping[str, Value], counts: Mapping[str, int]) -> npt.NDArray[np.uint8]:
    """The block for some values of the parameters, and numbers of boxes by table."""
    places = live_places(program.lowered.body)
    made = np.zeros(LIVE * (len(places) + len(program.levels)), np.uint8)
    known: dict[Expr, npt.NDArray[Any]] = {}
    for a in {(a.kind, a.key): a for kernel in program.kernels for a in kernel.live}.values():
        number: object
        if a.kind == "level":
            with np.errstate(all="ignore"):
                number = _evaluated(program.levels[int(a.key)], values, known)
        else:
            number = values[str(a.key)] if a.kind == "param" else counts[str(a.key)]
        raw = np.asarray([number]).astype(np.uint8 if a.dtype == BOOL else a.dtype.numpy).view(np.uint8)
        made[_place(places, a) :][: len(raw)] = raw
    return made


def is_level(node: Expr) -> bool:
    """Whether a value is computed from live parameters and constants alone, by operations of numbers: then it is
    computed once, here, and not by every thread."""
    parts = list(postorder((node,)))
    return any(n.op == "param" for n in parts) and all(n.op in OPS or n.op in _SIMPLE for n in parts)


_SIMPLE = ("const", "param", "convert")


def _evaluated(root: Expr, values: Mapping[str, Value], known: dict[Expr, npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """As `kernels.executors.reference` has it."""
    for node in postorder((root,)):
        if node in known:
            continue
        match node.op:
            case "const" | "param":
                known[node] = np.asarray(node.arg if node.op == "const" else values[node.arg], node.dtype.numpy)
            case "convert":
                known[node] = convert(known[node.src[0]], node.dtype)
            case _:
                known[node] = np.asarray(OPS[node.op].numpy(*(known[s] for s in node.src)))
    return known[root]
