"""Files that are either whole or absent, and one sentence for whatever keeps them from being written.

Everything is written under a temporary name beside its target and renamed at the end; a failure removes the
temporary file and leaves an older target as it was. What a killed process left behind is removed by the next one that
writes the same target.
"""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from app.ending import heard
from kernels.errors import InputError

_serial = itertools.count()
_STALE_AFTER = 86400.0
"""Seconds after which a temporary file counts as left behind if it is unknown whether its process lives."""


class PendingFile:
    """A file on its way: write to `temporary`, then `commit` or `discard`.

    Args:
        target: the name that the file has once it is whole.
        hidden: False for a file that is of use half written, so that people find it if the process is killed.

    Raises:
        InputError: the target is a folder, or its folder does not exist.
    """

    def __init__(self, target: str | os.PathLike[str], hidden: bool = True) -> None:
        self.target = Path(target)
        _check_name(self.target)
        if self.target.is_dir():
            raise InputError(f"{self.target} is a folder, so no file can be written there; choose another name")
        if not self.target.parent.is_dir():
            raise write_error(self.target, OSError(errno.ENOENT, os.strerror(errno.ENOENT)))
        _sweep(self.target)
        # The ending stays last: some libraries choose the format by it.
        name = f"{'.' if hidden else ''}{self.target.stem}.{os.getpid()}-{next(_serial)}.part{self.target.suffix}"
        self.temporary = self.target.with_name(name)
        self._hidden, self._committed = hidden, False

    def commit(self) -> None:
        """Flush the temporary file to the disk and give it its name.

        Raises:
            InputError: the disk or the system refuses; the temporary file is removed, but for one that is not hidden.
        """
        try:
            # A full disk or an exceeded quota may show only here (network drives).
            descriptor = os.open(self.temporary, os.O_RDWR)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(self.temporary, self.target)
            self._committed = True
        except OSError as error:
            if not self._hidden:
                raise write_error(self.target, error) from error
            raise self.failed(error) from error

    def discard(self) -> None:
        """Remove the temporary file, if there is one."""
        with suppress(OSError):
            self.temporary.unlink()

    def keep(self) -> Path | None:
        """Leave what was written, under a name that says so ("tracks.part.csv") where that can be had.

        Returns:
            Its path, which is `target` once that was committed; None where it is gone.
        """
        if self._committed:
            return self.target if self.target.exists() else None
        kept = self.target.with_name(f"{self.target.stem}.part{self.target.suffix}")
        with suppress(OSError):
            os.replace(self.temporary, kept)
            return kept
        written, self.temporary = self.temporary, kept  # which would stay
        return written if written.exists() else None

    def failed(self, error: BaseException) -> InputError:
        """Remove the temporary file and return the sentence that says why (for `raise ... from error`)."""
        written = 0
        with suppress(OSError):
            written = self.temporary.stat().st_size
        self.discard()
        return write_error(self.target, error, written)


def _check_name(path: Path) -> None:
    """Arrow takes only names in UTF-8; better no file than all but the tables. A null byte ends every name."""
    if "\0" in str(path):
        raise InputError(f"{str(path)!r} holds a null byte, which no name of a file can; choose another place")
    try:
        str(path.absolute()).encode()
    except UnicodeEncodeError:
        raise InputError(
            f"{str(path.absolute())!r} holds letters that are not UTF-8, or the locale is none of UTF-8; "
            "choose another place"
        ) from None


def _sweep(target: Path) -> None:
    """Remove what earlier processes left of `target`: temporary files of the dead, parts that were kept."""
    form = re.compile(rf"\.?{re.escape(target.stem)}\.(?:(\d+)-\d+\.)?part{re.escape(target.suffix)}")
    with suppress(OSError):
        for file in target.parent.iterdir():
            match = form.fullmatch(file.name)
            if match and not at_work(int(match[1] or 0), file):
                with suppress(OSError):
                    file.unlink()


