"""Files for recording: written past the system's cache where that can be, allocated ahead, at given positions.

Where O_DIRECT cannot be had (network drives, some FUSE, other systems than Linux) the file is written through the
cache, and what was written is pushed out and dropped every 64 MB, so that a long recording does not fill the memory
and stall when the system decides to write it all at once.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.sessions.layout import aligned

LINUX = sys.platform.startswith("linux")
KEEP_SIZE = 1  # fallocate: take the blocks, leave the size
WRITE_OUT, WRITE_AND_WAIT = 2, 7  # sync_file_range: start writing; wait, write, wait
DROP_BYTES = 64 << 20
"""Bytes after which a file that goes through the cache is pushed out of it."""
FIRST_STEP, MOST_STEP = 64 << 20, 4 << 30
"""Bytes that are allocated ahead: at first, and at most."""
SLOW_STEP = 0.02
"""Seconds of an allocation from which on the step does not grow any more (tmpfs clears what it allocates)."""
RESERVE = 1 << 20
"""Bytes that stay allocated for closing a session when the disk is full; its summary comes on top."""
_UNSUPPORTED = (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
_lock = threading.Lock()


def _system(name: str, *kinds: Any) -> Callable[..., int] | None:
    """A function of the C library that Python does not offer."""
    if not LINUX:
        return None
    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (OSError, AttributeError):
        return None
    function.argtypes = kinds
    return function  # type: ignore[no-any-return]


_fallocate = _system("fallocate64", ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64)
_sync_range = _system("sync_file_range", ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint)


def read_at(descriptor: int, count: int, offset: int) -> bytes:
    """Up to `count` bytes from `offset`; fewer at the end of the file."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, count, offset)
    with _lock:  # Windows has one position a file
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, count)


def read_into(descriptor: int, view: memoryview, offset: int) -> int:
    """Fill `view` from `offset` on; the number of bytes that were there."""
    done = 0
    while done < len(view):
        if hasattr(os, "preadv"):
            count = os.preadv(descriptor, [view[done:]], offset + done)
        else:
            data = read_at(descriptor, len(view) - done, offset + done)
            count = len(data)
            view[done : done + count] = data
        if not count:
            break
        done += count
    return done


def write_at(descriptor: int, view: memoryview, offset: int) -> int:
    """Write some of `view` at `offset`; the number of bytes that were taken."""
    if hasattr(os, "pwrite"):
        return os.pwrite(descriptor, view, offset)
    with _lock:
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.write(descriptor, view)


def write_all(descriptor: int, data: bytes | memoryview, offset: int) -> None:
    """Write all of `data` at `offset`."""
    view = memoryview(data)
    done = 0
    while done < len(view):
        done += write_at(descriptor, view[done:], offset + done)


def sync(descriptor: int) -> None:
    """Have the data, and the size that is needed to read it, on the medium."""
    getattr(os, "fdatasync", os.fsync)(descriptor)


def sync_folder(folder: Path) -> None:
    """Have a new file's name on the medium, where the system has a way."""
    with suppress(OSError):  # some file systems and Windows have none
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def lock(descriptor: int, shared: bool = False) -> bool:
    """Take the lock that says "being written" (or, shared, look whether it is free); False if it is taken.

    The system gives it back when the process dies. Where there are no such locks (Windows) everything is free.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES)
    return True


def unlock(descriptor: int) -> None:
    """Give the lock back."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_UN)


