"""Faces and other things that a single-shot detector finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.decoders.anchor_loops import BOX_NUMBERS
from kernels.decoders.anchors import Detector, centres
from kernels.decoders.placed import lazy_by, of_floats, tables_of_placed
from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import ImageType
from kernels.ir.placement import check_placement, placements
from kernels.ir.table import BOX, FEATURE, KEYPOINT, Table, TableType
from kernels.param import Param, Value
from kernels.stage import stage

# For plans, measured on one core at 3 GHz or so: seconds of a call, an anchor.
CALL, SCANNED = 3e-5, 1e-9


@stage(
    category="Features",
    inputs=("boxes", "scores", "boxes2", "scores2", "placement"),
    optional=("scores", "boxes2", "scores2", "placement"),
    params=(
        Param("min_score", "float", 0.5, "boxes must be surer", unit="1", low=1e-6, high=1.0 - 1e-6),
        Param("overlap", "float", 0.3, "boxes whose intersection is a larger part of their union are one thing",
              unit="1", low=0.0, high=1.0),
        Param("capacity", "int", 16, "things of a frame at most", low=1, high=4096, structural=True),
        Param("activation", "choice", "sigmoid", "what makes a score of what the network gives",
              choices=("sigmoid", "none"), structural=True),
        Param("score_place", "choice", "last", "where an anchor's score stands where no scores are connected",
              choices=("first", "last"), structural=True),
        Param("size", "vector", (), "width and height that the network takes; empty: as the placement says", unit="px",
              low=1.0, high=65536.0, structural=True),
        Param("strides", "vector", (), "of the layers with anchors; empty: as MediaPipe's detector with so many",
              unit="px", low=1.0, high=65536.0, structural=True),
        Param("per_cell", "vector", (2.0,), "anchors a cell, one number or one a stride", low=1.0, high=1024.0,
              structural=True),
        Param("scale", "float", 0.0, "numbers of a box that are a width of what the network takes; 0: they are px",
              low=0.0, structural=True),
    ),
    opaque=True,
)  # fmt: skip
def anchors(
    boxes: ValueType, scores: ValueType | None, boxes2: ValueType | None, scores2: ValueType | None,
    placement: ValueType | None, capacity: int, score_place: str, size: tuple[float, ...], strides: tuple[float, ...],
    per_cell: tuple[float, ...], **_: Value,
) -> Host:  # fmt: skip
    """Boxes and key points of a detector with anchors, such as BlazeFace, the surest thing first.

    `out` are rows of FEATURE, a thing each, `boxes` the same of BOX, `points` the things' key points, rows of KEYPOINT.

    An anchor's numbers are x and y of the middle (from the anchor's), width and height, then x and y of each key point,
    px of what the network takes; a score of its own says how sure that is. Both come in one image or in two, whole or
    in two parts (`boxes2`, `scores2`, as models with one head a layer give them); how they are arranged in rows,
    columns and channels does not matter, as long as anchors are one behind the other. Boxes that overlap become their
    mean, weighted by the scores, and keep the best one's score (Bazarevsky et al., BlazeFace, arXiv:1907.05047, 2019).

    x, y, width, height and points are px of the frame where `placement` tells where what the network got lies in it
    (output `placement` of `network`), else px of what the network got, whose `size` must be given. mass, peak and score
    are the score; area is the box's, xx, xy, yy are its second moments. sigma and anisotropy are how the boxes scatter
    that became one (NaN where it was one alone): neighbouring anchors see the same pixels, so they err together. On a
    face that moves along a known path the errors of BlazeFace's boxes had a variance of .5 to 2 sigma^2, those of its
    points 1 to 4 (of a hidden ear 11). `capacity` things are kept, the rest is counted as overflow, as is what is above
    min_score at more than 4096 anchors. A box whose width or height is not above 0, or of which a number is not finite,
    is no thing.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> numbers, scores = np.zeros((896, 1, 6), np.float32), np.full((896, 1), -9, np.float32)
    >>> numbers[100, 0], scores[100] = [1, 2, 30, 40, 5, 6], 4
    >>> found = evaluate(anchors, numbers, scores, size=(128, 128))
    >>> [round(float(v), 2) for v in found["boxes"].rows[0]], float(found["points"].rows["x"][0])
    ([20.5, 29.5, 30.0, 40.0, 0.98], 24.5)
    """
    for name, given in (("boxes", boxes), ("scores", scores), ("boxes2", boxes2), ("scores2", scores2)):
        if given is not None and not (isinstance(given, ImageType) and given.dtype.is_float):
            raise DefinitionError(f"its {name} are an image of floats, not {given}")
    check_placement(placement)
    if len(size) not in (0, 2):
        raise DefinitionError(f"size takes two members, width and height, not {len(size)}")
    if placement is None and not size:
        raise DefinitionError("without a placement it needs size, the width and height that the network takes")
    if (scores is None) != (scores2 is None) and boxes2 is not None:
        raise DefinitionError("scores come with both boxes and boxes2, or with neither")
    if scores2 is not None and boxes2 is None:
        raise DefinitionError("scores2 needs boxes2")
    parts = [_anchors(given, of, "boxes") for given, of in ((boxes, scores), (boxes2, scores2)) if given is not None]
    numbers = parts[0][1]
    if any(n != numbers for _, n in parts):
        raise DefinitionError(f"boxes have {numbers} numbers an anchor, boxes2 {parts[1][1]}")
    score = None if scores is not None else 0 if score_place == "first" else numbers - 1
    points, odd = divmod(numbers - (score is not None) - BOX_NUMBERS, 2)
    if points < 0 or odd:
        raise DefinitionError(f"it gets {numbers} numbers an anchor; it takes 4 and two a key point, and the score "
                              "where that comes with them")  # fmt: skip
    count = sum(n for n, _ in parts)
    height_width = (int(size[1]), int(size[0])) if size else (0, 0)
    detector = Detector(centres(count, height_width, strides, per_cell), numbers, score, capacity,
                        (size[0], size[1]) if size else (0.0, 0.0))  # fmt: skip

    types = {"out": TableType(FEATURE, capacity), "points": TableType(KEYPOINT, max(1, capacity * points)),
             "boxes": TableType(BOX, capacity)}  # fmt: skip

    def batch(inputs: Sequence[Any], params: Mapping[str, Value]) -> Mapping[str, Sequence[Datum]]:
        def detect(parts: Sequence[Any], placed: npt.NDArray[Any]) -> Sequence[Sequence[Table]]:
            box = _joined([parts[0], parts[2]], len(placed), numbers)
            sure = box if parts[1] is None else _joined([parts[1], parts[3]], len(placed), 1)
            return detector.detect(box, sure, placed, params)

        return tables_of_placed(inputs[:4], placements(inputs[4], len(inputs[0])), types, detect)

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        made = batch([None if data is None else np.asarray(data)[None] for data in inputs], params)
        return {name: data[0] for name, data in made.items()}

    return Host(types, run, batch, CALL + count * SCANNED, lazy=lazy_by(range(4), 4) if placement else None,
                decoder=of_floats(detector, (boxes, scores, boxes2, scores2)))  # fmt: skip


def _anchors(boxes: ValueType, scores: ValueType | None, name: str) -> tuple[int, int]:
    """How many anchors an image holds, and numbers of each."""
    assert isinstance(boxes, ImageType)
    total = boxes.height * boxes.width * boxes.channels
    if scores is None:
        return total // boxes.channels, boxes.channels
    assert isinstance(scores, ImageType)
    count = scores.height * scores.width * scores.channels
    if total % count:
        raise DefinitionError(f"its {name} are {boxes} and their scores {scores}; there is one score an anchor")
    return count, total // count


def _joined(parts: Sequence[Any], frames: int, numbers: int) -> npt.NDArray[np.float32]:
    """(frames, anchors, numbers) from one image or two."""
    made = [np.asarray(one, np.float32).reshape(frames, -1, numbers) for one in parts if one is not None]
    return np.ascontiguousarray(made[0] if len(made) == 1 else np.concatenate(made, 1))
