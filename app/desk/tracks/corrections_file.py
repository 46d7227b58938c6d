"""Corrections in a file beside the clip, with what they belong to."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.desk.tracks.steps import Action, Delete, Merge, Move, Rename, Retrack, Split, Step, unpacked
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
    path = Path(clip)
    return path.with_name(f"{path.name}.corrections.json")


def aside(path: Path, provenance: Provenance) -> Path:
    """Where corrections lie that were made with other settings than those of `path`."""
    key = "-".join([provenance.settings, *map(str, provenance.roi)])
    return path.with_name(path.name.removesuffix(".json") + f"-{key}.json")


def save(path: Path, actions: tuple[Action, ...], provenance: Provenance) -> None:
    """Write them, all or nothing; without any the file goes. What is there of other settings is put aside.

    Raises:
        InputError: the file cannot be written.
    """
    text = _HEAD % (json.dumps(FORMAT), json.dumps(asdict(provenance))) + ",\n".join(map(_written, actions)) + "\n]}\n"
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")  # another window may write the same file
    try:
        _put_aside(path, provenance)
        aside(path, provenance).unlink(missing_ok=True)
        if not actions:
            path.unlink(missing_ok=True)
            return
        try:
            draft.write_text(text, "utf-8")
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)  # half of it, on a full disk
    except OSError as error:
        raise InputError(f"{path} cannot be written, so the corrections are not kept: {error.strerror}") from error


@lru_cache(1024)
def _written(action: Action) -> str:
    """Tracks that were followed anew are megabytes of text; they are written again with every correction."""
    steps = [{"do": type(step).__name__.lower(), **asdict(step)} for step in action.steps]
    return json.dumps({"words": action.words, "steps": steps})


def _put_aside(path: Path, provenance: Provenance) -> None:
    if not path.exists():
        return
    try:
        _, other = load(path)
    except InputError:
        os.replace(path, path.with_name(path.name + ".old"))
        return
    if other.differences(provenance):
        os.replace(path, aside(path, other))


def load(path: Path) -> tuple[tuple[Action, ...], Provenance]:
    """Read them.

    Raises:
        InputError: the file cannot be read, or holds no corrections.
    """
    try:
        found = json.loads(path.read_text("utf-8"))
        if found["format"] != FORMAT:
            raise InputError(f"{path} has the format {found['format']!r}; this program reads {FORMAT!r}")
        made = found["made_of"]
        provenance = Provenance(**{**made, "roi": tuple(made["roi"])})
        actions = tuple(Action(str(a["words"]), tuple(_step(step) for step in a["steps"])) for a in found["actions"])
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise InputError(f"{path} holds no corrections of fusetrack; move it away, or mend it ({error})") from error
    return actions, provenance


def _step(found: dict[str, Any]) -> Step:
    values = {name: value for name, value in found.items() if name != "do"}
    kind = _KINDS[found["do"]]
    if kind is Delete:
        return Delete(tuple(int(track) for track in values["tracks"]))
    if kind is Retrack:
        unpacked(str(values["rows"]))
    texts, floats = ("name", "rows"), ("time", "x", "y")
    step: Step = kind(**{name: str(value) if name in texts else float(value) if name in floats else int(value)
                         for name, value in values.items()})  # fmt: skip
    return step
