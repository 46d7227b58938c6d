"""Which peers there are."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence

from app.benchmark.trackers.contender import Contender

LIBRARIES = {"opencv": "cv2", "trackpy": "trackpy", "boxes": "trackers", "pyidi": "pyidi"}
"""Module of this package -> the library that it needs."""


def found_peers() -> tuple[list[Contender], list[str]]:
    """The contenders whose library is installed, and a sentence for each that is not."""
    contenders: list[Contender] = []
    missing: list[str] = []
    for module, library in LIBRARIES.items():
        if importlib.util.find_spec(library) is None:
            missing.append(f'{library} is not installed (pip install "fusetrack[peers]")')
            continue
        made: Sequence[Contender] = importlib.import_module(f"{__package__}.{module}").CONTENDERS
        contenders += made
    return contenders, missing
