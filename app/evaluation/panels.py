"""The panels of the figure, one function each: it takes the evaluation and a reader's axes, or makes some, and returns
them.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from app.plots.figures import panel
from app.plots.look import Look
from app.plots.scales import log_x, log_y, thinned
from app.plots.words import axis, entitle, key_above, measured, remark
from pipelines.evaluation.complete import Evaluation
from pipelines.evaluation.hota import ALPHAS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[Any]
BINS = 61
MOST_THINGS = 40
"""Rows of the timeline."""
OWN, OTHER = 2, 3
"""Colours of curves that are of no coordinate; those of x and y are the first two."""


@panel
def over_time(found: Evaluation, axes: Axes, look: Look) -> None:
    """Errors against time, and the stated uncertainty."""
    table = found.errors
    time, label = _time(found, table["frame"])
    order = np.argsort(time, kind="stable")
    for number, name in enumerate("xy"):
        axes.plot(*thinned(time[order], table[f"d{name}"][order]), ".", ms=1.6 * look.line, mew=0,
                  color=look.colour(number), label=name)  # fmt: skip
    known = order[np.isfinite(table["sigma"][order])]
    if len(known) >= 50:
        parts = np.array_split(known, 50)
        middle = np.array([time[part].mean() for part in parts])
        sigma = np.array([math.sqrt(float(np.mean(table["sigma"][part] ** 2))) for part in parts])
        axes.plot(middle, sigma, color=look.ink, lw=0.8 * look.line, label="± stated sigma")
        axes.plot(middle, -sigma, color=look.ink, lw=0.8 * look.line)
    axes.set_ylim(*_middle(np.concatenate((table["dx"], table["dy"])), 0.002))
    axes.set_xlabel(label)
    axes.set_ylabel("estimate - truth (px)")
    axes.margins(x=0.0)
    entitle(axes, "errors over time", look, always=True)
    key_above(axes, look, larger=4.0)


@panel
def histogram(found: Evaluation, axes: Axes, look: Look) -> None:
    """How errors are distributed, beside the normal curve of the same spread."""
    table = found.errors
    low, high = _middle(np.concatenate((table["dx"], table["dy"])), 0.002)
    edges = np.linspace(low, high, BINS + 1)
    for number, name in enumerate("xy"):
        values = table[f"d{name}"]
        density = np.histogram(values, edges)[0] / max(1, len(table)) / (edges[1] - edges[0])
        axes.stairs(density, edges, color=look.colour(number), lw=0.8 * look.line, label=name)
        if len(table) > 2 and values.std() > 0:
            normal = NormalDist(float(values.mean()), float(values.std()))
            fine = np.linspace(low, high, 200)
            axes.plot(fine, [normal.pdf(v) for v in fine.tolist()], color=look.colour(number), lw=0.8 * look.line,
                      ls=":", label="normal" if number else "")  # fmt: skip
    axes.set_xlim(low, high)
    axes.set_ylim(0.0, None)
    axes.set_xlabel("estimate - truth (px)")
    axes.set_ylabel("density (1/px)")
    entitle(axes, "distribution of errors", look, always=True)
    key_above(axes, look)


@panel
def s_curves(found: Evaluation, axes: Axes, look: Look) -> None:
    """The error against the sub-pixel phase."""
    axes.axhline(0.0, color=look.dim, lw=0.6 * look.line)
    for number, (name, curve) in enumerate((("x", found.displacement.s_x), ("y", found.displacement.s_y))):
        known = f": {measured(curve.amplitude, curve.uncertainty, 'px')}" if math.isfinite(curve.amplitude) else ""
        phase, error, spread = np.array((curve.phase, curve.error, curve.spread), float)
        axes.errorbar(phase, error, spread, fmt="o-", ms=2.0 * look.line, lw=0.8 * look.line,
                      elinewidth=0.6 * look.line, color=look.colour(number), label=name + known)  # fmt: skip
    axes.set_xlim(-0.5, 0.5)
    axes.set_xlabel("sub-pixel phase of the truth (px)")
    axes.set_ylabel("mean error (px)")
    entitle(axes, "S-curve", look, always=True)
    key_above(axes, look, columns=1)


@panel
def spectrum(found: Evaluation, axes: Axes, look: Look) -> None:
    """The noise density; vibrations of the truth are marked."""
    density, hertz = found.displacement.density, "Hz" if found.displacement.fps else "cycles/frame"
    entitle(axes, "noise density", look, always=True)
    axes.set_xlabel(axis("frequency", hertz))
    axes.set_ylabel("px/√Hz" if found.displacement.fps else "px/√(cycles/frame)")
    if density is None:
        remark(axes, "no stretch without a gap is long enough (16 frames)", look)
        return
    frequency, values = np.array(density.frequency), {"x": np.array(density.x), "y": np.array(density.y)}
    log_x(axes, frequency, 1.0)
    log_y(axes, np.concatenate(tuple(values.values())))
    for tone in found.displacement.tones:
        if frequency[0] <= tone.frequency <= frequency[-1]:
            axes.axvline(tone.frequency, color=look.colour("xy".index(tone.axis)), lw=0.6 * look.line, ls=":")
    for number, (name, floor) in enumerate((("x", density.floor_x), ("y", density.floor_y))):
        axes.plot(frequency, values[name], color=look.colour(number), lw=0.8 * look.line,
                  label=f"{name}: median {floor:.3g}")  # fmt: skip
    remark(axes, f"{density.stretches} stretches of {density.length} frames", look, down=True)
    key_above(axes, look)


@panel
def reliability(found: Evaluation, axes: Axes, look: Look) -> None:
    """Stated against observed coverage."""
    cal = found.calibration
    axes.plot((0, 1), (0, 1), color=look.dim, lw=0.6 * look.line)
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, 1.0)
    axes.set_xlabel("errors that should lie within")
    axes.set_ylabel("errors that do")
    entitle(axes, "reliability of sigma", look, always=True)
    if not cal.rows:
        remark(axes, "the tracks state no uncertainty", look)
        return
    axes.plot((0, *cal.nominal, 1), (0, *cal.observed, 1), "o-", ms=2.0 * look.line, color=look.colour(OWN))
    variance = measured(cal.variance, cal.variance_error)
    remark(axes, f"variance of error / sigma: {variance}\nabove the line: sigma is too large", look)


@panel
def stated_sigma(found: Evaluation, axes: Axes, look: Look) -> None:
    """Stated against observed errors, by rising sigma."""
    cal = found.calibration
    stated, observed = np.array(cal.sigma_stated), np.array(cal.sigma_observed)
    both = np.concatenate((stated, observed))
    log_x(axes, both)
    log_y(axes, both)
    axes.plot(axes.get_xlim(), axes.get_xlim(), color=look.dim, lw=0.6 * look.line)
    if len(stated):
        axes.plot(stated, observed, "o-", ms=2.4 * look.line, color=look.colour(OWN))
    remark(axes, "root mean squares in bins of equal count" if len(stated) else "too few matches state an uncertainty",
           look)  # fmt: skip
    axes.set_xlabel("stated sigma (px)")
    axes.set_ylabel("observed (px)")
    entitle(axes, "stated and observed error", look, always=True)


@panel
def thresholds(found: Evaluation, axes: Axes, look: Look) -> None:
    """HOTA and its parts at each threshold of the similarity."""
    for name, words, colour in (("hota", "HOTA", look.ink), ("det_a", "DetA", look.colour(OWN)),
                                ("ass_a", "AssA", look.colour(OTHER))):  # fmt: skip
        axes.plot(ALPHAS, found.hota.by_alpha[name], color=colour, label=words)
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, 1.02)
    axes.set_xlabel(f"similarity (1 - distance / {found.hota.limit:g} px) at least")
    axes.set_ylabel("score")
    entitle(axes, "HOTA by threshold", look, always=True)
    key_above(axes, look)


@panel
def distances(found: Evaluation, axes: Axes, look: Look) -> None:
    """Which share of the matches is nearer than a distance."""
    distance = np.sort(np.hypot(found.errors["dx"], found.errors["dy"]))
    above = distance[distance > 0]
    log_x(axes, above[above > above[-1] / 1e4] if len(above) else above)
    axes.set_ylim(0.0, 1.02)
    axes.set_xlabel("distance to the truth (px)")
    axes.set_ylabel("share of the matches within")
    entitle(axes, "distances", look, always=True)
    if len(distance):
        share = np.linspace(0.0, 1.0, 201)
        axes.plot(np.maximum(np.quantile(distance, share), 1e-12), share, color=look.colour(OWN))
        median, most = (float(np.quantile(distance, q)) for q in (0.5, 0.95))
        remark(axes, f"median {median:.3g} px\n95 % within {most:.3g} px", look)


@panel
def timeline(found: Evaluation, axes: Axes, look: Look) -> None:
    """A row a thing: grey while it is visible, a colour for each track that follows it."""
    things = shown_things(found)
    for row, thing in enumerate(things):
        spans, colours = [(int(thing["first"]), int(thing["last"]) + 1)], [look.faint]
        mine = found.errors[found.errors["thing"] == thing["thing"]]
        # Colours by the order in which tracks take part: another colour is another identity.
        tracks = list(dict.fromkeys(mine["track"].tolist()))
        cut = np.flatnonzero((np.diff(mine["frame"]) != 1) | (np.diff(mine["track"]) != 0)) + 1
        for part in np.split(mine, cut):
            if len(part):
                spans.append((int(part["frame"][0]), int(part["frame"][-1]) + 1))
                colours.append(look.colour(tracks.index(int(part["track"][0]))))
        ends, _ = _time(found, np.array(spans))
        axes.broken_barh([(first, end - first) for first, end in ends.tolist()], (row - 0.3, 0.6), facecolors=colours)
    ends, label = _time(found, np.array((things["first"].min(), things["last"].max() + 1) if len(things) else (0, 1)))
    axes.set_xlim(float(ends[0]), float(ends[1]))
    axes.set_ylim(len(things) - 0.4, -0.6)
    every = max(1, -(-len(things) // (MOST_THINGS // 2)))
    axes.set_yticks(range(0, len(things), every), [str(one) for one in things["thing"][::every]])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(label)
    axes.set_ylabel("thing")
    more = len(found.things) - len(things)
    left = f"; the {len(things)} of {len(found.things)} with most switches and gaps" if more else ""
    entitle(axes, "identities", look, always=True)
    if not look.narrow:
        axes.set_title(f"a new colour in a row: another track; grey: hidden or not matched{left}", loc="right",
                       fontsize=look.font - 2.0, color=look.dim)  # fmt: skip


def shown_things(found: Evaluation) -> Array:
    """The rows of the timeline: of many things those that are lost most."""
    things = found.things
    if len(things) <= MOST_THINGS:
        return things
    return things[np.sort(np.argsort(-(things["switches"] + things["fragments"]), kind="stable")[:MOST_THINGS])]


def _time(found: Evaluation, frame: Array) -> tuple[Array, str]:
    fps = found.displacement.fps
    return (frame / fps, axis("time", "s")) if fps else (frame.astype(np.float64), "frame")


def _middle(values: Array, share: float) -> tuple[float, float]:
    """The range without the outermost shares, symmetric enough to show 0."""
    if not len(values):
        return -1.0, 1.0
    low, high = (float(v) for v in np.quantile(values, (share, 1 - share)))
    low, high = min(low, 0.0), max(high, 0.0)
    margin = max(0.08 * (high - low), 1e-6)
    return low - margin, high + margin
