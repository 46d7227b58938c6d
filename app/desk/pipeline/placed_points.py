"""Points stay in the pipeline when something else is opened; whether they lie right there, only the user can see."""

from __future__ import annotations

from app.desk.bench.topics import Level, Topic
from app.desk.workbench import Workbench
from kernels.param import Value


class PlacedPoints:
    """Remembers on what the points of trackers were placed, and says so when they are used on something else.

    Args:
        bench: the state behind the window.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._placed: dict[str, tuple[Value, str, str]] = {}
        bench.on(Topic.OPENED, self._opened)
        bench.on(Topic.PIPELINE, self._changed)

    def _points(self) -> dict[str, Value]:
        points = {one.id: one.params.get("points") for one in self._bench.pipeline.trackers}
        return {name: value for name, value in points.items() if isinstance(value, tuple) and value}

    def _changed(self) -> None:
        asked, info = self._bench.asked, self._bench.info
        if asked is None or info is None:
            return
        for name, value in self._points().items():
            if name not in self._placed or self._placed[name][0] != value:
                self._placed[name] = value, asked.what, info.name

    def _opened(self) -> None:
        asked, info = self._bench.asked, self._bench.info
        if asked is None or info is None:
            return
        for name, value in self._points().items():
            known, what, where = self._placed.get(name, ((), asked.what, info.name))
            if known == value and what != asked.what and isinstance(value, tuple):
                count = f"the {len(value)} points" if len(value) > 1 else "the point"
                self._bench.speak(Level.WARNING, f"{count} of {name} {'were' if len(value) > 1 else 'was'} placed on "
                                  f"{where}; see where they lie on {info.name}, and move them or clear {name}.points")
        self._changed()
