"""Pipelines that are in no file, kept from one start of the window to the next, whether it ended well or not.

Each window keeps its own; a window that starts takes what those have left that are no more.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from app.cameras.controls import untuned
from app.desk.pipeline.history import Edit, History, Origin
from app.desk.pipeline.pipeline_file import read_pipeline
from app.files.atomic import at_work
from kernels.errors import FusetrackError, SourceError
from pipelines.definition import loads
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.writing import dumps

MOST = 8
"""Pipelines that are kept; the newest stay."""
_GROUP = "windows/"


class Store(Protocol):
    """Where all windows of a user keep things, each under a name of its own."""

    def text(self, name: str, default: str = "") -> str: ...
    def set_text(self, name: str, value: str) -> None: ...
    def names(self, begin: str) -> list[str]: ...
    def remove(self, name: str) -> None: ...
    def sync(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Kept:
    """A pipeline.

    Args:
        came: the file that it was read from or saved to, or the name of a shipped one; "" for neither.
        text: as it is.
        unsaved: whether it differs from what is there.
        digest: of the file's content as it was known.
    """

    came: str
    text: str
    unsaved: bool
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """What a window has left.

    Args:
        pipelines: the one that it had at the end last, before it those that are unsaved.
        what, roi: what was open, and the region of it that was processed; "" and () for nothing, and for all.
        well: whether the window was closed.
        lines: of the batch, as `BatchQueue.kept` gives them.
    """

    pipelines: tuple[Kept, ...] = ()
    what: str = ""
    roi: tuple[int, ...] = ()
    well: bool = True
    lines: tuple[Mapping[str, object], ...] = ()

    def region_of(self, what: str) -> Roi | None:
        """The region that was processed of a file, a scene or a camera."""
        if key_of(what) != self.what or len(self.roi) != 4:
            return None
        x, y, width, height = self.roi
        return x, y, width, height


def key_of(what: str) -> str:
    """What a clip, a session, a scene or a camera is called from start to start; a camera whatever its exposure is."""
    if what.startswith("cam:"):
        with suppress(SourceError):  # it cannot be opened either
            return untuned(what)
    return what if not what or what.startswith(("sim:", "cam:")) else str(Path(what).absolute())


def read_kept(kept: Kept) -> tuple[Pipeline, Origin, bool, Pipeline]:
    """A pipeline that was kept.

    Returns:
        What is in its file, or else the pipeline itself; where it comes from; whether it is there as it is; and
        the pipeline with the changes that are in no file.

    Raises:
        FusetrackError: it is of another version, or needs a plug-in that is not there.
    """
    text = loads(kept.text)
    if kept.came:
        with suppress(FusetrackError):  # its file was moved or spoiled: the text is here
            made, origin = read_pipeline(kept.came)
            origin.digest = kept.digest if kept.unsaved else origin.digest
            return made, origin, True, text if kept.unsaved else made
    return text, Origin(), not (kept.unsaved or kept.came), text


def history_of(kept: Kept) -> History:
    """A history that begins and ends with a pipeline that was kept.

    Raises:
        FusetrackError: as for `read_kept`.
    """
    made, origin, saved, changed = read_kept(kept)
    found = History(made, origin, saved)
    found.do("the changes of last time", changed)
    return found.anew()


def chain(history: History) -> tuple[Kept, ...]:
    """What of a history is to be kept: the pipeline as it is last, before it what was left unsaved."""
    found: dict[tuple[str, str], Kept] = {}
    for edit in (*history.left, history.now):
        made = kept_of(edit)
        found.pop((made.came, made.text), None)  # the newest last
        found[made.came, made.text] = made
    return tuple(found.values())[-MOST:]


def kept_of(edit: Edit) -> Kept:
    """A step as it is kept."""
    origin = edit.origin
    return Kept(str(origin.path or origin.shipped), dumps(edit.pipeline), edit.unsaved, origin.digest)


class UnsavedPipelines:
    """See the module.

    Args:
        store: of all windows.
        lives: whether a process (its number, and when its machine was started) is still there.
    """

    def __init__(self, store: Store, lives: Callable[[int, str], bool] | None = None) -> None:
        self._store, self._lives = store, lives if lives is not None else _lives
        self._name = _GROUP + uuid.uuid4().hex

    def put(self, left: Left, ended: bool) -> None:
        """Keep what this window would leave; `ended` where it ends now."""
        document = {**asdict(left), "ended": ended, "pid": os.getpid(), "boot": _boot(), "at": time.time()}
        self._store.set_text(self._name, json.dumps(document))
        self._store.sync()

    def take(self) -> Left:
        """What was left, which is this window's from now on; of windows that live only what the newest works with."""
        self._store.sync()
        gone: list[tuple[float, str, Left]] = []
        there: list[tuple[float, Left]] = []
        for name in self._store.names(_GROUP):
            if name == self._name:
                continue
            entry = self._read(name)
            if entry is None:
                self._store.remove(name)
                continue
            at, alive, left = entry
            if alive:
                there.append((at, left))
            else:
                gone.append((at, name, left))
        gone.sort(key=lambda one: one[0])
        if not gone:
            newest = max(there, key=lambda one: one[0], default=(0.0, Left()))[1]
            return Left(newest.pipelines[-1:], newest.what, newest.roi)
        *older, (_, _, last) = gone
        unsaved = [one for _, _, left in older for one in left.pipelines if one.unsaved]
        lines: dict[tuple[object, object], Mapping[str, object]] = {}
        for line in (line for *_, left in gone for line in left.lines):
            own = json.dumps(line, sort_keys=True, default=str) if line.get("own") else ""  # each run of a clip is one
            key = line["path"], own
            lines.pop(key, None)  # the newest word on it, where it was said
            lines[key] = line
        made = Left((*unsaved, *last.pipelines)[-MOST:], last.what, last.roi, all(left.well for *_, left in gone),
                    tuple(lines.values()))  # fmt: skip
        self.put(made, ended=False)  # first: whoever ends now loses nothing
        for _, name, _ in gone:
            self._store.remove(name)
        return made

    def _read(self, name: str) -> tuple[float, bool, Left] | None:
        """When it was kept, whether its window lives, and what it is; None for what somebody spoiled."""
        try:
            document = json.loads(self._store.text(name))
            pipelines = tuple(Kept(str(one["came"]), str(one["text"]), bool(one["unsaved"]), str(one["digest"]))
                              for one in document["pipelines"])  # fmt: skip
            ended, alive = bool(document["ended"]), self._lives(int(document["pid"]), str(document["boot"]))
            left = Left(pipelines, str(document["what"]), tuple(int(v) for v in document["roi"]), ended,
                        (*({"path": str(clip)} for clip in document.get("clips", ())),  # of an earlier version
                         *({**line, "path": str(line["path"])} for line in document.get("lines", ()))))  # fmt: skip
            return float(document["at"]), alive and not ended, left
        except (ValueError, KeyError, TypeError, AttributeError):
            return None


def _lives(process: int, boot: str) -> bool:
    return boot == _boot() and process != os.getpid() and at_work(process, Path(__file__))


def _boot() -> str:
    """Another one after each start of the machine, where that can be known."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return ""
