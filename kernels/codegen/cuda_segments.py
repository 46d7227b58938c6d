"""Statements of a lane cut into runs that each need few windows of a tile in registers.

A column of 25 rows under 4 lanes would hold 100 registers at once if every lane went through all of it before the
next: ptxas does not always find the order that needs few. So all lanes take a few rows, then the next few.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from kernels.codegen.cuda_lane import Window

MOST_WINDOWS = 6
"""Windows that are loaded before one run; a statement that needs more has a run of its own."""

_DEFINED = re.compile(r"const (\w+(?: \w+)?) (v\d+) = ")


@dataclass(slots=True)
class Segment:
    """A run: what is declared and loaded before it, and the statements of a lane."""

    statements: list[str] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)


def segments(statements: Sequence[str], windows: Sequence[Window], lanes: int) -> list[Segment]:
    """The runs of `statements`; what a later run needs of an earlier one becomes an array over the lanes."""
    names = {window.name: window for window in windows}
    parts = [Segment()] if statements else []
    loaded: set[str] = set()
    for unit in _units(statements):
        used = [n for n in dict.fromkeys(re.findall(r"\b\w+_v\d+\b", "\n".join(unit))) if n in names]
        new = [n for n in used if n not in loaded]
        if parts[-1].windows and len(parts[-1].windows) + len(new) > MOST_WINDOWS and new:
            parts.append(Segment())
        parts[-1].statements += unit
        parts[-1].windows += [names[n] for n in new]
        loaded.update(new)
    _carry(parts, lanes)
    return parts


def _units(statements: Sequence[str]) -> list[list[str]]:
    """Statements of the outermost level, blocks whole."""
    units: list[list[str]] = []
    open_ = 0
    for text in statements:
        if open_:
            units[-1].append(text)
        else:
            units.append([text])
        open_ += text.count("{") - text.count("}")
    return units


def _carry(parts: Sequence[Segment], lanes: int) -> None:
    for i, part in enumerate(parts[:-1]):
        later = "\n".join(s for other in parts[i + 1 :] for s in other.statements)
        for k, text in enumerate(part.statements):
            made = _DEFINED.match(text)
            if made is None or not re.search(rf"\b{made[2]}\b", later):
                continue
            part.declared.append(f"{made[1]} {made[2]}[{lanes}];")
            part.statements[k] = text[len("const ") + len(made[1]) + 1 :]
            for other in parts[i:]:
                other.statements[:] = [re.sub(rf"\b{made[2]}\b(?!\[j\])", f"{made[2]}[j]", s) for s in other.statements]
