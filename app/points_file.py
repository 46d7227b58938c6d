"""Points of one's own for trackers, in a table as spreadsheets write it."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from app.path_kinds import Kind, refuse_others
from kernels.errors import InputError

MOST_FRAMES = 2**53
"""Beyond it spreadsheets no longer tell one number from the next."""


_TRACKS = ("track", "track_id", "id", "particle")
"""Columns of tables of things that move, of which the first frame tells the points."""


def read_points(
    path: Path, note: Callable[[str], object], clip: frozenset[str] = frozenset()
) -> tuple[tuple[float, ...], ...]:
    """x and y (px) of the rows of a CSV file, and where it has a column `frame` in which of them each point begins, if
    that is not 0; of a table of tracks the rows of its first frame. `note` is told what of them one may not expect.

    Args:
        clip: names of the clip that they are for, where the file may have a column `clip` that says so of each row.

    Raises:
        InputError: it cannot be read, is no table of points, or has none for the clip.
    """
    refuse_others(path, "a table of points", Kind.TABLE, *((Kind.RUN, Kind.LABELS) if path.is_file() else ()))
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            text = file.read()
        # Spreadsheets put semicolons where a comma is the decimal point.
        mark = max(",;\t", key=text.partition("\n")[0].count)
        reader = csv.DictReader(text.splitlines(keepends=True), delimiter=mark, restval="")
        rows: dict[int, dict[str, str]] = {}
        for row in reader:
            rows[reader.line_num] = _row_of(row, reader.line_num, path)
        if not rows:
            raise InputError(f"{path} holds no points; it needs a header with x_px and y_px, and a row a point")
        names = next(iter(rows.values())).keys()
        if clip and "clip" in names:
            rows = {line: row for line, row in rows.items() if row["clip"].strip() in clip}
            if not rows:
                raise InputError(f"{path} holds no points of {min(clip, key=len)}; its column clip names the clip of "
                                 "each point by its file's name")  # fmt: skip
        x, y = (next((n for n in (f"{axis}_px", axis) if n in names), "") for axis in "xy")
        if not x or not y:
            raise InputError(f"{path} has no columns x_px and y_px; it has {', '.join(map(str, names))}")
        point = "," if mark != "," else "."
        begins = dict.fromkeys(rows, 0)
        if "frame" in names:
            begins = {line: _frame(row, line, point) for line, row in rows.items()}
            if any(name in names for name in _TRACKS):
                first = min(begins.values())
                rows = {line: row for line, row in rows.items() if begins[line] == first}
        points: tuple[tuple[float, ...], ...] = tuple(
            (_number(row, x, line, point), _number(row, y, line, point), *((begins[line],) if begins[line] else ()))
            for line, row in rows.items()
        )
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, csv.Error) as error:
        raise InputError(f"{path} is not a table of points with numbers in every row: {error}") from None
    different = len({begins[line] for line in rows})
    if different > 1:
        note(f"{path}: its {len(points)} points begin in {different} frames, each with its window as it is there (a "
             "table of paths has a column track)")  # fmt: skip
    again, first_of = _again(points)
    if again:
        one = again[0]
        place = ", ".join(f"{value:g}" for value in points[one])
        note(f"{path}: {len(again)} of {len(points)} points lie where another does (point {one} where {first_of[one]} "
             f"does, at {place}; counted from 0); each gets a track of its own")  # fmt: skip
    if "name" in names:
        called = [row["name"] for row in rows.values() if row["name"]]
        again, first_of = _again(called)
        twice = f"; {len(again)} of them are there before, such as {called[again[0]]!r}" if again else ""
        note(f"{path}: the column name is not taken over, tracks are numbered in the order of the points, "
             f"from 0{twice}")  # fmt: skip
    return points


def _row_of(row: dict[str, str], line: int, path: Path) -> dict[str, str]:
    """The row, without empty cells beyond the header's."""
    beyond = row.pop(None, ())  # type: ignore[call-overload]  # where csv puts what the header has no name for
    if any(beyond):
        raise InputError(f"{path} has {len(row) + len(beyond)} cells in line {line} and {len(row)} in its header; "
                         "where a comma is the decimal point, semicolons or tabs part cells")  # fmt: skip
    return row


def _number(row: dict[str, str], name: str, line: int, point: str = ".") -> float:
    """A cell as a finite number; `point`: what is before its decimals.

    Raises:
        ValueError: it is none.
    """
    try:
        value = float(row[name].replace(point, "."))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"line {line} has {row[name]!r} as {name}")
    return value


def _frame(row: dict[str, str], line: int, point: str) -> int:
    """The cell of a frame's number; raises as `_number`."""
    value = _number(row, "frame", line, point)
    if not (0 <= value < MOST_FRAMES and value == int(value)):
        raise ValueError(f"line {line} has {row['frame']!r} as frame; frames are whole numbers from 0 on")
    return int(value)


def _again(values: Sequence[object]) -> tuple[list[int], dict[int, int]]:
    """Which values were there before, and for each place the first one with its value."""
    seen: dict[object, int] = {}
    first = {place: seen.setdefault(value, place) for place, value in enumerate(values)}
    return [place for place, at in first.items() if at != place], first
