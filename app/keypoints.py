"""Which point of which animal each track is, and the tables of a run that say so.

`keypoints.csv` has the columns track, animal, point, name, and `skeleton.csv` the columns animal, point, joined: two
points of an animal that an edge of its skeleton joins. Animals and points count from 0, as they came and as the network
numbers them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.files.atomic import write_bytes
from kernels.errors import InputError

KEYPOINTS_CSV, SKELETON_CSV = "keypoints.csv", "skeleton.csv"
COLUMNS, EDGE_COLUMNS = ("track", "animal", "point", "name"), ("animal", "point", "joined")

IN_AN_EVENT = 1000
"""Tracks that an event of a session tells of, at most: some 20 kB."""


@dataclass(frozen=True, slots=True)
class Keypoints:
    """What a run knows of its tracks as key points.

    Args:
        tracks: (animal, point) of each track.
        names: of the points that have one.
        edges: (animal, point, point) that are joined.
    """

    tracks: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    edges: tuple[tuple[int, int, int], ...] = ()

    def track_names(self) -> dict[int, str]:
        """What each track is called, as far as its point has a name: that, with the animal's number where there are
        several (from 1)."""
        several = len({animal for animal, _ in self.tracks.values()}) > 1
        return {track: f"{self.names[point]} {animal + 1}" if several else self.names[point]
                for track, (animal, point) in self.tracks.items() if self.names.get(point)}  # fmt: skip


def keypoints_of(tables: Mapping[str, Any]) -> Keypoints:
    """What trackers tell (`Tracking.tables`) of their tracks as key points."""
    rows = tables["keypoints"].tolist() if "keypoints" in tables else []
    edges = tables["edges"].tolist() if "edges" in tables else []
    return Keypoints({track: (animal, point) for track, animal, point, _ in rows},
                     {point: name for _, _, point, name in rows if name}, tuple(edges))  # fmt: skip


def keypoint_facts(new: Keypoints, known: Keypoints) -> Iterator[dict[str, Any]]:
    """What is new, as the facts of events of a session (`app.sessions.events.KEYPOINTS`), each short enough for one."""
    tracks = [(track, *which) for track, which in new.tracks.items() if known.tracks.get(track) != which]
    names = [(point, name) for point, name in new.names.items() if known.names.get(point) != name]
    seen = set(known.edges)
    edges = [edge for edge in new.edges if edge not in seen]
    for k in range(0, max(len(tracks), len(names), len(edges)), IN_AN_EVENT):
        part = slice(k, k + IN_AN_EVENT)
        yield {"tracks": tracks[part], "names": dict(names[part]), "edges": edges[part]}


def recorded_keypoints(events: Iterable[Mapping[str, Any]]) -> Keypoints:
    """What such events say together; what is damaged among them is left out."""
    made = Keypoints({}, {}, ())
    for event in events:
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            tracks = {int(track): (int(animal), int(point)) for track, animal, point in event["tracks"]}
            names = {int(point): str(name) for point, name in event["names"].items()}
            edges = [(int(animal), int(a), int(b)) for animal, a, b in event["edges"]]
            made = Keypoints({**made.tracks, **tracks}, {**made.names, **names},
                             tuple(dict.fromkeys((*made.edges, *edges))))  # fmt: skip
    return made


def write_keypoints(folder: Path, tables: Mapping[str, Any]) -> list[str]:
    """Write the tables of a run into the folder of its results, those of an earlier run removed; the files' names.

    Args:
        folder: of the results.
        tables: what the trackers tell (`Tracking.tables`).

    Raises:
        InputError: a file cannot be written.
    """
    made = []
    for name, table, columns in ((KEYPOINTS_CSV, "keypoints", COLUMNS), (SKELETON_CSV, "edges", EDGE_COLUMNS)):
        (folder / name).unlink(missing_ok=True)
        rows = tables.get(table)
        if rows is not None and len(rows):
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(sorted(rows.tolist()))
            write_bytes(folder / name, text.getvalue().encode())
            made.append(name)
    return made


def read_keypoints(folder: Path) -> Keypoints:
    """What the folder of a run's results says; nothing where it has no such tables.

    Raises:
        InputError: a table is damaged.
    """
    rows = _read(folder / KEYPOINTS_CSV, COLUMNS)
    edges = _read(folder / SKELETON_CSV, EDGE_COLUMNS)
    return Keypoints({int(track): (int(animal), int(point)) for track, animal, point, _ in rows},
                     {int(point): name for _, _, point, name in rows if name},
                     tuple((int(animal), int(a), int(b)) for animal, a, b in edges))  # fmt: skip


def _read(path: Path, columns: Sequence[str]) -> list[list[str]]:
    """The rows of a table, whole numbers in all columns but `name`."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            head, *rows = csv.reader(file)
    except FileNotFoundError:
        return []
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"{path} cannot be read: {error}; run the clip again") from None
    numbers = [k for k, name in enumerate(columns) if name != "name"]
    good = all(len(row) == len(columns) and all(re.fullmatch(r"\d{1,9}", row[k]) for k in numbers) for row in rows)
    if tuple(head) != tuple(columns) or not good:
        raise InputError(f"{path} is no table of {', '.join(columns)}; run the clip again")
    return rows
