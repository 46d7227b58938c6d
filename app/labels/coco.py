"""Labels as COCO's key points (JSON), which most tools for labels read and write.

https://cocodataset.org/#format-data: `categories[0].keypoints` are the names, `skeleton` pairs counted from 1,
`annotations` have x, y, v a point (v 0: not labelled), `images` the pictures. A picture of a video has its clip and the
number of its frame beside that, under "fusetrack"; this is how labels are kept while they are made.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from app.exports.atomic import write_bytes
from app.labels.labels import LabelledFrame, Labels, labels, picture
from kernels.errors import InputError

ENDING = ".json"
DIGITS = 4


def read(path: Path, clip: str | None) -> Labels:
    """The labels of a file; raises InputError where it is none of COCO's."""
    try:
        content = json.loads(path.read_text("utf-8-sig"))
        category = content["categories"][0]
        names = [str(name) for name in category["keypoints"]]
        edges = [(int(a) - 1, int(b) - 1) for a, b in category.get("skeleton", ())]
        images = {image["id"]: image for image in content["images"]}
        places: dict[Any, list[Any]] = {}
        for one in content["annotations"]:
            values = np.array(one["keypoints"], float).reshape(len(names), 3)
            values[~((values[:, 2] > 0) & np.isfinite(values).all(axis=1))] = np.nan
            places.setdefault(one["image_id"], []).append(values[:, :2])
        given = {key: _place(images[key], path, clip) for key in places}
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, OverflowError):
        raise InputError(f"{path} is no file of COCO's key points (categories, images, annotations)") from None
    return labels(names, edges, [LabelledFrame(*given[key], np.stack(found)) for key, found in places.items()], path)


def _place(image: Mapping[str, Any], path: Path, clip: str | None) -> tuple[str, int]:
    own = image.get("fusetrack")
    if own is None:
        return picture(str(image["file_name"]), None, path, clip)
    index = own["frame"]
    if not isinstance(index, int) or index < 0:
        raise InputError(f"{path}: {index!r} is no number of a frame")
    return picture(str(own["clip"]), index, path, clip)


def write(made: Labels, path: Path) -> None:
    """Clips are named as seen from the file's folder; raises InputError where it cannot be written."""
    category = {"id": 1, "name": "animal", "keypoints": list(made.points),
                "skeleton": [[a + 1, b + 1] for a, b in made.edges]}  # fmt: skip
    images: list[Any] = []
    annotations: list[Any] = []
    for number, frame in enumerate(made.frames, 1):
        clip = frame.source
        if not clip.startswith("sim:"):
            clip = Path(os.path.relpath(Path(clip).absolute(), path.absolute().parent)).as_posix()
        name = f"{Path(clip).name}#{frame.index}"
        images.append({"id": number, "file_name": name, "fusetrack": {"clip": clip, "frame": frame.index}})
        for points in frame.points:
            seen = np.isfinite(points[:, :1])
            rows = np.where(seen, np.concatenate((points.round(DIGITS), 2.0 * seen), axis=1), 0.0)
            x0, y0 = np.nanmin(points, axis=0).tolist()
            x1, y1 = np.nanmax(points, axis=0).tolist()
            annotations.append({
                "id": len(annotations) + 1, "image_id": number, "category_id": 1, "keypoints": rows.ravel().tolist(),
                "num_keypoints": int(seen.sum()), "iscrowd": 0, "area": round((x1 - x0) * (y1 - y0), DIGITS),
                "bbox": [round(value, DIGITS) for value in (x0, y0, x1 - x0, y1 - y0)],
            })  # fmt: skip
    content = {"images": images, "annotations": annotations, "categories": [category]}
    write_bytes(path, json.dumps(content, indent=1).encode())
