"""The process of one clip: takes an order on stdin, reports on stdout, and ends with the process that started it.

stdin gives the order as a line of JSON, then "stop" perhaps; its end means that the starter is gone. What libraries
print goes to the log with our own words; a crash leaves the stack of every thread there.
"""

from __future__ import annotations

import ctypes
import faulthandler
import json
import os
import signal
import sys
import threading
from contextlib import suppress
from datetime import datetime
from typing import Any

from app.batch.job import Control, Order, work
from app.files.summary import json_text, versions
from kernels.opencv import cv2

ORPHANED = 75
"""The exit code of a process whose starter is gone."""
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def main() -> None:
    """Run one order."""
    line = sys.stdin.buffer.readline()
    given = json.loads(line)
    _die_with(given.pop("parent"))
    order = Order(**given)
    # File 1 becomes the log, too; what is told has a file of its own.
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    faulthandler.enable()
    control, lock = Control(), threading.Lock()
    threading.Thread(target=_listen, args=(control,), daemon=True).start()

    def tell(event: dict[str, Any]) -> None:
        with lock, suppress(OSError):
            events.write(json_text(event, indent=None) + "\n")
            events.flush()

    cv2.setNumThreads(order.threads)
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    print(f"{now}  {order.clip}, attempt {order.attempt}, process {os.getpid()}, {order.threads} threads")
    print(json_text(versions(), indent=None), flush=True)
    row = work(order, tell, control)
    print(json_text(row), flush=True)
    tell({"row": row})
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # nothing is left to do, and a library's clean-up cannot crash or hang any more


def _listen(control: Control) -> None:
    """Stop when told to; die when the starter is gone. Reads the file itself: a lock held at exit would hang."""
    while True:
        data = os.read(0, 4096)
        if not data:
            os._exit(ORPHANED)
        if b"stop" in data:
            control.stop()


def _die_with(parent: int) -> None:
    """On Linux the system kills us with our starter, even if a C function holds the interpreter."""
    if not sys.platform.startswith("linux"):
        return
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before we asked
        os._exit(ORPHANED)
