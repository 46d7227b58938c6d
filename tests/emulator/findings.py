"""From the machine's records to sentences and counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tests.emulator.binding import KINDS, Launch, RawFinding
from tests.emulator.elf import Library
from tests.emulator.memory import DeviceMemory
from tests.emulator.report import NOTHING, Finding, Line, Report, Traffic

_SPACES = ("global", "shared", "local")
_OPERATIONS = ("load", "store", "atomic")


@dataclass(frozen=True, slots=True)
class Names:
    """What the addresses of a launch are called."""

    text: str
    kernel: str
    arguments: Sequence[int]
    shared: Sequence[str]
    base: int
    library: Library
    places: Sequence[int]  # relative addresses of the launch's accesses

    def lines(self, where: int) -> tuple[int, ...]:
        """The line, or the lines of a return address: its own, then those of the calls around it."""
        if where < 2**32:
            return (where,)
        return self.library.chain(where - self.base - 1, self.places)

    def line(self, where: int) -> int:
        return self.lines(where)[0]

    def region(self, index: int) -> str:
        if index < len(self.arguments):
            return self._parameter(self.arguments[index])
        name = self.shared[index - len(self.arguments)]
        plain = re.sub(r"^_ZZ.*E\d+([A-Za-z_]\w*?)(_\d+)?$|^(\w+?)\.\d+$", lambda m: m[1] or m[3], name)
        return plain if plain.endswith("memory") else f"shared {plain!r}"

    def _parameter(self, index: int) -> str:
        found = re.search(rf"\b{re.escape(self.kernel.split('<')[0])}\s*\(([^)]*)\)", self.text)
        words = [re.findall(r"\w+", part) for part in found[1].split(",")] if found else []
        name = f" {words[index][-1]!r}" if index < len(words) and words[index] else ""
        return f"argument {index}{name}"


def _place(raw: RawFinding, names: Names) -> str:
    """Where in a region: `4 bytes at byte 12 of argument 1 'out'`."""
    if raw.region < 0:
        return f"{raw.size} bytes outside every array"
    return f"{raw.size} bytes at byte {raw.offset} of {names.region(raw.region)}"


def _lines(lines: Sequence[int]) -> str:
    """`line 12, called from line 40`."""
    return ", called from ".join(f"line {line}" for line in lines)


def _sentence(raw: RawFinding, names: Names) -> str:
    kind, other = KINDS[raw.kind], names.line(raw.other)
    if kind.startswith("race"):
        return f"{_place(raw, names)}; the other access: {_lines(names.lines(raw.other))}"
    if kind == "divergent barrier":
        left = f"{raw.offset} of {raw.size} threads have left the kernel" if raw.offset else ""
        elsewhere = f"other threads wait at line {other}" if other else ""
        return ", ".join(part for part in (left, elsewhere) if part)
    if kind == "inactive lane":
        return f"the value of lane {raw.offset} is asked for, which takes no part" if raw.size else \
            f"lane {raw.offset} is not in its own mask"  # fmt: skip
    if kind == "divergent collective":
        return f"lane {raw.offset} of the mask does not come" + (f"; it waits at line {other}" if other else "")
    if kind == "crash":
        return f"the processor refused an access at {raw.offset & (2**64 - 1):#x} or an operation; check() says where"
    if kind == "endless":
        return f"still running after {raw.offset} s"
    if kind in ("cast overflow", "index overflow", "shift overflow", "division by zero", "assertion"):
        return f"value {raw.offset}" if kind == "index overflow" else "undefined on the device too"
    return _place(raw, names)


def _finding(raw: RawFinding, names: Names) -> Finding:
    kind, lines = KINDS[raw.kind], names.lines(raw.where)
    at = f" at {_lines(lines)}" if lines[0] else ""
    block, thread = tuple(raw.block), tuple(raw.thread)
    who = "" if kind == "unwritten output" else f" (block {block}, thread {thread}, {raw.count} times)"
    what = f"{kind}{at}: {_sentence(raw, names)}{who}"
    return Finding(kind, lines[0], names.line(raw.other), block, thread, what, raw.count, lines[1:])


def report_of(launch: Launch, names: Names, unchecked: Sequence[DeviceMemory]) -> Report:
    """The report of a launch; of an unchecked one the guards around the arrays are looked at."""
    findings = [_finding(launch.findings[i], names) for i in range(launch.n_findings)]
    for index, memory in enumerate(unchecked):
        zero = (0, 0, 0)
        offset = memory.spoiled()
        if offset is not None:
            what = f"out-of-bounds write: byte {offset} of {names.region(index)}, which has {memory.size} bytes"
            findings.append(Finding("out-of-bounds write", 0, 0, zero, zero, what, 1))
        if memory.changed():
            what = f"write to an input: {names.region(index)}"
            findings.append(Finding("write to an input", 0, 0, zero, zero, what, 1))
    lines: dict[tuple[tuple[int, ...], str, str], Traffic] = {}
    for i in range(launch.n_sites):
        site = launch.sites[i]
        key = (names.lines(site.where), _SPACES[site.space], _OPERATIONS[site.operation])
        traffic = Traffic(site.accesses, site.bytes, site.requests, site.transactions, site.ideal)
        lines[key] = lines.get(key, NOTHING) + traffic
    counts = launch.counts
    blocks = launch.grid[0] * launch.grid[1] * launch.grid[2]
    return Report(
        findings=tuple(findings),
        blocks=blocks,
        threads=blocks * launch.block[0] * launch.block[1] * launch.block[2],
        barriers=counts.barriers,
        collectives=counts.collectives,
        atomics=counts.atomics,
        switches=counts.switches,
        lines=tuple(Line(key[0][0], *key[1:], lines[key], key[0][1:]) for key in sorted(lines)),
        sectors_of_blocks=dict(zip(_OPERATIONS, counts.sectors_of_blocks, strict=True)),
        sectors_of_launch=dict(zip(_OPERATIONS, counts.sectors_of_launch, strict=True)),
    )
