"""Which symbols an object file wants from elsewhere: ELF, Mach-O and COFF, 64 bits, little-endian."""

from __future__ import annotations

import struct


def machine_of(obj: bytes) -> str:
    """The format and the processor that an object file is for."""
    if obj[:4] == b"\x7fELF":
        return f"elf {struct.unpack_from('<H', obj, 18)[0]}"
    if obj[:4] == b"\xcf\xfa\xed\xfe":
        return f"mach-o {struct.unpack_from('<I', obj, 4)[0]:#x}"
    return f"coff {struct.unpack_from('<H', obj)[0]:#x}"


def undefined(obj: bytes) -> set[str]:
    """The names of external symbols that the file does not define."""
    if obj[:4] == b"\x7fELF":
        return _elf(obj)
    return _mach(obj) if obj[:4] == b"\xcf\xfa\xed\xfe" else _coff(obj)


def _name(obj: bytes, at: int) -> str:
    return obj[at : obj.index(b"\0", at)].decode()


def _elf(obj: bytes) -> set[str]:
    start, size, count = struct.unpack_from("<Q", obj, 40)[0], *struct.unpack_from("<HH", obj, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", obj, start + i * size) for i in range(count)]
    found = set()
    for section in sections:
        if section[1] != 2:  # symbols
            continue
        names = sections[section[6]][4]
        for at in range(section[4] + 24, section[4] + section[5], 24):
            name, _, _, home = struct.unpack_from("<IBBH", obj, at)
            if home == 0:
                found.add(_name(obj, names + name))
    return found


def _mach(obj: bytes) -> set[str]:
    at, found = 32, set()
    for _ in range(struct.unpack_from("<I", obj, 16)[0]):
        kind, size, symbols, count, names, _ = struct.unpack_from("<IIIIII", obj, at)
        if kind == 2:
            for i in range(count):
                name, type_ = struct.unpack_from("<IB", obj, symbols + 16 * i)
                if type_ & 0x0F == 1:  # external, in no section
                    found.add(_name(obj, names + name).removeprefix("_"))
        at += size
    return found


def _coff(obj: bytes) -> set[str]:
    symbols, count = struct.unpack_from("<II", obj, 8)
    names, found, i = symbols + 18 * count, set(), 0
    while i < count:
        at = symbols + 18 * i
        value, home, _, kind, more = struct.unpack_from("<IhHBB", obj, at + 8)
        if home == 0 and kind == 2 and value == 0:
            zero, offset = struct.unpack_from("<II", obj, at)
            found.add(_name(obj, names + offset) if zero == 0 else obj[at : at + 8].rstrip(b"\0").decode())
        i += 1 + more
    return found
