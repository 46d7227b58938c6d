"""The jobs of a batch on an existing Dask cluster whose workers see the same files (extra `distributed`)."""

from __future__ import annotations

import builtins
import importlib
import logging
import queue
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from types import FunctionType
from typing import Any

from app.batch import remote
from app.batch.executors import FINISHED, PROGRESS, STARTED, Event, gathered
from app.batch.job import STOPPED, Order, Row, failed
from kernels.errors import InputError

PATIENCE = 10.0
"""Seconds in which a scheduler must answer."""
INSTALL = 'python -m pip install "fusetrack[distributed]"'
_QUIET = ("distributed", "tornado", "asyncio")


def _silence() -> None:
    """What matters reaches people by our own words. Distributed gives many of its loggers levels of their own, so that
    those above them decide nothing."""
    for name in (*_QUIET, *logging.root.manager.loggerDict):
        if name.partition(".")[0] in _QUIET:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _by_value(function: Any) -> FunctionType:
    """The same function as one of the program itself, which is pickled as its code.

    As one of a module it travels by name: distributed asks no one how functions within a task are to be pickled. Where
    fusetrack is installed, and has not been imported yet, neither scheduler nor workers know that name.
    """
    made = FunctionType(function.__code__, {"__builtins__": builtins, "__name__": "__main__"}, function.__name__)
    made.__module__ = "__main__"
    return made


class ClusterExecutor:
    """Tasks of a Dask cluster, one a job.

    Args:
        address: of the scheduler, "tcp://host:8786".
        threads: of each job's kernels.
        gpu: the jobs need a GPU: each takes one of the workers' resource "GPU" where workers have it.

    Raises:
        InputError: distributed is not installed, or no scheduler answers.
    """

    def __init__(self, address: str, threads: int = 1, gpu: bool = False) -> None:
        try:
            self._dask: Any = importlib.import_module("distributed")
        except ImportError as error:
            raise InputError(f"--scheduler needs dask.distributed ({error}); {INSTALL}") from None
        _silence()
        self.address, self._threads = address, threads
        try:
            self._client: Any = self._dask.Client(address, timeout=PATIENCE, name="fusetrack", set_as_default=False)
        except (OSError, ValueError, RuntimeError, TypeError) as error:
            reason = " ".join(str(error).split())[:160] or type(error).__name__
            raise InputError(f"no Dask scheduler answers at {address!r} ({reason}); start one with `dask scheduler` or "
                             "leave out --scheduler") from None  # fmt: skip
        self._events: queue.Queue[Event] = queue.Queue()
        self._topic = f"fusetrack-{uuid.uuid4().hex}"
        self._futures: dict[str, Any] = {}
        self._attempts: dict[str, int] = {}
        self._stopping = False
        self._client.subscribe_topic(self._topic, self._hear)
        workers = self._workers().values()
        gpus = any((facts.get("resources") or {}).get("GPU") for facts in workers)
        self._resources = {"GPU": 1} if gpu and gpus else None

    def _workers(self) -> dict[str, Any]:
        found: dict[str, Any] = self._client.scheduler_info(n_workers=-1).get("workers", {})
        return found

    @property
    def slots(self) -> int:
        return sum(int(facts.get("nthreads", 1)) for facts in self._workers().values())

    @property
    def facts(self) -> dict[str, Any]:
        return {"kind": "dask", "scheduler": self.address, "workers": len(self._workers()), "jobs": self.slots,
                "threads_per_job": self._threads,
                "distributed": self._dask.__version__}  # fmt: skip

    def submit(self, order: Order) -> None:
        self._attempts[order.key] = order.attempt
        given = asdict(replace(order, threads=self._threads))
        name = f"fusetrack-{order.key}-{order.attempt}-{uuid.uuid4().hex[:8]}"
        try:
            future = self._client.submit(
                _by_value(remote.remote_job), given, self._topic, key=name, pure=False, resources=self._resources
            )
        except (OSError, RuntimeError, ValueError) as error:
            self._finish(order.key, failed(f"the cluster took no more jobs ({error})"))
            return
        self._futures[order.key] = future
        future.add_done_callback(lambda done, key=order.key: self._done(key, done))

    def _hear(self, event: Any) -> None:
        """A word from a job, in the client's own thread."""
        _, message = event
        key = message["key"]
        if self._attempts.get(key) == message["attempt"] and key in self._futures:
            kind = STARTED if "where" in message["facts"] else PROGRESS
            self._events.put(Event(kind, key, dict(message["facts"])))

    def _done(self, key: str, future: Any) -> None:
        self._finish(key, self._row(future))

    def _row(self, future: Any) -> Row:
        if future.status == "finished":
            try:
                row: Row = dict(future.result(timeout=PATIENCE))
            except Exception as error:  # the worker is gone with its answer; the marker has it
                return failed(f"its answer was lost ({type(error).__name__})", again=True)
            return row
        if future.cancelled() or future.status in ("cancelled", "lost"):
            if self._stopping:
                return {"status": STOPPED, "reason": "stopped; the next call begins again"}
            return failed("the cluster lost the job (its scheduler went away)")
        fault = future.exception(timeout=PATIENCE)
        text = " ".join(str(fault).split())[:240]
        if type(fault).__name__ == "KilledWorker":
            return failed("several workers died while they ran it", again=True)
        return failed(f"the worker could not run it: {text}", again=True)

    def _finish(self, key: str, row: Row) -> None:
        if self._futures.pop(key, None) is not None or self._attempts.get(key):
            self._attempts.pop(key, None)
            self._events.put(Event(FINISHED, key, row))

    def events(self, wait: float) -> Sequence[Event]:
        found = gathered(self._events, wait)
        if not found and self._client.status in ("closed", "closing"):
            for key in [*self._futures]:
                self._finish(key, failed("the cluster lost the job (its scheduler went away)"))
            found = gathered(self._events, 0.0)
        return found

    def cancel(self, now: bool = False) -> None:
        del now  # jobs are asked to stop, and are ended after some seconds if they do not
        self._stopping = True
        futures = [*self._futures.values()]
        if futures:
            with suppress(Exception):
                self._client.cancel(futures, force=True)

    def close(self) -> None:
        self.cancel()
        with suppress(Exception):
            self._client.close(timeout=PATIENCE)
