"""What a batch did, as report.json and report.html, rewritten while it works."""

from __future__ import annotations

import os
import shlex
import socket
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from app.batch.folders import PAGE
from app.batch.job import DONE, FAILED, RUNNING, SKIPPED, STOPPED, WAITING, Row
from app.batch.page import page
from app.batch.planning import Planned
from app.files.atomic import write_bytes
from app.files.summary import json_text, versions
from app.path_kinds import BATCH_REPORT
from kernels.errors import InputError

LIVE, FINISHED, INTERRUPTED = "running", "finished", "stopped"
FORMAT = 1
EVERY = 2.0
"""Seconds between two writings, at least; and twenty times as long as one takes."""


def machine() -> dict[str, Any]:
    """Where this is: versions, processors, memory."""
    memory = None
    with suppress(AttributeError, ValueError, OSError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {**versions(), "host": socket.gethostname(), "memory_bytes": memory}


class BatchReport:
    """The state of a batch by clip, and its two files.

    Args:
        out: where they are written.
        planned: all clips.
        facts: what is known at the beginning: command, configuration, executor ...
        refresh: whether files are written while it runs.
    """

    def __init__(self, out: Path, planned: Sequence[Planned], facts: Mapping[str, Any]) -> None:
        self.out = out
        self.rows: dict[str, Row] = {}
        self.state = LIVE
        self.trouble = ""
        """Why the last writing failed; "" if it did not."""
        self._facts = dict(facts)
        self._begin, self._clock = datetime.now().astimezone(), time.monotonic()
        self._due, self._changed = 0.0, True
        self._pictures: dict[str, bytes] = {}
        for p in planned:
            self.rows[p.clip.path] = _first_row(p)

    def begin(self, path: str, attempt: int, where: str = "") -> None:
        """A clip is being worked on."""
        self._update(path, {"status": RUNNING, "reason": "", "attempts": attempt, "done": 0, "total": None,
                            **({"worker": where} if where else {})})  # fmt: skip

    def progress(self, path: str, facts: Mapping[str, Any]) -> None:
        """Some frames are done."""
        self._update(path, facts)

    def end(self, path: str, row: Mapping[str, Any]) -> None:
        """A clip has its final row."""
        kept = self.rows[path]
        for name in ("done", "total", "bad"):
            kept.pop(name, None)
        self._update(path, {k: v for k, v in row.items() if k != "again"})

    def fact(self, name: str, value: object) -> None:
        """Add something about the batch as a whole."""
        self._facts[name] = value
        self._changed = True

    def _update(self, path: str, facts: Mapping[str, Any]) -> None:
        self.rows[path] |= facts
        self._changed = True

    def count(self, *statuses: str) -> int:
        """Clips of one of these statuses."""
        return sum(row["status"] in statuses for row in self.rows.values())

    def totals(self) -> dict[str, Any]:
        """Sums over the clips; fps and seconds are of this call alone."""
        counts = Counter(row["status"] for row in self.rows.values())
        good = [row for row in self.rows.values() if row["status"] in (DONE, SKIPPED)]
        seconds = time.monotonic() - self._clock
        now = sum(row["frames"]["processed"] for row in good if row["status"] == DONE)
        now += sum(row.get("done", 0) for row in self.rows.values() if row["status"] == RUNNING)
        return {
            "clips": len(self.rows),
            **{status: counts[status] for status in (DONE, SKIPPED, FAILED, STOPPED, RUNNING, WAITING)},
            "frames": sum(row["frames"]["announced"] for row in good),
            "processed": sum(row["frames"]["processed"] for row in good),
            "unreadable": sum(row["frames"]["bad"] for row in good),
            "tracks": sum(row["tracks"] for row in good),
            "rows": sum(row["rows"] for row in good),
            "bytes": sum(row["bytes"] for row in self.rows.values()),
            "seconds": seconds,
            "fps": now / seconds if seconds > 0 else 0.0,
        }

    def document(self) -> dict[str, Any]:
        """What report.json holds."""
        return {
            "format": FORMAT,
            "state": self.state,
            "started": self._begin,
            "updated": datetime.now().astimezone(),
            **self._facts,
            "totals": self.totals(),
            "clips": [*self.rows.values()],
        }

    def save(self, force: bool = False) -> None:
        """Write both files if something changed and it is time; keeps what went wrong in `trouble`."""
        now = time.monotonic()
        if not force and (not self._changed or now < self._due):
            return
        self._changed = False
        document = self.document()
        try:
            write_bytes(self.out / BATCH_REPORT, (json_text(document) + "\n").encode())
            write_bytes(self.out / PAGE, page(document, self._thumbnails()).encode("utf-8", "backslashreplace"))
            self.trouble = ""
        except InputError as error:
            self.trouble = str(error)
        after = time.monotonic()
        self._due = after + max(EVERY, 20.0 * (after - now))

    def _thumbnails(self) -> dict[str, bytes]:
        """The pictures of the clips that are done, by path of the clip; each is read once."""
        for path, row in self.rows.items():
            if path not in self._pictures and row["status"] in (DONE, SKIPPED) and row.get("thumbnail"):
                with suppress(OSError):
                    self._pictures[path] = (self.out / row["folder"] / row["thumbnail"]).read_bytes()
        return self._pictures


def _first_row(planned: Planned) -> Row:
    row: Row = {
        "clip": planned.clip.path,
        "name": planned.clip.name,
        "folder": planned.folder,
        "log": f"logs/{planned.folder}.log",
        "bytes": planned.bytes,
        "why": planned.why + (f": {planned.detail}" if planned.detail else ""),
        "status": WAITING,
        "reason": "",
        "attempts": 0,
    }
    if planned.run or planned.marker is None:
        return row
    return row | {**planned.marker.row, "status": SKIPPED, "reason": planned.why}


def command_text(words: Sequence[str]) -> str:
    """A command line as it can be typed again."""
    return shlex.join(["fusetrack", *words])
