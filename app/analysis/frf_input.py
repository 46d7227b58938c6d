"""What points are compared with: a signal with time stamps of its own, or a point of the run itself."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.tables import column_names, load_table, numbers_of, plain_name
from kernels.errors import InputError
from pipelines.analysis.clock import on_clock
from pipelines.analysis.series import Series

Array = npt.NDArray[Any]
MEASURE = re.compile(r".*[\[(]\s*([^\[\]()]+?)\s*[\])]\s*")
"""A name that ends with its unit: force (N), acceleration [m/s^2]."""
TIMES = ("time_s", "time", "t_s", "t", "seconds", "time_seconds", "s")
"""Names of a column of times, best first."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A column of a table that drives the structure; as the options `--input`, `--column` and `--delay` (s).

    `held` are the table's columns by name where it is no file, and `path` is then what errors call it.
    """

    path: Path
    column: str | None = None
    delay: float = 0.0
    held: Mapping[str, Array] | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """What all is beside.

    Args:
        name: of it.
        unit: what a px is divided by in names of columns; "" for a point of the run.
        measure: the same in words: N of the column "force (N)", all of a name that tells no unit so.
        values: (n,) on the clock of the frames.
        slots: of the points' series, as many.
        limit: Hz up to which it is evaluated.
        own: index of the point and coordinate that it is.
        words: how it is introduced.
    """

    name: str
    unit: str
    measure: str
    values: Array
    slots: slice
    limit: float
    own: tuple[int, int] | None
    words: str


def point_of(text: str, series: Series) -> Reference:
    """The point and coordinate that `--reference` names: TRACK, TRACK:x or TRACK:y; without one the livelier.

    Raises:
        InputError: there is none.
    """
    word, colon, axis = text.partition(":")
    if not re.fullmatch(r"\s*[0-9]{1,10}\s*", word) or (colon and axis not in ("x", "y")):
        raise InputError(f"--reference takes a track, or one of its axes, such as 3 or 3:y, not {text!r}")
    place = np.flatnonzero(series.tracks == int(word))
    if not len(place):
        raise InputError(f"--reference {word}: there is no such track among the {len(series.tracks)} points that were "
                         "seen throughout")  # fmt: skip
    point = int(place[0])
    number = "xy".index(axis) if colon else int(np.argmax(series.places[point].var(axis=1)))
    values, name = series.places[point, number], f"track {word} {'xy'[number]}"
    return Reference(name, "", "", values, slice(0, len(values)), math.inf, (point, number), name)


def drivers_of(path: Path) -> list[str]:
    """The columns of a table that a `Signal` may be: all beside the times. No row is read.

    Raises:
        InputError: no table, no column of times, or none beside it.
    """
    names = column_names(path)
    clock = _clock(path, names)
    found = [name for name in names if name != clock]
    if not found:
        raise InputError(f"{path} has no column beside the times ({clock})")
    return found


def _clock(path: Path, names: list[str]) -> str:
    plain = {plain_name(name): name for name in names}
    clock = next((plain[name] for name in TIMES if name in plain), None)
    if clock is None:
        raise InputError(f"{path} has no column of times (time_s); its columns are {', '.join(names)}")
    return clock


def signal_of(signal: Signal, start: float, interval: float, count: int) -> Reference:
    """A column of a table on the clock of the frames.

    Args:
        signal: the table, CSV (comma, semicolon, tab) or Parquet with a column of times in s; which column, None for
            the only one beside the times; and what is added to the times, s.
        start, interval, count: of the frames' slots.

    Raises:
        InputError: no such column, values that are no numbers, or no times in common.
    """
    path, column = signal.path, signal.column
    table: Any = load_table(path) if signal.held is None else None
    names = table.column_names if signal.held is None else [*signal.held]
    clock = _clock(path, names)
    others: list[str] = [name for name in names if name != clock]
    chosen = column if column is not None else others[0] if len(others) == 1 else None
    if chosen is None or chosen not in others:
        which = "say which column" if column is None else f"there is no column {column!r}"
        raise InputError(f"{path}: {which} (--column): {', '.join(others) or 'there is none beside the times'}")
    times, values = ((numbers_of(path, table.column(name)) if signal.held is None
                      else np.asarray(signal.held[name], np.float64)) for name in (clock, chosen))  # fmt: skip
    if not (np.isfinite(times).all() and np.isfinite(values).all()):
        raise InputError(f"{path} has rows without a number in {clock} or {chosen}; remove them")
    try:
        made = on_clock(times + signal.delay, values, start, interval, count)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    unit = "".join(letter if letter.isalnum() else "_" for letter in chosen).strip("_")
    words = f"{chosen} of {path.name}, {made.rate:.6g} Hz, in {len(made.values)} of {count} frames"
    named = MEASURE.fullmatch(chosen)
    return Reference(chosen, unit, named[1] if named else unit, made.values, made.slots, made.limit, None, words)
