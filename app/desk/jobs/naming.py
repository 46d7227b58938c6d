"""Names of new files that never are those of files that are there."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from app.safe_names import safe_file_name

_COUNTED = re.compile(r"(.*?)([-_ ]?)(\d{1,6})")


def suggest(folder: Path, stem: str, suffix: str, now: datetime | None = None) -> Path:
    """A new file with the date and the first free number: shot_2026-11-21_001.mcap.

    Numbers go on after the highest of the day, so that a file that was thrown away does not give its name to another.

    Args:
        folder: where; it need not be there.
        stem, suffix: what the name begins with, and how it ends.
        now: the clock; replaced in tests.
    """
    day = f"{_plain(stem)}_{now or datetime.now():%Y-%m-%d}"
    taken = [int(m[1]) for file in _files(folder) if (m := re.fullmatch(re.escape(day) + r"_(\d+)", file.stem))]
    return folder / f"{day}_{max(taken, default=0) + 1:03d}{suffix}"


def following(path: Path) -> Path:
    """`path` if it is free; else with the next free number at the end of its name.

    >>> following(Path("/no/such/folder/shot.mcap")).name
    'shot.mcap'
    """
    if not path.exists():
        return path
    found = _COUNTED.fullmatch(path.stem)
    base, gap, number = (found[1], found[2], found[3]) if found else (path.stem, "_", "000")
    k = int(number)
    while True:
        k += 1
        made = path.with_name(f"{base}{gap}{k:0{len(number)}d}{path.suffix}")
        if not made.exists():
            return made


def _plain(stem: str) -> str:
    plain = "".join(c if c.isalnum() or c in "-_." else "-" for c in stem).strip("-.")
    return safe_file_name(plain, "session")


def _files(folder: Path) -> list[Path]:
    try:
        return [*folder.iterdir()]
    except OSError:
        return []
