"""Closing a session and repairing one are the same: find what is whole, cut the rest, write the summary.

The summary is what stock readers look things up with. Whatever happens in the midst of this, the file is again one
that is not closed, and closing can begin anew.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from app.sessions.contents import Scan
from app.sessions.disk import lock, sync, unlock, write_all
from app.sessions.preamble import read_preamble
from app.sessions.scan import scan
from app.sessions.summary import ending
from kernels.errors import SourceError


def finish(descriptor: int, path: Path) -> Scan:
    """Make the file a closed session with everything in it that is whole; a closed one stays as it is.

    Args:
        descriptor: open for reading and writing; the caller holds the lock.
        path: for sentences.

    Raises:
        OSError: the system refuses to write; every frame stays.
        SourceError: it is no session.
    """
    opening = read_preamble(descriptor, path)
    found = scan(descriptor, path, verify=True, opening=opening)
    if found.finished:
        return found
    # Cut first: an old, torn summary must not lie behind the new one.
    os.ftruncate(descriptor, found.end)
    data = ending(opening, found)
    write_all(descriptor, data, found.end)
    sync(descriptor)
    found.finished, found.size = True, found.end + len(data)
    return found


@dataclass(frozen=True, slots=True)
class Repair:
    """What `repair` did: whether anything had to be done, the frames that are there, the bytes that were cut off,
    and sentences about what is wrong."""

    needed: bool
    frames: int
    cut: int
    problems: tuple[str, ...]


def repair(path: Path) -> Repair:
    """Close a session whose recorder died.

    Raises:
        SourceError: it is no session, it is being recorded, or it cannot be written.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise SourceError(f"{path} cannot be repaired: {error.strerror}") from None
    try:
        # The system frees a recorder's lock when its process ends, however it ends: who gets it knows that none lives.
        if not lock(descriptor):
            raise SourceError(f"{path} is being recorded; it needs no repair")
        before = scan(descriptor, path, verify=False)
        if before.finished:
            return Repair(False, len(before.rows), 0, tuple(before.problems))
        found = finish(descriptor, path)
        return Repair(True, len(found.rows), before.size - found.end, tuple(found.problems))
    except OSError as error:
        raise SourceError(f"{path} cannot be repaired: {error.strerror}; its frames are kept") from None
    finally:
        with suppress(OSError):
            unlock(descriptor)
        os.close(descriptor)
