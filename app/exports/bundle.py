"""Several files that belong together: all of them or none."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from app.files.atomic import PendingFile, errno_of

NEARLY_FULL = 1 << 20
"""Bytes free below which an error without a number counts as a full disk (NumPy's tells none)."""


@contextmanager
def replacing_all(*targets: Path) -> Iterator[Sequence[Path]]:
    """Give the temporary paths to write to; on leaving they become `targets`, unless an exception passes.

    Raises:
        InputError: for every OSError within; no new file is left then.
    """
    pending: list[PendingFile] = []
    try:
        pending.extend(PendingFile(target) for target in targets)
        yield [one.temporary for one in pending]
    except OSError as error:
        for one in pending[1:]:
            one.discard()
        raise pending[0].failed(_told(error, targets[0])) from error
    except BaseException:
        for one in pending:
            one.discard()
        raise
    commit_all(pending)


def commit_all(pending: Sequence[PendingFile]) -> None:
    """Give all files their names; if one cannot have it, those that are new lose theirs."""
    fresh = [one.target for one in pending if not one.target.exists()]
    try:
        for one in pending:
            one.commit()
    except BaseException:
        for one in pending:
            one.discard()
        for target in fresh:
            with suppress(OSError):
                target.unlink()
        raise


def _told(error: OSError, target: Path) -> BaseException:
    """The error, or that the disk is full where a library did not say so."""
    if not errno_of(error):
        with suppress(OSError):
            if shutil.disk_usage(target.parent).free < NEARLY_FULL:
                return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return error
