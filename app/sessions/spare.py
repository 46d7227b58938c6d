"""Memory between a camera and a recorder that is made before it is needed, so that a recording begins at once.

A system takes tenths of a second to hand out half a gigabyte, in which hundreds of frames come.
"""

from __future__ import annotations

import threading
from contextlib import suppress

from app.sessions.shared import Geometry, SharedMemory
from kernels.errors import InputError


class SpareMemory:
    """One memory; made in a thread of its own, used by one thread.

    Args:
        geometry: of the recordings to come.
    """

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self._memory: SharedMemory | None = None
        self._thread: threading.Thread | None = None
        self.prepare()

    def prepare(self) -> None:
        """Begin to make one, unless there is one. Where there is no room for it none is made: a recording asks anew,
        and says so."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._make, name="spare memory", daemon=True)
            self._thread.start()

    def _make(self) -> None:
        with suppress(InputError):
            self._memory = SharedMemory(geometry=self._geometry)

    @property
    def ready(self) -> bool:
        """Whether there is one, or none is being made."""
        return self._thread is None or not self._thread.is_alive()

    def take(self, geometry: Geometry) -> SharedMemory:
        """The memory if it is of this geometry, else another one.

        Raises:
            InputError: there is not enough memory.
        """
        if geometry == self._geometry and self._thread is not None:
            self._thread.join()
            self._thread, memory, self._memory = None, self._memory, None
            if memory is not None:
                return memory
        return SharedMemory(geometry=geometry)

    def close(self) -> None:
        """Give the memory back."""
        if self._thread is not None:
            self._thread.join()
        self._thread, memory, self._memory = None, self._memory, None
        if memory is not None:
            memory.close()
