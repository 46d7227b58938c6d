"""Contenders in processes of their own, as the bench sees them."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import IO, Any

from app.benchmark.checkout import why_absent
from app.child_process import code_of, kill, last_words, say

OWN, FAST, FRAME, PEAK = "fusetrack", "fast", "frame", "peak"
"""The network alone; the same with --fast; a frame through the whole engine; what the processor could do."""
KEPT = str(1 << 30)
"""Bytes of the largest block that the C library keeps for who asks next: results of 4 MB would be fresh pages, cleared
by the system, in every run of the engines that make them anew."""


@dataclass(frozen=True, slots=True)
class Contender:
    """Who runs networks.

    Args:
        name: for people; also the module in `room`.
        package: what Python imports; "" where nothing needs to be installed.
        command: what starts its process.
        room: the package that holds its module.
    """

    name: str
    package: str = ""
    command: Sequence[str] = (sys.executable, "-c", code_of("app.benchmark.networks", "process"))
    room: str = "app.benchmark.networks.peers"

    @property
    def module(self) -> str:
        return f"{self.room}.{self.name}"

    @property
    def why_absent(self) -> str:
        """A sentence; "" where it can take part."""
        return why_absent(self.package, self.room, "bench-networks") if self.package else ""


def _other(name: str, package: str) -> Contender:
    return Contender(name, package, room="tests.benchmark_peers.networks")


OURS = tuple(Contender(name) for name in (OWN, FAST, FRAME, PEAK))
PEERS = (_other("onnxruntime", "onnxruntime"), _other("openvino", "openvino"), _other("litert", "ai_edge_litert"),
         _other("mnn", "MNN"), Contender("opencv", "cv2"))  # fmt: skip


class Refusal(Exception):
    """Why a contender does not take part, one sentence."""


class Worker:
    """A contender's process; it starts with the first order, and again after one that it did not survive.

    Args:
        contender: whose.
        threads: of all networks that it is given.
    """

    def __init__(self, contender: Contender, threads: int) -> None:
        self.contender = contender
        self._threads = threads
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker

    def ask(self, order: Mapping[str, Any], patience: float) -> dict[str, Any]:
        """Its answer.

        Args:
            patience: seconds after which it is ended.

        Raises:
            Refusal: it cannot, it ended, or it takes longer.
        """
        process = self._process if self._process is not None else self._start()
        say(process, json.dumps(order).encode() + b"\n")
        try:
            line = self._answers.get(timeout=patience)
        except Empty:
            # It may still answer some day: with its queue it goes, too.
            self.end()
            raise Refusal(f"it gave no answer for {patience:g} s") from None
        if not line:
            words = self._last_words()
            code = process.wait()
            self.end()
            raise Refusal(f"its process ended with code {code}" + (f": {words}" if words else ""))
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise Refusal(answer["error"])
        return answer

    def end(self) -> None:
        """End the process; the next order starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        kill(process)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()

    def close(self) -> None:
        """For good."""
        self.end()
        self._errors.close()

    def _start(self) -> subprocess.Popen[bytes]:
        self._errors.seek(0)
        self._errors.truncate()
        self._answers = SimpleQueue()
        # Ctrl-C is for the bench, which ends its contenders.
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        process = subprocess.Popen(self.contender.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=self._errors, env=environment(self._threads), **apart)  # fmt: skip
        answers, stdout = self._answers, process.stdout
        assert stdout is not None

        def listen() -> None:
            with contextlib.suppress(OSError, ValueError):
                for line in stdout:
                    answers.put(line)
            answers.put(b"")

        threading.Thread(target=listen, daemon=True, name=f"{self.contender.name} answers").start()
        self._process = process
        return process

    def _last_words(self) -> str:
        self._errors.seek(0)
        return last_words(self._errors.read().decode(errors="replace"))


def environment(threads: int) -> dict[str, str]:
    """Of a contender's process."""
    return {**os.environ, "MALLOC_MMAP_THRESHOLD_": KEPT, "MALLOC_TRIM_THRESHOLD_": KEPT,
            "OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "2"}  # fmt: skip
