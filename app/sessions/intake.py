"""Frames on their way to the recorder: numbered, looked at, copied once into the memory that it shares.

Several frames at once cost the interpreter as much as one: what is done for each is a copy, and rows of a table.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from app.sessions import events
from app.sessions.layout import FRAME_ROW, FrameRows, Picture
from app.sessions.outbox import WAIT, Outbox
from app.sessions.shared import RecorderState, SharedMemory
from pipelines.frame import Pixels
from pipelines.streaming.live.numbering import Kind, Numbers

NO_ROOM = "no room in the queue"
_NAMED = {Kind.AGAIN: events.DUPLICATE, Kind.LATE: events.LATE}


class Intake:
    """Puts frames into their ring; one thread calls it.

    Args:
        memory: shared with the recorder.
        picture: the type of the frames.
        outbox: where events go.
        name: of the session, for sentences.
        wait: whether to wait for room, or to drop and count.
        resumed: called with the first frame that was put after some were dropped, before anything else sees it.

    Attributes:
        announced: frames so far; the next one's sequence number.
        head: frames that were put into slots.
    """

    def __init__(
        self, memory: SharedMemory, picture: Picture, outbox: Outbox, name: str, wait: bool,
        resumed: Callable[[int], None],
    ) -> None:  # fmt: skip
        self._memory, self._picture, self._outbox, self._name, self._wait = memory, picture, outbox, name, wait
        self._resumed = resumed
        self._image, self._kind = picture.image, picture.image.dtype.numpy.newbyteorder("<")
        self._numbers = Numbers()
        self.announced = self.head = 0

    def put(
        self,
        pixels: Pixels,
        camera_ids: npt.NDArray[np.int64] | int,
        camera_times: npt.NDArray[np.int64] | int,
        host_times: npt.NDArray[np.int64] | int,
        times: npt.NDArray[np.float64] | float,
    ) -> int:
        """Announce frames, oldest first: (n, *shape) pixels, (n,) of the rest or one value for all.

        Returns:
            How many were taken: the first so many. The others were dropped, counted and named.

        Raises:
            ValueError: the frames have another size or type than the session.
        """
        image, count = self._image, len(pixels)
        if pixels.shape[1:] != image.shape or pixels.dtype != image.dtype.numpy:
            raise ValueError(
                f"frames of {self._name} are {image.dtype} {image.shape}, not {pixels.dtype} {pixels.shape[1:]}"
            )
        first = self.announced
        rows = np.zeros(count, FRAME_ROW)
        rows["sequence"] = np.arange(first, first + count)
        rows["camera_id"], rows["camera_time"], rows["host_time"], rows["time"] = (
            camera_ids, camera_times, host_times, times)  # fmt: skip
        # Announced before there is room: a frame that finds none is missing by number.
        self.announced += count
        self._memory.producer["announced"] = self.announced
        self._look_at(rows["camera_id"], first)
        done = 0
        try:
            while done < count and (room := self._room()):
                done += self._copy(pixels[done : done + room], rows[done : done + room])
        finally:  # also after Ctrl-C while waiting: the frames were announced, so they are accounted for
            if done < count:
                self._drop(first + done, first + count - 1)
        return done

    def unreadable(self, time_s: float, reason: str) -> None:
        """Announce a frame that the source could not read: it takes a number, and is named instead of recorded."""
        self.announced += 1
        self._memory.producer["announced"] = self.announced
        self._outbox.event(events.UNREADABLE, self.announced - 1, time=time_s, reason=reason)

    def _copy(self, pixels: Pixels, rows: FrameRows) -> int:
        """Copy frames into the free slots up to the end of the ring; how many."""
        memory = self._memory
        # The range of lost frames ends here; it is named before the frame behind it can be seen.
        if memory.number("loss_first") >= 0:
            self.end_loss()
            self._resumed(int(rows["sequence"][0]))
        slot = self.head % memory.geometry.frame_slots
        count = min(len(rows), memory.geometry.frame_slots - slot)
        memory.rows[slot : slot + count] = rows[:count]
        memory.pixels[slot : slot + count].view(self._kind)[...] = pixels[:count].reshape(count, -1)
        self.head += count
        memory.publish(memory.producer, "head", self.head)
        return count

    def _room(self) -> int:
        """Free slots, after waiting for some where that is allowed; 0 if there are none."""
        memory = self._memory
        while memory.state not in (RecorderState.DONE, RecorderState.FAILED) and not memory.number("closing"):
            room = memory.geometry.frame_slots - (self.head - memory.number("tail"))
            if room or not self._wait:
                return room
            time.sleep(WAIT)
        return 0

    def _look_at(self, ids: npt.NDArray[np.int64], first: int) -> None:
        """Name what the camera's numbers say; `first` is the sequence number of the first frame."""
        for at, kind, one, other in self._numbers.look(ids):
            if kind is Kind.GAP:
                self._outbox.event(events.GAP, first + at, first_id=one, last_id=other)
            else:
                self._outbox.event(_NAMED[kind], first + at, camera_id=one)

    def _drop(self, first: int, last: int) -> None:
        """Count frames that found no room; the range is in the shared memory until an event names it."""
        memory, page = self._memory, self._memory.producer
        if memory.number("loss_first") >= 0 and memory.number("loss_last") != first - 1:
            self.end_loss()
        if memory.number("loss_first") < 0:
            # `last` first, then `first`, which makes the range valid.
            page["loss_last"] = last
            memory.publish(page, "loss_first", first)
        page["loss_last"] = last
        page["dropped"] += last - first + 1

    def end_loss(self) -> None:
        """Name a range of dropped frames in the session, if there is one."""
        first, last = self._memory.number("loss_first"), self._memory.number("loss_last")
        if first >= 0:
            self._outbox.event(events.LOSS, first, first=first, last=last, reason=NO_ROOM)
            self._memory.publish(self._memory.producer, "loss_first", -1)
