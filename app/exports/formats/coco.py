"""Tracks as results of COCO's key-point task (JSON), which pycocotools' `loadRes` and FiftyOne read.

A list of {"image_id": frame, "category_id": 1, "track_id": animal, "keypoints": [x1, y1, score1, ...], "score": mean of
the scores of the points that were seen}; a point that was not seen is 0, 0, 0. Places are in px of the picture, pixel
centres at integers, as COCO's own key points are.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from app.exports.poses import poses
from app.exports.table import TrackTable
from app.files.atomic import write_bytes

DIGITS = 3


def write_coco(table: TrackTable, path: Path) -> None:
    """See the module's text; the table is in px, y down."""
    made, found = poses(table), []
    values = np.stack((made.x, made.y, made.score), axis=3)  # (T, A, P, 3)
    placed = np.isfinite(made.x)
    values[~placed] = 0.0
    for t, a in zip(*np.nonzero(placed.any(axis=2)), strict=True):
        score = round(float(made.score[t, a][placed[t, a]].mean()), DIGITS)
        points = np.round(values[t, a].ravel(), DIGITS).tolist()
        found.append({"image_id": int(made.frames[t]), "category_id": 1, "track_id": int(made.animals[a]),
                      "keypoints": points, "score": score})  # fmt: skip
    write_bytes(path, json.dumps(found, separators=(",", ":")).encode())
