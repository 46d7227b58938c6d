"""What was found: how well and how fast each contender follows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import median
from typing import Any

from app.benchmark.trackers.scenes import Kind
from pipelines.evaluation.complete import Evaluation


@dataclass(frozen=True, slots=True)
class Accuracy:
    """One contender on one scene; ratios from 0 to 1, lengths in px. NaN where nothing was matched.

    Args:
        scene, kind, contender: which.
        choice: the threshold that it did best with on the first frames; NaN where there is none to choose.
        recall, precision, mota, idf1, hota, switches: as in `fusetrack evaluate`, gate GATE.
        rmse: 2-D; bias: of x and y together; noise: of one coordinate, about each thing's offset and drift.
        s_curve: the larger of the two.
        z_variance: of (estimate - truth) / sigma.
        z_error: standard error of that, from how it differs between the things.
        ms: a frame, of the run that was judged.
        wrong: why there are no figures; "" if there are.
        seeds: of so many clips of the scene these are the medians.
        low, high: the least and the largest of each figure over them, by name; empty with one seed.
    """

    scene: str
    kind: Kind
    contender: str
    choice: float
    recall: float
    precision: float
    mota: float
    idf1: float
    hota: float
    switches: float
    rmse: float
    bias: float
    noise: float
    s_curve: float
    z_variance: float
    z_error: float
    ms: float
    wrong: str = ""
    seeds: int = 1
    low: Mapping[str, float] = field(default_factory=dict)
    high: Mapping[str, float] = field(default_factory=dict)


FIGURES = ("choice", "recall", "precision", "mota", "idf1", "hota", "switches", "rmse", "bias", "noise", "s_curve",
           "z_variance", "z_error", "ms")  # fmt: skip
"""Those of `Accuracy`."""


def combined(found: Sequence[Accuracy]) -> Accuracy:
    """One contender's medians over several clips of a scene; of one alone, itself. If one went wrong there are none."""
    first = next((one for one in found if one.wrong), found[0])
    if first.wrong or len(found) == 1:
        return first
    values = {name: [float(getattr(one, name)) for one in found] for name in FIGURES}
    medians: dict[str, Any] = {name: median(v) for name, v in values.items()}
    low, high = ({name: end(v) for name, v in values.items()} for end in (min, max))
    return replace(first, seeds=len(found), low=low, high=high, **medians)


@dataclass(frozen=True, slots=True)
class Speed:
    """One contender with one number of features: medians of interleaved rounds, with quartiles.

    Args:
        features: in a picture.
        ms, low, high: a frame.
        rounds: how many.
        per_second: features a second.
        wrong: why there are no figures.
        p50, p99, p999: ms of one frame where frames are delivered one by one; NaN for what takes whole clips only.
        singles: how many frames that is of.
    """

    kind: Kind
    contender: str
    features: int
    ms: float
    low: float
    high: float
    rounds: int
    per_second: float
    wrong: str = ""
    p50: float = math.nan
    p99: float = math.nan
    p999: float = math.nan
    singles: int = 0


def facts(accuracies: Sequence[Accuracy], speeds: Sequence[Speed]) -> dict[str, list[dict[str, Any]]]:
    """For JSON."""
    return {"accuracy": [asdict(one) for one in accuracies], "speed": [asdict(one) for one in speeds]}


def accuracy(scene: str, kind: Kind, contender: str, choice: float, found: Evaluation, ms: float) -> Accuracy:
    """The figures of an evaluation that the table shows."""
    d = found.displacement
    return Accuracy(
        scene, kind, contender, choice, found.clear.recall, found.clear.precision, found.clear.mota,
        found.identity.idf1, found.hota.hota, found.clear.id_switches, found.clear.rmse,
        (d.bias_x**2 + d.bias_y**2) ** 0.5, ((d.noise_x**2 + d.noise_y**2) / 2) ** 0.5,
        max(d.s_x.amplitude, d.s_y.amplitude), found.calibration.variance,
        found.calibration.variance_error, ms,
    )  # fmt: skip
