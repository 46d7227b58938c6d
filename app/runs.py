"""A run that was written to a folder: of which clip it is and where that is now, how the clip was read, the pipeline
with its settings, the tracks. What opens, tells of or exports the results of a run begins here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from app.path_kinds import Kind, run_facts, what_is
from app.results import SUMMARY, table_in
from app.sources.formats import split
from app.sources.numbering import is_pattern
from app.sources.reading import Reading
from kernels.errors import InputError
from kernels.param import Value
from pipelines.features import Tracks
from pipelines.frontend import Roi

NEAR = 4
"""Folders above that of the results, and parts of the clip's path, among which a clip that has moved is looked for."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a run's folder tells.

    Args:
        folder: the folder.
        facts: its summary.
        table: of its tracks.
        clip: what `open_source` takes: where the clip is, or where it was if it is not there.
        there: whether it is.
        note: what is to be said of that, "" for nothing.
    """

    folder: Path
    facts: Mapping[str, Any]
    table: Path
    clip: str
    there: bool
    note: str = ""
    source: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", self.facts["source"])

    @property
    def name(self) -> str:
        """Of the folder, for people."""
        return self.folder.resolve().name

    @property
    def reading(self) -> Reading:
        """How the clip was read."""
        return Reading.of(self.source)

    @property
    def roi(self) -> Roi | None:
        """The part of the picture that was processed."""
        found = self.facts.get("roi")
        return (found[0], found[1], found[2], found[3]) if isinstance(found, list) and len(found) == 4 else None

    @property
    def frames(self) -> tuple[int, int] | None:
        """The first frame that was processed and one past the last; None for all of the clip."""
        found = self.facts.get("range")
        whole = [0, self.source.get("frames")]
        return (found[0], found[1]) if isinstance(found, list) and len(found) == 2 and found != whole else None

    @property
    def replayed(self) -> bool:
        """Whether it is a session's, frames by their numbers there."""
        return "session" in self.facts

    @property
    def found(self) -> Mapping[str, Value]:
        """What was found on the clip in place of "auto", by "node.param"."""
        values = (self.facts.get("found") or {}).get("values") or {}
        return {path: _frozen(value) for path, value in values.items()}

    def tracks(self) -> Tracks:
        """The rows with the measures that the table has, by frame.

        Raises:
            InputError: the table cannot be read.
        """
        from app.exports.tables import read_tracks  # here: it brings PyArrow, which takes long and starts threads

        rows = read_tracks(self.table)
        frames = rows["frame"]
        return rows if bool((frames[1:] >= frames[:-1]).all()) else rows[np.argsort(frames, kind="stable")]


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def read_run(given: str | os.PathLike[str], clip: str | None = None) -> RunRecord:
    """What a run's folder (or a table or summary in it) tells.

    Args:
        given: the folder or the file.
        clip: where the clip is, in place of where the summary says or where it is found.

    Raises:
        InputError: it is none, or holds no table of tracks.
    """
    what = what_is(given)
    facts = run_facts(what.home)
    if what.kind is not Kind.RUN and not facts:
        raise InputError(what.wrong("a folder of a run's results"))
    if not facts:
        raise InputError(f"{what.given} holds a table of tracks, but no {SUMMARY} that tells of which clip they are; "
                         "run the clip again")  # fmt: skip
    table = what.table or table_in(what.home)
    if table is None:
        raise InputError(f"{what.given} holds no table of tracks; run the clip again")
    if clip is not None:
        return RunRecord(what.home, facts, table, clip, is_there(clip))
    recorded = recorded_clip(facts)
    if not recorded or is_there(recorded):
        return RunRecord(what.home, facts, table, recorded, bool(recorded), _changed(recorded, facts))
    found = next((one for one in nearby(recorded, what.home.resolve()) if _same(one, facts)), "")
    if found:
        return RunRecord(what.home, facts, table, found, True, f"the clip is no longer at {recorded}; {found} is taken")
    return RunRecord(what.home, facts, table, recorded, False, f"the clip of {what.given} is no longer at {recorded}")


def recorded_clip(facts: Mapping[str, Any]) -> str:
    """The clip as `open_source` takes it, where a summary says that it was; "" if it does not tell."""
    clip = facts.get("clip")
    if isinstance(clip, str) and clip:
        return clip
    identity = facts["source"].get("identity") or {}
    if "scene" in identity:
        given = "&".join(f"{key}={value}" for key, value in identity.items() if key != "scene")
        return f"sim:{identity['scene']}?{given}"
    return str(identity.get("path", ""))


def is_there(clip: str) -> bool:
    """Whether there is something of that name; of a pattern its folder."""
    if clip.startswith("sim:"):
        return True
    path = Path(split(clip)[0])
    return path.exists() or (is_pattern(clip) and path.parent.is_dir())


def nearby(clip: str, folder: Path) -> Iterator[str]:
    """Where a clip may be that moved together with the results, or to them: the end of its path below each folder above
    them, the nearest first."""
    file, part = split(clip)
    parts = Path(file).parts[1:]
    for above in [folder, *folder.parents][: NEAR + 1]:
        for k in range(min(NEAR, len(parts)), 0, -1):
            one = above.joinpath(*parts[-k:])
            if is_there(str(one)):
                yield f"{one}:{part}" if part else str(one)


def bytes_of(clip: str) -> int:
    """Of the clip's file; -1 where it is none."""
    try:
        path = Path(split(clip)[0])
        return path.stat().st_size if path.is_file() else -1
    except OSError:
        return -1


def _same(clip: str, facts: Mapping[str, Any]) -> bool:
    """Whether a file has as many bytes as the clip of the run; pictures are many files, and not looked at."""
    known = (facts["source"].get("identity") or {}).get("bytes")
    one = facts["source"].get("kind") not in ("images", "tiff") and isinstance(known, int)
    return not one or bytes_of(clip) in (known, -1)


def _changed(clip: str, facts: Mapping[str, Any]) -> str:
    same = not clip or _same(clip, facts)
    return "" if same else f"{clip} has changed since the run, so the tracks may be of another clip"
