"""Points and scales of a batch: one for all clips, or each clip its own from a table or a folder."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from app.exports.scale import parse_scale
from app.points_file import read_points
from kernels.errors import InputError

TABLE = (".csv", ".tsv", ".txt")


def points_of(given: str, clip: str, name: str) -> tuple[tuple[float, ...], ...]:
    """The points of a clip.

    Args:
        given: a table of points for all clips; one with a column `clip`; or a folder with a table a clip, CLIP.csv.
        clip, name: path of the clip, and what it is called in the batch.

    Raises:
        InputError: the clip has none, or they cannot be read.
    """
    place = Path(given)
    if place.is_dir():
        for stem in dict.fromkeys((Path(name).name, Path(name).stem, Path(clip).name, Path(clip).stem)):
            if (place / f"{stem}.csv").is_file():
                return read_points(place / f"{stem}.csv", lambda _: None)
        raise InputError(f"{place} holds no points of {name}: no {Path(name).stem}.csv")
    return read_points(place, lambda _: None, _names(clip, name))


def scale_of(given: str, clip: str, name: str) -> str:
    """How long a pixel of a clip is, as --scale takes it.

    Args:
        given: a scale for all clips, or a table with columns clip and scale.
        clip, name: as `points_of` takes them.

    Raises:
        InputError: the clip has none, or it is no scale.
    """
    if not is_table(given):
        parse_scale(given)
        return given
    rows = _rows(Path(given))
    if not rows or not {"clip", "scale"} <= rows[0].keys():
        raise InputError(f"{given} has no columns clip and scale, such as shot1.cine,0.12 mm/px")
    found = [row["scale"] for row in rows if row["clip"] in _names(clip, name)]
    if not found:
        raise InputError(f"{given} holds no scale of {name}; its column clip names the clip, by its file's name")
    parse_scale(found[0])
    return str(found[0])


def is_table(given: str) -> bool:
    """Whether a scale is given by a table."""
    return Path(given).suffix.lower() in TABLE


def _names(clip: str, name: str) -> frozenset[str]:
    return frozenset((clip, name, Path(name).name, Path(name).stem, Path(clip).name, Path(clip).stem))


def _rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a CSV file, names in lower case."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            text = file.read()
        mark = max(",;\t", key=text.partition("\n")[0].count)
        reader = csv.DictReader(text.splitlines(keepends=True), delimiter=mark, restval="")
        return [{str(key).strip().lower(): str(value).strip() for key, value in row.items()} for row in reader]
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
