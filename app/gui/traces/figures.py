"""The curves as a figure for a paper or a slide, by the plot layer of all commands (`app.plots`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from app.gui.traces.curves import Curve, Found, View, caption
from app.gui.traces.gram_image import COLOURS, levels
from app.gui.traces.thin import Values
from app.plots.figures import encoded, sheet, styled
from app.plots.look import LIGHT, Look
from app.plots.scales import log_x, log_y
from app.plots.words import axis, key_above, literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HIGH = 0.3
"""Height of a panel by the width of the figure."""
MOST_NAMED = 12
"""Curves in a key."""
MOST_FITS = 6
"""Fits whose figures a panel has."""


@dataclass(frozen=True)
class ChannelPanel:
    """A plot of data channels below those of the tracks.

    Args:
        unit: of all its curves. curves: what each is called, its times (s of the clip) and values.
        across, upwards: what is seen.
    """

    unit: str
    curves: tuple[tuple[str, Values, Values], ...]
    across: tuple[float, float]
    upwards: tuple[float, float]


@dataclass(frozen=True)
class Sheet:
    """What is drawn.

    Args:
        found: the curves.
        names: what the tracks of a curve are called.
        timed: whether times are seconds.
        power, log: of spectra and spectrograms: power density in place of amplitudes, logarithmic axes.
        limits: what is seen of the axis across, and of each plot upwards; None for all of it.
        events: times and names of frames that are marked.
        floors: by track, frequencies and heights of the tracker's noise in a spectrum.
        look: how it looks.
        channels: of curves over time, the data channels below them.
    """

    found: Found
    names: Mapping[tuple[int, ...], str]
    timed: bool
    power: bool = False
    log: bool = True
    limits: tuple[tuple[float, float], tuple[tuple[float, float], ...]] | None = None
    events: Sequence[tuple[float, str]] = ()
    floors: Mapping[int, tuple[Values, Values]] = field(default_factory=dict)
    look: Look = LIGHT
    channels: Sequence[ChannelPanel] = ()

    @property
    def panels(self) -> int:
        """How many plots lie below each other."""
        return len(self.found.plots) + len(self.channels)

    @property
    def seconds(self) -> str:
        """The unit of times."""
        return "s" if self.timed else "frames"

    @property
    def hertz(self) -> str:
        """The unit of frequencies."""
        return "Hz" if self.timed else "1/frame"


def as_file(what: Sheet, suffix: str) -> bytes:
    """The bytes of a PNG, SVG or PDF; takes a second where matplotlib is not loaded yet."""
    look = what.look
    with styled(look):
        count = what.panels
        figure = sheet(look, look.height(HIGH) * (count if count > 1 else 1.6))
        fill(figure, what)
        return encoded(figure, suffix, look)


def fill(figure: Figure, what: Sheet) -> None:
    """Draw the panels of a sheet, one below the other, with one axis across."""
    view, first = what.found.wanted.view, None
    for k in range(len(what.found.plots)):
        first = axes = figure.add_subplot(what.panels, 1, k + 1, sharex=first)
        {View.TIME: plot_signals, View.SPECTRUM: plot_spectra, View.SPECTROGRAM: plot_gram}[view](what, k, axes)
        if what.limits is not None:
            across, upwards = what.limits
            axes.set_xlim(*across)
            axes.set_ylim(*upwards[k])
        if k + 1 < what.panels:
            axes.set_xlabel("")
            axes.tick_params(labelbottom=False)
    colours = len({curve.tracks[0] for plot in what.found.plots for curve in plot})
    for k, channel in enumerate(what.channels, len(what.found.plots)):
        axes = figure.add_subplot(what.panels, 1, k + 1, sharex=first)
        plot_channels(what, channel, colours, axes)
        colours += len(channel.curves)
        if k + 1 < what.panels:
            axes.set_xlabel("")
            axes.tick_params(labelbottom=False)


def plot_channels(what: Sheet, channel: ChannelPanel, colours: int, axes: Axes) -> None:
    """Curves of data channels of one unit; the first `colours` are others'."""
    look, several = what.look, len(channel.curves) > 1
    for number, (name, times, values) in enumerate(channel.curves):
        axes.plot(times, values, color=look.colour(colours + number), label=literal(name) if several else "")
    for time, _ in what.events:
        axes.axvline(time, color=look.dim, lw=0.5 * look.line, ls=":")
    axes.set_xlabel(axis("time", what.seconds))
    axes.set_ylabel(axis("" if several else channel.curves[0][0], channel.unit))
    axes.set_ylim(*channel.upwards)
    if what.limits is None and not any(map(len, what.found.plots)):
        axes.set_xlim(*channel.across)
    if several:
        key_above(axes, look)


def _colour(what: Sheet, curve: Curve) -> str:
    """The same of a track in all panels."""
    order = list(dict.fromkeys(one.tracks[0] for plot in what.found.plots for one in plot))
    return what.look.colour(order.index(curve.tracks[0]))


