"""A figure of curves straight into pixels, by the calls of matplotlib's axes that such a figure needs.

Runs draw one at their end. matplotlib takes .3 s of a processor to load and .5 s to draw it; this takes a tenth of
that, and whoever fills axes (`app.exports.trajectories`) fills these by the same code: there is one description of the
figure, and two that draw it. For papers, SVG and PDF it is matplotlib.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Required, TypeAlias, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from app.plots.look import Look
from app.plots.ticks import ticks
from kernels.opencv import cv2

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

Pixels = npt.NDArray[np.uint8]
Rgb = tuple[int, int, int]
SHIFT = 4
"""Binary places of positions: 1/16 px."""
FAR = 1e5
"""px: what is farther away is drawn as if it were there; none of it is seen."""
SOFT = 1.5
"""px by which OpenCV's lines of 2, 4, 6 ... px with soft edges are wider; those of 3, 5 ... are as wide as of one more,
those of 1 are 1.4 px."""
TICK, GAP = 3.5, 3.5
"""Points: the length of a tick, and from it to its number."""


Fillable: TypeAlias = Any
"""Axes of matplotlib, or a `Panel`: what both can do is done to either by the same code."""


@lru_cache(1)
def _face() -> str:
    found = find_spec("matplotlib")  # which is not loaded for it
    assert found is not None
    assert found.submodule_search_locations
    return str(Path(found.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf")


@lru_cache(8)
def _font(size: float) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(_face(), size)


@lru_cache(512)
def words_in(words: str, size: float) -> tuple[Pixels, int]:
    """A line of words: how much of each pixel they cover, 0 to 255; and how many rows lie below their base line.

    Args:
        words: any; what the font has not is an empty box.
        size: px an em.
    """
    from PIL import Image, ImageDraw

    font = _font(size)
    left, top, right, bottom = (round(side) for side in font.getbbox(words, anchor="ls"))
    picture = Image.new("L", (max(1, right - min(0, left)), max(1, bottom - top)))
    ImageDraw.Draw(picture).text((-min(0, left), -top), words, 255, font, anchor="ls")
    return np.asarray(picture), bottom


def load_letters(look: Look) -> None:
    """Load what writes, and the letters of a figure's two sizes, which takes longer than to write with them; and what
    NumPy loads when it first looks for unique values."""
    np.unique(np.zeros(1))
    for points in (look.font, look.font - 1.0):
        words_in("0", points * look.dpi / 72.0)


def width_of(words: str, size: float) -> int:
    """px that a line takes."""
    return words_in(words, size)[0].shape[1] if words else 0


@lru_cache(128)
def rgb_of(colour: str) -> Rgb:
    """A colour as it is written.

    >>> rgb_of("#e69f00")
    (230, 159, 0)
    """
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


class _Style(TypedDict, total=False):
    """How a curve looks, by matplotlib's names; widths and sizes in points."""

    color: str
    lw: float
    alpha: float
    ms: float
    mew: float
    mfc: str | None
    mec: str
    zorder: float
    label: str


class _NoteStyle(TypedDict, total=False):
    """How a note looks, likewise; what has one meaning here is taken and not looked at."""

    textcoords: Required[str]
    fontsize: Required[float]
    color: Required[str]
    xycoords: str
    va: str
    annotation_clip: bool
    zorder: float


class _Curve(NamedTuple):
    """Lines or marks: places in the panel's units, (n, 2), NaN between pieces."""

    places: npt.NDArray[np.float64]
    kind: str  # "-", ".", "o", "ring" or "x"
    colours: Sequence[Rgb]
    size: float  # points: the diameter of a mark
    wide: float  # points: of a line, or of a mark's own lines
    share: float  # how much of it covers the ground


class _Words(NamedTuple):
    """Something written: at a place of the panel's units, or of its share, and points from there."""

    words: str
    place: tuple[float, float]
    shares: tuple[bool, bool]
    away: tuple[float, float]
    size: float
    colour: Rgb
    across: str
    upright: str
    clipped: bool


