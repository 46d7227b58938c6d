"""Key points of which a network is less sure than is asked."""

from __future__ import annotations

import numpy as np

from app.hinting.look import Look, nodes_of, number
from pipelines.graph import Bound, BoundTracker, Ref

PART = 0.5
"""Of the highest score of a frame, or of the highest that maps reach: what is asked instead, so that most pass."""


def maps_of(bound: Bound) -> list[Ref]:
    """The heat maps in which peaks are looked for."""
    return [node.inputs[0] for node in nodes_of(bound, "heatmap_peaks") if node.inputs[0] is not None]


def unsure(bound: Bound, tracker: BoundTracker, look: Look) -> list[str]:
    """A sentence where all key points have lower scores than the tracker believes, or no map reaches its threshold."""
    ref = tracker.inputs.get("points")
    if tracker.type.name != "keypoints" or ref is None:
        return []
    name, asked = tracker.id, number(tracker.params, "min_score")
    tables = [table["score"] for table in look.values[ref]]
    if found := sum(map(len, tables)):
        highest = [float(np.nanmax(scores)) for scores in tables if len(scores)]
        if max(highest) >= asked:
            return []
        usual = float(np.median(highest))
        return [f"about {found / len(tables):.3g} key points a frame were found, but the network is less sure of them "
                f"than {name} asks: {name}.min_score = {asked:g}, while the highest score of a frame is about "
                f"{usual:.2g}: try --set {name}.min_score={PART * usual:.2g}"]  # fmt: skip
    hints = []
    for node in nodes_of(bound, "heatmap_peaks"):
        maps = node.inputs[0]
        assert maps is not None
        least = number(node.body.params, "threshold")
        reached = float(np.nanmax([np.max(image, initial=-np.inf) for image in look.values[maps]]))
        if 0 < reached <= least:
            lower = f"{PART * reached:.2g}"
            also = f" --set {name}.min_score={lower}" if PART * reached < asked else ""
            hints.append(f"{maps} reaches {reached:.2g}, which is no more than {node.id}.threshold = {least:g}: is its "
                         f"picture scaled as the network was trained (normalize)? Or try --set "
                         f"{node.id}.threshold={lower}{also}")  # fmt: skip
    return hints
