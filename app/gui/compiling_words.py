"""What is said of a pipeline that is used for the first time, whose code takes a while to make."""

from __future__ import annotations

from app.desk.group_names import brief
from kernels.compiling import Compiling


def compiling_words(now: Compiling) -> str:
    """How far it is, for a line.

    >>> compiling_words(Compiling("gray+smooth", 2, 3))
    'compiling 2 of 3 programs'
    >>> compiling_words(Compiling("", 4, 0))
    'compiling, function 4 of stages and trackers'
    """
    return f"compiling {now.number} of {now.count} programs" if now.count else (
        f"compiling, function {now.number} of stages and trackers")  # fmt: skip


def first_use(now: Compiling) -> str:
    """The same where there is room for what it is."""
    what = f": {brief(now.name.split('+'))}" if now.name else ""
    return f"First use: {compiling_words(now)}{what}.\nThe code is kept, so that the next start is quick."
