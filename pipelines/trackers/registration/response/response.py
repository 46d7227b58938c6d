"""How a window of pixels answers to a small displacement: a linear operator with a calibrated response.

The light of a window that moved by d is g = a f(x - d) + b, with the lamp's gain a and offset b. To first order
g = a f - a d1 f1 - a d2 f2 + b, where f1 and f2 are the slopes of the reference f along two directions: linear in
(a, a d1, a d2, b). The least squares of a frame are then three products with fixed columns, and d = (a d)/a does not
change with the lamp. (For vibration: Javh, Slavic, Boltezar, Mechanical Systems and Signal Processing 88, 2017, without
gain and offset.)

Half a pixel away the slopes of the reference are no longer those of what is seen, and the noise of an answer by them
has a third more variance than there must be. So three products more, with the second derivatives, give the sums with
the slopes as they are where the window is by the first answer, and a second answer from there: the variance is that of
least squares at any displacement, 5 % above the bound of Cramer and Rao (what equal weights lose where photons make the
noise). What the second order leaves out bends the answer. The bend is a property of the reference alone, so it is
*measured on the reference*, shifted by the taps of `registration.windows.taps` (a cubic B-spline's error would be a
hundredth of every displacement in fine texture), and taken off by a polynomial of degree 5 of the first answer.

The window's pixels are split in two: quadrants across from each other, each with an offset b of its own. Each half
measures the same motion with noise of its own; rotation and strain about the centre cancel in both. The halves'
difference, scaled, has the variance of the noise of the whole, frame by frame and frequency by frequency, whatever the
noise comes from.

A reference has noise of its own, which the frames do not share: `registration.response.reference_noise` says what that
takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kernels.loops.calling import call
from kernels.loops.language import address
from kernels.loops.scratch import aligned, lined
from kernels.loops.scratch import scratch as single_scratch
from pipelines.trackers.registration.noise.autocovariance_loops import FAR, SIDE
from pipelines.trackers.registration.response import nonlinearity_calibration_loops as loops
from pipelines.trackers.registration.response.product_loops import ALL
from pipelines.trackers.registration.response.product_loops import FAR as REACH
from pipelines.trackers.registration.response.reference_noise import tables, white
from pipelines.trackers.registration.response.reference_residual_loops import LOOKS, hidden_of
from pipelines.trackers.registration.response.response_loops import OUT, SEEN, WORK, follow
from pipelines.trackers.registration.response.structs import Answers, Setup
from pipelines.trackers.registration.response.truncated_estimate_loops import MAPS
from pipelines.trackers.registration.windows.native import compiled, scratch
from pipelines.trackers.registration.windows.pack_loops import WIDE
from pipelines.trackers.registration.windows.packing import halves, in_blocks, line_masks, moves, vectors
from pipelines.trackers.registration.windows.structs import Batch, Blocks, Chosen, Packing, Subset
from pipelines.trackers.registration.windows.subpixel import MARGIN
from pipelines.trackers.registration.windows.taps import TABLE

Array = npt.NDArray[Any]
Along = Literal["auto", "both", "x", "y"]
ALONG: tuple[Along, ...] = ("auto", "both", "x", "y")  # by their numbers in `design_loops`
DEGREE = 5
POWERS = tuple((i, k - i) for k in range(1, DEGREE + 1) for i in range(k, -1, -1))
"""The monomials r1^i r2^j, constant left out: no motion gives no answer."""

# What a window's row of constants holds, in this order.
INVERSE, FIRST, SECOND = 0, 9, 18  # (D'D - noise)^-1 of the whole window and of its halves, 3 x 3 each
BASIS = 27  # the two directions: x1, y1, x2, y2
SCALE = 31  # from the halves' difference to the noise of the whole, along both directions
SPREAD = 33  # mean variance of a displacement for pixels of variance 1 and gain 1
AXES = 34  # directions that are measured: 1 or 2
PIXELS_A = 35  # of the first half
PLAIN = 36  # (C'C)^-1 of all six columns with the reference's noise left in it, 6 x 6: least squares
UNBENT = 72  # px^2 by which answers scatter that are straightened as others' are, at a distance of 0.6 px
GRAM, GRAM_A = 73, 109  # C'C - noise of the whole window and of its first half, 6 x 6
CLEAR = 145  # the part of second derivatives that is not the reference's noise
HIDDEN = 146  # the part of the reference's noise that is not left beside the patterns: they have it, too
BEND = 147  # polynomials of what displacements 1, 2 are too large by and of the halves' difference 1, 2
LEFT = BEND + 4 * len(POWERS)  # variance of the reference's noise that is taken off, as much of it as may be
NOISE, GRAIN = LEFT + 1, LEFT + 2  # and what all is made of: that variance, its autocorrelation, SIDE x SIDE
EVEN = GRAIN + SIDE**2  # SCALE and SPREAD for white noise
RAW, RAW_A = EVEN + 3, EVEN + 24  # products of each two columns, of the whole window and of its first half
CONSTANTS = 328


@dataclass(frozen=True, slots=True)
class Responses:
    """n windows of w x w px, ready to answer.

    Args:
        columns: float32 (n, 2 vectors(w), 6, 16), as `packing` lays pixels: light, slopes and second derivatives (11,
            12, 22), without the means of the half that a pixel is in. All else but sums of frames, of single precision
            too, is of these columns as they are: that they are rounded costs nothing, and to read them takes time.
        constants: (n, CONSTANTS).
        textured: False where nothing can be measured, (n,).
    """

    columns: Array
    constants: Array
    textured: Array


def starts(window: int) -> list[int]:
    """The first column of each block of eight pixels of a window's row."""
    return [min(8 * b, window - 8) for b in range(-(-window // 8))]


def ones(window: int) -> Array:
    """1 for each pixel of a row that counts in its block, f64 (blocks * 8,)."""
    return np.concatenate([(np.arange(s, s + 8) >= 8 * b).astype(np.float64) for b, s in enumerate(starts(window))])


def left_by(constants: Array, grain: Array, window: int, away: Array) -> tuple[Array, Array]:
    """How much the noise of n references, of variance s a pixel, adds to the residuals of frames: a variance of
    s (own - s hidden) a pixel, besides the frame's own noise. `own` differs from 1 where a window has moved by d px, as
    the patterns by which its light is modelled there average noise otherwise; `hidden` is what least
    squares with all six patterns takes out of it.

    Args:
        constants: as in `Responses`.
        grain: autocorrelations of the noise, (n, SIDE, SIDE).
        window: side, px.
        away: d, (n, 2).

    Returns:
        own and hidden, (n,).
    """
    n = len(away)
    own, hidden = np.empty(n), np.empty(n)
    call(hidden_of, constants, np.ascontiguousarray(grain), tables()[0], n, float(window**2),
         np.ascontiguousarray(away), own, hidden, scratch(LOOKS))  # fmt: skip
    return own, hidden


@cache
def masks(window: int) -> Array:
    """`ones`, then 1 for each pixel of the first half in its block, f64 ((1 + w) * blocks * 8,)."""
    first = halves(window).astype(np.float64)
    blocks = np.stack([first[:, s : s + 8] for s in starts(window)], axis=1) * ones(window).reshape(-1, 8)
    return aligned(np.concatenate((ones(window), blocks.ravel())))  # writeable, see `order`


@cache
def order(window: int) -> tuple[Array, Array]:
    """Where a window's halves are, for `nonlinearity_calibration_loops`.

    Returns:
        1 for each pixel of the first half in its block, the same for the other: f64 (2 * w * blocks * 8,).
        Blocks without pixels of the other half, then mixed ones, then those without pixels of the first: i64, where
        the second begin, where the third, how many there are; then where eight rows of eight begin; then of each block
        its place in a map of the window, and in its tile moved by -FAR px.
    """
    first = masks(window)[8 * len(starts(window)) :].reshape(window, -1, 8)
    other = ones(window).reshape(-1, 8) - first
    kind = np.where(first.any(axis=2), np.where(other.any(axis=2), 1, 0), 2).ravel()
    blocks = np.argsort(kind, kind="stable")
    row, block = np.divmod(blocks, len(starts(window)))
    # Tiles have MARGIN px around the window; products begin REACH px before it.
    edge = MARGIN - REACH
    place = (row + edge) * (window + 2 * MARGIN) + np.array(starts(window))[block] + edge
    numbers = np.cumsum(np.bincount(kind, minlength=3))
    where = np.concatenate((numbers, 8 * np.arange(8), np.stack((8 * blocks, place), axis=1).ravel()))
    both = aligned(np.concatenate((first.ravel(), other.ravel())))
    return both, where  # writeable, as `packing` says


def responses(tiles: Array, along: Along = "auto", noise: Array | None = None, grain: Array | None = None) -> Responses:
    """Prepare windows.

    Args:
        tiles: the reference, float64 (n, w + 2 MARGIN, w + 2 MARGIN), w odd and at least 9.
        along: what is measured: both directions, x or y alone, or ("auto") both unless the texture is of stripes,
            and across them then.
        noise: variance of a pixel's noise in each reference, (n,); None for 0.
        grain: autocorrelation of the noise, of references and frames, as from `reference_noise.normal`; None for white.
    """
    noise = np.zeros(len(tiles)) if noise is None else noise
    grain = white(len(tiles)) if grain is None else grain
    n, size, _ = tiles.shape
    w = size - 2 * MARGIN
    columns, constants = lined((n, 2 * vectors(w), 6, 16), np.float32), np.zeros((n, CONSTANTS))
    answers = Answers(np.ascontiguousarray(tiles, np.float64), np.ones(n, np.int64),
                      np.ascontiguousarray(noise, np.float64), np.ascontiguousarray(grain, np.float64), columns,
                      constants)  # fmt: skip
    calibrated(answers, np.arange(n), along, 0.0, begun=False)
    return Responses(columns, constants, constants[:, AXES] > 0)


def calibrated(answers: Answers, which: Array, along: Along, taken: float, *, begun: bool) -> None:
    """The same of the windows `which` of many, in memory that is there already.

    Args:
        answers: all windows; arrays are C-contiguous. Columns and constants of the rows `which` are filled.
        which: int64, (k,).
        along: as for `responses`.
        taken: how many pixels' noise the patterns and means have that were taken off what is left beside a reference.
        begun: only noise and grain are others than they were, or the bend is measured now.
    """
    w = answers.tiles.shape[1] - 2 * MARGIN
    blocks = len(starts(w))
    room = 48 * w * blocks + max(32 * (blocks + 2) * (w + FAR), 10 * ALL + 48 * w * blocks)
    setup = Setup(ALONG.index(along), taken, *tables(), TABLE, *order(w), float(halves(w).sum()), in_blocks(w),
                  2 * WIDE * vectors(w))  # fmt: skip
    call(loops.calibrate, Chosen(which, len(which)), int(begun), Blocks(w, blocks, MARGIN, masks(w)), setup, answers,
         scratch(loops.LARGE + room))  # fmt: skip


def room_of(window: int) -> Array:
    """Scratch memory of `pack_loops.sums`, the thread's own."""
    return single_scratch("windows", (2 * vectors(window) + 16) * WIDE, np.float32)


def work_of(window: int) -> int:
    """Values of scratch memory that `response_loops.follow` takes."""
    pitch = -(-window // 8) * 8
    return WORK + MAPS + (window + 8) * (3 * pitch + 8) + 9 * window * pitch


def followed(
    pictures: Sequence[Array], steps: Sequence[float], answers: Answers, states: Array, reach: int, low: float,
    seen: Array | None = None, *, again: bool = False,
) -> tuple[Array, bool]:  # fmt: skip
    """Follow windows through frames.

    Args:
        pictures: of one size, as from `windows.ready`.
        steps: frames since the frame before, each.
        answers: n windows.
        states: (n, response_loops.STATE), changed in place.
        reach: how far a window that is lost is looked for, px.
        low: smallest correlation that counts as seen.
        seen: (n, response_loops.SEEN), filled with what the last frame showed.
        again: the one frame was followed with other constants just now; what was found, by `seen`, is answered anew.

    Returns:
        (frames, n, response_loops.OUT), and whether a window was looked at in which a pixel is no number.
    """
    frames, (height, width), window = len(pictures), pictures[0].shape, answers.tiles.shape[1] - 2 * MARGIN
    rows = np.empty((frames, len(states), OUT))
    first, places = _together(pictures)
    room, lines = room_of(window), line_masks(window)
    batch = Batch(first, height, width, np.array(places), np.array(steps, np.float64), frames)
    packing = Packing(moves(window, width), lines, lines, room, room)
    subset = Subset(window, packing, answers.columns, vectors(window), answers.constants, answers.tiles, TABLE,
                    scratch(work_of(window)))  # fmt: skip
    shown = np.empty((len(states), SEEN)) if seen is None else seen
    strange = call(follow, batch, subset, len(states), states, reach, low, int(again), shown, rows, pixels=first.dtype,
                   lanes=np.float32)  # fmt: skip
    return rows, strange == 1


def _together(pictures: Sequence[Array]) -> tuple[Array, list[int]]:
    """An array that begins with the first picture, and how many entries from there on each begins: where loops are
    machine code, pictures need not be copied to lie in one array."""
    first = pictures[0]
    if len(pictures) == 1:
        return first, [0]
    # Addresses of a batch are mostly views of one block; others serve as well as long as they are whole pixels apart.
    size, before = first.itemsize, address(first)
    places = [address(one) - before for one in pictures]
    if not compiled() or any(one.dtype != first.dtype for one in pictures) or any(place % size for place in places):
        return np.stack(pictures), [k * first.size for k in range(len(pictures))]
    return first, [place // size for place in places]
