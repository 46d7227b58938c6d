"""What the pictures share: colours, grey levels, text, lines that begin between two pixels.

Places are pixel centres at integers. A picture enlarged by the factor s shows x at s * x + (s - 1) / 2, so that
pixel 0 stays the centre of the first s pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.opencv import cv2

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
)
WHITE: Colour = (245, 245, 245)
GREY: Colour = (160, 160, 160)
DARK: Colour = (24, 24, 24)
SHIFT = 4
"""Binary places of the positions that OpenCV draws at: 1/16 px."""
FONT = cv2.FONT_HERSHEY_SIMPLEX


def colour_of(track: int) -> Colour:
    """The colour of a track, the same in every picture of a run."""
    return PALETTE[track % len(PALETTE)]


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
    step = max(1, round((first.size * len(pictures) / 1e6) ** 0.5))
    sample = np.concatenate([p[::step, ::step].ravel() for p in pictures]).astype(np.float64)
    sample = sample[np.isfinite(sample)]
    if not len(sample):
        return 0.0, 1.0
    low, high = (float(v) for v in np.percentile(sample, (0.1, 99.9)))
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


def to_display(picture: Picture, levels: tuple[float, float], rgb: bool = True) -> npt.NDArray[np.uint8]:
    """The picture as (height, width, 3) blue, green, red bytes.

    Args:
        picture: (height, width), (height, width, 1) or (height, width, 3 or 4), any dtype.
        levels: the values shown black and white; what is not finite is black.
        rgb: True if three channels are red, green, blue; False for blue, green, red.
    """
    low, high = levels
    if picture.ndim == 3 and picture.shape[2] < 3:
        picture = picture[:, :, 0]
    elif picture.ndim == 3:
        picture = picture[:, :, 2::-1] if rgb else picture[:, :, :3]
    if picture.dtype == np.uint8:
        table = np.clip(np.rint((np.arange(256) - low) * (255.0 / (high - low))), 0, 255).astype(np.uint8)
        grey = np.ascontiguousarray(picture) if levels == (0.0, 255.0) else table[picture]
    else:
        with np.errstate(invalid="ignore"):
            scaled = (picture.astype(np.float32) - np.float32(low)) * np.float32(255.0 / (high - low))
        grey = np.rint(np.clip(np.nan_to_num(scaled, nan=0.0, posinf=255.0, neginf=0.0), 0, 255)).astype(np.uint8)
    if grey.ndim == 3:
        return grey
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def display_size(width: int, height: int) -> float:
    """The factor by which a clip is shown: whole and at least 1 for small ones, 1/whole beyond 2560 px."""
    side = max(width, height)
    if side > 2560:
        return 1.0 / -(-side // 2560)
    return float(max(1, min(-(-512 // width), 1280 // side)))


def resized(picture: npt.NDArray[np.uint8], factor: float) -> npt.NDArray[np.uint8]:
    """The picture at `factor` times its size, rounded up; pixel centres move as the module says."""
    if factor == 1.0:
        return picture
    height, width = picture.shape[:2]
    if factor < 1.0:
        step = round(1.0 / factor)
        padded = cv2.copyMakeBorder(picture, 0, -height % step, 0, -width % step, cv2.BORDER_REPLICATE)
        size = (padded.shape[1] // step, padded.shape[0] // step)
        return np.asarray(cv2.resize(padded, size, interpolation=cv2.INTER_AREA), np.uint8)
    size = (round(width * factor), round(height * factor))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), np.uint8)


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


def text_width(words: str, size: float) -> int:
    """The width of a line in px."""
    return int(cv2.getTextSize(words, FONT, size, max(1, round(size * 1.6)))[0][0])


def polylines(picture: Picture, pieces: Sequence[Picture], colour: Any, thickness: int = 1) -> None:
    """Draw open lines; each piece is (points, 2) in `fixed` numbers."""
    if len(pieces):
        cv2.polylines(picture, list(pieces), False, colour, thickness, cv2.LINE_AA, SHIFT)


def ascii_text(words: str) -> str:
    """`words` in the letters that OpenCV's fonts have; others become "?"."""
    return words.encode("ascii", "replace").decode()
