"""What a batch has to do: which clips are run and why, which are done already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from app.batch.configuration import Configuration, differences, digest
from app.batch.finding import Clip
from app.batch.folders import Folders, Marker, choose
from app.batch.identity import identity, size_of
from kernels.errors import FusetrackError, InputError

NEW = "new"
CHANGED = "the clip changed"
SETTINGS = "other settings"
MISSING = "results are missing"
OVERLAY = "there is no overlay video yet"
REDO = "--redo"
DONE_BEFORE = "done before: same clip, settings and version"


@dataclass(frozen=True, slots=True)
class Planned:
    """What is to become of one clip.

    Args:
        clip: which.
        folder: of its results, below --out.
        bytes: of the clip.
        why: one of the constants above.
        detail: what exactly differs; "" where there is nothing to add.
        marker: what the folder holds now; None for nothing.
        run: whether it is run.
    """

    clip: Clip
    folder: str
    bytes: int
    why: str
    detail: str
    marker: Marker | None
    run: bool


def plan(
    clips: list[Clip], found: Folders, configuration: Configuration, facts: Mapping[str, Any], redo: bool
) -> list[Planned]:
    """Decide for each clip; those that cannot be read are run, and say why when they fail."""
    folders = choose(clips, found)
    planned = []
    for clip in clips:
        folder = folders[clip.path]
        marker = found.markers.get(folder)
        why, detail = _why(clip, found, folder, marker, configuration, facts, redo)
        planned.append(Planned(clip, folder, size_of(clip.path), why, detail, marker, why != DONE_BEFORE))
    return planned


def _why(
    clip: Clip, found: Folders, folder: str, marker: Marker | None, configuration: Configuration,
    facts: Mapping[str, Any], redo: bool,
) -> tuple[str, str]:  # fmt: skip
    if marker is None:
        return NEW, ""
    if redo:
        return REDO, ""
    now: dict[str, Any] = {}
    with suppress(FusetrackError, OSError, ValueError):
        now = identity(clip.path)
    with suppress(InputError):  # its run says what its tables lack
        facts = configuration.facts_of(facts, clip.path, clip.name)
    hashed = digest(facts)
    if marker.hash != hashed:
        return SETTINGS, differences(marker.configuration, facts)
    if not marker.answers(now, hashed, False):
        return CHANGED, ""
    if lost := marker.lost(found.out / folder):
        return MISSING, ", ".join(lost[:3])
    if not marker.overlay and configuration.overlay:
        return OVERLAY, ""
    return DONE_BEFORE, ""


def words(planned: Sequence[Planned]) -> list[str]:
    """What is skipped, what is run, and why: a line each.

    The first line counts; the others are reasons to run, the commonest first.
    """
    skipped = sum(not p.run for p in planned)
    counts = Counter((p.why, p.detail) for p in planned if p.run)
    lines = [f"{len(planned)} clip{'' if len(planned) == 1 else 's'}: {skipped} done before (same clip, settings and "
             f"version), {len(planned) - skipped} to run"]  # fmt: skip
    for (why, detail), count in counts.most_common():
        if why != NEW or skipped or len(counts) > 1:
            lines.append(f"  {count} {why}" + (f": {detail}" if detail else ""))
    return lines
