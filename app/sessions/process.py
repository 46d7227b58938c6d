"""The recorder: a process of its own that moves frames from shared memory into the session until no more come.

It ends well whatever happens to the others: if the producer dies it drains the rings and closes the session; if it
dies itself the producer starts another one, which goes on where the file ends. It listens to no Ctrl-C, being
in a session of its own, and writes nothing to the terminal.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import time
from pathlib import Path

from app.child_process import first_line, when_input_ends
from app.sessions import events
from app.sessions.row_messages import rows_of_message
from app.sessions.schemas import STATES, TRACKS
from app.sessions.sentences import failed
from app.sessions.shared import MESSAGE_SLOTS, RecorderState, SharedMemory
from app.sessions.writer import SessionWriter
from kernels.errors import FusetrackError

POLL = 0.001
"""Seconds between two looks at empty rings."""
STATISTICS_EVERY = 1.0
STOPPED = "the recording had to stop"
DIED = "the program that recorded ended without closing the session"


class Recorder:
    """Moves frames and messages; see the module.

    Args:
        memory: shared with the producer.
        writer: the session, at its end.
        parent: the producer's process.
    """

    def __init__(self, memory: SharedMemory, writer: SessionWriter, parent: int) -> None:
        self.memory, self.writer, self._parent = memory, writer, parent
        self.orphaned = False
        """Whether the producer died."""
        self._read = memory.number("tail")
        self._messages_read = memory.number("message_tail")
        self._statistics_due = time.monotonic() + STATISTICS_EVERY

    def run(self) -> str:
        """Record until the producer closes or dies; says which.

        Raises:
            OSError: the system refuses to write.
        """
        memory = self.memory
        while True:
            ending = bool(memory.number("closing")) or self.orphaned  # before the look at the rings: all is in them
            # What is wanted is read before the messages: a state is in the file before the frames that need it.
            held = memory.number("pre")
            wanted = memory.number("wanted_from"), memory.number("wanted_until")
            moved = self._take_messages() + self._take_frames(held, *wanted)
            self.writer.tick()
            self._advance()
            self._tell()
            # Asked before the look at the rings, and nothing came since: all has been moved.
            if ending and not moved:
                break
            if not moved:
                time.sleep(POLL)
        self._skip_rest()
        self._end_skip()
        if memory.number("closing"):
            return "closed"
        self._name_rest(self._read, "the program ended before it had handed them over")
        return DIED

    def _take_frames(self, pre: int, first: int, until: int) -> int:
        """Move what is in the ring; the number of frames moved.

        Args:
            pre: how many are held that are not wanted yet.
            first, until: which frames are wanted, by sequence number.
        """
        memory = self.memory
        head, slots, moved = memory.number("head"), memory.geometry.frame_slots, 0
        while self._read < head:
            slot = self._read % slots
            row = memory.rows[slot]
            sequence = int(row["sequence"])
            if sequence < self.writer.next_sequence:
                pass  # in the file already: the recorder before this one died between writing and saying so
            elif first <= sequence < until:
                self._end_skip()
                self._read += 1  # before it is held: writing it may fail, and what is held was read
                self.writer.frame(row, memory.pixels[slot])
                moved += 1
                # Not more than a group at a time: messages and closing want a look, too.
                if moved >= self.writer.layout.frames:
                    break
                continue
            elif sequence < first or head - self._read > pre:
                self._skip(sequence)
            else:
                break  # held: a trigger may still ask for it
            self._read += 1
            moved += 1
            if moved >= self.writer.layout.frames:
                break  # messages and closing want a look, too
        # Half of the ring waits for this group: it is written although it is not full, so that slots become free.
        if self.writer.held and self._read - memory.number("tail") > slots // 2:
            self.writer.flush()
        return moved

    def _skip(self, sequence: int) -> None:
        """A frame that is not wanted."""
        if self.writer.held:
            self.writer.flush()  # so that all that was read and is not written is at the end
        page = self.memory.recorder
        # A gap in the numbers begins a range of its own.
        if page["skip_first"] < 0 or sequence != page["skip_last"] + 1:
            self._end_skip()
            page["skip_last"] = sequence
            # `last` first, then `first`, which makes the range valid: a reader never sees half of it.
            self.memory.publish(page, "skip_first", sequence)
        page["skip_last"] = sequence
        page["skipped"] += 1

    def _end_skip(self) -> None:
        """Name a range of frames that were not wanted; it is in the shared memory until that is in the file."""
        first, last = self.memory.number("skip_first"), self.memory.number("skip_last")
        if first >= 0:
            self._event(events.event(events.SKIPPED, first, first=first, last=last, reason="no trigger asked for them"))
            self.writer.flush()
            self.memory.publish(self.memory.recorder, "skip_first", -1)

    def _skip_rest(self) -> None:
        """Frames that were held for a trigger that did not come."""
        memory = self.memory
        while self._read < memory.number("head"):
            self._skip(int(memory.rows[self._read % memory.geometry.frame_slots]["sequence"]))
            self._read += 1

    def _take_messages(self) -> int:
        memory = self.memory
        head, moved = memory.number("message_head"), 0
        while self._messages_read < head and moved < MESSAGE_SLOTS:
            slot = self._messages_read % MESSAGE_SLOTS
            facts = memory.message_heads[slot]
            number, kind = int(facts["number"]), int(facts["kind"])
            # Messages that the recorder before this one wrote are passed over.
            if number >= self.writer.next_message[kind]:
                data = memory.messages[slot][: int(facts["length"])]
                host_time = int(facts["host_time"])
                if kind == TRACKS:
                    self.writer.tracks(rows_of_message(data.tobytes()), number, host_time)
                elif kind == STATES:
                    self.writer.state(data.tobytes(), number, host_time)
                else:
                    self.writer.event(data.tobytes(), number, host_time)
            self._messages_read += 1
            moved += 1
        # A state has to be in the file before the frames that need it.
        if self.writer.states_held:
            self.writer.flush()
        if self._messages_read - memory.number("message_tail") > MESSAGE_SLOTS // 2:
            self.writer.flush()
        return moved

    def _event(self, data: bytes) -> None:
        """An event of the recorder's own, under the number of the last message that it has read."""
        self.writer.event(data, self._messages_read, self.writer.latest)

    def _loss(self, first: int, last: int, reason: str) -> None:
        self._event(events.event(events.LOSS, first, first=first, last=last, reason=reason))

    def _advance(self) -> None:
        """Give slots back whose content was handed to the system, and say so."""
        memory, writer = self.memory, self.writer
        page = memory.recorder
        page["recorded"] = writer.frames_written
        page["bytes"], page["synced"] = writer.file.position, writer.syncer.synced
        if not writer.messages_held:
            memory.publish(page, "message_tail", self._messages_read)
        # A slot is given back only when its frame was handed to the system: if this process dies before, the next
        # recorder finds it in the ring.
        tail = self._read - writer.held
        if tail != memory.number("tail"):
            page["next_sequence"] = int(memory.rows[(tail - 1) % memory.geometry.frame_slots]["sequence"]) + 1
            memory.publish(page, "tail", tail)

    def _tell(self) -> None:
        """Once a second: how things are, and whether file and producer are still there."""
        now = time.monotonic()
        if now < self._statistics_due:
            return
        self._statistics_due = now + STATISTICS_EVERY
        page, writer = self.memory.recorder, self.writer
        # A process whose parent has died gets another one.
        if os.name == "posix":
            self.orphaned |= os.getppid() != self._parent
        self._check_there()
        page["free"] = _free(writer.file.path)
        page["longest_write"], page["longest_sync"] = writer.longest_write, writer.syncer.longest
        page["processor"] = time.process_time()
        self._event(events.event(
            events.STATISTICS, None, announced=self.memory.number("announced"), recorded=self.memory.number("recorded"),
            synced_bytes=self.memory.number("synced"), free_bytes=self.memory.number("free"),
            longest_write_s=writer.longest_write, longest_sync_s=writer.syncer.longest,
        ))  # fmt: skip

    def _check_there(self) -> None:
        """See that the file was not deleted.

        Raises:
            OSError: another process has.
        """
        if os.name == "posix" and os.fstat(self.writer.file.descriptor).st_nlink == 0:
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))

    def _name_rest(self, read: int, reason: str) -> int:
        """Name the frames that were announced and are not among the first `read` of the ring; how many there are."""
        memory = self.memory
        announced = memory.number("announced")
        last = int(memory.rows[(read - 1) % memory.geometry.frame_slots]["sequence"]) if read else -1
        if announced > last + 1:
            self._loss(last + 1, announced - 1, reason)
        first, last = memory.number("loss_first"), memory.number("loss_last")
        if first >= 0:  # the last word on these: the ledger believes later events
            self._loss(first, min(last, announced - 1), "no room in the queue")
        return announced

    def close(self, reason: str) -> None:
        """Write the last event and close the session.

        Raises:
            OSError: the system refuses to write.
        """
        self._event(events.event(events.CLOSE, None, announced=self.memory.number("announced"), reason=reason))
        self.writer.flush()
        self._advance()
        self._check_there()
        self.writer.seal()
        page = self.memory.recorder
        page["longest_write"], page["longest_sync"] = self.writer.longest_write, self.writer.syncer.longest
        page["synced"], page["processor"] = self.memory.number("bytes"), time.process_time()

    def discard(self, folder: bool) -> None:
        """Leave nothing: the program died before there was anything to keep.

        Args:
            folder: whether the session's folder was made for it alone.
        """
        self.writer.abandon()
        path = self.writer.file.path
        path.unlink()
        if folder:
            path.parent.rmdir()

    def fail(self, error: OSError) -> None:
        """Keep what was written: drop what is held, name it as lost, close the session if the system lets us."""
        memory, writer = self.memory, self.writer
        self._advance()
        # Counted after `_advance`: what was handed over before the failure is in the file, and the sentence says how
        # much that is.
        recorded = memory.number("recorded")
        sentence = failed(writer.file.path, error, recorded, writer.file.position)
        lost = writer.drop_held()
        writer.file.last = True  # what was kept free for this moment
        tail, head, slots = memory.number("tail"), memory.number("head"), memory.geometry.frame_slots
        with contextlib.suppress(OSError):
            for data in lost:
                writer.event(data, self._messages_read, writer.latest)
            waiting = [int(memory.rows[k % slots]["sequence"]) for k in range(tail, head)]
            for first, last in _ranges(waiting):
                self._loss(first, last, STOPPED)
            announced = self._name_rest(head, STOPPED)
            self._event(events.event(events.CLOSE, None, announced=announced, reason=sentence))
            writer.flush()
        with contextlib.suppress(OSError, FusetrackError):
            writer.seal()
        memory.leave_sentence(sentence)
        memory.publish(memory.recorder, "state", RecorderState.FAILED)


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    """Rising numbers as ranges, ends included.

    >>> _ranges([1, 2, 3, 7, 8])
    [(1, 3), (7, 8)]
    """
    made: list[tuple[int, int]] = []
    for number in numbers:
        if made and number == made[-1][1] + 1:
            made[-1] = made[-1][0], number
        else:
            made.append((number, number))
    return made


