"""Windows followed by their responses on a GPU, where their frames lie (`windows.device_windows`).

What windows are made of (columns, constants, references) goes up when it changes; states, 112 bytes each, go up with a
batch and come down with what its frames answered, 88 bytes a window and frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda_launch import CudaProgram
from kernels.codegen.cuda_loops import TEAM, passed
from pipelines.trackers.lying_images import LyingImages
from pipelines.trackers.registration.response.response import room_of, work_of
from pipelines.trackers.registration.response.response_loops import CONSTANTS, OUT, SEEN, STATE, follow
from pipelines.trackers.registration.response.structs import Answers
from pipelines.trackers.registration.windows.device_windows import DeviceWindows, blocks_of, window_program
from pipelines.trackers.registration.windows.packing import line_masks, moves, vectors
from pipelines.trackers.registration.windows.structs import PATTERNS, Batch, Subset
from pipelines.trackers.registration.windows.subpixel import MARGIN
from pipelines.trackers.registration.windows.taps import TABLE

Array = npt.NDArray[Any]


@cache
def following(window: int, pixels: str, height: int, width: int) -> CudaProgram:
    """The kernel that follows windows.

    Args:
        window: side, px.
        pixels: type of the frames.
        height, width: of a frame, px.
    """
    size = window + 2 * MARGIN
    batch = passed(Batch.shape, {"images": "images", "height": f"{height}", "width": f"{width}", "starts": "starts",
                                 "steps": "steps", "frames": "frames"})  # fmt: skip
    subset = passed(Subset.shape, {
        "window": f"{window}", "packing.moves": "moves", "packing.masks": "lines", "packing.parts": "lines",
        "packing.room": "room", "packing.pixels": "room", "count": f"{vectors(window)}",
        "columns": f"columns + (size_t)p * {2 * vectors(window) * PATTERNS * 16}",
        "constants": f"constants + (size_t)p * {CONSTANTS}", "reference": f"reference + (size_t)p * {size * size}",
        "table": "table", "work": "work"})  # fmt: skip
    parameters = (
        "double *given, double *made, float *columns, double *constants, double *reference,\n"
        "    long long *moves, float *lines, double *table, float *room_all, double *work_all, double *shown_all,\n"
        "    const int frames, const int points, const int reach, const double low"
    )
    body = f"""\
    if (threadIdx.x >= {TEAM}) return;
    float *const room = room_all + (size_t)blockIdx.x * {len(room_of(window))};
    double *const work = work_all + (size_t)blockIdx.x * {work_of(window)};
    double *const shown = shown_all + (size_t)blockIdx.x * {SEEN};
    long long *const starts = (long long *)given;
    double *const steps = given + frames, *const strange = made + (size_t)points * {STATE};
    double *const rows = strange + points;
    for (int p = blockIdx.x; p < points; p += gridDim.x) {{
        double *const state = made + (size_t)p * {STATE};
        for (int k = team_lane(); k < {STATE}; k += {TEAM}) state[k] = given[2 * frames + (size_t)p * {STATE} + k];
        team_wait();
        const long long found = loop_follow_f32({batch}, {subset}, 1, state, reach, low, 0, shown,
                                                rows + (size_t)p * frames * {OUT});
        if (team_lane() == 0) strange[p] = (double)found;
        team_wait();
    }}
"""
    return window_program(follow, pixels, parameters, body, wide=True)


class DeviceFollowing(DeviceWindows):
    """What follows the windows of one tracker on a device.

    Args:
        device: where the frames lie (`kernels.executors.device.Device`).
        window: side, px.
        type_: of the frames.
    """

    def __init__(self, device: Any, window: int, type_: Any) -> None:
        super().__init__(device, type_, following(window, type_.dtype.numpy.name, type_.height, type_.width))
        self._window, self._version = window, -1
        for name, array in (("moves", moves(window, type_.width)), ("lines", line_masks(window)), ("table", TABLE)):
            self.put(name, np.asarray(array))

    def follow(
        self, images: LyingImages, steps: Sequence[float], answers: Answers, version: int, states: Array, reach: int,
        low: float,
    ) -> tuple[Array, bool]:  # fmt: skip
        """As `response.followed`.

        Args:
            version: of the windows: another one where `answers` says anything else than before.
        """
        points, frames = len(states), len(images)
        room, work = len(room_of(self._window)), work_of(self._window)
        blocks = blocks_of(points, 4 * room + 8 * (work + SEEN))
        if version != self._version:
            for name, array in (("columns", answers.columns), ("constants", answers.constants),
                                ("reference", answers.tiles)):  # fmt: skip
                self.put(name, array)
            self._version = version
        given = np.concatenate((self.starts(images).view(np.float64), np.array(steps, np.float64), states.ravel()))
        size = 8 * (points * (STATE + 1) + frames * points * OUT)
        up, down = self.put("given", given), self.room("made", size)
        memory = [up, down, *(self.there(name) for name in
                              ("columns", "constants", "reference", "moves", "lines", "table")),
                  self.room("room", 4 * blocks * room), self.room("work", 8 * blocks * work),
                  self.room("shown", 8 * blocks * SEEN)]  # fmt: skip
        numbers = (np.int32(frames), np.int32(points), np.int32(reach), np.float64(low))
        made = self.run(images, blocks, (*memory, *numbers), down, size).view(np.float64)
        states[...] = made[: points * STATE].reshape(points, STATE)
        rows = made[points * (STATE + 1) :].reshape(points, frames, OUT).transpose(1, 0, 2)
        return np.ascontiguousarray(rows), bool(made[points * STATE : points * (STATE + 1)].any())
