"""What others listen to."""

from __future__ import annotations

from collections.abc import Callable


class Observable:
    """Base of what has listeners, which are called after each change."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[], object]] = []

    def on(self, listener: Callable[[], object]) -> None:
        """Have `listener` called after each change."""
        self._listeners.append(listener)

    def _notify(self) -> None:
        for listener in self._listeners:
            listener()
