"""Words with marks of bold and colour on the output: shown on a terminal, left out where none reads them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable

_MARK = re.compile(r"\[/?[a-z ]*\]")
_OPEN = "\0"
"""In place of a bracket that is no mark; no word on the command line or in a clip holds one."""


def marked() -> tuple[Callable[[str], object], Callable[[str], str]]:
    """What prints a line of words with marks ("[bold]no tracks[/]"), and what makes others' words safe within them.

    A terminal's lines are printed by rich, which takes a twentieth of a second to load; others plainly.
    """
    if sys.stdout.isatty() or os.environ.get("FORCE_COLOR"):
        from rich.console import Console
        from rich.markup import escape

        return Console(highlight=False, soft_wrap=True, emoji=False).print, escape
    return _plainly, _safe


def _plainly(words: str) -> None:
    print(_MARK.sub("", words).replace(_OPEN, "["))


def _safe(words: str) -> str:
    return words.replace("[", _OPEN)
