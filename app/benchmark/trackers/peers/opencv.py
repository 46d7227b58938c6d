"""OpenCV's pyramidal Lucas-Kanade, from frame to frame and against the first frame."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from app.benchmark.trackers.contender import Contender, Frames, Run, rows_of_points
from app.benchmark.trackers.scenes import Clip
from kernels.opencv import cv2
from pipelines.features import Tracks

STOP = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 0.001)


def _run(clip: Clip, reference: bool, marks: list[float] | None = None) -> Run:
    """Each frame against the first (begun at the place before), or against the one before it; `marks` gets the times
    at which frames are through."""
    window = (clip.scene.window, clip.scene.window)
    frames = clip.eight_bit()
    start = clip.points.astype(np.float32).reshape(-1, 1, 2)

    def run() -> Tracks:
        places = np.empty((len(frames), len(start), 2))
        good = np.ones(places.shape[:2], bool)
        places[0], here = start[:, 0], start.copy()
        for i in range(1, len(frames)):
            if reference:
                here, status, _ = cv2.calcOpticalFlowPyrLK(
                    frames[0], frames[i], start, here.copy(), winSize=window, maxLevel=3, criteria=STOP,
                    flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
                )  # fmt: skip
            else:
                here, status, _ = cv2.calcOpticalFlowPyrLK(
                    frames[i - 1], frames[i], here, None, winSize=window, maxLevel=3, criteria=STOP
                )
            places[i], good[i] = here[:, 0], status[:, 0] != 0
            if marks is not None:
                marks.append(time.perf_counter())
        return rows_of_points(clip, places, good)

    return run


def _contender(name: str, reference: bool) -> Contender:
    def single(clip: Clip, _: float) -> Frames:
        marks: list[float] = []
        run = _run(clip, reference, marks)

        def frames() -> Sequence[float]:
            run()
            return np.diff(marks).tolist()

        return frames

    return Contender(name, "points", lambda clip, _: _run(clip, reference), single=single)


CONTENDERS = (_contender("OpenCV PyrLK, to first", True), _contender("OpenCV PyrLK, frame to frame", False))
