"""Names of CUDA text that an inner block declares again: what they mean outside, they do not mean there.

Counters of loops may be used again.
"""

from __future__ import annotations

import re

_DECLARED = re.compile(
    r"(?:^\s*|[(;{]\s*)(?:extern |__shared__ |__align__\(16\) |const |unsigned |signed |long )*"
    r"(?:char|short|int|long|unsigned|float|double|bool|size_t|auto)\b(?: const)?[ *]+(?:const |__restrict__ )*"
    r"(?!(?:char|short|int|long|float|double)\b)(?P<names>\w+(?:, \w+)*)\s*(?=\[|=[^=]|;|,|\)|$)"
)
_MORE = re.compile(r", (\w+) = ")


def shadowed(text: str) -> list[str]:
    """Names that are declared where an outer block of the same kernel has declared them."""
    found: list[str] = []
    for kernel in text.split('extern "C"')[1:]:
        scopes: list[set[str]] = [set()]
        for line in kernel.splitlines():
            code = re.sub(r"\bfor \([^;]*;", "for (;", line.split("//")[0])
            for part in re.split(r"([{}])", code):
                if part == "{":
                    scopes.append(set())
                elif part == "}":
                    scopes.pop()
                else:
                    for name in _names(part):
                        found += [name] * any(name in scope for scope in scopes)
                        scopes[-1].add(name)
    return found


def _names(part: str) -> list[str]:
    made: list[str] = []
    for match in _DECLARED.finditer(part):
        made += match["names"].split(", ")
        rest = part[match.end() :].split(";")[0]
        if "(" not in part[: match.end()]:
            made += _MORE.findall(rest)
    return made