class RecordingFile:
    """A file that only grows, in aligned pieces.

    Args:
        path: it must not exist, unless `create` is False.
        direct: whether to try to write past the cache.
        create: False to go on with an existing file.

    Raises:
        OSError: as the system says.
    """

    def __init__(self, path: Path, *, direct: bool = True, create: bool = True) -> None:
        self.path, self.position = path, 0
        flags = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        self.descriptor = os.open(path, flags | (os.O_CREAT | os.O_EXCL if create else 0), 0o644)
        self.direct = False
        self.reserve = RESERVE
        """Bytes to keep allocated behind what is written."""
        self.last = False
        """Set for what is written when the disk is full: it goes where blocks were kept free for it."""
        # Two descriptors of one file: what is not aligned (the end, repairs) is written through the first one.
        self._writing = self.descriptor
        if direct and hasattr(os, "O_DIRECT"):
            with suppress(OSError):
                self._writing = os.open(path, flags | os.O_DIRECT)
                self.direct = True
        self._allocated = 0
        self._step = FIRST_STEP if _fallocate is not None else 0
        self._dropped = self._pushed = 0

    def go_on(self, position: int) -> None:
        """Cut the file at `position`, a multiple of ALIGN, and go on there."""
        os.ftruncate(self.descriptor, position)
        self.position = self._allocated = self._dropped = self._pushed = position

    def write(self, view: memoryview) -> None:
        """Write a piece of a multiple of ALIGN bytes that begins at such an address; `position` moves at the end."""
        self._allocate(self.position + len(view))
        done = 0
        while done < len(view):
            try:
                done += write_at(self._writing, view[done:], self.position + done)
            except OSError as error:
                if not self.direct or error.errno != errno.EINVAL:
                    raise
                self._go_through_cache()  # the medium wants larger blocks, or a piece was cut in its midst
        self.position += len(view)
        if not self.direct:
            self._drop_behind()

    def _go_through_cache(self) -> None:
        os.close(self._writing)
        self._writing, self.direct = self.descriptor, False
        self._dropped = self._pushed = self.position

    def _allocate(self, end: int) -> None:
        """Take blocks ahead; raises ENOSPC while there is still room to close the session."""
        if not self._step or self.last or end + self.reserve <= self._allocated:
            return
        # First a large step, so that a long recording asks seldom; if there is no room for that, what is needed now.
        for size in (self._step, aligned(end + self.reserve) - self._allocated):
            begin = time.monotonic()
            # At least what is needed now, even where the step is smaller.
            size = max(size, aligned(end + self.reserve) - self._allocated)
            code = self._take(size)
            if code == 0:
                self._allocated += size
                if time.monotonic() - begin < SLOW_STEP:
                    self._step = min(2 * self._step, MOST_STEP)
                return
            if code in _UNSUPPORTED:
                self._step = 0
                return
        raise OSError(code, os.strerror(code), str(self.path))

    def _take(self, size: int) -> int:
        """Allocate `size` more bytes; the system's error number, 0 for none."""
        assert _fallocate is not None
        while _fallocate(self.descriptor, KEEP_SIZE, self._allocated, size) != 0:
            code = ctypes.get_errno()
            if code != errno.EINTR:
                return code
        return 0

    def _drop_behind(self) -> None:
        if self.position - self._pushed < DROP_BYTES or _sync_range is None:
            return
        # In two strides: the stretch before the last is waited for and dropped from the cache while the last is being
        # written out, so that the disk is never idle.
        _sync_range(self.descriptor, self._dropped, self._pushed - self._dropped, WRITE_AND_WAIT)
        if self._pushed > self._dropped and hasattr(os, "posix_fadvise"):
            with suppress(OSError):
                os.posix_fadvise(
                    self.descriptor, self._dropped, self._pushed - self._dropped, os.POSIX_FADV_DONTNEED
                )
        self._dropped = self._pushed
        _sync_range(self.descriptor, self._pushed, self.position - self._pushed, WRITE_OUT)
        self._pushed = self.position

    def close(self) -> None:
        """Give the file back; blocks that were taken ahead stay until `repair` cuts the file."""
        for descriptor in {self._writing, self.descriptor}:
            with suppress(OSError):
                os.close(descriptor)
        self.descriptor = self._writing = -1  # another file may get the numbers


class Syncer:
    """Has a file synced every so often by a thread of its own, since a sync may take long.

    Args:
        file: the file.
        every: seconds between two syncs; 0 for none.
    """

    def __init__(self, file: RecordingFile, every: float) -> None:
        self._file, self._every = file, every
        self._stop = threading.Event()
        self.synced = file.position if every <= 0 else 0
        """Bytes that are on the medium for sure."""
        self.longest = 0.0
        """Seconds of the longest sync."""
        self.error: OSError | None = None
        self._thread = threading.Thread(target=self._run, daemon=True, name="sync")
        if every > 0:
            self._thread.start()

    def _run(self) -> None:
        while not self._stop.wait(self._every):
            position, begin = self._file.position, time.monotonic()
            if position == self.synced:
                continue
            try:
                sync(self._file.descriptor)
            except OSError as error:
                self.error = error
                return
            self.longest = max(self.longest, time.monotonic() - begin)
            self.synced = position

    def stop(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
