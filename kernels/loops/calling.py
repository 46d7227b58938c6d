"""Call a loop with arrays: as machine code where there is a compiler, else as the Python that it is."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.emitter import ROWS, WIDTH
from kernels.loops.fractions import Fraction
from kernels.loops.language import Loop, address, guarded_address
from kernels.loops.records import Layout, Record
from kernels.loops.structs import Shape, Struct

_ADDRESS = ctypes.addressof
_FIRST: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer


def call(
    one: Loop, *values: Any, pixels: npt.DTypeLike | Fraction = np.float64, lanes: npt.DTypeLike = np.float64
) -> int:
    """What the loop returns, a whole number.

    Args:
        values: arrays (contiguous; the loop sees one dimension, of LANES two), records, structs and numbers, in the
            order of its parameters.
        pixels: the type of its PIXELS.
        lanes: that of its LANES.
    """
    native = one.native(pixels, lanes)
    if native is None:
        assert not isinstance(pixels, Fraction), "Python's loops see numbers as they are in memory"
        # Machine code warns of no overflow or NaN; neither does its meaning.
        with np.errstate(all="ignore"):
            width = {kind: WIDTH[one.signature.dtype(kind, np.dtype(pixels), np.dtype(lanes).name)] for kind in ROWS}
            kinds = [kind for _, kind in one.signature.parameters]
            return int(one(*[_shaped(v, kind, width) for v, kind in zip(values, kinds, strict=True)]))
    given = _flat(values)
    # The quick way fails for arrays that are empty or read-only.
    for k in one.arrays:
        try:
            given[k] = _ADDRESS(_FIRST(given[k]))  # `address`, without a call
        except (TypeError, ValueError, BufferError):
            given[k] = guarded_address(given[k])
    return int(native(*given))


def arguments(*values: Any) -> list[Any]:
    """Values as machine code takes them (`Loop.native`), for calls that are made again and again.

    Args:
        values: as for `call`; the caller keeps the arrays, records and structs alive.
    """
    # ctypes takes its own numbers in half of the time that it takes Python's.
    return [ctypes.c_int64(address(value)) if isinstance(value, np.ndarray) else value for value in _flat(values)]


def _flat(values: Iterable[Any]) -> list[Any]:
    """Structs as their fields, records as their address and room."""
    given: list[Any] = []
    for value in values:
        if isinstance(value, Struct):
            for leaf in value.leaves():
                if isinstance(leaf, Record):
                    given += leaf.address, leaf.room
                else:
                    given.append(leaf)
        elif isinstance(value, Record):
            given += value.address, value.room
        else:
            given.append(value)
    return given


def _shaped(value: Any, kind: str | Layout | Shape, width: Mapping[str, int]) -> Any:
    """A value as a loop in Python sees it: arrays of one dimension, or of as many columns as a vector has numbers."""
    if isinstance(kind, Shape):
        return type(value)(*[_shaped(getattr(value, name), inner, width) for name, inner in kind.fields])
    if not isinstance(value, np.ndarray):
        return value
    return value.reshape(-1, width[str(kind)]) if kind in width else value.reshape(-1)
