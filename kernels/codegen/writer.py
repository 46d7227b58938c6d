"""LLVM IR as text: fresh names, types, constants."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from kernels.ir.expr import Number
from kernels.ir.image import BOOL, DType

_ELEMENT = {"bool": "i1", "u8": "i8", "i8": "i8", "u16": "i16", "i16": "i16", "i32": "i32", "i64": "i64",
            "f32": "float", "f64": "double"}  # fmt: skip


def element(dtype: DType) -> str:
    """The LLVM type of a value in a register."""
    return _ELEMENT[dtype.name]


def stored(dtype: DType) -> str:
    """The LLVM type of a value in memory: a bool takes a byte."""
    return "i8" if dtype == BOOL else _ELEMENT[dtype.name]


def vector(lanes: int, name: str) -> str:
    """The type of a vector."""
    return f"<{lanes} x {name}>"


def number(value: Number, dtype: DType) -> str:
    """A constant of a type, as LLVM spells it: floats by their bits, so that none is rounded on the way."""
    if dtype == BOOL:
        return "true" if value else "false"
    if dtype.is_float:
        return f"0x{struct.unpack('>Q', struct.pack('>d', float(value)))[0]:016X}"
    return str(int(value))


def splat(value: Number, dtype: DType) -> str:
    """A constant vector of any length."""
    return f"splat ({element(dtype)} {number(value, dtype)})"


def mask(indices: Iterable[int]) -> str:
    """The index vector of a shufflevector."""
    listed = list(indices)
    return f"<{len(listed)} x i32> <{', '.join(f'i32 {i}' for i in listed)}>"


@dataclass(slots=True)
class Turns:
    """A loop that is being written (see `Writer.turns`): its index, the values of a turn, those of the next."""

    index: str
    values: list[str]
    next: list[str] = field(default_factory=list)


class Writer:
    """Lines of one function, and declarations and constants of the module around it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.block = "entry"
        self.declared: dict[str, str] = {}
        self.constants: dict[str, str] = {}
        self._count = 0

    def fresh(self, hint: str = "") -> str:
        self._count += 1
        return f"{hint}.{self._count}" if hint else f"v{self._count}"

    def line(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def op(self, text: str, hint: str = "") -> str:
        """An instruction with a result; returns its name."""
        name = f"%{self.fresh(hint)}"
        self.line(f"{name} = {text}")
        return name

    def call(self, result: str, name: str, *arguments: tuple[str, str]) -> str:
        """A call of an intrinsic or function, declared when it is met first; arguments as (type, value)."""
        types = ", ".join(t for t, _ in arguments)
        self.declared[name] = f"declare {result} @{name}({types})"
        text = f"call {result} @{name}({', '.join(f'{t} {v}' for t, v in arguments)})"
        if result == "void":
            self.line(text)
            return ""
        return self.op(text)

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")
        self.block = name

    def comment(self, text: str) -> None:
        self.line(f"; {text}")

    @contextmanager
    def into(self, lines: list[str]) -> Iterator[None]:
        """Write into another list of lines meanwhile."""
        outer, self.lines = self.lines, lines
        yield
        self.lines = outer

    def constant(self, name: str, type_: str, values: Iterable[str], align: int = 64) -> str:
        """A constant array; returns its name. Equal ones are one."""
        listed = list(values)
        text = f"private unnamed_addr constant [{len(listed)} x {type_}] " \
               f"[{', '.join(f'{type_} {v}' for v in listed)}], align {align}"  # fmt: skip
        for known, other in self.constants.items():
            if other == text:
                return known
        made = f"@{name}{len(self.constants)}"
        self.constants[made] = text
        return made

    @contextmanager
    def when(self, condition: str, name: str) -> Iterator[None]:
        """A block that runs if `condition` (i1) holds."""
        inside, after = self.fresh(name), self.fresh(f"{name}.end")
        self.line(f"br i1 {condition}, label %{inside}, label %{after}")
        self.label(inside)
        yield
        self.line(f"br label %{after}")
        self.label(after)

    @contextmanager
    def turns(self, name: str, stop: str, carried: Sequence[tuple[str, str]], step: int = 1) -> Iterator[Turns]:
        """for (i = 0; i < stop; i += step) on i64 with values that go from turn to turn, `carried` as (type, first).

        The body sets `next` of what this yields; behind the loop `values` holds the last ones.
        """
        head, body, after = self.fresh(name), self.fresh(f"{name}.do"), self.fresh(f"{name}.end")
        i, before = f"%{self.fresh(name[0])}", self.block
        made = Turns(i, [f"%{self.fresh('a')}" for _ in carried])
        self.line(f"br label %{head}")
        self.label(head)
        place, lines = len(self.lines), self.lines
        more = self.op(f"icmp slt i64 {i}, {stop}")
        self.line(f"br i1 {more}, label %{body}, label %{after}")
        self.label(body)
        yield made
        self.line(f"{i}.next = add nsw i64 {i}, {step}")
        values = [("i64", i, "0", f"{i}.next")]
        values += [(t, v, f, n) for (t, f), v, n in zip(carried, made.values, made.next, strict=True)]
        lines[place:place] = [f"  {v} = phi {t} [ {f}, %{before} ], [ {n}, %{self.block} ]" for t, v, f, n in values]
        self.line(f"br label %{head}")
        self.label(after)

    @contextmanager
    def loop(self, name: str, start: str, stop: str, step: int = 1) -> Iterator[str]:
        """for (i = start; i < stop; i += step) on i64; yields i."""
        head, body, after = self.fresh(name), self.fresh(f"{name}.do"), self.fresh(f"{name}.end")
        i, latch, before = f"%{self.fresh(name[0])}", self.fresh(f"{name}.next"), self.block
        self.line(f"br label %{head}")
        self.label(head)
        self.line(f"{i} = phi i64 [ {start}, %{before} ], [ {i}.next, %{latch} ]")
        more = self.op(f"icmp slt i64 {i}, {stop}")
        self.line(f"br i1 {more}, label %{body}, label %{after}")
        self.label(body)
        yield i
        self.line(f"br label %{latch}")
        self.label(latch)
        self.line(f"{i}.next = add nsw i64 {i}, {step}")
        self.line(f"br label %{head}")
        self.label(after)
