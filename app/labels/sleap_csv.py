"""Labels as SLEAP's analysis table (CSV): a row an animal and frame, of one clip that it does not name.

Columns track, frame_idx, instance.score, then NAME.x, NAME.y, NAME.score of each point. What SLEAP has found is read,
too: points that it is sure of count as labels, as those of DeepLabCut's results do; a point without a score was set by
hand.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.files.atomic import write_bytes
from app.labels.deeplabcut import DIGITS, SURE
from app.labels.labels import LabelledFrame, Labels, labels
from kernels.errors import InputError

ENDING = ".sleap.csv"
HEAD = ("track", "frame_idx", "instance.score")


def is_it(path: Path) -> bool:
    """Whether a table is SLEAP's, by its first row."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return "frame_idx" in next(csv.reader(file), [])
    except (OSError, ValueError, csv.Error):
        return False


def read(path: Path, clip: str | None) -> Labels:
    """The labels of a table.

    Raises:
        InputError: it is none of SLEAP's, or it does not say of which clip it is.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if row]
        head = rows[0]
        number = head.index("frame_idx")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, IndexError, csv.Error):
        raise InputError(f"{path} is no analysis table of SLEAP's (frame_idx, NAME.x, NAME.y, NAME.score)") from None
    if clip is None:
        raise InputError(f"{path} is of the frames of a clip, which it does not name; say with --clip where it is")
    names = [name.removesuffix(".x") for name in head if name.endswith(".x")]
    frames: dict[int, list[np.ndarray[tuple[int, int], np.dtype[np.float64]]]] = {}
    try:
        columns = [(head.index(f"{name}.x"), head.index(f"{name}.y"),
                    head.index(f"{name}.score") if f"{name}.score" in head else -1) for name in names]  # fmt: skip
        for row in rows[1:]:
            values = np.full((len(names), 2), np.nan)
            for k, (x, y, score) in enumerate(columns):
                sure = _number(row[score]) if score >= 0 else math.nan
                if math.isnan(sure) or sure >= SURE:
                    values[k] = _number(row[x]), _number(row[y])
            frames.setdefault(_whole(row[number]), []).append(values)
    except (ValueError, IndexError, OverflowError):
        raise InputError(f"{path} is no analysis table of SLEAP's (frame_idx, NAME.x, NAME.y, NAME.score)") from None
    found = [LabelledFrame(clip, frame, np.stack(animals)) for frame, animals in frames.items()]
    return labels(names, (), found, path)


def _number(text: str) -> float:
    return float(text) if text.strip() else math.nan


def _whole(text: str) -> int:
    value = float(text)
    if value < 0 or value != int(value):
        raise ValueError(text)
    return int(value)


def write(made: Labels, path: Path, pictures: Sequence[str] = ()) -> None:
    """Write CSV; raises InputError where it cannot be written, or labels are of several clips, which it has no room
    for. Pictures are not named in it."""
    del pictures
    if len({frame.source for frame in made.frames}) > 1:
        raise InputError(f"{path.name}: SLEAP's analysis table is of one clip; write the labels of each into a file of "
                         "its own")  # fmt: skip
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*HEAD, *(f"{name}.{part}" for name in made.points for part in ("x", "y", "score"))])
    for frame in made.frames:
        for animal in frame.points.round(DIGITS).tolist():
            places = ["" if math.isnan(value) else f"{value}" for x, y in animal for value in (x, y, math.nan)]
            writer.writerow(["", frame.index, "", *places])
    write_bytes(path, text.getvalue().encode())
