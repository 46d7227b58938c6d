"""Which tracks merge and split: the table of a run, its words and its reading."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.features import RELATION_DTYPE

RELATIONS_CSV = "merges_and_splits.csv"
RELATION_COLUMNS = ("frame", "time_s", "event", "track", "other_track", "x_px", "y_px")
RELATIONS = {1: "merge", 2: "split"}
MEANINGS = {
    "event": "merge: from this frame on the track shares the detection of the other one; split: from this frame on it "
    "is seen by itself, after a merger with the other one, or it came out of it: that one is its parent",
    "other_track": "of a merger the track with the detection, of a split the parent",
}
"""What the columns mean that tables of tracks have not."""


def read_relations(folder: Path) -> npt.NDArray[Any]:
    """Rows of RELATION_DTYPE of a run's folder, by frame; none where nothing merged or split.

    Raises:
        InputError: a table that is damaged.
    """
    path = folder / RELATIONS_CSV
    kinds = {word: kind for kind, word in RELATIONS.items()}
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [(int(row["frame"]), float(row["time_s"] or math.nan), kinds[row["event"]], int(row["track"]),
                     int(row["other_track"]), float(row["x_px"]), float(row["y_px"]))
                    for row in csv.DictReader(file)]  # fmt: skip
    except FileNotFoundError:
        rows = []
    except (OSError, KeyError, ValueError, TypeError, csv.Error) as error:
        raise InputError(f"{path} is damaged ({error}); remove it, or run the clip once more") from None
    return np.array(rows, RELATION_DTYPE)
