"""OC-SORT (Cao et al., CVPR 2023) and ByteTrack (Zhang et al., ECCV 2022) of roboflow's `trackers`, on our own
detections: they follow boxes, and find none.

Each detection gets a box that is wide enough to overlap the next one at the scene's fastest motion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from app.benchmark.trackers.contender import MEMORY, Contender, Run, rows
from app.benchmark.trackers.ours import LEVELS, Tapped, blob_pipeline, run_of
from app.benchmark.trackers.scenes import Clip
from pipelines.features import Tracks, no_tracks
from pipelines.graph import Ref

try:
    import supervision
    from trackers import ByteTrackTracker, OCSORTTracker
except ImportError:  # `found_peers` looks before it loads; others, such as doctest, may still read this module
    supervision = OCSORTTracker = ByteTrackTracker = None


def _oc_sort() -> Any:
    return OCSORTTracker(lost_track_buffer=MEMORY, frame_rate=30.0, minimum_consecutive_frames=2)


def _byte_track() -> Any:
    return ByteTrackTracker(lost_track_buffer=MEMORY, frame_rate=30.0, minimum_consecutive_frames=2)


def followed(follower: Any, clip: Clip, frames: Sequence[Any]) -> Tracks:
    """What one of these trackers makes of the spots of each frame of a clip."""
    half = clip.scene.radius + clip.scene.reach
    parts = []
    for index, spots in enumerate(frames):
        place = np.stack((spots["x"], spots["y"]), axis=1)
        boxes = np.concatenate((place - half, place + half), axis=1)
        # Its answer comes in another order; the box's middle is the detection's place.
        found = follower.update(supervision.Detections(xyxy=boxes, confidence=np.ones(len(boxes))))
        ids = np.asarray(found.tracker_id if found.tracker_id is not None else [], int)
        middle = (found.xyxy[:, :2] + found.xyxy[:, 2:]) / 2
        believed = ids >= 0
        frame = np.full(int(believed.sum()), index)
        parts.append(rows(clip, frame, ids[believed], middle[believed, 0], middle[believed, 1]))
    return np.concatenate(parts) if parts else no_tracks()


def _run(follower_of: Callable[[], Any], clip: Clip, level: float) -> Run:
    pipeline = replace(blob_pipeline(clip, level), trackers=(), taps=(Ref.parse("spots"),))
    sink = Tapped()
    detect = run_of(pipeline, clip, sink)
    follower = follower_of()

    def run() -> Tracks:
        detect()
        return followed(follower, clip, [taps["spots"] for taps in sink.taps])

    return run


CONTENDERS = (
    Contender("OC-SORT on our detections", "things", partial(_run, _oc_sort), LEVELS, slow=True),
    Contender("ByteTrack on our detections", "things", partial(_run, _byte_track), LEVELS, slow=True),
)
