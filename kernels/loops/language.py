"""Loops over arrays, written in Python and compiled where LLVM is at hand.

A function marked with `@loop` is plain Python of the few forms below. `Loop.native()` is the same as machine code, with
the same operations in the same order (nothing contracted, nothing reordered), so its results have the bits of the
function run as Python, which stays the meaning, and of a NumPy function that adds in that order.

Forms: assignments to names and to elements of arrays, `for i in range(...)`, `while`, `if`, `break`, `continue`,
`return`, calls of other loops, and expressions of `+ - * / // % & | << >>`, comparisons, `and`, `or`, `not`,
`a if c else b` (both are evaluated), `int`, `float`, `abs`, `min` and `max`. Whole numbers are i64, floats
f64; a loop returns a whole number, or a float where it says so; `//` and `%` are for numbers that are not negative.
`part = at(array, start)` names a part of an array, once and for the rest of the function. Array parameters are
declared by the names of `ARRAYS`; "PIXELS" is chosen when it is compiled. Vectors of eight f64 come from `load` (of an
array of any type), `gather` and `gather_transpose`, go by `store` and mix with scalars. `store_bytes_f64` and its like
write fields of records into bytes. Arrays declared as LANES have two dimensions, vectors and what is in them: 16 f32 or
8 f64 (a register of AVX-512; EIGHTS are always the latter), chosen by those that are given. `load_row`, `store`, `at`
and `gather_transpose` count them in vectors, `array[i, k]` is number k of vector i, of which there are
`lane_count(array)`. `load_row` and `splat_like` make vectors of that type, which do not mix with others; `load_minus`
makes one of an array of any type and `row_sums` adds up sixteen; `if is_f32(array)` is decided when it is compiled;
`as_f64_rows` looks at an F64 as EIGHTS. `mask` makes a word of a vector's comparison and `nonzero_bytes` one of 64
bytes; `bit_edges`, `ctz`, `clear_lowest_bit` and `popcount` take words apart; `compress` leaves only those of eight
elements that are in a word. `prefetch` says what will be read soon.
"""

from __future__ import annotations

import ast
import ctypes
import inspect
import linecache
import sys
import textwrap
import tokenize
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from types import CodeType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.loops.emitter import ARRAYS, Pixels, Signature
from kernels.loops.fractions import WHITE, Fraction
from kernels.loops.intrinsics import (
    as_f64_rows,
    at,
    bit_edges,
    bits_to_float,
    clear_lowest_bit,
    compress,
    ctz,
    exponent,
    float_to_bits,
    floor,
    gather,
    gather_transpose,
    is_f32,
    lane_count,
    load,
    load_minus,
    load_row,
    mantissa,
    mask,
    nonzero_bytes,
    popcount,
    power_of_two,
    prefetch,
    rint,
    row_sums,
    splat,
    splat_like,
    sqrt,
    store,
    store_bytes_f32,
    store_bytes_f64,
    store_bytes_i32,
    store_bytes_i64,
    where,
)  # fmt: skip
from kernels.loops.structs import Shape, shapes, without_structs
from kernels.loops.text import function_text

__all__ = [  # what a loop is written in comes from here, too
    "EIGHTS",
    "F64",
    "I32",
    "I64",
    "LANES",
    "PIXELS",
    "U8",
    "Loader",
    "Loop",
    "address",
    "as_f64_rows",
    "at",
    "bit_edges",
    "bits_to_float",
    "clear_lowest_bit",
    "compress",
    "constants",
    "ctz",
    "exponent",
    "float_to_bits",
    "floor",
    "gather",
    "gather_transpose",
    "guarded_address",
    "is_f32",
    "lane_count",
    "load",
    "load_minus",
    "load_row",
    "loop",
    "mantissa",
    "mask",
    "nonzero_bytes",
    "popcount",
    "power_of_two",
    "prefetch",
    "provide",
    "rint",
    "row_sums",
    "splat",
    "splat_like",
    "sqrt",
    "store",
    "store_bytes_f32",
    "store_bytes_f64",
    "store_bytes_i32",
    "store_bytes_i64",
    "tree",
    "where",
    "without_structs_of",
]  # fmt: skip

Array = npt.NDArray[Any]
Loader = Callable[[str, Callable[[], str], Sequence[str]], "tuple[Sequence[int], object] | None"]
"""From a key, what writes IR text, and the names of a function and of data beside it to their addresses and what keeps
them alive; None where that does not work. The key covers all that the text is made of but the writer's own source, so
that who has kept what was compiled from that text need not have it written again, which takes longer than all else."""

_LOADER: list[Loader | None] = []
"""Who compiles; empty until it is asked for or set."""
_COMPILER = "kernels.executors.natives"
_REWRITTEN = "the file of the loop {} was written anew while it was being imported; start the program again"
_FIRST_BYTE: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
F64: TypeAlias = Any
F32: TypeAlias = Any
I64: TypeAlias = Any
I32: TypeAlias = Any
U8: TypeAlias = Any
PIXELS: TypeAlias = Any
LANES: TypeAlias = Any
EIGHTS: TypeAlias = Any


