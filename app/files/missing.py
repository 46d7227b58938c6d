"""A path that does not exist, in a sentence: which names near it do."""

from __future__ import annotations

import difflib
import os
from contextlib import suppress
from pathlib import Path

MOST_NEAR = 500
"""Names of a folder that are looked at for where a file may be that is not there."""


def missing_sentence(path: Path) -> str:
    """Says that a path does not exist, and which names near it do."""
    folder = path.parent
    if path.is_symlink():
        return f"{path} is a link to {os.readlink(path)}, which does not exist"
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return f"{path} does not exist, nor does the folder {folder}{_elsewhere(path)}"
    beside = (".csv", ".json", ".toml", ".txt", ".html", ".log", ".pdf")  # lie beside clips and are none
    own = path.suffix.casefold()
    folded = {name.casefold(): name for name in names if not name.casefold().endswith(beside) or
              name.casefold().endswith(own or " ")}  # fmt: skip
    near = difflib.get_close_matches(path.name.casefold(), folded, n=3, cutoff=0.6)
    hint = f"; did you mean {' or '.join(folded[n] for n in near)}?" if near else _elsewhere(path)
    return f"{path} does not exist{hint}"


def _elsewhere(path: Path) -> str:
    """A hint at a file of this name that lies nearby: it was moved, or a folder is spelled otherwise; "" for none."""
    whole = Path(os.path.abspath(path))
    tried: list[Path] = []
    with suppress(OSError):
        above = next((folder for folder in whole.parents if folder.is_dir()), None)
        if above is None:  # a drive that is not there
            return ""
        part, *rest = whole.relative_to(above).parts
        folders = {name.casefold(): name for name in sorted(os.listdir(above))[:MOST_NEAR] if (above / name).is_dir()}
        near = difflib.get_close_matches(part.casefold(), folders, n=3, cutoff=0.6) if rest else []
        tried += [above.joinpath(folders[name], *rest) for name in near]
        tried += [above / name / whole.name for name in ("..", *folders.values())]
        tried += [above / whole.name, Path.cwd() / whole.name]
    found = next((Path(os.path.normpath(one)) for one in tried if one.is_file()), None)
    return "" if found is None else f"; did you mean {found}?"
