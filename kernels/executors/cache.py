"""Compiled programs on disk.

What lies there is machine code that will be run, so only files that this user (or the system's administrator) has
written into a folder that only the user can write are taken, and each has its own checksum.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

LIMIT = 256 << 20
"""Bytes that the folder may hold; past it the files that were used longest ago go."""
_MAGIC = b"fusetrack-program-3\n".ljust(32)
_HEAD = len(_MAGIC) + 32
"""Bytes before a block: a multiple of a cache line, so that its arrays may be looked at where they lie."""
_ABANDONED = 3600.0
"""Seconds after which a file that was never finished is a dead process's."""


def cache_folder() -> Path:
    """Where compiled programs are kept: $FUSETRACK_CACHE, or the platform's folder for such files."""
    given = os.environ.get("FUSETRACK_CACHE")
    if given:
        return Path(given) / "cpu"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "fusetrack" / "cpu"


class ObjectCache:
    """Named blocks of bytes on disk, one a file, each with its own checksum.

    Any number of processes may use the folder: a file appears whole or not at all, and one that does not match its
    checksum is as if it were not there. A folder that cannot be written costs time, nothing else.

    Args:
        folder: made, for this user only, if it does not exist.
        limit: bytes that it may hold.

    Attributes:
        refusal: why the folder is not used, a sentence; empty if it is.
    """

    def __init__(self, folder: Path | None = None, limit: int = LIMIT) -> None:
        self.folder = folder or cache_folder()
        self.limit = limit
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.refusal = _refusal(self.folder)

    def get(self, key: str) -> bytes | None:
        """The block of this name; None if it is not there."""
        found = self.mapped(key)
        return None if found is None else bytes(found)

    def mapped(self, key: str) -> memoryview | None:
        """The same as the system holds the file: read-only, not copied, there even when the file is gone."""
        if self.refusal:
            return None
        path = self.folder / f"{key}.o"
        try:
            with path.open("rb") as file:
                # Of the open file, not of its name, which could change in between.
                if not _trusted(os.fstat(file.fileno())):
                    return None
                data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            os.utime(path)  # the time of its last use
        except (OSError, ValueError):  # an empty file is not mapped
            return None
        head, body = data[:_HEAD], data[_HEAD:]
        return body if head == _MAGIC + hashlib.sha256(body).digest() else None

    def put(self, key: str, body: bytes) -> None:
        if self.refusal:
            return
        with suppress(OSError):
            # Written beside and renamed: other processes see all or nothing.
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")  # for this user only
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_MAGIC + hashlib.sha256(body).digest() + body)
                os.replace(name, self.folder / f"{key}.o")
            except OSError:
                os.unlink(name)
                raise
            self.trim()

    def trim(self) -> None:
        """Remove what was used longest ago while there is more than `limit`, down to nine tenths of it; others may do
        the same at the same time."""
        found: list[tuple[float, int, str]] = []
        with suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(OSError):  # gone by now
                    known = entry.stat(follow_symlinks=False)
                    if entry.name.endswith(".o"):
                        found.append((known.st_mtime, known.st_size, entry.path))
                    elif entry.name.endswith(".part") and known.st_mtime < time.time() - _ABANDONED:
                        os.unlink(entry.path)
        total = sum(size for _, size, _ in found)
        if total <= self.limit:
            return
        for _, size, path in sorted(found):
            with suppress(OSError):
                os.unlink(path)
            total -= size
            if total <= self.limit * 9 // 10:
                return


def _refusal(folder: Path) -> str:
    """Why programs from a folder must not be run; empty where they may, or where there is none."""
    try:
        known = folder.stat()
    except OSError:
        return ""
    if not stat.S_ISDIR(known.st_mode) or _trusted(known):
        return ""
    whose = "can be written by others" if _mine(known) else "belongs to somebody else"
    return (f"compiled programs are not kept: the folder {folder} {whose}, who could put code there; "
            "give $FUSETRACK_CACHE a folder that only you can write")  # fmt: skip


def _mine(known: os.stat_result) -> bool:
    return sys.platform == "win32" or known.st_uid in (0, os.geteuid())


def _trusted(known: os.stat_result) -> bool:
    """Whether only this user or the administrator has written it."""
    return _mine(known) and (sys.platform == "win32" or not known.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
