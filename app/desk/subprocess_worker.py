"""Long work beside the window: one child process that is asked, answers in parts, and can be stopped at any time.

Planning and proofs are Python that would hold up a window's thread even from another thread; here they have an
interpreter of their own. What is asked is the name of a function, "module:function", whose arguments and results are
plain values; a function that yields answers in parts.
"""

from __future__ import annotations

import importlib
import io
import os
import pickle
import queue
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from app.child_process import code_of
from kernels.errors import FusetrackError
from kernels.plugins import load_plugin


@dataclass(frozen=True)
class Answer:
    """A part of what was asked for.

    Args:
        number: which question.
        value: the part; None where it says only that it is done.
        done: nothing more comes.
        error: a sentence if it failed, with `details` for a report where that was not the user's mistake.
    """

    number: int
    value: Any = None
    done: bool = False
    error: str = ""
    details: str = ""


@dataclass(frozen=True)
class _Question:
    number: int
    function: str
    arguments: tuple[Any, ...]
    plugins: tuple[str, ...]


class SubprocessWorker:
    """The process; it starts with the first question. Used by one thread, and never waits."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._heard: queue.Queue[Answer | None] = queue.Queue()
        self._number = 0
        self._asked: _Question | None = None
        self._next: _Question | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._asked is not None

    def ask(self, function: str, *arguments: Any) -> int:
        """Ask; the number comes back in the answers. What was asked before and has not begun is forgotten, what has
        begun is finished first, and its answers still come."""
        self._number += 1
        self._next = _Question(self._number, function, arguments, plugins())
        if self._asked is None:
            self._send()
        return self._number

    def cancel(self) -> None:
        """Stop at once; no more answers come."""
        self._asked = self._next = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            self._process = None

    def poll(self) -> list[Answer]:
        """What has come since the last call."""
        found: list[Answer] = []
        while True:
            try:
                answer = self._heard.get_nowait()
            except queue.Empty:
                break
            if self._asked is None or (answer is not None and answer.number != self._asked.number):
                continue  # of a process that was stopped
            if answer is None:
                number = self._asked.number
                self.cancel()
                return [*found, Answer(number, done=True, error="the computation ended unexpectedly; try again")]
            found.append(answer)
            if answer.done:
                self._asked = None
                if self._next is not None:
                    self._send()
        return found

    def _send(self) -> None:
        assert self._next is not None
        self._asked, self._next = self._next, None
        data = pickle.dumps(self._asked)
        if self._process is None or self._process.poll() is not None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        # A pipe takes some 64 KB before it waits for its reader, and a child that starts does not read for a second.
        threading.Thread(target=_write, args=(self._process.stdin, data), daemon=True).start()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", code_of("app.desk", "subprocess_worker")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        # A queue of its own, so that nothing of a process that was stopped is taken for news of the next.
        self._heard = queue.Queue()
        assert self._process.stdout is not None
        threading.Thread(target=_listen, args=(self._process.stdout, self._heard), daemon=True).start()


def _write(stream: IO[bytes], data: bytes) -> None:
    with suppress(OSError, ValueError):
        stream.write(data)
        stream.flush()


def _listen(stream: IO[bytes], heard: queue.Queue[Answer | None]) -> None:
    try:
        while True:
            heard.put(pickle.load(stream))
    except Exception:  # the end of the stream, in the middle of a part or not; a stream that was closed
        heard.put(None)


def plugins() -> tuple[str, ...]:
    """The files of stages of the user's own that are loaded here; the other process needs them too."""
    loaded = [module for name, module in list(sys.modules.items()) if name.startswith("fusetrack_plugin_")]
    return tuple(str(module.__file__) for module in loaded if getattr(module, "__file__", None))


def main() -> None:
    """The child: answers until its input is closed."""
    heard = os.fdopen(os.dup(0), "rb")
    results = os.fdopen(os.dup(1), "wb")
    sys.stdout = io.TextIOWrapper(open(os.devnull, "wb"))  # noqa: SIM115 - what stages print must not get between
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with suppress(OSError, AttributeError):
        os.nice(10)  # a camera's run goes before a plan, and so does the window: it waited 60 ms for a processor at 5
    known: set[str] = set()
    while True:
        try:
            question: _Question = pickle.load(heard)
        except EOFError:
            return
        for answer in answers(question, known):
            pickle.dump(answer, results)
            results.flush()


def answers(question: _Question, known: set[str]) -> Iterator[Answer]:
    """All parts of an answer, the last one done; `known` are the plug-ins that are loaded."""
    number = question.number
    try:
        for path in question.plugins:
            if path not in known:
                load_plugin(path)
                known.add(path)
        module, _, name = question.function.partition(":")
        made = getattr(importlib.import_module(module), name)(*question.arguments)
        for part in made if isinstance(made, Iterator) else (made,):
            yield Answer(number, part)
    except FusetrackError as error:
        yield Answer(number, done=True, error=str(error))
    except Exception as error:
        words = " ".join(str(error).split())
        said = f"it failed with {type(error).__name__}: {words}"
        yield Answer(number, done=True, error=said, details=traceback.format_exc())
    else:
        yield Answer(number, done=True)
