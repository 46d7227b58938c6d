"""Labels as DeepLabCut keeps them: `CollectedData_NAME.csv`, beside its pictures in `labeled-data/CLIP`.

Header lines scorer, individuals (only of several animals), bodyparts, coords; a row a picture: its path in one field or
in three, then x and y of each point.
"""

from __future__ import annotations

import csv
import io
import math
import re
from pathlib import Path

import numpy as np

from app.exports.atomic import write_bytes
from app.labels.labels import LabelledFrame, Labels, labels, picture
from kernels.errors import InputError

ENDING = ".csv"
SCORER = "fusetrack"
DIGITS = 4


def read(path: Path, clip: str | None) -> Labels:
    """The labels of a file; raises InputError where it is none of DeepLabCut's."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if row]
        heads: dict[str, list[str]] = {}
        while len(heads) < 4 and rows and rows[0][0] in ("scorer", "individuals", "bodyparts", "coords"):
            head = rows.pop(0)
            heads[head[0]] = head
        first = heads["coords"].index("x")
        if set(heads["coords"][first::2]) != {"x"} or len(set(map(len, heads.values()))) > 1:
            raise ValueError(heads)
        names = list(dict.fromkeys(heads["bodyparts"][first:]))
        owners = heads.get("individuals", [""] * len(heads["coords"]))
        animals = list(dict.fromkeys(owners[first:]))
        found = []
        for row in rows:
            points = np.full((len(animals), len(names), 2), np.nan)
            for k in range(first, len(row) - 1, 2):
                place = [float(text) if text.strip() else math.nan for text in row[k : k + 2]]
                points[animals.index(owners[k]), names.index(heads["bodyparts"][k])] = place
            found.append(LabelledFrame(*picture("/".join(filter(None, row[:first])), None, path, clip), points))
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, IndexError, csv.Error):
        raise InputError(f"{path} is no table of DeepLabCut's labels (scorer, bodyparts, coords: x, y)") from None
    return labels(names, (), found, path)


def write(made: Labels, path: Path) -> None:
    """A picture of a clip is called labeled-data/CLIP/imgNNN.png, as DeepLabCut extracts them; the pictures themselves
    are not written. Raises InputError where the file cannot be written."""
    animals = made.animals
    owners = [f"individual{k + 1}" for k in range(animals)]
    heads = [["scorer"], *([["individuals"]] if animals > 1 else []), ["bodyparts"], ["coords"]]
    for owner in owners:
        for name in made.points:
            for coordinate in "xy":
                words = (SCORER, *([owner] if animals > 1 else []), name, coordinate)
                for head, word in zip(heads, words, strict=True):
                    head.append(word)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows(heads)
    width = len(str(max(frame.index for frame in made.frames)))
    for frame in made.frames:
        stem = re.sub(r"[^\w.-]+", "_", Path(frame.source).stem)
        fields = [f"labeled-data/{stem}/img{frame.index:0{width}}.png"]
        for a in range(animals):
            places = frame.points[a] if a < len(frame.points) else np.full((len(made.points), 2), np.nan)
            fields += ["" if math.isnan(value) else f"{round(value, DIGITS)}" for value in places.ravel().tolist()]
        writer.writerow(fields)
    write_bytes(path, text.getvalue().encode())
