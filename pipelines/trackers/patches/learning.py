"""What a tracker by `response` learns of its windows in their first frames, a few windows a frame.

A window begins with what it looks like in one frame. Noise of that reference makes its slopes wrong, so that frames
join a mean, motion-compensated, which takes its place. The place of the mean is that of the first frame in it, measured
once more when the mean is complete: by the mean's slopes, which have less noise than the first frame's had.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.trackers.columns import Columns
from pipelines.trackers.patches import response_loops as loops
from pipelines.trackers.patches.answering import Answering
from pipelines.trackers.patches.reference_noise import autocovariance, normal
from pipelines.trackers.patches.response import GRAM, followed, left_by, masks
from pipelines.trackers.patches.subpixel import join

Array = npt.NDArray[Any]

# So many windows a frame, or a part of all, so that no frame takes much longer than another: of which the bend is
# measured, which join means, and whose noise is taken the first time.
ANSWERS, JOINS, FRESH = 6, 64, 64
FEW = 2  # of which the bend is measured in a frame that has fresh ones; half as many as else join means there
SEERS = 16  # windows that show how noise is correlated, of the first frame; half as many of each later one


class Learning:
    """Learns in the columns of a tracker.

    Args:
        t: the windows, with the columns of `vibration`.
        answers: theirs.
        most: frames in a mean.
    """

    def __init__(self, t: Columns, answers: Answering, most: int) -> None:
        self.t, self.answers, self.most = t, answers, most
        self._mask = masks(answers.window)

    def due(self) -> bool:
        """Whether there is something to be learnt of a window."""
        return bool((self._young() | self._waiting() | (self.t["noise"] == 0.0) | (self.t["bent"] == 0)).any())

    def noisy(self, image: Array, states: Array) -> Array | None:
        """Take the noise that the first answers of windows show; how it is correlated, None where it was known.

        Args:
            image: the frame.
            states: (n, STATE) after it.
        """
        fresh = np.flatnonzero((self.t["noise"] == 0.0) & (states[:, loops.PIXEL] > 0.0))
        fresh = fresh[: max(FRESH, len(self.t) // 4)]
        if not len(fresh):
            return None
        grain = self.t["grain"][fresh] = self._grain(image, states, fresh, SEERS)
        self.t["noise"][fresh] = self._noise(states[fresh], self.answers.constants[fresh], self.t["grain"][fresh])
        self.t["bent"][fresh[: max(FEW, len(self.t) // 96)]] = 1
        self.answers.make(fresh, begun=True)
        self.answers.level()
        return np.asarray(grain)

    def _noise(self, states: Array, constants: Array, grain: Array) -> Array:
        """The variance of a pixel's noise, from what first answers leave, of windows of which it was not known.

        Args:
            states: (k, STATE) after the frame.
            constants: (k, CONSTANTS), of which no noise is taken off.
            grain: (k, SIDE, SIDE).
        """
        window = self.answers.window
        away = states[:, (loops.X, loops.Y)]
        away = np.where(np.abs(away) > loops.NEAR, away - np.rint(away), away)
        light = constants[:, GRAM] / window**2
        left = seen = 2.0 * states[:, loops.PIXEL]
        # Of the reference's noise a part was not seen, for the patterns have it, too: by now it is known which.
        own, hidden = left_by(constants, grain, window, away)
        own = own + 1.0
        for _ in range(2):
            usual = np.median(2.0 * left / (own + np.sqrt(np.maximum(own * own - 4.0 * hidden * left, 0.0))))
            # The light seemed fainter than it is, by the noise of the reference: `book` divides by that gain.
            gain = np.maximum(1.0 - usual / light, 0.5)
            left = seen * gain * (1.0 + gain) / 2.0
        return np.asarray(left / (own - np.minimum(hidden * usual, 1.0)))

    def learn(self, image: Array, rows: Array, grain: Array | None) -> None:
        """Add a frame to means that are not complete.

        Args:
            image: the frame.
            rows: (n, OUT) of what was seen in it.
            grain: of its noise, where windows were calibrated by it just now.
        """
        t = self.t
        young = np.flatnonzero(self._young() & (rows[:, loops.OUT_REASON] == 0))
        turn = np.argsort(t["averaged"][young], kind="stable")[: max(JOINS, len(t) // 8) // (1 if grain is None else 2)]
        young = np.sort(young[turn])
        if len(young):
            t["seen"][young] += self._grain(image, t["state"], young, SEERS // 2) if grain is None else grain
            place = t["state"][young][:, (loops.ANCHOR_X, loops.ANCHOR_Y)] + rows[young][:, (loops.OUT_X, loops.OUT_Y)]
            t["averaged"][young] += 1
            join(image, young, place, t["averaged"][young], t["tile"])
        if grain is None:
            self._complete(self._share())

    def _young(self) -> Array:
        return np.asarray(self.t["averaged"] < self.most)

    def _waiting(self) -> Array:
        """Whose means are complete, and not their references yet."""
        t = self.t
        return np.asarray((t["averaged"] >= self.most) & (t["state"][:, loops.SHARE] == 1.0) & (self.most > 1))

    def _share(self) -> int:
        """How many windows are calibrated in a frame."""
        return max(ANSWERS, len(self.t) // 32)

    def _grain(self, image: Array, states: Array, which: Array, seers: int) -> Array:
        """How noise is correlated in a frame, from what some points see together: in turn, if they are many."""
        turn = int(self.t["averaged"][which[0]]) * seers
        which = which[(turn + np.arange(min(len(which), seers))) % len(which)]
        seen = states[which]
        x = (np.rint(seen[:, loops.X]) + seen[:, loops.ANCHOR_X]).astype(np.int64)
        y = (np.rint(seen[:, loops.Y]) + seen[:, loops.ANCHOR_Y]).astype(np.int64)
        return np.asarray(normal(autocovariance(image, which, x, y, self.t["reference"], self._mask)).mean(axis=0))

    def _complete(self, most: int) -> None:
        """A few references that are means now take the place of those of the first frame; of a few others it is
        measured how their answers bend."""
        t = self.t
        done = np.flatnonzero(self._waiting())
        done = done[np.argsort(t["bent"][done], kind="stable")][:most]
        if len(done):
            first = t["reference"][done]
            t["reference"][done] = t["tile"][done]
            t["grain"][done] = normal(t["seen"][done])
            t["noise"][done] = t["state"][done, loops.PIXEL] / t["averaged"][done]
            t["state"][done, loops.SHARE] = 1.0 / t["averaged"][done]
            t["state"][done, loops.COUNT] = 0.0  # what the halves showed was the first frame's noise, again and again
            t["bent"][done] = 1
            old = self.answers.constants[done, loops.SPREAD]
            self.answers.make(done)
            new = self.answers.constants[done, loops.SPREAD]
            t["state"][done, loops.VARIANCE] *= np.divide(new, old, out=np.ones(len(done)), where=old > 0)
            self._place(done, first)
        others = np.flatnonzero((t["bent"] == 0) & (t["noise"] > 0.0))[: most - len(done)]
        if len(others):
            t["bent"][others] = 1
            self.answers.make(others, begun=True)
        self.answers.level()

    def _place(self, which: Array, first: Array) -> None:
        """Say where the first frames of the windows `which` lie in their means."""
        t, middle = self.t, first.shape[1] // 2
        for i, tile in zip(which.tolist(), first, strict=True):
            state = np.zeros((1, loops.STATE))
            state[0, loops.ANCHOR_X], state[0, loops.ANCHOR_Y], state[0, loops.SHARE] = middle, middle, 1.0
            part = slice(i, i + 1)
            out = followed(tile[None], [1.0], self.answers.columns[part], self.answers.constants[part], state, 1, 0.0)
            if out[0, 0, loops.OUT_REASON] == 0:
                t["ox"][i] -= out[0, 0, loops.OUT_X]
                t["oy"][i] -= out[0, 0, loops.OUT_Y]
