"""A table of tracks as mean squared displacements and diffusion coefficients, in the units that are wanted."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.scale import Scale, Units
from app.results import SUMMARY
from kernels.errors import InputError
from pipelines.analysis.diffusion import Diffusion, diffusion_of, diffusion_of_all
from pipelines.analysis.drift import common_drift, without_drift
from pipelines.analysis.msd import FIT, Lags, Msd, Noise, ensemble, exponent, lags_of, own_errors
from pipelines.analysis.paths import Path as Way
from pipelines.analysis.paths import paths_of
from pipelines.features import State, Tracks

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Motion:
    """What was found, in `units`.

    Args:
        all, each: diffusion of all tracks, and by id of each.
        msd: of all tracks.
        lags: sums of each.
        paths: the tracks, without the drift where it was taken away.
        exponent, exponent_error: of MSD ~ lag^exponent, and its standard error.
        interval, exposure: s (frames without times).
        exposure_known: whether the clip or the user gave it; 0 else.
        noise: which floor was taken away.
        drift: (vx, vy) of the common motion, a unit of time.
        drift_error: its standard errors.
        drift_taken: whether it was taken away.
        alone: steps between frames that a single track saw, left out because their drift is unknown.
        left_out: tracks that were seen in too few frames.
        jitter: farthest that a time stamp lies from its frame, frames.
        units: of all numbers.
    """

    all: Diffusion
    each: dict[int, Diffusion]
    msd: Msd
    lags: Lags
    paths: tuple[Way, ...]
    exponent: float
    exponent_error: float
    interval: float
    exposure: float
    exposure_known: bool
    noise: Noise
    drift: tuple[float, float]
    drift_error: tuple[float, float]
    drift_taken: bool
    alone: int
    left_out: int
    jitter: float
    units: Units

    def own_errors(self) -> Array:
        """(K, L) standard errors of the mean squared displacement of each at each lag, if it diffuses freely."""
        return own_errors(self.paths, self.lags, self.all.noise)

    @property
    def spread(self) -> float:
        """Standard errors on either side of a mean that hold 95 %: Student's, by the number of tracks."""
        from scipy.special import stdtrit  # here, because only this needs it

        return float(stdtrit(len(self.each) - 1, 0.975)) if len(self.each) > 1 else 1.96


def motion_of(
    rows: Tracks, *, fps: float | None = None, exposure: float | None = None, least: int = 10, lags: int = 100,
    noise: Noise | None = None, drift: bool = False, scale: Scale | None = None,
) -> Motion:  # fmt: skip
    """Analyse tracks.

    Args:
        rows: TRACK_DTYPE; those that are TRACKED count.
        fps: in place of the times.
        exposure: s; None if unknown.
        least: frames in which a track was seen.
        lags: longest lag, frames.
        noise: the floor; None takes the stated one, or where none is stated what the steps show.
        drift: take the common motion away.
        scale: lengths in place of px.

    Raises:
        InputError: no track is left, none has two places that can be compared, the exposure is longer than a frame, or
            as in `paths_of`.
    """
    found = paths_of(rows, fps=fps, least=least)
    known = len(np.unique(rows["track"][rows["state"] == State.TRACKED]))
    if not found.paths:
        raise InputError(f"none of the {known} tracks was seen in {least} frames or more (--min-frames)")
    if exposure is not None and not 0 <= exposure <= found.interval * (1 + 1e-6):
        raise InputError(f"an exposure of {exposure:g} s does not fit into the {found.interval:g} s between frames")
    paths = tuple(_scaled(path, scale.factor if scale is not None else 1.0) for path in found.paths)
    # Only rows that hold a place need a variance; gaps have none.
    stated = all(bool(np.isfinite(path.variances[np.isfinite(path.places)]).all()) for path in paths)
    if noise == "stated" and not stated:
        raise InputError("not every row of the table states its sigma, so it cannot be taken away; use --noise seen")
    noise = noise or ("stated" if stated else "seen")
    # Before the drift is taken away: it is stated either way.
    velocity, velocity_error = _common_velocity(paths, found.interval)
    alone = 0
    if drift:
        common = common_drift(paths)
        paths, alone = without_drift(paths, common), int((common.things == 1).sum())
    blur = min(exposure or 0.0, found.interval)
    whole = diffusion_of_all(paths, found.interval, blur)
    longest = max(path.places.shape[1] for path in paths) - 1
    sums = lags_of(paths, max(1, min(lags, longest)))
    if not sums.pairs.any():
        why = "never are two tracks seen at once, so that the drift is unknown" if drift else (
            f"no track was seen twice within {lags} frames (--lags)")  # fmt: skip
        raise InputError(why)
    alpha, alpha_error = exponent(sums, found.interval, blur, noise, whole.noise)
    return Motion(
        all=whole, each={path.track: diffusion_of(path, found.interval, blur) for path in paths},
        msd=ensemble(sums, noise, whole.noise), lags=sums, paths=paths,
        exponent=alpha, exponent_error=alpha_error,
        interval=found.interval, exposure=blur, exposure_known=exposure is not None, noise=noise, drift=velocity,
        drift_error=velocity_error, drift_taken=drift, alone=alone, left_out=known - len(paths), jitter=found.jitter,
        units=Units(scale.unit if scale is not None else "px", "s" if found.timed else "frame"),
    )  # fmt: skip


