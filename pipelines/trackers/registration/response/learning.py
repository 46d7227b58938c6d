"""What a tracker by `response` learns of its windows in their first frames, a few windows a frame.

A window begins with what it looks like in one frame. Noise of that reference makes its slopes wrong, so that frames
join a mean, motion-compensated, which takes its place. The place of the mean is that of the first frame in it, measured
once more when the mean is complete: by the mean's slopes, which have less noise than the first frame's had.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.calling import call
from pipelines.trackers.columns import Columns
from pipelines.trackers.registration.noise.autocovariance_loops import FAR, MAPS, SIDE
from pipelines.trackers.registration.response import learning_loops as loops
from pipelines.trackers.registration.response import response
from pipelines.trackers.registration.response.linear_response import Answering
from pipelines.trackers.registration.response.reference_noise import tables
from pipelines.trackers.registration.response.reference_residual_loops import LOOKS
from pipelines.trackers.registration.response.response import masks
from pipelines.trackers.registration.windows.native import scratch
from pipelines.trackers.registration.windows.packing import line_masks, moves, vectors
from pipelines.trackers.registration.windows.structs import Batch, Frame, Means, Packing, Subset
from pipelines.trackers.registration.windows.subpixel import MARGIN
from pipelines.trackers.registration.windows.taps import TABLE
from pipelines.trackers.registration.windows.windows import ready

Array = npt.NDArray[Any]

# So many windows a frame, or a part of all, so that no frame takes much longer than another: of which the bend is
# measured, which join means, and whose noise is taken the first time.
ANSWERS, JOINS, FRESH = 6, 64, 64
AT_ONCE = 16  # so few join means in frames with fresh ones, too; of more none does, for much else is new then
FEW = 2  # of which the bend is measured in a frame with fresh ones or with joins
SEERS = 16  # windows that show how noise is correlated, of the first frame; half as many of each later one
_NOWHERE = np.zeros(1, np.int64)


def room_of(window: int) -> int:
    """What `noise_seen` and `join_tiles` need of scratch memory."""
    blocks, size = -(-window // 8), window + 2 * MARGIN
    across = -(-size // 8) * 8
    seen = MAPS + 8 * (window + FAR) * (blocks + 2) + 56 * window * blocks
    return max(seen, 2 * size * across + 64 + (size + 7) * (2 * across + 8))


class Learning:
    """Learns in the columns of a tracker.

    Args:
        t: the windows, with the columns of `vibration`.
        answers: theirs.
        most: frames in a mean.
    """

    def __init__(self, t: Columns, answers: Answering, most: int) -> None:
        self.t, self.answers, self.most = t, answers, most
        size = answers.window + 2 * MARGIN
        self._mask = masks(answers.window)
        self._line = (np.arange(-(-size // 8) * 8) < size).astype(np.float64)

    def due(self) -> bool:
        """Whether there is something to be learnt of a window."""
        t = self.t
        return call(loops.due_of, len(t), self.most, t["averaged"], t["bent"], t["noise"], t["state"]) == 1

    def noisy(self, image: Array, states: Array) -> Array | None:
        """Take the noise that the first answers of windows show; how it is correlated, None where it was known.

        Args:
            image: the frame.
            states: (n, STATE) after it.
        """
        t, window, numbers = self.t, self.answers.window, np.empty(len(self.t) + 3 * SEERS, np.int64)
        number = call(
            loops.fresh_of,
            len(t),
            max(FRESH, len(t) // 4),
            *image.shape,
            self.answers.window // 2,
            t["noise"],
            states,
            numbers,
        )
        if not number:
            return None
        image, fresh, grain = ready(image), numbers[:number], np.empty((SIDE, SIDE))
        means = self._means(states)
        call(loops.grain_of, Frame(image, 0, *image.shape), means, fresh, number, int(t["averaged"][fresh[0]]), SEERS,
             grain, numbers[number:].copy(), scratch(SEERS * SIDE**2 + room_of(window)),
             pixels=image.dtype)  # fmt: skip
        t["noise"][fresh] = self._noise(states, fresh, grain)
        t["bent"][fresh[: max(FEW, len(t) // 96)]] = 1
        self.answers.make(fresh, begun=True)
        self.answers.level()
        return grain

    def _means(self, states: Array) -> Means:
        """All windows as loops take them; `states`: (n, STATE)."""
        t, window = self.t, self.answers.window
        size = window + 2 * MARGIN
        return Means(
            len(t), self.most, window, -(-window // 8), size, MARGIN, -(-size // 8) * 8, self._mask, self._line, TABLE,
            t["averaged"], t["bent"], t["noise"], states, self.answers.constants, t["reference"], t["tile"], t["seen"],
            t["grain"], t["ox"], t["oy"],
        )  # fmt: skip

    def _noise(self, states: Array, fresh: Array, grain: Array) -> Array:
        """The variance of a pixel's noise, from what first answers leave, of windows of which it was not known.

        Args:
            states: (n, STATE) after the frame.
            fresh: the k windows, of whose constants no noise is taken off.
            grain: how their noise is correlated, from now on, (SIDE, SIDE).
        """
        out: Array = np.empty((6, len(fresh)))
        call(loops.noise_of, self._means(states), fresh, len(fresh), grain, tables()[0], float(self.answers.window**2),
             out, scratch(LOOKS + 2))  # fmt: skip
        noise: Array = out[0]
        return noise

    def learn(self, image: Array, rows: Array, grain: Array | None) -> None:
        """Add a frame to means that are not complete.

        Args:
            image: the frame.
            rows: (n, OUT) of what was seen in it.
            grain: of its noise, where windows were calibrated by it just now.
        """
        t, count, window = self.t, len(self.t), self.answers.window
        # In the frame in which windows are calibrated for the first time few others are added.
        if grain is not None and count > AT_ONCE:
            return
        given, image = grain is not None, ready(image)
        joins = max(JOINS, count // 8)
        numbers = np.empty(count + max(count, self.most + 1, 3 * SEERS), np.int64)
        grain = np.array(grain) if given else np.empty((SIDE, SIDE))
        joined = call(
            loops.join_due, Frame(image, 0, *image.shape), self._means(t["state"]), joins, SEERS // 2, rows, int(given),
            grain, numbers, scratch(2 * count + SEERS * SIDE**2 + room_of(window)),
            pixels=image.dtype,
        )  # fmt: skip
        if not given:
            self._complete(self._share() if not joined else min(self._share(), max(FEW, count // 48)))

    def _share(self) -> int:
        """How many windows are calibrated in a frame."""
        return max(ANSWERS, len(self.t) // 32)

    def _complete(self, most: int) -> None:
        """A few references that are means now take the place of those of the first frame; of a few others it is
        measured how their answers bend."""
        t, numbers = self.t, np.empty(len(self.t) + 1, np.int64)
        number = call(loops.ripe, len(t), self.most, most, t["averaged"], t["bent"], t["noise"], t["state"], numbers)
        if number:
            done = numbers[:number]
            size, window, answers = t["reference"].shape[1], self.answers.window, self.answers
            first, spread = np.empty((number, size, size)), np.empty(number)
            means = self._means(t["state"])
            call(loops.renew, means, done, number, first, spread)
            answers.make(done)
            room, line = response.room_of(window), line_masks(window)
            work = scratch(loops.FOLLOWING + response.work_of(window))
            batch = Batch(first, size, size, _NOWHERE, work, 1)
            subset = Subset(window, Packing(moves(window, size), line, line, room, room), answers.columns,
                            vectors(window), answers.constants, t["reference"], TABLE, work)  # fmt: skip
            call(loops.settle, batch, subset, means, done, number, spread, lanes=np.float32)
        others = numbers[number : number + int(numbers[-1])]
        if len(others):
            t["bent"][others] = 1
            self.answers.make(others, begun=True)
        self.answers.level()
