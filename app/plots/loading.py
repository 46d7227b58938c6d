"""matplotlib as it is loaded for figures: without what it writes into its own documentation, in programs of ours."""

from __future__ import annotations

import importlib
import sys
import threading

_LOCK = threading.Lock()
_OURS: list[bool] = []


def undocumented() -> None:
    """Say that this process is a command, where nobody asks for matplotlib's documentation: a third of the time that
    it takes to load is spent on listing the properties of each of its classes there."""
    _OURS[:] = [True]


def is_command() -> bool:
    """Whether that was said."""
    return bool(_OURS)


def load() -> None:
    """Load what figures are made of; what else is needed of matplotlib comes fast then."""
    with _LOCK:
        if "matplotlib.artist" in sys.modules or not _OURS:
            _load()
            return
        artist = importlib.import_module("matplotlib.artist")
        lists = artist.kwdoc
        artist.kwdoc = lambda _: ""  # type: ignore[attr-defined]
        try:
            _load()
        finally:
            artist.kwdoc = lists  # type: ignore[attr-defined]


def _load() -> None:
    for name in ("matplotlib.figure", "matplotlib.backends.backend_agg"):
        importlib.import_module(name)
