"""How a clip is to be read where its file does not say, or says it wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.sources.base import BITS_GIVEN, TURNED, ClipSource
from kernels.errors import SourceError


@dataclass(frozen=True, slots=True)
class Reading:
    """What the user says of a clip, in place of what its file says.

    Args:
        fps: capture rate, frames a second; None for the file's.
        bits: significant bits of a sample, such as 12 where they come in 16; None for the file's.
        turn: by how many degrees the pictures are turned clockwise: 0, 90, 180 or 270.
        gaps: whether a rate that is given leaves room for frames that are missing by their time stamps or numbers.

    Raises:
        SourceError: anything else.
    """

    fps: float | None = None
    bits: int | None = None
    turn: int = 0
    gaps: bool = True

    def __post_init__(self) -> None:
        if self.fps is not None and not (math.isfinite(self.fps) and self.fps > 0):
            raise SourceError(f"the capture rate must be a positive number of frames a second, not {self.fps}")
        if self.bits is not None and not 1 <= self.bits <= 16:
            raise SourceError(f"the bits of a value are 1 to 16, not {self.bits}")
        if self.turn not in (0, 90, 180, 270):
            raise SourceError(f"pictures are turned by 90, 180 or 270 degrees clockwise, not by {self.turn}")

    def apply(self, source: ClipSource) -> None:
        """Have a clip that was just opened be read so.

        Raises:
            SourceError: it cannot be: its pixels are no whole numbers of so many bits.
        """
        if self.fps is not None:
            source.override_rate(self.fps, self.gaps)
        if self.bits is not None:
            source.state_bits(self.bits)
        if self.turn:
            source.turn(self.turn)

    @staticmethod
    def of(facts: Mapping[str, Any]) -> Reading:
        """How a clip was read of which a summary holds these facts (`app.provenance.source_facts`)."""
        base, about = facts.get("time_base") or {}, facts.get("metadata") or {}
        fps = base.get("fps") if base.get("origin") == "user" else None
        bits, turn = about.get(BITS_GIVEN), about.get(TURNED)
        try:
            return Reading(float(fps) if fps else None, int(bits) if bits else None, int(turn or 0))
        except (SourceError, TypeError, ValueError):  # the file was edited
            return AS_STORED


AS_STORED = Reading()
"""As the file says."""
