"""Windows followed by their responses on a GPU, where their frames lie.

A warp takes a window: its first eight threads run the host's own loop (`response_loops.follow`), written as CUDA C
(`kernels.codegen.cuda_loops`), so a window is followed to the bits of the host. What windows are made of (columns,
constants, references) goes up when it changes; states, 112 bytes each, go up with a batch and come down with what its
frames answered, 88 bytes a window and frame. The host's memory stays what counts: it goes on from any batch by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda_launch import CudaKernel, CudaProgram
from kernels.codegen.cuda_loops import TEAM, Way, loop_texts, passed
from kernels.codegen.cuda_prelude import PRELUDE
from pipelines.trackers.lying_images import LyingImages
from pipelines.trackers.registration.response.response import room_of, work_of
from pipelines.trackers.registration.response.response_loops import CONSTANTS, OUT, SEEN, STATE, follow
from pipelines.trackers.registration.response.structs import Answers
from pipelines.trackers.registration.windows.packing import line_masks, moves, vectors
from pipelines.trackers.registration.windows.structs import PATTERNS, Batch, Subset
from pipelines.trackers.registration.windows.subpixel import MARGIN
from pipelines.trackers.registration.windows.taps import TABLE

Array = npt.NDArray[Any]

BLOCKS = 1024
"""Windows that are followed side by side at most: more warps than the largest cards hold at a time in so many
registers."""
SCRATCH = 256 << 20
"""Bytes of scratch memory for them, where that is enough for `FEWEST`; one takes 69 KB at 21 px, 1.1 MB at 101 px and
4.2 MB at 201 px, and cards have gigabytes, which frames want, too."""
FEWEST = 64
"""Windows that are followed side by side at least, if there are as many: about one for each multiprocessor of a card of
middle size."""
_PIXELS = {"uint8": "unsigned char", "uint16": "unsigned short", "int16": "short", "int32": "int", "uint32": "unsigned",
           "float32": "float", "float64": "double"}  # fmt: skip


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
    text = f"""\
extern "C" __global__ void __launch_bounds__(32) follow_windows(
    const {_PIXELS[pixels]} *images, double *given, double *made, float *columns, double *constants, double *reference,
    long long *moves, float *lines, double *table, float *room_all, double *work_all, double *shown_all,
    const int frames, const int points, const int reach, const double low)
{{
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
}}
"""
    loops = loop_texts([follow], Way(True, pixels, True), "float32")
    kernel = CudaKernel("follow_windows", (32, 1), (1, 1), False, 0, (), (0, 0), (0, 0, 0, 0))
    return CudaProgram(f"{PRELUDE}{loops}{text}", (kernel,), cast(Any, None))


class DeviceFollowing:
    """What follows the windows of one tracker on a device.

    Args:
        device: where the frames lie (`kernels.executors.device.Device`).
        window: side, px.
        type_: of the frames.
    """

    def __init__(self, device: Any, window: int, type_: Any) -> None:
        self.device, self.type, self._window = device, type_, window
        program = following(window, type_.dtype.numpy.name, type_.height, type_.width)
        self._function = device.load(program)["follow_windows"]
        self._stream, self._done = device.stream(), device.event()
        self._memory: dict[str, tuple[int, Any]] = {}
        self._version = -1
        for name, array in (("moves", moves(window, type_.width)), ("lines", line_masks(window)), ("table", TABLE)):
            self._put(name, np.asarray(array))

    def follow(
        self, images: LyingImages, steps: Sequence[float], answers: Answers, version: int, states: Array, reach: int,
        low: float,
    ) -> tuple[Array, bool]:  # fmt: skip
        """As `response.followed`.

        Args:
            version: of the windows: another one where `answers` says anything else than before.
        """
        device, points, frames = self.device, len(states), len(images)
        room, work = len(room_of(self._window)), work_of(self._window)
        blocks = min(points, BLOCKS, max(FEWEST, SCRATCH // (4 * room + 8 * (work + SEEN))))
        if version != self._version:
            for name, array in (("columns", answers.columns), ("constants", answers.constants),
                                ("reference", answers.tiles)):  # fmt: skip
                self._put(name, array)
            self._version = version
        place = np.arange(images.first, images.first + frames, dtype=np.int64) * (self.type.height * self.type.width)
        given = np.concatenate((place.view(np.float64), np.array(steps, np.float64), states.ravel()))
        self._put("given", given)
        made_bytes = 8 * (points * (STATE + 1) + frames * points * OUT)
        memory = [images.batch.memory, self._memory["given"][1], self._room("made", made_bytes),
                  *(self._memory[name][1] for name in ("columns", "constants", "reference", "moves", "lines", "table")),
                  self._room("room", 4 * blocks * room), self._room("work", 8 * blocks * work),
                  self._room("shown", 8 * blocks * SEEN)]  # fmt: skip
        if images.batch.hold is not None:
            device.wait(self._stream, images.batch.hold.ready)
        numbers = (np.int32(frames), np.int32(points), np.int32(reach), np.float64(low))
        device.launch(self._function, (blocks, 1, 1), (32, 1), (*memory, *numbers), 0, self._stream)
        pin = device.pinned(made_bytes)
        device.download(pin, memory[2], self._stream)
        self._wait()
        if images.batch.hold is not None and images.batch.hold.over:
            raise RuntimeError("images that were left on the device have been written over")
        made = pin.view(np.float64)
        states[...] = made[: points * STATE].reshape(points, STATE)
        rows = made[points * (STATE + 1) :].reshape(points, frames, OUT).transpose(1, 0, 2)
        return np.ascontiguousarray(rows), bool(made[points * STATE : points * (STATE + 1)].any())

    def _wait(self) -> None:
        self.device.record(self._done, self._stream)
        self.device.synchronize(self._done)

    def _room(self, name: str, size: int) -> Any:
        """Memory of that name, of so many bytes at least."""
        if self._memory.get(name, (0, None))[0] < size:
            self._memory[name] = size, self.device.memory(size)
        return self._memory[name][1]

    def _put(self, name: str, array: Array) -> None:
        """Put an array there, and wait for it."""
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        pin = self.device.pinned(flat.size)
        pin[:] = flat
        self.device.upload(self._room(name, flat.size), pin, self._stream)
        self._wait()
