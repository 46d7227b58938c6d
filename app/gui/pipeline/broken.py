"""Says above the video that an edit broke the pipeline: what is seen meanwhile is that of the pipeline before."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.services.regions import drop_points, strangers
from app.gui.pipeline.looks import bad_box
from app.gui.strips import Strip, Strips

BROKEN = "broken"
"""The strip's name."""


class Broken:
    """See the module; the strip comes and goes with the trouble.

    Args:
        bench: the state behind the window.
        strips: of the window.
    """

    def __init__(self, bench: Workbench, strips: Strips) -> None:
        self._bench, self._strips = bench, strips
        self._said = ""
        for topic in (Topic.PIPELINE, Topic.OPENED):
            bench.on(topic, self._look)

    def _look(self) -> None:
        bench = self._bench
        trouble = bench.trouble if bench.opened is not None else ""
        # The strip may have been taken away by others meanwhile.
        if trouble == self._said and bool(trouble) == (BROKEN in self._strips):
            return
        self._said = trouble
        if not trouble:
            self._strips.remove(BROKEN)
            return
        name = bad_box(trouble, bench.pipeline)
        change = f"Change {escape(name)}, which is red in the graph" if name else "Change the pipeline"
        buttons: list[tuple[str, Callable[[], object]]] = []
        if strangers(bench):
            buttons.append(("Drop the points", lambda: drop_points(bench)))
        if bench.plain:
            rest = f"The clip is shown without it. {change}."
        else:
            rest = f"Picture and tracks are still those of the pipeline before the edit. {change}, or undo the edit."
            buttons += [("Undo the edit", bench.editor.undo)] if bench.history.undo_words else []
        self._strips.put(BROKEN, Strip(
            f"<b>This pipeline cannot run: {escape(trouble.partition('; ')[0].rstrip('.'))}.</b> {rest}", Level.ERROR,
            buttons=buttons, tip=f"{trouble}\nNothing of the pipeline is computed until it fits what is open",
        ))  # fmt: skip
