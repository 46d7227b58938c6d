"""Windows of points: how large they were, and where they measure: a table of a run, its reading, sentences before."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from app.files.atomic import write_bytes
from app.hinting.look import look_at
from app.results import SUMMARY
from kernels.errors import InputError
from pipelines.frame import FrameSource
from pipelines.graph import Bound, BoundTracker
from pipelines.streaming.clip.runner import Runner

Array = npt.NDArray[Any]
WINDOWS_CSV = "windows.csv"
COLUMNS = ("track", "x_px", "y_px", "x_measured_at_x_px", "x_measured_at_y_px", "y_measured_at_x_px",
           "y_measured_at_y_px")  # fmt: skip
FIELDS = ("x_right", "x_down", "y_right", "y_down")
FAR = 0.125
"""Windows between a point and where it is measured, from which on it is said before a run."""
NAMED = 3
"""Points that are named; more are counted."""


def leave_windows(folder: Path, run: Runner, tracks: Sequence[Mapping[str, float]]) -> list[str]:
    """Write where trackers measured their points, that of an earlier run removed; the file's name, if there is one.

    Args:
        folder: of the results.
        run: that is over.
        tracks: entries of `TrackStatistics.facts`: a row a track, places about its mean.

    Raises:
        InputError: the file cannot be written.
    """
    (folder / WINDOWS_CSV).unlink(missing_ok=True)
    rows = run.tracking.tables().get("windows")
    if rows is None or not len(rows):
        return []
    means = {int(one["track"]): (one["mean_x_px"], one["mean_y_px"]) for one in tracks}
    lines = [",".join(COLUMNS)]
    for row in rows:
        mean = means.get(int(row["track"]))
        if mean is not None:
            at = [mean[k % 2] + float(row[name]) for k, name in enumerate(FIELDS)]
            cells = (f"{value:.3f}" if math.isfinite(value) else "" for value in (*mean, *at))
            lines.append(",".join((str(row["track"]), *cells)))
    write_bytes(folder / WINDOWS_CSV, ("\n".join(lines) + "\n").encode())
    return [WINDOWS_CSV]


def read_windows(folder: Path) -> dict[int, Array]:
    """By track where x is measured and where y is, from the point: (2, 2) px; none where a run left no such table.

    Raises:
        InputError: a table that is damaged.
    """
    path = folder / WINDOWS_CSV
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [[float(row[name] or "nan") for name in COLUMNS] for row in csv.DictReader(file)]
    except FileNotFoundError:
        return {}
    except (OSError, KeyError, ValueError, TypeError, csv.Error) as error:
        raise InputError(f"{path} is damaged ({error}); remove it, or run the clip once more") from None
    return {int(row[0]): np.array(row[3:]).reshape(2, 2) - row[1:3] for row in rows}


def subset_of(folder: Path) -> float | None:
    """The side of the windows that a run's points were followed with, px, as its summary tells; None if it does not."""
    try:
        nodes = json.loads((folder / SUMMARY).read_text("utf-8-sig"))["pipeline"]["nodes"]
        return subset_told(node["params"] for node in nodes)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def subset_told(nodes: Iterable[Mapping[str, Any]]) -> float | None:
    """The same of the parameters of a pipeline's nodes: the first that follows points."""
    for params in nodes:
        if "points" in params and isinstance(params.get("window"), int):
            return float(params["window"])
    return None


def measured_at(tracks: Array, places: Array, windows: Mapping[int, Array]) -> Array:
    """Where the motion of each point is measured along x and along y, (P, 2, 2) px; NaN if unknown.

    Args:
        tracks: (P,) their ids.
        places: (P, 2) px, means of where they are.
        windows: by track the places from the point, as from `read_windows`.
    """
    unknown = np.full((2, 2), np.nan)
    apart = [windows.get(track, unknown) for track in tracks.tolist()]
    return np.asarray(places[:, None, :] + np.array(apart).reshape(-1, 2, 2))


def window_hints(
    source: FrameSource, bound: Bound, frames: tuple[int, int], offset: tuple[int, int] = (0, 0)
) -> list[str]:
    """Sentences for each tracker some of whose given points are measured far from where they are, or lie on stripes.

    The tracker begins aside from the run, in the first frame; points that begin later are not looked at.

    Args:
        source: the clip.
        bound: the pipeline that will run.
        frames: first frame and one past the last.
        offset: of the pipeline's picture in the clip's, px.

    Raises:
        BadFrame: the frame cannot be read.
    """
    hints = []
    for tracker in bound.trackers:
        if tracker.params.get("points") and tracker.type.name in ("vibration", "template", "klt"):
            hints += _sentence(source, bound, tracker, frames, offset)
    return hints


