"""The ledger: every frame that a source announced is accounted for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

MOST_NAMED = 100
"""Bad frames that are named one by one; beyond it they are counted by reason."""

OTHER = "other reasons"
"""Where those are counted whose reason is not among the first MOST_NAMED, so that a ledger does not grow."""


@dataclass
class Ledger:
    """Counts of frames; `first` and `end` delimit what was asked for.

    announced == processed + bad + not_reached always holds (`check`).
    """

    first: int = 0
    end: int = 0
    processed: int = 0
    bad: int = 0
    bad_frames: list[tuple[int, str]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def announced(self) -> int:
        return self.end - self.first

    @property
    def not_reached(self) -> int:
        """Frames that were asked for and never touched, because the run was stopped."""
        return self.announced - self.processed - self.bad

    def add_bad(self, index: int, reason: str) -> None:
        """Frame `index` could not be read."""
        self.bad += 1
        self.reasons[reason if reason in self.reasons or len(self.reasons) < MOST_NAMED else OTHER] += 1
        if len(self.bad_frames) < MOST_NAMED:
            self.bad_frames.append((index, reason))

    def check(self) -> None:
        """Raise AssertionError if a frame was counted twice or never."""
        assert 0 <= self.not_reached <= self.announced, self

    def facts(self) -> dict[str, object]:
        """For the summary, JSON-able."""
        return {
            "announced": self.announced,
            "first": self.first,
            "processed": self.processed,
            "bad": self.bad,
            "not_reached": self.not_reached,
            "bad_frames": [{"frame": index, "reason": reason} for index, reason in self.bad_frames],
            "bad_reasons": dict(self.reasons),
        }
