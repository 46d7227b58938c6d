"""Where results come from: the facts about a clip, a pipeline and a track that go into every summary."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.cautions import compression_hints
from kernels.param import resolve
from kernels.plugins import find_stage
from pipelines.features import State, Tracks
from pipelines.frame import SourceInfo
from pipelines.graph import Node, Pipeline, find_tracker


def source_facts(info: SourceInfo) -> dict[str, Any]:
    """The whole of `info` for a summary, JSON-able."""
    return {
        "name": info.name,
        "kind": info.kind,
        "width_px": info.width,
        "height_px": info.height,
        "frames": info.frames,
        "declared_frames": info.declared_frames,
        "first_number": info.first_number,
        "color": info.format.color,
        "bits": info.format.bits,
        "packing": info.format.packing,
        "time_base": {
            "fps": info.time.fps if info.time.fps > 0 else None,
            "origin": info.time.origin,
            "note": info.time.note,
            "begin_s": info.time.time(0) if info.time.fps > 0 else None,
        },
        "warnings": list(info.warnings),
        "cautions": compression_hints(info),
        "metadata": dict(info.metadata),
        "identity": dict(info.identity),
    }


def pipeline_facts(pipeline: Pipeline) -> dict[str, Any]:
    """Every stage and tracker with all its parameters, defaults included, and the hash over them; JSON-able."""
    nodes = []
    for node in pipeline.members:
        use = node.stage if isinstance(node, Node) else node.tracker
        declared = find_stage(use).params if isinstance(node, Node) else find_tracker(use).params
        inputs = {name: str(ref) for name, ref in node.inputs.items()}
        nodes.append({"id": node.id, "use": use, "inputs": inputs, "params": resolve(declared, node.params, node.id)})
    return {"name": pipeline.name, "summary": pipeline.summary, "hash": pipeline.digest, "nodes": nodes}


_WHOLE = ("first", "last", "seen", "believed")
_SUMS = ("x", "y", "x0", "x1", "y0", "y1", "speed", "sigma")


class TrackStatistics:
    """A few numbers a track, gathered while the rows pass; memory grows with tracks, not with frames."""

    def __init__(self) -> None:
        self._place: dict[int, int] = {}  # of each track in the arrays
        self._whole = {name: np.zeros(64, np.int64) for name in _WHOLE}
        self._of = {name: np.zeros(64) for name in _SUMS}

    def add(self, rows: Tracks) -> None:
        """Take the rows of the next frames."""
        state = rows["state"]
        rows = rows[(state == State.TENTATIVE) | (state == State.TRACKED)]
        if not len(rows):
            return
        place, known = self._place, len(self._place)
        tracks = rows["track"].tolist()
        for track in set(tracks) - place.keys():
            place[track] = len(place)
        at = np.fromiter(map(place.__getitem__, tracks), np.int64, len(tracks))
        self._make_room(len(place))
        whole, of, frames = self._whole, self._of, rows["frame"]
        x, y = np.ascontiguousarray(rows["x"]), np.ascontiguousarray(rows["y"])
        if len(place) > known:  # of what is written twice into one place, NumPy keeps the last: here the first row
            new = np.flatnonzero(at >= known)[::-1]
            whole["first"][at[new]] = frames[new]
            for name, values in (("x0", x), ("x1", x), ("y0", y), ("y1", y)):
                of[name][at[new]] = values[new]
        whole["last"][at] = frames
        whole["believed"][at[rows["state"] == State.TRACKED]] = 1
        np.add.at(whole["seen"], at, 1)
        # One row after the other, so that sums do not depend on how many come at a time.
        np.add.at(of["x"], at, x)
        np.add.at(of["y"], at, y)
        np.add.at(of["sigma"], at, rows["sigma"].astype(np.float64))
        np.fmax.at(of["speed"], at, np.hypot(rows["vx"], rows["vy"]))
        for name, choose, values in (("x0", np.fmin, x), ("x1", np.fmax, x), ("y0", np.fmin, y), ("y1", np.fmax, y)):
            choose.at(of[name], at, values)

    def _make_room(self, tracks: int) -> None:
        room = len(self._of["x"])
        if tracks > room:
            for arrays in (self._whole, self._of):
                for name, old in arrays.items():
                    arrays[name] = np.concatenate((old, np.zeros(max(room, tracks - room), old.dtype)))

    def facts(self) -> list[dict[str, float]]:
        """One entry a track that was believed, the longest first; px and px/s."""
        ids = np.fromiter(self._place, np.int64, len(self._place))
        chosen = np.flatnonzero(self._whole["believed"][: len(ids)])
        chosen = chosen[np.lexsort((ids[chosen], -self._whole["seen"][chosen]))]
        k = {name: values[chosen] for arrays in (self._whole, self._of) for name, values in arrays.items()}
        columns = {
            "track": ids[chosen], "first_frame": k["first"], "last_frame": k["last"], "seen_frames": k["seen"],
            "mean_x_px": k["x"] / k["seen"], "mean_y_px": k["y"] / k["seen"], "range_x_px": k["x1"] - k["x0"],
            "range_y_px": k["y1"] - k["y0"], "top_speed_px_per_s": k["speed"], "mean_sigma_px": k["sigma"] / k["seen"],
        }  # fmt: skip
        return [dict(zip(columns, row, strict=True)) for row in zip(*map(np.ndarray.tolist, columns.values()),
                                                                    strict=True)]  # fmt: skip
