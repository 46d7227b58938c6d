"""Writes corrections into their file: at once where they are short, in a thread where tracks were followed anew."""

from __future__ import annotations

import threading
from pathlib import Path

from app.desk.tracks import corrections_file
from app.desk.tracks.corrections_file import Provenance
from app.desk.tracks.steps import Action, Retrack
from kernels.errors import InputError

AT_ONCE = 100_000
"""Characters of rows that are written without a thread."""
Wanted = tuple[Path, tuple[Action, ...], Provenance]


class Keeper:
    """The newest state wins; used by one thread. What was asked for is on the disk after `flush`.

    The thread is none that dies with the program: the last correction is written before it ends.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next: Wanted | None = None
        self._thread: threading.Thread | None = None
        self._trouble = ""

    def keep(self, path: Path, actions: tuple[Action, ...], provenance: Provenance) -> None:
        """Write them.

        Raises:
            InputError: they cannot be written, as far as that is known at once.
        """
        rows = sum(len(step.rows) for action in actions for step in action.steps if isinstance(step, Retrack))
        if rows <= AT_ONCE and self._thread is None:
            corrections_file.save(path, actions, provenance)
            return
        with self._lock:
            self._next = (path, actions, provenance)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="corrections")
                self._thread.start()

    def poll(self) -> str:
        """Why the last ones could not be written, once; "" for nothing."""
        with self._lock:
            found, self._trouble = self._trouble, ""
        return found

    def flush(self) -> None:
        """Wait until all is written."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                wanted, self._next = self._next, None
                if wanted is None:
                    self._thread = None
                    return
            try:
                corrections_file.save(*wanted)
            except Exception as error:  # whatever it is, what comes later is written, and this is said
                with self._lock:
                    self._trouble = str(error) if isinstance(error, InputError) else (
                        f"{wanted[0]} cannot be written, so the corrections are not kept: {error!r}")  # fmt: skip
