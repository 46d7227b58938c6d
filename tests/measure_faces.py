"""How many frames a second `face-points` follows: an engine and its trackers over a clip in memory.

    python tests/measure_faces.py                    # 512x512 colour frames, the network at every 4th
    python tests/measure_faces.py --step 8 --passes 20

The picture of a face moves, turns and grows by parts of a pixel, with noise of 2 grey levels. The least of all passes
counts. Processor time is what other programs disturb least: of the trackers and of all threads together. The rate by
the clock is only true where nothing else runs. The networks are those of `tests/pipelines/test_faces.py`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import numpy as np
from scipy.ndimage import affine_transform

from pipelines.definition import load
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from tests.pipelines.clips import MemoryClip
from tests.pipelines.test_faces import MODELS, data


def film(frames: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The picture along a path of some 20 px, turned by 6 degrees and scaled by 6 % at most."""
    picture, rng = data.astronaut().astype(np.float32), np.random.default_rng(1)
    made = np.empty((frames, *picture.shape), np.uint8)
    middle = np.array([126.0, 224.0])  # of the face
    for k in range(frames):
        phase = 2 * np.pi * k / 160
        angle, scale = np.radians(6) * np.sin(phase), 1 + 0.06 * np.sin(2 * phase)
        matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / scale
        shift = middle - matrix @ (middle + 10 * np.array([np.cos(phase) - 1, np.sin(phase)]))
        for c in range(3):
            moved = affine_transform(picture[..., c], matrix, shift, order=1, mode="nearest")
            made[k, ..., c] = np.clip(np.rint(moved + 2 * rng.standard_normal(moved.shape)), 0, 255)
    return made


class Timed(Runner):
    """A run that counts the processor time of its trackers."""

    tracker = 0.0

    def _results(self, *given: Any) -> Any:
        begin = time.thread_time()
        made = super()._results(*given)
        self.tracker += time.thread_time() - begin
        return made


def one_pass(clip: MemoryClip, step: int) -> tuple[float, float, float]:
    """Milliseconds a frame: of the trackers, of all threads, by the clock."""
    bound = prepare(load("face-points").with_settings({**MODELS, "where.step": step}), clip, None)
    runner = Timed(clip, bound, [], frames=(0, len(clip.frames)), options=RunOptions(device="cpu"))
    begin, clock = time.process_time(), time.perf_counter()
    runner.run()
    used, passed = time.process_time() - begin, time.perf_counter() - clock
    return tuple(1000 * seconds / len(clip.frames) for seconds in (runner.tracker, used, passed))  # type: ignore[return-value]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=int, default=4, help="the landmark network looks at every so many frames")
    parser.add_argument("--frames", type=int, default=192, help="of a pass")
    parser.add_argument("--passes", type=int, default=8)
    options = parser.parse_args()
    clip = MemoryClip(film(options.frames))
    one_pass(clip, options.step)  # everything is compiled
    passes = [one_pass(clip, options.step) for _ in range(options.passes)]
    tracker, used, passed = (min(values) for values in zip(*passes, strict=True))
    print(f"trackers {tracker:.2f} ms, all {used:.2f} ms of processor time a frame; by the clock {1000 / passed:.0f} "
          f"frames/s at best, {1000 / statistics.median(row[2] for row in passes):.0f} in the median")  # fmt: skip


if __name__ == "__main__":
    main()
