"""What is said where a quantity is of several tracks and they are not selected."""

from __future__ import annotations

from app.desk.tracks.signals import Quantity
from app.gui.traces.bar import SHOWN
from app.gui.traces.canvas import Canvas


def ask_for_tracks(plots: Canvas, k: int, quantity: Quantity) -> None:
    """Say in a plot, and in the row above, which tracks are to be selected.

    Args:
        k: which plot.
    """
    what = next(words for words, shown in SHOWN.items() if shown is quantity)
    which = "the corner second" if quantity.tracks == 3 else "one after the other"
    chosen = len(plots.bench.selected)
    words = f"{what}: select {quantity.tracks} tracks, {which} (Ctrl+click in the picture or the list)"
    plots.captions.title(k, f"{words}; {chosen or 'none'} selected", plots.now)
    plots.silence(k)
    plots.bar.words.setText(words)
    plots.bar.words.setToolTip(words)
