"""What a run is compared with: the truth given or found beside the clip, as far as the run could see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.tables import read_truth
from app.sources.formats import stands_for
from pipelines.evaluation import Scores, evaluate
from pipelines.evaluation.numbering import numbered_alike
from pipelines.features import State, Tracks
from pipelines.frame import FrameSource
from pipelines.frontend import Roi

MOST_SIMULATED = 5000
"""Frames of a simulated scene up to which a run compares itself with the truth; longer ones would fill the memory."""
GATE = 3.0
"""Farthest distance of a match, px."""


@dataclass(frozen=True, slots=True)
class Truth:
    """True positions (rows of `pipelines.truth.TRUTH_DTYPE`) and where they come from, in words."""

    rows: npt.NDArray[Any]
    words: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """How good a run was.

    Args:
        scores: None if there is nothing to compare.
        words: with what it was compared, or why it was not.
    """

    scores: Scores | None
    words: str


def find_truth(clip: str, given: str | Path | None, source: FrameSource, frames: tuple[int, int]) -> Truth | None:
    """The table of true positions, if there is one; of a simulated scene it is computed.

    Raises:
        InputError: the table cannot be read.
    """
    if given is not None:
        return Truth(read_truth(given), str(given))
    if source.info.kind == "simulated":
        from app.sources.simulated.source import SimulatedSource  # here: runs of files do not wait for what draws

        if isinstance(source, SimulatedSource):
            if frames[1] - frames[0] > MOST_SIMULATED:
                return None
            return Truth(np.concatenate([source.scene.truth(i) for i in range(*frames)]), "the scene itself")
    if clip.startswith("sim:"):
        return None
    path = stands_for(clip).absolute()  # "." has a name then
    beside = path.parent / f"{path.stem}.truth.csv"
    return Truth(read_truth(beside), f"{beside.name}, found beside the clip") if beside.is_file() else None


def compare(tracks: Tracks, truth: Truth, frames: tuple[int, int], roi: Roi | None, by_hand: bool) -> Comparison:
    """Compare tracks with the truth that the run could see.

    Args:
        tracks: rows of TRACK_DTYPE.
        frames: the first frame and one past the last that was processed; truth of others does not count.
        roi: the part of the picture that was processed; truth outside is not required.
        by_hand: the run followed points of its choice or the user's, not all that there is: only tracks that begin at
            a true position are compared, and only with what they follow.
    """
    alike = numbered_alike(tracks, truth.rows)
    tracks, rows = alike.tracks, alike.truth
    rows = rows[(rows["frame"] >= frames[0] + alike.before) & (rows["frame"] < frames[1] + alike.behind)]
    words = truth.words + (f"; {alike.words}" if alike.words else "")
    if roi is not None:
        x, y, width, height = roi
        inside = (rows["x"] >= x - 0.5) & (rows["x"] < x + width - 0.5)
        inside &= (rows["y"] >= y - 0.5) & (rows["y"] < y + height - 0.5)
        rows = rows.copy()
        rows["visible"] &= inside
        words += " (what lies within --roi)"
    if not by_hand:
        return Comparison(evaluate(tracks, rows, gate=GATE), words)
    chosen, count = _begin_at(tracks, rows), len(np.unique(tracks["track"]))
    if not len(chosen):
        return Comparison(None, f"none of the {count} points followed is one of those in {words}")
    few = tracks[np.isin(tracks["track"], chosen)]
    words += f" ({len(chosen)} of the {count} points are there)" if len(chosen) < count else ""
    return Comparison(evaluate(few, rows, gate=GATE, only="matched truth ids"), words)


def _begin_at(tracks: Tracks, truth: npt.NDArray[Any]) -> Sequence[int]:
    """The tracks whose first seen row is within GATE of a true position of the same frame."""
    seen = tracks[np.isin(tracks["state"], (int(State.TENTATIVE), int(State.TRACKED)))]
    seen = seen[np.argsort(seen["frame"], kind="stable")]
    found = []
    for row in seen[np.unique(seen["track"], return_index=True)[1]]:
        real = truth[truth["frame"] == row["frame"]]
        if len(real) and float(np.hypot(real["x"] - row["x"], real["y"] - row["y"]).min()) <= GATE:
            found.append(int(row["track"]))
    return found
