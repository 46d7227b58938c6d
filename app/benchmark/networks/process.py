"""The process of a contender: makes networks ready and runs them when it is told to.

Orders come as lines of JSON on standard input, each is answered by one line on standard output:

    {"do": "open", "module": ..., "file": ..., "threads": ..., "inputs": [...], "outputs": [...], "folder": ...}
        -> {"version": ..., "note": ..., "macs": ...}; inputs are read from IN, outputs written to OUT in that folder
    {"do": "turn", "seconds": ..., "warm": ...}     -> {"wall": [...], "processor": [...]}, seconds of each run
    anything that fails                             -> {"error": sentence}

What libraries print goes to standard error. The process ends when its input does.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np

from app.benchmark.checkout import PEERS, reached
from app.benchmark.networks.peers.base import Network, Prepared
from app.child_process import first_line
from kernels.errors import FusetrackError

IN, OUT = "inputs.npz", "outputs.npz"
MOST_RUNS = 20_000
"""In one turn."""
COARSE = 1e-4
"""Seconds; a clock of the processor's time that is coarser (Windows) tells nothing of a run."""


class Server:
    """Answers orders.

    Args:
        load: a contender's module by its dotted name.
    """

    def __init__(self, load: Callable[[str], Any] = importlib.import_module) -> None:
        self._load = load
        self._prepared: Prepared | None = None

    def answer(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """See the module."""
        try:
            return self._open(order) if order["do"] == "open" else self._turn(order["seconds"], order["warm"])
        except Exception as error:  # another library's
            return {"error": said(error)}

    def _open(self, order: Mapping[str, Any]) -> dict[str, Any]:
        self._prepared = None
        gc.collect()  # what the network before held, its threads above all
        pin(order.get("processors"))
        folder = Path(order["folder"])
        with np.load(folder / IN) as given:
            inputs = dict(zip(order["inputs"], (given[key] for key in given.files), strict=True))
        network = Network(Path(order["file"]), order["threads"], inputs, order["outputs"], folder)
        if order["module"].startswith(PEERS):
            reached()
        made: Prepared = self._load(order["module"]).prepare(network)
        made.run()
        found = made.outputs()
        np.savez(folder / OUT, *(np.asarray(found[name]) for name in order["outputs"] if name in found))
        self._prepared = made
        return {"version": made.version, "note": made.note, "macs": made.macs}

    def _turn(self, seconds: float, warm: float) -> dict[str, Any]:
        assert self._prepared is not None
        wall, processor = timed(self._prepared.run, seconds, warm)
        return {"wall": wall, "processor": processor}


def timed(run: Callable[[], object], seconds: float, warm: float) -> tuple[list[float], list[float]]:
    """Seconds of each run, by the clock and of the processors, for so long; one at least. Before that, one at least
    and for `warm` seconds, it runs without counting: others had the caches and the threads slept."""
    end = time.perf_counter() + warm
    run()
    while time.perf_counter() < end:
        run()
    fine = time.get_clock_info("process_time").resolution < COARSE
    wall: list[float] = []
    processor: list[float] = []
    end = time.perf_counter() + seconds
    while not wall or (time.perf_counter() < end and len(wall) < MOST_RUNS):
        busy, start = time.process_time(), time.perf_counter()
        run()
        stop = time.perf_counter()
        if fine:
            processor.append(time.process_time() - busy)
        wall.append(stop - start)
    return wall, processor


def pin(processors: list[int] | None) -> None:
    """This process and all threads that it will start to these processors; None leaves them to the system."""
    if processors:
        os.sched_setaffinity(0, processors)


def said(error: Exception) -> str:
    """One line; what is no sentence of ours begins with the kind of error."""
    words = " ".join(str(error).split())
    ours = isinstance(error, FusetrackError | FileNotFoundError)
    return (words if ours else f"{type(error).__name__}: {words}")[:300]


def main() -> None:
    """Answer until the input ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    orders: SimpleQueue[bytes] = SimpleQueue()

    def listen() -> None:
        while line := first_line():
            orders.put(line)
        os._exit(0)  # whatever a library is doing

    threading.Thread(target=listen, daemon=True, name="orders").start()
    server = Server()
    gc.disable()
    while True:
        print(json.dumps(server.answer(json.loads(orders.get()))), file=replies, flush=True)
