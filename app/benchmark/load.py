"""Busy processes beside a measurement: what figures become on a machine that others use too."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Sequence

_SPIN = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
print(flush=True)
n = 0
while True:
    n = (n * 5 + 3) & 1048575
"""
"""Computes until its standard input ends, which it does with the process that started it, however that dies."""


@contextlib.contextmanager
def busy(processes: int) -> Iterator[Sequence[subprocess.Popen[bytes]]]:
    """So many processes of ordinary priority that compute without a pause, each on one thread, until the block ends."""
    started: list[subprocess.Popen[bytes]] = []
    with contextlib.ExitStack() as stack:
        for _ in range(processes):
            spin = subprocess.Popen([sys.executable, "-S", "-c", _SPIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            stack.callback(_end, spin)
            started.append(spin)
            assert spin.stdout is not None
            spin.stdout.readline()  # it computes from now on
        yield started


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()
