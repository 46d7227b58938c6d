"""A file beside a clip: written whole or not at all, shared with other windows, and what could not be written is tried
again."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Generic, Protocol, TypeVar

from kernels.errors import InputError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PATIENCE = 2.0
"""Seconds that another window gets to write."""


class Wanted(Protocol):
    """What is to be written."""

    @property
    def path(self) -> Path:
        """Where."""
        ...

    @property
    def key(self) -> Path:
        """The same for all that takes the place of one another; `path`, but where one file is shared by several."""
        ...


W = TypeVar("W", bound=Wanted)


class SidecarFile(ABC, Generic[W]):
    """Writes one kind of file; used by one thread. The newest state wins, and what was asked for is on the disk after
    `flush`.

    The thread that writes is none that dies with the program: what was changed last is written before it ends.

    Attributes:
        failed: what could not be written, the newest of each key.
    """

    what: ClassVar[str]
    """What is kept, in sentences: "labels"."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next: W | None = None
        self._at_work: W | None = None
        self._thread: threading.Thread | None = None
        self._said: list[tuple[bool, str]] = []
        self.failed: dict[Path, W] = {}

    @abstractmethod
    def _write(self, wanted: W) -> str:
        """Write it, unless that would lose what somebody else has written.

        Returns:
            A sentence about what was found there, "" for none.
        """

    @abstractmethod
    def _write_copy(self, wanted: W, path: Path) -> None:
        """Write it to another, new file."""

    def _is_worth_a_copy(self, wanted: W) -> bool:  # noqa: ARG002
        """Whether something is lost where it is written nowhere."""
        return True

    def _why(self, wanted: W, error: Exception) -> str:
        """Why it was not written, in a sentence."""
        if isinstance(error, InputError):
            return str(error)
        reason = (error.strerror or error) if isinstance(error, OSError) else repr(error)
        return f"{wanted.path} cannot be written, so the {self.what} are not kept: {reason}"

    def _refused(self, wanted: W, error: Exception) -> W:  # noqa: ARG002
        """What is tried again later, after it could not be written for `error`."""
        return wanted

    def _failed_behind(self, wanted: W, error: Exception) -> None:
        """The thread could not write it."""
        self._say(True, self._why(wanted, error))

    def save(self, wanted: W) -> str:
        """Write it now; raises, and returns, what `_write` does."""
        try:
            note = self._write(wanted)
        except Exception as error:
            self.failed[wanted.key] = self._refused(wanted, error)
            raise
        self.failed.pop(wanted.key, None)
        return note

    def save_soon(self, wanted: W) -> None:
        """Have it written by a thread; `poll` says what came of it."""
        with self._lock:
            self._next = wanted
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self.what)
                self._thread.start()

    def poll(self) -> list[tuple[bool, str]]:
        """What is to be said, once: whether it is an error, and the sentence."""
        with self._lock:
            said, self._said = self._said, []
        return said

    def flush(self, seconds: float | None = None) -> bool:
        """Wait until all is written, or could not be; whether that is so."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
            return not thread.is_alive()
        return True

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
        busy: set[Path] = set()
        if not self.flush(seconds):
            said.append(f"the newest {self.what} are still being written; they may be late, or lost if the computer is "
                        "switched off now")  # fmt: skip
            with self._lock:
                busy = {wanted.key for wanted in (self._at_work, self._next) if wanted is not None}
        for wanted in list(self.failed.values()):
            if wanted.key in busy:  # something newer is on its way there
                continue
            try:
                self.save(wanted)
            except Exception as error:
                if self._is_worth_a_copy(wanted):
                    said.append(self._rescued(wanted, self._why(wanted, error), rescue))
        return said

    def _rescued(self, wanted: W, why: str, rescue: Path) -> str:
        try:
            rescue.mkdir(parents=True, exist_ok=True)
            path = set_by(rescue / wanted.path.name, "kept")
            self._write_copy(wanted, path)
        except Exception as error:
            return f"{why}; nor in {rescue}: {error}"
        return f"{why}; they are in {path} (put it there as {wanted.path.name} to have them again)"

    def _work(self) -> None:
        while True:
            with self._lock:
                wanted, self._next = self._next, None
                self._at_work = wanted
                # Under the lock: what comes later starts another thread, what came before was seen here.
                if wanted is None:
                    self._thread = None
                    return
            try:
                note = self.save(wanted)
            except Exception as error:  # whatever it is, what comes later is written, and this is said
                self._failed_behind(wanted, error)
            else:
                if note:
                    self._say(False, note)

    def _say(self, error: bool, sentence: str) -> None:
        with self._lock:
            self._said.append((error, sentence))


def digest_of(data: bytes) -> str:
    """Of a file's content."""
    return hashlib.sha256(data).hexdigest()


def set_by(path: Path, ending: str) -> Path:
    """A free name beside a file, for what is not to be lost and not to be read: name.ending, name.ending2 ..."""
    names = (f"{path.name}.{ending}" + ("" if k == 1 else f"{k}") for k in range(1, 1000))
    return next(free for name in names if not (free := path.with_name(name)).exists())


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder, so that of two windows only one looks and writes; where the system cannot, go on without.

    Raises:
        OSError: there is no such folder.
    """
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:  # some drives of a network know no locks
                break
        yield
    finally:
        # Which gives the lock back, too.
        os.close(descriptor)
