"""Tracks as SLEAP's analysis file (HDF5), which SLEAP, `movement`, SimBA and others read.

Its arrays are stored with their axes reversed, as MATLAB counts them: `tracks` is (animals, 2, points, frames),
`track_occupancy` (frames, animals), `point_scores` (animals, points, frames), `instance_scores` and `tracking_scores`
(animals, frames). Frame k of the arrays is frame k of the clip.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from app.exports.formats.hdf5 import EXTRA, hdf5_image
from app.exports.poses import Poses, poses
from app.exports.table import TrackTable
from app.files.atomic import write_bytes
from app.files.optional import need
from app.files.summary import json_text


def check_sleap(table: TrackTable) -> None:
    """See that it can be written.

    Raises:
        InputError: h5py is missing.
    """
    del table
    need("h5py", "SLEAP's analysis file", EXTRA)


def write_sleap(table: TrackTable, path: Path) -> None:
    """See the module's text; x and y are in the table's units, NaN where nothing was seen."""
    made = poses(table)
    x, y, score = (_from_zero(made, values) for values in (made.x, made.y, made.score))
    placed = np.isfinite(x)
    occupied = placed.any(axis=2)
    count = np.maximum(placed.sum(axis=2), 1)
    video = "" if table.clip is None else str(table.clip)

    def fill(file: Any, stack: ExitStack) -> None:
        del stack
        text = need("h5py", "SLEAP's analysis file", EXTRA).string_dtype("utf-8")
        packed = {"compression": "gzip", "compression_opts": 1} if x.size else {}
        for name, words in (("track_names", made.names), ("node_names", made.points)):
            file.create_dataset(name, data=np.array(words, object), dtype=text)
        names = np.array([[made.points[a], made.points[b]] for a, b in made.edges.tolist()], object).reshape(-1, 2)
        file.create_dataset("edge_names", data=names, dtype=text)
        file.create_dataset("edge_inds", data=made.edges)
        file.create_dataset("tracks", data=np.stack((x, y)).transpose(2, 0, 3, 1), **packed)
        file.create_dataset("track_occupancy", data=occupied.astype(np.uint8), **packed)
        file.create_dataset("point_scores", data=np.where(placed, score, np.nan).transpose(1, 2, 0), **packed)
        mean = np.where(occupied, np.where(placed, score, 0).sum(axis=2) / count, np.nan).T
        file.create_dataset("instance_scores", data=mean, **packed)
        file.create_dataset("tracking_scores", data=np.full(mean.shape, np.nan), **packed)
        for name, value in (("labels_path", ""), ("video_path", video), ("provenance", json_text(table.facts))):
            file.create_dataset(name, data=value, dtype=text)
        file.create_dataset("video_ind", data=0)

    write_bytes(path, hdf5_image(fill, "SLEAP's analysis file", EXTRA))


def _from_zero(made: Poses, values: Any) -> Any:
    """(T, A, P) from frame 0 on: the file does not say which its first frame is."""
    before = int(made.frames[0]) if len(made.frames) else 0
    return np.concatenate([np.full((before, *values.shape[1:]), np.nan), values])
