"""The counts of a recording so far."""

from __future__ import annotations

from dataclasses import dataclass

from app.sessions.shared import RecorderState


@dataclass(frozen=True, slots=True)
class Account:
    """Counts so far; announced == recorded + skipped + dropped + waiting, but for what is on its way.

    Args:
        state: of the recorder.
        announced: frames that were put.
        recorded: frames in the file.
        skipped: frames that no trigger asked for.
        dropped: frames that found no room in the queue, or came after the recorder had to stop.
        waiting, slots: frames in the queue, and how many it can hold.
        bytes, synced_bytes: of the file: handed to the system; on the medium for sure.
        free_bytes: of the disk, as of the last second.
        seconds_left: until the disk is full at the present rate, in the first seconds at the rate that the camera
            announced; infinite if nothing is being written, or unknown.
        longest_write, longest_sync: in seconds.
        processor: seconds of processor time of the recorder.
        restarts: how often it had to be started again.
        messages_lost: tables of tracks and events that found no room.
        problem: why the recorder had to stop, "" if it did not.
    """

    state: RecorderState
    announced: int
    recorded: int
    skipped: int
    dropped: int
    waiting: int
    slots: int
    bytes: int
    synced_bytes: int
    free_bytes: int
    seconds_left: float
    longest_write: float
    longest_sync: float
    processor: float
    restarts: int
    messages_lost: int
    problem: str
