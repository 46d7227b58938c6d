"""Machine code for the loops of `kernels.loops.language`, kept on disk like that of programs. They find it by its
name."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from kernels.errors import DefinitionError
from kernels.executors.cache import ObjectCache
from kernels.executors.machine import Machine
from kernels.executors.manifest import digest, name_of

_LOCK = threading.Lock()
_SPENT = threading.local()


def compiling_seconds() -> float:
    """Wall time that this thread has spent on making machine code of loops, since none was kept of them."""
    return float(getattr(_SPENT, "seconds", 0.0))


def load(key: str, text: Callable[[], str], names: Sequence[str]) -> tuple[Sequence[int], object] | None:
    """The addresses of the function and the data `names` of the IR text that `text` writes and what keeps them in
    memory, where each call has data of its own; None where nothing can be compiled. `text` is called only where nothing
    is kept of that `key` and of this writer.

    Raises:
        DefinitionError: `text` does.
    """
    with _LOCK:
        try:
            machine, kept = Machine(), ObjectCache()
        except DefinitionError:
            return None  # NumPy gives the same numbers, more slowly
        named = name_of("loop", writer() or text(), key, *machine.identity)
        try:
            made = kept.get(named)
            if made is None:
                begun = time.perf_counter()
                made = machine.compile(text(), names[0])
                _SPENT.seconds = compiling_seconds() + time.perf_counter() - begun
                kept.put(named, made)
            library = machine.load(made, names)
        except (RuntimeError, OSError):
            return None
        return [library.address(name) for name in names], library


@cache
def writer() -> str:
    """The digest of the sources that write the text of loops and compile it; empty where they cannot be read."""
    here = Path(__file__).resolve().parent
    loops = here.parent / "loops"
    writers = ("language", "emitter", "text", "values", "vectors", "shuffles", "structs", "records")
    return digest([*(loops / f"{name}.py" for name in writers), here / "machine.py", here / "natives.py"])
