"""Key points by registration: windows of texture that are followed in every frame, between those of a network.

The windows are those of `template`, each compared with its own first appearance, so that nothing drifts. An animal of
few points has a window around each. One of many, such as the landmarks of a face, has the best textured windows among
them, and its points move with these as moving least squares have it (Schaefer, McPhail, Warren: Image deformation using
moving least squares, SIGGRAPH 2006): the affine motion that fits the windows, weighted by their variances and by
1 / (distance^2 + reach^2)^2.
Any affine motion is then exact; what bends is followed as far as windows are near.

Variances are those of the windows, weighted as their motions are, and how far each window is from where the others have
it, beyond what their noise explains: what the motion of the animal is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernels.param import Value
from pipelines.features import State, Tracks, no_tracks
from pipelines.trackers.base import Array, Snapshot, make_tracker
from pipelines.trackers.registration.windows.texture import textured_points
from pipelines.trackers.template import TemplateTracker

FEW = 48
"""Points of an animal that have a window each, at most; of one of more, so many windows. Each takes some 15 us of a
core a frame (21 px, affine)."""
NEAR = 8.0
"""px: windows of an animal of many points are not farther from one of them."""
STIFF = 1e-3
"""Of the windows' mean square distance from their centre: keeps the affine part finite where they lie in a line."""
LEAST = 1e-6
"""px^2: no window is surer."""
USUAL = 1.0 / 16.0
"""How fast a window's deviation from the others' motion is learnt, a frame."""


@dataclass
class Windows:
    """Those of one animal.

    Args:
        ids: tracks of the tracker of windows.
        places: where they began, px (n, 2).
        dense: whether the animal's points move with all of them, and not each with its own.
        apart: variances by which they are off the others' motion beyond their own, px^2 (n,).
        variances: by which they are weighted, px^2 (n,): within a factor of two of what they are, as weights are dear.
    """

    ids: Array
    places: Array
    dense: bool
    apart: Array
    variances: Array


