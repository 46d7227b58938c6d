"""Labels of SLEAP: its projects (.slp, HDF5), read and written; what its other files have in common with them.

Tables `frames`, `instances` and `points`; names and edges in the attribute `json` of `metadata`, where a node is a
place in the list of all nodes, and an edge's kind is written out once and then counted as jsonpickle does. What a
network predicted is no label. Pixel centres are at integers, before format 1.1 at halves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from app.exports.formats.hdf5 import EXTRA, hdf5_image
from app.files.atomic import write_bytes
from app.files.optional import need
from app.labels.labels import LabelledFrame, Labels, labels, picture, project_of
from kernels.errors import InputError

ENDING = ".slp"
_WHAT = "SLEAP's project"
USER = 0
"""An instance's kind where its points were set by hand."""
HALVES = 1.1
"""Format before which pixel centres were at halves."""
BODY, SYMMETRY = 1, 2
"""Kinds of edges."""
FORMAT = 1.2
FRAME = np.dtype([("frame_id", "u8"), ("video", "u4"), ("frame_idx", "u8"), ("instance_id_start", "u8"),
                  ("instance_id_end", "u8")])  # fmt: skip
INSTANCE = np.dtype([("instance_id", "i8"), ("instance_type", "u1"), ("frame_id", "u8"), ("skeleton", "u4"),
                     ("track", "i4"), ("from_predicted", "i8"), ("score", "f4"), ("point_id_start", "u8"),
                     ("point_id_end", "u8"), ("tracking_score", "f4")])  # fmt: skip
POINT = np.dtype([("x", "f8"), ("y", "f8"), ("visible", "?"), ("complete", "?")])


def read(path: Path, clip: str | None) -> Labels:
    """The labels of a project; raises InputError where it is none, or h5py is missing."""
    h5py = need("h5py", _WHAT, EXTRA)
    try:
        with h5py.File(path, "r") as file:
            about = json.loads(file["metadata"].attrs["json"])
            half = 0.5 if float(file["metadata"].attrs.get("format_id", FORMAT)) < HALVES else 0.0
            videos = [json.loads(text)["backend"] for text in file["videos_json"][()]]
            frames, instances, points = (file[name][()] for name in ("frames", "instances", "points"))
        _, names, edges = skeleton_of(about)
        found = []
        for frame in frames:
            own = instances[int(frame["instance_id_start"]) : int(frame["instance_id_end"])]
            places = []
            for one in own[own["instance_type"] == USER]:
                rows = points[int(one["point_id_start"]) : int(one["point_id_end"])]
                place = np.stack((rows["x"], rows["y"]), axis=1).astype(float) - half
                # A point that was not visible has no place.
                places.append(np.where(rows["visible"][:, None], place, np.nan))
            if places:
                where = place_of(videos[int(frame["video"])], int(frame["frame_idx"]), path, clip)
                found.append(LabelledFrame(*where, np.stack(places).reshape(-1, len(names), 2)))
    except InputError:
        raise
    except Exception as error:  # libhdf5 and what it reads raise anything
        raise InputError(f"{path} is no project of SLEAP's ({' '.join(str(error).split())[:80]})") from None
    return labels(names, edges, found, path)


def skeleton_of(about: Any) -> tuple[list[int], list[str], list[tuple[int, int]]]:
    """The first skeleton of a project: its points as places in the list of all nodes, their names, its edges."""
    skeleton = about["skeletons"][0]
    nodes = [int(node["id"]) for node in skeleton["nodes"]]
    return nodes, [str(about["nodes"][node]["name"]) for node in nodes], _edges(skeleton["links"], nodes)


def place_of(backend: Any, index: int, path: Path, clip: str | None) -> tuple[str, int]:
    """Where a frame is: in a video, or a picture of a list."""
    name, listed = str(backend.get("filename", "")), backend.get("filenames") or ()
    if listed:  # with a clip, the number of the frame is in the picture's name
        return picture(str(listed[index]), None, path, clip)
    if clip is None and name in (".", ""):
        raise InputError(f"{path} holds its pictures itself; say with --clip of which clip they are")
    return picture(name, index, path, clip)


def _edges(links: Any, nodes: list[int]) -> list[tuple[int, int]]:
    """The edges of a body; jsonpickle writes a kind whole once, then by how many it had written before ("py/id")."""
    kinds: list[int] = []
    found = []
    for link in links:
        kind = link["type"]
        if "py/reduce" in kind:
            kinds.append(int(kind["py/reduce"][1]["py/tuple"][0]))
            value = kinds[-1]
        else:
            value = kinds[int(kind["py/id"]) - 1]
        if value == BODY:
            found.append((nodes.index(int(link["source"])), nodes.index(int(link["target"]))))
    return found


