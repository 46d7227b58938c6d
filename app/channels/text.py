"""Data channels in text: CSV and what else instruments write, with any delimiter and header."""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from app.channels.channel import SECONDS, Channel, ChannelColumn, Contents, Samples, Values, rising, split_unit
from app.exports.tables import numbers_of
from kernels.errors import InputError

DELIMITERS = ("\t", ";", ",", "|", " ")
"""Delimiters, the most likely first."""
HEAD = 1 << 16
"""Bytes of a file's beginning that are looked at."""
LOOKED, SHOWN = 50, 5
"""Lines that must be numbers for a file to be understood, at most; rows of the preview."""
BLOCK = 1 << 22
"""Bytes that are parsed at once: some hundredths of a second, after which it can be stopped."""
NOTHING = ("", "NaN", "nan", "NAN", "NA", "N/A", "n/a", "null", "-", "--", "---", "∞", "-∞", "inf", "-inf", "Inf",
           "-Inf", "INF", "OVER", "OVLD", "#N/A")  # fmt: skip
"""What files have where nothing was measured."""
_NOTHING = frozenset(NOTHING)
CLOCKS = ("time", "t", "times", "zeit", "temps", "seconds", "x_value", "timestamp", "elapsed", "elapsed_time", "sec")
"""What columns of times are called, without their unit, in lower case."""
_UNITS = {**{name: name for name in SECONDS}, "µs": "us", "μs": "us", "sec": "s", "second": "s", "seconds": "s",
          "milliseconds": "ms", "microseconds": "us"}  # fmt: skip
ALIKE = 0.1
"""Share by which steps of a first column may differ that is taken for times though nothing calls it so."""

