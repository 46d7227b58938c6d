"""How well positions follow: bias, noise, drift, and how the error depends on the sub-pixel phase."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.evaluation.noise import NoiseDensity, noise_density
from pipelines.evaluation.tones import Tone, tones

Array = npt.NDArray[Any]
PHASES = 20
"""Bins of the sub-pixel phase."""
COVERED = 0.6
"""Share of the bins that must have rows for an S-curve to be told."""


@dataclass(frozen=True, slots=True)
class SCurve:
    """Mean error against the sub-pixel phase of the true position, of one coordinate.

    Args:
        phase: middles of the bins, -0.5 to 0.5 px; 0 is a pixel's centre.
        error: mean error in each bin minus the mean of all, px; NaN where there is no row.
        spread: standard error of each bin's mean, px.
        amplitude: largest value of the fitted curve (two harmonics of the pixel), px; NaN unless most phases occur.
        uncertainty: standard error of a harmonic's amplitude, px: what noise alone would show.
    """

    phase: tuple[float, ...]
    error: tuple[float, ...]
    spread: tuple[float, ...]
    amplitude: float
    uncertainty: float


@dataclass(frozen=True, slots=True)
class Displacement:
    """What `displacement` found; NaN where there are too few rows.

    Args:
        rows: matches.
        fps: frames a second; 0 if unknown, then times are frames and frequencies cycles a frame.
        bias_x, bias_y: mean errors, px.
        rms_x, rms_y, rms: root mean square errors, px; `rms` of both coordinates together (2-D).
        noise_x, noise_y: standard deviation after each thing's own mean and drift are taken away, px.
        drift_x, drift_y: mean slope of the error, px/s (px/frame without fps).
        drift_uncertainty: standard error of the two, from the noise, if it is white.
        s_x, s_y: dependence on the sub-pixel phase.
        density: the noise at each frequency; None without a long enough stretch.
        tones: vibrations of the truth and how they come out.
    """

    rows: int
    fps: float
    bias_x: float
    bias_y: float
    rms_x: float
    rms_y: float
    rms: float
    noise_x: float
    noise_y: float
    drift_x: float
    drift_y: float
    drift_uncertainty: float
    s_x: SCurve
    s_y: SCurve
    density: NoiseDensity | None
    tones: tuple[Tone, ...]


def displacement(table: Array, fps: float) -> Displacement:
    """Judge the positions.

    Args:
        table: rows of ERROR_DTYPE, by thing and frame.
        fps: frames a second, or 0.
    """
    dx, dy = table["dx"], table["dy"]
    some = len(table) > 0
    time = table["frame"] / (fps or 1.0)
    fit_x, fit_y = line_fits(table["thing"], time, dx), line_fits(table["thing"], time, dy)
    return Displacement(
        rows=len(table),
        fps=fps,
        bias_x=float(dx.mean()) if some else math.nan,
        bias_y=float(dy.mean()) if some else math.nan,
        rms_x=_rms(dx),
        rms_y=_rms(dy),
        rms=math.hypot(_rms(dx), _rms(dy)),
        noise_x=fit_x.noise,
        noise_y=fit_y.noise,
        drift_x=fit_x.drift,
        drift_y=fit_y.drift,
        # Root mean square of both axes'.
        drift_uncertainty=math.hypot(fit_x.uncertainty, fit_y.uncertainty) / math.sqrt(2),
        s_x=s_curve(table["x"], dx),
        s_y=s_curve(table["y"], dy),
        density=noise_density(table, fps),
        tones=tones(table, fps),
    )


def _rms(values: Array) -> float:
    return math.sqrt(float(np.mean(values**2))) if len(values) else math.nan


@dataclass(frozen=True, slots=True)
class Lines:
    """Straight lines through the errors of each thing.

    Args:
        noise: standard deviation about the lines, px.
        drift: mean slope of the things, weighted by how well each is known.
        uncertainty: standard error of the drift.
        slopes: of each thing, in the order of `np.unique`; NaN below two rows.
        residual: what is left of each row.
    """

    noise: float
    drift: float
    uncertainty: float
    slopes: Array
    residual: Array


def line_fits(thing: Array, time: Array, error: Array) -> Lines:
    """Least squares for each thing, all at once; `thing` must be in order."""
    _, who, count = np.unique(thing, return_inverse=True, return_counts=True)
    n = len(count)
    # Centred in each thing: the slope is the sum of t e over that of t^2.
    t = time - (np.bincount(who, time, n) / count)[who]
    e = error - (np.bincount(who, error, n) / count)[who]
    tt, te = np.bincount(who, t * t, n), np.bincount(who, t * e, n)
    # With two rows a line leaves nothing to tell the noise by.
    known = (count >= 3) & (tt > 0)
    slopes = np.where(known, te / np.where(known, tt, 1.0), np.nan)
    residual = e - np.where(known, slopes, 0.0)[who] * t
    freedom = int((count[known] - 2).sum())
    if not freedom:
        return Lines(math.nan, math.nan, math.nan, slopes, residual)
    noise = math.sqrt(float((residual[known[who]] ** 2).sum()) / freedom)
    # Slopes weighted by how well each is known, sum of t^2: their mean is the sum of all t e over that of all t^2.
    weight = float(tt[known].sum())
    return Lines(noise, float(te[known].sum()) / weight, noise / math.sqrt(weight), slopes, residual)


def s_curve(position: Array, error: Array) -> SCurve:
    """The error against the phase of the true position.

    Args:
        position: true x or y, px.
        error: estimate minus truth, px.
    """
    phase = position - np.round(position)
    # The phase 0.5 falls into the last bin.
    place = np.minimum(((phase + 0.5) * PHASES).astype(np.int64), PHASES - 1)
    count = np.bincount(place, minlength=PHASES)
    middle = (np.arange(PHASES) + 0.5) / PHASES - 0.5
    if not len(error):
        nothing = (math.nan,) * PHASES
        return SCurve(tuple(middle.tolist()), nothing, nothing, math.nan, math.nan)
    centred = error - error.mean()
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(place, centred, PHASES) / count
        # E z^2 - (E z)^2; rounding may leave less than 0.
        variance = np.bincount(place, centred**2, PHASES) / count - mean**2
        spread = np.sqrt(np.maximum(variance, 0.0) / np.maximum(count - 1, 1))
    amplitude = uncertainty = math.nan
    if (count > 0).mean() >= COVERED and len(error) > 5:
        # Two harmonics of the pixel and a mean, by least squares.
        turns = 2 * math.pi * phase[:, None] * np.array([1.0, 2.0])
        terms = np.concatenate((np.ones((len(error), 1)), np.sin(turns), np.cos(turns)), axis=1)
        # The pseudo-inverse: phases that all lie on a line leave terms open.
        inverse = np.linalg.pinv(terms.T @ terms)
        found = inverse @ (terms.T @ centred)
        fine = 2 * math.pi * np.linspace(-0.5, 0.5, 201)[:, None] * np.array([1.0, 2.0])
        curve = np.concatenate((np.sin(fine), np.cos(fine)), axis=1) @ found[1:]
        amplitude = float(np.abs(curve).max())
        # Five parameters.
        left = float(((centred - terms @ found) ** 2).sum()) / (len(error) - 5)
        uncertainty = math.sqrt(left * float(np.diag(inverse)[1:].max()))
    return SCurve(tuple(middle.tolist()), tuple(mean.tolist()), tuple(spread.tolist()), amplitude, uncertainty)