def provide(loader: Loader | None) -> None:
    """Say who compiles, instead of `kernels.executors.natives`; None for none: `calling.call` runs Python then."""
    _LOADER[:] = [loader]
    _native.cache_clear()


def _loader() -> Loader | None:
    """Who compiles. It is above this file, which therefore finds it by its name; being asked for here, it is at
    work for everyone who runs a loop: an executor or an engine alone, trackers, tools."""
    if not _LOADER:
        _LOADER[:] = [import_module(_COMPILER).load]
    return _LOADER[0]


class Loop:
    """A function that can be machine code. Called as it is, it is Python (slow; for tests)."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.name = function, function.__name__
        # The text as it is imported: by the time it is compiled an update may have written another into the file.
        code = function.__code__
        self.lines = linecache.getlines(code.co_filename, function.__globals__)[code.co_firstlineno - 1 :]

    @cached_property
    def signature(self) -> Signature:
        """Its parameters; of loops that a program imports few are called."""
        return Signature.of(self.function)

    @cached_property
    def arrays(self) -> tuple[int, ...]:
        """Which parameters are arrays."""
        records = {name for name, _ in self.signature.records}
        named = zip(self.signature.names, self.signature.kinds, strict=True)
        return tuple(k for k, (name, kind) in enumerate(named)
                     if kind not in ("int", "float") and name not in records)  # fmt: skip

    def __call__(self, *values: Any) -> Any:
        return self.function(*values)

    def native(
        self, pixels: npt.DTypeLike | Fraction = np.float64, lanes: npt.DTypeLike = np.float64
    ) -> Callable[..., Any] | None:
        """The machine code: takes addresses (int) for arrays, numbers for numbers; returns a number. None where nothing
        compiles, or where the file was written anew while the function was imported from it and no machine code of the
        function is kept.

        Args:
            pixels: the type of PIXELS.
            lanes: that of LANES.
        """
        return _native(self, _pixels(pixels), np.dtype(lanes))

    def text(self, pixels: npt.DTypeLike | Fraction = np.float64, lanes: npt.DTypeLike = np.float64) -> str:
        """LLVM IR of this loop and of those that it calls.

        Raises:
            DefinitionError: the text of one of them is not that of the function.
            ExprError: one of them has something in it that the language has not; with file and line.
        """
        return _text(self, _pixels(pixels), np.dtype(lanes))


def _pixels(given: npt.DTypeLike | Fraction) -> Pixels:
    return given if isinstance(given, Fraction) else np.dtype(given)


def loop(function: Callable[..., Any]) -> Loop:
    """Mark a function as a loop."""
    return Loop(function)


def address(array: Array) -> int:
    """Where an array's memory begins. The array must be contiguous and stay alive."""
    try:
        return ctypes.addressof(_FIRST_BYTE(array))  # a quarter of the time of the other
    except (TypeError, ValueError, BufferError):
        return guarded_address(array)


def guarded_address(array: Array) -> int:
    """Where the memory of an array begins that is empty or read-only; `address` is faster for all others."""
    assert array.flags.c_contiguous
    return int(array.__array_interface__["data"][0])


def tree(one: Loop) -> ast.FunctionDef:
    """The syntax of a loop's function, made anew, as whoever asks changes it.

    Raises:
        DefinitionError: it is another's. Python takes the code first and the text is read after it, so that an update
            of the program in between leaves the two apart.
    """
    meant = one.function.__code__
    # The code knows its last line, but for a bracket that is alone: much faster than to look for the block's end.
    count = max(line or 0 for _, line, _, _ in meant.co_positions()) - meant.co_firstlineno + 1
    # First by the length that the code says, then, where that is no whole block, by the tokenizer.
    for known in (True, False):
        with suppress(SyntaxError, tokenize.TokenError, ValueError, IndexError):
            text = textwrap.dedent("".join(one.lines[:count] if known else inspect.getblock(one.lines)))
            parsed = ast.parse(text)
            built = compile(parsed, one.name, "exec", dont_inherit=True).co_consts
            made = parsed.body[0]
            (code,) = (c for c in built if isinstance(c, CodeType))
            # Compared by what was compiled: only the text of the very function may become machine code.
            if isinstance(made, ast.FunctionDef) and _meaning(code) == _meaning(meant):
                return ast.increment_lineno(made, meant.co_firstlineno - 1)
    raise DefinitionError(_REWRITTEN.format(one.name))


def _meaning(code: CodeType) -> tuple[object, ...]:
    """All of a function's code but its line numbers."""
    return code.co_name, code.co_argcount, code.co_code, repr(code.co_consts), code.co_names, code.co_varnames


@cache
def _identity(one: Loop) -> str:
    """All that the text of this function alone is made of. Its places in the file are of it: the same code may
    stand for `return a if c else b`, where both are evaluated, and for `if`."""
    code, known = one.function.__code__, one.function.__globals__
    # Of the names in the code alone: there are hundreds of loops, and as many names in their modules.
    named = constants({k: known[k] for k in code.co_names if k in known})
    made = sorted(_structs(one).items())
    return repr((_meaning(code), code.co_linetable, one.signature, sorted(named.items()), made))


