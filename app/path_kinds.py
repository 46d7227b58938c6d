"""What a path is: a clip, a run's results, a session, a batch, labels, a table ... Every command and the window ask
here, so that what one takes for a run no other takes for pictures."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.files.missing import missing_sentence
from app.results import SUMMARY, TABLES, table_in
from app.sources.formats import HEADERS, IMAGES, PICTURES, SESSION, format_of, named, split
from app.sources.numbering import is_pattern
from kernels.errors import InputError

BATCH_REPORT = "report.json"
"""What makes a folder one of a batch."""
_HEAD = 4096
PROJECT_ENDING = ".ftproj"
"""What files of projects are called (`app.project`)."""
_PROJECT = ("config.yaml", "labeled-data")


class Kind(Enum):
    """What a path may be, in words with an article."""

    CLIP = "a clip"
    IMAGES = "a sequence of pictures"
    RUN = "a folder of a run's results"
    SESSION = "a recorded session"
    BATCH = "a batch's folder"
    LABELS = "a file of labels"
    PROJECT = "a project of DeepLabCut"
    OWN_PROJECT = "a project of fusetrack"
    TABLE = "a table"
    PIPELINE = "a pipeline"
    SCENE = "a simulated scene"
    CAMERA = "a camera"
    ADDRESS = "an address"
    FOLDER = "a folder without pictures or results"
    FILE = "no file that fusetrack knows"
    MISSING = "not there"


NO_CLIPS = frozenset((Kind.RUN, Kind.BATCH, Kind.PROJECT, Kind.OWN_PROJECT, Kind.LABELS, Kind.TABLE, Kind.PIPELINE))
"""What has no frames, whatever pictures lie in it."""


@dataclass(frozen=True, slots=True)
class What:
    """A path and what it is.

    Args:
        given: as the user spelled it.
        kind: what it is.
        path: of the file or folder, ~ expanded; of what is none (scenes, cameras) the words.
        home: of a run or a batch its folder, also where one of its files was given.
    """

    given: str
    kind: Kind
    path: Path
    home: Path

    @property
    def table(self) -> Path | None:
        """The table of tracks that is meant, None where it is none and has none: of a folder the exacter one,
        also where figures or other pictures lie beside it."""
        if self.kind is Kind.TABLE:
            return self.path
        if self.kind not in (Kind.RUN, Kind.IMAGES):
            return None
        return self.path if self.path.name in TABLES else table_in(self.home)

    def wrong(self, wanted: str) -> str:
        """The sentence for where something else is wanted: "a clip", "a run's folder or a table"."""
        if self.kind is Kind.MISSING:
            return missing_sentence(self.path)
        way = _WAYS.get(self.kind, "")
        first = next(iter(runs_below(self.home)), None) if self.kind is Kind.BATCH else None
        if first is not None:
            way += f", such as {first}"
        way = f"; {way.format(self.given)}" if way else ""
        return f"{self.given} is {self.kind.value}, and {wanted} is wanted here{way}"


_WAYS = {
    Kind.CLIP: "`fusetrack run {0}` finds tracks in it",
    Kind.IMAGES: "`fusetrack run {0}` finds tracks in it",
    Kind.SESSION: "`fusetrack replay {0}` makes such a folder of it",
    Kind.SCENE: "`fusetrack run {0}` finds tracks in it",
    Kind.RUN: "`fusetrack gui {0}` shows its tracks over its clip, `fusetrack info {0}` tells of which clip they are",
    Kind.BATCH: "`fusetrack info {0}` lists its runs; give one of them",
    Kind.LABELS: "`fusetrack train` and `fusetrack labels` take it",
    Kind.PROJECT: "`fusetrack labels` takes the CollectedData file in it",
    Kind.OWN_PROJECT: "`fusetrack gui {0}` opens it, `fusetrack run {0}` and `fusetrack info {0}` take it, too",
    Kind.TABLE: "`fusetrack msd`, `shapes`, `frf`, `evaluate` and `export` take tables of tracks",
    Kind.PIPELINE: "--pipeline takes it",
    Kind.CAMERA: "`fusetrack record {0} -o run.mcap` records it",
}


_UNSURE = frozenset((Kind.FILE, Kind.MISSING))


def refuse_others(text: str | os.PathLike[str], wanted: str, *kinds: Kind) -> None:
    """Say so where a path is surely something else than what is wanted; of what is not known, or not there, whoever
    reads it tells.

    Raises:
        InputError: it is something else.
    """
    what = what_is(text)
    if what.kind not in _UNSURE and what.kind not in kinds:
        raise InputError(what.wrong(wanted))


def what_is(text: str | os.PathLike[str]) -> What:
    """What a path is, by what is in it first and by what it is called second; never raises."""
    given = os.fspath(text)
    with suppress(OSError, ValueError):  # folders without permission, names with a null byte
        return _what(given)
    return What(given, Kind.MISSING, Path(given), Path(given))


def _what(given: str) -> What:
    whole = os.path.expanduser(given)
    path = Path(split(whole)[0])

    def is_(kind: Kind, home: Path | None = None) -> What:
        return What(given, kind, path, path if home is None else home)

    if path.is_dir():
        return is_(_folder(path))
    if path.is_file():
        kind = _file(path)
        return is_(kind, path.parent if kind in (Kind.RUN, Kind.BATCH) else None)
    if given.startswith(("cam:", "sim:")):
        return is_(Kind.CAMERA if given.startswith("cam:") else Kind.SCENE)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", given):
        return is_(Kind.ADDRESS)
    return is_(Kind.IMAGES if is_pattern(whole) else Kind.MISSING)


def _folder(path: Path) -> Kind:
    facts = run_facts(path)
    if facts and not (from_itself(path, facts) and _pictures(path)):
        return Kind.RUN
    if is_batch(path):
        return Kind.BATCH
    if all((path / name).exists() for name in _PROJECT):
        return Kind.PROJECT
    if _pictures(path):
        return Kind.IMAGES
    return Kind.RUN if table_in(path) is not None else Kind.FOLDER


def from_itself(folder: Path, facts: Mapping[str, Any]) -> bool:
    """Whether a run's results lie among the pictures that it processed: then the folder is these pictures."""
    identity = facts["source"].get("identity")
    clip = identity.get("path") if isinstance(identity, dict) else None
    return isinstance(clip, str) and Path(clip).parent == folder.resolve() and facts["source"].get("kind") in (
        "images", "tiff")  # fmt: skip


