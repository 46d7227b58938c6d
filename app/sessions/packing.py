"""Nested dictionaries, lists, numbers, texts and arrays as bytes, bit for bit: what a state is stored as.

    magic "FTST", version (u16), 0 (u16), bytes of the tree (u32), bytes of the table (u32)
    tree: JSON, in which an array is written as {"": its number}
    table: JSON, [dtype, shape, offset in bytes from the end of the table] an array
    the bytes of the arrays, little-endian, padded to multiples of 8

Nothing is run when it is read (it is no pickle), and lengths are believed only as far as there are bytes.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

MAGIC, VERSION = b"FTST", 1
_HEAD = struct.Struct("<4sHHII")
_ALIGN = 8
_ARRAY = ""
"""The key by which an array is known in the tree; keys of dictionaries are not empty."""
_KINDS = "biufc"
"""Kinds of numbers that arrays may hold."""
_TYPE = re.compile(rf"[<|][{_KINDS}][0-9]{{1,2}}")
"""How the type of an array is spelt; NumPy would take more, or trip over it."""


def pack(tree: Any) -> bytes:
    """The bytes.

    Args:
        tree: dictionaries with texts as keys (none empty), lists and tuples (which become lists), None, bool, int,
            float, str, and arrays of plain numbers (NumPy's scalars become arrays without axes).

    Raises:
        ValueError: something else is in it.
    """
    arrays: list[np.ndarray] = []
    text = json.dumps(_plain(tree, arrays)).encode()
    places, at = [], 0
    for array in arrays:
        places.append((array.dtype.str, array.shape, at))
        at += -(-array.nbytes // _ALIGN) * _ALIGN
    table = json.dumps(places).encode()
    made: list[Any] = [_HEAD.pack(MAGIC, VERSION, 0, len(text), len(table)), text, table]
    for array in arrays:
        made += [array.reshape(-1).view(np.uint8), bytes(-array.nbytes % _ALIGN)]
    return b"".join(made)


def _plain(value: Any, arrays: list[np.ndarray]) -> Any:
    """As JSON can spell it, the arrays apart."""
    if isinstance(value, np.ndarray | np.generic):
        array = np.ascontiguousarray(value).reshape(np.shape(value))  # it makes a row of what has no axes
        if array.dtype.kind not in _KINDS:
            raise ValueError(f"an array of {array.dtype} cannot be stored")
        arrays.append(array.astype(array.dtype.newbyteorder("<"), copy=False))
        return {_ARRAY: len(arrays) - 1}
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) and key for key in value):
            raise ValueError("the keys of a state are texts")
        return {key: _plain(inner, arrays) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner, arrays) for inner in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ValueError(f"{type(value).__name__} cannot be stored")


def unpack(data: bytes) -> Any:
    """What `pack` took; arrays are copies, writable, in the byte order of this machine.

    Raises:
        ValueError: it is damaged, or of a version that is not known.
    """
    if len(data) < _HEAD.size:
        raise ValueError("it is cut")
    magic, version, _, text_bytes, table_bytes = _HEAD.unpack_from(data)
    if magic != MAGIC:
        raise ValueError("it does not begin as states do")
    if version != VERSION:
        raise ValueError(f"it is of version {version}, which this fusetrack does not know")
    begin = _HEAD.size + text_bytes
    start = begin + table_bytes
    if start > len(data):
        raise ValueError("it is cut")
    try:
        tree, table = json.loads(data[_HEAD.size : begin]), json.loads(data[begin:start])
        arrays = [_array(data, start, *place) for place in table]
        return _filled(tree, arrays)
    except (TypeError, IndexError, KeyError, RecursionError) as error:
        raise ValueError(f"it holds something else than a state ({error})") from None


def _array(data: bytes, start: int, kind: str, shape: list[int], at: int) -> np.ndarray:
    # The file may come from anywhere: sizes are compared with what is there before memory is asked for.
    if not _TYPE.fullmatch(kind) or not all(type(n) is int and n >= 0 for n in (*shape, at)):
        raise ValueError("an array in it cannot be")
    dtype, count = np.dtype(kind), math.prod(shape)
    if start + at + count * dtype.itemsize > len(data):
        raise ValueError("it is cut")
    found = np.frombuffer(data, dtype, count, start + at) if count else np.zeros(0, dtype)
    return found.reshape(shape).astype(dtype.newbyteorder("="))


def _filled(value: Any, arrays: list[np.ndarray]) -> Any:
    """With the arrays in their places."""
    if isinstance(value, dict):
        if value.keys() == {_ARRAY}:
            return arrays[value[_ARRAY]]
        return {key: _filled(inner, arrays) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, arrays) for inner in value]
    return value
