"""Corrections in a file beside the clip, with what they belong to."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.desk.sidecars.sidecar import digest_of, locked, set_by
from app.desk.tracks.steps import Action, Delete, Merge, Move, Rename, Retrack, Split, Step, unpacked
from app.safe_names import safe_file_name
from app.sources.formats import stands_for
from app.version import __version__
from kernels.errors import InputError

FORMAT = "fusetrack corrections 1"
_HEAD = '{"format": %s,\n"made_of": %s,\n"actions": [\n'
_KINDS: dict[str, type[Any]] = {kind.__name__.lower(): kind for kind in (Rename, Delete, Merge, Split, Move, Retrack)}


@dataclass(frozen=True, slots=True)
class Provenance:
    """What corrections were made of: numbers of tracks mean something in one run only.

    Args:
        clip: its name.
        frames, width, height: of the clip.
        pipeline: its name; `settings` a digest of its definition.
        roi: x, y, width, height, or ().
        version: of fusetrack.
    """

    clip: str
    frames: int
    width: int
    height: int
    pipeline: str
    settings: str
    roi: tuple[int, ...] = ()
    version: str = __version__

    def differences(self, other: Provenance) -> str:
        """What differs so that numbers of tracks may mean others, in words; "" for nothing."""
        found = []
        if (self.frames, self.width, self.height) != (other.frames, other.width, other.height):
            found.append("another clip")
        if self.settings != other.settings:
            found.append("other settings" if self.pipeline == other.pipeline else f"the pipeline {self.pipeline}")
        if self.roi != other.roi:
            found.append("another region")
        return " and ".join(found)


def digest(pipeline: str) -> str:
    """Of a pipeline's definition."""
    return hashlib.sha256(pipeline.encode()).hexdigest()[:16]


def path_for(clip: str | Path) -> Path:
    """Where the corrections of a clip or session lie."""
    path = stands_for(clip)
    return path.with_name(f"{path.name}.corrections.json")


def aside(path: Path, provenance: Provenance) -> Path:
    """Where corrections lie that were made with other settings than those of `path`."""
    key = safe_file_name("-".join([str(provenance.settings), *map(str, provenance.roi)]))  # of a file that has them
    return path.with_name(path.name.removesuffix(".json") + f"-{key}.json")


class CorrectionsChanged(InputError):
    """Somebody else has written the corrections since they were read or written here."""


def save(path: Path, actions: tuple[Action, ...], provenance: Provenance, known: str | None = None) -> str:
    """Write them, all or nothing; without any the file goes. What is there of other settings is put aside.

    Args:
        path: see `path_for`.
        actions, provenance: what to write.
        known: the digest of what was read or written here last, "" for nothing; None writes over anything.

    Returns:
        The digest of what is there now, "" for no file.

    Raises:
        CorrectionsChanged: there are others, of these settings, than those that are known; nothing is written.
        InputError: the file cannot be written.
    """
    text = _HEAD % (json.dumps(FORMAT), json.dumps(asdict(provenance))) + ",\n".join(map(_written, actions)) + "\n]}\n"
    data = text.encode()
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")  # another window may write the same file
    beside = aside(path, provenance)
    try:
        # No other window writes between the look and the replacement.
        with locked(path.parent):
            # Both are looked at before one is moved: where others have changed them, all stays as it was.
            moves = [*_in_the_way(path, provenance, known), *_in_the_way(beside, provenance, known)]
            for source, target in moves:
                os.replace(source, target)
            if actions:
                try:
                    draft.write_bytes(data)
                    os.replace(draft, path)
                finally:
                    draft.unlink(missing_ok=True)  # half of it, on a full disk
            else:
                path.unlink(missing_ok=True)
            beside.unlink(missing_ok=True)  # what was there of these settings is written
    except OSError as error:
        raise InputError(f"{path} cannot be written, so the corrections are not kept: {error.strerror}") from error
    return digest_of(data) if actions else ""


