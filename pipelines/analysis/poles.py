"""Natural frequencies and damping ratios: a pole fitted around each peak, to the whole record of all points at once.

Around a resonance the spectra of a record without a window, X of the reference and Y of a point, obey

    Y(f) = (P(r) + c0 + c1 f) X(f) + P(t) + t0 + t1 f + noise,     z = exp(2 pi i f T)
    P(r) = r / (1 - p / z) + conj(r) / (1 - conj(p) / z)

with the pole p = exp((-d + i sqrt(1 - d^2)) w T) of natural frequency w (undamped) and damping ratio d, and its mirror
image at the negative frequency, since motion is real: far from the peak, but no straight line where the band is wide
beside w, or w near 0 or half the rate (taken as one, it pulled w by 3 standard errors). c0, c1 are what farther poles
leave. t, t0, t1 are the swing that was there when the record began and the one that goes on behind its end: with them
there is no leakage, and no resolution that would broaden a narrow peak (Pintelon, Schoukens: System Identification, A
Frequency Domain Approach, 2nd edition, 2012, sections 6.3.2 and 7). Nothing is asked of the reference's spectrum, but
that it has some there.

What is linear is solved for in each point (Golub, Pereyra 1973); w and d, common to all, are found by least squares,
each point by what is left of it; once all are known, each again beside the others, which c0, c1 do not describe to the
last: where there is hardly any noise, poles far outside the band pulled w by 7 standard errors. Noise of different
frequencies knows nothing of each other, that of points may: noise of the reference is in all, and as large as their
response, most at the peak. Standard errors are the larger ones of even noise that points share as what is left of them
is alike, and of what is left at each frequency (White 1980; each by how much of it the linear part has taken, MacKinnon
and White 1985). Neither knows of a second pole in the same peak: what is left follows
the reference then (`Pole.follows`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.analysis.frf import Frf

Array = npt.NDArray[Any]
WIDE = 4.0
"""Half widths of a peak on either side that are fitted, and FEWEST bins of the responses at least."""
FEWEST = 4
POINTS = 12
"""Points and coordinates that are fitted: those that answer most, beside their errors."""
LINEAR = 6
"""Complex numbers that are solved for in each, or pairs of real ones."""
PASSES = 3
"""Fits, each by weights that follow from what the one before left."""
GAIN = 25.0
"""By how many times the noise of a frequency a pole explains more of one point, at least, than none does: chance
explains 2, and wherever it is most some 10. Of points that do not surely answer it is what the reference drives."""
DAMPED = 3.0
"""Standard errors of a damping ratio that is not 0."""
NEAR = 1.0
"""Bins from its own peak that a pole of points that do not surely answer lies within: such a peak is no wider than what
leakage makes of a line."""
ALIKE = 1e-7
"""Of the largest singular value: what other poles and the smooth part do apart from each other counts from here on.
Far poles are all but smooth, and rounding would make up the rest: other at each step of a derivative."""
ROUNDED = 0.1
"""Mean square of what is left below which it is rounding: less than 1e-9 of the largest is taken for that."""
FOLLOWS = 4.0
"""`Pole.follows` from which on one pole is not all that there is; noise stays within some 2."""
TAKEN = 0.05
"""Least part of a frequency that counts as left by the linear part."""
RISE, SURE = 3.0, 4.0
"""dB that a peak is above both of its sides, so many standard errors added to both."""


@dataclass(frozen=True, slots=True)
class Pole:
    """One resonance.

    Args:
        frequency: undamped natural frequency, Hz.
        frequency_error: standard error, Hz.
        damping: ratio to critical damping.
        damping_error: standard error.
        band: (from, to) Hz that were fitted.
        point: index of the point and coordinate that answers most at the peak.
        follows: by how many of its standard deviations what is left still follows the reference in the same way from
            one frequency to the next.
    """

    frequency: float
    frequency_error: float
    damping: float
    damping_error: float
    band: tuple[float, float]
    point: tuple[int, int]
    follows: float = 0.0

    @property
    def alone(self) -> bool:
        """Whether what points do in the band is this pole and what is smooth, as far as the noise tells."""
        return self.follows < FOLLOWS

    @property
    def damped(self) -> bool:
        """Whether there is damping at all: what has none is a tone that something else drives."""
        return self.damping > DAMPED * self.damping_error


def tops_of(frf: Frf, most: int = 8) -> list[int]:
    """Bins at which the points answer most, rising: peaks of the sum of |H|^2, each by its coherence."""
    from scipy import signal  # not above: it takes long to import

    power = np.square(np.abs(frf.response))
    others = frf.error > 0
    # Only what the responses do together counts, less chance: SURE standard errors are added to both sides of a peak,
    # so that noise makes it flat.
    whole = (power * frf.coherence * others).sum(axis=(0, 1))
    spread = 2.0 * np.sqrt((np.square(frf.error) * (power + np.square(frf.error)) * others).sum(axis=(0, 1)))
    level = 10.0 * np.log10(np.maximum(whole + SURE * spread, 1e-300))
    tops, facts = signal.find_peaks(level, prominence=RISE)
    return sorted(tops[np.argsort(-facts["prominences"], kind="stable")[:most]].tolist())


def pole_of(
    frf: Frf, top: int, tops: list[int], places: Array, reference: Array, known: Sequence[Pole] = (),
    first: Pole | None = None,
) -> Pole | None:  # fmt: skip
    """The pole of a peak; None where none fits.

    Args:
        frf: the responses.
        top: bin of the peak.
        tops: bins of all peaks: the band ends between them.
        places, reference: of which the responses are, as `frf_of` took them.
        known: other poles, which are fitted beside it: the nearest ones that the band's bins suffice for.
        first: what it was without them, from where it is searched for; None: from what the peak looks like.
    """
    from scipy import optimize  # not above: it takes long to import

    (low, high), wide = _band(frf, top, tops)
    # Bins of the whole record, finer than those of the averaged responses: one segment's leakage is not in them.
    step = 1.0 / (len(reference) * frf.interval)
    bins = np.arange(math.ceil(low / step), math.floor(high / step) + 1)
    middle, half = float(frf.frequencies[top]), 0.5 * (high - low)
    room = (len(bins) // 2 - 1 - LINEAR) // 2  # for two numbers of each other pole
    if room < 0:
        return None
    beside = sorted(known, key=lambda one: abs(one.frequency - middle))[:room]
    points, axes, sure = _chosen(frf, top)
    # Spectra of all that is fitted, at the bins of the band alone.
    x, *y = (np.fft.rfft(one - one.mean())[bins] for one in (reference, *places[points, axes]))
    y = [one for one in y if np.abs(one).max() > 0.0]
    if not y:  # nothing responds significantly, and the first point does not move
        return None
    spectra = np.stack(y)
    strongest = np.abs(spectra).max(axis=1)
    # i w T at each bin: what follows is in sampled time.
    turn = 2.0j * math.pi * frf.interval * step * bins

    def swing(unknown: Array) -> list[Array]:
        # A real one: what its pole gets at a frequency, the mirror image gets as the conjugate at the negative one.
        power = _exponent(unknown) * frf.interval
        one, mirrored = (1.0 / (1.0 - np.exp(p - turn)) for p in (power, power.conjugate()))
        return [one + mirrored, 1.0j * (one - mirrored)]

    # A constant and a slope across the band, with any phase: what all modes beyond it do together.
    smooth = [np.ones(len(bins)), (step * bins - middle) / half]
    plain = [*smooth, *(1.0j * one for one in smooth)]
    plain += [part for one in beside for part in swing(np.array((one.frequency, math.log(one.damping))))]

    def split(parts: list[Array]) -> Array:
        """What the reference drives of them and what swings by itself, each of unit size: real parts, then others."""
        both = np.stack(parts, axis=1)
        # A record that begins and ends anywhere leaves a transient of the same poles that does not depend on the
        # reference (leakage): the columns without x.
        columns = np.concatenate((both * x[:, None], both * np.abs(x).mean()), axis=1)
        return np.asarray(np.concatenate((columns.real, columns.imag)) / np.linalg.norm(columns, axis=0))

    # Directions that rounding alone tells apart are left out.
    across, large, _ = np.linalg.svd(split(plain), full_matrices=False)
    fixed = across[:, large > ALIKE * large[0]]
    linear = fixed.shape[1] // 2 + 2  # complex numbers, with those of the pole itself
    whole = np.concatenate((spectra.real, spectra.imag), axis=1).T
    # Variable projection (Golub, Pereyra, SIAM J. Numer. Anal. 10, 1973): linear amounts are solved for at each step,
    # and only frequency and damping are searched.
    apart = whole - fixed @ (fixed.T @ whole)

    def basis(unknown: Array, driven: bool = True) -> Array:
        """Of what the pole adds to the linear part, whose numbers are real, orthonormal to that and in itself: real
        parts, then imaginary ones; not `driven`: of one that the reference does not drive."""
        columns = split(swing(unknown))[:, 0 if driven else 2 :]
        for _ in range(2):  # once leaves what rounding makes where the two are nearly alike
            columns = columns - fixed @ (fixed.T @ columns)
        return np.asarray(np.linalg.qr(columns)[0])

    def left(unknown: Array | None, driven: bool = True) -> Array:
        """What the best linear part leaves of each, (points, bins); None: of one without a pole."""
        part = apart[:, :0] if unknown is None else basis(unknown, driven)
        rests = (apart - part @ (part.T @ apart)).T
        return np.asarray(rests[:, : len(bins)] + 1.0j * rests[:, len(bins) :])

    # The damping ratio by its logarithm: it is positive, and known to a share of itself.
    least, most = (low, math.log(1e-6)), (high, math.log(0.7))
    lines = 1.0 / (frf.segment * frf.interval)
    # Half the width of the peak, less what a Hann window's leakage adds, by the frequency is the damping ratio.
    unknown = np.array((middle, math.log(max(0.5 * wide - 0.7 * lines, 0.1 * lines) / middle)))
    if first is not None:
        unknown = np.array((first.frequency, math.log(first.damping)))
    unknown[1] = min(max(unknown[1], least[1] + 1.0), most[1] - 0.1)
    for _ in range(PASSES):
        # Each point's noise is what the fit before leaves of it.
        sizes = np.sqrt(np.square(np.abs(left(unknown))).sum(axis=1) / (len(bins) - linear))
        sizes = np.maximum(sizes, 1e-9 * strongest)[:, None]

        def rest(unknown: Array, sizes: Array = sizes) -> Array:
            parts = (left(unknown) / sizes).ravel()
            return np.concatenate((parts.real, parts.imag))

        found = optimize.least_squares(rest, unknown, bounds=(least, most), x_scale=(half, 1.0), xtol=1e-10)
        unknown = found.x
    # A peak of which no point is sure has to be as narrow as a line; one that ends at a bound is no fit.
    near = sure or abs(unknown[0] - middle) < NEAR * lines
    within = 0.01 * half < unknown[0] - low < 1.99 * half
    inside = near and within and least[1] + 0.01 < unknown[1] < most[1] - 0.01
    before, after = (np.square(np.abs(ones) / sizes).sum(axis=1)
                     for ones in (left(None) if sure else left(unknown, driven=False), left(unknown)))  # fmt: skip
    gained = float((before - after).max())
    # The residuals of the solver are real parts, then imaginary ones.
    lasting = (np.array((1.0, 1.0j)) @ found.fun.reshape(2, -1)).reshape(len(y), len(bins))
    # The share of each bin that linear part and pole have taken: the diagonal of the hat matrix.
    taken = np.square(fixed).sum(axis=1) + np.square(basis(unknown)).sum(axis=1)
    errors = _errors(found.jac, lasting, 0.5 * taken.reshape(2, -1).sum(axis=0))
    if found.status < 1 or not inside or errors is None or gained < GAIN:
        return None
    size = np.abs(frf.response[..., top]) * (frf.error[..., top] > 0)
    point = np.unravel_index(int(np.argmax(size)), size.shape)
    damping = math.exp(unknown[1])
    return Pole(float(unknown[0]), errors[0], damping, damping * errors[1], (low, high),
                (int(point[0]), int(point[1])), _follows(lasting, x))  # fmt: skip


def _exponent(unknown: Array) -> complex:
    """The pole's exponent, 1/s, of a natural frequency in Hz and the logarithm of a damping ratio."""
    damping = math.exp(float(unknown[1]))
    return 2.0 * math.pi * float(unknown[0]) * complex(-damping, math.sqrt(1.0 - damping * damping))


