"""Trains the network of the pipeline `quadrant-targets` on simulated scenes, and writes it as ONNX.

    pip install ".[train]"                                                  (in a checkout, which alone has this script)
    python -m tests.training.quadrant_targets --out targets.onnx

The network takes a gray picture of any size behind `local_contrast` and makes a heat map of its size (rounded up to
whole multiples of STRIDE): about 1 where four sectors meet, with the shape of a Gaussian of WIDTH px. It works at a
quarter of the resolution with depthwise separable residual blocks. Its loss has two parts: the quality
focal loss of every pixel (Li et al., Generalized focal loss, NeurIPS 2020), and how far the weighted centroid of each
target's peak lies from the truth, so that places are learnt through the way in which they are read.

All is drawn from one seed: with the same version of torch on the same processor the same file comes out.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.training.architecture import IMAGE, Architecture, Layer, torch_module
from kernels.errors import FusetrackError
from kernels.executors.base import executor
from kernels.ir.image import U8, ImageType
from kernels.stages.local_contrast import local_contrast
from tests.training.samples import SIDE, Sample, samples

Array = npt.NDArray[Any]

EVEN = {"size": 25, "floor": 0.005}
"""Parameters of the stage `local_contrast` before the network, as in the pipeline."""
WIDTH = 1.5
"""Standard deviation of a target's peak in the heat map, px."""
STRIDE = 4
"""Pixels of the picture, along each side, that a place of the inner maps stands for."""
BLOCKS = 5
STEM, CHANNELS = 16, 32
REACH = 5
"""Pixels from a target up to which its centroid is taken: more than 3 WIDTH."""
UNCLEAR = 8.0
"""Radius around what is neither right nor wrong in which nothing is learnt, px."""
PLACES = 40.0
"""Weight of the places, in px, against the heat map's loss of a target."""
BATCH, RATE, WARM_UP = 8, 2e-3, 300


def architecture() -> Architecture:
    """The network."""
    found = [
        Layer("stem", IMAGE, (STEM, 1, 3, 3), stride=2, relu=True),
        Layer("narrow", "stem", (STEM, 1, 3, 3), stride=2),
        Layer("widen", "narrow", (CHANNELS, STEM, 1, 1), relu=True),
    ]
    for k in range(BLOCKS):
        before = found[-1].name
        found.append(Layer(f"depth{k}", before, (CHANNELS, 1, 3, 3)))
        found.append(Layer(f"point{k}", f"depth{k}", (CHANNELS, CHANNELS, 1, 1), adds=before, relu=True))
    return Architecture((*found, Layer("phases", found[-1].name, (STRIDE * STRIDE, CHANNELS, 1, 1))), STRIDE)


