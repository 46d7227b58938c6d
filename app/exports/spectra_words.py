"""What a run says of points of whose motion it has no spectrum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def spectra_words(rows: npt.NDArray[Any], tracks: int, fps: float, trackers: Sequence[str]) -> list[str]:
    """A sentence where points have none, else nothing.

    Args:
        rows: of `pipelines.trackers.vibration.SPECTRA_DTYPE`.
        tracks: how many points were followed.
        fps: of the clip; 0 where nobody knows.
        trackers: ids of those that leave spectra.
    """
    without = tracks - len(np.unique(rows["track"]))
    if without <= 0:
        return []
    if not fps > 0:
        return ["no spectra were written, because the clip does not say its frame rate: give it with --fps"]
    who = f"no spectra of {without} of {tracks} points" if len(rows) else "no spectra were written"
    shorter = " ".join(f"--set {tracker}.spectrum=64" for tracker in trackers)
    return [f"{who}: a piece of a spectrum must have no gap (a frame that is missing, or in which the point was not "
            f"seen), and none was long enough; {shorter} takes the shortest pieces"]  # fmt: skip
