"""Labels of SLEAP as JSON, which its older versions saved and its newer ones still read and write.

The skeleton, nodes and videos are those of a project (`app.labels.sleap`); `labels` has the frames with their
`_instances`, in which `_points` are by their places in the list of all nodes. An instance with a score is a prediction,
which is no label. Pixel centres are at integers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app.files.atomic import write_bytes
from app.labels.labels import LabelledFrame, Labels, labels
from app.labels.sleap import about_of, place_of, skeleton_of, videos_of
from kernels.errors import InputError

ENDING = ".sleap.json"
FORMAT = 1


def is_it(path: Path) -> bool:
    """Whether a JSON file is SLEAP's."""
    try:
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and "skeletons" in content and "labels" in content


def read(path: Path, clip: str | None) -> Labels:
    """The labels of a file; raises InputError where it is none of SLEAP's."""
    try:
        content: Any = json.loads(path.read_bytes().decode("utf-8-sig"))
        nodes, names, edges = skeleton_of(content)
        videos = [video["backend"] for video in content["videos"]]
        found = []
        for frame in content["labels"]:
            own = [_points(one["_points"], nodes) for one in frame["_instances"] if "score" not in one]
            if own:
                where = place_of(videos[int(frame["video"])], int(frame["frame_idx"]), path, clip)
                found.append(LabelledFrame(*where, np.stack(own)))
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, OverflowError):
        raise InputError(f"{path} is no file of SLEAP's labels (skeletons, nodes, videos, labels)") from None
    return labels(names, edges, found, path)


def _points(given: Mapping[str, Any], nodes: Sequence[int]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    made = np.full((len(nodes), 2), np.nan)
    for node, point in given.items():
        if point["visible"]:
            made[nodes.index(int(node))] = point["x"], point["y"]
    return made


def write(made: Labels, path: Path, pictures: Sequence[str] = ()) -> None:
    """As `app.labels.sleap.write`."""
    videos, places = videos_of(made, path, pictures)
    frames = [
        {"video": video, "frame_idx": index, "_instances": [
            {"skeleton": 0, "track": None, "_points": {
                str(k): {"x": x, "y": y, "visible": True, "complete": True}
                for k, (x, y) in enumerate(animal.tolist()) if x == x}}
            for animal in frame.points]}
        for frame, (video, index) in zip(made.frames, places, strict=True)
    ]  # fmt: skip
    content = {**about_of(made), "videos": videos, "labels": frames, "format_id": FORMAT}
    write_bytes(path, json.dumps(content, separators=(",", ":")).encode())
