"""Writes a session: frames into groups that already lie in memory as they will lie in the file.

What is promised: a frame is safe from the death of any process once its group was handed to the system, which is at
most FLUSH_AFTER after it came (`frames_written` counts them); it is safe from a power cut once the next sync is done,
which begins at most `sync_every` later. An existing file is never opened for writing, unless to go on with it
(`resume`).
"""

from __future__ import annotations

import contextlib
import mmap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sessions import records, schemas
from app.sessions.checksum import crc32
from app.sessions.contents import Scan
from app.sessions.disk import RESERVE, RecordingFile, Syncer, lock, sync, sync_folder
from app.sessions.layout import CHUNK, FRAME_ROW, FrameLayout, FrameRows, Picture, aligned, table_record
from app.sessions.preamble import Preamble, read_preamble
from app.sessions.repair import finish
from app.sessions.scan import last_message, scan
from app.sessions.sentences import creation_error
from kernels.errors import InputError
from pipelines.features import Tracks

FLUSH_AFTER = 0.2
"""Seconds after which a chunk is written although it is not full."""
SYNC_EVERY = 0.5
"""Seconds between two syncs: what a power cut may take, but for the sync that was going on."""
MESSAGE_ROOM = 256 << 10
"""Bytes of messages that are gathered before they are written."""
SUMMARY_BYTES = 192
"""Bytes that a group takes in the summary, at most."""
LOCK_PATIENCE = 5.0
"""Seconds to wait for a process that repairs the file that a recording is to go on in."""


