"""A value with large arrays as one block of bytes, whose arrays are looked at where they lie: nothing is copied.

The rest is a pickle, which runs what it names when it is read: for `ObjectCache` alone, whose files hold machine code
that will be run anyway, and which is writable by the user alone.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from typing import Any

import numpy as np

LINE = 64
"""Bytes: arrays begin at multiples of it, and the block ends at one, so that code may load whole lines."""


def frozen(value: Any) -> bytes:
    """`value` as a block; it must lie at a multiple of `LINE` to be looked at."""
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    parts = [head, *(buffer.raw().tobytes() for buffer in buffers)]
    lengths = np.array([len(parts), *map(len, parts)], np.int64).tobytes()
    return b"".join(part + bytes(-len(part) % LINE) for part in (lengths, *parts))


def thawed(block: memoryview) -> Any:
    """What `frozen` took; its arrays lie in the block, and cannot be written where it cannot.

    Raises:
        ValueError: it is something else.
    """
    try:
        (count,) = np.frombuffer(block, np.int64, 1)
        lengths = np.frombuffer(block, np.int64, count, 8).tolist()
        head, *buffers = _cut(block, [8 * (len(lengths) + 1), *lengths])
        return pickle.loads(head, buffers=buffers)
    except (pickle.UnpicklingError, EOFError, ImportError, AttributeError, IndexError, TypeError) as error:
        raise ValueError("the block is not one that was frozen") from error


def _cut(block: memoryview, lengths: Iterable[int]) -> list[memoryview]:
    """The parts of a block but for its first."""
    found = []
    at = 0
    for length in lengths:
        found.append(block[at : at + length])
        at += -(-length // LINE) * LINE
    return found[1:]
