"""One run at a time in a folder of results: two of them would take turns in replacing each other's files."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.files.atomic import at_work
from kernels.errors import InputError

_PART = re.compile(r"\.?.+\.(\d+)-\d+\.part\..+")


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Hold a folder that exists for the length of a `with` block. The system takes it back when the holder dies.

    Raises:
        InputError: another run, of this process or another one, holds it.
    """
    descriptor = _lock(folder)
    try:
        # Where folders cannot be locked, what others are writing there tells.
        if descriptor is None and (writers := _writers(folder)):
            raise _taken(folder, writers)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _lock(folder: Path) -> int | None:
    """A descriptor that holds the folder; None on Windows and on network drives that know no locks."""
    if sys.platform == "win32":
        return None
    import fcntl

    descriptor = None
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if descriptor is not None:
            os.close(descriptor)
        if isinstance(error, BlockingIOError):
            raise _taken(folder, _writers(folder)) from None
        return None
    return descriptor


def _taken(folder: Path, writers: list[int]) -> InputError:
    who = f" (process {writers[0]})" if writers else ""
    return InputError(
        f"another run{who} is writing its results to {folder}; wait until it is done or choose another --out"
    )


def _writers(folder: Path) -> list[int]:
    """Other processes alive that have a file of theirs on its way in the folder."""
    found = set()
    with suppress(OSError):
        for file in folder.iterdir():
            match = _PART.fullmatch(file.name)
            if match and int(match[1]) != os.getpid() and at_work(int(match[1]), file):
                found.add(int(match[1]))
    return sorted(found)