def _errors(jacobian: Array, rest: Array, taken: Array) -> tuple[float, float] | None:
    """Standard errors of both unknowns; None where one of them does nothing.

    Args:
        jacobian: (2 P F, 2), of the real parts of all points at all frequencies, then of imaginary ones.
        rest: complex (P, F), what is left of P points at F frequencies, of a mean square of 1.
        taken: (F,) which part of what there was the linear part has taken; its sum is the number of unknowns in it.
    """
    steep = jacobian.T @ jacobian
    scale = np.sqrt(np.diag(steep))
    if not (scale > 0).all() or not np.linalg.cond(steep / np.outer(scale, scale)) < 1e8:
        return None
    points, bins = rest.shape
    real, imaginary = jacobian.reshape(2, points, bins, 2)
    slope = real + 1j * imaginary
    # The linear part and the unknowns have taken a part of what there was.
    shared = rest @ np.conj(rest.T) / max(bins - float(taken.sum()) - 1.0 / points, 1.0)
    # Errors that are correlated between points and alike at all frequencies.
    even = 0.5 * np.einsum("ikq,ij,jku->qu", np.conj(slope), shared, slope).real
    # Errors that differ from frequency to frequency (a sandwich estimate), each brought back by what the fit took of
    # it.
    push = (np.conj(slope) * rest[..., None]).sum(axis=0) / np.sqrt(np.maximum(1.0 - taken, TAKEN))[:, None]
    uneven = 0.5 * (np.conj(push.T) @ push).real * bins / (bins - 1.0 / points)
    across = np.linalg.inv(steep)
    # The larger of both standard errors counts.
    squares = np.maximum(*(np.diag(across @ pushed @ across) for pushed in (even, uneven)))
    first, second = np.sqrt(squares).tolist()
    return first, second


