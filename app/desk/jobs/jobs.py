"""Long work of a window, each in a process of its own: runs, batches, exports, replays, rehearsals.

Nothing here waits: a job is started, told and stopped by a thread, and `tick` takes what it told.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from app.batch.supervise import ending
from app.child_process import HOME, code_of, kill, last_words, say
from app.desk.jobs.handover import hand_over, without_rows
from app.desk.jobs.orders import JobOrder, Task
from app.desk.subprocess_worker import plugins

GRACE = 10.0
"""Seconds that a process gets to end by itself, once it was told to."""
MOST_LOG = 20_000
"""Characters of what a process printed last that are kept for a report."""
Event = dict[str, Any]


class JobState(Enum):
    """The states of a job."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass
class Job:
    """One job; read by the thread that ticks, and written by it.

    Args:
        number: unique, rising.
        title: what people call it.
        order: what is asked for.
        state: `stopping` where it was told to stop and has not yet.
        label, total, done, bad: what is being worked on, frames to come (0 while unknown), done, unreadable.
        note: a sentence about how it goes, of a training.
        rows: of a batch, the clips by path (see `app.batch.report`); `listed` once all of them are known.
        result: what it gave (see `app.desk.jobs.child`); of a run that was stopped, what is there.
        sentence: why it failed or stopped; `details` for a report.
        began, ended: seconds of `time.monotonic`.
    """

    number: int
    title: str
    order: JobOrder
    state: JobState = JobState.RUNNING
    stopping: bool = False
    label: str = ""
    total: int = 0
    done: int = 0
    bad: int = 0
    note: str = ""
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)
    sentence: str = ""
    details: str = ""
    began: float = field(default_factory=time.monotonic)
    ended: float = 0.0
    counting_since: float = 0.0
    listed: bool = False

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.state is JobState.RUNNING

    @property
    def share(self) -> float:
        """The part that is done, 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def rate(self) -> float:
        """Frames a second since the first."""
        until = self.ended or time.monotonic()
        return self.done / (until - self.counting_since) if self.counting_since and until > self.counting_since else 0.0

    @property
    def seconds_left(self) -> float:
        """Until the end, infinite while unknown."""
        rate = self.rate
        return (self.total - self.done) / rate if rate > 0 and self.total else float("inf")

    def take(self, event: Event) -> None:
        """What its process told."""
        if "total" in event:
            self.label, self.total, self.done = str(event.get("label", "")), int(event["total"]), 0
            self.counting_since = time.monotonic()
        if "done" in event:
            self.done, self.bad = int(event["done"]), int(event.get("bad", 0))
        self.note = str(event.get("note", self.note))
        self.listed = self.listed or "rows" in event
        for row in (*event.get("rows", ()), *([event["row"]] if "row" in event else ())):
            self.rows[row["clip"]] = {**self.rows.get(row["clip"], {}), **row}
        for word, state in (("result", JobState.DONE), ("failed", JobState.FAILED), ("stopped", JobState.STOPPED)):
            if word in event:
                self.state, self.ended = state, time.monotonic()
                self.result = event["result"] if word == "result" else event.get("partial", {})
                self.sentence = "" if word == "result" else str(event[word])
                self.details = str(event.get("details", ""))


class Jobs:
    """The jobs of a window; used by one thread.

    Attributes:
        all: every job since the start, the newest last.
    """

    def __init__(self) -> None:
        self.all: list[Job] = []
        self._listeners: list[Callable[[Job], None]] = []
        self._events: queue.Queue[tuple[int, Event]] = queue.Queue()
        self._workers: dict[int, _Worker] = {}

    def on(self, listener: Callable[[Job], None]) -> None:
        """Have `listener` called with a job that began, went on or ended."""
        self._listeners.append(listener)

    def start(self, title: str, order: JobOrder) -> Job:
        """Begin."""
        job = Job(len(self.all) + 1, title, without_rows(order))
        self.all.append(job)
        self._workers[job.number] = _Worker(Task(order, plugins()), lambda event: self._events.put((job.number, event)))
        self._tell(job)
        return job

    def stop(self, job: Job) -> None:
        """End it; a run or a batch keeps what is done, anything else leaves nothing behind. Once more: at once."""
        worker = self._workers.get(job.number)
        if worker is not None and job.running:
            worker.stop(now=job.stopping)
            job.stopping = True
            self._tell(job)

    def tick(self) -> None:
        """Take what the processes told; listeners are called once for each job that changed."""
        changed: dict[int, None] = {}
        while True:
            try:
                number, event = self._events.get_nowait()
            except queue.Empty:
                break
            job = self.all[number - 1]
            if job.running:
                job.take(event)
                changed[number] = None
            if not job.running:
                self._workers.pop(number, None)
        for number in changed:
            self._tell(self.all[number - 1])

    @property
    def running(self) -> list[Job]:
        """What goes on."""
        return [job for job in self.all if job.running]

    def close(self) -> None:
        """End everything at once; a batch goes on where it was when it is called again."""
        for worker in self._workers.values():
            worker.stop(now=True)

    def _tell(self, job: Job) -> None:
        for listener in self._listeners:
            listener(job)


class _Worker:
    """The thread that starts a process and listens to it."""

    def __init__(self, task: Task, tell: Callable[[Event], None]) -> None:
        self._task, self._tell = task, tell
        self._process: subprocess.Popen[bytes] | None = None
        self._lock, self._wish = threading.Lock(), ""
        threading.Thread(target=self._work, name="job", daemon=True).start()

    def stop(self, now: bool) -> None:
        """Tell the process to end, or end it."""
        with self._lock:
            self._wish = "kill" if now else "stop"
            process = self._process
        if process is None:
            return
        if now:
            _kill(process)
        else:
            say(process, b"stop\n")
            timer = threading.Timer(GRACE, _kill, (process,))
            timer.daemon = True
            timer.start()

    def _work(self) -> None:
        try:
            self._do()
        except OSError as error:  # no room for its log and its rows, or no process to be had
            what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
            self._tell({"failed": f"no process can be started for it: {what}"})
        except MemoryError:
            self._tell({"failed": "there was not enough memory to hand it over; take fewer tracks or frames"})
        except Exception as error:  # else it would seem to run for ever
            said = " ".join(str(error).split())[:200]
            self._tell({"failed": f"{type(error).__name__}: {said} (a defect)", "details": traceback.format_exc()})

    def _do(self) -> None:
        with (
            tempfile.TemporaryFile() as log,
            tempfile.TemporaryDirectory(prefix="fusetrack-job-", ignore_cleanup_errors=True) as folder,
        ):
            process = _start(replace(self._task, order=hand_over(self._task.order, folder)), log)
            # What was wished while the process started is done now: `stop` found none.
            with self._lock:
                self._process, wish = process, self._wish
            if wish:
                self.stop(now=wish == "kill")
            has_ended = self._listen(process)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
            _kill(process)
            if has_ended:
                return
            if self._wish:
                self._tell({"stopped": "stopped"})
                return
            log.seek(0)
            printed = log.read()[-MOST_LOG:].decode("utf-8", "replace").strip()
            how, words = f"its process {ending(process.returncode)}", last_words(printed)
            self._tell({"failed": f"{how}: {words}" if words else how,
                        "details": printed or f"{how} and had printed nothing"})  # fmt: skip

    def _listen(self, process: subprocess.Popen[bytes]) -> bool:
        """Pass on what it tells; whether it told how it ended."""
        assert process.stdout is not None
        with suppress(OSError, ValueError):
            for line in process.stdout:
                with suppress(ValueError):
                    event = json.loads(line)
                    self._tell(event)
                    if {"result", "failed", "stopped"} & set(event):
                        return True
        return False


def _start(task: Task, log: Any) -> subprocess.Popen[bytes]:
    data = pickle.dumps(task)  # first: no process may be left waiting for what cannot be told
    apart: dict[str, Any] = {"start_new_session": True}  # Ctrl-C in the terminal is for the window to hear
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    process = subprocess.Popen(
        [sys.executable, "-c", code_of("app.desk.jobs", "child", HOME)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
        env=os.environ | {"PYTHONIOENCODING": "utf-8:backslashreplace"}, **apart,
    )  # fmt: skip
    say(process, len(data).to_bytes(8, "little") + data)
    return process


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process and what it has started, and talk to it no more."""
    kill(process)
    with suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
