"""What a file has by which damage in it can be told, and what a close look at one found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from typing import Any


class Integrity(Enum):
    """A sentence each, without its end."""

    SUMS = "check sums of each frame: damage is told"
    TOGETHER = "check sums over many frames together: damage is told, but not in which of them"
    PACKED = "no check sums, compressed: most damage is told; --verify looks more closely"
    PLAIN = "no check sums, pixels as they are: a changed byte among them cannot be detected"


Tell = Callable[[int], object]
"""Gets how many frames were looked at once more."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found where a clip was looked at more closely than when it is read.

    Args:
        looked: what was looked at besides reading each frame, as part of a sentence; "" for nothing.
        flaws: which frames are damaged, and why, that can be read all the same.
    """

    looked: str = ""
    flaws: Mapping[int, str] = field(default_factory=dict)


def examining(name: str) -> Any:
    """A module of `app.sources.examining`, which is loaded for a close look alone."""
    return import_module(f"app.sources.examining.{name}")