def _follows(rest: Array, x: Array) -> float:
    """`Pole.follows` of what is left of points (P, F) beside the spectrum of the reference (F,)."""
    if np.square(np.abs(rest)).mean() < ROUNDED:  # of 1
        return 0.0
    # Beside the phase of the reference what another pole leaves goes on from bin to bin; noise turns at random.
    turned = rest * np.conj(x) / np.maximum(np.abs(x), 1e-300)
    alike = (turned[:, 1:] * np.conj(turned[:, :-1])).sum(axis=0)
    size = math.sqrt(0.5 * float(np.square(np.abs(alike)).sum()))
    return float(alike.real.sum()) / size if size > 0 else 0.0


def _band(frf: Frf, top: int, tops: list[int]) -> tuple[tuple[float, float], float]:
    """From where to where it is fitted, and the width of the peak where it has half its power, Hz."""
    power = (np.square(np.abs(frf.response)) * frf.coherence * (frf.error > 0)).sum(axis=(0, 1))
    # Bands of neighbouring peaks meet in the valley between them.
    ends = [0, len(power)]
    for other in tops:
        if other != top:
            low, high = sorted((top, other))
            valley = low + int(np.argmin(power[low : high + 1]))
            ends = [max(ends[0], valley), ends[1]] if other < top else [ends[0], min(ends[1], valley + 1)]
    sides = []
    for way in (-1, 1):
        # Down to half the power on either side, interpolated linearly between the last two bins.
        k = top
        while ends[0] < k < ends[1] - 1 and power[k] > 0.5 * power[top]:
            k += way
        before = power[k - way] if k != top else power[top]
        part = (before - 0.5 * power[top]) / max(before - power[k], 1e-300) if power[k] < 0.5 * power[top] else 1.0
        sides.append(abs(k - way - top) + part)
    reach = max(FEWEST, math.ceil(WIDE * max(sides)))
    step = float(frf.frequencies[1] - frf.frequencies[0])
    first, last = max(min(ends[0], top - 1), top - reach), min(max(ends[1] - 1, top + 1), top + reach)
    first, last = max(first, 0), min(last, len(power) - 1)
    return (float(frf.frequencies[first]), float(frf.frequencies[last])), step * sum(sides)


