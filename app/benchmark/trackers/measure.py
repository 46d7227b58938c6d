"""Accuracy on scenes, speed in turns."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from app.benchmark.trackers.contender import Contender
from app.benchmark.trackers.results import FIGURES, Accuracy, Speed, accuracy, combined
from app.benchmark.trackers.scenes import COUNTS, Clip, Kind, Scene, seeded, timed
from kernels.errors import FusetrackError
from pipelines.evaluation.complete import Evaluation, evaluate_all
from pipelines.features import Tracks

GATE = 3.0
"""Farthest match, px."""
TRIAL = 60
"""First frames, on which thresholds are chosen."""
LEAST_ROUNDS = 3
Say = Callable[[str], None]


def judge(tracks: Tracks, clip: Clip) -> Evaluation:
    """The tracks against the clip's truth."""
    return evaluate_all(tracks, clip.truth, gate=GATE, fps=clip.fps)


def measure_accuracy(
    name: str, scene: Scene, contenders: Sequence[Contender], say: Say, seeds: int = 1
) -> Iterator[Accuracy]:
    """Each contender that fits the scene, with the threshold that is best for it: medians over clips of so many seeds,
    the first of which is the scene's own."""
    fitting = [contender for contender in contenders if contender.fits(name, scene.kind)]
    if not fitting:
        return
    if seeds == 1:
        yield from _on_one_clip(name, scene, fitting, say)
        return
    found = [list(_on_one_clip(name, seeded(scene, seed), fitting, _with_seed(say, seed)))
             for seed in range(1, seeds + 1)]  # fmt: skip
    yield from (combined(ones) for ones in zip(*found, strict=True))


def _with_seed(say: Say, seed: int) -> Say:
    return lambda words: say(f"{words}, seed {seed}")


def _on_one_clip(name: str, scene: Scene, fitting: Sequence[Contender], say: Say) -> Iterator[Accuracy]:
    clip, trial = Clip(scene), Clip(scene, min(TRIAL, scene.frames))
    for contender in fitting:
        say(f"{name}: {contender.name}")
        try:
            choice = _best_choice(contender, trial)
            run = contender.make(clip, choice)
            start = time.perf_counter()
            tracks = run()
            ms = 1e3 * (time.perf_counter() - start) / len(clip)
            shown = choice if len(contender.choices) > 1 else math.nan
            yield accuracy(name, scene.kind, contender.name, shown, judge(tracks, clip), ms)
        except Exception as error:
            # A peer may fail in any way; the others are measured all the same. Our own mistakes are told, too.
            yield _failed(name, scene.kind, contender.name, error)


def _best_choice(contender: Contender, trial: Clip) -> float:
    """The setting with the greatest HOTA on the first frames, of those that differ by less than 0.005 the one with the
    least error; those that cannot be run there do not count.
    """
    if len(contender.choices) == 1:
        contender.make(trial, contender.choices[0])()  # so that what is compiled at the first call is
        return contender.choices[0]
    best, chosen = (-1.0, 0.0), contender.choices[0]
    for choice in contender.choices:
        try:
            found = judge(contender.make(trial, choice)(), trial)
        except (FusetrackError, ValueError, IndexError, KeyError):
            continue
        # To two decimals, so that near ties are decided by the error.
        value = (round(found.hota.hota, 2), -found.clear.rmse)
        if value > best:
            best, chosen = value, choice
    return chosen


def _failed(scene: str, kind: Kind, contender: str, error: Exception) -> Accuracy:
    none: dict[str, Any] = dict.fromkeys(FIGURES, math.nan)
    return Accuracy(scene, kind, contender, **none, wrong=said(error))


def said(error: Exception) -> str:
    """One line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:160]


def measure_speed(
    kind: Kind, contenders: Sequence[Contender], seconds: float, say: Say, counts: Sequence[int] = COUNTS,
    size: int = 512,
) -> Iterator[Speed]:  # fmt: skip
    """Each contender with each number of features, in turns and random order, on the same frames.

    Args:
        kind: things or points.
        contenders: those that take part.
        seconds: for each number of features, making ready not included.
        progress: hears what is being measured.
        counts: features in a picture.
        size: of the pictures, px.
    """
    fitting = [contender for contender in contenders if contender.fits("speed", kind)]
    for count in counts:
        scene = timed(kind, count, size)
        clips = {False: Clip(scene), True: Clip(scene, 8)}
        features = len(clips[False].points)
        samples, singles, wrong = _rounds(kind, count, fitting, clips, seconds, say)
        for contender in fitting:
            times = samples[contender.name]
            if not times or contender.name in wrong:
                yield Speed(kind, contender.name, features, math.nan, math.nan, math.nan, 0, math.nan,
                            wrong.get(contender.name, "no time was left"))  # fmt: skip
                continue
            low, middle, high = (1e3 * float(v) for v in np.percentile(times, (25, 50, 75)))
            one = singles[contender.name] or [math.nan]
            p50, p99, p999 = (1e3 * float(v) for v in np.percentile(one, (50, 99, 99.9)))
            yield Speed(kind, contender.name, features, middle, low, high, len(times), features / middle * 1e3, "",
                        p50, p99, p999, len(singles[contender.name]))  # fmt: skip


def _rounds(
    kind: Kind, count: int, contenders: Sequence[Contender], clips: Mapping[bool, Clip], seconds: float, say: Say
) -> tuple[dict[str, list[float]], dict[str, list[float]], dict[str, str]]:
    """Seconds a frame of every round; of frames one by one; and who failed why. The first round of each warms up and
    does not count."""
    samples: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    singles: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    wrong: dict[str, str] = {}
    choices: dict[str, float] = {}
    shuffle, order = random.Random(1), list(contenders)
    # The clock starts after the first round, in which everything is compiled.
    end = math.inf
    done = -1
    while done < LEAST_ROUNDS or time.perf_counter() < end:
        shuffle.shuffle(order)
        for contender in order:
            if contender.name in wrong:
                continue
            say(f"{count} {kind}: {contender.name}")
            clip = clips[contender.slow and count >= 1000]
            try:
                if contender.name not in choices:
                    choices[contender.name] = _best_choice(contender, clips[True])
                run = contender.make(clip, choices[contender.name])
                start = time.perf_counter()
                run()
                taken = (time.perf_counter() - start) / len(clip)
                each = contender.single(clip, choices[contender.name])() if contender.single is not None else ()
            except Exception as error:
                wrong[contender.name] = said(error)
                continue
            if done >= 0:
                samples[contender.name].append(taken)
                singles[contender.name] += each
        done += 1
        if done == 0:
            end = time.perf_counter() + seconds
        if len(wrong) == len(order):
            break
    return samples, singles, wrong
