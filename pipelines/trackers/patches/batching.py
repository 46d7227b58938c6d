"""Trackers of windows, of whose batches those frames go by in machine code in which nothing has to be looked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from pipelines.features import Tracks
from pipelines.trackers.base import Array, Tracker
from pipelines.trackers.patches.steady import Steady
from pipelines.trackers.patches.windows import ready


class Batching(Tracker):
    """Such a tracker. age: frames since the first one."""

    age: int

    def update_batch(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        """The same bits as from frame to frame."""
        made: list[Tracks] = []
        while len(made) < len(indices):
            at = len(made)
            made += self._steadily(indices[at:], times[at:], inputs[at:])
            if len(made) < len(indices):
                at = len(made)
                made.append(self.update(indices[at], times[at], inputs[at]))
        return made

    @abstractmethod
    def _steadily(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        """The rows of the first frames in which every window goes on as it did; none where one does not."""

    def _passed(
        self, steady: Steady, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]],
        first: Array,
    ) -> tuple[Array, list[tuple[int, float, float]], bool, Array]:  # fmt: skip
        """Have as many frames go by as do, of windows that only move.

        Args:
            first: the picture of the first frame, ready, but not scanned (`Tracker.image`).

        Returns:
            KEPT of those that went by (frames, 6, windows); index, time and rate of each; whether a window turns by the
            last of them; and the picture of that one, not scanned.
        """
        before, clocks, steps = self.clock.snapshot(), [], []
        for index, time in zip(indices, times, strict=True):
            step = self.clock.advance(index, time)
            if not step > 0:
                break
            steps.append(step)
            clocks.append((index, time, self.clock.rate))
        pictures = [first, *(ready(self.image(one, scanned=False)) for one in inputs[1 : len(steps)])]
        kept, turns = np.zeros(0), False
        if steps:
            kept, turns = steady.go(pictures, steps, self.age, int(self.number("reference_frames")))
        done = len(kept)
        self.age += done
        if done < len(indices):
            self.clock.restore(before if done == 0 else {"clock": np.array(clocks[done - 1])})
        return kept, clocks[:done], turns, pictures[max(done, 1) - 1]

    def _one_by_one(
        self, steady: Steady, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> tuple[Array, list[tuple[int, float, float]], Array]:
        """The same where windows turn or deform: KEPT, index, time and rate, and the picture of the last frame."""
        kept: list[Array] = []
        shapes: list[Array] = []
        clocks: list[tuple[int, float, float]] = []
        most, last = int(self.number("reference_frames")), np.zeros(0)
        young = steady.young.due(most)
        for index, time, one in zip(indices, times, inputs, strict=True):
            picture = ready(self.image(one))
            before = self.clock.snapshot()
            step = self.clock.advance(index, time)
            moved = None
            if steady.fits(picture) and step > 0:
                given = picture, step, self.age + 1
                moved = steady.learn(*given, most) if young else steady.move(*given)
                young = young and steady.young.due(most)
            if moved is None:
                self.clock.restore(before)
                break
            self.age, last = self.age + 1, picture
            kept.append(moved)
            shapes.append(steady.corners.shapes())
            clocks.append((index, time, self.clock.rate))
            if self._after(picture):
                break
        steady.shapes = np.array(shapes)
        return np.array(kept), clocks, last

    def _after(self, picture: Array) -> bool:  # noqa: ARG002 - some look at it
        """What else there is to do after such a frame; whether windows are others then."""
        return False
