"""Which peers there are."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from app.benchmark.checkout import why_absent
from app.benchmark.trackers.contender import Contender

LIBRARIES = {
    "app.benchmark.trackers.peers.opencv": "cv2",
    "tests.benchmark_peers.trackers.trackpy": "trackpy",
    "tests.benchmark_peers.trackers.boxes": "trackers",
    "tests.benchmark_peers.trackers.pyidi": "pyidi",
}
"""Module -> the library that it needs."""


def found_peers() -> tuple[list[Contender], list[str]]:
    """The contenders that are there, and a sentence for each library that is not."""
    contenders: list[Contender] = []
    missing: list[str] = []
    for module, library in LIBRARIES.items():
        if why := why_absent(library, module, "peers"):
            missing.append(why)
            continue
        made: Sequence[Contender] = importlib.import_module(module).CONTENDERS
        contenders += made
    return contenders, missing