Progress = Callable[[float], object]


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where numbers begin.

    Args:
        encoding: of the text. delimiter, decimal: between numbers and in them.
        names: of the columns, () without a header. units: of them, as many.
        skipped: lines before the first numbers. width: fields of a line.
        rows: the first of them.
    """

    encoding: str
    delimiter: str
    decimal: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    skipped: int
    width: int
    rows: tuple[tuple[str, ...], ...]


def look(path: Path, delimiter: str = "", decimal: str = "") -> Contents:
    """What a text file holds; only its beginning is read.

    Args:
        path: of it.
        delimiter, decimal: delimiter between numbers and decimal mark; "" for what is found.

    Raises:
        InputError: it cannot be read, is empty, or no lines of numbers begin in it.
    """
    return _contents(_layout(path, delimiter, decimal))


def _contents(found: _Layout) -> Contents:
    names = found.names or tuple(f"column {k + 1}" for k in range(found.width))
    columns = tuple(ChannelColumn(name, unit) for name, unit in zip(names, found.units, strict=True) if name)
    time, unit = _clock_of(found, columns)
    return Contents("CSV", columns, time, unit, None, -1, found.delimiter, found.decimal, found.rows)


def _clock_of(found: _Layout, columns: Sequence[ChannelColumn]) -> tuple[str, str]:
    """The column that is likely the times, and its unit."""
    plain: dict[str, tuple[str, str]] = {}
    for column in columns:
        name, own = split_unit(column.name)
        word = re.sub(r"[\s-]+", "_", name.strip().lower())
        tail = word.rpartition("_")
        # A unit as a tail: time_ms.
        if not (column.unit or own) and tail[0] and tail[2] in _UNITS:
            word, own = tail[0], tail[2]
        plain.setdefault(word, (column.name, _UNITS.get((column.unit or own).strip(), "")))
    for word in CLOCKS:
        if word in plain:
            return plain[word][0], plain[word][1] or "s"
    # A first column in seconds is the clock whatever it is called.
    for column in columns:
        if column.unit in SECONDS and column is columns[0]:
            return column.name, column.unit
    # Without names, numbers alone decide: a first column of even, rising steps.
    if len(columns) < 2 or found.names:
        return "", "s"
    first = [_number(row[0], found.decimal) for row in found.rows]
    steps = [b - a for a, b in pairwise(first)]
    alike = len(steps) > 1 and min(steps) > 0 and max(steps) - min(steps) <= ALIKE * max(steps)
    return (columns[0].name, "s") if alike else ("", "s")


def read(path: Path, channel: Channel, progress: Progress) -> Samples:
    """All samples of the columns that a channel looks at.

    Args:
        progress: called with the share that is read, now and then; what it raises ends the reading.

    Raises:
        InputError: a column is not there, holds something else than numbers, or the times do not rise.
    """
    layout = _layout(path, channel.delimiter, channel.decimal)
    contents = _contents(layout)
    name = path.name
    columns = contents.chosen(channel, name)
    clock = contents.clock(channel)
    names = layout.names or tuple(column.name for column in contents.columns)
    if clock and clock not in names:
        raise InputError(f"{name} has no column of times {clock!r}; it has {', '.join(filter(None, names))}")
    if not clock and channel.rate is None:
        raise InputError(f"{name} has no column of times; give the sample rate, or say which column it is")
    wanted = list(dict.fromkeys([column.name for column in columns] + ([clock] if clock else [])))
    table, bad = _table(path, layout, names, wanted, progress)
    if not table.num_rows:
        raise InputError(f"{name} holds no samples")
    notes = []
    if bad:
        # Rows are counted for their times: a row left out would shift all behind it.
        if not clock and bad[0] < table.num_rows + layout.skipped:
            raise InputError(f"{name}: line {bad[0] + 1} has another number of fields than the others, so that the "
                             "times of all behind it are unknown; mend it, or take a column of times")  # fmt: skip
        one = len(bad) == 1
        rows = f"line {bad[0] + 1} of {name} has" if one else f"{len(bad)} lines of {name} have"
        notes.append(f"{rows} another number of fields than the others, and {'is' if one else 'are'} left out")
    values = {}
    for column in columns:
        made = numbers_of(path, table.column(column.name))
        empty = int(len(made) - np.count_nonzero(np.isfinite(made)))
        if empty == len(made):
            raise InputError(f"{name}: column {column.name!r} holds no number")
        if empty:
            notes.append(f"{empty} of {len(made)} samples of {column.name} are no numbers; the curve is broken there")
        values[column.name] = made * column.factor if column.factor != 1.0 else made
    if not clock:
        assert channel.rate is not None
        return Samples(values, 0.0, 1.0 / channel.rate, None, tuple(notes))
    # What the user says goes before what the file says.
    unit = SECONDS[channel.time_unit or (contents.time_unit if clock == contents.time else _own_unit(contents, clock))]
    times: Values = numbers_of(path, table.column(clock))
    return Samples(values, *rising(times if unit == 1.0 else times * unit, clock, name), tuple(notes))


def _own_unit(contents: Contents, clock: str) -> str:
    unit = next((column.unit for column in contents.columns if column.name == clock), "")
    return _UNITS.get(unit, "s")


# -------------------------------------------------------------------------------------------------------- parsing


def _table(
    path: Path, layout: _Layout, names: Sequence[str], wanted: list[str], progress: Progress
) -> tuple[Any, list[int]]:
    """pyarrow's table of the columns, and the lines (from 0) that have another number of fields."""
    bad: list[int] = []

    def invalid(row: Any) -> str:
        # pyarrow counts rows from 1, and has no number for them when it reads with several threads.
        bad.append(layout.skipped + row.number - 1 if row.number is not None else -1)
        return "skip"

    # pyarrow wants a name for every field: a NUL, which no header holds, marks those without one.
    fields = [name or f"\0{k}" for k, name in enumerate(names)]
    fields += [f"\0{k}" for k in range(len(fields), layout.width)]
    try:
        with path.open("rb") as file:
            whole = max(1, path.stat().st_size)
            stream = _Lines(file, layout, lambda at: progress(min(1.0, at / whole)))
            reader = pyarrow.csv.open_csv(
                pa.PythonFile(stream, mode="r"),
                # One thread: only so are rows' numbers known.
                pyarrow.csv.ReadOptions(column_names=fields, block_size=BLOCK, use_threads=False),
                pyarrow.csv.ParseOptions(delimiter=layout.delimiter, invalid_row_handler=invalid),
                pyarrow.csv.ConvertOptions(
                    include_columns=wanted, column_types=dict.fromkeys(wanted, pa.float64()), null_values=list(NOTHING),
                    strings_can_be_null=True, decimal_point=layout.decimal,
                ),
            )  # fmt: skip
            return reader.read_all(), bad
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (pa.ArrowException, UnicodeError) as error:
        words = " ".join(str(error).split())
        wrong = re.search(r"conversion error to double: invalid value '(.*?)'", words)
        column = re.search(r"In CSV column #(\d+)", words)
        at = f" in column {fields[int(column[1])]!r}" if column and int(column[1]) < len(fields) else ""
        why = f"{wrong[1][:40]!r}{at} is no number" if wrong else words[:120]
        raise InputError(f"{path.name} cannot be read as samples: {why}") from None


