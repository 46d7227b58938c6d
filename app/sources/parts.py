"""Clips that are a part of a file, named behind a colon: file.h5:/entry/data, file.npz:frames."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.sources.base import identity_of


def split_part(text: str, endings: tuple[str, ...]) -> tuple[str, str]:
    """File and part of what names a clip; the part is "" where it names a file, a folder or a pattern alone.

    Args:
        text: what was given.
        endings: of files that have parts, whether they are there or not; other files must be there.

    >>> split_part("a/file.h5:/entry/data", (".h5",)), split_part("sim:vortex", (".h5",))
    (('a/file.h5', '/entry/data'), ('sim:vortex', ''))
    """
    if ":" in text and not os.path.lexists(os.path.expanduser(text)):
        for at in (k for k, letter in enumerate(text) if letter == ":" and k > 1):
            file, part = text[:at], text[at + 1 :]
            if part and (Path(file).suffix.lower() in endings or os.path.isfile(os.path.expanduser(file))):
                return file, part
    return text, ""


def beside(file: Path, part: str) -> Path:
    """What names a part in the names of files beside it and of results.

    >>> beside(Path("a/file.h5"), "/entry/data").name, beside(Path("a/file.h5"), "").name
    ('file-entry-data.h5', 'file.h5')
    """
    words = "-".join(word for word in part.replace("\\", "/").split("/") if word)
    return file.with_name(f"{file.stem}-{words}{file.suffix}") if words else file


def identity_of_part(file: Path, part: str) -> Mapping[str, Any]:
    """As `identity_of`; the path names the part as it was given."""
    found = identity_of(file)
    return {**found, "path": f"{found['path']}:{part}"} if part else found
