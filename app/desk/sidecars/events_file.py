"""Events as a table: beside the clip, where they are kept, and wherever the user wants them.

The table has a row an event (frame, time, name), as that of the traces has one a frame, and can be edited in a
spreadsheet; when it is read, the times are left aside, as frames have but one.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from app.desk.events import Event, clean, merged
from app.desk.sidecars.sidecar import SidecarFile, digest_of, locked, set_by
from app.files.atomic import replacing
from app.results import EVENTS, SUMMARY, events_beside, events_text
from kernels.errors import InputError
from pipelines.frame import TimeBase

_DELIMITERS = ",;\t"


@dataclass(frozen=True, slots=True)
class Known:
    """What was read or written last: the events, and the digest of the file, "" for none."""

    events: tuple[Event, ...] = ()
    digest: str = ""


def path_for(clip: str | Path) -> Path:
    """Where the events of a clip or session lie."""
    return events_beside(clip)


def text_of(events: Iterable[Event], time: TimeBase) -> str:
    """The table: frame, time_s (time_frames if the rate is unknown), name."""
    return events_text(((event.frame, event.name) for event in events), time)


def write(path: Path, events: Iterable[Event], time: TimeBase) -> None:
    """Write them, all or nothing; what was there is written over.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        with replacing(path) as temporary:
            temporary.write_bytes(text_of(events, time).encode())
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def export_events(path: Path, events: Iterable[Event], time: TimeBase, frames: tuple[int, int] | None = None) -> int:
    """Write them for other programs; how many these are.

    Args:
        path: what was there is written over.
        events: of the clip.
        time: of the clip.
        frames: only these, the first and one past the last; None for all.

    Raises:
        InputError: the file cannot be written, or there is no event.
    """
    chosen = [event for event in events if frames is None or frames[0] <= event.frame < frames[1]]
    if not chosen:
        raise InputError("no event is marked in these frames; H marks the frame that is shown")
    write(path, chosen, time)
    return len(chosen)


def events_of_run(overlay: Path) -> tuple[Event, ...]:
    """The events that a run has left beside its overlay video, as frames of that; none where it is another file.

    Args:
        overlay: a file in the folder of a run.
    """
    folder = overlay.parent
    if overlay.suffix != ".mp4" or not (folder / EVENTS).is_file() or not (folder / SUMMARY).is_file():
        return ()
    try:
        first, end = json.loads((folder / SUMMARY).read_text("utf-8-sig"))["range"]
        found = load(folder / EVENTS).events
    except (OSError, ValueError, KeyError, TypeError, InputError):  # not a run's, or of another program
        return ()
    return tuple(Event(event.frame - first, event.name) for event in found if first <= event.frame < end)


def load(path: Path) -> Known:
    """Read them; nothing where there is no file.

    Raises:
        InputError: the file cannot be read, or holds no events.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Known()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    return Known(_parsed(path, data), digest_of(data))


def _parsed(path: Path, data: bytes) -> tuple[Event, ...]:
    line = 1
    try:
        # Spreadsheets write a byte order mark, and semicolons or tabs in some countries: what the head has most.
        text = data.decode("utf-8-sig")
        head = text.partition("\n")[0]
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=max(_DELIMITERS, key=head.count))
        titles = [title.strip().lower() for title in next(rows)]
        frame, name = titles.index("frame"), titles.index("name")
        found = set()
        for row in rows:
            line = rows.line_num
            if any(cell.strip() for cell in row):
                event = Event(int(row[frame]), clean(row[name]))
                if event.frame < 0:
                    raise ValueError("a frame below 0")
                found.add(event)
    except (ValueError, IndexError, StopIteration, csv.Error, InputError) as error:
        why = f"line {line}: {error}" if str(error) else "it is empty"
        words = f"{path} holds no events, in columns frame and name; move it away, or mend it ({why})"
        raise InputError(words) from error
    return tuple(sorted(found))


def save(path: Path, made: tuple[Event, ...], known: Known, time: TimeBase) -> tuple[Known, Path | None]:
    """Write them beside the clip, put together with what another window or program wrote since; without any the file
    goes. What cannot be read is put aside.

    Args:
        path: see `path_for`.
        made: what to write.
        known: what was read or written here last.
        time: of the clip.

    Returns:
        What is there now, and where a file that could not be read lies.

    Raises:
        InputError: the file cannot be written.
    """
    aside = None
    try:
        with locked(path.parent):
            try:
                now = load(path)
            except InputError:
                if not path.exists():
                    raise
                aside, now = set_by(path, "old"), Known(known.events)
                # Against the events that both began with, so that deletions of either side hold.
                os.replace(path, aside)
            if now.digest not in ("", known.digest):  # a file that is gone was moved, rather than every event deleted
                made = merged(known.events, made, now.events)
            if not made:
                path.unlink(missing_ok=True)
                return Known(), aside
            write(path, made, time)
            return Known(made, digest_of(text_of(made, time).encode())), aside
    except OSError as error:
        raise InputError(f"{path} cannot be written, so the events are not kept: {error.strerror or error}") from error


@dataclass(frozen=True, slots=True)
class WantedEvents:
    """What is to be written, and where; as `save` takes it."""

    path: Path
    made: tuple[Event, ...]
    known: Known
    time: TimeBase

    @property
    def key(self) -> Path:
        """The file."""
        return self.path


class EventsFile(SidecarFile[WantedEvents]):
    """Writes events beside their clip, at once.

    Args:
        written: called with what was to be written and with what `save` returned.
    """

    what = "events"

    def __init__(self, written: Callable[[WantedEvents, Known, Path | None], None]) -> None:
        super().__init__()
        self._written = written

    def _write(self, wanted: WantedEvents) -> str:
        known, aside = save(wanted.path, wanted.made, wanted.known, wanted.time)
        self._written(wanted, known, aside)
        return ""

    def _write_copy(self, wanted: WantedEvents, path: Path) -> None:
        write(path, wanted.made, wanted.time)