class _Lines(io.RawIOBase):
    """The lines of numbers of a file, as UTF-8 with one delimiter between fields."""

    def __init__(self, file: IO[bytes], layout: _Layout, advance: Progress) -> None:
        super().__init__()
        self._file, self._advance, self._spaced = file, advance, layout.delimiter == " "
        # UTF-8 goes to pyarrow as it is; other encodings are turned into it piece by piece.
        self._decode = codecs.getincrementaldecoder(layout.encoding)("replace") if layout.encoding != "utf-8" else None
        self._read, self._ready, self._rest, self._ended = 0, b"", b"", False
        skipped = layout.skipped
        while skipped > 0 and self._more():
            # Header lines may be longer than a piece.
            lines = self._ready.splitlines(keepends=True)
            if len(lines) <= skipped and not self._ended:
                skipped -= len(lines)
                self._ready = b""
                continue
            self._ready = b"".join(lines[skipped:])
            skipped = 0

    def _more(self) -> bool:
        """Whole lines of the next piece; False at the end."""
        if self._ended:
            return False
        piece = self._file.read(BLOCK)
        self._read += len(piece)
        self._ended = not piece
        self._advance(self._read)
        text = piece if self._decode is None else self._decode.decode(piece, not piece).encode()
        text = self._rest + text
        # Up to the last whole line; a \r at the very end may be the half of \r\n.
        cut = len(text) if self._ended else max(text.rfind(b"\n"), text.rfind(b"\r", 0, -1)) + 1
        self._rest, text = text[cut:], text[:cut]
        if text.startswith(b"\xef\xbb\xbf"):
            text = text[3:]
        # Runs of spaces are one delimiter; pyarrow would see empty fields.
        if self._spaced:
            text = re.sub(rb"(?m)^[ \t]+|[ \t]+(?=\r?$)", b"", text)
            text = re.sub(rb"[ \t]+", b" ", text)
        self._ready += text
        return True

    def readable(self) -> bool:
        """It is for nothing else."""
        return True

    def read(self, size: int = -1) -> bytes:
        """So many bytes, or fewer at the end."""
        while (size < 0 or len(self._ready) < size) and self._more():
            pass
        size = len(self._ready) if size < 0 else size
        made, self._ready = self._ready[:size], self._ready[size:]
        return made


