"""Rows of tracks into a CSV file as they come, straight to the system, cut at a whole row when the disk is full."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pipelines.features import Tracks


class CsvStream:
    """A CSV file being written; nothing waits in memory.

    Args:
        path: the file; created or emptied.
        header: what comes before the rows.
        lines: makes the lines of rows.

    Raises:
        OSError: here and in `write`, as the system says.
    """

    def __init__(self, path: Path, header: bytes, lines: Callable[[Tracks], bytes]) -> None:
        self._header, self._lines = header, lines
        self._file = open(path, "wb", buffering=0)  # noqa: SIM115
        self._size = 0  # bytes of whole rows, the header included
        self.frame: int | None = None  # of the last whole row
        self._put(header)
        self._size = len(header)

    def write(self, rows: Tracks) -> None:
        """Append rows."""
        data = self._lines(rows)
        done = 0
        try:
            done = self._put(data)
        except OSError:
            done = os.fstat(self._file.fileno()).st_size - self._size
            raise
        finally:
            whole = data.rfind(b"\n", 0, max(0, done)) + 1
            self._size += whole
            count = data.count(b"\n", 0, whole)
            self.frame = int(rows["frame"][count - 1]) if count else self.frame

    def rescue(self) -> bool:
        """Cut off a torn row and close; True if any row is in the file."""
        with suppress(OSError, ValueError):
            self._file.truncate(self._size)
        self.close()
        return self._size > len(self._header)

    def close(self) -> None:
        self._file.close()

    def _put(self, data: bytes) -> int:
        done = 0
        while done < len(data):  # a disk that is nearly full takes a part
            done += self._file.write(data[done:])
        return done
