"""Whether sigma is true on scenes that nobody chose: settings are drawn at random, trackers as in the benchmark.

    python tests/measure_calibration.py                                 # 20 clips of each kind of things (10 minutes)
    python tests/measure_calibration.py --clips 5 --seed 7 plate disk   # of points; other clips

A line a clip and tracker: variance of (estimate - truth) / sigma of what was seen, with its standard error by things;
that of guesses, where something was out of sight or seen as one with another; then, of each kind of scene, both with
every row weighing the same, and how many clips lie outside 0.8 to 1.2.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict

import numpy as np

from app.benchmark.trackers.measure import TRIAL, judge
from app.benchmark.trackers.ours import OURS
from app.benchmark.trackers.scenes import Clip, Kind, Scene
from pipelines.evaluation.calibration import calibration

FRAMES = 60
TRACKERS = {"things": ("blobs",), "points": ("template", "corners", "vibration")}
OWN: dict[str, dict[str, tuple[object, ...]]] = {
    "blobs": {"count": (15, 40, 80), "sigma": (1.0, 1.2, 1.4, 1.7, 2.0), "snr": (4, 6, 10, 20, 40, 90),
              "speed": (300, 1500, 3000), "hidden": (0, 0.03), "width": (320,), "height": (320,)},
    "brownian": {},
    "vortex": {"particles": (20, 60, 120), "snr": (10, 30, 200), "tilt": (0, 50, 70)},
    "insects": {},
    "plate": {"points": (36,), "width": (256,), "height": (256,), "brightness": (1, 0.3, 0.0625)},
    "beam": {}, "disk": {}, "face": {},
}  # fmt: skip
"""Kinds of scenes, and what is drawn for each; bits, flicker, lamp and noise are for all of them."""
THINGS = ("blobs", "brownian", "vortex")


def drawn(kind: str, rng: np.random.Generator) -> Scene:
    """A scene of that kind."""
    choices = {"bits": (8, 8, 10, 12, 16), "flicker": (0, 0, 0.1, 0.3), "lamp": (100, 120), **OWN[kind]}
    made = {name: values[int(rng.integers(len(values)))] for name, values in choices.items()}
    spec = "&".join(f"{name}={value}" for name, value in made.items())
    what: Kind = "things" if kind in (*THINGS, "insects") else "points"
    return Scene(f"{kind}?{spec}&seed={int(rng.integers(10**6))}", what, FRAMES, 3.0, 8.0 if kind == "insects" else 4.0,
                 turns=kind == "disk", dark=kind == "insects", window=11 if kind == "face" else 21)  # fmt: skip


def measured(scene: Scene, name: str) -> tuple[str, tuple[float, int], tuple[float, int]] | None:
    """Words for a line; variance and rows of what was seen, and of guesses. None if it is not for such a scene."""
    (ours,) = (one for one in OURS if one.name == f"fusetrack {name}")
    if not ours.fits(scene.spec.partition("?")[0], scene.kind):
        return None
    clip, trial, best = Clip(scene), Clip(scene, min(FRAMES, TRIAL)), -math.inf
    choice = ours.choices[0]
    for one in ours.choices if len(ours.choices) > 1 else ():
        hota = judge(ours.make(trial, one)(), trial).hota.hota
        if hota > best:
            best, choice = hota, one
    found = judge(ours.make(clip, choice)(), clip)
    seen, guessed = found.calibration, calibration(found.guesses)
    words = f"threshold {choice:g}, " if scene.kind == "things" else ""
    words += (f"hota {found.hota.hota:.3f} rmse {found.clear.rmse:.4f} px, variance {seen.variance:.2f} "
              f"±{seen.variance_error:.2f} of {seen.rows}")  # fmt: skip
    if guessed.rows:
        words += f", of guesses {guessed.variance:.2f} ±{guessed.variance_error:.2f} of {guessed.rows}"
    return words, (seen.variance, seen.rows), (guessed.variance, guessed.rows)


def pooled(values: list[tuple[float, int]]) -> str:
    """The mean, every row weighing the same."""
    known = [(variance, rows) for variance, rows in values if rows > 1]
    total = sum(rows for _, rows in known)
    return f"{sum(v * rows for v, rows in known) / total:.2f} of {total}" if total else "-"


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("kinds", nargs="*", default=list(THINGS), help=f"of {', '.join(OWN)}; without any, things")
    words.add_argument("--clips", type=int, default=20, help="of each kind")
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    if unknown := [kind for kind in given.kinds if kind not in OWN]:
        words.error(f"no kind {unknown[0]}; there are {', '.join(OWN)}")
    for kind in given.kinds:
        rng, seen, guessed = np.random.default_rng(given.seed), defaultdict(list), defaultdict(list)
        for _ in range(given.clips):
            scene = drawn(kind, rng)
            for name in TRACKERS[scene.kind]:
                made = measured(scene, name)
                if made is not None:
                    print(f"{name:9s} {scene.spec}: {made[0]}", flush=True)
                    seen[name].append(made[1])
                    guessed[name].append(made[2])
        for name, values in seen.items():
            outside = sum(not 0.8 <= variance <= 1.2 for variance, _ in values)
            print(f"== {kind}, {name}: {len(values)} clips, seen {pooled(values)}, guesses {pooled(guessed[name])}; "
                  f"{outside} outside 0.8 to 1.2\n", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
