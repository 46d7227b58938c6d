"""What became of a recording whose engine has died: its recorder, a process of its own, ends it a moment later."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from app.sessions.reader import SessionReader, SessionState
from kernels.errors import SourceError

PATIENCE = 30.0
"""Seconds that a recorder may take to write what it has."""
EVERY = 0.2
"""Seconds between two looks at the file."""


class Aftermath:
    """Looks at the file until it is known what is in it.

    Args:
        path: the session.
        recorded: frames that are in it for sure.
    """

    def __init__(self, path: Path, recorded: int) -> None:
        self._path, self._recorded = path, recorded
        self._until, self._due = time.monotonic() + PATIENCE, 0.0

    def look(self) -> str:
        """What is to be said, once; "" while that is not known."""
        now, name = time.monotonic(), self._path.name
        if self._recorded:
            return f"{name} holds what was recorded up to then; its recorder, a process of its own, closes it"
        if now < self._due:
            return ""
        self._due = now + EVERY
        if not self._path.exists():
            return f"nothing was recorded, and there is no {name}: the engine ended before the first frame"
        # Its recorder may still be closing it: what cannot be read yet is looked at again.
        with suppress(SourceError), SessionReader(self._path) as session:
            if session.state is SessionState.FINISHED:
                if not len(session):
                    return f"{name} holds no frame: the engine ended before any was wanted"
                return f"{name} holds {len(session)} frames, what was recorded up to then"
        if now > self._until:
            return f"it is not known what {name} holds, for its recorder has not closed it; open it to see"
        return ""
