"""Curves fitted to signals (`pipelines.analysis.curve_fits`), and their figures in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.desk.tracks.calibration import Calibration
from app.desk.tracks.signals import Quantity, Signal, Values
from app.exports.scale import METRES
from app.plots.words import measured
from pipelines.analysis.curve_fits import Fit, Value, fit
from pipelines.analysis.trails import Trail

FIRST = {
    "line": ("velocity",), "parabola": ("acceleration",), "sine": ("frequency", "amplitude"),
    "damped-sine": ("frequency", "damping_ratio"), "two-damped-sines": ("frequency_1", "frequency_2"),
    "exponential": ("time_constant",),
    "circle": ("radius", "angular_velocity"),
}  # fmt: skip
"""What a fit is made for: said at the curve. Lines and parabolas through x and y call theirs by these."""
PLACES = (Quantity.X, Quantity.Y)
_SLOPES = {"velocity": "slope", "acceleration": "change of slope"}
"""What the parameters of lines and parabolas are called of others than places and distances."""


@dataclass(frozen=True)
class Fitted:
    """A curve through a signal.

    Args:
        model: its name.
        time, value: of the curve, at the samples that were fitted.
        figures: what the fit is made for, with standard errors: a few words.
        words: all parameters, with standard errors.
        trouble: why there is no curve; "" where there is one.
    """

    model: str
    time: Values
    value: Values
    figures: str = ""
    words: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Units:
    """In what a fit is said.

    Args:
        quantity, calibration: of the signal.
        timed: whether times are seconds.
    """

    quantity: Quantity
    calibration: Calibration
    timed: bool

    def of(self, words: str) -> str:
        """A unit of `curve_fits`, such as "length/s2"."""
        length = {"length": 0, "length/s": 1, "length/s2": 2}
        if words in length:
            return self.quantity.unit(self.calibration, self.timed, length[words])
        frames = {"Hz": "1/frame", "1/s": "1/frame", "s": "frames", "rad/s": "rad/frame"}
        return words if self.timed else frames.get(words, words)


def fitted_to(
    signal: Signal, model: str, units: Units, span: tuple[float, float] | None = None, places: Trail | None = None,
) -> Fitted:  # fmt: skip
    """Fit a model to what a plot shows.

    Args:
        signal: what is fitted, but by a circle.
        model: one of `curve_fits.MODELS`.
        units: of the signal.
        span: the first and the last time that count; None for all.
        places: of a circle, x and y of the track; the signal is one of them, less some line.
    """
    none = np.zeros(0)
    if model == "circle" and (places is None or units.quantity not in PLACES):
        return Fitted(model, none, none, trouble="a circle goes through x and y of one track; show one of these")
    good = np.isfinite(signal.value) & np.isfinite(signal.time)
    if span is not None:
        good &= (signal.time >= span[0]) & (signal.time <= span[1])
    if places is not None and model == "circle":
        # The circle needs x and y, the plot the signal: frames in which there are both.
        trail = places.part(np.isin(places.frames, signal.frame[good]))
        good &= np.isin(signal.frame, trail.frames)
    else:
        trail = Trail("", signal.frame[good], signal.time[good], signal.value[None, good], signal.sigma[None, good])
    try:
        made = fit(trail, model)
    except ValueError as error:
        return Fitted(model, none, none, trouble=str(error))
    curve = made.curve[0]
    if model == "circle":
        # The signal may be less its mean or a line: the circle is drawn where the signal lies.
        line = 1 if units.quantity is Quantity.Y else 0
        curve = made.curve[line] + signal.value[good] - trail.values[line]
    return Fitted(model, trail.times, curve, figures_of(made, units), words_of(made, units))


def figures_of(made: Fit, units: Units) -> str:
    """What a fit is made for."""
    return ", ".join(_said(name, made.parameters[name], units) for name in FIRST[made.model])


def words_of(made: Fit, units: Units) -> str:
    """All that a fit tells."""
    parts = [_said(name, one, units) for name, one in made.parameters.items()]
    gravity = made.parameters.get("acceleration")
    metres = METRES.get(units.calibration.unit)
    if made.model == "parabola" and gravity is not None and metres and units.quantity in PLACES and units.timed:
        parts.append(f"that is {measured(gravity.value * metres, gravity.error * metres, 'm/s²')}")
    left = measured(made.left, unit=units.of("length"))
    return f"{', '.join(parts)}; {made.samples} values, leaves {left} (rms)"


def _said(name: str, one: Value, units: Units) -> str:
    place = units.quantity in (*PLACES, Quantity.DISTANCE)
    named = name if place else _SLOPES.get(name, name)
    return f"{named.replace('_', ' ')} {measured(one.value, one.error, units.of(one.unit))}"
