"""Another of the shipped pipelines, or a stricter threshold, where much of what is followed does not last, holds still
or jumps about: tried on the run's first frames.

Nothing tells beforehand what of a picture somebody is after. But what lasts, goes its way steadily and is all that is
followed is hardly ever wrong: on clips of forty kinds such a run had a HOTA of .9 and more nearly always, and pays
nothing. Another has up to eight trials of 60 frames: five took 2.6 s of a core and eight 4.7 s, of 512x512 px
(2026-11-30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.hinting.trying import CROSSES, proposed, reach_of, side_of, things, trial
from kernels.param import AUTO
from pipelines.automatic.settling import settle_on
from pipelines.definition import load
from pipelines.features import Tracks
from pipelines.frame import FrameSource
from pipelines.frontend import Roi
from pipelines.graph import Pipeline

OTHERS = ("objects", "blobs", "facial-markers", "background-motion", "insects")
"""Pipelines that find all they need on the clip."""
STRICTER = (1.7, 3.0, 5.0)
"""Times of a level that was found by the noise which are tried where texture passes it."""
FEWEST = 12
"""Frames of a run that tell what lasts."""
DOUBTED = 0.12
"""Share of a run's sightings that are of tracks seen in less than half of it, or that hold still, from which on
something else is tried."""
CLEAN = 0.75
"""Share of what is followed otherwise that is of things, at the least."""
BETTER = 0.15
"""By how much that share is more than what the run itself has of it, at the least."""
HALVED = 0.5
"""The same of a stricter level, by the share of what is none of things: it is the same pipeline. Nor may it lose more
things than that."""
MOSTLY = 0.55
"""Share of a run's sightings that are of things, from which on these are no chance and count (`FEWER`)."""
RESTS = 0.5
"""Things that hold still, by those that go, up to which they are no ground of what is tried instead: animals rest."""
EQUAL = 0.01
"""Shares that differ by less are as good."""
FEWER = 0.6
"""Of the most things that one of those or the run itself follows, how many one must follow to be chosen."""
THERE = 0.5
"""Things in a frame, on the average, at the least, where none crosses the picture."""
MANY = 60
"""Things in a frame at the most: more of them may be texture."""
MOVES = 3.0
"""px that a thing goes at the least, the longer side of what its track lies in: what stands still may be a part of the
ground."""
ROUGH = 0.25
"""px by which what holds nearly still may jump from frame to frame; what goes may by half its own step more: what jumps
about in one place (digits of a clock) has second differences of 1.7 steps."""


@dataclass(frozen=True)
class Followed:
    """What is followed in some frames.

    Args:
        things: in a frame, on the average: what lasts or crosses the picture, goes, and goes steadily.
        share: of all sightings, that are of such things.
        rough: second differences of their places, the median of their tracks' root mean squares, px.
        crosses: whether one of them crosses the picture, in however few frames.
    """

    things: float = 0.0
    share: float = 0.0
    rough: float = np.inf
    crosses: bool = False

    @property
    def there(self) -> bool:
        """Whether there are things in as many frames as must be."""
        return self.things >= THERE or self.crosses


def another(
    source: FrameSource, asked: Pipeline, roi: Roi | None, done: tuple[int, int], tracks: Sequence[Mapping[str, float]]
) -> list[str]:
    """A sentence with what follows things alone, where this run follows much else.

    Args:
        source, roi: of the run.
        asked: the pipeline that ran, as the user set it.
        done: the first frame and how many were processed.
        tracks: entries of `TrackStatistics.facts`.
    """
    first, processed = done
    if processed < FEWEST or [one.tracker for one in asked.trackers] != ["blob"] or asked.name not in OTHERS:
        return []
    if not _doubted(tracks, processed):
        return []
    # The run itself under the same trial: only so can shares be compared.
    now = _tried(source, asked, {}, roi, first, processed)
    if now.share > 1.0 - EQUAL:
        return []
    found = []
    for pipeline, settings, words in _candidates(source, asked, roi):
        better = min(BETTER, HALVED * (1.0 - now.share)) if settings else BETTER
        if now.share + better > 1.0:
            continue
        seen = _tried(source, pipeline, settings, roi, first, processed, RESTS)
        kept = not settings or now.things - seen.things <= better * now.things
        if kept and seen.there and seen.things <= MANY and seen.share >= max(CLEAN, now.share + better):
            found.append((seen, words))
    if not found:
        return []
    best = max(seen.share for seen, _ in found)
    found = [(seen, words) for seen, words in found if seen.share >= best - EQUAL]
    # Of a run that mostly follows things, what follows a few of them alone would be a loss. Where it follows much
    # else, some of that goes steadily by chance.
    most = max(now.things if now.share >= MOSTLY else 0.0, *(seen.things for seen, _ in found))
    found = [(seen, words) for seen, words in found if seen.things >= min(FEWER, 1.0) * most]
    if not found:
        return []
    # Among equals the one whose things go most steadily.
    seen, words = min(found, key=lambda one: one[0].rough)
    count = "one thing" if round(seen.things) <= 1 else f"some {seen.things:.0f} things"
    return [f"much of what {asked.name} follows does not last, holds still or jumps about: try {words}, which follows "
            f"{count} steadily in the first frames"]  # fmt: skip


