"""The answers of a tracker's windows (`response`), in memory that is there already, calibrated a few windows a frame.

To measure how a window's answer bends takes most of the time that a window takes to begin. The bend is much the same
for all windows of a texture: within 0.4 px of the reference single ones are 0.002 px beside the mean of the others. So
a window is straightened by that until it was its turn, with an uncertainty that says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.scratch import aligned
from pipelines.trackers.columns import Columns
from pipelines.trackers.registration.response.nonlinearity_prior_loops import LEVEL, level
from pipelines.trackers.registration.response.reference_noise import white
from pipelines.trackers.registration.response.response import (
    AXES,
    CONSTANTS,
    POWERS,
    Along,
    calibrated,
)
from pipelines.trackers.registration.response.structs import Answers
from pipelines.trackers.registration.windows.native import call, scratch
from pipelines.trackers.registration.windows.packing import vectors

Array = npt.NDArray[Any]

# Six patterns and two means are taken before the noise of a pixel is seen, and seven before its correlation is. Of 8 to
# 38 of these 20 to 28 made sigma best that of errors (on plates of speckle of three grains that a filter of 0.5 to 0.9
# px had smoothed, in windows of 15 to 31 px): with less it was too small, with more too large in large windows.
TAKEN = 20.0
# px by which answers that are not straightened err at a distance of FAR. In windows of 11 to 31 px on 17 textures
# (speckle, spots, 1/f noise, checks, stripes) it was 0.001 to 0.043, the more the finer, with a median of 0.018 and a
# root mean square of 0.024 at 21 px. It counts until the bend of two windows is measured: most often in one frame.
STRAIGHT = 0.02
FAR = 0.6  # px
AROUND = 8  # directions in which it is looked at how windows differ
_TURNS = 2 * np.pi * np.arange(AROUND) / AROUND
_MONOMIALS = np.stack([(FAR * np.cos(_TURNS)) ** i * (FAR * np.sin(_TURNS)) ** j for i, j in POWERS])


class Answering:
    """Designs and constants of windows, as `response.Responses` has them.

    Args:
        t: the windows; of its columns reference, noise, grain and bent (1: the bend is measured) say all.
        window: side, px.
        along: what is measured.

    Attributes:
        version: another one whenever `arrays` says anything else.
    """

    def __init__(self, t: Columns, window: int, along: Along) -> None:
        self.t, self.window, self.along = t, window, along
        self.version = 0
        self._columns = np.zeros((0, 2 * vectors(window), 6, 16), np.float32)
        self._constants = np.zeros((0, CONSTANTS))

    @property
    def columns(self) -> Array:
        """Of all windows, a view."""
        return self._columns[: len(self.t)]

    @property
    def constants(self) -> Array:
        """Of all windows, a view."""
        return self._constants[: len(self.t)]

    @property
    def textured(self) -> Array:
        """Of which there is something to measure."""
        return np.asarray(self.constants[:, AXES] > 0)

    def reserve(self, count: int) -> None:
        """Room for so many: else the frame in which points begin waits for memory."""
        if count > len(self._constants):
            for name in ("_columns", "_constants"):
                old = getattr(self, name)
                touched = np.full((max(count, 2 * len(old)), *old.shape[1:]), 0, old.dtype)
                grown = aligned(touched).reshape(touched.shape)
                grown[: len(old)] = old
                setattr(self, name, grown)

    def make(self, which: Array, *, begun: bool = False) -> None:
        """Calibrate the windows `which` as their columns say. `begun`: only what noise they have is another."""
        t = self.t
        self.version += 1
        self.reserve(len(t))
        calibrated(self.arrays(), which, self.along, TAKEN, begun=begun)

    def arrays(self) -> Answers:
        """All windows as loops take them, until there are more."""
        t = self.t
        return Answers(t["reference"], t["bent"], t["noise"], t["grain"], self.columns, self.constants)

    def level(self) -> None:
        """Straighten the answers of windows whose bend is not measured yet as those of the others are on average."""
        self.version += 1
        bent = self.t["bent"]
        if not bent.all():
            call(level, self.constants, bent, len(bent), STRAIGHT**2, _MONOMIALS, scratch(LEVEL))

    def keep(self, mask: Array) -> None:
        """Before rows of the columns are dropped where `mask` is False: these, too."""
        self.version += 1
        n = int(np.count_nonzero(mask))
        self._columns[:n], self._constants[:n] = self.columns[mask], self.constants[mask]


def unknown(count: int) -> dict[str, Any]:
    """What the columns say of windows of which nothing is known but how they look."""
    return {"grain": white(count), "noise": 0.0, "bent": 0}
