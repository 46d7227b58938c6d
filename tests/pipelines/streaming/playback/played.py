"""A clip played with changes, and what each of its frames looks like in a run from the beginning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from hypothesis import strategies as st

from pipelines.definition import loads
from pipelines.frame import Result
from pipelines.streaming.common.changes import AnyChange, Change, Structure
from pipelines.streaming.common.still import still_of
from pipelines.streaming.engine.building import Order
from pipelines.streaming.playback.snapshots import Snapshots
from pipelines.streaming.playback.timeline import Timeline
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_runner import SPOTS
from tests.shipped import fixed

CLIP = moving_spots(48, 32)
BAD = (0, 13, 14, 47)
MORE = SPOTS + """
[trackers.other]
use = "blob"
inputs = "spots"
max_missed = 2
"""
PIPELINES = [loads(SPOTS), loads(SPOTS).with_settings({"smooth.sigma": 2.0}), loads(MORE), fixed("background-motion")]
VALUES: dict[tuple[str, str], tuple[Any, ...]] = {
    ("slow", "alpha"): (0.2, 0.5, 1.0), ("bright", "level"): (30, 60, 90, 300), ("follow", "max_missed"): (0, 3),
    ("follow", "gate"): (1.0, 4.0),
}  # fmt: skip
Said = dict[int, tuple[Any, ...]]
KNOWN: dict[str, Said] = {}


def said(results: Sequence[Result]) -> Said:
    """What is computed for each frame, as bytes."""
    return {
        r.index: (r.time, {name: tap.tobytes() for name, tap in r.taps.items()}, r.tracks.tobytes()) for r in results
    }


def timeline(changes: Sequence[AnyChange] = (), every: int = 0, batch: int = 16, **options: Any) -> Timeline:
    source = MemoryClip(CLIP, bad=options.pop("bad", BAD))
    order = Order(source.info, options.pop("device", "reference"), pictures=True, still=partial(still_of, source))
    snapshots = Snapshots(0, every, options.pop("most", 1 << 30))
    return Timeline(source, order, options.pop("pipeline", PIPELINES[0]), frames=(0, len(CLIP)), batch=batch,
                    changes=changes, snapshots=snapshots, **options)  # fmt: skip


def forward(changes: Sequence[AnyChange] = (), **options: Any) -> Said:
    key = repr((changes, options))
    if key not in KNOWN:
        made, found = timeline(changes, **options), {}
        while made.next < made.end:
            found |= said(made.process(made.end).results)
        made.close()
        KNOWN[key] = found
    return KNOWN[key]


def draw_change(data: st.DataObject, frame: int) -> AnyChange:
    if data.draw(st.integers(0, 2)) == 0:
        return Structure(frame, data.draw(st.sampled_from(PIPELINES)))
    (node, param), values = data.draw(st.sampled_from(sorted(VALUES.items())))
    return Change(frame, node, param, data.draw(st.sampled_from(values)))


def draw_changes(data: st.DataObject, most: int = 4) -> list[AnyChange]:
    """Changes that fit one after the other."""
    found: list[AnyChange] = []
    for frame in sorted(data.draw(st.lists(st.integers(0, len(CLIP) - 1), max_size=most))):
        change = draw_change(data, frame)
        runs = next((c.pipeline for c in reversed(found) if isinstance(c, Structure)), PIPELINES[0])
        if isinstance(change, Structure) or change.node in {m.id for m in runs.members}:
            found.append(change)
    return found
