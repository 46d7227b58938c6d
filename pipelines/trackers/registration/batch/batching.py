"""Trackers of windows, of whose batches those frames go by in machine code in which nothing has to be looked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipelines.features import State, Tracks
from pipelines.measures import Measures, no_measures
from pipelines.trackers.base import Array, Tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.lying_images import LyingImage, LyingImages
from pipelines.trackers.registration.batch.batch_tracking import Steady
from pipelines.trackers.registration.batch.device_tracking import DeviceTracking
from pipelines.trackers.registration.reference.corners import Corners
from pipelines.trackers.registration.windows.plane_maps import determinant, product
from pipelines.trackers.registration.windows.windows import lying_ready, ready


class Batching(Tracker):
    """Such a tracker. age: frames since the first one; t: the windows' columns."""

    age: int
    t: Columns
    _measured: list[Measures]
    _bends: list[tuple[Array, Array, Array]]
    _there: DeviceTracking | None = None

    def update_batch(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        """The same bits as from frame to frame."""
        made: list[Tracks] = []
        fields = self.measures(self.settings)
        self._measured, self._bends = [], []
        while len(made) < len(indices):
            at = len(made)
            made += self._steadily(indices[at:], times[at:], inputs[at:])
            if fields:
                self._measure(made[at:], fields)
            if len(made) < len(indices):
                at = len(made)
                # The frame that did not go by is done in full; then the rest is tried again, since most windows are
                # sure again.
                made.append(self.update(indices[at], times[at], inputs[at]))
                if fields:
                    self._measure(made[at:], fields)
        return made

    def measured(self) -> Sequence[Array]:
        return self._measured

    def _measure(self, frames: Sequence[Tracks], fields: tuple[str, ...]) -> None:
        """How windows lie in each of these frames, whose deformations are in `_bends` if they are not as now."""
        t = self.t
        now = t["track"], t["bend"], t["base"]
        self._measured += [warps_of(rows, *bends, fields) for rows, bends in
                       zip(frames, self._bends or [now] * len(frames), strict=True)]  # fmt: skip
        self._bends = []

    @abstractmethod
    def _steadily(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        """The rows of the first frames in which every window goes on as it did; none where one does not."""

    def _lying(self, inputs: Sequence[Mapping[str, Array]], corners: Corners) -> LyingImages | None:
        """The frames, where they lie on a device on which windows can be followed that learn no more."""
        if self._broken or corners.learning(int(self.number("reference_frames"))):
            return None
        return lying_ready([one.get("image") for one in inputs], (self.height, self.width))

    def _passed(
        self, steady: Steady, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]],
        lying: LyingImages | None,
    ) -> tuple[Array, list[tuple[int, float, float]], bool, Array | LyingImage]:  # fmt: skip
        """Have as many frames go by as do, of windows that only move.

        Args:
            lying: the frames, where they lie on a device, if they do.

        Returns:
            KEPT of those that went by (frames, 6, windows); index, time and rate of each; whether a window turns by the
            last of them; and the picture of that one, not scanned.
        """
        before = self.clock.snapshot()
        clocks, steps = self._ahead(indices, times)
        kept, turns, most = np.zeros(0), False, int(self.number("reference_frames"))
        pictures: Sequence[Any] | LyingImages
        if lying is not None:
            pictures = lying
            if steps:
                sightings = steady.sighted(self._tracking(steady, lying), lying[: len(steps)], steps, self.age, most)
                kept, turns = steady.go_on(sightings, steps, self.age, most)
        else:
            pictures = [ready(self.image(one, scanned=False)) for one in inputs[: max(len(steps), 1)]]
            if steps:
                kept, turns = steady.go(pictures, steps, self.age, most)
        done = len(kept)
        self.age += done
        if done < len(indices):
            self._back(before, clocks[:done])
        return kept, clocks[:done], turns, pictures[max(done, 1) - 1]

    def _ahead(
        self, indices: Sequence[int], times: Sequence[float]
    ) -> tuple[list[tuple[int, float, float]], list[float]]:
        """Index, time and rate of frames, and frames since the one before, up to the first without; the clock runs
        ahead of them and is put `_back` to the last that went by."""
        clocks, steps = [], []
        for index, time in zip(indices, times, strict=True):
            step = self.clock.advance(index, time)
            if not step > 0:
                break
            steps.append(step)
            clocks.append((index, time, self.clock.rate))
        return clocks, steps

    def _back(self, before: Mapping[str, Array], clocks: Sequence[tuple[int, float, float]]) -> None:
        """Put the clock back to the last of these frames, or to where it was."""
        self.clock.restore({"clock": np.array(clocks[-1])} if clocks else before)

    def _tracking(self, steady: Steady, images: LyingImages) -> DeviceTracking:
        """What follows windows where these frames lie."""
        if self._there is None or self._there.device is not images.batch.device:
            self._there = steady.device_tracking(images.batch.device, images.batch.type)
        return self._there

    def _one_by_one(
        self, steady: Steady, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> tuple[Array, list[tuple[int, float, float]], Array]:
        """The same where windows turn or deform: KEPT, index, time and rate, and the picture of the last frame."""
        self._bends = []
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
            self._bends.append((self.t["track"].copy(), self.t["bend"].copy(), self.t["base"].copy()))
            if self._after(picture):
                break
        steady.shapes = np.array(shapes)
        return np.array(kept), clocks, last

    def _recalled(
        self, steady: Steady, indices: Sequence[int], times: Sequence[float], lying: LyingImages
    ) -> tuple[Array, list[tuple[int, float, float]], Array | LyingImage]:
        """The same of frames that lie on a device."""
        self._bends = []
        kept: list[Array] = []
        shapes: list[Array] = []
        before, drawn = self.clock.snapshot(), self.t["drawn"].copy()
        clocks, steps = self._ahead(indices, times)
        there, most = self._tracking(steady, lying), int(self.number("reference_frames"))
        sightings = steady.sighted(there, lying[: len(steps)], steps, self.age, most) if steps else None
        for frame, step in enumerate(steps):
            assert sightings is not None
            moved = steady.recalled(sightings, frame, step)
            if moved is None:
                break
            self.age += 1
            kept.append(moved)
            shapes.append(steady.shapes_recalled(sightings, frame))
            self._bends.append((self.t["track"].copy(), self.t["bend"].copy(), self.t["base"].copy()))
            index, time, rate = clocks[frame]
            self.clock.restore({"clock": np.array((index, time, rate))})
            needs = sightings.records.reshape(steady.count, -1, sightings.width)[:, frame, 16:18]
            if (needs[:, 0] > steady.corners.parameters()).any():  # they are looked at closely
                steady.redraw(drawn)
            if self._after(lying[frame], needs):
                break
        done = len(kept)
        self._back(before, clocks[:done])
        steady.redraw(drawn)
        if done < len(steps):  # some windows went on there, and may be drawn otherwise
            there.version = -1
        steady.shapes = np.array(shapes)
        return np.array(kept), clocks[:done], lying[max(done, 1) - 1]

    def _after(self, picture: Array | LyingImage, needs: Array | None = None) -> bool:  # noqa: ARG002 - some look at it
        """What else there is to do after such a frame; whether windows are others then. `needs`: how many parameters
        windows need, 0 where that was not asked, and their misfits, (n, 2), where it is known already."""
        return False


def warps_of(rows: Tracks, tracks: Array, bend: Array, base: Array, fields: tuple[str, ...]) -> Measures:
    """Rotation (degrees, from x towards y) and scale of the windows whose rows these are, since their first reference.

    Args:
        rows: of one frame.
        tracks: (n,) ids of windows.
        bend, base: (n, 2, 2), the deformation of each since its reference, and of that since the first one.
        fields: of the two, those that are wanted.
    """
    made = no_measures(len(rows), fields)
    if not len(tracks):
        return made
    order = np.argsort(tracks, kind="stable")
    place = order[np.minimum(np.searchsorted(tracks, rows["track"], sorter=order), len(tracks) - 1)]
    seen = (rows["state"] == int(State.TRACKED)) | (rows["state"] == int(State.TENTATIVE))
    seen &= tracks[place] == rows["track"]
    whole = product(bend, base)[place[seen]]
    if "rotation" in fields:
        sine, cosine = whole[:, 1, 0] - whole[:, 0, 1], whole[:, 0, 0] + whole[:, 1, 1]
        made["rotation"][seen] = np.degrees(np.arctan2(sine, cosine))
    if "scale" in fields:
        made["scale"][seen] = np.sqrt(np.abs(determinant(whole)))
    return made
