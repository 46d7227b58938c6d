"""One batch at a time in a folder: a lock that the system takes back when its holder dies, however it dies."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from app.files.atomic import write_error
from kernels.errors import InputError

NAME = ".batch.lock"


class FolderLock:
    """Holds the lock of a folder for the length of a `with` block.

    Raises:
        InputError: another batch holds it; says which.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._folder = folder
        self._file: Any = None

    def __enter__(self) -> FolderLock:
        try:
            self._file = open(self._path, "a+", encoding="utf-8")
        except OSError as error:
            raise write_error(self._path, error) from error
        if not _take(self._file):
            self._file.seek(1)
            holder = self._file.read().strip() or "a process that does not say its name"
            self._file.close()
            raise InputError(
                f"another batch is at work in {self._folder} ({holder}); wait until it is done or choose another --out"
            )
        since = datetime.now().astimezone().isoformat(timespec="seconds")
        try:
            self._file.truncate(0)
            # The first byte is what is locked where locks are on bytes; the words behind it stay readable.
            self._file.write(f"\nprocess {os.getpid()} on {socket.gethostname()} since {since}\n")
            self._file.flush()
        except OSError as error:  # on a full disk nothing else could be written either
            with suppress(OSError):
                self._file.close()
            raise write_error(self._path, error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        del kind, error, trace
        # The file stays: a process that removed it could take it from another that has just opened it.
        with suppress(OSError):
            self._file.truncate(0)
            self._file.close()


if sys.platform == "win32":
    import msvcrt

    def _take(file: Any) -> bool:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(file: Any) -> bool:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a network drive without locks
            return True
        return True
