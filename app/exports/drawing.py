"""What the pictures share: colours, grey levels, text, lines that begin between two pixels.

Places are pixel centres at integers. A picture enlarged by the factor s shows x at s * x + (s - 1) / 2, so that
pixel 0 stays the centre of the first s pixels.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from kernels.opencv import cv2

Picture = npt.NDArray[Any]
Colour = tuple[int, int, int]
"""Blue, green, red."""

# Okabe and Ito, Color Universal Design (2008), blue and green lightened to be seen on dark pictures.
PALETTE: tuple[Colour, ...] = (
    (0, 159, 230),  # orange
    (233, 180, 86),  # sky blue
    (66, 228, 240),  # yellow
    (167, 121, 204),  # reddish purple
    (128, 190, 0),  # bluish green
    (40, 110, 235),  # vermilion
    (230, 140, 70),  # blue
    # Beyond these, the farthest colour from all before it in CIE L*a*b*, between L* 52 and 92.
    (255, 0, 210), (0, 255, 0), (90, 135, 150), (105, 0, 255), (0, 150, 105), (195, 240, 210), (180, 15, 240),
    (255, 255, 0), (255, 105, 120), (120, 255, 150), (165, 180, 255), (255, 210, 240), (255, 135, 240),
)  # fmt: skip
WHITE: Colour = (245, 245, 245)
GREY: Colour = (160, 160, 160)
DARK: Colour = (24, 24, 24)
LARGE = 16_000_000
"""Pixels of a picture beyond which it is made small before anything else is done to it."""
STRIP_PIXELS = 4_000_000
"""Of a picture that are averaged at a time."""
SHIFT = 4
"""Binary places of the positions that OpenCV draws at: 1/16 px."""
FONT = cv2.FONT_HERSHEY_SIMPLEX


def fixed(points: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Positions as OpenCV's fixed-point integers of SHIFT binary places; far-away ones are clipped."""
    return np.rint(np.clip(points, -1e6, 1e6) * float(1 << SHIFT)).astype(np.int32)


def find_levels(pictures: Sequence[Picture]) -> tuple[float, float]:
    """The values to be shown black and white: the 0.1 and 99.9 percentiles, at least 1/16 of the whole apart.

    8-bit colour keeps 0 and 255. Values that are not finite are left out.
    """
    first = pictures[0]
    if first.dtype == np.uint8 and first.ndim == 3 and first.shape[2] >= 3:
        return 0.0, 255.0
    if first.dtype == np.bool_:
        return 0.0, 1.0
    # About a million pixels are enough for percentiles.
    step = max(1, round((first.size * len(pictures) / 1e6) ** 0.5))
    sample = np.concatenate([p[::step, ::step].ravel() for p in pictures])
    if sample.dtype.kind == "f":
        sample = sample[np.isfinite(sample)]
    if not len(sample):
        return 0.0, 1.0
    low, high = quantiles(sample, (0.1 / 100, 99.9 / 100))
    top = float(sample.max())
    # A flat picture must not show its noise: integers spread at least over 1/16 of the range that they use.
    whole = 2.0 ** np.ceil(np.log2(max(top, 1.0) + 1.0)) if first.dtype.kind in "ui" else max(abs(low), abs(high))
    least = max(whole / 16.0, 1e-12)
    if high - low < least:
        middle = 0.5 * (low + high)
        low, high = middle - 0.5 * least, middle + 0.5 * least
        if first.dtype.kind == "u" and low < 0:
            low, high = 0.0, least
    return low, high


def quantiles(sample: Picture, shares: Sequence[float]) -> list[float]:
    """`np.quantile` of the values (n,) as f64; of bytes by counting them, in a fifth of the time."""
    if sample.dtype != np.uint8:
        return [float(one) for one in np.quantile(sample.astype(np.float64), shares)]
    counts, made = np.cumsum(np.bincount(sample)), []
    for place in (share * (len(sample) - 1) for share in shares):
        below = math.floor(place)
        around = np.searchsorted(counts, (below, min(below + 1, len(sample) - 1)), "right")
        made.append(float(np.quantile(around.astype(np.float64), place - below)))
    return made


