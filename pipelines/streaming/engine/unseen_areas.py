"""Parts of the picture in which a tracker can find nothing: what masks before it blank, what is not processed.

A thing that goes there is not missed: the rows in which it is not seen say so (`Reason.LEFT_REGION`). Trackers need not
know; their rows are looked at as they leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from kernels.ir.image import ImageType
from kernels.ir.reach import kind
from pipelines.features import Reason, Tracks
from pipelines.graph import Bound, BoundNode, BoundTracker

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
FAR = 1e6
"""Px, beyond all pictures."""
NEAR = 3.0
"""Px within which an edge of a mask cuts a thing, so that it may not be found though its centre is in sight."""


@dataclass(frozen=True, slots=True)
class Mask:
    """What one stage `mask` keeps.

    Args:
        corners: of the polygon, px of the picture that is processed, (n, 2).
        inside: whether what lies inside is kept.
    """

    corners: tuple[tuple[float, float], ...]
    inside: bool

    def hides(self, x: Floats, y: Floats) -> Bools:
        """Whether things at these places are hidden or cut."""
        if not self.corners:
            return np.full(len(x), not self.inside)
        a = np.array(self.corners)
        b = np.roll(a, -1, axis=0)
        # A ray to the left crosses an odd number of edges from inside (`kernels.stages.mask`).
        crossed = np.zeros(len(x), bool)
        near = np.full(len(x), np.inf)
        for (ax, ay), (bx, by) in zip(a.tolist(), b.tolist(), strict=True):
            dx, dy = bx - ax, by - ay
            if dy:
                # The edge is crossed if its ends lie on different sides of the point's row; `<=` at both ends counts a
                # corner once.
                crossed ^= ((ay <= y) != (by <= y)) & (x >= ax + (y - ay) * (dx / dy))
            length = dx * dx + dy * dy
            # The nearest point of the edge: the projection, held between the ends.
            along = np.clip(((x - ax) * dx + (y - ay) * dy) / length, 0.0, 1.0) if length else np.zeros(len(x))
            near = np.minimum(near, np.hypot(x - ax - along * dx, y - ay - along * dy))
        hidden: Bools = (crossed != self.inside) | (near <= NEAR)
        return hidden


@dataclass(frozen=True, slots=True)
class Unseen:
    """What one tracker cannot see.

    Args:
        masks: of the stages before it, and the region that is processed.
        picture: (width, height) in px of the whole picture where a part of it is processed, else (0, 0).
        corner: (x, y) in px of that part.
    """

    masks: tuple[Mask, ...] = ()
    picture: tuple[int, int] = (0, 0)
    corner: tuple[int, int] = (0, 0)

    def __bool__(self) -> bool:
        return bool(self.masks) or self.picture != (0, 0)

    def tell(self, rows: Tracks) -> None:
        """Have rows that are not seen say why, in place.

        Args:
            rows: TRACK_DTYPE, x and y in px of the picture that is processed.
        """
        lost = np.flatnonzero(rows["reason"] == Reason.NOT_DETECTED) if self.masks else ()
        if len(lost):
            x, y = rows["x"][lost], rows["y"][lost]
            hidden = np.logical_or.reduce([mask.hides(x, y) for mask in self.masks])
            rows["reason"][lost[hidden]] = Reason.LEFT_REGION
        left = np.flatnonzero(rows["reason"] == Reason.LEFT_IMAGE) if self.picture != (0, 0) else ()
        if len(left):
            x, y = rows["x"][left] + self.corner[0], rows["y"][left] + self.corner[1]
            # Inside the whole picture (pixel centres are integers): then it left the region alone.
            still = (x >= -0.5) & (y >= -0.5) & (x < self.picture[0] - 0.5) & (y < self.picture[1] - 0.5)
            rows["reason"][left[still]] = Reason.LEFT_REGION


SEES_ALL = Unseen()


def unseen_by(tracker: BoundTracker, bound: Bound, size: tuple[int, int], corner: tuple[int, int]) -> Unseen:
    """What a tracker of a pipeline cannot see.

    Args:
        size: (height, width) of its picture.
        corner: of the region that is processed, px.
    """
    whole, part = bound.types[bound.picture], next((n for n in bound.nodes if n.id == "@crop"), None)
    masks = _masks(tracker, bound)
    if part is not None and isinstance(whole, ImageType):
        made = part.body.outputs[0].type
        if isinstance(made, ImageType) and (made.height, made.width) == size:  # nothing is scaled behind it
            picture = whole.width, whole.height
            return Unseen((*masks, _box(picture, corner, size)), picture, corner)
    return Unseen(masks)


def _box(picture: tuple[int, int], corner: tuple[int, int], size: tuple[int, int]) -> Mask:
    """The region that is processed, without those of its sides that are the picture's own."""
    (left, top), (height, width) = corner, size
    # A side that is the picture's own cuts nothing by the region: it is put far outside.
    x = (-0.5 if left else -FAR, width - 0.5 if left + width < picture[0] else FAR)
    y = (-0.5 if top else -FAR, height - 0.5 if top + height < picture[1] else FAR)
    return Mask(((x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])), True)


def _masks(tracker: BoundTracker, bound: Bound) -> tuple[Mask, ...]:
    """Those from which on places stay where they are."""
    nodes = {node.id: node for node in bound.nodes}
    wanted, seen = [ref.node for ref in tracker.inputs.values()], set[str]()
    found = []
    while wanted:
        name = wanted.pop()
        node = nodes.get(name)
        if node is None or name in seen:
            continue
        seen.add(name)
        if _keeps_places(node):
            wanted += [ref.node for ref in node.inputs if ref is not None]
            found += [_mask(node)] if node.stage.name == "mask" else []
    return tuple(found)


def _keeps_places(node: BoundNode) -> bool:
    sizes = {(t.height, t.width) for t in (*node.body.inputs, *(o.type for o in node.body.outputs))
             if isinstance(t, ImageType)}  # fmt: skip
    return kind(node.body) != "resampling" and len(sizes) == 1


def _mask(node: BoundNode) -> Mask:
    corners = cast(tuple[tuple[float, float], ...], node.body.params["points"])
    return Mask(tuple((float(x), float(y)) for x, y in corners), node.body.params["keep"] == "inside")
