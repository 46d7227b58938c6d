"""Labels as COCO's key points (JSON), which most tools for labels read and write.

https://cocodataset.org/#format-data: `categories[0].keypoints` are the names, `skeleton` pairs counted from 1,
`annotations` have x, y, v a point (v 0: not labelled), `images` the pictures. A picture of a video has its clip and the
number of its frame beside that, under "fusetrack", by how many degrees the picture is turned in which places count, and
an annotation the points that were marked as not visible; this is how labels are kept while they are made. Files
of other programs count in pictures as the clip asks to be shown (`app.labels.turning`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from app.files.atomic import write_bytes
from app.labels.labels import LabelledFrame, Labels, labels, picture
from app.labels.turning import asked_turn
from kernels.errors import InputError

ENDING = ".json"
DIGITS = 4


def read(path: Path, clip: str | None, begun: bool = False) -> Labels:
    """The labels of a file; raises InputError where it is none of COCO's.

    Args:
        begun: as in `labels`.
    """
    try:
        return parsed(path.read_bytes(), path, clip, begun)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None


def parsed(data: bytes, path: Path, clip: str | None, begun: bool = False) -> Labels:
    """The labels of a file's content; see `read`."""
    try:
        content = json.loads(data.decode("utf-8-sig"))
        category = content["categories"][0]
        names = [str(name) for name in category["keypoints"]]
        edges = [(int(a) - 1, int(b) - 1) for a, b in category.get("skeleton", ())]
        images = {image["id"]: image for image in content["images"]}
        places: dict[Any, list[Any]] = {}
        hidden: dict[Any, list[Any]] = {}
        for one in content["annotations"]:
            values = np.array(one["keypoints"], float).reshape(len(names), 3)
            values[~((values[:, 2] > 0) & np.isfinite(values).all(axis=1))] = np.nan
            places.setdefault(one["image_id"], []).append(values[:, :2])
            unseen = set(one.get("fusetrack", {}).get("hidden", ()))
            hidden.setdefault(one["image_id"], []).append([name in unseen for name in names])
        given = {key: _place(images[key], path, clip) for key in places}
        turns = {key: _turn(images[key], given[key][0]) for key in places}
    except InputError:
        raise
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, OverflowError):
        raise InputError(f"{path} is no file of COCO's key points (categories, images, annotations)") from None
    found = [LabelledFrame(*given[key], np.stack(of), np.array(hidden[key], bool), turns[key])
             for key, of in places.items()]  # fmt: skip
    return labels(names, edges, found, path, begun)


def _place(image: Mapping[str, Any], path: Path, clip: str | None) -> tuple[str, int]:
    own = image.get("fusetrack")
    if own is None:
        return picture(str(image["file_name"]), None, path, clip)
    index = own["frame"]
    if not isinstance(index, int) or index < 0:
        raise InputError(f"{path}: {index!r} is no number of a frame")
    try:
        return picture(str(own["clip"]), index, path, clip)
    except InputError:
        with suppress(InputError):  # its clip stayed elsewhere, and its picture came along
            return picture(str(image["file_name"]), None, path, None)
        raise


def _turn(image: Mapping[str, Any], source: str) -> int:
    own = image.get("fusetrack")
    if own is None:
        return asked_turn(source)
    turn = own.get("turn", 0)
    if turn not in (0, 90, 180, 270):
        raise ValueError(turn)
    return int(turn)


def write(made: Labels, path: Path, pictures: Sequence[str] = ()) -> None:
    """Clips are named as seen from the file's folder; raises InputError where it cannot be written.

    Args:
        pictures: of the frames, in their order, as seen from there; () without.
    """
    write_bytes(path, text_of(made, path, pictures).encode())


def text_of(made: Labels, path: Path, pictures: Sequence[str] = ()) -> str:
    """What `write` writes."""
    category = {"id": 1, "name": "animal", "keypoints": list(made.points),
                "skeleton": [[a + 1, b + 1] for a, b in made.edges]}  # fmt: skip
    images: list[Any] = []
    annotations: list[Any] = []
    for number, frame in enumerate(made.frames, 1):
        clip = frame.source
        if not clip.startswith("sim:"):
            clip = Path(os.path.relpath(Path(clip).absolute(), path.absolute().parent)).as_posix()
        name = pictures[number - 1] if pictures else f"{Path(clip).name}#{frame.index}"
        own = {"clip": clip, "frame": frame.index, **({"turn": frame.turn} if frame.turn else {})}
        images.append({"id": number, "file_name": name, "fusetrack": own})
        for a, points in enumerate(frame.points):
            seen = np.isfinite(points[:, :1])
            rows = np.where(seen, np.concatenate((points.round(DIGITS), 2.0 * seen), axis=1), 0.0)
            placed = points[seen[:, 0]] if seen.any() else np.zeros((1, 2))
            (x0, y0), (x1, y1) = placed.min(axis=0).tolist(), placed.max(axis=0).tolist()
            unseen = [] if frame.hidden is None else [made.points[k] for k in np.flatnonzero(frame.hidden[a])]
            annotations.append({
                "id": len(annotations) + 1, "image_id": number, "category_id": 1, "keypoints": rows.ravel().tolist(),
                "num_keypoints": int(seen.sum()), "iscrowd": 0, "area": round((x1 - x0) * (y1 - y0), DIGITS),
                "bbox": [round(value, DIGITS) for value in (x0, y0, x1 - x0, y1 - y0)],
                **({"fusetrack": {"hidden": unseen}} if unseen else {}),
            })  # fmt: skip
    return json.dumps({"images": images, "annotations": annotations, "categories": [category]}, indent=1)