def _sentence(
    source: FrameSource, bound: Bound, tracker: BoundTracker, frames: tuple[int, int], offset: tuple[int, int]
) -> list[str]:
    points = cast(tuple[tuple[float, ...], ...], tracker.params["points"])
    numbers = [k for k, point in enumerate(points) if len(point) < 3 or point[2] <= frames[0]]
    # What the tracker would choose besides is not asked for: corners are found in all stages before it.
    pictures = {one.name: tracker.inputs[one.name] for one in tracker.type.inputs if one.kind == "image"}
    look = look_at(source, bound, frames[0], 1, [*pictures.values()])
    inputs = {name: look.values[ref][0] for name, ref in pictures.items() if look.frames}
    shape = next((one.shape[:2] for one in inputs.values() if one.ndim > 1), None)
    if not numbers or shape is None:
        return []
    given = {**tracker.params, "points": tuple(points[k][:2] for k in numbers), "max_points": 0}
    made = tracker.type(given, shape, None)
    made.update(look.frames[0], look.times[0], inputs)
    striped = [(numbers[track], along) for track, along in made.stripes().items()]
    hints = _stripes(tracker, striped, points, offset) if striped else []
    # Corners without `anchor` are not measured against a reference, and have no such places.
    rows, window = made.tables().get("windows", ()), cast(int, tracker.params["window"])
    far = []
    for row in rows:
        # Of the two axes the one that is measured farther away.
        apart, axis = max(((math.hypot(row[f"{axis}_right"], row[f"{axis}_down"]), axis) for axis in "xy"
                           if math.isfinite(row[f"{axis}_right"])), default=(0.0, "x"))  # fmt: skip
        if apart > FAR * window:
            point, right, down = points[numbers[row["track"]]], row[f"{axis}_right"], row[f"{axis}_down"]
            place = f"({point[0] + offset[0] + right:.4g}, {point[1] + offset[1] + down:.4g})"
            far.append((apart, f"{axis} of point {numbers[row['track']]} at {place}, {apart:.2g} px beside it"))
    if not far:
        return hints
    far.sort(key=lambda one: -one[0])
    words = "; ".join(text for _, text in far[:NAMED]) + (f"; {len(far) - NAMED} more" if len(far) > NAMED else "")
    return [*hints,
            f"{tracker.id}: a window measures where its texture is, {len(far)} of {len(rows)} far from the point: "
            f"{words}. Where a surface bends or turns, motion is that of this place: {WINDOWS_CSV} has it of all "
            "points, and `fusetrack shapes` takes it from there"]  # fmt: skip


def _stripes(
    tracker: BoundTracker, striped: Sequence[tuple[int, tuple[float, float]]], points: Sequence[Sequence[float]],
    offset: tuple[int, int],
) -> list[str]:  # fmt: skip
    """Of points (their numbers) whose windows tell nothing of motion along a direction (x, y)."""
    words = []
    for number, (right, down) in striped[:NAMED]:
        degrees = math.degrees(math.atan2(-down, right)) % 180.0
        x, y = points[number][0] + offset[0], points[number][1] + offset[1]
        words.append(f"point {number} at ({x:.4g}, {y:.4g}), whose stripes run at {degrees:.0f} degrees")
    more = f"; {len(striped) - NAMED} more" if len(striped) > NAMED else ""
    return [f"{tracker.id}: the motion along a stripe or an edge cannot be seen in a window that holds nothing else: "
            f"{'; '.join(words)}{more}. sigma_x_px, sigma_y_px and correlation say so; choose points with texture in "
            f"both directions, or a larger {tracker.id}.window{_axis(tracker, [along for _, along in striped])}"]


def _axis(tracker: BoundTracker, stripes: Sequence[tuple[float, float]]) -> str:
    """What to try where things move along one axis alone, by the directions of their stripes (x, y): the axis that
    these cross more steeply; nothing where stripes are followed so already."""
    axis, words = ("y", "up and down") if sum(abs(x) - abs(y) for x, y in stripes) >= 0 else ("x", "left and right")
    settings = {"template": ("stripes", "across"), "vibration": ("along", "auto")}
    name, value = settings.get(tracker.type.name, ("", ""))
    if name and tracker.params[name] != value:
        return ""
    pipeline, setting = ("", f"{tracker.id}.{name}") if name else ("-p template ", "track.stripes")
    return f"; if they move {words} alone, try {pipeline}--set {setting}={axis}"
