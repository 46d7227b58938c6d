"""Reads a session: closed, never closed, cut short, or still growing; from any process, while it is written."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from app.files.missing import missing_sentence
from app.sessions import schemas
from app.sessions.checksum import crc32
from app.sessions.contents import chunk_records
from app.sessions.disk import lock, read_into, unlock
from app.sessions.events import read_event
from app.sessions.layout import MANIFEST, PIPELINE, FrameLayout, FrameRows
from app.sessions.preamble import read_preamble
from app.sessions.records import Damaged, Fields, Op
from app.sessions.repair import repair
from app.sessions.scan import extend, scan
from app.sessions.states import StoredState, stored_states
from kernels.errors import BadFrame, SourceError
from pipelines.features import Tracks, no_tracks
from pipelines.frame import Pixels
from pipelines.measures import fields_of, in_order, measured_as

AHEAD = 16 << 20
"""Bytes that are read ahead when frames are read in order."""


class SessionState(Enum):
    """How a session's file was found."""

    FINISHED = "finished"
    GROWING = "growing"  # a recorder holds it
    UNFINISHED = "unfinished"  # its recorder died; `open_session` repairs it where it may write


class SessionReader:
    """A session's frames, tracks and events; nothing is changed in the file.

    Frames are found in constant time: each has its place in a table.

    Args:
        path: the file.

    Raises:
        SourceError: it is no session.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            self._descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except FileNotFoundError:
            raise SourceError(missing_sentence(self.path)) from None
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror}") from None
        try:
            # First whether it is locked, then what is in it: a recorder that ends in between leaves it closed.
            growing = not lock(self._descriptor, shared=True)
            self._opening = read_preamble(self._descriptor, self.path)
            self._scan = scan(self._descriptor, self.path, verify=not growing, opening=self._opening)
            if not growing:
                unlock(self._descriptor)
        except OSError as error:
            os.close(self._descriptor)
            raise SourceError(f"{path} cannot be read: {error.strerror}") from None
        except BaseException:
            os.close(self._descriptor)
            raise
        self.picture = self._opening.picture
        self._layout = FrameLayout(self.picture)
        self._next = self._fetched = 0
        self.state = (
            SessionState.FINISHED if self._scan.finished
            else SessionState.GROWING if growing else SessionState.UNFINISHED
        )  # fmt: skip

    @property
    def rows(self) -> FrameRows:
        """A FRAME_ROW for every frame, in the order of recording."""
        return self._scan.rows

    def __len__(self) -> int:
        return len(self._scan.rows)

    @property
    def problems(self) -> tuple[str, ...]:
        """Sentences about what is wrong with the file."""
        return tuple(dict.fromkeys((*self._opening.problems, *self._scan.problems)))

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What the session says about itself (see `app.sessions.manifest`); {} if that part is damaged."""
        file = self._opening.files.get(MANIFEST)
        with suppress(ValueError):
            if file is not None:
                made = json.loads(file.data)
                return made if isinstance(made, dict) else {}
        return {}

    @cached_property
    def pipeline_toml(self) -> str:
        """The pipeline's definition, "" if the session has none."""
        file = self._opening.files.get(PIPELINE)
        return file.data.decode("utf-8", "replace") if file is not None else ""

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        """The delivered array of frame `index`, its checksum checked.

        Args:
            index: 0 .. len - 1.
            out: written and returned when given.

        Raises:
            BadFrame: the pixels are damaged or gone.
            IndexError: no such frame.
        """
        if not 0 <= index < len(self):
            raise IndexError(f"{self.path.name} has frames 0 to {len(self) - 1}, not {index}")
        image = self.picture.image
        fits = out is not None and out.flags.c_contiguous and out.shape == image.shape and (
            out.dtype == image.dtype.numpy and out.dtype.isnative and sys.byteorder == "little")  # fmt: skip
        # Read straight into `out` where its memory is laid out as the file's bytes are; else into a buffer that is
        # copied.
        data = (
            out.reshape(-1).view(np.uint8) if fits and out is not None
            else np.empty(self.picture.frame_bytes, np.uint8)
        )  # fmt: skip
        place = int(self._scan.places[index]) + self._layout.prefix.itemsize
        self._fetch_ahead(index, place)
        try:
            count = read_into(self._descriptor, data.data, place)
        except OSError as error:
            reason = "the disk fails or is gone" if error.errno == errno.EIO else str(error.strerror)
            raise BadFrame(index, f"{self.path.name} cannot be read: {reason}") from None
        if count != len(data):
            raise BadFrame(index, f"{self.path.name} ends before its last byte")
        if crc32(data) != int(self.rows["crc"][index]):
            raise BadFrame(index, "its checksum differs from the one that was recorded; its bytes were damaged since")
        if fits and out is not None:
            return out
        pixels = self.picture.view(data)
        if out is None:
            return pixels
        if out.shape != pixels.shape:
            raise ValueError(f"frames of {self.path.name} have the shape {pixels.shape}, `out` has {out.shape}")
        np.copyto(out, pixels, casting="no")
        return out

    def _fetch_ahead(self, index: int, place: int) -> None:
        """Have the system read what comes next, when frames are read in order: its own guess is far too short."""
        in_order, self._next = index == self._next, index + 1
        if not in_order:
            self._fetched = 0
        # Half of what was asked for ahead has been read: ask for the next stretch.
        elif place + AHEAD // 2 > self._fetched and hasattr(os, "posix_fadvise"):
            start = max(place, self._fetched)
            with suppress(OSError):
                os.posix_fadvise(self._descriptor, start, place + AHEAD - start, os.POSIX_FADV_WILLNEED)
            self._fetched = place + AHEAD

    def _messages(self, channel: int) -> Iterator[tuple[int, bytes]]:
        """Number and data of the messages of a channel; chunks that are damaged become problems."""
        for chunk in self._scan.chunks:
            if channel not in chunk.indexes:
                continue
            try:
                for op, _, content in chunk_records(self._descriptor, chunk):
                    fields = Fields(content)
                    if op == Op.MESSAGE and fields.number("H") == channel:
                        number, *_ = fields.numbers("IQQ")
                        yield number, fields.take(fields.left)
            except Damaged as error:
                self._scan.problems.append(f"tracks or events are lost: {error}")

    def tracks(self) -> Tracks:
        """All rows of tracks, in the order in which they were recorded, with all measures that any of them carries."""
        made = [no_tracks()]
        for _, data in self._messages(schemas.TRACKS):
            try:
                made.append(schemas.unpack_tracks(data))
            except ValueError as error:
                self._scan.problems.append(f"a table of tracks is left out: {error}")
        carried = in_order(name for part in made for name in fields_of(part))
        return np.concatenate([measured_as(part, carried) for part in made])

    def states(self) -> Iterator[StoredState]:
        """The states of the run that were recorded, rising by frame, read one by one; those that are damaged, too."""
        return stored_states(data for _, data in self._messages(schemas.STATES))

    def events(self) -> list[dict[str, Any]]:
        """All events, in the order in which they were recorded."""
        made = []
        for _, data in self._messages(schemas.EVENTS):
            try:
                made.append(read_event(data))
            except ValueError as error:
                self._scan.problems.append(f"an event is left out: {error}")
        return made

    def refresh(self) -> int:
        """Look for what came since (in a growing session); the number of new frames."""
        before = len(self)
        if self.state is SessionState.FINISHED:
            return 0
        extend(self._descriptor, self._opening, self._scan)
        return len(self) - before

    def close(self) -> None:
        """Give the file back."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> SessionReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_session(path: str | os.PathLike[str]) -> SessionReader:
    """Open a session, and repair it first if its recorder died and the file can be written.

    Raises:
        SourceError: it is no session.
    """
    reader = SessionReader(path)
    if reader.state is not SessionState.UNFINISHED:
        return reader
    with suppress(SourceError):
        repair(reader.path)
        problems = reader.problems
        reader.close()
        reader = SessionReader(path)
        reader._scan.problems.extend(problems)
    return reader