def _chosen(frf: Frf, top: int) -> tuple[Array, Array, bool]:
    """Points and coordinates that answer most at a peak, beside their errors, and whether any surely does."""
    size, error = np.abs(frf.response[..., top]), frf.error[..., top]
    sure = np.where(error > 0, size / np.maximum(error, 1e-300), 0.0)
    # Leakage leaves nothing sure of a resonance that lasts longer than a segment; what answers most is tried then.
    some = bool((sure > 3.0).any())
    answers = size * (sure > 3.0 if some else error > 0)
    order = np.argsort(-answers.ravel(), kind="stable")[:POINTS]
    order = order[(sure.ravel()[order] > 3.0) | (np.arange(len(order)) == 0)]
    points, axes = np.unravel_index(order, size.shape)
    return points, axes, some


def poles_of(frf: Frf, tops: list[int], places: Array, reference: Array) -> list[Pole]:
    """The poles of all peaks, rising; of several that are one the surest.

    Args:
        frf: the responses.
        tops: bins of the peaks.
        places, reference: of which the responses are, as `frf_of` took them.
    """
    found = [(top, pole) for top in tops if (pole := pole_of(frf, top, tops, places, reference)) is not None]
    known = _different(found)
    others = [[one for _, one in known if one is not pole] for _, pole in known]
    again = [(top, pole_of(frf, top, tops, places, reference, beside, pole) or pole)
             for (top, pole), beside in zip(known, others, strict=True)] if len(known) > 1 else known  # fmt: skip
    return sorted((pole for _, pole in _different(again)), key=lambda one: one.frequency)


def _different(found: Sequence[tuple[int, Pole]]) -> list[tuple[int, Pole]]:
    """Of several peaks' poles that are one the surest."""
    kept: list[tuple[int, Pole]] = []
    for top, pole in sorted(found, key=lambda one: one[1].frequency_error):
        if all(abs(pole.frequency - other.frequency) > max(3.0 * pole.frequency_error, other.damping * other.frequency)
               for _, other in kept):  # fmt: skip
            kept.append((top, pole))
    return kept