def _in_the_way(path: Path, provenance: Provenance, known: str | None) -> list[tuple[Path, Path]]:
    """What has to be moved, and where to, before corrections are written at `path`."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    if known is not None and digest_of(data) == known:
        return []
    try:
        _, other = load(path)
    except InputError:  # somebody spoiled it
        return [(path, set_by(path, "old"))]
    if other.differences(provenance):
        return [(path, aside(path, other))]
    if known is not None:
        raise CorrectionsChanged(f"{path.name} was changed by another window or program; nothing was written over it")
    return []


def there(path: Path, provenance: Provenance) -> tuple[tuple[Action, ...], str]:
    """The corrections of these settings that are on the disk, and their digest; (), "" for none.

    Raises:
        InputError: the file cannot be read, or holds no corrections.
    """
    for wanted in (path, aside(path, provenance)):
        if not wanted.exists():
            continue
        actions, other, digest = load_known(wanted)
        if not other.differences(provenance):
            return actions, digest
    return (), ""


@lru_cache(1024)
def _written(action: Action) -> str:
    """Tracks that were followed anew are megabytes of text; they are written again with every correction."""
    return json.dumps(_plain(action))


def _plain(action: Action) -> dict[str, Any]:
    steps = [{"do": type(step).__name__.lower(), **asdict(step)} for step in action.steps]
    return {"words": action.words, "steps": steps}


def document(actions: tuple[Action, ...], provenance: Provenance) -> dict[str, Any]:
    """What their file holds, as plain values (`parsed` takes it)."""
    return {"format": FORMAT, "made_of": asdict(provenance), "actions": [_plain(action) for action in actions]}


def parsed(found: Any, where: str) -> tuple[tuple[Action, ...], Provenance]:
    """Corrections out of plain values.

    Args:
        found: what `document` made.
        where: begins each complaint.

    Raises:
        InputError: they are none.
    """
    try:
        if found["format"] != FORMAT:
            raise InputError(f"{where} has the format {found['format']!r}; this program reads {FORMAT!r}")
        made = found["made_of"]
        provenance = Provenance(**{**made, "roi": tuple(made["roi"])})
        return tuple(Action(str(a["words"]), tuple(_step(step) for step in a["steps"])) for a in found["actions"]), (
            provenance)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise InputError(f"{where} holds no corrections of fusetrack; move it away, or mend it ({error})") from error


def load(path: Path) -> tuple[tuple[Action, ...], Provenance]:
    """Read them; raises as `load_known`."""
    return load_known(path)[:2]


def load_known(path: Path) -> tuple[tuple[Action, ...], Provenance, str]:
    """Read them, with the digest of the file.

    Raises:
        InputError: the file cannot be read, or holds no corrections.
    """
    try:
        data = path.read_bytes()
        found = json.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path} holds no corrections of fusetrack; move it away, or mend it ({error})") from error
    return *parsed(found, str(path)), digest_of(data)


def merged(
    base: tuple[Action, ...], ours: tuple[Action, ...], theirs: tuple[Action, ...]
) -> tuple[Action, ...] | None:
    """What two windows did to the same corrections, theirs first; None where one has taken back what the other built
    on. Tracks that ours have split off get other numbers where theirs took them.

    Args:
        base: what both began with.
        ours, theirs: what each has now.
    """
    count = len(base)
    # Both must have what they began with still in front.
    if ours[:count] != base or theirs[:count] != base:
        return None
    taken = {step.new for action in theirs for step in action.steps if isinstance(step, Split)}
    others: dict[int, int] = {}
    made = []
    for action in ours[count:]:
        for step in action.steps:
            if isinstance(step, Split):
                new = step.new
                # A number that is free in theirs, in ours and among those that were given out; later actions get it,
                # too.
                if new in taken:
                    own = {one.new for a in ours for one in a.steps if isinstance(one, Split)}
                    others[step.new] = new = max(taken | own | set(others.values())) + 1
                taken.add(new)
        made.append(renumbered(action, others) if others else action)
    return (*theirs, *made)


def renumbered(action: Action, others: dict[int, int]) -> Action:
    """The same of tracks with other numbers."""
    steps: list[Step] = []
    for step in action.steps:
        changes: dict[str, Any] = {}
        for name in ("track", "other", "new"):
            if hasattr(step, name):
                number = getattr(step, name)
                changes[name] = others.get(number, number)
        if isinstance(step, Delete):
            changes["tracks"] = tuple(others.get(track, track) for track in step.tracks)
        steps.append(replace(step, **changes))
    return Action(action.words, tuple(steps))


def _step(found: dict[str, Any]) -> Step:
    values = {name: value for name, value in found.items() if name != "do"}
    kind = _KINDS[found["do"]]
    if kind is Delete:
        return Delete(tuple(int(track) for track in values["tracks"]))
    if kind is Retrack:
        # Damaged rows are found here, not when they are carried out.
        unpacked(str(values["rows"]))
    texts, floats = ("name", "rows"), ("time", "x", "y")
    step: Step = kind(**{name: str(value) if name in texts else float(value) if name in floats else int(value)
                         for name, value in values.items()})  # fmt: skip
    return step


@dataclass(frozen=True, slots=True)
class ExternalCorrections:
    """What another window wrote, and where."""

    path: Path
    actions: tuple[Action, ...]
    digest: str


def shared(ours: Sequence[Action], theirs: Sequence[Action]) -> tuple[Action, ...]:
    """What both begin with."""
    pairs = zip(ours, theirs, strict=False)
    return tuple(one for one, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