def _free(path: Path) -> int:
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return 0


def main() -> None:
    """Record as the line on standard input says; its end says that the producer is gone."""
    given = json.loads(first_line())
    memory = SharedMemory(int(given["memory"]))
    memory.recorder["process"] = os.getpid()
    path = Path(given["path"])
    try:
        writer = SessionWriter.resume(path, direct=given["direct"], sync_every=given["sync_every"])
        recorder = Recorder(memory, writer, int(given["parent"]))

        def orphan() -> None:
            recorder.orphaned = True

        when_input_ends(orphan, "producer")
        memory.recorder["free"] = _free(path)
        memory.publish(memory.recorder, "state", RecorderState.RECORDING)
        try:
            reason = recorder.run()
            # The program died: without a single frame this is no session, and a trial never is one.
            if reason == DIED and (given["trial"] or not memory.number("announced")):
                recorder.discard(folder=given["trial"])
            else:
                recorder.close(reason)
        except OSError as error:
            recorder.fail(error)
            return
    except Exception as error:
        sentence = str(error) if isinstance(error, FusetrackError) else f"the recorder failed: {error!r}"
        memory.leave_sentence(sentence)
        memory.publish(memory.recorder, "state", RecorderState.FAILED)
        return
    memory.publish(memory.recorder, "state", RecorderState.DONE)