def constants(names: Mapping[str, Any]) -> Mapping[str, float | int]:
    """The numbers among the names of a module."""
    return {k: v for k, v in names.items() if isinstance(v, int | float) and not isinstance(v, bool)}


def _structs(one: Loop) -> dict[str, Shape]:
    """The structs that the function may make, by their names in it."""
    known = one.function.__globals__
    return shapes({k: known[k] for k in one.function.__code__.co_names if k in known})


def _collect(one: Loop, into: dict[str, Loop]) -> None:
    into[one.name] = one
    for name in one.function.__code__.co_names:
        other = one.function.__globals__.get(name)
        # Loops are named in the code as globals; the whole graph of calls is collected, recursion included.
        if isinstance(other, Loop) and other.name not in into:
            _collect(other, into)


def _key(one: Loop, pixels: Pixels, lanes: np.dtype[Any]) -> str:
    loops: dict[str, Loop] = {}
    _collect(one, loops)
    return "\0".join((sys.version, pixels.name, lanes.name, *map(_identity, loops.values())))


@cache
def without_structs_of(one: Loop) -> ast.FunctionDef:
    """The syntax of a loop's function without structs; the same for all types."""
    return without_structs(tree(one), one.signature.structs, _structs(one),
                           one.function.__code__.co_filename)  # fmt: skip


_NONE = np.dtype(np.float64)


@cache
def _function_text(one: Loop, pixels: Pixels, lanes: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """LLVM IR of one function, and those that it calls, with the types of their LANES."""
    loops: dict[str, Loop] = {}
    _collect(one, loops)
    known = {name: loop.signature for name, loop in loops.items()}
    names, file = constants(one.function.__globals__), one.function.__code__.co_filename
    text, used = function_text(without_structs_of(one), one.signature, known, pixels, names, lanes, file)
    return text, tuple(used)


@cache
def _text(one: Loop, pixels: Pixels, lanes: np.dtype[Any]) -> str:
    loops: dict[str, Loop] = {}
    _collect(one, loops)
    parts: dict[str, str] = {}
    missing = [(one.name, lanes.name)]
    while missing:
        # Instances that are called with another type of LANES are written once each.
        name, type_ = missing.pop()
        made = loops[name]
        instance = made.signature.instance(type_)
        if instance not in parts:
            # Most functions of a loop have no pixels, and many are called by other loops, too.
            parts[instance], used = _function_text(made, pixels if "PIXELS" in made.signature.kinds else _NONE, type_)
            missing += used
    # The one that is called from outside has its own name, whatever the type.
    head = _HEAD + _SCALE if isinstance(pixels, Fraction) else _HEAD
    return head + "\n".join(parts.values()).replace(f"@{one.signature.instance(lanes.name)}(", f"@{one.name}(")


@cache
def _native(one: Loop, pixels: Pixels, lanes: np.dtype[Any]) -> Callable[..., Any] | None:
    loader = _loader()
    if loader is None or pixels.name.partition("/")[0] not in ARRAYS.values():
        return None
    try:
        kind = pixels.kind if isinstance(pixels, Fraction) else pixels
        names = (one.name, WHITE) if isinstance(pixels, Fraction) else (one.name,)
        made = loader(_key(one, kind, lanes), lambda: one.text(kind, lanes), names)
    except DefinitionError:  # as Python the function gives the same numbers, slowly
        return None
    if made is None:
        return None
    if isinstance(pixels, Fraction):
        # Full scale is data of this machine code alone (each copy has its own).
        ctypes.c_float.from_address(made[0][1]).value = pixels.white
    kinds = [ctypes.c_double if kind == "float" else ctypes.c_int64 for kind in one.signature.kinds]
    call: Any = ctypes.CFUNCTYPE(ctypes.c_double if one.signature.real else ctypes.c_int64, *kinds)(made[0][0])
    # The code lives as long as what may call it.
    call.alive = made[1]
    return call  # type: ignore[no-any-return]


_SCALE = f"@{WHITE} = global float 0.0\n!0 = !{{}}\n"
_NAMES: Sequence[str] = ("sqrt", "rint", "floor")
_HEAD = "".join(
    f"declare double @llvm.{name}.f64(double)\ndeclare <8 x double> @llvm.{name}.v8f64(<8 x double>)\n"
    f"declare <16 x float> @llvm.{name}.v16f32(<16 x float>)\n"
    for name in (*_NAMES, "fabs")
) + ("declare i64 @llvm.cttz.i64(i64, i1)\ndeclare i64 @llvm.ctpop.i64(i64)\n"
     "declare <8 x double> @llvm.experimental.vector.compress.v8f64(<8 x double>, <8 x i1>, <8 x double>)\n"
     "declare <8 x i64> @llvm.experimental.vector.compress.v8i64(<8 x i64>, <8 x i1>, <8 x i64>)\n"
     "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)\n")  # fmt: skip
