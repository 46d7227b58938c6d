"""Measurements on a GPU for `day.sh`: `python tests/gpu/measure_day.py tracks|components [cuda:0]`.

tracks      runs three pipelines on the processor and on the GPU: tables of tracks are the same bytes; frames a second
components  components and their moments on the device against cupyx.scipy.ndimage's label and sums, masks of 100 discs
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SIZE, DISCS, BATCH, ROUNDS = 1024, 100, 16, 20
CLIPS = (("facial-markers", "sim:face"), ("blobs", "sim:blobs"), ("vibration", "sample_videos/beam_1000fps.avi"))
FRAMES = 400


def tracks(device: str) -> bool:
    """Whether the processor and the GPU find the same."""
    from app.cli import main

    same = True
    for pipeline, clip in CLIPS:
        found = {}
        for name in ("cpu", device):
            with tempfile.TemporaryDirectory() as folder:
                start = time.perf_counter()
                main(["run", clip, "-p", pipeline, "--device", name, "--frames", f":{FRAMES}", "--out", folder,
                      "--no-overlay", "--quiet"])  # fmt: skip
                seconds = time.perf_counter() - start
                found[name] = hashlib.sha256((Path(folder) / "tracks.csv").read_bytes()).hexdigest()[:16]
            print(f"{pipeline}: {name} {found[name]}, {FRAMES / seconds:.0f} frames/s with start and rendering")
        same = same and len(set(found.values())) == 1
    print("tracks are the same" if same else "TRACKS DIFFER")
    return same


def masks() -> np.ndarray:
    """(BATCH, SIZE, SIZE) bool, discs of 3 to 9 px."""
    rng = np.random.default_rng(0)
    made = np.zeros((BATCH, SIZE, SIZE), np.bool_)
    y, x = np.mgrid[-9:10, -9:10]
    for mask in made:
        for cx, cy, r in zip(*rng.integers(10, SIZE - 10, (2, DISCS)), rng.integers(3, 10, DISCS), strict=True):
            mask[cy - 9 : cy + 10, cx - 9 : cx + 10] |= x * x + y * y <= r * r
    return made


def least(work: Callable[[], Any], wait: Callable[[], Any]) -> float:
    """Seconds of a call, the least of several."""
    times = []
    for _ in range(ROUNDS):
        wait()
        start = time.perf_counter()
        work()
        wait()
        times.append(time.perf_counter() - start)
    return min(times)


def components(device: str) -> bool:
    """Whether rows are the reference's."""
    import cupy
    from cupyx.scipy import ndimage

    from kernels.executors.base import executor
    from kernels.executors.reference import ReferenceProgram
    from kernels.ir.image import BOOL, ImageType
    from kernels.stages.components import components as stage

    clip = masks()
    body = stage.build([ImageType(BOOL, SIZE, SIZE), None], {})
    program: Any = executor(device).compile(body)
    wanted = ReferenceProgram(body).run([clip, None], {})["out"]
    there = cupy.asarray(clip)
    got = program.run([there, None], {})["out"]
    same = all(a.rows.tobytes() == b.rows.tobytes() for a, b in zip(got, wanted, strict=True))
    wait = cupy.cuda.Device(int(device.partition(":")[2] or 0)).synchronize
    own = least(lambda: program.run([there, None], {}), wait) / BATCH
    eight = cupy.ones((3, 3), cupy.int32)

    def peer() -> None:
        for mask in there:
            labels, count = ndimage.label(mask, eight)
            index = cupy.arange(1, count + 1)
            ndimage.sum_labels(mask, labels, index)
            ndimage.center_of_mass(mask, labels, index)

    other = least(peer, wait) / BATCH
    print(f"components and moments, {DISCS} discs in {SIZE}x{SIZE}, batches of {BATCH}: {1e6 * own:.1f} us a frame, "
          f"CuPy's label, area and centre {1e6 * other:.1f} us ({other / own:.1f} times as long); rows "
          f"{'are the reference' if same else 'DIFFER from the reference'}'s")  # fmt: skip
    return same


if __name__ == "__main__":
    parts = {"tracks": tracks, "components": components}
    right = parts[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else "cuda:0")
    sys.exit(0 if right else 1)
