"""Machine code for the loops of `kernels.host.loops`, kept on disk like that of programs. Importing it provides it."""

from __future__ import annotations

import threading

from kernels.errors import DefinitionError
from kernels.executors.cache import ObjectCache
from kernels.executors.machine import Machine
from kernels.executors.manifest import name_of
from kernels.host import loops

_LOCK = threading.Lock()


def load(text: str, name: str) -> tuple[int, object] | None:
    """The address of function `name` of IR text and what keeps it in memory; None where nothing can be compiled."""
    with _LOCK:
        try:
            machine = Machine()
            cache = ObjectCache()
            key = name_of("loop", text, *machine.identity)
            made = cache.get(key)
            if made is None:
                made = machine.compile(text)
                cache.put(key, made)
            library = machine.load(made, [name])
        except (DefinitionError, RuntimeError, OSError):
            return None  # NumPy gives the same numbers, more slowly
        return library.address(name), library


loops.provide(load)
