"""From samples to screen colours: levels, gamma, and tables of colours; nothing here knows a window."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.frame import Pixels

Words = npt.NDArray[np.uint32]
TABLES = ("gray", "inverted", "viridis", "inferno", "ice", "clipping")
"""Names of tables: "clipping" is gray with black pixels blue and white ones red."""

# Anchors of smooth tables, evenly spaced, as "rrggbb"; between them colours are mixed linearly.
_ANCHORS = {
    "viridis": "440154 472c7a 3b518b 2c718e 21908d 27ad81 5cc863 aadc32 fde725",
    "inferno": "000004 1b0c42 4b0c6b 781c6d a52c60 cf4446 ed6925 fb9a06 f7d03c fcffa4",
    "ice": "03050f 1b2550 2c4f93 3f84b5 6fb6c6 b9e0dc ffffff",
}


@dataclass(frozen=True, slots=True)
class Levels:
    """How samples become brightness: `low` is black, `high` is white, between them a power.

    Args:
        low, high: in the unit of the samples; `high` above `low`.
        gamma: 1 is linear; larger ones brighten what is dark.
    """

    low: float
    high: float
    gamma: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.low) and np.isfinite(self.high) and self.low < self.high and self.gamma > 0):
            raise InputError(f"levels need black below white, not {self.low:g} and {self.high:g}")


def full_levels(bits: int) -> Levels:
    """The whole range of samples with so many bits (0: floating point from 0 to 1)."""
    return Levels(0.0, 1.0) if bits == 0 else Levels(0.0, float((1 << bits) - 1))


def auto_levels(pixels: Pixels, cut: float = 0.002) -> Levels:
    """Levels that leave out the darkest and the brightest `cut` of the samples; some 65 536 of them are looked at."""
    # Some 65536 pixels tell the quantiles well enough.
    step = max(1, int(np.sqrt(pixels.shape[0] * pixels.shape[1] / 65536)))
    some = np.asarray(pixels[::step, ::step], np.float64).ravel()
    some = some[np.isfinite(some)]
    if not len(some):
        return Levels(0.0, 1.0)
    low, high = np.quantile(some, (cut, 1.0 - cut))
    if high <= low:
        low, high = float(some.min()), float(some.max())
    return Levels(float(low), float(high) if high > low else float(low) + 1.0)


@lru_cache(16)
def table(name: str) -> Words:
    """256 colours as 0xffRRGGBB, dark to bright.

    Raises:
        InputError: there is no such table.
    """
    if name not in TABLES:
        raise InputError(f"there is no colour table {name!r}; there are {', '.join(TABLES)}")
    ramp = np.arange(256.0)
    if name in _ANCHORS:
        anchors = np.array([[int(c[i : i + 2], 16) for i in (0, 2, 4)] for c in _ANCHORS[name].split()], float)
        at = np.linspace(0, 255, len(anchors))
        channels = [np.interp(ramp, at, anchors[:, i]) for i in range(3)]
    else:
        channels = [ramp[::-1] if name == "inverted" else ramp] * 3
    r, g, b = (np.rint(channel).astype(np.uint32) for channel in channels)
    made: Words = np.uint32(0xFF000000) | r << np.uint32(16) | g << np.uint32(8) | b
    if name == "clipping":
        made[0], made[255] = 0xFF1040C0, 0xFFE02020
    return made


def _brightness(values: npt.NDArray[Any], levels: Levels) -> npt.NDArray[np.uint8]:
    """Values as 0..255."""
    share = np.clip((values.astype(np.float64) - levels.low) / (levels.high - levels.low), 0.0, 1.0)
    return np.rint(255.0 * share ** (1.0 / levels.gamma)).astype(np.uint8)


@lru_cache(16)
def _ramp(kind: str, levels: Levels) -> npt.NDArray[np.uint8]:
    """The brightness of every value that an integer type of up to 16 bits has."""
    info = np.iinfo(kind)
    return _brightness(np.arange(info.min, info.max + 1, dtype=np.float64), levels)


@lru_cache(16)
def _words(kind: str, levels: Levels, name: str) -> Words:
    return np.ascontiguousarray(table(name)[_ramp(kind, levels)])


def to_screen(pixels: Pixels, levels: Levels, name: str, out: Words) -> None:
    """Screen colours of a picture.

    Args:
        pixels: (height, width), or (height, width, 3 or more): red, green, blue; of any real type.
        levels: applied to every channel.
        name: of the table, for pictures of one channel.
        out: (height, width); written.
    """
    if pixels.dtype.kind == "b":
        pixels = pixels.view(np.uint8)
        levels = Levels(0.0, 1.0)
    small = pixels.dtype.kind in "ui" and pixels.dtype.itemsize <= 2
    if pixels.ndim == 2 or pixels.shape[2] < 3:
        plane = pixels if pixels.ndim == 2 else pixels[:, :, 0]
        if small:
            words = _words(plane.dtype.str, levels, name)
            # The table begins with the least value of the type.
            if plane.dtype.kind == "i":
                plane = plane.astype(np.int32) - np.iinfo(plane.dtype).min
            np.take(words, plane, out=out, mode="clip")
        else:
            np.take(table(name), _brightness(np.nan_to_num(plane), levels), out=out, mode="clip")
        return
    bytes_ = out.view(np.uint8).reshape(*out.shape, 4)  # blue, green, red, opaque: little endian
    for channel, place in ((0, 2), (1, 1), (2, 0)):
        plane = pixels[:, :, channel]
        if small and plane.dtype.kind == "u":
            bytes_[:, :, place] = plane if levels == Levels(0.0, 255.0) and plane.dtype.itemsize == 1 else np.take(
                _ramp(plane.dtype.str, levels), plane, mode="clip"
            )  # fmt: skip
        else:
            bytes_[:, :, place] = _brightness(np.nan_to_num(plane), levels)
    bytes_[:, :, 3] = 255


def histogram(pixels: Pixels, bins: int = 256) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Counts and edges of the samples, of all channels; of pictures larger than half a megapixel every n-th pixel."""
    step = max(1, int(np.sqrt(pixels.shape[0] * pixels.shape[1] / 524288)))
    some = pixels[::step, ::step].ravel()
    if some.dtype.kind == "b":
        some = some.view(np.uint8)
    if some.dtype.kind == "f":
        some = some[np.isfinite(some)]
    if not len(some):
        return np.zeros(bins, np.int64), np.linspace(0.0, 1.0, bins + 1)
    if some.dtype == np.uint8 and bins == 256:
        return np.bincount(some, minlength=256).astype(np.int64), (np.arange(257) - 0.5).astype(np.float64)
    counts, edges = np.histogram(some, bins)
    return counts.astype(np.int64), edges.astype(np.float64)
