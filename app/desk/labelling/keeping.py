"""Writes the labels of a clip into its file after each change, in a thread; the newest state wins."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path

from app.desk.labelling.sheet import Sheet
from app.desk.tracks.corrections_file import digest_of, locked, set_by
from app.exports.atomic import write_bytes
from app.labels import coco
from kernels.errors import InputError


@dataclass(frozen=True, eq=False)
class _Wanted:
    path: Path
    clip: str
    sheet: Sheet


class LabelKeeper:
    """See the module; used by one thread. It is none that dies with the program: the last label is written.

    Attributes:
        failed: what could not be written, the newest of each file.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next: _Wanted | None = None
        self._thread: threading.Thread | None = None
        self._said: list[tuple[bool, str]] = []
        self._known: dict[Path, str] = {}
        self.failed: dict[Path, _Wanted] = {}

    def read(self, path: Path, clip: str) -> Sheet:
        """What a file holds; nothing where there is none, and where labels wait that could not be written, those.

        Raises:
            InputError: it cannot be read. What is written later puts it aside.
        """
        self.flush()
        if path in self.failed:
            return self.failed[path].sheet
        self._known[path] = ""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return Sheet()
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
        made = Sheet().with_labels(coco.parsed(data, path, clip, begun=True))
        self._known[path] = digest_of(data)
        return made

    def keep(self, path: Path, clip: str, sheet: Sheet) -> None:
        """Have it written soon."""
        with self._lock:
            self._next = _Wanted(path, clip, sheet)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="labels")
                self._thread.start()

    def poll(self) -> list[tuple[bool, str]]:
        """What is to be said, once: whether it is an error, and the sentence."""
        with self._lock:
            found, self._said = self._said, []
        return found

    def flush(self, seconds: float | None = None) -> bool:
        """Wait until all is written, or could not be; whether it is."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
            return not thread.is_alive()
        return True

    def _work(self) -> None:
        while True:
            with self._lock:
                wanted, self._next = self._next, None
                if wanted is None:
                    self._thread = None
                    return
            try:
                aside = self._save(wanted)
            except Exception as error:  # whatever it is, what comes later is written, and this is said
                self.failed[wanted.path] = wanted
                self._say(True, _why(wanted.path, error))
            else:
                if aside is not None:
                    self._say(False, f"{wanted.path.name} was changed by another window or program, or could not be "
                              f"read; what was in it lies in {aside.name}, and your labels are kept")  # fmt: skip

    def _say(self, error: bool, sentence: str) -> None:
        with self._lock:
            self._said.append((error, sentence))

    def _save(self, wanted: _Wanted) -> Path | None:
        """Write it; where what somebody else had written lies now, None if nobody had."""
        path, aside = wanted.path, None
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.parent):
            there = digest_of(path.read_bytes()) if path.exists() else ""
            if there not in ("", self._known.get(path, "")):
                aside = set_by(path, "old")
                os.replace(path, aside)
            if wanted.sheet.points:
                data = coco.text_of(wanted.sheet.as_labels(wanted.clip), path).encode()
                write_bytes(path, data)
                self._known[path] = digest_of(data)
            else:
                path.unlink(missing_ok=True)
                self._known[path] = ""
        self.failed.pop(path, None)
        return aside

    def close(self, seconds: float, rescue: Path) -> list[str]:
        """Wait for what is being written, and try again what failed, else put it into another folder.

        Args:
            seconds: to wait at most.
            rescue: the folder.

        Returns:
            A sentence for each file that is not where it belongs.
        """
        if not self.flush(seconds):
            return ["the newest labels are still being written; they may be late, or lost if the computer is switched "
                    "off now"]  # fmt: skip
        said = []
        for wanted in list(self.failed.values()):
            try:
                self._save(wanted)
            except Exception as error:
                why = _why(wanted.path, error)
                try:
                    rescue.mkdir(parents=True, exist_ok=True)
                    other = set_by(rescue / wanted.path.name, "kept")
                    coco.write(wanted.sheet.as_labels(str(Path(wanted.clip).absolute())), other)
                    said.append(f"{why}; they are in {other} (put it there as {wanted.path.name} to have them again)")
                except Exception as second:
                    said.append(f"{why}; nor in {rescue}: {second}")
        return said


def _why(path: Path, error: Exception) -> str:
    if isinstance(error, InputError):
        return f"the labels are not kept: {error}"
    if isinstance(error, OSError):
        return f"{path} cannot be written, so the labels are not kept: {error.strerror or error}"
    return f"{path} cannot be written, so the labels are not kept: {error!r}"
