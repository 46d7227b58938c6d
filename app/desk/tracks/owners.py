"""Whose tracks are which: ids of several trackers interleave, otherwise after each change of the pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.streaming.engine.tracking import Follower


@dataclass(frozen=True, slots=True)
class Owned:
    """The ids of one tracker.

    Args:
        tracker: its name.
        pieces: (raw, given, stride): its own ids from `raw` on leave as `given`, `given` + `stride` ..., by rising raw.
    """

    tracker: str
    pieces: tuple[tuple[int, int, int], ...]

    def has(self, track: int) -> bool:
        """Whether the id is, or can become, one of this tracker's."""
        for k, (raw, given, stride) in enumerate(self.pieces):
            # A piece gives the numbers `given`, `given` + `stride` ... to the tracker's own ids from `raw` on, up to
            # where the next piece begins.
            steps, rest = divmod(track - given, stride)
            end = self.pieces[k + 1][0] if k + 1 < len(self.pieces) else None
            if rest == 0 and steps >= 0 and (end is None or raw + steps < end):
                return True
        return False


def owned(followers: Sequence[Follower]) -> tuple[Owned, ...]:
    """The ids of all trackers at work."""
    return tuple(Owned(f.node.id, tuple((p.raw, p.given, p.stride) for p in f.pieces)) for f in followers)


def owner(all_ids: Sequence[Owned], track: int) -> str:
    """The tracker that a track is of, "" for none of these."""
    return next((one.tracker for one in all_ids if one.has(track)), "")
