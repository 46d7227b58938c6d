"""The folders of results: one a clip, whole or absent, each with a marker that says of what it is.

A job writes into ".NAME.TOKEN.part" and renames it; results that were there are moved to ".NAME.TOKEN.old" first. So
two jobs that work on one clip at once (a cluster may start one again that it believes lost) never mix, and the first
that is done stays. `scan` clears up what a killed one left.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from app.batch.finding import DONE, SIMULATED, Clip
from app.batch.identity import same
from app.files.atomic import make_folder, write_error
from app.files.summary import write_summary
from app.path_kinds import BATCH_REPORT
from app.safe_names import safe_file_name
from app.sources.formats import split
from kernels.errors import InputError

LOGS, PAGE, TRACKS = "logs", "report.html", "tracks.parquet"
_RESERVED = frozenset((LOGS, BATCH_REPORT, PAGE, TRACKS, "."))
_BESIDE = re.compile(r"\.([^.].*)\.([0-9a-f]{8})\.(part|old)")
FORMAT = 1
_TRIES = 20


@dataclass(frozen=True, slots=True)
class Marker:
    """What a folder of results holds.

    Args:
        clip: path of the clip.
        identity: of its content (`identity.identity`).
        hash, configuration: of the configuration.
        overlay: whether the overlay video was asked for.
        files: names and bytes.
        row: what the report says of the run.
    """

    clip: str
    identity: Mapping[str, Any]
    hash: str
    configuration: Mapping[str, Any]
    overlay: bool
    files: Mapping[str, int]
    row: Mapping[str, Any]

    def answers(self, identity: Mapping[str, Any], hashed: str, overlay: bool) -> bool:
        """Whether these are the results of that clip with that configuration."""
        # Results with an overlay answer for a wish without one.
        return same(self.identity, identity) and self.hash == hashed and self.overlay >= overlay

    def lost(self, folder: Path) -> list[str]:
        """Names of results that are no longer there or have another size."""
        return [name for name, size in self.files.items() if _size(folder / name) != size]


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return -1


def read_marker(folder: Path) -> Marker | None:
    """The marker of a folder; None where there is none, or none that can be understood."""
    try:
        found = json.loads((folder / DONE).read_text("utf-8"))
        if found.pop("format") != FORMAT:
            return None
        made = Marker(**found)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    whole = all(isinstance(part, dict) for part in (made.identity, made.configuration, made.files, made.row))
    return made if whole else None


def write_marker(folder: Path, marker: Marker) -> None:
    """Write the marker, after everything else.

    Raises:
        InputError: the disk refuses.
    """
    write_summary(folder / DONE, {"format": FORMAT, **{name: getattr(marker, name) for name in Marker.__slots__}})


@dataclass(slots=True)
class Folders:
    """What lies in --out: markers by folder below it, and how many halves were cleared up."""

    out: Path
    markers: dict[str, Marker] = field(default_factory=dict)
    cleared: int = 0


def scan(out: Path, clear: bool) -> Folders:
    """Look through --out.

    Args:
        clear: remove what killed jobs left, and put back results that one was about to replace.
    """
    found = Folders(out)
    for where, folders, names in os.walk(out):
        here = Path(where)
        if clear:
            found.cleared += _clear(here, folders)
        # os.walk goes only where this list says; what lies in results is not looked through.
        folders[:] = sorted(name for name in folders if not name.startswith(".") and (here / name).is_dir())
        if DONE in names:
            folders.clear()
            if marker := read_marker(here):
                found.markers[here.relative_to(out).as_posix()] = marker
    if clear:
        # Halves that were left within folders of results themselves.
        for name in found.markers:
            _clear(out / name, [entry.name for entry in (out / name).iterdir() if entry.is_dir()])
    return found


def _clear(here: Path, names: list[str]) -> int:
    """Remove halves in a folder; put back what was moved aside and not yet replaced."""
    count = 0
    for name in [*names]:
        match = _BESIDE.fullmatch(name)
        if match is None:
            continue
        half, final = here / name, here / match[1]
        # A job died between moving results aside and putting its own there: the old ones come back.
        if match[3] == "old":
            if not final.exists():
                with suppress(OSError):
                    os.rename(half, final)
                    names.append(match[1])
                continue
            _keep_foreign(half, final)
        else:
            count += 1
        shutil.rmtree(half, ignore_errors=True)
    return count


def choose(clips: list[Clip], found: Folders) -> dict[str, str]:
    """A folder below --out for each clip (by path), none within another.

    The folder that an earlier batch gave a clip stays its own. A new one is the clip's path below the root without its
    ending, with it where two clips differ in nothing else, or with a number behind it.
    """
    before: dict[str, list[str]] = {}
    for name, marker in found.markers.items():
        before.setdefault(marker.clip, []).append(name)
    chosen: dict[str, str] = {}
    taken, above = set(_RESERVED), set[str]()

    # casefold: names that differ in case are one file on many disks.
    def take(path: str, name: str) -> None:
        chosen[path] = name
        taken.add(name.casefold())
        above.update(str(parent).casefold() for parent in PurePosixPath(name).parents)

    for clip in clips:
        if clip.path in before:
            take(clip.path, before[clip.path][0])
    # Results of clips that still exist but are not of this batch keep their folders.
    others = {name.casefold() for name, marker in found.markers.items() if _lives(marker.clip)} - taken
    taken |= others
    above.update(str(parent).casefold() for name in others for parent in PurePosixPath(name).parents)
    stems: dict[str, int] = {}
    for clip in clips:
        stem = _stem(clip.name).casefold()
        stems[stem] = stems.get(stem, 0) + 1
    for clip in clips:
        if clip.path in chosen:
            continue
        # The first name that is neither taken, nor above or below a taken one, nor holds something of people's.
        for name in _candidates(clip.name, stems[_stem(clip.name).casefold()] == 1):
            folded = name.casefold()
            inside = any(str(parent).casefold() in taken - {"."} for parent in PurePosixPath(name).parents)
            if folded not in taken and folded not in above and not inside and not _foreign(found, name):
                take(clip.path, name)
                break
    return chosen


def _stem(name: str) -> str:
    if name.startswith(SIMULATED):
        return safe_file_name("".join(c if c.isalnum() or c in "-_=" else "-" for c in name))
    path = PurePosixPath(name)
    plain = path.with_suffix("") if path.suffix else path
    return "/".join(safe_file_name(part, "_") for part in plain.parts) or "clip"


def _candidates(name: str, alone: bool) -> Iterator[str]:
    stem = _stem(name)
    if alone:
        yield stem
    if not name.startswith(SIMULATED):
        above, slash, last = stem.rpartition("/")
        yield above + slash + safe_file_name(last + PurePosixPath(name).suffix)
    yield from (f"{stem}~{k}" for k in range(2, 10))
    # A folder above has the name of another clip's results.
    flat = safe_file_name(stem.replace("/", "-"))
    yield from (f"{flat}~{k}" for k in range(1, 1_000_000))


def _lives(clip: str) -> bool:
    return clip.startswith(SIMULATED) or os.path.lexists(split(clip)[0])


def _foreign(found: Folders, name: str) -> bool:
    """Whether something is there that no batch has written."""
    place = found.out / name
    if name in found.markers or not os.path.lexists(place):
        return False
    return not place.is_dir() or any(place.iterdir())


def commit(part: Path, final: Path, wanted: Callable[[Marker], bool]) -> bool:
    """Give a whole folder of results its name; False if another job was first (`wanted`), whose results stay.

    Files that people have put beside earlier results move along.

    Raises:
        InputError: the disk refuses.
    """
    aside = final.with_name(f"{part.name.removesuffix('.part')}.old")
    try:
        for _ in range(_TRIES):
            make_folder(final.parent)
            # A rename onto an empty folder or none succeeds in one step; onto another job's results it fails.
            try:
                os.rename(part, final)
            except OSError:
                if not final.is_dir():
                    raise
            else:
                if aside.exists():
                    _keep_foreign(aside, final)
                    shutil.rmtree(aside, ignore_errors=True)
                return True
            there = read_marker(final)
            if there is not None and wanted(there) and not there.lost(final):
                shutil.rmtree(part, ignore_errors=True)
                return False
            # Another job may have moved it meanwhile: then the next try finds out.
            with suppress(FileNotFoundError):
                os.rename(final, aside)
        raise InputError(f"{final} cannot be replaced, because others go on writing it; choose another --out")
    except OSError as error:
        raise write_error(final, error) from error


def _keep_foreign(old: Path, new: Path) -> None:
    """Move what no batch has written from replaced results to the new ones."""
    marker = read_marker(old)
    ours = {DONE, *(marker.files if marker else ())}
    for entry in [*old.iterdir()]:
        if entry.name not in ours and not os.path.lexists(new / entry.name):
            with suppress(OSError):
                os.rename(entry, new / entry.name)
