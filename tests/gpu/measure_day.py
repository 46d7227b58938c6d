"""Measurements on a GPU for `day.sh`: `python tests/gpu/measure_day.py tracks|pace|components [cuda:0]`.

"emulated" in place of cuda:0 goes through all of it on the processor, on small frames.

pace        facial-markers with 100 markers in 1024x1024, from pinned memory to tracks: frames a second, latency of one
tracks      runs five pipelines on the processor and on the GPU: tables of tracks are the same bytes; frames a second
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
SECONDS, SAMPLES = 8.0, 5000
"""Of frames in a row, and of frames alone at most twice as long; batches of one frame that are timed."""
PACE, LATENCY = 20_000, 0.3e-3
"""Frames a second, and seconds of a frame alone that 99 of 100 take at most, on an H100."""
BEAM = "sample_videos/beam_1000fps.avi"
CLIPS = (("facial-markers", "sim:face"), ("blobs", "sim:blobs"), ("vibration", BEAM), ("template", BEAM),
         ("corners", BEAM))  # fmt: skip
FRAMES = 400
PART: tuple[str, ...] = ()  # of the picture


def tracks(device: str) -> bool:
    """Whether the processor and the GPU find the same."""
    from app.cli import main

    same = True
    for pipeline, clip in CLIPS:
        found = {}
        for name in ("cpu", device):
            with tempfile.TemporaryDirectory() as folder:
                start = time.perf_counter()
                code = main(["run", clip, "-p", pipeline, "--device", name, "--frames", f":{FRAMES}", "--out", folder,
                             "--no-overlay", "--quiet", *PART])  # fmt: skip
                if code:
                    return False
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


def pace(device: str) -> bool:
    """Prints both figures beside what is wanted of them."""
    from collections import deque

    from kernels.executors.base import executor
    from kernels.ir.image import U8, ImageType
    from pipelines.frame import FrameBatch
    from pipelines.fusing import largest_groups
    from pipelines.graph import bind
    from pipelines.streaming.engine.engine import Engine
    from pipelines.streaming.engine.tracking import Tracking
    from tests.shipped import fixed

    bound = bind(fixed("facial-markers"), ImageType(U8, SIZE, SIZE))
    pictures = np.where(masks(), 40, 200).astype(np.uint8)  # dark markers, the same in all batches
    seen = 0

    def begun(batch: int) -> tuple[Engine, Tracking, Any]:
        engine = Engine(bound, executor(device), groups=largest_groups(bound, bound.taps))
        frames = engine.host_buffer((batch, SIZE, SIZE), np.uint8)
        frames[...] = pictures[:batch]
        return engine, Tracking(bound, 1000.0), frames

    def given(first: int, frames: Any) -> FrameBatch:
        numbers = np.arange(first, first + len(frames))
        return FrameBatch(numbers, numbers / 1000, frames)

    engine, tracking, frames = begun(BATCH)
    pending: deque[Any] = deque()
    count, begun_with, start = 0, 4 * BATCH, time.perf_counter()
    while count < begun_with or time.perf_counter() - start < SECONDS:
        if count <= begun_with:  # the first ones make ready
            start = time.perf_counter()
        batch = given(count, frames)
        pending.append((batch, engine.submit(batch)))
        if len(pending) > engine.ahead:
            first, made = pending.popleft()
            seen = len(tracking.follow(first, made.result())[-1])
        count += BATCH
    while pending:
        batch, made = pending.popleft()
        seen = len(tracking.follow(batch, made.result())[-1])
    rate = (count - begun_with) / (time.perf_counter() - start)
    engine, tracking, frames = begun(1)
    taken: list[float] = []
    for number in range(SAMPLES + 20):
        start = time.perf_counter()
        batch = given(number, frames)
        tracking.follow(batch, engine.step(batch))
        taken.append(time.perf_counter() - start)
        if sum(taken) > 2 * SECONDS:
            break
    taken = taken[min(20, len(taken) // 2) :]
    p50, p99 = (float(v) for v in np.percentile(taken, (50, 99)))
    print(f"facial-markers, {SIZE}x{SIZE}, {seen} tracks, from pinned memory to tracks: {rate:.0f} frames/s in batches "
          f"of {BATCH} (wanted of an H100: {PACE}); one frame alone p50 {1e3 * p50:.3f} ms, p99 {1e3 * p99:.3f} ms of "
          f"{len(taken)} (wanted: {1e3 * LATENCY:.1f})")  # fmt: skip
    return seen > 0


def components(device: str) -> bool:
    """Whether rows are the reference's."""
    from kernels.executors.base import executor
    from kernels.executors.reference import ReferenceProgram
    from kernels.ir.image import BOOL, ImageType
    from kernels.stages.components import components as stage

    if EMULATED:
        from scipy import ndimage

        arrays: Any = np
        there: Any = masks()
    else:
        import cupy as arrays
        from cupyx.scipy import ndimage

        there = arrays.asarray(masks())
    clip = masks()
    body = stage.build([ImageType(BOOL, SIZE, SIZE), None], {})
    program: Any = executor(device).compile(body)
    wanted = ReferenceProgram(body).run([clip, None], {})["out"]
    got = program.run([there, None], {})["out"]
    same = all(a.rows.tobytes() == b.rows.tobytes() for a, b in zip(got, wanted, strict=True))
    wait = (lambda: None) if EMULATED else arrays.cuda.Device(int(device.partition(":")[2] or 0)).synchronize
    own = least(lambda: program.run([there, None], {}), wait) / BATCH
    eight = arrays.ones((3, 3), arrays.int32)

    def peer() -> None:
        for mask in there:
            labels, count = ndimage.label(mask, eight)
            index = arrays.arange(1, count + 1)
            ndimage.sum_labels(mask, labels, index)
            ndimage.center_of_mass(mask, labels, index)

    other = least(peer, wait) / BATCH
    print(f"components and moments, {DISCS} discs in {SIZE}x{SIZE}, batches of {BATCH}: {1e6 * own:.1f} us a frame, "
          f"{'SciPy' if EMULATED else 'CuPy'}'s label, area and centre {1e6 * other:.1f} us ({other / own:.1f} times "
          f"as long); rows {'are the reference' if same else 'DIFFER from the reference'}'s")  # fmt: skip
    return same


EMULATED = False


def emulated() -> str:
    """A GPU that exists only on the processor, and sizes for it; its name."""
    from tests.gpu.emulated import install

    global EMULATED, SIZE, DISCS, BATCH, ROUNDS, FRAMES, PART, SECONDS, SAMPLES
    install()
    EMULATED, SIZE, DISCS, BATCH, ROUNDS, FRAMES = True, 64, 3, 2, 1, 6
    PART, SECONDS, SAMPLES = ("--roi", "100,60,64,64"), 0.2, 3
    return "cuda:0"


if __name__ == "__main__":
    parts = {"tracks": tracks, "pace": pace, "components": components}
    device = sys.argv[2] if len(sys.argv) > 2 else "cuda:0"
    right = parts[sys.argv[1]](emulated() if device == "emulated" else device)
    sys.exit(0 if right else 1)
