"""How the face of the scene `face` looks at rest: a relief of smooth bumps, lit by a key lamp and a ring light.

Positions are relative to the middle of the face, in units of 1/320 of the picture's height; y points down.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.sources.simulated.drawing import Floats, cloud, step
from app.sources.simulated.late_scipy import gaussian_filter

EYES = ((-33.0, -22.0), (33.0, -22.0))
LID_WIDTH = 15.5
"""Half the width of the eye's opening."""

# x, y, height, spread in x, spread in y
_BUMPS = (
    (0, -2, 9, 8, 24), (0, 23, 13, 9, 11), (-10, 28, 6, 5, 5), (10, 28, 6, 5, 5),  # nose, its tip and wings
    (-33, -23, -11, 17, 11), (33, -23, -11, 17, 11), (-33, -20, 6, 12, 8), (33, -20, 6, 12, 8),  # sockets, eyeballs
    (-30, -42, 4, 20, 6), (30, -42, 4, 20, 6), (0, -42, 1.5, 10, 8),  # brow ridge
    (-48, 14, 6, 17, 13), (48, 14, 6, 17, 13), (-40, 52, -4, 13, 22), (40, 52, -4, 13, 22),  # cheek bones, hollows
    (0, 58, 8, 24, 19), (0, 52, 2.5, 17, 3.5), (0, 66, 3.5, 15, 4.5), (0, 77, -3, 18, 5),  # muzzle, lips, below
    (0, 95, 7, 16, 11), (0, 42, -1.6, 3, 6), (-22, 40, -2.0, 5, 13), (22, 40, -2.0, 5, 13),  # chin, philtrum, folds
)  # fmt: skip