def to_display(picture: Picture, levels: tuple[float, float], rgb: bool = True) -> npt.NDArray[np.uint8]:
    """The picture as (height, width, 3) blue, green, red bytes.

    Args:
        picture: (height, width), (height, width, 1) or (height, width, 3 or 4), any dtype.
        levels: the values shown black and white; what is not finite is black.
        rgb: True if three channels are red, green, blue; False for blue, green, red.
    """
    grey = to_bytes(picture, levels, rgb)
    return grey if grey.ndim == 3 else np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def to_bytes(
    picture: Picture, levels: tuple[float, float], rgb: bool = True, gamma: float = 1.0
) -> npt.NDArray[np.uint8]:
    """As `to_display`, but what has no colour is (height, width): a third of the work for what follows.

    Args:
        gamma: 1 is linear; larger ones brighten what is dark.
    """
    low, high = levels
    # Colour without colour, as video often stores gray: a third of the work.
    if picture.ndim == 3 and picture.shape[2] >= 3 and picture.dtype == np.uint8 and _colourless(picture):
        picture = cv2.extractChannel(np.ascontiguousarray(picture), 0)
    if picture.ndim == 3 and picture.shape[2] < 3:
        picture = picture[:, :, 0]
    elif picture.ndim == 3:
        picture = picture[:, :, 2::-1] if rgb else picture[:, :, :3]
    if picture.dtype == np.uint8:
        whole = np.ascontiguousarray(picture)
        if levels == (0.0, 255.0) and gamma == 1.0:
            return whole
        return np.asarray(cv2.LUT(whole, _table(256, low, high, gamma)), np.uint8)
    if picture.dtype == np.uint16:
        return np.asarray(_table(65536, low, high, gamma)[picture], np.uint8)
    with np.errstate(invalid="ignore", over="ignore"):
        scaled = (picture.astype(np.float32) - np.float32(low)) * np.float32(255.0 / (high - low))
    if gamma != 1.0:
        scaled = 255.0 * np.clip(np.nan_to_num(scaled, nan=0.0) / 255.0, 0, 1) ** np.float32(1.0 / gamma)
    return np.asarray(np.rint(np.clip(np.nan_to_num(scaled, nan=0.0, posinf=255.0, neginf=0.0), 0, 255)), np.uint8)


def _colourless(picture: Picture) -> bool:
    """Whether red, green and blue are the same everywhere, as in most videos of gray pictures."""
    few = picture[::16, ::16]
    if not ((few[..., 0] == few[..., 1]) & (few[..., 0] == few[..., 2])).all():
        return False
    whole = np.ascontiguousarray(picture)
    first, *others = (cv2.extractChannel(whole, k) for k in range(3))
    return all(np.array_equal(first, other) for other in others)


@functools.lru_cache(4)
def _table(count: int, low: float, high: float, gamma: float) -> npt.NDArray[np.uint8]:
    table = (np.arange(count) - low) * (255.0 / (high - low))
    if gamma != 1.0:
        table = 255.0 * np.clip(table / 255.0, 0.0, 1.0) ** (1.0 / gamma)
    return np.asarray(np.clip(np.rint(table), 0, 255), np.uint8)


