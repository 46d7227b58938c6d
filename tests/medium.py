"""Nothing waits for the disk: what a process has written is there for all others, and power fails in no test. A file
that is put in place takes one to ten milliseconds more where the medium must have it first, and tests write tens of
thousands. That the program asks for it is seen where it is refused (`app/exports/test_track_writer.py`).
"""

from __future__ import annotations

import os

ASKED = tuple(name for name in ("fsync", "fdatasync") if hasattr(os, name))
"""Functions of `os` that return once the medium has what was written."""


def sync(descriptor: int) -> None:
    """In their place: the file is open, and that is enough.

    Raises:
        OSError: it is not.
    """
    os.fstat(descriptor)
