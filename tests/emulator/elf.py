"""What a shared library says of itself: its variables, and which line of the source an instruction belongs to.

Sources: the System V ABI (ELF) and the DWARF 4 standard, section 6.2 (line number programs).
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the library: address relative to its base, size in bytes, name of its section."""

    name: str
    address: int
    size: int
    section: str


class Library:
    """A 64-bit little-endian ELF file.

    Attributes:
        end: one past the last address that it occupies, relative to its base.
        variables: named objects.
    """

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        ph_offset, sh_offset = struct.unpack_from("<QQ", data, 32)
        ph_size, ph_count, sh_size, sh_count, names_at = struct.unpack_from("<HHHHH", data, 54)
        loads = [struct.unpack_from("<IIQQQQQQ", data, ph_offset + i * ph_size) for i in range(ph_count)]
        self.end = max(address + size for kind, _, _, address, _, _, size, _ in loads if kind == 1)
        heads = [struct.unpack_from("<IIQQQQIIQQ", data, sh_offset + i * sh_size) for i in range(sh_count)]
        names = data[heads[names_at][4] :]
        labels = [names[head[0] : names.index(b"\0", head[0])].decode() for head in heads]
        body = {label: data[head[4] : head[4] + head[5]]
                for label, head in zip(labels, heads, strict=True) if head[1] != 8}  # fmt: skip
        self.variables = tuple(_variables(body.get(".symtab", b""), body.get(".strtab", b""), labels))
        rows = sorted(_rows(body.get(".debug_line", b"")))
        self._starts = [row[0] for row in rows]
        self._rows = rows

        self._path = path
        self._chains: dict[int, tuple[int, ...]] = {}

    def chain(self, address: int, others: Iterable[int] = ()) -> tuple[int, ...]:
        """Lines of the kernel text that an instruction belongs to: its own, then that of each call inlined around it.

        Needs addr2line for the calls; without it the own line stands alone.

        Args:
            address: relative to the base.
            others: addresses that will be asked for next, so that all are looked up at once.
        """
        if address not in self._chains:
            wanted = sorted({address, *others} - self._chains.keys())
            self._chains.update({each: (self.line(each),) for each in wanted})
            if tool := shutil.which("addr2line") or shutil.which("llvm-addr2line"):
                done = subprocess.run([tool, "-i", "-a", "-e", str(self._path)], input="\n".join(map(hex, wanted)),
                                      capture_output=True, text=True, check=False)  # fmt: skip
                for part in re.split(r"^(?=0x)", done.stdout, flags=re.MULTILINE)[1:]:
                    found = tuple(int(line) for line in re.findall(r"kernel\.cu:(\d+)", part))
                    if found:
                        self._chains[int(part.split("\n")[0], 16)] = found
        return self._chains[address]

    def line(self, address: int) -> int:
        """Line of the instruction at a relative address, 0 where it is not known."""
        index = bisect_right(self._starts, address) - 1
        return self._rows[index][1] if index >= 0 else 0


def _variables(table: bytes, strings: bytes, labels: list[str]) -> list[Variable]:
    out = []
    for name, info, _, section, address, size in struct.iter_unpack("<IBBHQQ", table):
        if info & 15 == 1 and 0 < section < len(labels):
            out.append(Variable(strings[name : strings.index(b"\0", name)].decode(), address, size, labels[section]))
    return out


class _Reader:
    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def take(self, form: str) -> int:
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize(form)
        return int(value)

    def uleb(self) -> int:
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def sleb(self) -> int:
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if byte & 64 else value

    def string(self) -> bytes:
        end = self.data.index(b"\0", self.at)
        value, self.at = self.data[self.at : end], end + 1
        return value


def _rows(data: bytes) -> list[tuple[int, int]]:
    """(address, line) of every row whose file is a kernel's text, and (address, 0) elsewhere."""
    rows: list[tuple[int, int]] = []
    reader = _Reader(data, 0)
    while reader.at < len(data):
        length = reader.take("I")
        end = reader.at + length
        version = reader.take("H")
        if version in (2, 3, 4):
            _program(reader, version, end, rows)
        reader.at = end
    return rows


def _program(reader: _Reader, version: int, end: int, rows: list[tuple[int, int]]) -> None:
    header = reader.take("I")
    start = reader.at + header
    shortest = reader.take("B")
    if version == 4:
        reader.take("B")
    reader.take("B")
    line_base, line_range, opcode_base = reader.take("b"), reader.take("B"), reader.take("B")
    operands = [reader.take("B") for _ in range(opcode_base - 1)]
    while reader.string():
        pass
    files = [b""]
    while name := reader.string():
        files.append(name)
        for _ in range(3):
            reader.uleb()
    reader.at = start
    address, file, line = 0, 1, 1

    def row() -> None:
        rows.append((address, line if file < len(files) and files[file].endswith(b"kernel.cu") else 0))

    while reader.at < end:
        opcode = reader.take("B")
        if opcode >= opcode_base:
            address += (opcode - opcode_base) // line_range * shortest
            line += line_base + (opcode - opcode_base) % line_range
            row()
        elif opcode == 0:
            size = reader.uleb()
            following = reader.at + size
            extended = reader.take("B")
            if extended == 1:  # the sequence ends here
                rows.append((address, 0))
                address, file, line = 0, 1, 1
            elif extended == 2:
                address = reader.take("Q")
            reader.at = following
        elif opcode == 1:
            row()
        elif opcode == 2:
            address += reader.uleb() * shortest
        elif opcode == 3:
            line += reader.sleb()
        elif opcode == 4:
            file = reader.uleb()
        elif opcode == 8:
            address += (255 - opcode_base) // line_range * shortest
        elif opcode == 9:
            address += reader.take("H")
        else:
            for _ in range(operands[opcode - 1]):
                reader.uleb()
