"""Writes corrections into their file: at once where they are short, in a thread where tracks were followed anew.

What another window has written since is not written over; what cannot be written is kept in memory and tried again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from app.desk.tracks import corrections_file
from app.desk.tracks.corrections_file import CorrectionsChanged, Provenance
from app.desk.tracks.steps import Action, Retrack
from kernels.errors import InputError

AT_ONCE = 100_000
"""Characters of rows that are written without a thread."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written, and where; `why` it could not be, "" where it was not tried."""

    path: Path
    actions: tuple[Action, ...]
    provenance: Provenance
    why: str = ""

    @property
    def key(self) -> Path:
        """Of these settings."""
        return corrections_file.aside(self.path, self.provenance)


class Keeper:
    """The newest state wins; used by one thread. What was asked for is on the disk after `flush`.

    The thread is none that dies with the program: the last correction is written before it ends.

    Attributes:
        known: what was read or written last, by file and settings: the digest and the actions.
        failed: what could not be written, the newest of each.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next: Wanted | None = None
        self._thread: threading.Thread | None = None
        self._trouble = ""
        self._changed = False
        self.known: dict[Path, tuple[str, tuple[Action, ...]]] = {}
        self.failed: dict[Path, Wanted] = {}

    def keep(self, path: Path, actions: tuple[Action, ...], provenance: Provenance) -> None:
        """Write them.

        Raises:
            CorrectionsChanged: somebody else wrote there, as far as that is known at once.
            InputError: they cannot be written, as far as that is known at once.
        """
        wanted = Wanted(path, actions, provenance)
        rows = sum(len(step.rows) for action in actions for step in action.steps if isinstance(step, Retrack))
        if rows <= AT_ONCE and self._thread is None:
            self._save(wanted)
            return
        with self._lock:
            self._next = wanted
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="corrections")
                self._thread.start()

    def poll(self) -> str:
        """Why the last ones could not be written, once; "" for nothing."""
        with self._lock:
            found, self._trouble = self._trouble, ""
        return found

    def changed(self) -> bool:
        """Whether the thread found that somebody else wrote there, once."""
        with self._lock:
            found, self._changed = self._changed, False
        return found

    def flush(self, seconds: float | None = None) -> bool:
        """Wait until all is written; whether it is."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
            return not thread.is_alive()
        return True

    def _save(self, wanted: Wanted) -> None:
        digest, _ = self.known.get(wanted.key, ("", ()))
        try:
            digest = corrections_file.save(wanted.path, wanted.actions, wanted.provenance, digest)
        except Exception as error:
            self.failed[wanted.key] = Wanted(wanted.path, wanted.actions, wanted.provenance, _sentence(wanted, error))
            raise
        self.known[wanted.key] = digest, wanted.actions
        self.failed.pop(wanted.key, None)

    def _work(self) -> None:
        while True:
            with self._lock:
                wanted, self._next = self._next, None
                if wanted is None:
                    self._thread = None
                    return
            try:
                self._save(wanted)
            except CorrectionsChanged:
                with self._lock:
                    self._changed = True
            except Exception as error:  # whatever it is, what comes later is written, and this is said
                with self._lock:
                    self._trouble = _sentence(wanted, error)

    def close(self, seconds: float, rescue: Path) -> list[str]:
        """Wait for what is being written, and try again what failed; what cannot be written beside its clip goes into
        another folder.

        Args:
            seconds: to wait at most.
            rescue: the folder.

        Returns:
            A sentence for each file that is not where it belongs.
        """
        said = []
        if not self.flush(seconds):
            said.append("the newest corrections are still being written; they may be late, or lost if the computer is "
                        "switched off now")  # fmt: skip
        for wanted in list(self.failed.values()):
            try:
                self._save(wanted)
                continue
            except Exception as error:
                why = _sentence(wanted, error)
            if wanted.actions:
                said.append(self._rescued(wanted, why, rescue))
        return said

    def _rescued(self, wanted: Wanted, why: str, rescue: Path) -> str:
        try:
            rescue.mkdir(parents=True, exist_ok=True)
            path = corrections_file.set_by(rescue / wanted.path.name, "kept")
            corrections_file.save(path, wanted.actions, wanted.provenance)
        except Exception as error:
            return f"{why}; nor in {rescue}: {error}"
        return f"{why}; they are in {path} (put it there as {wanted.path.name} to have them again)"


def _sentence(wanted: Wanted, error: Exception) -> str:
    if isinstance(error, InputError):
        return str(error)
    return f"{wanted.path} cannot be written, so the corrections are not kept: {error!r}"