def at_work(process: int, file: Path) -> bool:
    """Whether the process that writes a temporary file still lives (0: none does)."""
    if process == 0:
        return False
    if process == os.getpid():
        return True
    if os.name != "posix":  # where signal 0 is not harmless
        return time.time() - file.stat().st_mtime < _STALE_AFTER
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@contextmanager
def replacing(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Give the temporary path to write to; on leaving it becomes `target`, unless an exception passes.

    Raises:
        InputError: for every OSError within (see `write_error`).
    """
    pending = PendingFile(target)
    try:
        yield pending.temporary
    except OSError as error:
        raise pending.failed(error) from error
    except BaseException:
        pending.discard()
        raise
    pending.commit()


def write_bytes(target: str | os.PathLike[str], data: bytes) -> None:
    """Write a whole file at once, atomically."""
    with replacing(target) as temporary:
        temporary.write_bytes(data)


def check_target(target: str | os.PathLike[str]) -> None:
    """Say at once what would keep a file from being written after long work.

    Raises:
        InputError: it is a folder, lies in none, or in one that takes no files.
    """
    pending = PendingFile(target)
    try:
        pending.temporary.touch()
    except OSError as error:
        raise pending.failed(error) from error
    pending.discard()


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Create the folder (and those above it) if it is missing, and return it.

    Raises:
        InputError: it cannot be created, or a file of that name exists.
    """
    folder = Path(path)
    _check_name(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"{folder} is a file, not a folder; choose another place") from None
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            above = next(parent for parent in folder.absolute().parents if parent.exists())
            raise InputError(
                f"there is no permission to create the folder {folder} in {above}; choose another place"
            ) from error
        raise write_error(folder, error) from error
    return folder


def write_error(target: Path, error: BaseException, written: int = 0) -> InputError:
    """The sentence for an error while `target` was written.

    Args:
        target: what was to be written.
        error: an OSError or an exception of libav or Arrow that carries an errno.
        written: bytes that had been written when it happened.
    """
    code, folder = errno_of(error), target.parent
    match code:
        case errno.ENOSPC | errno.EDQUOT:
            what = "the disk is full" if code == errno.ENOSPC else "the disk quota is used up"
            after = f" after {size_text(written)}" if written else ""
            text = (
                f"{what}: {target.name} could not be written{after} in {folder} ({_free(folder)}); "
                "free some space or choose another place"
            )
        case errno.EACCES | errno.EPERM:
            text = (
                f"there is no permission to write {target}; change the permissions of {folder} or choose another place"
            )
        case errno.EROFS:
            text = f"{target} cannot be written because its disk is read-only; choose another place"
        case errno.ENOENT if folder.is_dir():
            text = f"{target} cannot be made, because {folder} takes no files of yours; choose another place"
        case errno.ENOENT:
            text = (
                f"{target} cannot be written because the folder {folder} does not exist; "
                "create it or choose another place"
            )
        case errno.ENOTDIR:
            text = (
                f"{target} cannot be written because a part of {folder} is a file, not a folder; choose another place"
            )
        case errno.EFBIG:
            text = (
                f"{target.name} grew beyond what the disk at {folder} allows in one file "
                f"({size_text(written)}); choose another place"
            )
        case _:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            text = f"{target} cannot be written: {' '.join(str(reason).split())[:160]}; choose another place"
    return InputError(text)


def errno_of(error: BaseException | None) -> int:
    """The system's error number behind an exception, also when a library wrapped it; 0 if there is none."""
    seen = 0
    while error is not None and seen < 8:
        code = getattr(error, "errno", None)
        if isinstance(code, int) and code > 0:
            return code
        for text, number in (("No space left on device", errno.ENOSPC), ("Disk quota exceeded", errno.EDQUOT)):
            if text in str(error):
                return number
        error, seen = error.__cause__ or error.__context__, seen + 1
    return 0


def size_text(count: float) -> str:
    """Bytes for people.

    >>> size_text(12), size_text(12_300_000), size_text(3.2e9)
    ('12 bytes', '12.3 MB', '3.2 GB')
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count:.0f} bytes"


def _free(folder: Path) -> str:
    try:
        return f"{size_text(shutil.disk_usage(folder).free)} are free"
    except OSError:
        return "free space unknown"


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back Ctrl-C, and a request to terminate that is taken as one, until the block is done, so that they never
    tear a row or a file, nor take what has been made from the code that made it.

    In other threads than the main one Python raises no KeyboardInterrupt, and nothing needs to be done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {int(number): handler for number, handler in heard().items() if callable(handler)}
    pressed: list[tuple[int, FrameType | None]] = []

    def note(number: int, frame: Any) -> None:
        pressed.append((number, frame))

    try:
        with ExitStack() as held:  # all handlers are put back, though Ctrl-C may come as soon as one is
            for number, handler in before.items():
                held.callback(signal.signal, number, handler)
                signal.signal(number, note)
            yield
    finally:
        for number, frame in pressed[:1]:
            before[number](number, frame)
