"""Labels as DeepLabCut keeps them: `CollectedData_NAME` as CSV and HDF5, beside its pictures in `labeled-data/CLIP`.

Header lines scorer, individuals (only of several animals), bodyparts, coords; a row a picture: its path in one field or
in three, then x and y of each point. What DeepLabCut has found in a whole clip (x, y, likelihood of each point, a row a
frame, its number first) is read, too: points that it is sure of count as labels of that clip.

The HDF5 files are pandas' (`pandas_hdf5`), read and written with h5py alone.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from app.exports.formats.deeplabcut import KEY
from app.exports.pandas_hdf5 import NumberTable, read_table, write_table
from app.files.atomic import write_bytes
from app.labels.labels import LabelledFrame, Labels, labels, picture
from kernels.errors import InputError

ENDING, HDF5 = ".csv", ".h5"
_WHAT = "DeepLabCut's HDF5"
SCORER = "fusetrack"
DIGITS = 4
SURE = 0.6
"""Likelihood from which on a point that DeepLabCut has found counts; its own plots draw such points (pcutoff)."""
HEADS = ("scorer", "individuals", "bodyparts", "coords")


def read(path: Path, clip: str | None) -> Labels:
    """The labels of a CSV file; raises InputError where it is none of DeepLabCut's."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if row]
        heads: dict[str, list[str]] = {}
        while len(heads) < 4 and rows and rows[0][0] in HEADS:
            head = rows.pop(0)
            heads[head[0]] = head
        first = heads["coords"].index("x")
        if len(set(map(len, heads.values()))) > 1:
            raise ValueError(heads)
        numbers = [[float(text) if text.strip() else math.nan for text in row[first:]] for row in rows]
        wide = len(heads["coords"]) - first
        # Spreadsheets cut empty cells at the end of a row.
        values = np.array([row[:wide] + [math.nan] * (wide - len(row)) for row in numbers]).reshape(-1, wide)
        names = {name: head[first:] for name, head in heads.items()}
        return _labels(names, [tuple(row[:first]) for row in rows], values, path, clip)
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, IndexError, csv.Error):
        raise InputError(f"{path} is no table of DeepLabCut's (scorer, bodyparts, coords: x, y)") from None


def read_hdf5(path: Path, clip: str | None) -> Labels:
    """The labels of an HDF5 file; raises InputError where it is none of DeepLabCut's, or h5py is missing."""
    try:
        made = read_table(path, _WHAT)
        levels = made.levels if set(made.levels) <= set(HEADS) and "coords" in made.levels else ()
        # the layout "table" keeps no names that are read here; the order is always that of the CSV file
        levels = levels or (HEADS if len(made.columns[0]) == 4 else ("scorer", "bodyparts", "coords"))
        heads = dict(zip(levels, map(list, zip(*made.columns, strict=True)), strict=True))
        return _labels(heads, made.index, made.values, path, clip)
    except InputError:
        raise
    except Exception as error:  # libhdf5 and what it reads raise anything
        raise InputError(f"{path} is no HDF5 of DeepLabCut's ({' '.join(str(error).split())[:80]}); where pandas reads "
                         "it, write a table that is read here, too: python -c \"import pandas, sys; "
                         "pandas.read_hdf(sys.argv[1]).to_csv(sys.argv[2])\" IN.h5 OUT.csv") from None  # fmt: skip


def _labels(
    heads: Mapping[str, Sequence[str]],
    index: Sequence[tuple[str, ...]],
    values: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    path: Path,
    clip: str | None,
) -> Labels:
    """The labels of a table.

    Args:
        heads: by HEADS, a word a column.
        index: of each row, a picture's path in one part or in several, or the number of a frame.
        values: (rows, columns).
        path: the file. clip: as in `read_labels`.

    Raises:
        InputError: see `labels` and `picture`.
        ValueError: these are no columns of x and y.
    """
    bodyparts, coords = heads["bodyparts"], heads["coords"]
    owners = heads.get("individuals", [""] * len(coords))
    names, animals = list(dict.fromkeys(bodyparts)), list(dict.fromkeys(owners))
    columns = {key: k for k, key in enumerate(zip(owners, bodyparts, coords, strict=True))}
    if not {"x", "y"} <= set(coords) <= {"x", "y", "likelihood"}:
        raise ValueError(f"columns {sorted(set(coords))}")
    points = np.full((len(values), len(animals), len(names), 2), np.nan)
    for (owner, name, coordinate), k in columns.items():
        if coordinate in "xy":
            points[:, animals.index(owner), names.index(name), "xy".index(coordinate)] = values[:, k]
    # After all places, whatever the order of the columns.
    for (owner, name, coordinate), k in columns.items():
        if coordinate == "likelihood":
            points[~(values[:, k] >= SURE), animals.index(owner), names.index(name)] = np.nan
    frames = [LabelledFrame(*_place(key, path, clip), places) for key, places in zip(index, points, strict=True)]
    return labels(names, (), frames, path)


def _place(key: tuple[str, ...], path: Path, clip: str | None) -> tuple[str, int]:
    """Where the frame of a row is."""
    name = "/".join(filter(None, key))
    if not name.isdecimal():
        return picture(name, None, path, clip)
    if clip is None:
        raise InputError(f"{path} is of the frames of a clip, which it does not name; say with --clip where it is")
    return clip, int(name)


def write(made: Labels, path: Path, pictures: Sequence[str] = ()) -> None:
    """Write CSV; raises InputError where it cannot be written. Pictures are called labeled-data/CLIP/imgNNN.png, as
    DeepLabCut extracts them, whether they are written (`pictures`) or not."""
    del pictures
    table = _table(made, path)
    heads = [[name, *words] for name, words in zip(table.levels, zip(*table.columns, strict=True), strict=True)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows(heads)
    for key, values in zip(table.index, table.values.tolist(), strict=True):
        writer.writerow(["/".join(key), *("" if math.isnan(value) else f"{value}" for value in values)])
    write_bytes(path, text.getvalue().encode())


def write_hdf5(made: Labels, path: Path, pictures: Sequence[str] = ()) -> None:
    """As `write`, as HDF5."""
    del pictures
    write_table(_table(made, path), path, KEY, _WHAT)


def _table(made: Labels, path: Path) -> NumberTable:
    animals, several = made.animals, made.animals > 1
    named = re.fullmatch(r"CollectedData_(.+)", path.stem)
    scorer = named[1] if named else SCORER  # DeepLabCut looks for the file by the name of the scorer in it
    columns = [
        (scorer, *([f"individual{a + 1}"] if several else []), name, coordinate)
        for a in range(animals) for name in made.points for coordinate in "xy"
    ]  # fmt: skip
    values = np.full((len(made.frames), animals, len(made.points), 2), np.nan)
    for row, frame in zip(values, made.frames, strict=True):
        row[: len(frame.points)] = frame.points
    index = [tuple(name.split("/")) for name in picture_names(made)]
    levels = HEADS if several else (HEADS[0], *HEADS[2:])
    return NumberTable(index, columns, values.round(DIGITS).reshape(len(made.frames), -1), levels)


def picture_names(made: Labels) -> list[str]:
    """What the pictures of the labelled frames are called, seen from the folder of a project."""
    width = len(str(max(frame.index for frame in made.frames)))
    found = []
    for frame in made.frames:
        stem = re.sub(r"[^\w.-]+", "_", Path(frame.source).stem)
        found.append(f"labeled-data/{stem}/img{frame.index:0{width}}.png")
    return found