def _scaled(path: Way, factor: float) -> Way:
    return Way(path.track, path.first, path.places * factor, path.variances * factor**2)


def _common_velocity(paths: tuple[Way, ...], interval: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Mean velocity of all things and its standard errors, from the ways between their first and last places."""
    ways = np.array([path.places[:, -1] - path.places[:, 0] for path in paths])
    times = np.array([path.places.shape[1] - 1 for path in paths])[:, None] * interval
    # A ratio estimate: tracks count by their duration, and the error is that of the residuals ways - mean * times.
    mean = ways.sum(axis=0) / times.sum()
    count = len(paths)
    if count < 3:
        return (float(mean[0]), float(mean[1])), (math.nan, math.nan)
    error = np.sqrt(np.square(ways - mean * times).sum(axis=0) * count / (count - 1)) / times.sum()
    return (float(mean[0]), float(mean[1])), (float(error[0]), float(error[1]))


def words_of(found: Motion) -> list[str]:
    """Sentences to read with the numbers; empty where nothing is odd."""
    words = []
    v, e = np.array(found.drift), np.array(found.drift_error)
    if not found.drift_taken and bool((np.abs(v) > 4 * e).any()):
        where = f"({v[0]:.3g}, {v[1]:.3g}) {found.units.speed}"
        words.append(f"the tracks drift together by {where}; --drift takes it away")
    whole, off = found.all, abs(found.exponent - 1.0)
    near = 0.5 * whole.stated < whole.noise < 2.0 * whole.stated
    beside = abs(whole.noise - whole.stated) > 3 * whole.noise_error and not near
    if found.noise == "stated" and beside and whole.noise > 3 * whole.noise_error:
        words.append(
            "the steps show another noise than the stated sigma, on which the beginning of the curve, the exponent and "
            "the second value of D hang; --noise seen takes away what the steps show"
        )
    elif off > 0.1 and (off > 3 * found.exponent_error or not math.isfinite(found.exponent_error)):
        words.append(
            f"the exponent is {found.exponent:.2f}, not 1: this is not free diffusion; neither D nor the noise that "
            "the steps show describes it"
        )
    if found.alone:
        words.append(f"{found.alone} steps that only one track saw are left out: their drift is unknown")
    if found.jitter > 0.25:
        words.append(f"time stamps lie up to {found.jitter:.2g} frames from an even clock; lags count whole frames")
    if len(found.each) < FIT:
        few = "a single track" if len(found.each) == 1 else f"only {len(found.each)} tracks"
        words.append(f"{few}: the errors themselves are uncertain")
    return words


@dataclass(frozen=True, slots=True)
class ClipTimes:
    """What is known of a clip's times: the exposure in s, None for unknown; whether times are seconds."""

    exposure: float | None
    timed: bool


def clip_times_of(folder: Path) -> ClipTimes:
    """Those that the summary in a folder says; of a table without one times are taken as they are."""
    try:
        return clip_times(json.loads((folder / SUMMARY).read_text("utf-8-sig"))["source"])
    except (OSError, ValueError, KeyError, TypeError):
        return ClipTimes(None, True)


def clip_times(source: Any) -> ClipTimes:
    """Those of facts about a clip (`app.provenance.source_facts`)."""
    try:
        timed = source["time_base"]["fps"] is not None
        exposure = source["metadata"].get("exposure_s")
    except (KeyError, TypeError, AttributeError):
        return ClipTimes(None, True)
    good = isinstance(exposure, int | float) and 0 <= exposure < math.inf
    return ClipTimes(float(exposure) if good else None, timed)
