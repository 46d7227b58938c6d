"""Scalar operations and constants as CUDA C; `kernels.codegen.cuda_prelude` defines the functions that they call.

Whole numbers of up to 32 bits are `int` in registers, whatever they are in memory: their operations never leave their
type, and conversions saturate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kernels.fusion.normal import Unsupported
from kernels.ir.expr import Expr, Number
from kernels.ir.image import BOOL, F32, F64, I32, I64, U8, U16, DType
from kernels.ir.ops import exact

_MEMORY = {"bool": "unsigned char", "u8": "unsigned char", "i8": "signed char", "u16": "unsigned short", "i16": "short",
           "i32": "int", "i64": "long long", "f32": "float", "f64": "double"}  # fmt: skip


def memory_type(dtype: DType) -> str:
    """The C type of a value in memory: a bool takes a byte."""
    return _MEMORY[dtype.name]


def register_type(dtype: DType) -> str:
    """The C type of a value in a register."""
    if dtype == BOOL:
        return "bool"
    return {"f32": "float", "f64": "double", "i64": "long long"}.get(dtype.name, "int")


def from_memory(text: str, dtype: DType) -> str:
    """A value in memory, in its register type."""
    if dtype == BOOL:
        return f"({text} != 0)"
    return f"(int){text}" if dtype.bits < 32 else text


def number(value: Number, dtype: DType) -> str:
    """A constant of a type, to the last bit."""
    if dtype == BOOL:
        return "true" if value else "false"
    if not dtype.is_float:
        return _whole_number(int(value), dtype)
    if math.isnan(value) or math.isinf(value):
        # By bits: C++ without headers has neither NAN nor INFINITY.
        bits = 0x7FC00000 if math.isnan(value) else 0x7F800000
        text = f"__int_as_float(0x{bits:x})"
        text = f"(-{text})" if value < 0 else text
        return text if dtype == F32 else f"((double){text})"
    # The shortest text that reads back as the same number; f32 by NumPy, as repr is f64's.
    text = repr(float(value)) if dtype == F64 else str(np.float32(value))
    text = text if any(c in text for c in ".e") else text + ".0"
    text += "" if dtype == F64 else "f"
    return f"({text})" if text.startswith("-") else text


def _whole_number(value: int, dtype: DType) -> str:
    if dtype == I64:
        # C has no negative literals: the least number is none with a minus before it.
        return "(-9223372036854775807LL - 1)" if value == -(2**63) else f"({value}LL)" if value < 0 else f"{value}LL"
    if value == -(2**31):
        return "(-2147483647 - 1)"
    return f"({value})" if value < 0 else str(value)


_FLOAT = {"neg": "(-{0})", "add": "({0} + {1})", "sub": "({0} - {1})", "mul": "({0} * {1})"}
_WHOLE = {"neg": "wrap_sub({zero}, {0})", "add": "wrap_add({0}, {1})", "sub": "wrap_sub({0}, {1})",
          "mul": "wrap_mul({0}, {1})"}  # fmt: skip
_ANY = {
    "abs": "magnitude({0})", "div": "({0} / {1})", "floordiv": "floordiv({0}, {1})", "mod": "floormod({0}, {1})",
    "min": "smaller({0}, {1})", "max": "larger({0}, {1})", "lt": "({0} < {1})", "le": "({0} <= {1})",
    "eq": "({0} == {1})", "ne": "({0} != {1})", "and": "({0} & {1})", "or": "({0} | {1})", "xor": "({0} ^ {1})",
    "shl": "shift_left({0}, {1})", "shr": "shift_right({0}, {1})", "select": "({0} ? {1} : {2})",
    "bits": "float_bits({0})", "from_bits": "__int_as_float({0})",
}  # fmt: skip
RAISED = " - 32768)"
"""How the text of a value ends that stands raised by 32768."""

_ROUND = ("sqrt", "floor", "ceil", "rint")


def operation(node: Expr, src: Sequence[str], small: bool = False) -> str:
    """The C expression of a scalar operation or conversion.

    Args:
        node: the operation.
        src: its operands, in their register types.
        small: whether whole numbers provably stay in their type, so that C's operators do.
    """
    dtype = node.dtype
    if node.op == "wrap":  # the same value in another type
        given = register_type(node.src[0].dtype)
        return src[0] if given == register_type(dtype) else f"(({register_type(dtype)}){src[0]})"
    if node.op == "convert":
        return _conversion(node.src[0].dtype, dtype, src[0])
    if node.op in _ROUND:
        return f"{node.op}{'f' if dtype == F32 else ''}({src[0]})"
    if node.op == "not":
        return f"(!{src[0]})" if dtype == BOOL else f"(~{src[0]})"
    if node.op in _FLOAT:
        # Signed overflow is undefined in C: wrapping goes by unsigned, where it could happen.
        plain = dtype.is_float or small
        return (_FLOAT if plain else _WHOLE)[node.op].format(*src, zero="0LL" if dtype == I64 else "0")
    if node.op in ("and", "or", "xor") and dtype == BOOL:
        return f"((bool)({_ANY[node.op].format(*src)}))"
    if node.op == "abs" and src[0].endswith(RAISED):  # one instruction: |a - b| + c
        return f"(int)__usad({src[0][1 : -len(RAISED)]}, 32768u, 0u)"
    if node.op in _ANY:
        return _ANY[node.op].format(*src)
    raise Unsupported(f"the operation {node.op} has no spelling in CUDA C")


def _conversion(given: DType, to: DType, value: str) -> str:
    if to == BOOL:
        return f"({value} != {number(0, given)})"
    if given == BOOL:
        return f"(({register_type(to)}){value})"
    if to.is_float:
        return f"(({register_type(to)}){value})"
    if given.is_float:
        if to == I64:
            return f"whole_long({value})"
        if given == F32 and to in (U8, U16):  # below 0 and NaN become 0 by the instruction itself
            return f"(int)smaller(__float2uint_rn({value}), {(1 << to.bits) - 1}u)"
        rounded = f"whole({value})"
        return rounded if to.bits == 32 else _clamped(rounded, to)
    if to == I64:
        return f"((long long){value})"
    return value if exact(given, to) else _clamped(value, to)


def _clamped(value: str, to: DType) -> str:
    limits = np.iinfo(to.numpy)  # type: ignore[type-var]
    return f"clamp({value}, {number(int(limits.min), to)}, {number(int(limits.max), to)})"


def as_bits(node: Expr) -> bool:
    """Whether a lookup's floats stand as whole numbers: C has no constant for infinity or NaN."""
    return node.dtype.is_float and not all(math.isfinite(v) for v in node.arg)


def entry(value: Number, node: Expr) -> str:
    """One entry of a lookup's array, in its type in memory."""
    dtype = node.dtype
    if dtype == BOOL:
        return "1" if value else "0"
    if not as_bits(node):
        return number(value, dtype)
    exact_value = np.asarray(value, dtype.numpy)
    bits = int(exact_value.view(np.int32 if dtype == F32 else np.int64))
    return _whole_number(bits, I32 if dtype == F32 else I64)


def entry_type(node: Expr) -> str:
    """The C type of a lookup's array."""
    if as_bits(node):
        return memory_type(I32 if node.dtype == F32 else I64)
    return memory_type(node.dtype)


def looked_up(name: str, index: str, node: Expr) -> str:
    """An entry in its register type."""
    text = f"{name}[{index}]"
    if as_bits(node):
        return f"__int_as_float({text})" if node.dtype == F32 else f"__longlong_as_double({text})"
    return from_memory(text, node.dtype)