class Box(NamedTuple):
    """Of a panel within its figure, px; each end is one past the last."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def width(self) -> int:
        return self.right - self.left


class Raster:
    """A figure.

    Args:
        look: how it looks; its ground is a colour.
        width, height: inches.
    """

    def __init__(self, look: Look, width: float, height: float) -> None:
        self.look, self.dpi = look, float(look.dpi)
        self.wide, self.high = int(width * look.dpi), int(height * look.dpi)
        self.pixels: Pixels = np.empty((self.high, self.wide, 3), np.uint8)
        self.pixels[0] = rgb_of(look.ground)
        self.pixels[1:] = self.pixels[0]  # by rows: three bytes at a time it takes ten times as long

    def px(self, points: float) -> float:
        """Pixels of so many points."""
        return points * self.dpi / 72.0

    def write(
        self, words: str, x: float, y: float, points: float, colour: Rgb, across: str = "left", upright: str = "base",
        turned: bool = False,
    ) -> None:  # fmt: skip
        """Write a line, of which `across` and `upright` ("base", "top", "bottom" or "center") lie at x, y; `turned`: it
        reads upwards."""
        if not words:
            return
        mask, below = words_in(words, self.px(points))
        if turned:
            mask = np.rot90(mask)
        high, wide = mask.shape
        left = round(x - wide * {"left": 0.0, "center": 0.5, "right": 1.0}[across])
        top = round(y - {"top": 0, "bottom": high, "center": 0.5 * high, "base": high - below}[upright])
        first, last = max(0, top), min(self.high, top + high)
        start, end = max(0, left), min(self.wide, left + wide)
        if first >= last or start >= end:
            return
        part = self.pixels[first:last, start:end]
        cover = mask[first - top : last - top, start - left : end - left, None].astype(np.float32) / 255.0
        part[:] = np.rint(part + cover * (np.array(colour, np.float32) - part))


class Panel:
    """Axes of a `Raster`: what they are told is drawn by `draw`, as far as it lies within their box."""

    transAxes = object()  # noqa: N815 - a place of `text` is a share of the box

    def __init__(self, figure: Raster, box: Box) -> None:
        self.figure, self.bbox = figure, box
        self.xlim, self.ylim = (0.0, 1.0), (0.0, 1.0)
        self.xlabel = self.ylabel = ""
        self._numbers, self._grid = True, True
        self._picture: Pixels | None = None
        self._drawn: list[tuple[float, int, _Curve]] = []
        self._written: list[_Words] = []
        self.key: dict[str, _Curve] = {}

    def plot(self, x: Any, y: Any, how: str = "-", **style: Unpack[_Style]) -> None:
        """Lines ("-") or marks (".", "o", "x"); a dot's diameter is half its size, as matplotlib has it."""
        places = np.stack((np.asarray(x, np.float64), np.asarray(y, np.float64)), axis=-1).reshape(-1, 2)
        kind = "ring" if how == "o" and style.get("mfc") == "none" else how
        size = style.get("ms", 0.0) * (0.5 if how == "." else 1.0)
        wide = style.get("mew", 0.0) if how != "-" else style.get("lw") or 1.0
        colour = style.get("color", "")
        curve = _Curve(places, kind, [rgb_of(style.get("mec") or colour)], size, wide, style.get("alpha", 1.0))
        if label := style.get("label", ""):
            self.key.setdefault(label, curve._replace(colours=[rgb_of(colour)]))
        self._drawn.append((style.get("zorder", 2.0), len(self._drawn), curve))

    def scatter(self, x: Any, y: Any, *, s: float, c: Sequence[str], lw: float = 0.0, zorder: float = 1.0) -> None:
        """Dots of the area `s`, square points of the square around them."""
        del lw
        places = np.stack((np.asarray(x, np.float64), np.asarray(y, np.float64)), axis=-1)
        curve = _Curve(places, "o", [rgb_of(one) for one in c], math.sqrt(s), 0.0, 1.0)
        self._drawn.append((zorder, len(self._drawn), curve))

    def annotate(self, words: str, place: Any, away: tuple[float, float], **style: Unpack[_NoteStyle]) -> None:
        """Words some points away from a place."""
        share = style.get("xycoords", "data") == "axes fraction"
        self._written.append(_Words(words, (float(place[0]), float(place[1])), (share, share), away, style["fontsize"],
                                    rgb_of(style["color"]), "left", style.get("va", "base"),
                                    style.get("annotation_clip", True)))  # fmt: skip

    def text(
        self, x: float, y: float, words: str, *, transform: object, color: str, fontsize: float = 0.0, ha: str = "left",
        va: str = "base",
    ) -> None:  # fmt: skip
        """Words at a share of the box."""
        del transform
        size = fontsize or self.figure.look.font
        self._written.append(_Words(words, (x, y), (True, True), (0, 0), size, rgb_of(color), ha, va, False))

    def imshow(self, picture: Pixels, *, extent: object, zorder: float) -> None:
        """A picture, (height, width, 3) red, green, blue, that fills the box."""
        del extent, zorder
        self._picture = picture

    def grid(self, *, visible: bool) -> None:
        self._grid = visible

    def tick_params(self, *, labelbottom: bool) -> None:
        self._numbers = labelbottom

    def set_xlim(self, low: float, high: float) -> None:
        self.xlim = low, high

    def set_ylim(self, low: float, high: float) -> None:
        self.ylim = low, high

    def get_ylim(self) -> tuple[float, float]:
        return self.ylim

    def set_xlabel(self, words: str) -> None:
        self.xlabel = words

    def set_ylabel(self, words: str) -> None:
        self.ylabel = words

    def set_anchor(self, where: str) -> None:
        """Its box is placed by whoever makes it."""

    def _marked(self, upright: bool) -> tuple[list[float], list[str]]:
        """The places of ticks and their words; as many as the numbers have room for."""
        size = 72.0 * (self.bbox.height if upright else self.bbox.width) / self.figure.dpi
        ends = self.ylim if upright else self.xlim
        return ticks(min(ends), max(ends), int(size / ((self.figure.look.font - 1.0) * (2.0 if upright else 3.0))))

    def left_room(self) -> int:
        """px to the left of the box that numbers and the axis's name take."""
        look, px = self.figure.look, self.figure.px
        numbers = max((width_of(one, px(look.font - 1.0)) for one in self._marked(True)[1]), default=0)
        name = words_in(self.ylabel, px(look.font))[0].shape[0] + px(GAP) if self.ylabel else 0
        return math.ceil(px(TICK + GAP) + numbers + name)

    def _at(self, places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Places of the panel's units as px of its box, whose first pixel's centre is 0."""
        size = self.bbox.width, self.bbox.height
        at = np.empty(places.shape)
        for k, (low, high) in enumerate((self.xlim, self.ylim[::-1])):
            at[:, k] = (places[:, k] - low) / (high - low) * size[k] - 0.5
        return np.clip(at, -FAR, FAR)

    def draw(self) -> None:
        """Draw all of it."""
        figure, look = self.figure, self.figure.look
        ground = figure.pixels[self.bbox.top : self.bbox.bottom, self.bbox.left : self.bbox.right]
        if self._picture is not None:
            large = max(self.bbox.width / self._picture.shape[1], self.bbox.height / self._picture.shape[0])
            how = cv2.INTER_AREA if large < 1 else cv2.INTER_NEAREST if large > 3 else cv2.INTER_LINEAR
            ground[:] = cv2.resize(np.ascontiguousarray(self._picture), ground.shape[1::-1], interpolation=how)
        self._lines(ground)
        for _, _, curve in sorted(self._drawn, key=lambda one: one[:2]):
            stroke(ground, self._at(curve.places), curve, figure.px)
        wide = max(1, round(figure.px(0.6)))
        left, top, right, bottom = self.bbox
        for rows, columns in ((slice(top - wide, top), slice(left - wide, right + wide)),
                              (slice(bottom, bottom + wide), slice(left - wide, right + wide)),
                              (slice(top, bottom), slice(left - wide, left)),
                              (slice(top, bottom), slice(right, right + wide))):  # fmt: skip
            figure.pixels[rows, columns] = rgb_of(look.dim)
        self._names()
        for one in self._written:
            self._write(one)

    def _lines(self, ground: Pixels) -> None:
        """Grid, ticks and their numbers."""
        figure, look = self.figure, self.figure.look
        box, size = self.bbox, look.font - 1.0
        wide, long, gap = max(1, round(figure.px(0.5))), round(figure.px(TICK)), figure.px(GAP)
        dim, faint = rgb_of(look.dim), rgb_of(look.faint)
        for upright in (False, True):
            places, words = self._marked(upright)
            both = np.zeros((len(places), 2))
            both[:, int(upright)] = places
            for (x, y), one in zip(np.rint(self._at(both)).astype(int).tolist(), words, strict=True):
                if upright:
                    if self._grid:
                        ground[max(0, y) : y + wide] = faint
                    figure.pixels[box.top + y : box.top + y + wide, box.left - long : box.left] = dim
                    figure.write(one, box.left - long - gap, box.top + y, size, rgb_of(look.ink), "right", "center")
                else:
                    if self._grid:
                        ground[:, max(0, x) : x + wide] = faint
                    figure.pixels[box.bottom : box.bottom + long, box.left + x : box.left + x + wide] = dim
                    if self._numbers:
                        below = box.bottom + long + gap
                        figure.write(one, box.left + x, below, size, rgb_of(look.ink), "center", "top")

    def _names(self) -> None:
        """Of the axes."""
        figure, look = self.figure, self.figure.look
        numbers = words_in("0", figure.px(look.font - 1.0))[0].shape[0]
        below = self.bbox.bottom + figure.px(TICK + 2 * GAP) + (numbers if self._numbers else 0)
        middle = 0.5 * (self.bbox.left + self.bbox.right), 0.5 * (self.bbox.top + self.bbox.bottom)
        figure.write(self.xlabel, middle[0], below, look.font, rgb_of(look.ink), "center", "top")
        left = self.bbox.left - self.left_room()
        figure.write(self.ylabel, left, middle[1], look.font, rgb_of(look.ink), "left", "center", turned=True)

    def _write(self, one: _Words) -> None:
        at = self._at(np.array([one.place]))[0]
        shares = one.place[0] * self.bbox.width, (1.0 - one.place[1]) * self.bbox.height
        x, y = (shares[k] if one.shares[k] else float(at[k]) for k in range(2))
        if one.clipped and not (0 <= x < self.bbox.width and 0 <= y < self.bbox.height):
            return
        self.figure.write(one.words, self.bbox.left + x + self.figure.px(one.away[0]),
                          self.bbox.top + y - self.figure.px(one.away[1]), one.size, one.colour, one.across,
                          one.upright)  # fmt: skip


def thickness(wide: float) -> int:
    """What OpenCV is asked for so that a line is nearly so many px wide.

    >>> [thickness(px) for px in (0.5, 2.2, 2.6, 3.6, 5.0, 8.0)]
    [1, 1, 2, 2, 4, 6]
    """
    return max(1, 2 * round((wide - SOFT) / 2)) if wide > 0.5 * (1.4 + 2 + SOFT) else 1


def stroke(ground: Pixels, at: npt.NDArray[np.float64], curve: _Curve, px: Any) -> None:
    """Draw a curve's lines or marks at these pixels."""
    good: npt.NDArray[np.bool_] = np.asarray(np.isfinite(at).all(axis=1))
    fixed = np.rint(np.where(good[:, None], at, 0.0) * (1 << SHIFT)).astype(np.int32)
    wide, radius = thickness(px(curve.wide)), round(0.5 * px(curve.size) * (1 << SHIFT))
    if curve.kind == "-":
        ends = np.flatnonzero(np.diff(np.concatenate(([False], good, [False])).astype(np.int8)))
        pieces = [fixed[first:end] for first, end in zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True)]
        if curve.share >= 1.0:
            cv2.polylines(ground, pieces, False, curve.colours[0], wide, cv2.LINE_AA, SHIFT)
        elif pieces:
            _pale(ground, pieces, curve, wide)
        return
    for k, (x, y) in enumerate(fixed[good].tolist()):
        colour = curve.colours[k % len(curve.colours)]
        if curve.kind == "x":
            for side in (-radius, radius):
                cv2.line(ground, (x - side, y - radius), (x + side, y + radius), colour, wide, cv2.LINE_AA, SHIFT)
        else:
            cv2.circle(ground, (x, y), radius, colour, wide if curve.kind == "ring" else cv2.FILLED, cv2.LINE_AA, SHIFT)


