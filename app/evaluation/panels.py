"""The panels of the figure, one function each."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from app.evaluation.axes import Axes, Place, log_span, span
from app.exports.drawing import GREY, PALETTE, WHITE, Colour
from app.exports.shapes import Box, Shape, Words
from pipelines.evaluation.complete import Evaluation
from pipelines.evaluation.displacement import SCurve
from pipelines.evaluation.hota import ALPHAS

Array = npt.NDArray[Any]
X, Y = PALETTE[0], PALETTE[1]
"""Colours of the two coordinates."""
BINS = 61
MOST_THINGS = 40
"""Rows of the timeline."""


def over_time(found: Evaluation, place: Place) -> list[Shape]:
    """Errors against time, and the stated uncertainty."""
    table = found.errors
    time, label = _time(found, table["frame"])
    both = np.concatenate((table["dx"], table["dy"]))
    limits = _middle(both, 0.002)
    axes = Axes(place, "errors over time", label, "estimate - truth (px)", span(time, 0.0), limits)
    order = np.argsort(time, kind="stable")
    axes.dots(time[order], table["dx"][order], X)
    axes.dots(time[order], table["dy"][order], Y)
    known = order[np.isfinite(table["sigma"][order])]
    if len(known) >= 50:
        parts = np.array_split(known, 50)
        middle = np.array([time[part].mean() for part in parts])
        sigma = np.array([math.sqrt(float(np.mean(table["sigma"][part] ** 2))) for part in parts])
        for sign in (-1, 1):
            axes.line(middle, sign * sigma, WHITE, 1.0)
        axes.note("white: +- stated sigma")
    axes.key((("x", X), ("y", Y)))
    return axes.parts


def histogram(found: Evaluation, place: Place) -> list[Shape]:
    """How errors are distributed, beside the normal curve of the same spread."""
    table = found.errors
    low, high = _middle(np.concatenate((table["dx"], table["dy"])), 0.002)
    edges = np.linspace(low, high, BINS + 1)
    heights = []
    for name in ("dx", "dy"):
        count = np.histogram(table[name], edges)[0] / max(1, len(table))
        heights.append(count / (edges[1] - edges[0]))
    top = float(np.max(heights, initial=0.0)) * 1.1 or 1.0
    axes = Axes(place, "distribution of errors", "estimate - truth (px)", "density (1/px)", (low, high), (0.0, top))
    for height, colour, name in zip(heights, (X, Y), ("dx", "dy"), strict=True):
        axes.line(np.repeat(edges, 2)[1:-1], np.repeat(height, 2), colour)
        if len(table) > 2 and table[name].std() > 0:
            normal = NormalDist(float(table[name].mean()), float(table[name].std()))
            fine = np.linspace(low, high, 200)
            axes.line(fine, [normal.pdf(v) for v in fine.tolist()], _dim(colour), 0.9)
    axes.note("thin: normal with the same mean and spread")
    axes.key((("x", X), ("y", Y)))
    return axes.parts


def s_curves(found: Evaluation, place: Place) -> list[Shape]:
    """The error against the sub-pixel phase."""
    curves: tuple[tuple[SCurve, Colour], ...] = (
        (found.displacement.s_x, X),
        (found.displacement.s_y, Y),
    )
    every = np.concatenate(
        [np.add(curve.error, np.multiply(sign, curve.spread)) for curve, _ in curves for sign in (-1.0, 1.0)]
    )
    axes = Axes(place, "S-curve", "sub-pixel phase of the truth (px)", "mean error (px)", (-0.5, 0.5), span(every))
    axes.line((-0.5, 0.5), (0.0, 0.0), GREY, 0.8)
    for curve, colour in curves:
        phase, error, spread = (np.array(v) for v in (curve.phase, curve.error, curve.spread))
        axes.line(phase, error, colour)
        axes.bars(phase, error - spread, error + spread, colour)
        axes.dots(phase, error, colour, 2.0)
    for line, (curve, name) in enumerate(((found.displacement.s_x, "x"), (found.displacement.s_y, "y"))):
        words = f"{curve.amplitude:.4f} +- {curve.uncertainty:.2g} px" if math.isfinite(curve.amplitude) else "-"
        axes.note(f"{name}: {words}", line)
    axes.key((("x", X), ("y", Y)))
    return axes.parts


def spectrum(found: Evaluation, place: Place) -> list[Shape]:
    """The noise density; vibrations of the truth are marked."""
    density, hertz = found.displacement.density, "Hz" if found.displacement.fps else "cycles/frame"
    if density is None:
        axes = Axes(place, "noise density", f"frequency ({hertz})", "", (0.0, 1.0), (0.0, 1.0))
        axes.note("no stretch without a gap is long enough (16 frames)")
        return axes.parts
    frequency, x, y = np.array(density.frequency), np.array(density.x), np.array(density.y)
    axes = Axes(place, "noise density", f"frequency ({hertz})", f"px / sqrt({hertz})",
                (float(frequency[0]), float(frequency[-1])), log_span(np.concatenate((x, y))), "xy")  # fmt: skip
    for tone in found.displacement.tones:
        if frequency[0] <= tone.frequency <= frequency[-1]:
            px = float(axes.at(tone.frequency, 1.0)[0])
            axes.parts.append(Box(px, place.y, 0.8, place.height, _dim(X if tone.axis == "x" else Y)))
    axes.line(frequency, x, X)
    axes.line(frequency, y, Y)
    axes.note(f"medians: x {density.floor_x:.3g}, y {density.floor_y:.3g}; {density.stretches} stretches of "
              f"{density.length} frames")  # fmt: skip
    axes.key((("x", X), ("y", Y)))
    return axes.parts


def reliability(found: Evaluation, place: Place) -> list[Shape]:
    """Stated against observed coverage."""
    cal = found.calibration
    axes = Axes(place, "reliability of sigma", "errors that should lie within", "errors that do",
                (0.0, 1.0), (0.0, 1.0))  # fmt: skip
    axes.line((0, 1), (0, 1), GREY, 0.8)
    if not cal.rows:
        axes.note("the tracks state no uncertainty")
        return axes.parts
    axes.line((0, *cal.nominal, 1), (0, *cal.observed, 1), PALETTE[4], 1.4)
    axes.dots(cal.nominal, cal.observed, PALETTE[4], 2.2)
    scatter = f" ± {cal.variance_error:.2f}" if math.isfinite(cal.variance_error) else ""
    axes.note(f"variance of (estimate - truth)/sigma: {cal.variance:.2f}{scatter}")
    axes.note("above the line: sigma is too large; below: too small", 1)
    return axes.parts


def stated_sigma(found: Evaluation, place: Place) -> list[Shape]:
    """Stated against observed errors, by rising sigma."""
    cal = found.calibration
    stated, observed = np.array(cal.sigma_stated), np.array(cal.sigma_observed)
    ends = log_span(np.concatenate((stated, observed)))
    axes = Axes(place, "stated and observed error", "stated sigma (px)", "observed (px)", ends, ends, "xy")
    axes.line(ends, ends, GREY, 0.8)
    if len(stated):
        axes.line(stated, observed, PALETTE[4], 1.4)
        axes.dots(stated, observed, PALETTE[4], 2.6)
        axes.note("root mean squares in bins of equal count")
    else:
        axes.note("too few matches state an uncertainty")
    return axes.parts


def thresholds(found: Evaluation, place: Place) -> list[Shape]:
    """HOTA and its parts at each threshold of the similarity."""
    axes = Axes(place, "HOTA by threshold", f"similarity (1 - distance / {found.hota.limit:g} px) at least", "",
                (0.0, 1.0), (0.0, 1.02))  # fmt: skip
    names = (("hota", "HOTA", WHITE), ("det_a", "DetA", PALETTE[0]), ("ass_a", "AssA", PALETTE[4]))
    for name, _, colour in names:
        axes.line(ALPHAS, found.hota.by_alpha[name], colour, 1.4)
    axes.key(tuple((words, colour) for _, words, colour in names))
    return axes.parts


def distances(found: Evaluation, place: Place) -> list[Shape]:
    """Which share of the matches is nearer than a distance."""
    distance = np.sort(np.hypot(found.errors["dx"], found.errors["dy"]))
    low, high = log_span(distance)
    axes = Axes(place, "distances", "distance to the truth (px)", "share of the matches within",
                (max(low, high / 1e4), high), (0.0, 1.02), "x")  # fmt: skip
    if len(distance):
        share = np.linspace(0.0, 1.0, 201)
        axes.line(np.maximum(np.quantile(distance, share), 1e-12), share, PALETTE[4], 1.4)
        median, most = (float(np.quantile(distance, q)) for q in (0.5, 0.95))
        axes.note(f"median {median:.3g} px, 95 % within {most:.3g} px")
    return axes.parts


def timeline(found: Evaluation, place: Place) -> list[Shape]:
    """A row a thing: grey while it is visible, a colour for each track that follows it."""
    things = found.things
    shown = things
    if len(things) > MOST_THINGS:
        worst = np.argsort(-(things["switches"] + things["fragments"]), kind="stable")[:MOST_THINGS]
        shown = things[np.sort(worst)]
    ends = (float(things["first"].min()), float(things["last"].max()) + 1.0) if len(things) else (0.0, 1.0)
    time, label = _time(found, np.array(ends))
    axes = Axes(place, "identities", label, "thing", (float(time[0]), float(time[1])), (float(len(shown)) or 1.0, 0.0))
    axes.parts = [part for part in axes.parts if not (isinstance(part, Words) and part.align == 1.0)]
    height = place.height / max(1, len(shown))
    table = found.errors
    for row, thing in enumerate(shown):
        y, thick = place.y + (row + 0.25) * height, max(1.0, 0.5 * height)
        if height >= 9 or row % 5 == 0:
            axes.parts.append(Words(str(thing["thing"]), place.x - 6, y + thick / 2 + 4, 10.5, GREY, 1.0))
        axes.parts.append(_span(axes, found, int(thing["first"]), int(thing["last"]) + 1, y, thick, (70, 70, 70)))
        mine = table[table["thing"] == thing["thing"]]
        # Colours by the order in which tracks take part: another colour is another identity.
        tracks = list(dict.fromkeys(mine["track"].tolist()))
        cut = np.flatnonzero((np.diff(mine["frame"]) != 1) | (np.diff(mine["track"]) != 0)) + 1
        for part in np.split(mine, cut):
            if len(part):
                colour = PALETTE[tracks.index(int(part["track"][0])) % len(PALETTE)]
                first, end = int(part["frame"][0]), int(part["frame"][-1]) + 1
                axes.parts.append(_span(axes, found, first, end, y, thick, colour))
    left = f"; the {MOST_THINGS} with most switches and gaps of {len(things)}" if len(things) > MOST_THINGS else ""
    words = f"a new colour in a row: another track; grey: hidden or not matched{left}"
    axes.parts.append(Words(words, place.x + place.width, place.y - 10, 11, GREY, 1.0))
    return axes.parts


def _span(axes: Axes, found: Evaluation, first: int, end: int, y: float, thick: float, colour: Colour) -> Box:
    time, _ = _time(found, np.array([first, end]))
    (x0, _), (x1, _) = axes.at(time, (0.0, 0.0))
    return Box(float(x0), y, max(0.8, float(x1 - x0)), thick, colour)


def _dim(colour: Colour) -> Colour:
    return (colour[0] // 2, colour[1] // 2, colour[2] // 2)


def _time(found: Evaluation, frame: Array) -> tuple[Array, str]:
    fps = found.displacement.fps
    return (frame / fps, "time (s)") if fps else (frame.astype(np.float64), "frame")


def _middle(values: Array, share: float) -> tuple[float, float]:
    """The range without the outermost shares, symmetric enough to show 0."""
    if not len(values):
        return -1.0, 1.0
    low, high = (float(v) for v in np.quantile(values, (share, 1 - share)))
    low, high = min(low, 0.0), max(high, 0.0)
    margin = max(0.08 * (high - low), 1e-6)
    return low - margin, high + margin