@dataclass(frozen=True)
class Lessons:
    """Pictures to learn from: what the network takes of them, the heat maps that it should make, where it counts (each
    (n, SIDE, SIDE)), and x and y of the targets of each."""

    pictures: Array
    heat: Array
    counts: Array
    points: Sequence[Array]

    @classmethod
    def of(cls, found: Sequence[Sample]) -> Lessons:
        """All of them in memory, 5 bytes a pixel."""
        shape = (len(found), SIDE, SIDE)
        made = cls(np.zeros(shape, np.float16), np.zeros(shape, np.float16), np.ones(shape, np.bool_),
                   [sample.points for sample in found])  # fmt: skip
        rows, columns = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
        program = executor("cpu").compile(local_contrast.build([ImageType(U8, SIDE, SIDE)], EVEN))
        for k, sample in enumerate(found):
            made.pictures[k] = np.asarray(program.run([sample.pixels[None]], {})["out"])[0]
            for x, y in sample.points:
                bell = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * WIDTH**2))
                np.maximum(made.heat[k], bell, out=made.heat[k])
            for x, y in sample.unclear:
                made.counts[k] &= (columns - x) ** 2 + (rows - y) ** 2 > UNCLEAR**2
        return made

    def batch(self, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
        """Some of them, flipped and turned: pictures, heat maps, where they count; picture, x, y of each target that
        lies REACH from the border."""
        chosen = rng.integers(0, len(self.pictures), BATCH)
        images = [a[chosen].astype(np.float32) for a in (self.pictures, self.heat, self.counts)]
        points = np.array([(k, *p) for k, i in enumerate(chosen) for p in self.points[i]]).reshape(-1, 3)
        for axis in (1, 2):
            if rng.random() < 0.5:
                images = [np.flip(a, 3 - axis) for a in images]
                points[:, axis] = SIDE - 1 - points[:, axis]
        if rng.random() < 0.5:
            images = [a.transpose(0, 2, 1) for a in images]
            points = points[:, [0, 2, 1]]
        within = (points[:, 1:] > REACH + 0.5) & (points[:, 1:] < SIDE - 1.5 - REACH)
        pictures, heat, counts = (np.ascontiguousarray(a) for a in images)
        return pictures, heat, counts, points[within.all(1)].astype(np.float32)


def loss_of(torch: Any, logits: Any, heat: Any, counts: Any, points: Any) -> tuple[Any, Any]:
    """The heat map's loss a target, and the mean error of the places (smooth absolute value), px."""
    made = logits.sigmoid()
    entropy = torch.nn.functional.binary_cross_entropy_with_logits(logits, heat, reduction="none")
    near = 1 + 4 * (heat > 0.02)
    pixels = (counts * near * (made - heat) ** 2 * entropy).sum() / max(len(points), 1)
    if not len(points):
        return pixels, pixels * 0
    offsets = torch.arange(-REACH, REACH + 1)
    columns, rows = (points[:, k].round().long()[:, None] + offsets for k in (1, 2))
    peak = made[points[:, 0].long()[:, None, None], rows[:, :, None], columns[:, None, :]]
    dx, dy = columns - points[:, 1:2], rows - points[:, 2:3]
    weight = peak * torch.exp(-(dx[:, None, :] ** 2 + dy[:, :, None] ** 2) / (2 * WIDTH**2))
    mass = weight.sum((1, 2)) + 1e-3
    # the product of two Gaussians of one width is half as wide, so a step measures half of the way
    error = torch.cat([2 * (weight * away).sum((1, 2)) / mass for away in (dx[:, None, :], dy[:, :, None])])
    return pixels, torch.nn.functional.smooth_l1_loss(error, torch.zeros_like(error), beta=0.1)


def train(lessons: Lessons, seed: int, steps: int, report: Callable[[str], None]) -> dict[str, Array]:
    """The weights after so many steps of AdamW, whose rate falls like a cosine; raises as `torch_module`."""
    torch = torch_module()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)  # most of a heat map is next to nothing, and such numbers are slow
    rng, network = np.random.default_rng([seed, 1]), architecture()
    weights = {name: torch.from_numpy(array).requires_grad_() for name, array in network.drawn(seed).items()}
    optimizer = torch.optim.AdamW(list(weights.values()), lr=RATE, weight_decay=1e-4)
    sums, began = np.zeros(2), time.monotonic()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / WARM_UP) * (0.5 + 0.5 * math.cos(math.pi * step / steps)) + 1e-5
        pictures, heat, counts, points = (torch.from_numpy(array) for array in lessons.batch(rng))
        parts = loss_of(torch, network.forward(torch, weights, pictures)[:, 0], heat, counts, points)
        optimizer.zero_grad()
        (parts[0] + PLACES * parts[1]).backward()
        torch.nn.utils.clip_grad_norm_(list(weights.values()), 1.0)
        optimizer.step()
        sums += [part.item() for part in parts]
        if (step + 1) % 500 == 0:
            report(f"step {step + 1}: heat map {sums[0] / 500:.3f} a target, places {sums[1] / 500:.4f} "
                 f"({time.monotonic() - began:.0f} s)")  # fmt: skip
            sums[:] = 0
    return {name: tensor.detach().numpy().copy() for name, tensor in weights.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, write, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("quadrant_targets.onnx"), help="the file to write")
    parser.add_argument("--seed", type=int, default=1, help="chooses pictures, first weights and their order")
    parser.add_argument("--samples", type=int, default=6000, help="pictures to learn from")
    parser.add_argument("--steps", type=int, default=12000, help=f"of {BATCH} pictures each")
    options = parser.parse_args(arguments)
    try:
        torch_module()
        print(f"rendering {options.samples} pictures")
        lessons = Lessons.of(list(samples(options.seed, options.samples)))
        weights = train(lessons, options.seed, options.steps, lambda line: print(line, flush=True))
        notes = (f"fusetrack tests.training.quadrant_targets --seed {options.seed} --samples {options.samples} "
                 f"--steps {options.steps}")  # fmt: skip
        options.out.write_bytes(architecture().onnx(weights, notes))
        print(f"{options.out}: {options.out.stat().st_size} bytes")
    except FusetrackError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
