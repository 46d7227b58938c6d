"""What becomes of a camera's frames, counted under the same words in the window, on the command line and in sessions.

    announced = captured + lost by the camera
    captured = processed + left out + on their way
    captured = recorded + lost before the disk + not asked for by a trigger + on their way    (while it is recorded)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

WORDS = {
    "announced": "frames that the camera took, by its own numbers",
    "captured": "frames that came from the camera",
    "recorded": "captured frames that are in the session",
    "processed": "captured frames that went through the pipeline: they have tracks",
    "left out": "captured frames that were not processed, as there was no time for them or the run was paused; a "
                "recording has them all the same",
    "lost": "frames that are gone: they never came from the camera, or found no room before the disk",
}  # fmt: skip
"""What each of the words means."""
NEVER_CAME, NO_ROOM = "never came from the camera", "found no room before the disk"
"""Why frames are lost."""


@dataclass(frozen=True, slots=True)
class FrameCounts:
    """See the module.

    Args:
        captured, processed: frames.
        left_out: frames by reason.
        missing: frames that never came from the camera.
        dropped: captured frames that found no room before the disk.
    """

    captured: int = 0
    processed: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    missing: int = 0
    dropped: int = 0

    @property
    def announced(self) -> int:
        """Frames that the camera took."""
        return self.captured + self.missing

    @property
    def all_left_out(self) -> int:
        """Frames that were left out, for whatever reason."""
        return sum(self.left_out.values())

    @property
    def lost(self) -> Mapping[str, int]:
        """Frames by reason, those of which there are some."""
        found = {NEVER_CAME: self.missing, NO_ROOM: self.dropped}
        return {reason: count for reason, count in found.items() if count}

    @property
    def all_lost(self) -> int:
        """Frames that are lost, for whatever reason."""
        return self.missing + self.dropped

    def since(self, before: FrameCounts) -> FrameCounts:
        """What came since another look at the same run."""
        left = {reason: more for reason, count in self.left_out.items()
                if (more := count - before.left_out.get(reason, 0)) > 0}  # fmt: skip
        return FrameCounts(self.captured - before.captured, self.processed - before.processed, left,
                           max(0, self.missing - before.missing), max(0, self.dropped - before.dropped))  # fmt: skip


def with_reasons(word: str, reasons: Mapping[str, int]) -> str:
    """How many frames are lost or left out, and why.

    >>> with_reasons("lost", {NEVER_CAME: 3})
    '3 lost (never came from the camera)'
    >>> with_reasons("left out", {"the engine was behind": 10, "the run was paused": 2})
    '12 left out (10 the engine was behind, 2 the run was paused)'
    >>> with_reasons("lost", {})
    '0 lost'
    """
    total = sum(reasons.values())
    why = ", ".join(reason if len(reasons) == 1 else f"{count} {reason}" for reason, count in reasons.items())
    return f"{total} {word}" + (f" ({why})" if why else "")