def about_of(made: Labels) -> dict[str, Any]:
    """What a project says of itself but for its videos and labels."""
    whole = {"py/reduce": [{"py/type": "sleap.skeleton.EdgeType"}, {"py/tuple": [BODY]}]}
    links = [{"edge_insert_idx": k, "key": 0, "source": a, "target": b, "type": {"py/id": 1} if k else whole}
             for k, (a, b) in enumerate(made.edges)]  # fmt: skip
    return {
        "version": "2.0.0", "videos": [], "tracks": [], "suggestions": [], "negative_anchors": {}, "provenance": {},
        "nodes": [{"name": name, "weight": 1.0} for name in made.points],
        "skeletons": [{"directed": True, "graph": {"name": "animal", "num_edges_inserted": len(made.edges)},
                       "links": links, "multigraph": True, "nodes": [{"id": k} for k in range(len(made.points))]}],
    }  # fmt: skip


def videos_of(made: Labels, path: Path, pictures: Sequence[str]) -> tuple[list[Any], list[tuple[int, int]]]:
    """The videos of a project, and of each labelled frame which video it is of and the number of the frame in it.

    Args:
        pictures: as `write` takes them; lists of them are the videos then.
    """
    videos = list(dict.fromkeys(frame.source for frame in made.frames))
    names = [[one for one, frame in zip(pictures, made.frames, strict=bool(pictures)) if frame.source == video]
             for video in videos]  # fmt: skip
    project = project_of(path)
    backends = [{"backend": {
        "type": "MediaVideo", "filename": _absolute(name), "grayscale": None, "bgr": True} if not of else {
        "type": "ImageVideo", "filename": str(project / of[0]), "filenames": [str(project / one) for one in of],
        "grayscale": None}} for name, of in zip(videos, names, strict=True)]  # fmt: skip
    seen, places = [0] * len(videos), []
    for frame in made.frames:
        # Pictures are counted within their list, frames of a clip as the clip counts.
        video = videos.index(frame.source)
        places.append((video, seen[video] if pictures else frame.index))
        seen[video] += 1
    return backends, places


def write(made: Labels, path: Path, pictures: Sequence[str] = ()) -> None:
    """A project that SLEAP opens; raises InputError where it cannot be written, or h5py is missing.

    Args:
        pictures: of the frames, as seen from the project's folder: they take the place of the clips. () without.
    """
    videos, places = videos_of(made, path, pictures)
    frames: list[Any] = []
    instances: list[Any] = []
    points: list[Any] = []
    for number, (frame, (video, index)) in enumerate(zip(made.frames, places, strict=True)):
        begin = len(instances)
        for animal in frame.points:
            first, end = len(points), len(points) + len(animal)
            # No track and no predicted instance: -1.
            instances.append((len(instances), USER, number, 0, -1, -1, 0.0, first, end, 0.0))
            points += [(x, y, x == x, x == x) for x, y in animal.tolist()]  # seen, if placed
        frames.append((number, video, index, begin, len(instances)))
    about, backends = about_of(made), [json.dumps(video) for video in videos]

    def fill(file: Any, stack: ExitStack) -> None:
        del stack
        text = need("h5py", _WHAT, EXTRA).string_dtype("utf-8")
        head = file.create_group("metadata")
        head.attrs["format_id"] = FORMAT
        head.attrs["json"] = np.bytes_(json.dumps(about, separators=(",", ":")).encode())
        file.create_dataset("videos_json", data=np.array(backends, object), dtype=text)
        # Datasets that a project has, though there is nothing in them.
        for name in ("tracks_json", "suggestions_json"):
            file.create_dataset(name, shape=(0,), maxshape=(None,), dtype=text)
        file.create_dataset("frames", data=np.array(frames, FRAME))
        file.create_dataset("instances", data=np.array(instances, INSTANCE))
        file.create_dataset("points", data=np.array(points, POINT))
        file.create_dataset("pred_points", data=np.zeros(0, [*POINT.descr, ("score", "<f8")]))

    write_bytes(path, hdf5_image(fill, _WHAT, EXTRA))


def _absolute(source: str) -> str:
    return source if re.match(r"\w{2,}:", source) else str(Path(source).absolute())
