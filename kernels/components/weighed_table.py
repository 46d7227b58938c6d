"""Components with weights as a table that a device makes, too: what it must be told of each batch.

What parameters mean for the loops (`kernels.components.tiling`) is worked out on the host and sent up as one block of
bytes, so that live parameters need no other code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from kernels.centroids.centroid import PLAIN, ROUNDING, sized
from kernels.centroids.neighbour_crosstalk_loops import FARS, THINS
from kernels.components.tiling import fits, settings_of
from kernels.ir.body import Decoder
from kernels.ir.image import DType
from kernels.regions.tile_loops import MOST

Array = npt.NDArray[Any]
RADIUS = 13
"""px, half of the widest window that a device has memory for: refine_sigma up to 4 px. Wider ones are the host's."""
TEAMS = 8
"""Teams of threads that share the regions of a frame: a warp each, so that each thread may have all registers."""
_WIDEST = sized(RADIUS)
FIXED = 2 * _WIDEST.pitch + 2 * _WIDEST.size * _WIDEST.pitch
RING = _WIDEST.size**2
WHOLE = ("able", "dark", "side", "grow", "steps", "margin", "level", "slope", "blur_radius", "better", "limit", "least",
         "radius", "size", "pitch", "many", "lines", "shapes", "exact")  # fmt: skip
REAL = ("given", "rim", "split", "depth", "grain", "blur", "sigma", "reach", "most")
ARRAYS = {"weights": ("float64", MOST), "fixed": ("float64", FIXED), "crowds": ("float64", 2 * THINS * FARS),
          "iota": ("float64", 128), "ring": ("int64", RING), "table": ("uint8", 2048)}  # fmt: skip


def places() -> dict[str, int]:
    """Where each number and each array begins in the block, in bytes, and its length ("")."""
    found, at = {}, 0
    for name in (*WHOLE, *REAL):
        found[name], at = at, at + 8
    for name, (dtype, count) in ARRAYS.items():
        found[name], at = at, at + np.dtype(dtype).itemsize * count
    return {**found, "": at}


@dataclass(frozen=True)
class WeighedComponents(Decoder):
    """What a device must know of the stage `components` with weights whose centres are those of their light.

    Args:
        size: (height, width) of the mask.
        aside: 1 where all eight neighbours belong together, 0 for four.
        capacity: rows of a frame's table, at most.
        dtype: of the weights.
        white: full scale, where the weights are whole numbers that are meant as fractions of it; else 0.
    """

    size: tuple[int, int]
    aside: int
    capacity: int
    dtype: DType
    white: int = 0
    packed: ClassVar[bool] = True

    @staticmethod
    def takes(dtype: DType) -> bool:
        """Whether weights are of a type that regions are measured of in tiles."""
        return dtype.numpy in PLAIN

    def settings(self, params: Mapping[str, Any]) -> Array:
        """The block of bytes for some values of the parameters."""
        return _settings(self, tuple(params.items()))

    def of_fractions(self, number: int, dtype: DType, white: int) -> WeighedComponents | None:
        """The same of whole numbers of a type that are meant as fractions; `number` is that of the input."""
        return WeighedComponents(self.size, self.aside, self.capacity, dtype, white) if number == 1 else None


@lru_cache(maxsize=8)
def _settings(of: WeighedComponents, params: tuple[tuple[str, Any], ...]) -> Array:
    from kernels.components.blobs import most_area

    given = dict(params)
    real = of.white > 0 or of.dtype.numpy.kind == "f"
    grain = 0.0 if real else ROUNDING
    known = settings_of(given, grain)
    rules, w = known.rules, known.windows
    able = fits(np.empty(0, np.float32 if real else of.dtype.numpy), given) and w.radius <= RADIUS
    values: dict[str, Any] = {
        "able": able, "dark": known.dark, "side": rules.side, "grow": rules.grow, "steps": rules.steps,
        "margin": rules.margin, "level": rules.level, "slope": rules.slope, "blur_radius": rules.radius,
        "better": known.better, "limit": known.limit, "least": int(given["min_area"]), "radius": w.radius,
        "size": w.size, "pitch": w.pitch, "many": w.many, "lines": known.method.lines, "shapes": known.method.shapes,
        "exact": not real, "given": rules.given, "rim": rules.rim, "split": rules.split, "depth": rules.depth,
        "grain": rules.grain, "blur": rules.blur, "sigma": w.sigma, "reach": w.reach,
        "most": most_area(given, of.size[0] * of.size[1]), "weights": rules.weights, "fixed": w.fixed,
        "crowds": w.crowds, "iota": rules.iota, "ring": w.ring, "table": rules.table,
    }  # fmt: skip
    made, where = np.zeros(places()[""], np.uint8), places()
    for name in (*WHOLE, *REAL, *ARRAYS):
        dtype, count = ARRAYS.get(name, ("int64" if name in WHOLE else "float64", 1))
        own = np.asarray(values[name], dtype).reshape(-1)
        if able or name not in ARRAYS:
            part = own.view(np.uint8)
            assert len(own) <= count
            made[where[name] : where[name] + part.size] = part
    made.flags.writeable = False
    return made
