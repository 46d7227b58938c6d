"""Tracks as DeepLabCut writes its results (CSV).

Header lines scorer, individuals (only of several animals), bodyparts, coords; then a row a frame: its number, and x, y,
likelihood of each point. The likelihood is the score, 0 where nothing was seen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app.exports.columns import DECIMALS
from app.exports.formats.text import rounded, write_text
from app.exports.poses import poses
from app.exports.table import TrackTable

SCORER = "fusetrack"


def write_dlc(table: TrackTable, path: Path) -> None:
    """A point's columns are called as the point is; tracks that are no key points are points of one animal."""
    made = poses(table)
    several = len(made.animals) > 1
    heads = [["scorer"], *([["individuals"]] if several else []), ["bodyparts"], ["coords"]]
    arrays: list[Any] = [made.frames]
    for a, animal in enumerate(made.names):
        for p, point in enumerate(made.points):
            for coordinate in ("x", "y", "likelihood"):
                words = (SCORER, *([animal] if several else []), point, coordinate)
                for head, word in zip(heads, words, strict=True):
                    head.append(word)
            arrays += [rounded(table, made.x[:, a, p]), rounded(table, made.y[:, a, p]),
                       np.round(made.score[:, a, p], DECIMALS)]  # fmt: skip
    write_text(path, [",".join(head) for head in heads], arrays)
