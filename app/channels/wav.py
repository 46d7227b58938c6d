"""Data channels in WAV files: integers of 8 to 32 bits, floats of 32 and 64, any number of channels, RF64."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from app.channels.channel import Channel, ChannelColumn, Contents, Samples, Values
from kernels.errors import InputError

FULL_SCALE = "FS"
"""The unit of integers: shares of full scale, -1 to 1."""
PIECE = 1 << 22
"""Bytes that are read at once."""
_INTEGERS, _FLOATS, _EXTENSIBLE = 1, 3, 0xFFFE
_UNKNOWN = 0xFFFFFFFF
"""The size of a piece whose writer did not come back to say it, or that is in the ds64 piece of an RF64 file."""
_STEREO = ("left", "right")

Progress = Callable[[float], object]


@dataclass(frozen=True, slots=True)
class _Head:
    """Where samples lie: `begin` and `size` (bytes), of so many `channels`, `bits` each, `floats` or integers, `rate`
    times a second; `cut`: the file ends before they do."""

    begin: int
    size: int
    channels: int
    bits: int
    floats: bool
    rate: int
    cut: bool

    @property
    def frame(self) -> int:
        """Bytes of one sample of all channels."""
        return self.channels * self.bits // 8

    @property
    def names(self) -> tuple[str, ...]:
        """Of the channels."""
        return _STEREO if self.channels == 2 else tuple(f"channel {k + 1}" for k in range(self.channels))


def look(path: Path) -> Contents:
    """What a WAV file holds.

    Raises:
        InputError: it cannot be read, is none, or of a kind that holds no plain samples.
    """
    head = _head(path)
    unit = "" if head.floats else FULL_SCALE
    count = head.size // head.frame
    kind = f"{head.bits} bit {'float' if head.floats else 'integer'}"
    notes = (f"{path.name} is cut short; what is there is read ({count} samples)",) if head.cut else ()
    preview = ((f"{head.rate} samples a second", kind),)
    return Contents("WAV", tuple(ChannelColumn(name, unit) for name in head.names), "", "s", float(head.rate), count,
                    preview=preview, notes=notes)  # fmt: skip


def read(path: Path, channel: Channel, progress: Progress) -> Samples:
    """All samples of the columns that a channel looks at; see `app.channels.text.read`."""
    head, contents = _head(path), look(path)
    columns = contents.chosen(channel, path.name)
    count = head.size // head.frame
    if not count:
        raise InputError(f"{path.name} holds no samples")
    values: dict[str, Values] = {column.name: np.empty(count) for column in columns}
    at = 0
    each = max(1, PIECE // head.frame)
    try:
        with path.open("rb") as file:
            file.seek(head.begin)
            while at < count:
                raw = file.read(min(each, count - at) * head.frame)
                # Whole samples of all channels only.
                rows = _samples(raw[: len(raw) // head.frame * head.frame], head)
                if not len(rows):
                    raise InputError(f"{path.name} was cut while it was read")
                for column in columns:
                    values[column.name][at : at + len(rows)] = rows[:, head.names.index(column.name)] * column.factor
                at += len(rows)
                progress(at / count)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    notes = list(contents.notes)
    for name, made in values.items():
        empty = int(count - np.count_nonzero(np.isfinite(made)))
        if empty == count:
            raise InputError(f"{path.name}: {name} holds no number")
        if empty:
            notes.append(f"{empty} of {count} samples of {name} are no numbers; the curve is broken there")
    return Samples(values, 0.0, 1.0 / (channel.rate or head.rate), None, tuple(notes))


def _samples(raw: bytes, head: _Head) -> Values:
    """(n, channels): shares of full scale of integers, values of floats."""
    if head.floats:
        return np.frombuffer(raw, f"<f{head.bits // 8}").astype(np.float64).reshape(-1, head.channels)
    if head.bits == 8:  # these alone have no sign
        made = (np.frombuffer(raw, np.uint8).astype(np.float64) - 128.0) / 128.0
    elif head.bits == 24:
        wide = np.zeros((len(raw) // 3, 4), np.uint8)
        # Into the upper three bytes of an i32: the sign is then where it belongs.
        wide[:, 1:] = np.frombuffer(raw, np.uint8).reshape(-1, 3)
        made = wide.view("<i4")[:, 0] / 2.0**31
    else:
        made = np.frombuffer(raw, f"<i{head.bits // 8}") / 2.0 ** (head.bits - 1)
    return np.asarray(made, np.float64).reshape(-1, head.channels)


def _head(path: Path) -> _Head:
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            return _walk(file, size, path.name)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None


def _walk(file: IO[bytes], whole: int, name: str) -> _Head:
    begin = file.read(12)
    if not begin:
        raise InputError(f"{name} is empty; it holds no samples")
    if len(begin) < 12 or begin[:4] not in (b"RIFF", b"RF64") or begin[8:] != b"WAVE":
        raise InputError(f"{name} is no WAV file, though it is called one")
    form: tuple[int, int, int, int] | None = None  # kind, channels, rate, bits
    long = _UNKNOWN
    # Chunk after chunk: four letters, a size, and a byte of padding where that is odd.
    while len(head := file.read(8)) == 8:
        mark, size = head[:4], struct.unpack("<I", head[4:])[0]
        if mark == b"ds64":
            # RF64: the size of the data does not fit 32 bits and stands here, behind that of the file.
            long = struct.unpack("<Q", (file.read(size)[8:16]).ljust(8, b"\0"))[0]
        elif mark == b"fmt ":
            form = _form(file.read(size), name)
            file.seek(size % 2, 1)
        elif mark == b"data":
            if form is None:
                raise InputError(f"{name} is damaged: its samples come before the chunk that says how they are written")
            kind, channels, rate, bits = form
            at = file.tell()
            size = long if size == _UNKNOWN else size
            # What is there counts; the header may say more where the writer died, or nothing yet.
            there = whole - at
            cut = size > there
            return _Head(at, min(size, there), channels, bits, kind == _FLOATS, rate, cut and size != _UNKNOWN)
        else:
            file.seek(size + size % 2, 1)
    raise InputError(f"{name} is damaged or cut short: it has no piece of samples")


def _form(piece: bytes, name: str) -> tuple[int, int, int, int]:
    if len(piece) < 16:
        raise InputError(f"{name} is damaged: what says how its samples are written is cut short")
    kind, channels, rate, _, _, bits = struct.unpack("<HHIIHH", piece[:16])
    # WAVE_FORMAT_EXTENSIBLE: the kind is the beginning of a GUID.
    if kind == _EXTENSIBLE and len(piece) >= 26:
        kind = struct.unpack("<H", piece[24:26])[0]
    if not (channels and rate):
        raise InputError(f"{name} is damaged: it says {channels} channels and {rate} samples a second")
    if (kind, bits) not in {*((_INTEGERS, bits) for bits in (8, 16, 24, 32)), *((_FLOATS, bits) for bits in (32, 64))}:
        raise InputError(f"{name} holds samples that are compressed or of an odd kind (format {kind}, {bits} bits); "
                         "save it as PCM or float")  # fmt: skip
    return kind, channels, rate, bits
