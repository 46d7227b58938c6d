"""Single frames of clips, read in threads: the newest that is asked for, one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy.typing as npt
from pyqtgraph.Qt import QtCore

from app.gui.beside import Beside
from app.labels.frames import PlainFrames
from app.sources.opening import open_source
from pipelines.frame import FrameSource

Wanted = tuple[tuple[str, int] | None, ...]
"""Of each camera a clip and its frame; None for no picture."""
Picture = npt.NDArray[Any]


class Clips:
    """Clips that stay open; holds nothing of Qt."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[FrameSource, PlainFrames]] = {}
        self._lock = threading.Lock()

    def read(self, wanted: Sequence[tuple[str, int] | None]) -> list[Picture | None]:
        """Pictures of 8 bits, gray; None where there is none."""
        with self._lock:
            keep = {one[0] for one in wanted if one is not None}
            for clip in [clip for clip in self._open if clip not in keep]:
                self._open.pop(clip)[0].close()
            return [None if one is None else self._one(*one) for one in wanted]

    def _one(self, clip: str, frame: int) -> Picture | None:
        if clip not in self._open:
            source = open_source(clip)
            self._open[clip] = source, PlainFrames(source, gray=True)
        source, plain = self._open[clip]
        return plain.bytes(frame) if 0 <= frame < source.info.frames else None

    def close(self) -> None:
        """Let go of them."""
        with self._lock:
            for source, _ in self._open.values():
                source.close()
            self._open.clear()


class PictureReader(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        parent: what it ends with.
        show: called with what was asked for, and the pictures or what went wrong.
    """

    def __init__(
        self, parent: QtCore.QObject, show: Callable[[Wanted, list[Picture | None] | Exception], object]
    ) -> None:
        super().__init__(parent)
        self._clips, self._show = Clips(), show
        self._beside = Beside(self, "pictures of cameras")
        self._beside.came.connect(self._came)
        self._asked: Wanted | None = None
        self._next: Wanted | None = None

    def ask(self, wanted: Wanted) -> None:
        """Read these; what is asked for while others are read comes after them."""
        if self._asked is not None:
            self._next = wanted
            return
        self._asked = wanted
        clips = self._clips
        self._beside.begin(0, lambda: clips.read(wanted))

    def _came(self, _number: int, answer: object) -> None:
        asked, self._asked = self._asked, None
        following, self._next = self._next, None
        if following is not None and following != asked:
            self.ask(following)
        elif asked is not None and isinstance(answer, list | Exception):
            self._show(asked, answer)

    def close(self) -> None:
        """Let go of the clips, in a thread: one may be read just now."""
        threading.Thread(target=self._clips.close, name="end of pictures", daemon=True).start()
