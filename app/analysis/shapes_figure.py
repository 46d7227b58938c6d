"""The picture of operating deflection shapes: a panel a peak, the points along the direction in which they lie."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.evaluation.axes import Axes, Place, span
from app.exports.drawing import GREY, PALETTE, WHITE
from app.exports.shapes import Drawing, Shape, Words, write_drawing
from pipelines.analysis.deflection import Shape as Deflection
from pipelines.analysis.deflection import Spectrum

Array = npt.NDArray[Any]
FIGURE = "shapes.png"
MOST = 8
"""Panels: the peaks at which points move most."""
REAL, IMAGINARY = WHITE, PALETTE[1]
LEFT, TOP, WIDE, HIGH, ACROSS, DOWN = 84, 92, 380, 170, 480, 250


def draw_shapes(path: Path, found: Spectrum, shapes: Sequence[Deflection], title: str, at: Array) -> None:
    """Write the picture (PNG or SVG).

    Args:
        path: ends with .png or .svg.
        found, shapes: what is drawn.
        title: above all.
        at: where each axis of each point is measured, (P, 2, 2) px; NaN where that is not known.

    Raises:
        InputError: the file cannot be written.
    """
    write_drawing(path, drawing(found, shapes, title, at))


def drawing(found: Spectrum, shapes: Sequence[Deflection], title: str, at: Array) -> Drawing:
    """The picture; arguments as of `draw_shapes`."""
    shown = sorted(sorted(shapes, key=lambda one: -float(one.amplitude.max()))[:MOST], key=lambda one: one.frequency)
    lying = int(np.ptp(found.places[:, 1]) > np.ptp(found.places[:, 0]))
    parts: list[Shape] = [
        Words(title, LEFT, 32, 15, WHITE),
        Words("white: in phase with the reference point, blue: a quarter of a turn ahead; bars: 2 sigma of the noise",
              LEFT, 54, 11, GREY),
    ]  # fmt: skip
    for number, shape in enumerate(shown):
        point, axis = shape.reference
        along = np.where(np.isfinite(at[:, axis, lying]), at[:, axis, lying], found.places[:, lying])
        order = np.argsort(along)
        place = Place(LEFT + ACROSS * (number % 2), TOP + DOWN * (number // 2), WIDE, HIGH)
        ratio, error = shape.ratio[order, axis], 2.0 * np.nan_to_num(shape.ratio_error[order, axis])
        reach = np.concatenate((ratio.real - error, ratio.real + error, ratio.imag, [0.0]))
        axes = Axes(place, f"{shape.frequency:.5g} Hz", f"{'xy'[lying]} (px)", f"{'xy'[axis]} beside the reference",
                    span(along), span(reach, least=1e-3))  # fmt: skip
        axes.line(_ends(along), np.zeros(2), GREY, 0.6)
        axes.dots(along[order], ratio.imag, IMAGINARY, 1.8)
        axes.bars(along[order], ratio.real - error, ratio.real + error, REAL)
        axes.dots(along[order], ratio.real, REAL, 2.4)
        axes.note(f"reference: track {found.tracks[point]}, {shape.amplitude[point, axis]:.3g} px")
        parts += axes.parts
    down = max(1, -(-len(shown) // 2))
    return Drawing(LEFT + ACROSS + WIDE + 28, TOP + DOWN * down, tuple(parts))


def _ends(along: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The ends of the axis on which the points lie."""
    return np.array(span(along))
