"""The large figure over the video of a camera: frames a second captured and processed, and how late the tracks are; or
that it is paused."""

from __future__ import annotations

import math

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine.throughput import CAPTURED, PROCESSED, look
from app.frame_counts import WORDS
from app.gui import theme
from app.gui.settings import Settings
from app.gui.video.side_label import CornerNote
from pipelines.streaming.common.states import RunState

LARGE = 1.7
"""Times the size of other words: it is read from where the experiment is."""
BEHIND = 0.98
"""Share of the captured frames below which those that are processed are marked: fewer come through."""
KEY = "live figure"


class LiveFigure(CornerNote):
    """See the module.

    Args:
        view: the video.
        bench: the state behind the window.
        settings: remember whether it is wanted.
    """

    def __init__(self, view: QtWidgets.QWidget, bench: Workbench, settings: Settings) -> None:
        super().__init__(view)
        self._bench, self._settings = bench, settings
        self.wanted = settings.text(KEY) != "no"
        self._large = LARGE * self.font().pointSizeF()
        self.setTextFormat(QtCore.Qt.TextFormat.RichText)
        self.setAccessibleDescription(". ".join(f"{word}: {WORDS[word]}" for word in (CAPTURED, PROCESSED)))
        for topic in (Topic.MEASURED, Topic.OPENED, Topic.STATE, Topic.RECORDING):
            bench.on(topic, self.refresh)

    def switch(self, on: bool) -> None:
        """Show it or not."""
        self.wanted = on
        self._settings.set_text(KEY, "yes" if on else "no")
        self.refresh()

    def refresh(self) -> None:
        """Follow the newest reading."""
        bench = self._bench
        says = {RunState.RUNNING: self._words, RunState.PAUSED: self._paused}.get(bench.state)
        camera = bench.live and bench.opened is not None
        self.say(says() if says is not None and camera and self.wanted else "")

    def _paused(self) -> str:
        # A recording has every frame all the same: in its session, or in memory until a trigger comes.
        words = "frames are kept without tracks" if self._bench.recording else "frames are left out"
        return (
            f"<span style='font-size:{self._large:.1f}pt'>paused</span><br/>"
            f"<span style='color:{theme.DARK.muted}'>{words}; Space goes on</span>"
        )

    def _words(self) -> str:
        bench = self._bench
        seen = look(bench.readings)
        captured, processed = seen.speed(CAPTURED), seen.speed(PROCESSED)
        if math.isnan(captured):
            return ""
        known = bench.measured.reading.latencies.get("total") if bench.measured is not None else None
        late = f"{1e3 * known.p50:.0f} ms" if known is not None and known.frames else "…"
        done = "…" if math.isnan(processed) else f"{processed:.0f}"
        ink = theme.DARK.warn if processed < BEHIND * captured else theme.DARK.text
        cell = "<td style='padding-right:14px'>"
        return (
            f"<table cellspacing='0'><tr style='font-size:{self._large:.1f}pt'>"
            f"{cell}{captured:.0f} / <span style='color:{ink}'>{done}</span></td><td>{late}</td></tr>"
            f"<tr style='color:{theme.DARK.muted}'>{cell}{CAPTURED} / {PROCESSED} frames/s</td><td>latency</td></tr>"
            "</table>"
        )