def plot_signals(what: Sheet, k: int, axes: Axes) -> None:
    """Curves over time, with one standard uncertainty where it is known, fits with their figures, and events."""
    look, wanted, curves = what.look, what.found.wanted, what.found.plots[k]
    quantity, several = wanted.quantities[k], len(curves) > 1
    fits: list[Any] = []
    figures: list[tuple[str, str]] = []
    for curve in curves:
        colour, signal = _colour(what, curve), curve.signal
        if np.isfinite(signal.sigma).any():
            axes.fill_between(signal.time, signal.value - signal.sigma, signal.value + signal.sigma, color=colour,
                              alpha=0.25, lw=0)  # fmt: skip
        name = what.names[curve.tracks]
        axes.plot(curve.time, curve.value, color=colour, label=literal(name) if several and not k else "")
        axes.plot(curve.time[curve.alone], curve.value[curve.alone], "o", color=colour, ms=1.5 * look.line)
        fitted = curve.fitted
        if fitted is not None and len(fitted.time):
            said = f"{name}: {fitted.figures}" if several else fitted.figures
            said = said.replace(", ", "\n") if look.narrow else said
            fits += axes.plot(fitted.time, fitted.value, color=look.ink, lw=0.7 * look.line, ls="--")
            figures.append((literal(said), colour if several else look.ink))
    for time, name in what.events:
        axes.axvline(time, color=look.dim, lw=0.5 * look.line, ls=":")
        if not k:
            axes.text(time, 1.0, literal(name), transform=axes.get_xaxis_transform(), rotation=90, ha="right", va="top",
                      fontsize=look.font - 2.0, color=look.dim)  # fmt: skip
    unit = quantity.unit(wanted.calibration, what.timed)
    axes.set_xlabel(axis("time", what.seconds) if what.timed else "frame")
    axes.set_ylabel(axis(quantity.value, unit))
    said = caption(what.found, k, "").removeprefix(quantity.value).removeprefix(", ")
    if said and not look.paper:
        axes.set_title(literal(said), loc="right", fontsize=look.font - 2.0, color=look.dim)
    if not figures:
        key_above(axes, look)
    else:  # they name their curves
        words = [said for said, _ in figures[:MOST_FITS]]
        key = axes.legend(fits[:MOST_FITS], words, loc="best", fontsize=look.font - 2.0, handlelength=1.2)
        key.set_in_layout(False)  # what is longer than a narrow panel would leave none of it
        for text, (_, colour) in zip(key.get_texts(), figures, strict=False):
            text.set_color(colour)


def plot_spectra(what: Sheet, k: int, axes: Axes) -> None:
    """Amplitudes, or power densities, with the tracker's noise dashed."""
    look, wanted, curves = what.look, what.found.wanted, what.found.plots[k]
    across, upwards = [], []
    for curve in curves:
        if curve.spectrum is None:
            continue
        frequency = curve.spectrum.frequency[1:]
        height = (curve.spectrum.density if what.power else curve.spectrum.amplitude)[1:]
        axes.plot(frequency, height, color=_colour(what, curve), label=literal(what.names[curve.tracks]))
        across.append(frequency)
        upwards.append(height)
        if curve.tracks[0] in what.floors:
            axes.plot(*what.floors[curve.tracks[0]], color=_colour(what, curve), lw=0.7 * look.line, ls="--",
                      label="" if len(across) > 1 else "noise")  # fmt: skip
    quantity = wanted.quantities[0]
    unit = quantity.unit(wanted.calibration, what.timed) or "1"
    if what.log and across:
        log_x(axes, np.concatenate(across), 1.0)
        # Lines that are nothing but rounding would take all of a logarithmic axis.
        heights = np.concatenate(upwards)
        log_y(axes, heights[heights > 1e-9 * heights.max(initial=0.0)])
    axes.set_xlabel(axis("frequency", what.hertz))
    power = f"({unit})²/Hz" if what.timed else f"({unit})²·frame"
    axes.set_ylabel(axis(f"{quantity.value}, {'power density' if what.power else 'amplitude'}",
                         power if what.power else unit))  # fmt: skip
    _key(axes)


def plot_gram(what: Sheet, k: int, axes: Axes) -> None:
    """Amplitude by time and frequency, with a bar of its colours."""
    from matplotlib.colors import LogNorm, Normalize

    curves = what.found.plots[k]
    gram = curves[0].gram if curves else None
    quantity, wanted = what.found.wanted.quantities[k], what.found.wanted
    axes.grid(False)
    axes.set_xlabel(axis("time", what.seconds) if what.timed else "frame")
    axes.set_ylabel(axis("frequency", what.hertz))
    if gram is None:
        return
    _, low, high = levels(gram, what.log)
    norm = LogNorm(10.0**low, 10.0**high, clip=True) if what.log else Normalize(low, high)
    # Cells of a vector file are a picture in it: a path for each would make it huge.
    drawn = axes.pcolormesh(gram.time, gram.frequency, gram.amplitude, cmap=COLOURS, norm=norm, shading="nearest",
                            rasterized=True)  # fmt: skip
    unit = quantity.unit(wanted.calibration, what.timed)
    axes.figure.colorbar(drawn, ax=axes, label=axis(f"amplitude of {quantity.value}", unit))


def _key(axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(handles[:MOST_NAMED], labels[:MOST_NAMED], loc="best")