def _relief(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Height of the face towards the camera, and the signed distance (about, in units) to the head's outline."""
    jaw = 1 - 0.30 * np.clip((y - 5) / 110, 0, 1) ** 1.6
    radius = np.sqrt((np.abs(x) / (86 * jaw)) ** 2.2 + (np.abs(y + 2) / 122) ** 2.2)
    height = 92 * np.sqrt(np.clip(1 - radius**2, 0.0, None) + 0.004)
    for bx, by, size, sx, sy in _BUMPS:
        height += size * np.exp(-0.5 * (((x - bx) / sx) ** 2 + ((y - by) / sy) ** 2))
    return height, (radius - 1) * 86


def _lit(height: Floats, unit: float) -> Floats:
    """Lambertian shading of a relief by a key lamp from the upper left, a ring light round the lens and a rim lamp."""
    gy, gx = np.gradient(gaussian_filter(height * unit, 0.9 * unit))
    norm = np.sqrt(1 + gx**2 + gy**2)
    key = np.clip((0.50 * gx + 0.55 * gy + 0.67) / norm, 0, None)
    ring = 1 / norm
    rim = np.clip((-0.85 * gx + 0.10 * gy + 0.30) / norm, 0, None)
    return np.asarray(0.03 + 0.62 * key + 0.34 * ring + 0.10 * rim**2, float)


def _brow(x: Floats, y: Floats) -> Floats:
    side = np.abs(x) - 34
    arc = -45 + 0.009 * side**2 - 0.05 * side
    thick = 3.4 - 0.055 * side
    return step(np.abs(y - arc) - np.clip(thick, 1.0, None), 1.6) * step(np.abs(side + 1) - 20, 2.5)


def portrait(shape: tuple[int, int], x: Floats, y: Floats, unit: float, rng: np.random.Generator) -> Floats:
    """The face with its eyes shut, on a dark backdrop, as share of the full well.

    Args:
        shape: (height, width).
        x, y: position of each pixel in the face's units.
        unit: pixels of one unit.
        rng: draws pores, strands and blotches.
    """
    height, outline = _relief(x, y)
    light = _lit(height, unit)
    skin = 0.44 * (1 + 0.020 * cloud(shape, 0.8 * unit, rng) + 0.025 * cloud(shape, 5 * unit, rng))
    strands = gaussian_filter(rng.standard_normal(shape), (3.2 * unit, 0.6 * unit))
    strands /= strands.std()

    lips = step(np.hypot(x / 25, (y - 59) / (10.5 - 2.5 * np.exp(-((x / 5) ** 2)))) * 10 - 10, 1.1)
    skin *= 1 - 0.26 * lips
    mouth = 57.5 + 1.2 * np.cos(x / 6.5) * np.exp(-((x / 14) ** 2)) - 0.0016 * x**2
    skin *= 1 - 0.62 * np.exp(-(((y - mouth) / 1.25) ** 2)) * step(np.abs(x) - 25.5, 1.8)
    for nx in (-6.5, 6.5):
        skin *= 1 - 0.62 * np.exp(-(((x - nx) / 3.6) ** 2) - ((y - 33.5) / 1.9) ** 2)
    for ex, ey in EYES:
        crease = ey - 11.5 + 0.020 * (x - ex) ** 2
        skin *= 1 - 0.28 * np.exp(-(((y - crease) / 1.2) ** 2)) * step(np.abs(x - ex) - 15, 2.5)
        skin *= 1 - 0.13 * np.exp(-(((x - ex) / 15) ** 2) - ((y - ey - 9) / 6) ** 2)
    skin *= 1 - 0.62 * _brow(x, y) * (1 + 0.10 * strands)

    gloss = np.exp(-(((x + 28) / 38) ** 2) - ((y + 100 + 0.004 * x**2) / 9) ** 2) * (1 + 0.4 * strands)
    hairline = -88 + 0.0045 * x**2 + 0.0000016 * x**4
    hair = step(y - hairline - 2 * strands, 3.0)
    skin = skin * (1 - hair) + hair * np.clip(0.10 + 0.024 * strands + 0.09 * gloss, 0.03, None)
    picture = _surroundings(x, y, unit, rng, shape)
    head = step(outline * unit, 0.9)
    # the hair stands off the skull
    bulk = step((np.hypot(x / 91, (y + 10) / 119) - 1) * 88 + 1.2 * strands, 1.3) * step(y + 14, 10.0)
    shadow = 0.3 + 0.7 * np.clip((np.hypot(x / 91, (y + 10) / 119) - 1) * -9 + 0.55, 0, 1)
    mane = np.clip(0.09 + 0.022 * strands, 0.02, None) * shadow
    picture += bulk * (mane - picture)
    return np.asarray(picture + head * (skin * light - picture), float)


def _surroundings(
    x: Floats, y: Floats, unit: float, rng: np.random.Generator, shape: tuple[int, int]
) -> npt.NDArray[np.float64]:
    """Backdrop, ears, neck and shoulders."""
    picture = 0.028 + 0.040 * np.exp(-(((x + 30) / 150) ** 2) - ((y + 10) / 170) ** 2)
    picture += 0.0015 * cloud(shape, 16 * unit, rng)
    for side in (-1, 1):
        away = np.hypot((x - side * 85) / 9.5, (y + 4) / 22)
        ear = 0.24 - 0.06 * side - 0.09 * np.exp(-((away - 0.45) ** 2) / 0.05)
        picture += step((away - 1) * 10 * unit, 0.9) * (ear - picture)
    neck_half = 45 + 0.010 * np.clip(y - 90, 0, None) ** 2
    neck = step((np.abs(x) - neck_half) * unit, 1.2) * step(-(y - 60), 4.0)
    shade = 0.085 + 0.10 * np.exp(-(((x + 14) / 24) ** 2)) + 0.03 * np.clip((y - 115) / 60, 0, 1)
    picture += neck * (shade - picture)
    collar = 138 - 0.022 * x**2 * (np.abs(x) < 40) - 35.2 * (np.abs(x) >= 40) + 0.16 * np.clip(np.abs(x) - 40, 0, None)
    shirt = step(-(y - collar - 3) * unit, 1.6)
    picture += shirt * (0.055 + 0.025 * np.exp(-(((x + 60) / 50) ** 2)) - picture)
    return np.asarray(picture, float)


def add_eye(
    picture: Floats, x: Floats, y: Floats, shut: float, unit: float, mirrored: bool
) -> npt.NDArray[np.float64]:
    """The picture round one eye with its lids opened.

    Args:
        picture: the skin of the shut eye.
        x, y: position of each pixel from the eye's middle, in the face's units.
        shut: 0 open .. 1 shut.
        unit: pixels of one unit.
        mirrored: the eye on the right of the picture.
    """
    inner = -x if mirrored else x  # grows towards the nose
    arch = np.clip(1 - (x / LID_WIDTH) ** 2, 0, None)
    upper = lid_edge(x, shut)
    lower = 5.2 * arch**0.8 - 0.9 * shut * arch + 0.03 * inner
    opening = step(np.maximum(upper - y, y - lower) * unit, 0.7) * step((np.abs(x) - LID_WIDTH + 0.4) * unit, 0.9)
    r = np.hypot(x - 0.4, y + 0.8)
    ball = 0.37 - 0.0007 * x**2 - 0.10 * np.exp(-np.clip(y - lid_edge(x, 0.0), 0, None) / 2.5)
    iris = 0.105 + 0.035 * np.clip(y / 7, -1, 1) - 0.05 * np.exp(-(((r - 7.3) / 0.9) ** 2))
    ball = ball + step((r - 7.6) * unit, 0.7) * (iris - ball)
    ball = ball * (1 - 0.85 * step((r - 3.1) * unit, 0.6))
    ball = ball + 0.22 * np.exp(-(((x + 2.2) / 1.1) ** 2) - ((y + 3.4) / 1.1) ** 2)
    picture = picture + opening * (ball - picture)
    # lashes: a fringe that hangs from the lid's edge, darkest at its roots
    below = np.clip(y - upper, 0, None)
    fringe = step((upper - y) * unit, 0.7) * np.exp(-((below / (1.3 + 0.55 * LASHES * shut)) ** 2))
    fringe = fringe * step((np.abs(x) - LID_WIDTH + 0.5 - 1.5 * shut) * unit, 1.2)
    return np.asarray(picture * (1 - 0.80 * fringe), float)


LASHES = 4.2
"""How far the lashes of a shut eye hang below the lid's edge."""


def lid_edge(x: Floats, shut: float) -> Floats:
    """y of the upper lid's edge, from the eye's middle: from -8 (open) to +9.2 (squeezed shut) at the middle."""
    arch = np.clip(1 - (x / LID_WIDTH) ** 2, 0, None)
    return np.asarray(arch**0.75 * (-8.2 + 17.4 * shut), float)
