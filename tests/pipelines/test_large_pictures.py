"""Pictures so large that memory is what there is least of: frames of which only what is near things stays."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.executors import cpu, sparing, strip_runner
from kernels.executors.base import executor
from kernels.ir.image import U8, ImageType
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups
from pipelines.graph import Ref, bind
from pipelines.streaming.engine.engine import Engine
from tests.shipped import fixed


def scene(height: int, width: int, seed: int, spots: int, blocks: int) -> np.ndarray:
    """Noise, spots (some of them together, some cut by the edge), and larger things."""
    rng = np.random.default_rng(seed)
    frame = rng.integers(8, 14, (height, width)).astype(np.float64)
    y, x = np.mgrid[:height, :width]
    for cy, cx in rng.uniform((0, 0), (height, width), (spots, 2)):
        frame += 150 * np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / 4)
    for cy, cx in rng.uniform((0, 0), (height, width), (blocks, 2)):
        frame += 90 * ((abs(y - cy) < rng.uniform(2, 60)) & (abs(x - cx) < rng.uniform(2, 60)))
    return np.clip(frame, 0, 255).astype(np.uint8)


def rows_of(frame: np.ndarray, changes: dict[str, Any]) -> bytes:
    """What `spots` of the pipeline `blobs` gives, on the compiled back end in the largest groups, measured in an image
    that is made for it (of fractions of full scale none is: `pipelines.fractions`)."""
    pipeline = fixed("blobs").with_settings(changes)
    nodes = tuple(replace(node, inputs={**node.inputs, "weights": Ref("band")}) if node.id == "spots" else node
                  for node in pipeline.nodes)  # fmt: skip
    pipeline = replace(pipeline, nodes=nodes)
    bound = bind(pipeline, ImageType(U8, *frame.shape))
    engine = Engine(bound, executor("cpu", 2), (), largest_groups(bound, bound.taps))
    table = engine.step(FrameBatch(np.zeros(1, np.int64), np.zeros(1), frame[None]))[Ref("spots")][0]
    return bytes(table.rows.tobytes())


CHANGES: list[dict[str, Any]] = [
    {},
    {"spots.split": 0.0, "spots.grow": 0},
    {"spots.refine_sigma": 0.0},
    {"spots.background": "ring", "spots.grow": 9, "spots.split": 12.0},
    {"spots.refine_sigma": 4.0, "spots.refine": "gaussian", "spots.split": 6.0},
]


@pytest.mark.parametrize("changes", CHANGES, ids=str)
@pytest.mark.parametrize(("spots", "blocks"), [(0, 0), (4, 0), (25, 2), (4, 3), (300, 0)])
def test_what_is_given_back_is_looked_at_by_nobody(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], spots: int, blocks: int
) -> None:
    """Filled with NaN instead, it changes no bit of any row."""
    frame = scene(420, 390, spots + 7 * blocks, spots, blocks)
    expected = rows_of(frame, changes)
    left = [0]

    def spoil(part: np.ndarray) -> None:
        part[...] = np.nan
        left[0] += part.size

    monkeypatch.setattr(cpu, "SPARE_BYTES", 0)
    monkeypatch.setattr(strip_runner, "MUCH", 6000)
    monkeypatch.setattr(strip_runner, "THIN", 8)
    monkeypatch.setattr(sparing, "ROWS", 8)
    monkeypatch.setattr(sparing, "PAGE", 32)
    monkeypatch.setattr(sparing, "give_back", spoil)
    assert rows_of(frame, changes) == expected
    assert left[0] > 0 or spots + blocks > 4
    assert left[0] < frame.size or not spots + blocks


def test_pages_inside_of_what_is_given_back_read_as_zeros_and_no_others() -> None:
    memory = np.ones(5 * sparing.PAGE, np.uint8)
    sparing.give_back(memory[100:-100])
    inside = memory == 0
    assert inside.sum() in (0, 3 * sparing.PAGE, 4 * sparing.PAGE)
    assert inside.sum() > 0 or not sys.platform.startswith("linux")
    assert not inside[:100].any()
    assert not inside[-100:].any()


CHILD = """
import resource, sys
import numpy as np
import app.controller
side, folder = int(sys.argv[1]), sys.argv[2]
clip = np.lib.format.open_memmap(folder + "/large.npy", mode="w+", dtype=np.uint8, shape=(2, side, side))
for frame in clip:
    frame[...] = 10
    for k in range(1, 20):
        frame[side * k // 20 :, side * k // 20 :][:5, :5] = 120
del clip, frame
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
app.controller.run_clip(folder + "/large.npy", "blobs", out=folder + "/out", overlay=False)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is given back on Linux alone")
def test_a_large_picture_takes_few_bytes_a_pixel(tmp_path: Path) -> None:
    # Memory that is given back leaves the process at once there, as in a user's.
    users = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    for _ in range(2):  # the first one may have to compile, for which LLVM takes 120 MB
        done = subprocess.run(
            [sys.executable, "-c", CHILD, "6400", str(tmp_path)], env=users, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    fixed = 100e6  # the pictures that are drawn, what is looked at for hints
    assert float(done.stdout.split()[-1]) < 6 * 6400**2 + fixed
