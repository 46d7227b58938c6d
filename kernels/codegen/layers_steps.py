"""The module of a network's row kernels, the function that runs a table of steps, and that which takes frames of a
batch, one after another, through all tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kernels.codegen import (
    layers_across,
    layers_dense,
    layers_dense_int8,
    layers_depthwise,
    layers_depthwise_int8,
    layers_moves,
    layers_pairs,
    layers_winograd,
)
from kernels.codegen.layers_across import Across, Turn
from kernels.codegen.layers_dense import Tile
from kernels.codegen.layers_dense_int8 import Int8Tile
from kernels.codegen.layers_depthwise import Depthwise
from kernels.codegen.layers_depthwise_int8 import Int8Depthwise
from kernels.codegen.layers_moves import Move
from kernels.codegen.layers_pairs import Pairs
from kernels.codegen.layers_record import FIELDS, FRAMES, JOB, LIST, at
from kernels.codegen.layers_rows import Function
from kernels.codegen.layers_target import Target
from kernels.codegen.layers_winograd import TilesIn, TilesOut
from kernels.codegen.writer import Writer

Kernel = Tile | Across | Turn | Depthwise | Pairs | Move | Int8Tile | Int8Depthwise | TilesIn | TilesOut
RUN, TAKE = "run_steps", "take_frames"

_RUN = f"""\
; Run the steps of a job, one after another.
define void @{RUN}(ptr %job) nounwind {{
entry:
  %end.at = getelementptr i64, ptr %job, i64 {JOB.index("steps_end")}
  %layers.at = getelementptr i64, ptr %job, i64 {JOB.index("layers")}
  %first = load ptr, ptr %job, align 8
  %end = load ptr, ptr %end.at, align 8
  %layers = load ptr, ptr %layers.at, align 8
  br label %look
look:
  %step = phi ptr [ %first, %entry ], [ %next, %one ]
  %more = icmp ult ptr %step, %end
  br i1 %more, label %one, label %done
one:
  %number = load i32, ptr %step, align 4
  %wide = sext i32 %number to i64
  %offset = mul i64 %wide, {len(FIELDS)}
  %layer = getelementptr i64, ptr %layers, i64 %offset
  %function = load ptr, ptr %layer, align 8
  call void %function(ptr %layer, ptr %step, ptr %job)
  %words.at = getelementptr i64, ptr %layer, i64 {at("words")}
  %words = load i64, ptr %words.at, align 8
  %next = getelementptr i32, ptr %step, i64 %words
  br label %look
done:
  ret void
}}"""


def _take() -> Function:
    """Frames of a batch, for who is free: the number of the next is counted up by all who share it."""
    w = Writer()

    def word(name: str, type_: str = "i64", base: str = "%frames", names: tuple[str, ...] = FRAMES) -> str:
        place = w.op(f"getelementptr i64, ptr {base}, i64 {names.index(name)}")
        return w.op(f"load {type_}, ptr {place}, align 8", name)

    def number(base: str, index: str, type_: str = "i64") -> str:
        place = w.op(f"getelementptr i64, ptr {base}, i64 {index}")
        return w.op(f"load {type_}, ptr {place}, align 8")

    batch, table, banks = word("batch", "ptr"), word("table", "ptr"), word("banks")
    count = number(batch, "1")
    places, jobs, tables = word("places", "ptr"), word("jobs", "ptr"), word("tables")
    lists, listed = word("lists", "ptr"), word("listed")
    w.line("br label %look")
    w.label("look")
    # Whoever is free takes the next frame; shared out beforehand, the frames of a thread that gets no processor would
    # wait.
    frame = w.op(f"atomicrmw add ptr {batch}, i64 1 acq_rel, align 8")
    w.line(f"br i1 {w.op(f'icmp slt i64 {frame}, {count}')}, label %work, label %done")
    w.label("work")
    with w.turns("bank", banks, []) as bank:
        first = w.op(f"mul i64 {bank.index}, 3")
        which, begin, step = (number(places, w.op(f"add i64 {first}, {k}")) for k in range(3))
        here = w.op(f"add i64 {begin}, {w.op(f'mul i64 {frame}, {step}')}")
        w.line(f"store i64 {here}, ptr {w.op(f'getelementptr i64, ptr {table}, i64 {which}')}, align 8")
    with w.turns("job", tables, []) as job:
        w.line(f"call void @{RUN}(ptr {number(jobs, job.index, 'ptr')})")
    with w.turns("list", listed, []) as one:
        record = w.op(f"getelementptr i64, ptr {lists}, i64 {w.op(f'mul i64 {one.index}, {len(LIST)}')}")
        source, index = word("source", "ptr", record, LIST), word("index", "ptr", record, LIST)
        offset = w.op(f"mul i64 {frame}, {word('step', 'i64', record, LIST)}")
        out = w.op(f"getelementptr i8, ptr {word('out', 'ptr', record, LIST)}, i64 {offset}")
        with w.turns("value", word("values", "i64", record, LIST), []) as value:
            place = w.op(f"load i32, ptr {w.op(f'getelementptr i32, ptr {index}, i64 {value.index}')}, align 4")
            taken = w.op(f"getelementptr i32, ptr {source}, i64 {w.op(f'sext i32 {place} to i64')}")
            there = w.op(f"getelementptr i32, ptr {out}, i64 {value.index}")
            w.line(f"store i32 {w.op(f'load i32, ptr {taken}, align 4')}, ptr {there}, align 4")
    w.line("br label %look")
    w.label("done")
    w.line("ret void")
    head = f"define void @{TAKE}(ptr %frames) nounwind {{\nentry:"
    return Function(TAKE, "\n".join([head, *w.lines, "}"]), {})


@dataclass(frozen=True, slots=True)
class LayerCode:
    """A module.

    Args:
        text: LLVM IR.
        names: of its functions: RUN, TAKE, the drivers of dense layers, and those of the kernels.
    """

    text: str
    names: tuple[str, ...]


def generate(kernels: Iterable[Kernel], target: Target) -> LayerCode:
    """The module of some kernels; equal ones are one."""
    functions = [_take(), layers_dense.driver(), layers_dense_int8.int8_driver(target)]
    distinct = dict.fromkeys(kernels)
    if any(isinstance(kernel, TilesIn) for kernel in distinct):
        functions.append(layers_winograd.grouped_driver())
    for kernel in distinct:
        match kernel:
            case Tile():
                functions.append(layers_dense.tile(kernel, target))
            case Across():
                functions.append(layers_across.tile(kernel, target))
            case Turn():
                functions.append(layers_across.turn(kernel, target))
            case Depthwise():
                functions.append(layers_depthwise.depthwise(kernel, target))
            case Pairs():
                functions.append(layers_pairs.pairs(kernel, target))
            case Int8Tile():
                functions.append(layers_dense_int8.tile(kernel, target))
            case Int8Depthwise():
                functions.append(layers_depthwise_int8.depthwise(kernel, target))
            case Move():
                functions.append(layers_moves.move(kernel, target))
            case TilesIn():
                functions.append(layers_winograd.tiles_in(kernel, target))
            case TilesOut():
                functions.append(layers_winograd.tiles_out(kernel, target))
    declared: dict[str, str] = {}
    for function in functions:
        declared |= function.declared
    parts = [_RUN, *(function.text for function in functions), *declared.values()]
    return LayerCode("\n\n".join(parts) + "\n", (RUN, *(function.name for function in functions)))
