"""Corrections of a clip that another window has written."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.desk.tracks.steps import Action


@dataclass(frozen=True, slots=True)
class Theirs:
    """What another window wrote, and where."""

    path: Path
    actions: tuple[Action, ...]
    digest: str


def shared(ours: Sequence[Action], theirs: Sequence[Action]) -> tuple[Action, ...]:
    """What both begin with."""
    pairs = zip(ours, theirs, strict=False)
    return tuple(one for one, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