class SessionWriter:
    """A session that is being written; use `create` or `resume`. One thread calls it.

    Every method that writes raises OSError as the system says (`failed` makes the sentence); what was written
    before is whole, and `close` can still be called.
    """

    def __init__(self, file: RecordingFile, picture: Picture, sync_every: float) -> None:
        self.file, self.picture = file, picture
        self.layout = FrameLayout(picture)
        self._memory = mmap.mmap(-1, self.layout.group_bytes(self.layout.frames))
        # One group as it will be in the file, in page-aligned memory (O_DIRECT asks for that): a frame is copied once,
        # into its place, and a whole group is one write.
        group = np.frombuffer(self._memory, np.uint8)
        self._group = group
        full = group[CHUNK.size : self.layout.index_at(self.layout.frames)]
        self._records: npt.NDArray[Any] = full.view(self.layout.dtype)
        self.layout.prepare(self._records)
        self._pixels = self._records["pixels"]
        self._rows = np.zeros(self.layout.frames, FRAME_ROW)
        self._held = 0
        self._messages: list[tuple[int, int, int, bytes]] = []
        self._message_bytes = 0
        self._since = 0.0
        self._groups = 0
        self.syncer = Syncer(file, sync_every)
        self.frames_written = 0
        self._latest = 0
        """Frames in the file: those that were handed to the system."""
        self.longest_write = 0.0
        """Seconds of the longest write."""
        self.next_sequence = 0
        """One past the last sequence number in the file, when going on with it."""
        self.next_message = {schemas.TRACKS: 0, schemas.EVENTS: 0, schemas.STATES: 0}
        """The same of the messages of each channel: tracks may have been written when events were not."""

    @classmethod
    def create(
        cls, path: Path, preamble: Preamble, *, direct: bool = True, sync_every: float = SYNC_EVERY
    ) -> SessionWriter:
        """Begin a session.

        Args:
            path: a new file.
            preamble: what is at its beginning.
            direct: whether to try to write past the system's cache.
            sync_every: seconds between two syncs; 0 leaves it to the system.

        Raises:
            InputError: the file exists, or the system refuses.
        """
        try:
            file = RecordingFile(path, direct=direct)
        except FileExistsError:
            raise InputError(
                f"{path} exists already and recordings overwrite nothing; choose another name or move it away"
            ) from None
        except OSError as error:
            raise creation_error(path, error) from error
        try:
            lock(file.descriptor)
            writer = cls(file, preamble.picture, sync_every)
            writer._write(preamble.pack())
            # The file and its name: without the folder's sync a power cut may leave a file that is nowhere listed.
            sync(file.descriptor)
            sync_folder(path.parent)
        except BaseException as error:  # Ctrl-C too
            file.close()
            with contextlib.suppress(OSError):
                path.unlink()  # ours, and without a single frame
            if isinstance(error, OSError):
                raise creation_error(path, error) from error
            raise
        return writer

    @classmethod
    def resume(cls, path: Path, *, direct: bool = True, sync_every: float = SYNC_EVERY) -> SessionWriter:
        """Go on with a session whose recorder died: what is torn at its end is cut off, the rest stays as it is.

        Raises:
            InputError: it is no session, or another process writes it.
        """
        try:
            file = RecordingFile(path, direct=direct, create=False)
        except OSError as error:
            raise creation_error(path, error) from error
        try:
            # A reader that repairs the file holds the lock for a moment.
            end = time.monotonic() + LOCK_PATIENCE
            while not lock(file.descriptor):
                if time.monotonic() > end:
                    raise InputError(f"{path} is being written by another process; record under another name")
                time.sleep(0.02)
            found = scan(file.descriptor, path, verify=True)
            picture = read_preamble(file.descriptor, path).picture
            file.go_on(found.end)
            writer = cls(file, picture, sync_every)
        except OSError as error:
            file.close()
            raise creation_error(path, error) from error
        except BaseException:
            file.close()
            raise
        # Numbers go on behind what is in the file.
        rows = found.rows
        writer.frames_written, writer._groups = len(rows), len(found.chunks)
        writer._latest = int(rows["host_time"].max()) if len(rows) else 0
        writer.next_sequence = int(rows["sequence"][-1]) + 1 if len(rows) else 0
        for channel in writer.next_message:
            writer.next_message[channel] = last_message(file.descriptor, found, channel) + 1
        return writer

    @property
    def latest(self) -> int:
        """The latest time that something in the session bears, ns since 1970; now while there is nothing. What the
        recorder has to say itself bears it: sessions of clips have the clip's times."""
        return self._latest or time.time_ns()

    @property
    def held(self) -> int:
        """Frames that are not written yet."""
        return self._held

    @property
    def messages_held(self) -> int:
        """Messages that are not written yet."""
        return len(self._messages)

    @property
    def states_held(self) -> bool:
        """Whether a part of a state is not written yet."""
        return any(channel == schemas.STATES for channel, *_ in self._messages)

    def drop_held(self) -> list[bytes]:
        """Forget the frames that are held (after a failure) and the messages; the events among these are returned."""
        kept = [data for channel, _, _, data in self._messages if channel == schemas.EVENTS]
        self._held = 0
        self._messages.clear()
        self._message_bytes = 0
        return kept

    def frame(self, row: FrameRows, data: npt.NDArray[np.uint8]) -> None:
        """Take one frame.

        Args:
            row: a scalar of FRAME_ROW; its checksum is computed here.
            data: the bytes of the pixels (see `Picture.bytes_of`).
        """
        if not self._held and not self._messages:
            # The time of the oldest thing that waits.
            self._since = time.monotonic()
        place = self._pixels[self._held]
        place[:] = data
        self._rows[self._held] = row
        self._rows["crc"][self._held] = crc32(place)
        self._latest = max(self._latest, int(row["host_time"]))
        self._held += 1
        if self._held == self.layout.frames:
            self._flush_frames()

    def tracks(self, rows: Tracks, number: int, host_time: int) -> None:
        """Take rows of tracks as one message; `number` counts the messages of the session."""
        self._message(schemas.TRACKS, number, host_time, schemas.pack_tracks(rows))

    def event(self, data: bytes, number: int, host_time: int) -> None:
        """Take one event, JSON as `events.event` makes it."""
        self._message(schemas.EVENTS, number, host_time, data)

    def state(self, data: bytes, number: int, host_time: int) -> None:
        """Take a part of a state, as `schemas.state_parts` makes them."""
        self._message(schemas.STATES, number, host_time, data)

    def _message(self, channel: int, number: int, host_time: int, data: bytes) -> None:
        if not self._held and not self._messages:
            self._since = time.monotonic()
        self._latest = max(self._latest, host_time)
        self._messages.append((channel, number, host_time, data))
        self._message_bytes += len(data)
        if self._message_bytes > MESSAGE_ROOM:
            self._flush_messages()

    def tick(self) -> None:
        """Write what has waited for FLUSH_AFTER, and raise what a sync met."""
        if self.syncer.error is not None:
            raise self.syncer.error
        if (self._held or self._messages) and time.monotonic() - self._since > FLUSH_AFTER:
            self.flush()

    def flush(self) -> None:
        """Hand everything to the system."""
        self._flush_frames()
        self._flush_messages()

    def _flush_frames(self) -> None:
        count = self._held
        if not count:
            return
        layout, rows, group = self.layout, self._rows[:count], self._group
        layout.describe(self._records[:count], rows)
        index_at, table_at, end = layout.index_at(count), layout.table_at(count), layout.group_bytes(count)
        times = rows["host_time"]
        checksum = crc32(group[CHUNK.size : index_at])
        size = index_at - CHUNK.size
        head = CHUNK.pack(records.Op.CHUNK, CHUNK.size - records.HEAD.size + size, int(times.min()), int(times.max()),
                          size, checksum, 0, size)  # fmt: skip
        # Index of the messages: time, and offset in the chunk; all frames take the same number of bytes.
        entries = np.empty((count, 2), "<u8")
        entries[:, 0], entries[:, 1] = times, np.arange(count) * layout.stride
        index = records.message_index(schemas.IMAGES, entries.tobytes())
        group[: CHUNK.size] = np.frombuffer(head, np.uint8)
        group[index_at:table_at] = np.frombuffer(index, np.uint8)
        group[table_at:end] = np.frombuffer(table_record(rows, end - table_at), np.uint8)
        self._hand_over(memoryview(self._memory)[:end])
        # A group that was written before it was full has its index right behind its last frame.
        if count < layout.frames:  # index and table lay where the next frame's fixed fields belong
            layout.prepare(self._records)
        self._held = 0
        self.frames_written += count

    def _flush_messages(self) -> None:
        """Tracks, states and events go into chunks of their own, so that events are found without reading all tracks.

        Events come first: tracks are never in the file without the change of the pipeline that made them.
        """
        for channel in (schemas.EVENTS, schemas.STATES, schemas.TRACKS):
            chosen = [message for message in self._messages if message[0] == channel]
            if chosen:
                self._write(_message_group(channel, chosen))
        self._messages.clear()
        self._message_bytes = 0

    def _write(self, data: bytes) -> None:
        """Write bytes from aligned memory."""
        memory = mmap.mmap(-1, len(data))
        memory[:] = data
        with memoryview(memory) as view:
            self._hand_over(view)
        memory.close()

    def _hand_over(self, view: memoryview) -> None:
        begin = time.monotonic()
        self._groups += 1
        # The summary grows with groups and frames: blocks for it stay allocated, so that a full disk can still be
        # closed.
        self.file.reserve = RESERVE + SUMMARY_BYTES * self._groups + FRAME_ROW.itemsize * (
            self.frames_written + self._held)  # fmt: skip
        self.file.write(view)
        self.longest_write = max(self.longest_write, time.monotonic() - begin)

    def close(self) -> Scan:
        """Write what is held, then close as a repair does: cut what is torn, write the summary, sync.

        Raises:
            OSError: the system refuses; the file keeps its frames and counts as unfinished.
        """
        try:
            self.flush()
        except OSError:
            self.seal()
            raise
        return self.seal()

    def seal(self) -> Scan:
        """Close without writing what is held (after a failure): all that was handed over before is kept."""
        self.syncer.stop()
        try:
            return finish(self.file.descriptor, self.file.path)
        finally:
            self.file.close()

    def abandon(self) -> None:
        """Leave the file as it is, as a killed process would."""
        self.syncer.stop()
        self.file.close()


def _message_group(channel: int, messages: Sequence[tuple[int, int, int, bytes]]) -> bytes:
    """A whole group of messages of one channel: (channel, number, host time, data) each."""
    body, entries = bytearray(), np.empty((len(messages), 2), "<u8")
    for k, (_, number, host_time, data) in enumerate(messages):
        entries[k] = host_time, len(body)
        body += records.message(channel, number, host_time, host_time, data)
    times = entries[:, 0]
    made = CHUNK.pack(records.Op.CHUNK, CHUNK.size - records.HEAD.size + len(body), int(times.min()), int(times.max()),
                      len(body), crc32(bytes(body)), 0, len(body)) + body  # fmt: skip
    made += records.message_index(channel, entries.tobytes())
    return made + records.padding(aligned(len(made) + records.HEAD.size) - len(made))
