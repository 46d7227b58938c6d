"""Loops over vectors of sixteen f32 as teams run them: windows are followed through frames with the bits of machine
code."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.ndimage import gaussian_filter, shift

from kernels.codegen.cuda_loops import TEAM, Way, loop_texts, passed
from kernels.codegen.cuda_prelude import PRELUDE
from pipelines.trackers.registration.response import response_loops as loops
from pipelines.trackers.registration.response.response import Answers, followed, responses, room_of, work_of
from pipelines.trackers.registration.windows.packing import line_masks, moves, vectors
from pipelines.trackers.registration.windows.structs import Batch, Subset
from pipelines.trackers.registration.windows.subpixel import tiles_at
from pipelines.trackers.registration.windows.taps import TABLE
from tests.emulator.memory import In, InOut

SIZE, WINDOW, REACH, LOW = 40, 11, 2, 0.5
_NAMES = {"uint8": "unsigned char", "float32": "float", "float64": "double", "int64": "long long"}
PLACES = np.array([[16.0, 14.0], [27.0, 24.0], [35.0, 20.0]])
"""Of windows: the last leaves the picture in part."""


def pictures(dtype: npt.DTypeLike) -> list[npt.NDArray[Any]]:
    """Speckle that moves by parts of a pixel, then by whole ones, then is gone."""
    speckle = 120 + 220 * gaussian_filter(np.random.default_rng(5).normal(size=(SIZE, SIZE)), 1.2)
    moved = [speckle, *(shift(speckle, (0.1 * k, 0.3 * k), mode="nearest") for k in (1, 2)),
             shift(speckle, (-1.2, 1.4), mode="nearest"), shift(speckle, (0.4, 3.2), mode="nearest"),
             np.full_like(speckle, 90.0)]  # fmt: skip
    kind = np.dtype(dtype)
    return [np.clip(np.rint(one), 0, 255).astype(kind) if kind.kind in "ui" else one.astype(kind) for one in moved]


def begun(tiles: npt.NDArray[Any]) -> tuple[Answers, npt.NDArray[Any]]:
    """Windows as the tracker begins them, and their states."""
    n, made = len(tiles), responses(tiles, noise=np.full(len(tiles), 2.0))
    states = np.zeros((n, loops.STATE))
    states[:, loops.ANCHOR_X], states[:, loops.ANCHOR_Y], states[:, loops.SHARE] = *np.rint(PLACES).T, 1.0
    states[:, loops.MOVED] = (0.5 * REACH) ** 2
    grain = np.zeros((n, 7, 7))
    return Answers(tiles, np.ones(n, np.int64), np.full(n, 2.0), grain, made.columns, made.constants), states


def test_windows_are_followed_with_the_bits_of_machine_code(emulator: Any) -> None:
    dtype = "uint8"  # f32 as `vibration` has it in tests/pipelines/trackers/test_vibration_device.py
    frames = pictures(dtype)
    tiles = tiles_at(frames[0], *np.rint(PLACES).T, WINDOW)
    answers, states = begun(tiles)
    steps, n, count = [1.0] * (len(frames) - 1), len(tiles), len(frames) - 1
    mine, seen = states.copy(), np.empty((n, loops.SEEN))
    wanted, strange = followed(frames[1:], steps, answers, states, REACH, LOW, seen)
    assert not strange
    assert {0.0, float(loops.LOW)} <= set(wanted[:, :, loops.OUT_REASON].ravel().tolist())
    assert wanted[:, :, loops.OUT_PART].any()

    work, room = work_of(WINDOW), len(room_of(WINDOW))
    given: dict[str, tuple[Any, int]] = {  # an array, and how much of it is a window's
        "images": (In(np.stack(frames[1:]).ravel()), 0), "starts": (In(np.arange(count) * SIZE * SIZE), 0),
        "steps": (In(np.array(steps)), 0), "moves": (In(moves(WINDOW, SIZE)), 0),
        "lines": (InOut(np.array(line_masks(WINDOW)).ravel()), 0),
        "room": (InOut(np.zeros(n * room, np.float32)), room),
        "columns": (InOut(answers.columns.ravel()), answers.columns[0].size),
        "constants": (InOut(answers.constants.ravel()), loops.CONSTANTS),
        "reference": (InOut(tiles.ravel()), tiles[0].size), "table": (InOut(np.array(TABLE)), 0),
        "work": (InOut(np.zeros(n * work)), work), "states": (InOut(mine.ravel()), loops.STATE),
        "shown": (InOut(np.zeros(n * loops.SEEN)), loops.SEEN),
        "rows": (InOut(np.zeros(n * count * loops.OUT)), count * loops.OUT),
        "strange": (InOut(np.zeros(n, np.int64)), 1)}  # fmt: skip
    own = {name: f"{name} + {each} * blockIdx.x" if each else name for name, (_, each) in given.items()}
    batch = passed(Batch.shape, {"images": own["images"], "height": f"{SIZE}", "width": f"{SIZE}",
                                 "starts": own["starts"], "steps": own["steps"], "frames": f"{count}"})  # fmt: skip
    packing = {"moves": own["moves"], "masks": "lines", "parts": "lines", "room": own["room"], "pixels": own["room"]}
    subset = passed(Subset.shape, {"window": f"{WINDOW}", **{f"packing.{k}": v for k, v in packing.items()},
                                   "columns": own["columns"], "count": f"{vectors(WINDOW)}",
                                   "constants": own["constants"], "reference": own["reference"], "table": "table",
                                   "work": own["work"]})  # fmt: skip
    listed = ", ".join(f"{_NAMES[a.array.dtype.name]} *{name}" for name, (a, _) in given.items())
    text = (f'{PRELUDE}{loop_texts([loops.follow], Way(True, dtype, True), "float32")}'
            f'extern "C" __global__ void run({listed})\n{{\n    if (threadIdx.x >= {TEAM}) return;\n'
            f"    const long long found = loop_follow_f32({batch}, {subset}, 1, {own['states']}, {REACH}, {LOW}, 0, "
            f"{own['shown']}, {own['rows']});\n"
            "    if (team_lane() == 0) strange[blockIdx.x] = found;\n}\n")  # fmt: skip
    emulator.kernel(text, "run").check((n, 1, 1), (32, 1), [a for a, _ in given.values()], 0, seed=2)
    found = {name: a.array for name, (a, _) in given.items()}
    rows = found["rows"].reshape(n, count, loops.OUT).transpose(1, 0, 2)
    assert np.ascontiguousarray(rows).tobytes() == wanted.tobytes()
    assert found["states"].tobytes() == states.tobytes()
    assert found["shown"].reshape(n, -1).tobytes() == seen.tobytes()
