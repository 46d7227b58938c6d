"""Draws the spectrogram of a track into the upper plot."""

from __future__ import annotations

from app.desk.tracks.signals import FINER
from app.gui.traces.canvas import Canvas
from app.gui.traces.curves import Curve, Found, caption
from app.gui.traces.gram_image import levels
from app.gui.traces.wanted_tracks import ask_for_tracks


def draw_spectrogram(plots: Canvas, found: Found) -> None:
    """See the module; the words above say what colours are."""
    plot, quantity, log = plots.plots[0], found.wanted.quantities[0], plots.bar.log.isChecked()
    unit = plots.unit = quantity.unit(found.wanted.calibration, plots.timed)
    each = "Hz" if plots.timed else "1/frame"
    plot.setLogMode(False, False)
    plots.captions.below(0, "t [s]" if plots.timed else "frame", plots.now)
    curve: Curve | None = found.plots[0][0] if found.plots and found.plots[0] else None
    if curve is None or curve.gram is None:
        said = curve.trouble if curve is not None else ""
        plots.captions.title(0, said or "the spectrogram of a track appears here", plots.now)
        plots.bar.words.setText(said or plots.bar.words.text())
        if found.tracks and curve is None and quantity.tracks > 1:
            ask_for_tracks(plots, 0, quantity)
        plots.silence(0, "left", "bottom")
        return
    gram = curve.gram
    _, low, high = levels(gram, log)
    low, high = (10.0**low, 10.0**high) if log else (low, high)
    scale = "log" if log else "linear"
    what = f"frequency [{each}] of {caption(found, 0, '')} of {plots.name(curve)}"
    plots.captions.title(0, f"{what}; amplitude {low:.2g} (dark) to {high:.3g} {unit} (bright), {scale}", plots.now)
    filled = f"; {gram.filled:.0%} filled in" if gram.filled > 0.01 else ""
    words = f"segments of {gram.segment} frames: lines {FINER * gram.frequency[0]:.3g} {each} apart{filled}"
    plots.bar.words.setText(words)
    plots.bar.words.setToolTip(words)
    plots.gram.draw(gram, log)
    if plots.bar.follow.isChecked():
        plot.enableAutoRange()
