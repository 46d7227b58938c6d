"""How a session is recorded."""

from __future__ import annotations

from dataclasses import dataclass

from app.sessions.writer import SYNC_EVERY


@dataclass(frozen=True, slots=True)
class RecordingOptions:
    """What may be asked of a recording.

    Args:
        queue: frames that fit between camera and recorder; None for half a minute of them, 512 MB at most. It should
            be some seconds: a disk may pause for one, and a recorder that is killed takes half of one to come back.
        wait: whether `put` waits for room (files, replays) or drops and counts (cameras).
        before: frames to keep in memory for a trigger to ask for; None records everything from the start.
        late: frames that may have come since the one that a trigger is about (tracks take their time); so many are
            kept besides.
        state_every: frames between two states of the run that are kept besides, for a trigger to begin at
            (`Recording.checkpoint`); so many frames and a half more are kept in memory. 0 keeps none.
        behind_losses: whether states of the run are asked for behind frames that found no room, so that a replay
            goes on there as the run did (`app.sessions.resuming`).
        direct: whether to try to write past the system's cache.
        sync_every: seconds between two syncs; 0 leaves it to the system.
        trial: the session is not kept, in a folder of its own: both go if this program is killed.
    """

    queue: int | None = None
    wait: bool = False
    before: int | None = None
    late: int = 0
    state_every: int = 0
    behind_losses: bool = False
    direct: bool = True
    sync_every: float = SYNC_EVERY
    trial: bool = False


EVERYTHING = RecordingOptions()
"""All frames from the start, as fast as they come."""
