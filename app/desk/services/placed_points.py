"""Points may come to a clip with the pipeline of another one; whether they lie right there, only the user can see."""

from __future__ import annotations

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from kernels.param import Value


class PlacedPoints:
    """Remembers on what the points of trackers were placed, and says so when they are used on something else.

    Args:
        bench: the state behind the window.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._placed: dict[tuple[str, Value], tuple[str, str]] = {}
        self._told: set[tuple[str, Value, str]] = set()
        for topic in (Topic.OPENED, Topic.PIPELINE):
            bench.on(topic, self._look)

    def _look(self) -> None:
        asked, info = self._bench.asked, self._bench.info
        if asked is None or info is None:
            return
        for one in self._bench.pipeline.trackers:
            name, value = one.id, one.params.get("points")
            if not isinstance(value, tuple) or not value:
                continue
            what, where = self._placed.setdefault((name, value), (asked.what, info.name))
            if what == asked.what or (name, value, asked.what) in self._told:
                continue
            self._told.add((name, value, asked.what))
            count = f"the {len(value)} points" if len(value) > 1 else "the point"
            self._bench.speak(Level.WARNING, f"{count} of {name} {'were' if len(value) > 1 else 'was'} placed on "
                              f"{where}; see where they lie on {info.name}, and move them or clear {name}.points")
