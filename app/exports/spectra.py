"""Spectra that a tracker leaves: a table, and a picture of motion and noise against frequency."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.atomic import write_bytes
from app.exports.chart import GRID
from app.exports.drawing import GREY, PALETTE, WHITE, Colour, colour_of
from app.exports.scale import Scale
from app.exports.shapes import Box, Drawing, Line, Shape, Upright, Words, write_drawing

Rows = npt.NDArray[Any]
DENSITIES = ("x", "y", "noise_x", "noise_y")
LONGEST = 10  # letters of a name in the picture
MOST = 8  # points that are drawn: those that move most
WIDTH, HEIGHT, LEFT, TOP, RIGHT, GAP = 900.0, 250.0, 84.0, 64.0, 24.0, 40.0


def write_spectra(
    path: str | os.PathLike[str], rows: Rows, scale: Scale | None = None, names: Mapping[int, str] | None = None
) -> None:
    """Write rows of `pipelines.trackers.vibration.SPECTRA_DTYPE` as CSV.

    Args:
        scale: how long a pixel is; densities are lengths then, and the columns' names say so.
        names: what tracks are called; a column `name` has them.

    Raises:
        InputError: the file cannot be written.
    """
    unit = scale.unit if scale is not None else "px"
    rows = physical_spectra(rows, scale)
    head = ["track", *(["name"] if names else []), "frequency_hz", *(f"{n}_{unit}_per_sqrt_hz" for n in DENSITIES),
            "pieces"]  # fmt: skip
    columns: list[list[str]] = [[str(track) for track in rows["track"].tolist()]]
    if names:
        columns.append([names.get(track, "") for track in rows["track"].tolist()])
    columns.append([f"{value:.6g}" for value in rows["frequency"].tolist()])
    columns += [[f"{value:.4e}" for value in rows[name].tolist()] for name in DENSITIES]
    columns.append([str(count) for count in rows["pieces"].tolist()])
    text = io.StringIO()
    made = csv.writer(text, lineterminator="\n")
    made.writerow(head)
    made.writerows(zip(*columns, strict=True))
    write_bytes(path, text.getvalue().encode())


def physical_spectra(rows: Rows, scale: Scale | None) -> Rows:
    """The densities as lengths; a copy where there is a scale."""
    if scale is None:
        return rows
    made = rows.copy()
    for name in DENSITIES:
        made[name] *= scale.factor
    return made


def draw_spectra(
    path: str | os.PathLike[str], rows: Rows, title: str, scale: Scale | None = None,
    names: Mapping[int, str] | None = None,
) -> None:  # fmt: skip
    """Draw amplitude densities of x and y and the median noise of all points, both axes logarithmic (PNG or SVG).

    Raises:
        InputError: the file cannot be written.
    """
    unit = scale.unit if scale is not None else "px"
    write_drawing(Path(path), drawing(physical_spectra(rows, scale), title, unit, names or {}))


def drawing(rows: Rows, title: str, unit: str = "px", names: Mapping[int, str] = MappingProxyType({})) -> Drawing:
    """The picture; the points that move most, others are left out."""
    tracks = np.unique(rows["track"])
    by_track = [rows[rows["track"] == track] for track in tracks.tolist()]
    order = sorted(range(len(tracks)), key=lambda k: -float(np.sum(by_track[k]["x"] ** 2 + by_track[k]["y"] ** 2)))
    shown = sorted(order[:MOST])
    grids = {len(one): one["frequency"] for one in by_track}
    frequency = grids[max(grids)]
    alike = [one for one in by_track if len(one) == len(frequency)]
    words = f"{len(tracks)} point{'' if len(tracks) == 1 else 's'}"
    words += f", the {MOST} that move most" if len(tracks) > MOST else ""
    parts: list[Shape] = [Words(title, LEFT, 32, 15, WHITE), Words(words, WIDTH - RIGHT, 32, 11, GREY, 1.0)]
    for panel, axis in enumerate("xy"):
        noise = np.median([one[f"noise_{axis}"] for one in alike], axis=0)
        curves = [(by_track[k]["frequency"], by_track[k][axis], colour_of(place)) for place, k in enumerate(shown)]
        parts += _panel(TOP + panel * (HEIGHT + GAP), axis, curves, (frequency, noise), unit, last=panel == 1)
    high = TOP + 2 * HEIGHT + GAP + 44
    parts += [Line(np.array([(LEFT, high + 8), (LEFT + 26, high + 8)]), WHITE, 1.6),
              Words("median noise of all points, measured between halves of their windows", LEFT + 34, high + 12, 11,
                    GREY)]  # fmt: skip
    x = WIDTH - RIGHT
    for place, k in reversed(list(enumerate(shown))):
        name = names.get(int(tracks[k]), str(tracks[k]))[:LONGEST]
        parts.append(Words(name, x, high + 12, 11, PALETTE[place % len(PALETTE)], 1.0))
        x -= 12 + 7 * max(2, len(name))
    parts.append(Words("points", x, high + 12, 11, GREY, 1.0))
    return Drawing(WIDTH, high + 28, tuple(parts))


Curve = tuple[Rows, Rows, Colour]


def _panel(
    top: float, axis: str, curves: Sequence[Curve], noise: tuple[Rows, Rows], unit: str, last: bool
) -> list[Shape]:
    everything = np.concatenate([noise[1], *(curve[1] for curve in curves)])
    positive = everything[np.isfinite(everything) & (everything > 0)]
    floor = noise[1][np.isfinite(noise[1]) & (noise[1] > 0)]
    most = float(positive.max()) if len(positive) else 1e-1
    # A spectrum has gaps that go down to nothing; what matters stands above the noise.
    least = 0.1 * float(np.median(floor)) if len(floor) else most * 1e-4
    y0, y1 = math.floor(math.log10(max(least, most * 1e-7))), math.ceil(math.log10(most * 1.05))
    y1 = max(y1, y0 + 1)
    x0, x1 = math.log10(float(noise[0][0])), math.log10(float(noise[0][-1]))
    width = WIDTH - LEFT - RIGHT

    def at(frequency: Rows, value: Rows) -> Rows:
        with np.errstate(divide="ignore", invalid="ignore"):
            x = LEFT + (np.log10(frequency) - x0) / max(x1 - x0, 1e-9) * width
            y = top + HEIGHT - (np.log10(np.maximum(value, 10.0**y0)) - y0) / (y1 - y0) * HEIGHT
        return np.stack((x, y), axis=1)

    parts: list[Shape] = [Box(LEFT, top, width, HEIGHT, (30, 30, 30))]
    for decade in range(y0, y1 + 1):
        y = top + HEIGHT - (decade - y0) / (y1 - y0) * HEIGHT
        parts += [Box(LEFT, y, width, 1, GRID), Words(_power(decade), LEFT - 8, y + 4, 11, GREY, 1.0)]
    for decade in range(math.floor(x0), math.ceil(x1) + 1):
        for factor in range(1, 10):
            place = decade + math.log10(factor)
            if x0 - 1e-9 <= place <= x1 + 1e-9:
                x = LEFT + (place - x0) / max(x1 - x0, 1e-9) * width
                parts.append(Box(x, top, 1, HEIGHT, GRID if factor == 1 else (38, 38, 38)))
                if last and factor in (1, 2, 5):
                    parts.append(Words(f"{factor * 10.0**decade:g}", x, top + HEIGHT + 16, 11, GREY, 0.5))
    parts.append(Upright(f"{axis} ({unit}/sqrt(Hz))", 22, top + HEIGHT / 2, 11.5, GREY))
    if last:
        parts.append(Words("frequency (Hz)", LEFT + width / 2, top + HEIGHT + 34, 11.5, GREY, 0.5))
    parts += [Line(at(f, v), colour, 1.0) for f, v, colour in curves]
    parts.append(Line(at(*noise), WHITE, 1.6))
    return parts


def _power(decade: int) -> str:
    return f"{10.0**decade:g}" if -4 <= decade <= 4 else f"1e{decade}"