def _pictures(path: Path) -> bool:
    with os.scandir(path) as entries:
        return any(Path(entry.name).suffix.lower() in PICTURES and not entry.name.startswith(".") and entry.is_file()
                   for entry in entries)  # fmt: skip


def _file(path: Path) -> Kind:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    ending = path.suffix.lower()
    text = head.removeprefix(b"\xef\xbb\xbf")
    if ending == PROJECT_ENDING:
        return Kind.OWN_PROJECT
    if path.name == SUMMARY and run_facts(path.parent):
        return Kind.RUN
    if path.name in TABLES and run_facts(path.parent):
        return Kind.RUN
    if path.name == BATCH_REPORT and is_batch(path.parent):
        return Kind.BATCH
    if SESSION.sniff(head):
        return Kind.SESSION
    if head.startswith(b"PAR1"):
        return Kind.TABLE
    if ending in (".csv", ".tsv"):
        first = text.partition(b"\n")[0].lower()
        return Kind.LABELS if first.startswith(b"scorer") or b"frame_idx" in first else Kind.TABLE
    if ending == ".slp" or (ending == ".json" and re.search(rb'"(keypoints|skeletons|annotations)"', head)):
        return Kind.LABELS
    if ending == ".json" and path.name.lower().endswith(".labels.json"):
        return Kind.LABELS
    if ending == ".toml":
        return Kind.PIPELINE if re.search(rb"(?m)^\s*\[(stages|trackers)\.", head) else Kind.FILE
    form = format_of(head, ending) or named(ending)
    if ending in HEADERS or (form is not None and not form.numbered):
        return Kind.CLIP
    if form is not None:
        return Kind.IMAGES if form is IMAGES else Kind.CLIP
    return Kind.FILE


def run_facts(folder: Path) -> Mapping[str, Any]:
    """What the summary of a run's folder says; {} where it is none's, or damaged."""
    path = folder / SUMMARY
    try:
        stat = path.stat()
        return _facts(path, stat.st_mtime_ns, stat.st_size)
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=4)
def _facts(path: Path, changed: int, size: int) -> Mapping[str, Any]:
    """Read once for all who ask about the same folder, as long as the file is the same."""
    del changed, size
    found: Any = json.loads(path.read_text("utf-8-sig"))
    return found if isinstance(found, dict) and isinstance(found.get("source"), dict) else {}


def is_batch(folder: Path) -> bool:
    """Whether a batch wrote into a folder."""
    return bool(batch_report(folder))


def batch_report(folder: Path) -> Mapping[str, Any]:
    """The report of a batch; {} where there is none, or it is damaged."""
    try:
        found: Any = json.loads((folder / BATCH_REPORT).read_text("utf-8-sig"))
    except (OSError, ValueError):
        return {}
    good = isinstance(found, dict) and isinstance(found.get("clips"), list) and isinstance(found.get("totals"), dict)
    return found if good else {}


def runs_below(folder: Path) -> list[Path]:
    """The folders of results of a batch, by name."""
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if SUMMARY in names and run_facts(Path(where)):
            folders.clear()
            found.append(Path(where))
    return sorted(found)
