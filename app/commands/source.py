"""The generated code of a plan, as text: what `fusetrack plan --source` prints."""

from __future__ import annotations

from collections.abc import Sequence

from kernels.codegen.vector import generate
from kernels.fusion.lower import lower
from kernels.fusion.normal import Unsupported
from kernels.fusion.outline import outline
from pipelines.fusing import Unit, fuse
from pipelines.graph import Bound


def sources(bound: Bound, groups: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """(nodes joined by +, text) of each group of nodes, in order; a text is a whole LLVM module for a CPU.

    It begins with an outline of its loops as comments. What runs on the host or on the reference has a comment only.
    """
    return [(unit.name, _text(unit)) for unit in fuse(bound, groups, bound.taps)]


def _text(unit: Unit) -> str:
    if unit.body.host is not None:
        return _comment(f"{unit.name}: a host function, nothing is generated")
    try:
        rows = lower(unit.body)
        code = generate(unit.body, rows)
    except Unsupported as reason:
        return _comment(f"{unit.name}: runs on the reference back end: {reason}")
    return _comment(f"{unit.name}\n\n{outline(unit.body, rows)}") + "\n" + code.text


def _comment(text: str) -> str:
    return "".join(f"; {line}".rstrip() + "\n" for line in text.splitlines())