class Refinement:
    """The windows of all animals, by the animals' numbers.

    Args:
        window: side of a window, px, odd.
        shape: (height, width) of the picture.
        fps: frames a second or None.
    """

    def __init__(self, window: int, shape: tuple[int, int], fps: float | None) -> None:
        self.window, self.shape, self._fps = window, shape, fps
        self._start()

    def _start(self) -> None:
        settings: dict[str, Value] = {"window": self.window, "max_points": FEW, "model": "affine", "max_missed": 100000}
        made = make_tracker("template", settings, self.shape, self._fps)
        assert isinstance(made, TemplateTracker)
        self.tracker, self.animals = made, dict[int, Windows]()
        self._weights: dict[tuple[int, bytes, bytes, bytes], tuple[Array, Array, Array]] = {}

    def follow(
        self, indices: Sequence[int], times: Sequence[float], pictures: Sequence[Array]
    ) -> list[Tracks]:
        """Rows of the windows in some frames."""
        if not len(self.tracker.points.given):
            for index, time in zip(indices, times, strict=True):
                self.tracker.clock.advance(index, time)
            return [no_tracks() for _ in indices]
        return self.tracker.update_batch(indices, times, [{"image": picture} for picture in pictures])

    def skip(self, index: int, time: float) -> None:
        """A frame that could not be read."""
        self.tracker.skip(index, time)

    def begin(self, animal: int, index: int, picture: Array, places: Array) -> Array:
        """Windows for an animal, whose points are at `places` (n, 2) in the frame that was followed last; of an animal
        of few points the window of each, -1 where there is no room or no texture."""
        # Many points share FEW windows spread over the animal (dense); few points have one each.
        half = self.window // 2
        dense = len(places) > FEW
        if dense:
            chosen = self._chosen(picture, places)
        else:
            middle = np.rint(places)
            size = np.array(self.shape[::-1])
            chosen = places[((middle >= half) & (middle <= size - 1 - half)).all(1)]
        old = self.animals.get(animal)
        if not len(chosen):
            return np.full(len(places), -1)
        if old is not None and dense:
            self.tracker.drop(old.ids)
        ids, rows = self.tracker.add(index, picture, chosen)
        good = np.isin(ids, rows["track"][rows["state"] != State.LOST])
        own = np.full(len(places), -1)
        if not dense:
            fits = ((middle >= half) & (middle <= size - 1 - half)).all(1)
            own[np.flatnonzero(fits)[good]] = ids[good]
        if old is not None and not dense:
            ids, chosen, good = (np.concatenate(pair) for pair in ((old.ids, ids), (old.places, chosen),
                                                                   (np.ones(len(old.ids), bool), good)))  # fmt: skip
        # apart and variances start at 0.
        self.animals[animal] = Windows(ids[good], chosen[good], dense, *np.zeros((2, int(good.sum()))))
        return own

    def _chosen(self, picture: Array, places: Array) -> Array:
        height, width = self.shape
        mask = np.zeros((height, width), bool)
        reach = int(NEAR)
        for x, y in np.rint(places).astype(np.int64).tolist():
            mask[max(0, y - reach) : max(0, y + reach + 1), max(0, x - reach) : max(0, x + reach + 1)] = True
        grey = picture if picture.dtype == np.uint8 else picture.astype(np.float32)
        found: Array = textured_points(grey, FEW, self.window, 0.5 * self.window, self.window // 2, mask)
        return found.astype(np.float64)

    def moved(self, animal: int, places: Array, rows: Tracks) -> tuple[Array, Array, float] | None:
        """Where points of an animal of many are now, by its windows; None where too few of them are seen.

        Args:
            places: where they were in the frame in which the windows began, px (n, 2).
            rows: of the windows in this frame.

        Returns:
            x, y (n, 2), their variances, and the mean score of the windows.
        """
        own = self.animals[animal]
        # Rows are by rising id; windows without a row in this frame do not count as seen.
        at = np.searchsorted(rows["track"], own.ids)
        at[at == len(rows)] = 0
        seen = (rows["track"][at] == own.ids) & (rows["state"][at] == State.TRACKED) if len(rows) else at < 0
        # An affine motion has six numbers, two from each window: three are needed.
        if np.count_nonzero(seen) < 3:
            return None
        now = rows[at[seen]]
        shift = np.stack([now["x"], now["y"]], -1) - own.places[seen]
        variance = now["sigma"].astype(np.float64) ** 2
        # What a window counts for: its own variance and by how much it does not move with the others.
        quality = variance + np.maximum(own.apart[seen], 0.0) + LEAST
        weighed = own.variances[seen]
        # Weights change only when a variance has doubled or halved, so that they can be kept from frame to frame.
        old = (quality > 2.0 * weighed) | (weighed > 2.0 * quality)
        own.variances[np.flatnonzero(seen)[old]] = quality[old]
        near, squares, share = self._shares(animal, places, seen)
        # Each window predicted by the others: what is left beyond noise is motion that no affine map has.
        ours, theirs, _ = self._shares(animal, own.places, seen, True)
        dx, dy = shift.T
        apart = 0.5 * ((dx - _applied(ours, dx)) ** 2 + (dy - _applied(ours, dy)) ** 2)
        apart -= variance + _applied(theirs, variance)
        # A running mean, so that one bad frame does not change the weights.
        own.apart[seen] += USUAL * (apart - own.apart[seen])
        # Noise of the windows by the squares of their shares, and what is not affine by their weights.
        spread = _applied(squares, variance) + np.maximum(0.0, _applied(share, own.apart[seen]))
        moved = places + np.stack([_applied(near, dx), _applied(near, dy)], -1)
        return moved, spread, float(now["score"].mean())

    def _shares(self, animal: int, places: Array, seen: Array, others: bool = False) -> tuple[Array, Array, Array]:
        """By how much each point moves with each window that is seen, (windows, points), the squares of that, and the
        windows' weights.

        Args:
            others: the points are the windows themselves, each of which moves with all but itself.
        """
        own = self.animals[animal]
        key = (animal, b"" if others else places.tobytes(), seen.tobytes(), own.variances.tobytes())
        if key not in self._weights:
            if len(self._weights) > 8:
                self._weights.clear()
            shares, weights = moving_least_squares(places[seen] if others else places, own.places[seen],
                                                   float(self.window), own.variances[seen], others)  # fmt: skip
            shares = np.ascontiguousarray(shares.T)
            self._weights[key] = shares, shares * shares, np.ascontiguousarray(weights.T)
        return self._weights[key]

    def drop(self, animal: int, windows: Array) -> None:
        """Give up windows of an animal of few points."""
        own = self.animals.get(animal)
        if own is not None and not own.dense and np.isin(own.ids, windows).any():
            kept = ~np.isin(own.ids, windows)
            self.tracker.drop(own.ids[~kept])
            self.animals[animal] = Windows(own.ids[kept], own.places[kept], False, *np.zeros((2, int(kept.sum()))))

    def forget(self, animals: Sequence[int]) -> None:
        """Animals that are gone."""
        for animal in animals:
            gone = self.animals.pop(animal, None)
            if gone is not None:
                self.tracker.drop(gone.ids)

    def snapshot(self) -> Snapshot:
        """As trackers have it."""
        made: Snapshot = {f"window.{name}": value for name, value in self.tracker.snapshot().items()}
        made |= {"window.given": self.tracker.points.given.copy(), "window.begins": self.tracker.points.begins.copy(),
                 "window.animals": np.array(sorted(self.animals), np.int64)}  # fmt: skip
        for animal, own in self.animals.items():
            made |= {f"animal{animal}.ids": own.ids.copy(), f"animal{animal}.places": own.places.copy(),
                     f"animal{animal}.dense": np.array(own.dense),
                     f"animal{animal}.apart": own.apart.copy(),
                     f"animal{animal}.variances": own.variances.copy()}  # fmt: skip
        return made

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a snapshot."""
        self._start()
        points = self.tracker.points
        points.given, points.begins = state["window.given"].copy(), state["window.begins"].copy()
        points.late = bool(len(points.given))
        self.tracker.restore({name.partition(".")[2]: value for name, value in state.items()
                            if name.startswith("window.")})  # fmt: skip
        for animal in state["window.animals"].tolist():
            ids, places, dense, apart, variances = (
                state[f"animal{animal}.{key}"].copy() for key in ("ids", "places", "dense", "apart", "variances")
            )
            self.animals[animal] = Windows(ids, places, bool(dense), apart, variances)


def moving_least_squares(
    places: Array, windows: Array, reach: float, variances: Array, others: bool = False
) -> tuple[Array, Array]:
    """By how much points move with windows where the affine motion that fits those best is theirs.

    Args:
        places: x, y of the points (n, 2).
        windows: those of the windows (m, 2).
        reach: px; windows nearer than that count alike.
        variances: of the windows.
        others: point k is window k, which does not count for it.

    Returns:
        The shares of the windows' shifts in each point's, and their weights, which are >= 0; both (n, m), sums of 1.
    """
    dx, dy = (windows[np.newaxis, :, k] - places[:, np.newaxis, k] for k in (0, 1))
    # Moving least squares (Schaefer, McPhail, Warren, ACM Trans. Graph. 25, 2006) with weights that fall with the
    # fourth power of the distance beyond `reach`.
    weight = 1.0 / (variances * (dx * dx + dy * dy + reach * reach) ** 2)
    if others:
        np.fill_diagonal(weight, 0.0)
    weight /= weight.sum(1, keepdims=True)
    mx, my = (weight * dx).sum(1, keepdims=True), (weight * dy).sum(1, keepdims=True)
    ux, uy = dx - mx, dy - my
    xx, xy, yy = ((weight * a * b).sum(1, keepdims=True) for a, b in ((ux, ux), (ux, uy), (uy, uy)))
    # A ridge keeps windows on a line from turning their noise into stretch across it.
    stiff = STIFF * (xx + yy) + 1e-9
    xx, yy = xx + stiff, yy + stiff
    whole = xx * yy - xy * xy
    # The affine map's share of each window at a point: weight times (1 + what the slopes add there).
    along = (-mx * yy + my * xy) / whole, (mx * xy - my * xx) / whole
    made: Array = weight * (1.0 + along[0] * ux + along[1] * uy)
    return made, weight


def _applied(shares: Array, values: Array) -> Array:
    """Sums of values (windows,) by shares (windows, points), window by window: the same bits on every machine."""
    made: Array = np.add.reduce(shares * values[:, np.newaxis], axis=0)
    return made
