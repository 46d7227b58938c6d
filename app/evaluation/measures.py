"""The measures in words: groups of (name, value, what it means), for tables on a terminal and on a page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipelines.evaluation.calibration import NORMAL_COVERAGE, Calibration, calibration
from pipelines.evaluation.complete import Evaluation


@dataclass(frozen=True, slots=True)
class Measure:
    """One line.

    Args:
        name: as the field calls it.
        value: with its unit.
        means: a few words.
    """

    name: str
    value: str
    means: str


def number(value: float, digits: int = 4, unit: str = "") -> str:
    """`value` with so many decimals; "-" for what is not known.

    >>> number(0.98765, 3), number(float("nan")), number(0.5, 2, "px")
    ('0.988', '-', '0.50 px')
    """
    return f"{value:.{digits}f}{' ' if unit else ''}{unit}" if math.isfinite(value) else "-"


def small(value: float, unit: str) -> str:
    """`value` with three significant digits.

    >>> small(0.000123456, "px/rtHz"), small(123.4, "Hz"), small(0.0, "px")
    ('0.000123 px/rtHz', '123 Hz', '0 px')
    """
    return f"{value:.3g} {unit}" if math.isfinite(value) else "-"


def groups(found: Evaluation) -> Iterator[tuple[str, list[Measure]]]:
    """All measures by family."""
    clear, ids, h, c = found.clear, found.identity, found.hota, found.challenge
    yield f"CLEAR MOT (matches within {found.gate:g} px)", [
        Measure("MOTA", number(clear.mota), "1 - (misses + false + switches) / truth"),
        Measure("MOTP", number(clear.motp, unit="px"), "mean distance of the matches"),
        Measure("recall", number(clear.recall), f"{clear.matches} matched, {clear.misses} missed"),
        Measure("precision", number(clear.precision), f"{clear.false} false"),
        Measure("id switches", str(clear.id_switches), "a thing goes on under another id"),
        Measure("fragmentations", str(clear.fragmentation), "a thing is found again after a gap"),
        Measure("MT / PT / ML", f"{clear.mostly_tracked} / {clear.partially_tracked} / {clear.mostly_lost}",
                "things seen in at least 80 %, less, less than 20 % of their frames"),
    ]  # fmt: skip
    yield (
        "identity",
        [
            Measure("IDF1", number(ids.idf1), "one track a thing for the whole clip"),
            Measure("IDP", number(ids.idp), "of the tracks' rows"),
            Measure("IDR", number(ids.idr), "of the truth's rows"),
        ],
    )
    yield (
        f"HOTA (similarity 1 - distance / {h.limit:g} px)",
        [
            Measure("HOTA", number(h.hota), "mean over the thresholds 0.05 ... 0.95"),
            Measure("DetA", number(h.det_a), f"detection (recall {number(h.det_re)}, precision {number(h.det_pr)})"),
            Measure("AssA", number(h.ass_a), f"association (recall {number(h.ass_re)}, precision {number(h.ass_pr)})"),
            Measure("LocA", number(h.loc_a), "localisation"),
        ],
    )
    yield f"particle tracking challenge (epsilon {c.epsilon:g} px)", [
        Measure("alpha", number(c.alpha), "1 - distance to the truth, relative"),
        Measure("beta", number(c.beta), f"with a penalty for spurious tracks ({c.spurious})"),
        Measure("JSC", number(c.jsc), f"points: {c.matching} match, {c.missed_points} missed, "
                f"{c.spurious_points} spurious"),
        Measure("JSC_theta", number(c.jsc_theta), f"tracks: {c.paired} paired, {c.missed} missed, {c.spurious} "
                "spurious"),
        Measure("RMSE", number(c.rmse, unit="px"), "of the points that match"),
    ]  # fmt: skip
    yield from _positions(found)
    yield from _calibration(found)


def _positions(found: Evaluation) -> Iterator[tuple[str, list[Measure]]]:
    d = found.displacement
    second, hertz = ("s", "Hz") if d.fps else ("frame", "cycles/frame")
    root = "sqrt(Hz)" if d.fps else "sqrt(cycles/frame)"
    lines = [
        Measure("bias", _both(d.bias_x, d.bias_y, "+"), "mean of estimate - truth"),
        Measure("RMS", f"{_both(d.rms_x, d.rms_y)}; {number(d.rms, unit='px')}", "each; both together (2-D)"),
        Measure("noise", _both(d.noise_x, d.noise_y), "about each thing's own offset and drift"),
        Measure("drift", f"x {d.drift_x:+.2g}, y {d.drift_y:+.2g} px/{second}" if math.isfinite(d.drift_x) else "-",
                f"+- {small(d.drift_uncertainty, f'px/{second}')}"),
        Measure("S-curve", _both(d.s_x.amplitude, d.s_y.amplitude), _s_words(found)),
    ]  # fmt: skip
    if d.density is not None:
        band = f"median over {d.density.frequency[0]:.3g} to {d.density.frequency[-1]:.4g} {hertz}"
        floor = f"x {d.density.floor_x:.3g}, y {d.density.floor_y:.3g} px/{root}"
        lines.append(Measure("noise density", floor, band))
    for tone in d.tones:
        spread = f" +- {100 * tone.uncertainty:.2g}" if math.isfinite(tone.uncertainty) else ""
        lines.append(Measure(f"tone {tone.frequency:.4g} {hertz}, {tone.axis}",
                             f"{100 * tone.amplitude_error:+.2f}{spread} %",
                             f"amplitude error, of {tone.amplitude:.3g} px; phase {tone.phase_error:+.2f} deg; "
                             f"{tone.things} thing{'s' if tone.things != 1 else ''}"))  # fmt: skip
    yield "displacement", lines


def _both(x: float, y: float, sign: str = "") -> str:
    known = [f"{name} {value:{sign}.4f}" for name, value in (("x", x), ("y", y)) if math.isfinite(value)]
    return f"{', '.join(known)} px" if known else "-"


def _s_words(found: Evaluation) -> str:
    curves = (found.displacement.s_x, found.displacement.s_y)
    known = [curve.uncertainty for curve in curves if math.isfinite(curve.uncertainty)]
    if not known:
        return "too few sub-pixel phases occur to tell"
    return f"largest error by sub-pixel phase, +- {max(known):.2g} px"


def guess_words(found: Evaluation) -> list[Measure]:
    """How wrong predicted places are, and whether their sigma is true; nothing where there are none."""
    rows = found.guesses
    if not len(rows):
        return []
    cal = calibration(rows)
    rms = math.sqrt(float(np.mean(rows["dx"] ** 2 + rows["dy"] ** 2)))
    trust = f"variance of z {number(cal.variance, 2)}, {100 * cal.coverage[1]:.0f} % within 2 sigma" if cal.rows else (
        "they state no sigma")  # fmt: skip
    return [Measure("guesses", number(rms, unit="px"), f"RMSE of {len(rows)} predicted places, unseen; {trust}")]


def _scatter(cal: Calibration) -> str:
    """By how much the variance of z would differ with other things."""
    return f"; standard error {number(cal.variance_error, 2)}" if math.isfinite(cal.variance_error) else ""


def _calibration(found: Evaluation) -> Iterator[tuple[str, list[Measure]]]:
    cal = found.calibration
    if not cal.rows:
        yield "uncertainty", [Measure("sigma", "-", "the tracks state none"), *guess_words(found)]
        return
    parts = (f"{100 * share:.1f}" for share in cal.coverage)
    normal = " / ".join(f"{100 * share:.1f}" for share in NORMAL_COVERAGE)
    lines = [
        Measure("variance of z", number(cal.variance, 3), "z = (estimate - truth) / sigma; 1 is right: "
                f"x {number(cal.variance_x, 2)}, y {number(cal.variance_y, 2)}{_scatter(cal)}"),
        Measure("mean of z", f"x {cal.mean_x:+.3f}, y {cal.mean_y:+.3f}", "0 is right"),
        Measure("coverage", f"{' / '.join(parts)} %", f"within 1 / 2 / 3 sigma; normal: {normal} %"),
    ]
    if cal.without:
        lines.append(Measure("without sigma", str(cal.without), "matches that state none, left out"))
    yield "uncertainty", [*lines, *guess_words(found)]
