"""What a network that learnt from labels with errors is worth, beside `template` and `blobs` on the same frames.

    python tests/measure_labels.py                     # 30 frames of the scene `face`, an error of 1 px along x and y
    python tests/measure_labels.py --error 0 --steps 500

The labels are the truth of 30 frames drawn at random and normal errors; the network learns as by `fusetrack train`.
Judged are 60 other frames, in which nothing is labelled, against the truth: the root mean square error along one axis,
and of that the bias, each point's mean error over the frames, which is what the labels' errors leave (the mean of n
labels is off by error / sqrt(n)), and the scatter around it, which is the network's own. `template` is given each point
once: by the truth of the first frame, and by a label of it. `blobs` finds the dots by itself, and gives them no names.
Needs torch; a training takes some five minutes of processor time.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from app.benchmark.trackers.ours import run_of
from app.benchmark.trackers.scenes import Clip, Scene
from app.labels.labels import LabelledFrame, Labels
from app.sources.simulated.source import make_scene
from app.training import keypoints
from app.training.architecture import torch_module
from app.training.recipe import Recipe
from pipelines.definition import load

SCENE, LABELLED, UNSEEN = "face", 30, 60
Array = npt.NDArray[np.float64]


def drawn(error: float) -> tuple[Labels, Labels]:
    """The labels, and the truth of the frames that are judged."""
    scene, rng = make_scene(SCENE), np.random.default_rng([0, 77])
    order = rng.permutation(scene.frames)
    names = tuple(f"p{i}" for i in range(len(scene.truth(0))))

    def frame(index: int, off: float) -> LabelledFrame:
        truth = scene.truth(index)
        points = np.full((1, len(names), 2), np.nan)
        points[0, truth["track"]] = np.stack([truth["x"], truth["y"]], -1)
        points[0, truth["track"][~truth["visible"]]] = np.nan
        return LabelledFrame(f"sim:{SCENE}", index, points + off * rng.normal(size=points.shape))

    shown = tuple(frame(int(k), error) for k in sorted(order[:LABELLED]))
    judged = tuple(frame(int(k), 0.0) for k in sorted(order[LABELLED : LABELLED + UNSEEN]))
    return Labels(names, (), shown), Labels(names, (), judged)


def network(labels: Labels, judged: Labels, recipe: Recipe) -> tuple[Array, float, int]:
    """Errors of each frame and point (frames, points, 2), NaN where none was found; processor seconds of the training;
    the step whose weights were kept."""
    taught, begin = keypoints.lessons(labels, recipe), time.process_time()
    made = keypoints.Training(taught, len(labels.points), recipe).run(lambda step, curve: None)
    spent = time.process_time() - begin
    torch, errors = torch_module(), []
    weights = {name: torch.from_numpy(array) for name, array in made.weights.items()}
    for frame, pixels in zip(judged.frames, keypoints._read(judged.frames), strict=True):
        fit = max(pixels.shape[0] / taught.height, pixels.shape[1] / taught.width)
        lesson = keypoints.Lesson(pixels, frame.points, fit)
        picture = keypoints._fitted(torch, torch.from_numpy(pixels)[None, None], lesson, taught, np.eye(2), np.zeros(2))
        with torch.no_grad():
            normal = (picture[:, 0] - taught.mean) / taught.deviation
            heat = keypoints.architecture(len(labels.points)).forward(torch, weights, normal).sigmoid()
        rows = keypoints.peaks_of(heat.numpy().transpose(0, 2, 3, 1), 1)
        found = np.full(frame.points.shape[1:], np.nan)
        middle = keypoints._middle((taught.height, taught.width))
        found[rows["point"]] = (np.stack((rows["x"], rows["y"]), 1) - middle) * fit + keypoints._middle(pixels.shape)
        errors.append(found - frame.points[0])
    return np.array(errors), spent, made.steps


def tracker(name: str, judged: Labels, given: Array | None) -> Array:
    """Errors of a pipeline in the same frames."""
    last = max(frame.index for frame in judged.frames)
    clip, pipeline = Clip(Scene(SCENE, "things", last + 1)), load(name)
    if given is not None:
        pipeline = pipeline.with_settings({"track.points": tuple(map(tuple, given.tolist()))})
    rows, errors = run_of(pipeline, clip)(), []
    for frame in judged.frames:
        found, points = rows[(rows["frame"] == frame.index) & (rows["state"] == 1)], frame.points[0]
        places = np.stack((found["x"], found["y"]), -1)
        apart = np.hypot(*(points[:, None] - places[None]).transpose(2, 0, 1))
        near = apart.argmin(axis=1)
        error = places[near] - points
        error[~(apart.min(axis=1) < 5)] = np.nan  # the dots are at least 9 px apart
        errors.append(error)
    return np.array(errors)


def words(name: str, errors: Array, judged: Labels) -> str:
    """A line of the table."""

    def size(values: Array) -> float:
        return float(np.sqrt(np.nanmean(values**2)))

    bias = np.nanmean(errors, axis=0)
    wanted = np.isfinite(np.array([frame.points[0] for frame in judged.frames])[..., 0])
    share = np.isfinite(errors[..., 0])[wanted].mean()
    median = float(np.nanmedian(np.hypot(errors[..., 0], errors[..., 1])))
    return (f"{name:36s} {size(errors):.3f} px: bias {size(bias):.3f}, scatter {size(errors - bias):.3f}; median "
            f"distance {median:.3f} px; {100 * share:.1f} % found")  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--error", type=float, default=1.0, help="of the labels along x and y, standard deviation, px")
    parser.add_argument("--steps", type=int, default=Recipe().steps, help="of the training; 0: without")
    options = parser.parse_args()
    labels, judged = drawn(options.error)
    if options.steps:
        errors, spent, kept = network(labels, judged, Recipe(steps=options.steps))
        print(f"{words('network', errors, judged)}; {spent:.0f} s of a core, weights of step {kept}", flush=True)
    truth: Any = make_scene(SCENE).truth(0)
    first = np.stack([truth["x"], truth["y"]], -1)
    label = first + options.error * np.random.default_rng(3).normal(size=first.shape)
    for name, given, how in (("template", first, ", the truth of one frame"), ("template", label, ", a label each"),
                             ("blobs", None, "")):  # fmt: skip
        print(words(name + how, tracker(name, judged, given), judged), flush=True)


if __name__ == "__main__":
    main()
