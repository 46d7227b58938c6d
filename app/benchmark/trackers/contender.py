"""What takes part: our pipelines and the peers behind one interface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.benchmark.trackers.scenes import Clip, Kind
from pipelines.features import TRACK_DTYPE, State, Tracks

Array = npt.NDArray[Any]
Run = Callable[[], Tracks]
"""Follows all frames of the clip that it was made for; rows of TRACK_DTYPE. Only this is timed."""
Frames = Callable[[], Sequence[float]]
"""Follows them one by one, as a camera delivers them; the seconds that each took."""
MEMORY = 14
"""Frames for which every contender waits for a thing that is not seen: the scenes hide theirs for up to 12."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to follow things.

    Args:
        name: as it is called in tables.
        kind: what it follows.
        make: from a clip and one of `choices` to a run; everything that is done once (compiling, reading a
            definition) happens here.
        choices: values of its one setting (a threshold, most often); a user looks at the clip and sets it, so each
            contender has the one with which it does best on the first frames.
        scenes: the names of the scenes that it is made for, and "speed" if it is timed; () for all of its kind.
        slow: it takes so long for 1000 features that it is timed on fewer frames.
        single: from a clip and a choice to a run frame by frame; None for what takes whole clips only.
    """

    name: str
    kind: Kind
    make: Callable[[Clip, float], Run]
    choices: Sequence[float] = (0.0,)
    scenes: Sequence[str] = ()
    slow: bool = False
    single: Callable[[Clip, float], Frames] | None = None

    def fits(self, name: str, kind: Kind) -> bool:
        """Whether it takes part in the scene called `name`."""
        return kind == self.kind and (not self.scenes or name in self.scenes)


def rows(clip: Clip, frame: Array, track: Array, x: Array, y: Array, sigma: Array | float = np.nan) -> Tracks:
    """Rows of TRACK_DTYPE of what was seen; columns of one length, places that are not finite are left out."""
    out = np.zeros(len(frame), TRACK_DTYPE)
    out["frame"], out["track"], out["x"], out["y"] = frame, track, x, y
    out["time"], out["state"], out["sigma"] = out["frame"] / clip.fps, int(State.TRACKED), sigma
    found: Tracks = out[np.isfinite(out["x"]) & np.isfinite(out["y"])]
    return found


def rows_of_points(clip: Clip, places: Array, good: Array | None = None) -> Tracks:
    """Rows of points that keep their numbers.

    Args:
        places: (frames, points, 2), px.
        good: (frames, points), where they were seen; None for everywhere.
    """
    frame, point = (index.ravel() for index in np.indices(places.shape[:2]))
    keep = np.ones(len(frame), bool) if good is None else good.ravel()
    flat = places.reshape(-1, 2)
    return rows(clip, frame[keep], point[keep], flat[keep, 0], flat[keep, 1])
