"""Trackers that look at frames on a device: their rows, and what came down."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from pipelines.features import TRACK_DTYPE
from pipelines.frame import FrameBatch
from pipelines.graph import Ref
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.tracking import Tracking
from tests.pipelines.emulated import ApartDevice, EmulatedExecutor


@dataclass
class Followed:
    """A clip that was followed.

    rows: of each frame, as bytes. tracking: after the last. down: bytes that came down with each batch. came: whether
    its pixels did.
    """

    tracking: Tracking
    rows: list[bytes] = field(default_factory=list)
    down: list[int] = field(default_factory=list)
    came: list[bool] = field(default_factory=list)

    @property
    def reasons(self) -> set[int]:
        """Of all rows."""
        return {int(reason) for one in self.rows for reason in np.frombuffer(one, TRACK_DTYPE)["reason"]}

    def states(self) -> dict[str, bytes]:
        """What the tracker knows in the end."""
        return {name: one.tobytes() for name, one in self.tracking.followers[0].tracker.snapshot().items()}


def followed(engine: Engine, frames: np.ndarray, batch: int, picture: Ref, wanted: Collection[int] = ()) -> Followed:
    """Follow a clip; two batches are begun before the first is tracked.

    Args:
        picture: what the tracker looks at.
        wanted: batches of it that somebody else has brought down.
    """
    executor = engine.executor
    device = executor.device if isinstance(executor, EmulatedExecutor) else ApartDevice()
    assert isinstance(device, ApartDevice)
    made, pending = Followed(Tracking(engine.bound, 1000.0)), []

    def finish() -> None:
        first, begun = pending.pop(0)
        tapped = begun.result()
        if len(made.came) in wanted:
            np.asarray(tapped[picture][0])
        before = device.down
        made.rows += [one.tobytes() for one in made.tracking.follow(first, tapped)]
        made.down.append(device.down - before)
        made.came.append(getattr(tapped[picture], "came", True))

    for a, b in pairwise(range(0, len(frames) + 1, batch)):
        one = FrameBatch(np.arange(a, b), np.arange(a, b) / 1000, frames[a:b])
        pending.append((one, engine.submit(one)))
        if len(pending) > 1:
            finish()
    while pending:
        finish()
    return made
