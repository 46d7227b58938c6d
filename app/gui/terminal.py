"""What is said to the terminal that a window was started from."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress


def print_lines(sentences: Iterable[str]) -> None:
    """One line each. Without a terminal (any more) they are lost: a window closes all the same."""
    for sentence in sentences:
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(f"{sentence}\n")
            sys.stderr.flush()