def _pale(ground: Pixels, pieces: Sequence[npt.NDArray[np.int32]], curve: _Curve, wide: int) -> None:
    """Lines through which the ground is seen, each pixel once."""
    whole = np.concatenate(pieces) >> SHIFT
    low = np.clip(whole.min(axis=0) - 2 * wide, 0, ground.shape[1::-1])
    high = np.clip(whole.max(axis=0) + 2 * wide, 0, ground.shape[1::-1])
    part = ground[low[1] : high[1], low[0] : high[0]]
    if not part.size:
        return
    over = part.copy()
    moved = [piece - (low << SHIFT).astype(np.int32) for piece in pieces]
    cv2.polylines(over, moved, False, curve.colours[0], wide, cv2.LINE_AA, SHIFT)
    part[:] = cv2.addWeighted(over, curve.share, part, 1.0 - curve.share, 0.0)


def key(figure: Raster, panels: Sequence[Panel], x: float, middle: float) -> None:
    """The names of what panels show, each once, in a row from `x` on."""
    look, px = figure.look, figure.px
    long, gap = 1.5 * px(look.font), px(0.8 * look.font)
    names = {name: curve for panel in panels for name, curve in panel.key.items()}
    for name, curve in names.items():
        ends = ((x, middle), (x + long, middle)) if curve.kind == "-" else ((x + 0.5 * long, middle),)
        stroke(figure.pixels, np.array(ends), curve._replace(wide=curve.wide or look.line), px)
        figure.write(name, x + long + gap, middle, look.font - 1.0, rgb_of(look.ink), "left", "center")
        x += long + 2.6 * gap + width_of(name, px(look.font - 1.0))
