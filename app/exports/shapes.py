"""Drawings as a list of simple shapes, written as PNG (with OpenCV) or as SVG text.

Units are those of the drawing; a PNG has SCALE pixels a unit. x goes right, y down.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.atomic import write_bytes
from app.exports.drawing import DARK, Colour, ascii_text, encoded, fixed, polylines, text, text_width
from kernels.errors import InputError
from kernels.host.opencv import cv2

SCALE = 2
Points = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text, its baseline at y; `align` is the part of its width that lies at x."""

    text: str
    x: float
    y: float
    size: float
    colour: Colour
    align: float = 0.0


@dataclass(frozen=True, slots=True)
class Upright:
    """A line of text that reads upwards, centred at (x, y)."""

    text: str
    x: float
    y: float
    size: float
    colour: Colour


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Straight pieces through points (n, 2); where a coordinate is NaN the line is broken."""

    points: Points
    colour: Colour
    width: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Dots:
    """Discs of one radius at points (n, 2)."""

    points: Points
    colour: Colour
    radius: float = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Raster:
    """A picture (height, width, 3) of blue, green, red bytes, stretched over a rectangle."""

    x: float
    y: float
    width: float
    height: float
    pixels: npt.NDArray[np.uint8]


Shape = Box | Words | Upright | Line | Dots | Raster


@dataclass(frozen=True, slots=True)
class Drawing:
    """What there is to be drawn, in units; `ground` is the colour behind it."""

    width: float
    height: float
    parts: tuple[Shape, ...]
    ground: Colour = DARK


def check_ending(path: Path, endings: tuple[str, ...], option: str = "--plot") -> None:
    """Before anything long begins.

    Raises:
        InputError: another ending.
    """
    if path.suffix.lower() not in endings:
        raise InputError(f"{option} writes {', '.join(endings[:-1])} or {endings[-1]}, not {path.name!r}")


def write_drawing(path: Path, made: Drawing) -> None:
    """Write the picture, as its ending says (.svg, else PNG).

    Raises:
        InputError: the file cannot be written.
    """
    if path.suffix.lower() == ".svg":
        write_bytes(path, svg(made).encode())
        return
    write_bytes(path, encoded(png(made)))


def png(made: Drawing) -> npt.NDArray[np.uint8]:
    """The drawing as blue, green, red bytes."""
    canvas = np.full((round(made.height * SCALE), round(made.width * SCALE), 3), made.ground, np.uint8)
    for part in made.parts:
        match part:
            case Box():
                x0, y0 = round(part.x * SCALE), round(part.y * SCALE)
                x1, y1 = round((part.x + part.width) * SCALE), round((part.y + part.height) * SCALE)
                canvas[max(0, y0) : max(y1, y0 + 1), max(0, x0) : max(x1, x0 + 1)] = part.colour
            case Words():
                text(canvas, ascii_text(part.text), part.x * SCALE, part.y * SCALE, size=part.size * SCALE / 26,
                     colour=part.colour, outline=False, align=part.align)  # fmt: skip
            case Upright():
                _upright(canvas, part, made.ground)
            case Line():
                pieces = [fixed(piece * SCALE) for piece in _pieces(part.points)]
                polylines(canvas, pieces, part.colour, max(1, round(part.width * SCALE)))
            case Dots():
                radius = int(fixed(part.radius * SCALE))
                for centre in fixed(part.points[np.isfinite(part.points).all(axis=1)] * SCALE).tolist():
                    cv2.circle(canvas, centre, radius, part.colour, cv2.FILLED, cv2.LINE_AA, 4)
            case Raster():
                left, top = round(part.x * SCALE), round(part.y * SCALE)
                view = canvas[top : top + round(part.height * SCALE), left : left + round(part.width * SCALE)]
                how = cv2.INTER_AREA if view.shape[1] < part.pixels.shape[1] else cv2.INTER_CUBIC
                view[:] = cv2.resize(part.pixels, (view.shape[1], view.shape[0]), interpolation=how)
    return canvas


def _upright(canvas: npt.NDArray[np.uint8], part: Upright, ground: Colour) -> None:
    words, size = ascii_text(part.text), part.size * SCALE / 26
    width, height = text_width(words, size) + 8, round(44 * size)
    slip = np.full((height, width, 3), ground, np.uint8)
    text(slip, words, 4, height * 0.7, size=size, colour=part.colour, outline=False)
    slip = np.rot90(slip)
    top, left = max(0, round(part.y * SCALE - width / 2)), max(0, round(part.x * SCALE - height / 2))
    view = canvas[top : top + width, left : left + height]
    stronger = np.maximum if sum(ground) < sum(part.colour) else np.minimum
    stronger(view, slip[: view.shape[0], : view.shape[1]], out=view)


def _pieces(points: Points) -> list[Points]:
    """The stretches between broken places, of two points at least."""
    broken = np.flatnonzero(~np.isfinite(points).all(axis=1))
    pieces = [piece[np.isfinite(piece).all(axis=1)] for piece in np.split(points, broken)]
    return [piece for piece in pieces if len(piece) > 1]


def svg(made: Drawing) -> str:
    """The drawing as SVG text."""
    size = f'width="{made.width:.0f}" height="{made.height:.0f}" viewBox="0 0 {made.width:.0f} {made.height:.0f}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">',
             f'<rect width="100%" height="100%" fill="{_hex(made.ground)}"/>']  # fmt: skip
    for part in made.parts:
        colour = "" if isinstance(part, Raster) else _hex(part.colour)
        match part:
            case Box():
                lines.append(f'<rect x="{part.x:.1f}" y="{part.y:.1f}" width="{part.width:.1f}" '
                             f'height="{part.height:.1f}" fill="{colour}"/>')  # fmt: skip
            case Words():
                anchor = {0.0: "start", 0.5: "middle", 1.0: "end"}[part.align]
                lines.append(f'<text x="{part.x:.1f}" y="{part.y:.1f}" font-size="{part.size:g}" '
                             f'fill="{colour}" text-anchor="{anchor}">{_escaped(part.text)}</text>')  # fmt: skip
            case Upright():
                lines.append(f'<text transform="translate({part.x:.1f} {part.y:.1f}) rotate(-90)" '
                             f'font-size="{part.size:g}" fill="{colour}" text-anchor="middle" '
                             f'dominant-baseline="middle">{_escaped(part.text)}</text>')  # fmt: skip
            case Line():
                for piece in _pieces(part.points):
                    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in piece.tolist())
                    lines.append(f'<polyline points="{places}" fill="none" stroke="{colour}" '
                                 f'stroke-width="{part.width:g}"/>')  # fmt: skip
            case Dots():
                for x, y in part.points[np.isfinite(part.points).all(axis=1)].tolist():
                    lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{part.radius:g}" fill="{colour}"/>')
            case Raster():
                data = base64.b64encode(encoded(part.pixels)).decode()
                lines.append(f'<image x="{part.x:.1f}" y="{part.y:.1f}" width="{part.width:.1f}" '
                             f'height="{part.height:.1f}" preserveAspectRatio="none" '
                             f'href="data:image/png;base64,{data}"/>')  # fmt: skip
    return "\n".join([*lines, "</svg>", ""])


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;")


def _hex(colour: Colour) -> str:
    blue, green, red = colour
    return f"#{red:02x}{green:02x}{blue:02x}"
