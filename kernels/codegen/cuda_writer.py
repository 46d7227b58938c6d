"""CUDA text in the making: lines, blocks, small words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager


class Writer:
    """Lines with the indent of the block in which they stand."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def line(self, text: str = "") -> None:
        """One line; an empty one without text."""
        self.lines.append("    " * self.depth + text if text else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """`head { ... }`; without a head only the braces."""
        self.line(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.line("}")


def up(value: int, step: int) -> int:
    """`value` rounded up to a multiple of `step`."""
    return -(-value // step) * step


def signed(value: int) -> str:
    """What is added to an index: " + 3", " - 3" or nothing."""
    return f" + {value}" if value > 0 else f" - {-value}" if value else ""


def word(prefix: str, name: str) -> str:
    """A name of C from one of ours."""
    return f"{prefix}_{re.sub(r'[^A-Za-z0-9]+', '_', name)}"
