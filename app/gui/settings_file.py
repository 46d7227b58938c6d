"""The file of what a window remembers: names and values, shared by all windows of a user.

Qt's own settings say nothing where the disk is full, and leave the half of a file in place of what was there. Here the
file is replaced by a whole one or stays as it is, and it is known why; what could not be written is tried again.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pyqtgraph.Qt import QtCore

from app.files.atomic import make_folder, write_bytes
from kernels.errors import InputError

Value = str | bytes | list[str]
PATIENCE = 300
"""Milliseconds to wait for another window that writes just now."""
_BYTES = "base64"


class SettingsFile:
    """See the module. Windows of one process share one (`shared`).

    Args:
        path: of the file; it need not be there.
        begin: what there is to begin with, where it is not there.

    Attributes:
        trouble: why the last `sync` could not write, in a sentence without its end; "" where it could.
        damaged: where a file lies that could not be read, None for none.
    """

    _all: dict[Path, SettingsFile] = {}  # noqa: RUF012

    def __init__(self, path: Path, begin: Mapping[str, Value] | None = None) -> None:
        self.path, self.trouble = path, ""
        self.damaged: Path | None = None
        self._there: dict[str, Value] = {}
        self._changed: dict[str, Value | None] = {}  # since it was written; None for what was taken out
        self._seen: tuple[int, ...] = ()
        self._read()
        if not self._seen and not path.exists():
            self._there = dict(begin or {})  # what another window writes meanwhile goes before

    @classmethod
    def shared(cls, path: Path, begin: Mapping[str, Value] | None = None) -> SettingsFile:
        """That of a path, which is made where there is none yet."""
        key = path.absolute()
        if key not in cls._all:
            cls._all[key] = cls(key, begin)
        return cls._all[key]

    def names(self) -> list[str]:
        """All there are."""
        return [name for name in {**self._there, **self._changed} if self.value(name) is not None]

    def value(self, name: str) -> Value | None:
        """What is kept under a name, None for nothing."""
        return self._changed[name] if name in self._changed else self._there.get(name)

    def set(self, name: str, value: Value | None) -> bool:
        """Keep it, or keep it no more; `sync` writes it. Whether that is anything new."""
        if self.value(name) == value:
            return False
        self._changed[name] = value
        return True

    def sync(self) -> None:
        """Write what is not written yet, and read what others wrote."""
        if not self._changed:
            self._read()
            return
        lock = QtCore.QLockFile(f"{self.path}.lock")
        try:
            make_folder(self.path.parent)
            # A lock that cannot be made at all (read-only folder) is no other window: writing tells what is wrong.
            held = lock.tryLock(PATIENCE)
            if not held and lock.error() == QtCore.QLockFile.LockError.LockFailedError:
                raise InputError(f"{self.path} is being written by another program")
            unread = self._read()
            if unread:  # it would be written over
                raise InputError(f"{self.path} cannot be read: {unread}")
            # What others wrote since then stays, but for what was changed here.
            whole = {name: value for name in self.names() if (value := self.value(name)) is not None}
            write_bytes(self.path, json.dumps({name: _told(value) for name, value in whole.items()}, indent=0).encode())
        except InputError as error:
            self.trouble = str(error).partition(";")[0]
            return
        finally:
            lock.unlock()
        # Only after the file is whole: what failed to be written is tried again.
        self.trouble, self._there, self._changed = "", whole, {}
        self._seen = self._look()

    def _look(self) -> tuple[int, ...]:
        with suppress(OSError):
            found = os.stat(self.path)
            # The inode, too: files that are replaced within a tick of the clock have one time.
            return found.st_mtime_ns, found.st_size, found.st_ino
        return ()

    def _read(self) -> str:
        """Take what is in the file, if that is not known; what is no settings lies beside it from then on. Why it
        cannot be read, "" where it can or is not there."""
        seen = self._look()
        if seen == self._seen:
            return ""
        try:
            stored = json.loads(self.path.read_bytes())
            self._there = {str(name): _value(value) for name, value in stored.items()}
        except (ValueError, TypeError, AttributeError, KeyError):
            beside = self.path.with_name(f"{self.path.name}.damaged")
            with suppress(OSError):
                os.replace(self.path, beside)
                self.damaged = beside
        except FileNotFoundError:
            return ""
        except OSError as error:
            return error.strerror or str(error)
        self._seen = seen
        return ""


def _told(value: Value) -> Any:
    return {_BYTES: base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _value(stored: Any) -> Value:
    if isinstance(stored, dict):
        return base64.b64decode(stored[_BYTES])
    return [str(one) for one in stored] if isinstance(stored, list) else str(stored)
