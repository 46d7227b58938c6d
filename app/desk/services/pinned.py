"""A and B: a pipeline that was pinned beside the one that is edited, both at the same frame of the same clip.

The pictures of both are paired by the number of their frame. A is asked for the frame that B has, B's picture of it is
kept until A's is there, and the newest pair that is complete is what is shown; while B plays, frames in between are
shown on neither side.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from app.desk.bench.topics import Level, Link, Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine.picture_box import Shown
from app.desk.pipeline.history import History
from app.desk.services.regions import region
from app.desk.tracks.problems import Kind, find_problems
from kernels.errors import InputError
from pipelines.features import State, Tracks
from pipelines.graph import Pipeline
from pipelines.streaming.common.states import RunState

PATIENCE = 2.0
"""Seconds for which a frame is waited for that A has gone to and not shown."""
MOST_ROWS = 30_000
"""Rows that are compared at most, those of the newest frames."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """How one side did: tracks that were seen, rows in which they were, their mean score, losses, jumps."""

    tracks: int
    seen: int
    score: float
    lost: int
    jumps: int


def numbers(rows: Tracks) -> Numbers:
    """Of rows of the frames that are compared."""
    seen = rows[rows["state"] == State.TRACKED]
    problems = find_problems(rows)
    return Numbers(
        len(np.unique(seen["track"])), len(seen), float(seen["score"].mean()) if len(seen) else float("nan"),
        sum(p.kind is Kind.LOST for p in problems), sum(p.kind is Kind.JUMP for p in problems),
    )  # fmt: skip


class Pinned:
    """Holds A.

    Args:
        bench: B, what is edited.
        connect: makes a link to another engine.

    Attributes:
        side: A's bench, paused at B's frame; None without one.
        pair: the newest pictures of one frame, of A and of B; None before the first.
        paired: called when there is a new pair.
        left: called with A's pipeline where it went without having been asked to: another clip was opened, or its run
            ended.
    """

    def __init__(self, bench: Workbench, connect: Callable[[], Link]) -> None:
        self._bench, self._connect = bench, connect
        self.side: Workbench | None = None
        self.pair: tuple[Shown, Shown] | None = None
        self.paired: Callable[[], None] = lambda: None
        self.left: Callable[[Pipeline], None] = lambda _: None
        self._kept: Shown | None = None
        self._since = 0.0
        bench.on(Topic.OPENED, self._go)
        bench.on(Topic.VIEW, self._look)
        bench.on(Topic.PICTURE, self._of_b)

    def pin(self, pipeline: Pipeline | None = None) -> Workbench:
        """Keep the pipeline as it is now, or another one, as A.

        Raises:
            InputError: no clip is open.
        """
        bench = self._bench
        if bench.opened is None or bench.live or bench.asked is None:
            raise InputError("two parameter sets are compared on a clip; open one first")
        self.drop()
        self.side = side = Workbench(self._connect())
        side.history = History(bench.pipeline if pipeline is None else pipeline)
        asked = bench.asked
        side.open(asked.what, reading=asked.reading, roi=region(bench), play=False, device=asked.device)
        side.calibration = bench.calibration
        side.on(Topic.OPENED, self._begin)
        side.on(Topic.PICTURE, self._of_a)
        return side

    def _begin(self) -> None:
        self._look()
        self._keep()

    def _keep(self) -> None:
        """Keep B's newest picture, and have A go to its frame."""
        shown, side = self._bench.shown, self.side
        if side is None or shown is None:
            return
        self._kept = replace(shown, pixels=np.array(shown.pixels))  # the box's memory is that of the next one soon
        self._since = time.monotonic()
        if side.opened is not None and (side.shown is None or side.shown.frame != shown.frame):
            side.player.seek(shown.frame)

    def _of_b(self) -> None:
        """B has a picture."""
        shown = self._bench.shown
        if self.side is None or shown is None:
            return
        # While A is on its way to the picture that is kept, later ones of B are passed over: else none would be met.
        waiting = self._kept is not None and (self.pair is None or self.pair[1].frame != self._kept.frame)
        if not waiting or (self._kept is not None and shown.frame == self._kept.frame):
            self._keep()
            self._match()

    def _of_a(self) -> None:
        """A has a picture."""
        self._match()
        shown = self._bench.shown
        if self._kept is not None and shown is not None and shown.frame != self._kept.frame and self._complete:
            self._keep()

    @property
    def _complete(self) -> bool:
        return self.pair is not None and self._kept is not None and self.pair[1].frame == self._kept.frame

    def _match(self) -> None:
        a, b = None if self.side is None else self.side.shown, self._kept
        if a is not None and b is not None and a.frame == b.frame:
            self.pair = (a, b)
            self.paired()

    def _look(self) -> None:
        """A shows the same stage as B, if it has one of that name, in the same units."""
        side, wanted = self.side, self._bench.output
        if side is None or side.opened is None:
            return
        output = wanted if not wanted or wanted.split(".")[0] in {node.id for node in side.pipeline.nodes} else ""
        if output != side.output:
            side.player.show(output)
            if side.shown is not None:
                side.player.seek(side.shown.frame)  # the same frame again
        if side.calibration != self._bench.calibration:
            side.tracks.set_calibration(self._bench.calibration)

    def _go(self) -> None:
        """Without A, though that was not asked for; what it was is said."""
        side = self.side
        self.drop()
        if side is not None and side.pipeline != self._bench.pipeline:
            self.left(side.pipeline)

    def drop(self) -> None:
        """Without A; its engine takes half a second to end, which nothing waits for."""
        side, self.side = self.side, None
        self.pair = self._kept = None
        if side is not None:
            threading.Thread(target=side.quit, name="end of A").start()

    def tick(self) -> None:
        """Look for A's news; a frame that A cannot show is not waited for for ever."""
        side, shown = self.side, self._bench.shown
        if side is None:
            return
        side.tick()
        if side.state is RunState.FAILED:
            why = next((m.sentence for m in reversed(side.messages) if m.level is Level.ERROR), "its run ended")
            self._go()
            self._bench.speak(Level.ERROR, f"A is gone: {why}")
            return
        if self._complete or side.opened is None or shown is None:
            return
        given_up = time.monotonic() - self._since > PATIENCE and side.state is not RunState.SEEKING
        if self._kept is None or (given_up and shown.frame != self._kept.frame):
            self._keep()

    def compare(self) -> tuple[int, Numbers, Numbers]:
        """Frames that both have computed, and how A and B did in them."""
        if self.side is None:
            return 0, numbers(self._bench.store.at(0)[:0]), numbers(self._bench.store.at(0)[:0])
        a, b = self.side.store, self._bench.store
        # Frames that both know: the intersections of their ranges.
        shared = [(max(p, r), min(q, s)) for p, q in a.ranges for r, s in b.ranges if max(p, r) <= min(q, s)]
        if not shared:
            return 0, numbers(a.at(0)[:0]), numbers(a.at(0)[:0])
        end = shared[-1][1]
        since = max(a.since(end, MOST_ROWS), b.since(end, MOST_ROWS))
        frames = np.concatenate([np.arange(max(first, since), last + 1) for first, last in shared])
        both = []
        for store in (a, b):
            # As they came: corrections are of one side alone.
            rows = store.raw_between(since, end)
            both.append(rows[np.isin(rows["frame"], frames)])
        return len(frames), numbers(both[0]), numbers(both[1])