def _doubted(tracks: Sequence[Mapping[str, float]], processed: int) -> bool:
    """Whether too many of a run's sightings are of tracks that hardly last, or hold still; or there are none, or so
    many that they may be texture."""
    sightings = sum(track["seen_frames"] for track in tracks)
    brief = sum(track["seen_frames"] for track in tracks if 2 * track["seen_frames"] < processed)
    still = sum(track["seen_frames"] for track in tracks if max(track["range_x_px"], track["range_y_px"]) < MOVES)
    return sightings == 0 or sightings > MANY * processed or brief + still >= DOUBTED * sightings


def _candidates(
    source: FrameSource, asked: Pipeline, roi: Roi | None
) -> Iterator[tuple[Pipeline, Mapping[str, object], str]]:
    """What is tried: the pipeline with stricter levels, and the others as they are; each with words for it."""
    noisy = [f"{node.id}.level" for node in asked.nodes if node.stage == "threshold"
             and node.params.get("level") == AUTO and node.params.get("rule", "noise") == "noise"]  # fmt: skip
    # The levels that the run found by itself, times some factors.
    found = settle_on(asked, source, roi).found if noisy else {}
    for times in STRICTER if noisy else ():
        settings: dict[str, object] = {name: float(f"{times * float(str(found[name])):.2g}") for name in noisy}
        yield asked, settings, " ".join(f"--set {name}={value}" for name, value in settings.items())
    for name in OTHERS:
        if name != asked.name:
            yield load(name), {}, f"-p {name}"


def stands_still(
    hints: Sequence[str], source: FrameSource, asked: Pipeline, roi: Roi | None, done: tuple[int, int]
) -> bool:
    """Whether nothing that hints propose follows a thing that goes: what is larger than is allowed, say, and holds
    still is ground."""
    tries = [settings for hint in hints if (settings := proposed(hint))]
    return not any(_tried(source, asked, settings, roi, *done).there for settings in tries)


def _tried(
    source: FrameSource, pipeline: Pipeline, settings: Mapping[str, object], roi: Roi | None, first: int,
    processed: int, rests: float = 0.0,
) -> Followed:  # fmt: skip
    """What a pipeline follows in the first frames of a run; of what holds still up to `rests` times what goes does not
    count."""
    rows, count = trial(source, pipeline, settings, roi, first, processed)
    if rows is None or not len(rows):
        return Followed()
    side = side_of(source, roi)
    lasting = things(rows, count, side)
    way, step, rough = _ways(rows)
    steady = lasting & (rough <= 0.5 * step + ROUGH)
    good, still = steady & (way >= MOVES), steady & (way < MOVES)
    if not good.any():
        return Followed()
    each = np.unique(rows["track"][good], return_index=True)[1]
    # Things that rest are left out of the sum, up to `rests` times those that go.
    counted = len(rows) - min(float(still.sum()), rests * float(good.sum()))
    return Followed(float(good.sum()) / count, float(good.sum()) / counted, float(np.median(rough[good][each])),
                    bool((way[good] >= CROSSES * side).any()))  # fmt: skip


def _ways(rows: Tracks) -> tuple[npt.NDArray[np.float64], ...]:
    """Of each sighting's track: the longer side of what it lies in, the root of the mean square of its steps and of its
    second differences, px; of frames that follow one another."""
    order = np.lexsort((rows["frame"], rows["track"]))
    _, which = np.unique(rows["track"], return_inverse=True)
    means = []
    for times in (1, 2):
        squares, counts = np.zeros(which.max() + 1), np.zeros(which.max() + 1)
        track, frame = which[order], rows["frame"][order].astype(np.int64)
        # Only frames that follow one another, of one track: a gap is no step.
        joined = (track[times:] == track[:-times]) & (frame[times:] - frame[:-times] == times)
        # np.diff of order 1: steps, of order 2: second differences, in which an even pace is nothing.
        far = sum(np.diff(rows[name][order].astype(np.float64), times) ** 2 for name in ("x", "y"))
        np.add.at(squares, track[times:][joined], np.asarray(far)[joined])
        np.add.at(counts, track[times:][joined], 1.0)
        means.append(np.sqrt(squares / np.maximum(counts, 1.0)))
    return reach_of(rows, which)[which], means[0][which], means[1][which]