def display_size(width: int, height: int) -> float:
    """The factor by which a clip is shown: whole; 1/whole beyond 2560 px; for small ones so large that the picture has
    200 000 px, no side beyond 1280 px, if that can be.
    """
    side = max(width, height)
    if side > 2560:
        return 1.0 / -(-side // 2560)
    return float(max(1, min(math.ceil(math.sqrt(200_000 / (width * height))), 1280 // side)))


def display_shape(width: int, height: int) -> tuple[int, int]:
    """(height, width) as they are shown."""
    factor = display_size(width, height)
    if factor < 1.0:
        step = round(1.0 / factor)
        return -(-height // step), -(-width // step)
    return round(height * factor), round(width * factor)


def resized(picture: npt.NDArray[np.uint8], factor: float) -> npt.NDArray[np.uint8]:
    """The picture at `factor` times its size, rounded up; pixel centres move as the module says."""
    if factor == 1.0:
        return picture
    height, width = picture.shape[:2]
    if factor < 1.0:
        return np.asarray(averaged(picture, round(1.0 / factor)), np.uint8)
    size = (round(width * factor), round(height * factor))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def averaged(picture: Picture, step: int) -> Picture:
    """The mean of each step x step pixels, in the picture's type (bytes for masks), as much of them as there is."""
    height, width = picture.shape[:2]
    rows, parts = step * max(1, STRIP_PIXELS // (width * step)), []
    for first in range(0, height, rows):  # what OpenCV does in between is as large as what it is given
        strip = np.ascontiguousarray(picture[first : first + rows])
        strip = strip.view(np.uint8) if strip.dtype == np.bool_ else strip
        if -len(strip) % step or -width % step:
            strip = cv2.copyMakeBorder(strip, 0, -len(strip) % step, 0, -width % step, cv2.BORDER_REPLICATE)
        size = strip.shape[1] // step, strip.shape[0] // step
        parts.append(cv2.resize(strip, size, interpolation=cv2.INTER_AREA))
    return np.concatenate(parts)


def small(picture: Picture, factor: float) -> Picture:
    """A picture that is shown at `factor` times its size, made small at once where it is so large that what is made of
    it on the way would take too much memory."""
    if factor >= 1.0 or picture.shape[0] * picture.shape[1] <= LARGE or picture.dtype.char not in "?BHhfd":
        return picture
    return averaged(picture, round(1.0 / factor))


def text(
    picture: npt.NDArray[np.uint8],
    words: str,
    x: float,
    y: float,
    *,
    size: float = 0.45,
    colour: Colour = WHITE,
    outline: bool = True,
    align: float = 0.0,
) -> None:
    """Write one line, baseline at y.

    Args:
        align: which part of its width lies at x: 0 begins there, 0.5 is centred, 1 ends there.
        outline: a dark rim, so that it can be read on any picture.
    """
    if align:
        x -= align * text_width(words, size)
    height, width = picture.shape[:2]
    if not (-width < x < 2 * width and -height < y < 2 * height):
        return  # far outside: OpenCV takes no such places
    place, thick = (round(x), round(y)), max(1, round(size * 1.6))
    if outline:
        cv2.putText(picture, words, place, FONT, size, DARK, thick + 2, cv2.LINE_AA)
    cv2.putText(picture, words, place, FONT, size, colour, thick, cv2.LINE_AA)


RIM = 3
"""Pixels of a label's picture around its letters."""


def letters(words: str, size: float) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], int]:
    """How much of each pixel a dark rim covers, and the bold letters upon it: (height, width) each, 0 to 255, RIM px
    around them; and the baseline's row.
    """
    (width, height), below = cv2.getTextSize(words, FONT, size, 2)
    face = np.zeros((height + below + 2 * RIM, width + 2 * RIM), np.uint8)
    place = (RIM, RIM + height)
    cv2.putText(face, words, place, FONT, size, 255, 2, cv2.LINE_AA)
    # Letters drawn thicker make no rim: the fonts of OpenCV 5 only grow bolder.
    rim = cv2.dilate(face, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    return np.asarray(rim, np.uint8), face, place[1]


@functools.lru_cache(4096)
def label_width(words: str, size: float) -> int:
    """The width of a label in px, its rim left out."""
    return int(cv2.getTextSize(words, FONT, size, 2)[0][0])


@functools.lru_cache(256)
def text_width(words: str, size: float) -> int:
    """The width of a line in px."""
    return int(cv2.getTextSize(words, FONT, size, max(1, round(size * 1.6)))[0][0])


def polylines(picture: Picture, pieces: Sequence[Picture], colour: Any, thickness: int = 1) -> None:
    """Draw open lines; each piece is (points, 2) in `fixed` numbers."""
    if len(pieces):
        cv2.polylines(picture, list(pieces), False, colour, thickness, cv2.LINE_AA, SHIFT)


def encoded(picture: Picture, *options: int) -> bytes:
    """A picture as PNG.

    Args:
        picture: (height, width) or (height, width, 3) blue, green, red; uint8 or uint16.
        options: of `cv2.imencode`, by pairs.

    Raises:
        InputError: PNG does not take it.
    """
    done, data = cv2.imencode(".png", picture, options)
    if not done:
        raise InputError(f"a picture of {picture.shape[1]} x {picture.shape[0]} cannot be written as PNG")
    return data.tobytes()
