"""Draws spectra of tracks into the upper plot, with the noise that the tracker measured."""

from __future__ import annotations

import math

import numpy as np

from app.desk.tracks.peaks import PeaksOf
from app.desk.tracks.signals import Quantity, Spectrum
from app.desk.tracks.spectra import as_amplitude, noise_floor
from app.gui.traces.canvas import SIDES, Canvas
from app.gui.traces.curves import Curve, Found
from app.gui.traces.lines import DASH
from app.gui.traces.wanted_tracks import ask_for_tracks

FLOOR = 1e-9
"""Of the highest line of a spectrum: what is lower is rounding, and would take all the room of a logarithmic axis."""


def draw_spectra(plots: Canvas, found: Found, pieces: bool) -> None:
    """See the module; the bar's words say where the peaks are."""
    bar, plot, quantity = plots.bar, plots.plots[0], found.wanted.quantities[0]
    each = "Hz" if plots.timed else "1/frame"
    unit = plots.unit = quantity.unit(found.wanted.calibration, plots.timed) or "1"
    power, log = bar.power.currentIndex() == 1, bar.log.isChecked()
    what = f"density [({unit})²·{'s' if plots.timed else 'frame'}]" if power else f"amplitude [{unit}]"
    plots.captions.title(0, f"{quantity.value}: {what}", plots.now)
    plots.captions.below(0, f"[{each}]", plots.now)
    plot.setLogMode(log, log)
    words: list[str] = []
    tips: list[str] = []
    short: list[str] = []
    for curve in found.plots[0]:
        name, spectrum = plots.name(curve), curve.spectrum
        if spectrum is None:
            words.append(f"{_who(name)}: {curve.trouble}")
            tips.append(words[-1])
            plots.peaks.append(PeaksOf(name, (), 0.0, curve.trouble))
            continue
        plots.spectra.append((name, spectrum))
        # Without the constant: it says where a point is, not how it moves, and a logarithmic axis has no place for it.
        height = (spectrum.density if power else spectrum.amplitude)[1:]
        if log:
            height = np.maximum(height, FLOOR * float(height.max(initial=0.0)) or 1e-300)
        plots.curves[0, curve.tracks[0]] = line = plots.lines[0].line()
        line.look(plots.colour(curve.tracks[0]), 1.0 if pieces else 1.4, pieces)
        line.lay(spectrum.frequency[1:], height, log)
        _draw_floor(plots, curve, quantity, power, log)
        filled = f"{spectrum.filled:.0%} filled in" if spectrum.filled > 0.01 else ""
        none = "" if curve.peaks else "none, but a drift" if spectrum.drifts else "none"
        note = ", ".join(part for part in (none, filled) if part)
        plots.peaks.append(PeaksOf(name, curve.peaks, spectrum.resolution, note))
        named = [f"{to_half_a_line(peak.frequency, spectrum.resolution)} {each}, {peak.amplitude:.2g} {unit}"
                for peak in curve.peaks]  # fmt: skip
        where = f"{_who(name)}: {named[0] if named else none}"
        also = f"; also {'; '.join(named[1:])}" if named[1:] else ""
        words.append(f"{where}{f', {filled}' if filled else ''}; lines {spectrum.resolution:.2g} {each} apart")
        tips.append(f"{where}{also}{f', {filled}' if filled else ''}; lines {spectrum.resolution:.2g} {each} apart")
        short.append(where)
    if plots.floors:
        tips.append("dashed: noise")
        plots.captions.title(0, f"{quantity.value}: {what}, dashed: noise", plots.now)
    plot.enableAutoRange()
    if not plots.spectra:  # the range is that of what was drawn before, seconds or pixels: no powers of ten
        plots.silence(0, *SIDES)
        plot.setRange(xRange=(0.0, 1.0), yRange=(0.0, 1.0), disableAutoRange=False)
    if found.tracks and not found.plots[0] and quantity.tracks > 1:
        ask_for_tracks(plots, 0, quantity)
    if words:
        # What has no room is cut with dots; the tip has all.
        bar.words.setText("peak  " + ";   ".join(words if len(short) < 2 else short))
        bar.words.setToolTip("\n".join((*tips, "Ctrl+C copies the peaks as a table")))


def _who(name: str) -> str:
    """What tracks are called where a number alone would be taken for one of the peak."""
    return f"track{'s' if ' - ' in name else ''} {name}" if name[:1].isdigit() else name


def to_half_a_line(value: float, resolution: float) -> str:
    """A frequency with no more digits than half the distance of two lines allows, which it is known to.

    >>> to_half_a_line(75.0312, 2.34), to_half_a_line(0.061234, 0.0078), to_half_a_line(1234.5, 96.0)
    ('75.0 ± 1.2', '0.061 ± 0.004', '1230 ± 50')
    """
    half = 0.5 * resolution
    power = math.floor(math.log10(half))
    # The error has two digits where it begins with 1, else one; the value ends where the error does.
    digits = -power + (half < 2 * 10.0**power)
    return f"{round(value, digits):.{max(0, digits)}f} ± {round(half, digits):.{max(0, digits)}f}"


def _draw_floor(plots: Canvas, curve: Curve, quantity: Quantity, power: bool, log: bool) -> None:
    """What the tracker measured of its own noise, dashed."""
    assert curve.spectrum is not None
    track = curve.tracks[0]
    floor = noise_floor(plots.bench.tables, track, quantity, plots.bench.calibration)
    if floor is None:
        return
    at, density = floor
    amplitude = as_amplitude(density, curve.spectrum)
    made = Spectrum(at, amplitude, density, curve.spectrum.resolution, 0.0)
    plots.noise.append((f"{plots.name(curve)}_noise", made))
    plots.floors[track] = line = plots.lines[0].line()
    line.look(plots.colour(track), 1.0, False, DASH)
    line.lay(at, np.maximum(density if power else amplitude, 1e-300), log)
