"""What is being compiled now, for status lines: the first use of a pipeline may compile for many seconds.

Only what is really compiled counts: what is kept on disk is there at once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compiling:
    """One thing that is being compiled.

    Args:
        name: of a program, its stages joined by "+"; "" of a function that a stage or a tracker calls.
        number, count: the program is the `number`-th of `count`; of a function how many were compiled before it in
            this process, and it, and 0.
    """

    name: str
    number: int
    count: int


_LOCK = threading.Lock()
_NOW: list[Compiling] = []  # under way, the one that began first at the front
_PART = threading.local()
_FUNCTIONS = 0


@contextmanager
def part_of(name: str, number: int, count: int) -> Iterator[None]:
    """What this thread compiles meanwhile is the `number`-th of `count` programs."""
    _PART.now = Compiling(name, number, count)
    try:
        yield
    finally:
        _PART.now = None


@contextmanager
def compiling() -> Iterator[None]:
    """Around what really compiles, in any thread."""
    global _FUNCTIONS
    one = getattr(_PART, "now", None)
    with _LOCK:
        if one is None:
            _FUNCTIONS += 1
            one = Compiling("", _FUNCTIONS, 0)
        _NOW.append(one)
    try:
        yield
    finally:
        with _LOCK:
            _NOW.remove(one)


def now() -> Compiling | None:
    """What is being compiled, for the longest time; None for nothing."""
    with _LOCK:
        return _NOW[0] if _NOW else None
