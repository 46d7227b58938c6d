"""Settings of trackers that follow nothing of what was found."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from app.hinting.look import Look, nodes_of, number
from pipelines.features import State
from pipelines.graph import Bound, BoundTracker

Array = npt.NDArray[Any]


def settings(bound: Bound, tracker: BoundTracker, processed: int) -> list[str]:
    """Settings that let nothing through whatever the clip holds."""
    hits = int(number(tracker.params, "min_hits")) if "min_hits" in tracker.params else 1
    if processed < hits:
        frames = f"only {processed} frame{'s were' if processed != 1 else ' was'} processed"
        return [f"{frames}, and {tracker.id} believes a track after {hits} sightings: process more frames, or try "
                f"--set {tracker.id}.min_hits={processed}"]  # fmt: skip
    hints = []
    for node in nodes_of(bound, "components"):
        least, most = number(node.body.params, "min_area"), number(node.body.params, "max_area")
        if 0 < most < least:
            hints.append(f"{node.id} keeps no region at all: {node.id}.min_area = {least:g} is larger than "
                         f"{node.id}.max_area = {most:g}")  # fmt: skip
    return hints


def linking(bound: Bound, tracker: BoundTracker, look: Look) -> list[str]:
    """Which setting of a blob tracker keeps the features from becoming tracks; nothing if there are no features."""
    ref = tracker.inputs.get("features")
    if tracker.type.name != "blob" or ref is None:
        return []
    tables, name, params = look.values[ref], tracker.id, dict(tracker.params)
    each = sum(map(len, tables)) / max(1, len(tables))
    if each == 0 or sum(map(len, tables)) < 2:
        return []
    found = f"about {each:.3g} features a frame were found"
    hits = int(number(params, "min_hits"))
    params["min_hits"] = min(hits, len(tables))
    if _believed(bound, tracker, params, look).size:
        return [f"{found}, but none in {hits} frames of one track: try --set {name}.min_hits={min(hits - 1, 3)}"]
    for setting, column in (("min_mass", "mass"), ("min_area", "area")):
        if number(params, setting) > 0 and _believed(bound, tracker, params | {setting: 0.0}, look).size:
            usual = float(np.median(np.concatenate([table[column] for table in tables])))
            return [f"{found}, but {name} ignores them: {name}.{setting} = {params[setting]:g}, while they have about "
                    f"{usual:.3g}: try --set {name}.{setting}={0.5 * usual:.2g}"]  # fmt: skip
    speed = number(params, "max_speed")
    wider = [{"max_speed": min(speed * factor, 1e4)} for factor in (2, 4, 8, 16, 64, 256)]
    faster = [_believed(bound, tracker, params | one, look) for one in wider]
    most = max(len(steps) for steps in faster)
    if most:
        # Of those that link nearly all that any links the slowest: wider gates only confuse.
        usual, fast = np.quantile(next(steps for steps in faster if len(steps) >= 0.9 * most), (0.5, 0.95))
        enough = max(1.5 * fast, 1.2 * speed)
        return [f"{found}, but they move about {usual:.3g} px from frame to frame and {name} allows "
                f"{name}.max_speed = {speed:g}: try --set {name}.max_speed={enough:.2g}"]  # fmt: skip
    if _believed(bound, tracker, params | {"gate": 20.0}, look).size:
        return [f"{found}, but farther from where {name} expects them than {name}.gate = {params['gate']:g} standard "
                f"deviations: try --set {name}.gate=10"]  # fmt: skip
    return [f"{found}, but none of them is where one was in the frame before, so {name} follows none: they may be "
            "noise, for which a stricter threshold is the cure"]  # fmt: skip


def _believed(bound: Bound, tracker: BoundTracker, params: dict[str, Any], look: Look) -> Array:
    """Steps in px from frame to frame of what is followed with these settings; empty if nothing is."""
    made = tracker.type(params, (bound.source.height, bound.source.width), None)
    tables = look.values[tracker.inputs["features"]]
    rows = np.concatenate([made.update(i, float(i), {"features": table}) for i, table in enumerate(tables)])
    steps = []
    for track in np.unique(rows["track"][rows["state"] == State.TRACKED]):
        seen = rows[(rows["track"] == track) & (rows["state"] <= State.TRACKED)]
        steps.append(np.hypot(np.diff(seen["x"]), np.diff(seen["y"])) if len(seen) > 1 else np.zeros(1))
    return np.concatenate(steps) if steps else np.zeros(0)
