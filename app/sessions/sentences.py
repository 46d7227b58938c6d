"""Why a session could not be begun, or had to end, in a sentence."""

from __future__ import annotations

import errno
from pathlib import Path

from app.files.atomic import errno_of, size_text, write_error
from kernels.errors import InputError


def creation_error(path: Path, error: OSError) -> InputError:
    """The sentence for a session that could not be begun."""
    return InputError(str(write_error(path, error)).replace("choose another place", "record to another place"))


def failed(path: Path, error: BaseException, frames: int, position: int) -> str:
    """The sentence for a recording that had to stop: why, and what is kept.

    Args:
        path: the session.
        error: what the system said.
        frames: frames that were written.
        position: bytes that were written.
    """
    reasons = {
        errno.ENOSPC: "the disk is full", errno.EDQUOT: "the disk quota is used up",
        errno.EFBIG: "the file may not grow any further here", errno.EROFS: "the disk became read-only",
        errno.EIO: "the disk fails or is gone", errno.ENODEV: "the disk is gone", errno.ENXIO: "the disk is gone",
        errno.ESTALE: "the network drive is gone", errno.ENOTCONN: "the network drive is gone",
        errno.ENOENT: "the file was deleted",
    }  # fmt: skip
    code = errno_of(error)
    why = reasons.get(code) or f"the system says: {getattr(error, 'strerror', None) or error}"
    ends = f"{path.name} ends after {frames} frames ({size_text(position)}) because {why}"
    if code == errno.ENOENT:
        return f"{ends}; nothing of it is left"
    return f"{ends}; they are kept; free some space or record to another place"
