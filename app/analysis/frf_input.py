"""What points are told beside: a signal with time stamps of its own, or a point of the run itself."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.tables import load_table, numbers_of, plain_name
from kernels.errors import InputError
from pipelines.analysis.clock import on_clock
from pipelines.analysis.series import Series

Array = npt.NDArray[Any]
TIMES = ("time_s", "time", "t_s", "t", "seconds", "time_seconds", "s")
"""Names of a column of times, best first."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What all is beside.

    Args:
        name: of it.
        unit: what a px is divided by in names of columns; "" for a point of the run.
        values: (n,) on the clock of the frames.
        slots: of the points' series, as many.
        limit: Hz up to which it is told.
        own: index of the point and coordinate that it is.
        words: how it is introduced.
    """

    name: str
    unit: str
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
    return Reference(name, "", values, slice(0, len(values)), math.inf, (point, number), name)


def signal_of(
    path: Path, column: str | None, delay: float, start: float, interval: float, count: int
) -> Reference:  # fmt: skip
    """A column of a table on the clock of the frames.

    Args:
        path: CSV (comma, semicolon, tab) or Parquet with a column of times in s.
        column: which; None for the only one beside the times.
        delay: s that are added to its times.
        start, interval, count: of the frames' slots.

    Raises:
        InputError: no such column, values that are no numbers, or no times in common.
    """
    table = load_table(path)
    names = {plain_name(name): name for name in table.column_names}
    clock = next((names[name] for name in TIMES if name in names), None)
    if clock is None:
        raise InputError(f"{path} has no column of times (time_s); its columns are {', '.join(table.column_names)}")
    others: list[str] = [name for name in table.column_names if name != clock]
    chosen = column if column is not None else others[0] if len(others) == 1 else None
    if chosen is None or chosen not in others:
        which = "say which column" if column is None else f"there is no column {column!r}"
        raise InputError(f"{path}: {which} (--column): {', '.join(others) or 'there is none beside the times'}")
    times, values = (numbers_of(path, table.column(name)) for name in (clock, chosen))
    if not (np.isfinite(times).all() and np.isfinite(values).all()):
        raise InputError(f"{path} has rows without a number in {clock} or {chosen}; remove them")
    try:
        made = on_clock(times + delay, values, start, interval, count)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    unit = "".join(letter if letter.isalnum() else "_" for letter in chosen).strip("_")
    words = f"{chosen} of {path.name}, {made.rate:.6g} Hz, in {len(made.values)} of {count} frames"
    return Reference(chosen, unit, made.values, made.slots, made.limit, None, words)
