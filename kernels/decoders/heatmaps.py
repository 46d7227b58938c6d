"""Peaks of heat maps as tables of features and key points (the loops: `kernels.decoders.heatmap_loops`)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.decoders.heatmap_loops import Maps, PeakRows, heatmap_loop
from kernels.decoders.tables import features, keypoints
from kernels.ir.body import Decoder
from kernels.ir.table import COLUMNS, Table
from kernels.loops.calling import call
from kernels.loops.scratch import scratch
from kernels.param import Value

Array = npt.NDArray[Any]
METHODS = ("pixel", "parabola", "dark", "integral")
PIXELS = ("half", "corner", "middle")
ROOM = 4096
"""Maxima of a frame above the threshold among which several a channel are chosen."""


@dataclass(frozen=True)
class HeatmapPeaks(Decoder):
    """What the stage `heatmap_peaks` looks for.

    Args:
        shape: of the maps, (height, width, channels).
        offsets: whether there are any.
        instances: of a channel.
    """

    shape: tuple[int, int, int]
    offsets: bool
    instances: int


def heatmap_peaks(
    maps: Array, offsets: Array | None, placed: Array, params: Mapping[str, Value]
) -> tuple[list[Table], list[Table]]:
    """A table of FEATURE and one of KEYPOINT for each frame, with the same rows.

    Args:
        maps: (frames, height, width, channels), f32.
        offsets: (frames, height, width, 2 channels), f32: x, y of each channel.
        placed: (frames, `kernels.ir.placement.PARTS`), f64.
        params: of the stage `heatmap_peaks`.
    """
    frames, height, width, channels = maps.shape
    maps = np.ascontiguousarray(maps, np.float32)
    given = maps if offsets is None else np.ascontiguousarray(offsets, np.float32)
    m = Maps()
    m.frames, m.height, m.width, m.channels, m.offsets = frames, height, width, channels, offsets is not None
    m.method, m.pixels = METHODS.index(str(params["method"])), PIXELS.index(str(params["pixels"]))
    m.instances, m.window, m.nothing = int(params["instances"]), int(params["window"]), math.nan  # type: ignore[arg-type]
    m.scatter = float(params["scatter"])  # type: ignore[arg-type]
    for name in ("threshold", "separation", "offset_scale", "stride"):
        setattr(m, name, params[name])
    # No more rows than that, whatever the maps hold.
    most = frames * channels * m.instances
    rows = scratch("heatmaps.rows", most * COLUMNS).reshape(most, COLUMNS)
    numbers = scratch("heatmaps.numbers", 2 * most, np.int64)
    work, taken = scratch("heatmaps.work", 16 + 18 * channels), scratch("heatmaps.taken", m.instances + ROOM, np.int64)
    ends, overflow = np.empty(frames, np.int64), np.empty(frames, np.int64)
    point, instance = numbers[:most], numbers[most:]
    out = PeakRows(rows, point, instance, ends, overflow)
    made = call(heatmap_loop, maps, given, m, placed, ROOM, work, taken, out)
    rows, until, more = rows[:made], ends.tolist(), overflow.tolist()
    return features(rows, until, more), keypoints(rows, rows[:, 3], point[:made], instance[:made], until, more)
