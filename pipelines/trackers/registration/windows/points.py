"""Points that trackers follow: those of the user, or the best textured ones of a frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.param import Value
from pipelines.trackers.registration.windows.texture import textured_points

Array = npt.NDArray[Any]
LARGEST = 20_000_000  # pixels in all windows together


_NONE = np.zeros(0, np.int64)


class Points:
    """The points of one tracker.

    Args:
        tracker: its name, for messages.
        value: [[x, y], ...] or [x, y, frame], as the user gave them; none: they are chosen.
        window: side of a window, px, odd.
        shape: (height, width) of the picture.
        most: how many are chosen at most.

    Raises:
        DefinitionError: a window has no room, or there are too many.
    """

    def __init__(self, tracker: str, value: Value, window: int, shape: tuple[int, int], most: int) -> None:
        given = cast(tuple[tuple[float, ...], ...], value)
        height, width = shape
        if window % 2 == 0:
            raise DefinitionError(f"{tracker}.window = {window} must be odd, such as {window + 1}")
        if window > min(shape):
            raise DefinitionError(
                f"{tracker}.window = {window} px is larger than the picture ({height} px high, {width} px wide)"
            )
        self.window, self.shape, self.most = window, shape, most
        half = window // 2
        for number, point in enumerate(given):
            if len(point) not in (2, 3) or (len(point) == 3 and (point[2] < 0 or point[2] % 1)):
                raise DefinitionError(f"{tracker}.points[{number}] must be [x, y] or [x, y, frame], not {list(point)}")
            x, y = np.rint(point[:2])
            if not (half <= x <= width - 1 - half and half <= y <= height - 1 - half):
                place = f"{tracker}.points[{number}] = [{point[0]:g}, {point[1]:g}]"
                if not (0 <= x < width and 0 <= y < height):
                    raise DefinitionError(
                        f"{place} is outside the picture ({width} x {height}); move or remove it (points = [] has "
                        f"{tracker} choose them), or take another pipeline if the points are those of another clip"
                    )
                raise DefinitionError(
                    f"{place} is too near the edge of the picture ({width} x {height}) for a window of {window} px; "
                    f"move or remove it, or make the window smaller"
                )
        count = len(given) or most
        if count * window**2 > LARGEST:
            raise DefinitionError(
                f"{tracker}: {count} windows of {window} px are too many pixels; take at most "
                f"{LARGEST // window**2} points or a smaller window"
            )
        self.given = np.array([point[:2] for point in given], np.float64).reshape(-1, 2)
        self.begins = np.array([int(point[2]) if len(point) == 3 else -1 for point in given], np.int64)
        self.waiting = np.ones(len(given), bool)
        self.late = bool((self.begins >= 0).any())
        """Whether some begin in a later frame."""
        self.first = -1
        """The first frame that was processed, also if it could not be read; -1 before it."""

    def add(self, places: Array, index: int) -> Array:
        """More points, (n, 2), each with room for its window; they begin in frame `index`. Returns their numbers."""
        first = len(self.given)
        self.given = np.concatenate((self.given, places))
        self.begins = np.concatenate((self.begins, np.full(len(places), index, np.int64)))
        self.waiting = np.concatenate((self.waiting, np.ones(len(places), bool)))
        self.late = True
        return np.arange(first, len(self.given))

    def passes(self, index: int) -> None:
        """Say that a frame is processed, whether or not it can be read."""
        if self.first < 0:
            self.first = index

    def lost(self, which: Array) -> Array:
        """Which of the user's points `which` should have begun before the first frame: their places now are unknown."""
        missed: Array = (self.begins[which] >= 0) & (self.begins[which] < self.first)
        return missed

    def snapshot(self) -> dict[str, Array]:
        return {"waiting": self.waiting.copy(), "first_frame": np.array(self.first)}

    def restore(self, state: Mapping[str, Array], started: bool) -> None:
        """Go back to a snapshot; `started`: whether a frame was read before, which is what older ones know."""
        self.waiting = state["waiting"].copy()
        self.first = int(state.get("first_frame", np.array(0 if started else -1)))

    def due(self, index: int) -> Array:
        """The user's points that begin at this frame, or should have."""
        return np.flatnonzero(self.waiting & (self.begins <= index)) if self.waiting.any() else _NONE

    def beginning(self, index: int, image: Array, search: int) -> tuple[Array, Array, Array]:
        """The points that begin at this frame.

        Args:
            index: of the frame.
            image: of the frame.
            search: as `chosen` takes it.

        Returns:
            Which of the user's points they are (empty if points are chosen), x and y (n, 2), and which of them are
            `lost`.
        """
        if not len(self.given):
            points = self.chosen(image, search)
            return np.zeros(0, np.int64), points, np.zeros(len(points), bool)
        due = self.due(index)
        self.waiting[due] = False
        return due, self.given[due], self.lost(due)

    def chosen(self, image: Array, search: int) -> Array:
        """The best textured points of a picture, float64 (n, 2); none where there is no texture."""
        height, width = self.shape
        spread = max(0.7 * self.window, 0.5 * np.sqrt(height * width / self.most))
        grey = image if image.dtype == np.uint8 else image.astype(np.float32)
        points: Array = np.zeros((0, 2))
        for margin in (self.window // 2 + search // 2, self.window // 2):
            points = textured_points(grey, self.most, self.window, spread, margin).astype(np.float64)
            if len(points):
                break
        return points