def _layout(path: Path, delimiter: str, decimal: str) -> _Layout:
    """How a file is written.

    Raises:
        InputError: it cannot be read, is empty, or holds no lines of numbers.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    if not head.strip():
        raise InputError(f"{path.name} is empty; it holds no samples")
    encoding, text = _decoded(head)
    if encoding == "utf-8" and "\0" in text:
        raise InputError(f"{path.name} is no text; data channels are text (CSV), WAV or TDMS")
    lines = text.lstrip("\ufeff").splitlines()
    if len(head) == HEAD and len(lines) > 1:
        lines = lines[:-1]  # cut in the middle
    # All pairs of marks are tried: the one with the most columns wins, among equals the likelier delimiter.
    best: tuple[int, int, _Layout] | None = None
    for place, mark in enumerate(DELIMITERS):
        if delimiter and mark != delimiter:
            continue
        rows = [_fields(line, mark) for line in lines]
        for point in (".", ","):
            if mark == point or (decimal and point != decimal):
                continue
            found = _with(rows, encoding, mark, point)
            if found is not None and (best is None or (found.width, -place) > best[:2]):
                best = found.width, -place, found
    if best is None:
        raise InputError(f"{path.name} holds no lines of numbers; a data channel has a row a sample, and a column of "
                         "times or a sample rate")  # fmt: skip
    return best[2]


def _decoded(head: bytes) -> tuple[str, str]:
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if head.startswith(mark):
            return encoding, codecs.getincrementaldecoder(encoding)("replace").decode(head)
    # Instruments on Windows write cp1252; it takes any byte, so it comes last.
    try:
        return "utf-8", codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "cp1252", head.decode("cp1252", "replace")


def _with(rows: Sequence[Sequence[str]], encoding: str, delimiter: str, decimal: str) -> _Layout | None:
    """How lines of these fields read with these marks; None where no numbers come of it."""
    first = _first_numbers(rows, decimal)
    if first is None:
        return None
    width = len(rows[first])
    # The two lines above the numbers that hold anything: names, and perhaps units below them.
    above = [k for k in range(first - 1, -1, -1) if any(cell.strip() for cell in rows[k])][:2]
    names: tuple[str, ...] = ()
    units = [""] * width
    if above and _is_units(rows[above[0]], width) and len(above) == 2 and _is_header(rows[above[1]], width):
        units = [cell.strip().strip("()[]").strip() for cell in rows[above[0]][:width]]
        names = _named(rows[above[1]], width)
    elif above and _is_header(rows[above[0]], width):
        names = _named(rows[above[0]], width)
    if names:
        units = [unit or split_unit(name)[1] for unit, name in zip(units, names, strict=True)]
    shown = tuple(tuple(cell.strip() for cell in row) for row in rows[first : first + SHOWN])
    return _Layout(encoding, delimiter, decimal, names, tuple(units), first, width, shown)


def _fields(line: str, delimiter: str) -> list[str]:
    if delimiter == " ":
        return line.split()
    if '"' in line:
        return next(csv.reader([line], delimiter=delimiter), [])
    return line.split(delimiter)


def _first_numbers(rows: Sequence[Sequence[str]], decimal: str) -> int | None:
    """The first line of those that are numbers with as many fields to the end of what is looked at."""
    for first, row in enumerate(rows):
        if not _is_numbers(row, decimal):
            continue
        behind = [other for other in rows[first : first + LOOKED] if any(cell.strip() for cell in other)]
        alike = sum(len(other) == len(row) and _is_numbers(other, decimal) for other in behind)
        # A line that was damaged or cut does not make a file of numbers something else.
        if alike >= max(1, len(behind) - max(1, len(behind) // 10)) if len(behind) > 1 else len(rows) == first + 1:
            return first
    return None


def _is_numbers(row: Sequence[str], decimal: str) -> bool:
    there = [cell for cell in map(str.strip, row) if cell not in _NOTHING]
    return bool(there) and not any(math.isnan(_number(cell, decimal)) for cell in there)


def _number(cell: str, decimal: str) -> float:
    """NaN where it is none."""
    # float() takes 1_000, which no instrument writes.
    cell = cell.strip()
    # With a decimal comma a point would be a separator of thousands: not guessed.
    if decimal != ".":
        if "." in cell:
            return float("nan")
        cell = cell.replace(decimal, ".")
    try:
        return float(cell) if "_" not in cell else float("nan")
    except ValueError:
        return float("nan")


def _is_header(row: Sequence[str], width: int) -> bool:
    cells = [cell.strip() for cell in row]
    # x == x is False for NaN: not all cells may be numbers.
    return len(cells) >= width and any(cells[:width]) and not all(_number(cell, ".") == _number(cell, ".")
                                                                  for cell in cells if cell)  # fmt: skip


def _is_units(row: Sequence[str], width: int) -> bool:
    cells = [cell.strip() for cell in row][:width]
    return len(cells) == width and any(cells) and all(
        not cell or re.fullmatch(r"[\[(].*[\])]", cell) or (cell in _UNITS and k == 0) or
        (cells[0] in _UNITS and len(cell) <= 8) for k, cell in enumerate(cells))  # fmt: skip


def _named(row: Sequence[str], width: int) -> tuple[str, ...]:
    """Names of the columns, each once; "" for one that has none (a delimiter at the end of each line)."""
    made: list[str] = []
    for k, cell in enumerate(row[:width]):
        name = " ".join(cell.strip().strip('"').split())
        name = name.lstrip("#% ") if k == 0 else name  # of a header that is a comment
        if not name and k < width - 1:
            name = f"column {k + 1}"
        number = 2
        again = name
        while name and again in made:
            again, number = f"{name} {number}", number + 1
        made.append(again)
    return tuple(made)
