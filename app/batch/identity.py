"""What a clip is, so that a later batch knows whether it has changed: its files' sizes, and a hash of their bytes.

Clips up to WHOLE bytes are hashed as a whole, and only their content counts. Of larger ones BLOCKS evenly spaced
blocks are hashed, and the time of the last change must be the same, too.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.batch.finding import SIMULATED
from app.files.missing import missing_sentence
from app.sources.formats import PICTURES, split, stands_for
from app.sources.numbering import is_pattern, match_folder, match_numbered, match_pattern
from app.sources.own import times_of
from app.sources.photron import header_of
from kernels.errors import SourceError

WHOLE = 4 << 20
BLOCKS = 16
BLOCK = 64 << 10


def parts_of(path: str) -> list[Path]:
    """The files that decide what a run of a clip gives: its own, a header's, times and truth beside it.

    Raises:
        SourceError, OSError: there is no such clip.
    """
    named, clip = stands_for(path), Path(split(path)[0])
    if clip.is_dir():
        files = [*match_folder(clip, PICTURES).files]
    elif not clip.exists() and is_pattern(path):
        files = [*match_pattern(path, PICTURES).files]
    elif clip.suffix.lower() in PICTURES:
        files = [*match_numbered(clip).files]
    else:
        files = [clip]
    header = header_of(files[0])
    beside = [] if header is None else [header]
    beside += [times_of(named), named.parent / f"{named.stem}.truth.csv"]
    return files + [file for file in beside if file.is_file()]


def identity(path: str) -> dict[str, Any]:
    """What names the content of a clip; JSON-able, to be compared by `same`.

    Raises:
        SourceError, OSError: there is no such clip, or it cannot be read.
    """
    if path.startswith(SIMULATED):
        return {"files": 0, "bytes": 0, "mtime_ns": 0, "whole": True, "digest": _hash(path.encode()).hexdigest()}
    files = parts_of(path)
    try:
        stats = [file.stat() for file in files]
    except FileNotFoundError:
        raise SourceError(missing_sentence(Path(path))) from None
    total = sum(stat.st_size for stat in stats)
    hashed = _hash(b"".join(f"{f.suffix}:{s.st_size};".encode() for f, s in zip(files, stats, strict=True)))
    for file, start, count in _pieces(files, [stat.st_size for stat in stats]):
        with file.open("rb") as opened:
            opened.seek(start)
            hashed.update(opened.read(count))
    return {
        "files": len(files), "bytes": total, "mtime_ns": max(stat.st_mtime_ns for stat in stats),
        "whole": total <= WHOLE, "digest": hashed.hexdigest(),
    }  # fmt: skip


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two identities are of the same content."""
    keys = ("files", "bytes", "digest", "whole", *(() if one.get("whole") else ("mtime_ns",)))
    return all(one.get(key) == other.get(key) for key in keys)


def _hash(data: bytes) -> Any:
    return hashlib.blake2b(data, digest_size=16)


def _pieces(files: Sequence[Path], sizes: Sequence[int]) -> list[tuple[Path, int, int]]:
    """File, first byte and count of what is hashed."""
    total = sum(sizes)
    if total <= WHOLE:
        return [(file, 0, size) for file, size in zip(files, sizes, strict=True)]
    pieces, at, index = [], 0, 0
    for k in range(BLOCKS):
        wanted = k * max(0, total - BLOCK) // (BLOCKS - 1)  # the first byte of all files one after the other
        while index < len(files) - 1 and wanted >= at + sizes[index]:
            at += sizes[index]
            index += 1
        pieces.append((files[index], wanted - at, BLOCK))
    return pieces


def size_of(path: str) -> int:
    """Bytes of a clip, as far as can be seen without opening it; 0 for what is not there."""
    try:
        return 0 if path.startswith(SIMULATED) else os.stat(split(path)[0]).st_size
    except OSError:
        return 0
