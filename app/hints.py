"""Why a run followed nothing, and what to try: the first cause that is found, from the tracker back to the picture."""

from __future__ import annotations

from app.blank import blank_words, contrast_words, lost_words, picture_of
from app.hinting.linking import linking, settings
from app.hinting.look import look_at, looked_at, nodes_of
from app.hinting.networks import maps_of, unsure
from app.hinting.points import never_believed
from app.hinting.regions import too_large, wrong_sizes
from app.hinting.thresholds import thresholds, too_faint, within_noise
from app.hinting.widths import too_wide
from pipelines.frame import FrameSource
from pipelines.graph import Bound

MANY = 60
"""Tracks of which most may be noise."""
FEW = 5
"""Rows of tracks a frame below which most things may have gone unseen; one frame is looked at then."""


def run_hints(
    source: FrameSource, bound: Bound, first: int, processed: int, tracks: int = 0, rows: int | None = None
) -> list[str]:
    """Sentences for people about a run.

    Args:
        source: the clip.
        bound: the pipeline that ran.
        first: the run's first frame.
        processed: how many frames it did.
        tracks: how many tracks were believed.
        rows: how many rows they have; None for enough.

    Returns:
        With no tracks: why, and what to try. With tracks: whether regions were left out because they are too large,
        and whether spots are wider than the windows of their centres; with many, whether a threshold lies within the
        noise; with few rows, whether most things do not reach it.

    Raises:
        BadFrame: a frame that is looked at cannot be read.
    """
    if not processed:
        return []
    if tracks:
        within = within_noise(source, bound, first + processed // 2) if tracks >= MANY else []
        few = rows is not None and rows < FEW * processed
        faint = too_faint(source, bound, first + processed // 2) if few else []
        sizes = too_large(source, bound, first, processed) + too_wide(source, bound, first, processed)
        return sizes + within + faint
    if not bound.trackers:
        return ['the pipeline has no tracker, so nothing is followed: add a table such as [trackers.follow] with '
                'use = "blob" to its file']  # fmt: skip
    hints = [hint for tracker in bound.trackers for hint in settings(bound, tracker, processed)]
    if hints:
        return hints
    refs = looked_at(bound) + maps_of(bound) + [ref for tracker in bound.trackers for ref in tracker.inputs.values()]
    refs.append(picture_of(bound))
    look = look_at(source, bound, first, processed, refs)
    pictures = look.values[picture_of(bound)]
    if hints := lost_words(look.frames, pictures):
        return hints
    hints = [hint for tracker in bound.trackers for why in (linking, unsure) for hint in why(bound, tracker, look)]
    if hints := hints or never_believed(source, bound, (first, first + processed)):
        return hints
    sizes = [hint for node in nodes_of(bound, "components") for hint in wrong_sizes(node, look)]
    if any("larger" in hint for hint in sizes):
        return sizes
    # Specks that are too small come with any threshold; it may still be to blame.
    hints = sizes + thresholds(bound, look, doubted=bool(sizes))
    if len(hints) == len(sizes) > 0:  # tips of things that hardly reach a threshold are small, too
        hints += too_faint(source, bound, first + processed // 2)
    return hints or blank_words(look.frames, pictures) or contrast_words(look.frames, pictures)
