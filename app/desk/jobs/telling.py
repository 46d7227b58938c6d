"""Words of a job about how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from app.progress import Progress, ToldProgress

TELL_EVERY = 0.1
"""Seconds between two words about progress."""
Tell = Callable[[dict[str, Any]], None]


def telling(tell: Tell) -> Callable[[str, int], Any]:
    """Progress that is told."""

    @contextmanager
    def progress(label: str, total: int) -> Iterator[Progress]:
        tell({"label": label, "total": total})
        teller = ToldProgress(tell, TELL_EVERY)
        yield teller
        teller.say()

    return progress
