"""Records of the loop language: named columns, or named numbers, in one block of memory.

    @record
    class Tracks:
        x: F64   # px
        hits: I64

declares columns of `room` entries each, one behind the other; a loop whose parameter is annotated with it takes
`t.x[i]`, `at(t.x, i)`, `vec(t.x, i)` and `t.room`. A record whose fields are annotated `float` and `int` holds
numbers: `s.gate` reads one and `s.count = 3` sets it. Fields of both kinds take eight bytes an entry. A loop passes its
records on to other loops by their names.

In Python an instance is the memory: `Tracks(block, room)`, whose attributes are views of the block;
`Settings.of(gate=3.0)` makes one of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
COLUMNS = {"F64": "float64", "I64": "int64"}
NUMBERS = {"float": "float64", "int": "int64"}


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the fields of a record lie: names, and their kinds (all of COLUMNS, or all of NUMBERS)."""

    name: str
    fields: tuple[str, ...]
    kinds: tuple[str, ...]

    @property
    def columns(self) -> bool:
        """Whether the fields are columns."""
        return not self.kinds or self.kinds[0] in COLUMNS

    def dtype(self, field: str) -> str:
        """The type of an entry."""
        return (COLUMNS | NUMBERS)[self.kinds[self.fields.index(field)]]


class Record:
    """Memory that holds a record.

    Args:
        block: f8 of as many entries as fields times `room`, contiguous.
        room: entries of a column; 1 for numbers.
    """

    layout: ClassVar[Layout]

    def __init__(self, block: Array | None = None, room: int = 1) -> None:
        # Every field takes eight bytes an entry, so that one f8 block serves both kinds.
        size = len(self.layout.fields) * room
        self.block: Array = np.zeros(size) if block is None else block
        self.whole: Array = self.block.view(np.int64)
        """The same memory as whole numbers."""
        self.address, self.room = int(self.block.__array_interface__["data"][0]), room
        for k, field in enumerate(self.layout.fields):
            if self.layout.columns:
                part = self.block[k * room : (k + 1) * room].view(self.layout.dtype(field))
                setattr(self, field, part)


    @classmethod
    def of(cls, **numbers: float) -> Self:
        """A record of numbers; what is not given is 0.

        Raises:
            TypeError: there is no field of a name.
        """
        made = cls()
        for name, value in numbers.items():
            if name not in cls.layout.fields:
                raise TypeError(f"record {cls.__name__} has no field {name}")
            setattr(made, name, value)
        return made


def _number(place: int, dtype: str) -> property:
    view = "block" if dtype == "float64" else "whole"

    def get(self: Record) -> Any:
        return getattr(self, view).item(place)

    def put(self: Record, value: float) -> None:
        getattr(self, view)[place] = value

    return property(get, put)


T = TypeVar("T")


def record(cls: type[T]) -> type[T]:
    """Make a class of annotated fields a record.

    Raises:
        TypeError: a field is neither a column nor a number, or there are both.
    """
    given = dict(cls.__annotations__)
    layout = Layout(cls.__name__, tuple(given), tuple(str(kind) for kind in given.values()))
    for kinds in (COLUMNS, NUMBERS):
        if all(kind in kinds for kind in layout.kinds):
            break
    else:
        some = f"fields are all of {', '.join(COLUMNS)}, or all of {', '.join(NUMBERS)}"
        raise TypeError(f"record {cls.__name__}: {some}")
    numbers = {} if layout.columns else {
        field: _number(k, layout.dtype(field)) for k, field in enumerate(layout.fields)}  # fmt: skip
    return type(cls.__name__, (Record,), {
        "__doc__": cls.__doc__, "__module__": cls.__module__, "__qualname__": cls.__qualname__,
        "__annotations__": given, "layout": layout, **numbers,
    })  # fmt: skip
