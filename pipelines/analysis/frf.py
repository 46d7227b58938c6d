"""Frequency response functions and coherence of points beside a reference, at all frequencies, with errors.

Welch's averages of Hann segments that overlap by half (`scipy.signal`). With the reference X and a point Y

    H1 = S_xy / S_xx,    H2 = S_yy / S_yx,    coherence = |S_xy|^2 / (S_xx S_yy)

H1 is right where the noise is in the point, H2 where it is in the reference; what is true lies between them. Bendat,
Piersol: Random Data, 4th edition, 2010, sections 9.1 and 9.2: of n independent averages the standard error of |H| is

    |H| sqrt((1 - coherence) / (2 n coherence))

(here n - 1: one complex number was fitted), that of the phase as many radians as that is of |H|, and the coherence is
distributed so that atanh of its root has the variance 1 / (2 n - 2) and is 1 / (2 n - 2) too large; without any
relation it stays below 1 - 0.05^(1 / (n - 1)) in 95 of 100 cases. Overlapping segments know of each other: n is as many
as would scatter alike (Welch 1967). All of that holds where H changes little within a bin; `pipelines.analysis.poles`
does not need that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Estimator = Literal["h1", "h2"]
SEGMENTS = 4
"""Segments at least that errors are told from."""


@dataclass(frozen=True, slots=True)
class Frf:
    """Responses (P, 2, F) of points and coordinates, at F frequencies.

    Args:
        frequencies: (F,) Hz.
        response: complex, px by the reference's unit.
        error: standard error of each of its quadratures.
        coherence: 0..1; 1 of the reference itself.
        averages: as many independent ones as the segments are worth.
        segment: frames in a segment.
        interval: s between frames.
        estimator: of which they are.
    """

    frequencies: Array
    response: Array
    error: Array
    coherence: Array
    averages: float
    segment: int
    interval: float
    estimator: Estimator = "h1"

    @property
    def phase(self) -> Array:
        """Ahead of the reference, degrees, -180..180."""
        return np.asarray(np.degrees(np.angle(self.response)))

    @property
    def phase_error(self) -> Array:
        """Standard error, degrees; 180 at most: a phase that is unknown."""
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.degrees(self.error / np.abs(self.response))
        return np.asarray(np.where(self.error > 0, np.fmin(error, 180.0), self.error))

    @property
    def coherence_interval(self) -> tuple[Array, Array]:
        """Ends of the 95 % interval of the coherence."""
        # Fisher's z: arctanh of the coherence's root is nearly normal, of a variance that depends on the averages
        # alone.
        wide = 1.0 / (2.0 * self.averages - 2.0)
        with np.errstate(divide="ignore"):
            middle = np.arctanh(np.sqrt(self.coherence)) - wide
        low, high = (np.square(np.tanh(np.maximum(middle + side * 1.96 * np.sqrt(wide), 0.0))) for side in (-1, 1))
        return np.asarray(low), np.asarray(high)

    @property
    def chance(self) -> float:
        """What the coherence of nothing stays below in 95 of 100 cases."""
        return float(1.0 - 0.05 ** (1.0 / (self.averages - 1.0)))


def frf_of(
    places: Array, reference: Array, interval: float, segment: int, estimator: Estimator = "h1", limit: float = np.inf,
    own: tuple[int, int] | None = None,
) -> Frf:  # fmt: skip
    """Responses of points to a reference.

    Args:
        places: (P, 2, N) px, evenly sampled.
        reference: (N,).
        interval: s.
        segment: frames in a segment, even.
        estimator: which one.
        limit: Hz, above which nothing is told.
        own: point and coordinate that are the reference itself, if one is.

    Raises:
        ValueError: fewer than SEGMENTS segments, fewer than two bins up to `limit`, or a reference that does not move.
    """
    from scipy import signal  # not above: it takes long to import

    # Segments overlap by half, as suits a Hann window.
    count = len(reference) // (segment // 2) - 1
    if count < SEGMENTS:
        raise ValueError(f"{len(reference)} frames make {max(count, 0)} segments of {segment} frames, of which "
                         f"{SEGMENTS} are needed")  # fmt: skip
    how = {"fs": 1.0 / interval, "window": "hann", "nperseg": segment, "noverlap": segment // 2, "detrend": "constant"}
    frequencies, base = signal.welch(reference, **how)
    if not float(np.max(base[1:])) > 1e-24 * max(float(np.square(reference).max()), 1e-300):
        raise ValueError("the reference does not move")
    _, power = signal.welch(places, **how)
    _, cross = signal.csd(reference, places, **how)
    kept = slice(1, int(np.searchsorted(frequencies, min(limit, 0.5 / interval * (1 - 1e-9)), "right")))
    base, power, cross = base[kept], power[..., kept], cross[..., kept]
    if len(base) < 2:
        raise ValueError(f"bins of {frequencies[1]:.4g} Hz leave {len(base)} of them up to {limit:.4g} Hz, up to which "
                         "the reference is known; 2 are needed: give a finer resolution, or a faster reference")
    with np.errstate(divide="ignore", invalid="ignore"):
        coherence = np.clip(np.nan_to_num(np.square(np.abs(cross)) / (base * power)), 0.0, 1.0)
        # H1 takes noise for the responses', H2 for the reference's.
        response = cross / base if estimator == "h1" else np.nan_to_num(power / np.conj(cross))
    averages = worth(count, segment)
    # Bendat, Piersol: Random Data, section 9.2.
    error = np.abs(cross / base) * np.sqrt((1.0 - coherence) / (2.0 * (averages - 1.0) * np.maximum(coherence, 1e-12)))
    if estimator == "h2":
        error = error / np.maximum(coherence, 1e-12)
    if own is not None:
        response[own], error[own], coherence[own] = 1.0, 0.0, 1.0
    return Frf(frequencies[kept], response, error, coherence, averages, segment, interval, estimator)


def worth(count: int, segment: int) -> float:
    """As many independent segments as `count` Hann segments that overlap by half are worth (Welch 1967)."""
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(segment) / segment)
    alike = float((window[: segment // 2] * window[segment // 2 :]).sum() / np.square(window).sum()) ** 2
    return count / (1.0 + 2.0 * (1.0 - 1.0 / count) * alike)
