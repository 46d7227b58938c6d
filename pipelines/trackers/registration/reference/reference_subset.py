"""What the corners looked like when they were born: averaged over a few frames, drawn anew when they deform."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.language import F64, I64, at, floor, loop
from kernels.loops.scratch import aligned, lined
from pipelines.trackers.registration.noise.aperture import MIDDLE, STRIPES, solve_across
from pipelines.trackers.registration.noise.aperture_loops import surely
from pipelines.trackers.registration.noise.structs import Stripes
from pipelines.trackers.registration.warp import fit as fits
from pipelines.trackers.registration.warp.fit import Layout, References
from pipelines.trackers.registration.warp.fit_loops import prepare
from pipelines.trackers.registration.windows.mean_loops import blend
from pipelines.trackers.registration.windows.native import call, scratch
from pipelines.trackers.registration.windows.plane_maps import inverse
from pipelines.trackers.registration.windows.structs import Picture, ReferenceSet, Tiles
from pipelines.trackers.registration.windows.taps import EDGE, SLOPE_NOISE, TABLE, TAPS
from pipelines.trackers.registration.windows.window_loops import block_of, window_at
from pipelines.trackers.registration.windows.windows import as_picture, rendered

Array = npt.NDArray[Any]

LARGEST = 60_000_000  # numbers in all references together
STRETCH = 1.42  # how far a deformed window reaches, in windows


@loop
def join(picture: Picture, n: int, x: F64, y: F64, tiles: Tiles, slots: I64, count: I64, work: F64) -> int:
    """Add what is at (x, y) in a picture to the middle of tile slots[m], a mean of count[m] - 1 windows.

    Args:
        work: a middle, and room for `window_at`, at least 4 rows of one.
    """
    room = at(work, tiles.size * tiles.across)
    for m in range(n):
        window_at(picture, x[m], y[m], tiles.size, tiles.across, work, room)
        blend(at(tiles.values, (slots[m] * tiles.side + tiles.edge) * tiles.stride + tiles.edge), work,
              float(count[m]), tiles.size, tiles.across, tiles.stride, tiles.middle, room)  # fmt: skip
    return 0


@loop
def take(picture: Picture, n: int, x: F64, y: F64, tiles: Tiles, slots: I64, work: F64) -> int:
    """Tile slots[m] is what is at (x, y) in a picture, at whole pixels the pixels themselves. `work`: room for
    `window_at`."""
    for m in range(n):
        tile = at(tiles.values, slots[m] * tiles.side * tiles.stride)
        if x[m] == floor(x[m]) and y[m] == floor(y[m]):
            block_of(picture.image, picture.height, picture.width, int(x[m]) - tiles.side // 2,
                     int(y[m]) - tiles.side // 2, tiles.side, tiles.stride, tile)  # fmt: skip
        else:
            window_at(picture, x[m], y[m], tiles.side, tiles.stride, tile, work)
    return 0


@loop
def draw(anchors: ReferenceSet, slots: I64, count: int, stripes: Stripes, doubtful: I64, work: F64) -> int:
    """References of tiles that are not deformed.

    Args:
        doubtful: gets which of the `count` may be of stripes; how many is returned.
    """
    refs = anchors.refs
    tiles = anchors.tiles
    doubts = 0
    for n in range(count):
        tile = at(tiles.values, (slots[n] * tiles.side + tiles.edge) * tiles.stride + tiles.edge)
        prepare(tile, 1, at(slots, n), tiles.stride, refs, work)
        if stripes.share > 0.0:
            good = surely(tile, tiles.stride, slots[n], at(slots, n), refs, stripes, work)
            if good == 0:
                doubtful[doubts] = n
                doubts += 1
    return doubts


class Anchors:
    """References by slot, and the windows that they are made of.

    Args:
        window: side, px, odd.
        parameters: 2: they move; 3: they turn, too; 6: they deform.
        stripes: whether windows of stripes are references, too, for the motion across them.
    """

    def __init__(self, window: int, parameters: int, stripes: bool = False) -> None:
        self.layout, self.stripes = Layout.of(window, parameters), stripes
        reach = window // 2 + EDGE
        if parameters > 2:  # a deformed window reaches further, and its interpolation too
            reach = math.ceil(STRETCH * (window // 2)) + EDGE + TAPS // 2
        self.side = 2 * reach + 1
        self.stride = max(-(-self.side // 8) * 8, self.layout.across)
        self.size = window + 2 * EDGE
        self.edge = self.side // 2 - self.size // 2
        """Rows and columns of a tile around what a reference is made of that has not turned: only that is averaged."""
        self.mask = aligned((np.arange(self.layout.across) < self.size).astype(np.float64))
        self.striped = Stripes(STRIPES if stripes else 0.0, SLOPE_NOISE * window**2, MIDDLE)
        self.references = References(self.layout, 0)
        self.version = 0
        """Another one whenever references are drawn anew, but for what windows learn, which begins with that."""
        self.tiles = lined((0, self.side, self.stride))

    @property
    def numbers(self) -> int:
        """How many numbers a slot takes."""
        return self.layout.area * (self.layout.p + 1) + self.side * self.stride

    def arrays(self, references: References | None = None) -> ReferenceSet:
        """As loops take them, until there are more slots. `references`: of other parameters than those of `self`."""
        tiles = Tiles(self.tiles, self.side, self.stride, self.edge, self.size, self.layout.across, self.mask, TABLE)
        return ReferenceSet((references or self.references).arrays(), tiles)

    def free(self, taken: Array, count: int) -> Array:
        """`count` slots that are not taken, the lowest."""
        slots = np.setdiff1d(np.arange(len(taken) + count), taken)[:count]
        if count:
            self.reserve(int(slots[-1]) + 1)
        return slots

    def reserve(self, count: int) -> None:
        """At least so many slots: to make room again and again takes time in the middle of a run."""
        if count > len(self.tiles):
            self.references.grow(count)
            grown = lined((len(self.references.norm), self.side, self.stride))
            grown[: len(self.tiles)] = self.tiles
            self.tiles = grown

    def take(self, picture: Array, slots: Array, x: Array, y: Array) -> None:
        """The windows around (x, y) become references."""
        room = scratch(64 + (self.side + 7) * (2 * self.stride + 8))
        call(take, as_picture(picture), len(slots), np.ascontiguousarray(x, np.float64),
             np.ascontiguousarray(y, np.float64), self.arrays().tiles, np.ascontiguousarray(slots), room,
             pixels=picture.dtype)  # fmt: skip
        self.draw(slots)

    def add(self, picture: Array, slots: Array, x: Array, y: Array, count: Array) -> None:
        """The windows around (x, y), in the references' light, join their means as the count-th, int64.

        The references themselves stay as they are drawn. What lies around, into which a window may turn, stays as it
        was first seen: a window that turns soon gets no more, and to average that took most of the time.
        """
        n, across = len(slots), self.layout.across
        room = scratch(64 + self.size * across + (self.size + 7) * (2 * across + 8))
        call(join, as_picture(picture), n, np.ascontiguousarray(x), np.ascontiguousarray(y),
             self.arrays().tiles, slots, count, room, pixels=picture.dtype)  # fmt: skip

    def draw(self, slots: Array, matrix: Array | None = None) -> None:
        """Make references of the means, deformed: what is at u from the centre goes to `matrix` u.

        Args:
            slots: of n references.
            matrix: (n, 2, 2); None for no deformation.
        """
        self.version += 1
        if matrix is None:
            self._draw(np.ascontiguousarray(slots))
            return
        bend = inverse(matrix).reshape(-1, 4)
        tiles = rendered(self.tiles, slots, bend, self.layout.w, self.layout.across)
        fits.prepare(self.references, tiles, slots)
        if self.stripes:
            solve_across(self.references, tiles, slots)

    def middle(self, slots: Array) -> Array:
        """Tiles without what is around, (n, size, across)."""
        return self.tiles[slots, self.edge : self.edge + self.size, self.edge : self.edge + self.layout.across]

    def _draw(self, slots: Array) -> None:
        """References of the means, not deformed."""
        doubtful = np.empty(len(slots), np.int64)
        doubts = call(draw, self.arrays(), slots, len(slots), self.striped, doubtful,
                      scratch(4 * self.layout.pitch + 256))  # fmt: skip
        if doubts:
            rows = slots[doubtful[:doubts]]
            solve_across(self.references, np.ascontiguousarray(self.middle(rows)), rows)

    def snapshot(self) -> dict[str, Array]:
        kept = {f"anchor.{name}": getattr(self.references, name).copy() for name in References.NAMES}
        return kept | {"anchor.tiles": self.tiles.copy()}

    def restore(self, state: Mapping[str, Array]) -> None:
        for name in References.NAMES:
            setattr(self.references, name, aligned(state[f"anchor.{name}"]))
        self.tiles = self._wide(state["anchor.tiles"])
        self.version += 1
        refs, many = self.references, len(self.tiles)
        if refs.jacobian.shape[1] != self.layout.p:  # of windows that moved otherwise
            refs.jacobian = lined((many, self.layout.p, self.layout.w, self.layout.pitch))
            refs.inverse = np.zeros((many, self.layout.p, self.layout.p))
            self.draw(np.arange(many))

    def _wide(self, tiles: Array) -> Array:
        """Tiles as large as these are, of smaller ones that snapshots of windows that only shift have: there the edge
        goes on, so that a reference is drawn from them as it was."""
        old = tiles.shape[1]
        if old == self.side:
            return aligned(tiles)
        made, around = lined((len(tiles), self.side, self.stride)), (self.side - old) // 2
        made[:, :, : self.side] = np.pad(tiles[:, :, :old], ((0, 0), (around, around), (around, around)), "edge")
        return made
