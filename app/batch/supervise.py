"""Runs one order in a process of its own, whatever that does: crash, be killed, hang."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.batch.finding import missing_words
from app.batch.job import STOPPED, Order, Row, failed
from app.child_process import code_of, kill, last_words, say

STOP, KILL = "stop", "kill"
GRACE = 10.0
"""Seconds that a process gets to stop by itself."""
_LOOK = 0.1
_THREADS = ("FUSETRACK_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_STOPPED = "stopped; the next call begins again"


def supervise(order: Order, tell: Callable[[Row], None], wish: Callable[[], str]) -> Row:
    """Run an order and return its row, whatever happens.

    Args:
        tell: takes what the process tells (see `job.work`).
        wish: says now and then "", STOP or KILL.
    """
    try:
        log = _open_log(order)
    except OSError as error:
        return failed(f"its log {order.log} cannot be written: {error.strerror}", again=True)
    with log:
        if words := missing_words(order.clip):  # a process would take seconds to say the same
            row = failed(words)
        else:
            try:
                process = _start(order, log)
            except OSError as error:
                return failed(f"no process can be started for it: {error.strerror}", again=True)
            try:
                row = _watch(order, process, tell, wish)
            finally:
                # Whatever happened: no process outlives its order, and no half stays.
                _kill(process)
                with suppress(OSError):
                    shutil.rmtree(order.part)
        if row["status"] != "done":
            with suppress(OSError):
                log.write(f"{row['status']}: {row['reason']}\n".encode("utf-8", "backslashreplace"))
    return row


def _open_log(order: Order) -> Any:
    path = Path(order.log)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("wb" if order.attempt == 1 else "ab", buffering=0)


def _start(order: Order, log: Any) -> subprocess.Popen[bytes]:
    # Not of our group: Ctrl-C in the terminal is for us to hear, and to pass on.
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    process = subprocess.Popen(
        [sys.executable, "-c", code_of("app.batch", "child")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
        env=os.environ | dict.fromkeys(_THREADS, str(order.threads)) | {"PYTHONIOENCODING": "utf-8:backslashreplace"},
        **apart,
    )  # fmt: skip
    say(process, json.dumps({**asdict(order), "parent": os.getpid()}).encode() + b"\n")
    return process


def _watch(
    order: Order, process: subprocess.Popen[bytes], tell: Callable[[Row], None], wish: Callable[[], str]
) -> Row:
    lines: queue.Queue[bytes | None] = queue.Queue()
    # A pipe cannot be waited for with a time limit everywhere: a thread of its own reads it.
    threading.Thread(target=_read, args=(process, lines), daemon=True).start()
    begin = time.monotonic()
    asked: float | None = None
    seen: dict[str, int] = {}
    row: Row | None = None
    while True:
        with suppress(queue.Empty):
            line = lines.get(timeout=_LOOK)
            if line is None:
                break
            event = _event(line)
            if "row" in event:
                row = event["row"]
            elif event:
                seen |= event
                tell(event)
        now, wanted = time.monotonic(), wish()
        # A row that came before is believed: the work was done.
        if wanted == KILL or (asked is not None and now - asked > GRACE):
            return row or {"status": STOPPED, "reason": _STOPPED}
        if wanted == STOP and asked is None:
            asked = now
            say(process, b"stop\n")
        if row is None and order.timeout is not None and now - begin > order.timeout:
            return failed(f"it took longer than the {order.timeout:g} s of --timeout{_so_far(seen)} and was ended")
    if row is not None:
        return row
    # Its output ended without a row: it died, or was told to stop before it began.
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    if asked is not None:
        return {"status": STOPPED, "reason": _STOPPED}
    words = ""
    with suppress(OSError):
        words = last_words(Path(order.log).read_text("utf-8", "replace"))
    said = f"the log has what it said, at last: {words}" if words else "it said nothing"
    return failed(f"its process {ending(process.returncode)}{_so_far(seen)}; {said}", again=True)


def _event(line: bytes) -> Row:
    try:
        event = json.loads(line)
    except ValueError:  # something that a library wrote before we took its file away
        return {}
    return event if isinstance(event, dict) else {}


def _read(process: subprocess.Popen[bytes], lines: queue.Queue[bytes | None]) -> None:
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        for line in process.stdout:
            lines.put(line)
    lines.put(None)


def _so_far(seen: Mapping[str, int]) -> str:
    return f" after {seen.get('done', 0)} of {seen['total']} frames" if "total" in seen else ""


def ending(code: int | None) -> str:
    """How a process ended, in words.

    >>> ending(-9), ending(3)
    ('was killed (SIGKILL), by the system for want of memory most likely', 'ended by itself with code 3')
    """
    if code is None:
        return "closed its output and went on"
    if code >= 0:
        return f"ended by itself with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if name == "SIGKILL":
        return "was killed (SIGKILL), by the system for want of memory most likely"
    known = {"SIGSEGV": "crashed", "SIGBUS": "crashed", "SIGABRT": "crashed", "SIGILL": "crashed", "SIGFPE": "crashed"}
    return f"{known.get(name, 'was ended')} ({name})"


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process and what it has started, and wait for that."""
    kill(process)
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            if stream is not None:
                stream.close()
