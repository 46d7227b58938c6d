"""The file below libav, which does not tell when a disk is full."""

from __future__ import annotations

from typing import BinaryIO


class DiskFile:
    """The file that libav writes to. It never fails: libav would print a failure and go on; `error` holds it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.name = file.name
        self.error: OSError | None = None

    def tell(self) -> int:
        return self._file.tell()

    def read(self, count: int) -> bytes:
        try:
            return self._file.read(count) if self.error is None else b""
        except OSError as error:
            self.error = error
            return b""

    def write(self, data: bytes) -> int:
        if self.error is None:
            try:
                self._file.write(data)
            except OSError as error:
                self.error = error
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        try:
            return self._file.seek(offset, whence)
        except OSError as error:  # what was buffered goes out first
            self.error = self.error or error
            return offset
