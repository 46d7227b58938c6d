"""The module of a network's row kernels, and the one function that runs a table of steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kernels.codegen import (
    layers_dense,
    layers_dense_int8,
    layers_depthwise,
    layers_depthwise_int8,
    layers_moves,
    layers_pairs,
)
from kernels.codegen.layers_dense import Tile
from kernels.codegen.layers_dense_int8 import Int8Tile
from kernels.codegen.layers_depthwise import Depthwise
from kernels.codegen.layers_depthwise_int8 import Int8Depthwise
from kernels.codegen.layers_moves import Move
from kernels.codegen.layers_pairs import Pairs
from kernels.codegen.layers_record import FIELDS, JOB, at
from kernels.codegen.layers_target import Target

Kernel = Tile | Depthwise | Pairs | Move | Int8Tile | Int8Depthwise
RUN = "run_steps"

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


@dataclass(frozen=True, slots=True)
class LayerCode:
    """A module.

    Args:
        text: LLVM IR.
        names: of its functions: RUN, the drivers of dense layers, and those of the kernels.
    """

    text: str
    names: tuple[str, ...]


def generate(kernels: Iterable[Kernel], target: Target) -> LayerCode:
    """The module of some kernels; equal ones are one."""
    functions = [layers_dense.driver(), layers_dense_int8.int8_driver(target)]
    for kernel in dict.fromkeys(kernels):
        match kernel:
            case Tile():
                functions.append(layers_dense.tile(kernel, target))
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
    declared: dict[str, str] = {}
    for function in functions:
        declared |= function.declared
    parts = [_RUN, *(function.text for function in functions), *declared.values()]
    return LayerCode("\n\n".join(parts) + "\n", (RUN, *(function.name for function in functions)))
