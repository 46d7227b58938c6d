"""Says above the video that no pixel passes a threshold, with the level that suggests itself: without one nothing is
found, and who does not know the histogram does not see why."""

from __future__ import annotations

from html import escape

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.pipeline import editing
from app.desk.services.levels import LEVELS, Levels, bright, divided
from app.gui.strips import Strip, Strips

NOTHING = "nothing passes"
"""The strip's name."""


class NothingPasses:
    """See the module; the strip goes when something passes, and stays away from a level for which it was closed.

    Args:
        bench: the state behind the window.
        levels: know what thresholds divide.
        strips: of the window.
    """

    def __init__(self, bench: Workbench, levels: Levels, strips: Strips) -> None:
        self._bench, self._levels, self._strips = bench, levels, strips
        self._said: tuple[str, float, float] | None = None
        self._closed: tuple[str, float] | None = None
        levels.on(self._look)
        for topic in (Topic.PIPELINE, Topic.OPENED):
            bench.on(topic, self._look)

    def _found(self) -> tuple[str, float, float] | None:
        """The first stage that nothing passes, its level, and the one that suggests itself; None where all is well, or
        where there is nothing to be found."""
        bench, levels = self._bench, self._levels
        if bench.opened is None or bench.trouble:
            return None
        for node, name, _ in divided(bench.settled):
            look = levels.looks.get(node.id)
            param = next(p for p in editing.declared(node) if p.name == name)
            level = param.settled(node.params.get(name, param.default))
            # A histogram of the pipeline before says nothing about this one.
            if look is None or node.id in levels.stale or not isinstance(level, int | float):
                continue
            if look.above_noise is not None and look.passing(float(level), bright(node)) == 0:
                return node.id, float(level), min(max(float(f"{look.above_noise:.3g}"), param.low), param.high)
        return None

    def _look(self) -> None:
        found = self._found()
        if found is not None and found[:2] == self._closed:
            found = None
        if found == self._said:
            return
        self._said = found
        self._strips.remove(NOTHING)
        if found is None:
            return
        name, level, suggested = found
        param = LEVELS[next(node.stage for node in self._bench.pipeline.nodes if node.id == name)]

        def close() -> None:
            self._closed = name, level
            self._look()

        self._strips.put(NOTHING, Strip(
            f"<b>Nothing passes {escape(name)}.{param} = {level:.4g}</b>, so that nothing is found.",
            buttons=((f"Set it to {suggested:.3g}", lambda: self._bench.editor.set_param(name, param, suggested)),),
            closed=close, tip="The level between the noise and what stands out of it in the frame that was looked at",
        ))  # fmt: skip
