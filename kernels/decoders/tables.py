"""Tables of what decoders of networks find in the frames of a batch, from columns of all frames together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.ir.table import BOX, FEATURE, KEYPOINT, Table, TableType

Array = npt.NDArray[Any]
_FEATURE, _KEYPOINT, _BOX = (TableType(columns, 1).numpy for columns in (FEATURE, KEYPOINT, BOX))


def features(rows: Array, ends: Sequence[int], overflow: Sequence[int]) -> list[Table]:
    """Tables of FEATURE, one a frame.

    Args:
        rows: (n, columns of FEATURE), f64.
        ends: behind the last row of each frame.
        overflow: of each frame.
    """
    return _tables(_lined(rows, _FEATURE), ends, overflow)


def keypoints(
    rows: Array, score: Array, point: Array, instance: Array, ends: Sequence[int], overflow: Sequence[int]
) -> list[Table]:
    """Tables of KEYPOINT; `rows`, `ends` and `overflow` as `features` takes them, the others a number a row."""
    made = np.empty(len(rows), _KEYPOINT)
    for k, (name, _) in enumerate(FEATURE):
        made[name] = rows[:, k]
    made["score"], made["point"], made["instance"] = score, point, instance
    return _tables(made, ends, overflow)


def boxes(rows: Array, ends: Sequence[int], overflow: Sequence[int]) -> list[Table]:
    """Tables of BOX; rows (n, columns of BOX), f64."""
    return _tables(_lined(rows, _BOX), ends, overflow)


def _lined(rows: Array, dtype: np.dtype[np.void]) -> Array:
    made = np.empty(len(rows), dtype)
    made.view(np.float64).reshape(rows.shape)[:] = rows
    return made


def _tables(rows: Array, ends: Sequence[int], overflow: Sequence[int]) -> list[Table]:
    return [Table(rows[start:end], more)
            for (start, end), more in zip(pairwise((0, *ends)), overflow, strict=True)]  # fmt: skip
