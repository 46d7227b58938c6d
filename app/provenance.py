"""Where results come from: the facts about a clip, a pipeline and a track that go into every summary."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels.param import resolve
from kernels.stage import find_stage
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
        },
        "warnings": list(info.warnings),
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


class TrackStatistics:
    """A few numbers a track, gathered while the rows pass; memory grows with tracks, not with frames."""

    def __init__(self) -> None:
        self._of: dict[int, dict[str, float]] = {}

    def add(self, rows: Tracks) -> None:
        """Take the rows of the next frames."""
        for row in rows[np.isin(rows["state"], (int(State.TENTATIVE), int(State.TRACKED)))].tolist():
            frame, _, track, x, y, vx, vy, sigma, _, state, _ = row
            kept = self._of.get(track)
            if kept is None:
                kept = self._of[track] = {
                    "first": frame, "seen": 0, "x": 0.0, "y": 0.0, "x0": x, "x1": x, "y0": y, "y1": y, "speed": 0.0,
                    "sigma": 0.0, "believed": 0,
                }  # fmt: skip
            kept["last"] = frame
            kept["seen"] += 1
            kept["believed"] = max(kept["believed"], int(state == State.TRACKED))
            kept["x"] += x
            kept["y"] += y
            kept["x0"], kept["x1"] = min(kept["x0"], x), max(kept["x1"], x)
            kept["y0"], kept["y1"] = min(kept["y0"], y), max(kept["y1"], y)
            kept["speed"] = max(kept["speed"], float(np.hypot(vx, vy)))
            kept["sigma"] += sigma

    def facts(self) -> list[dict[str, float]]:
        """One entry a track that was believed, the longest first; px and px/s."""
        believed = [(track, k) for track, k in self._of.items() if k["believed"]]
        believed.sort(key=lambda item: (-item[1]["seen"], item[0]))
        return [
            {
                "track": track, "first_frame": k["first"], "last_frame": k["last"], "seen_frames": k["seen"],
                "mean_x_px": k["x"] / k["seen"], "mean_y_px": k["y"] / k["seen"], "range_x_px": k["x1"] - k["x0"],
                "range_y_px": k["y1"] - k["y0"], "top_speed_px_per_s": k["speed"],
                "mean_sigma_px": k["sigma"] / k["seen"],
            }
            for track, k in believed
        ]  # fmt: skip
