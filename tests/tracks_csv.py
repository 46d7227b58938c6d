"""Tables of tracks as CSV, all rows at once."""

from __future__ import annotations

import os
from pathlib import Path

from app.exports.columns import csv_header, ordered, to_csv
from pipelines.features import Tracks
from pipelines.measures import fields_of


def write_tracks_csv(path: str | os.PathLike[str], tracks: Tracks) -> None:
    """What `app.exports.track_writer` leaves in `tracks.csv` of the same rows, which it takes as they come."""
    Path(path).write_bytes(csv_header(fields_of(tracks)) + to_csv(ordered(tracks)))
