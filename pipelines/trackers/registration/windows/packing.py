"""How a window's pixels lie beside each other when they are summed (`response_loops.sums`).

A window's sums are wanted of its two halves, quadrants across from each other. So pixels lie by halves, each in whole
vectors of sixteen: the rows of its left quadrant, the window's middle row with 0 for the other half's pixels, and the
rows of its right quadrant. A row of a quadrant is copied in whole vectors; what comes along beside it is written over
by the next row, of right quadrants by the one before, and by the middle row at last.

What loops take in every frame is writeable: `kernels.loops.calling` finds others ten times as slowly.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.loops.scratch import aligned
from pipelines.trackers.registration.windows.pack_loops import HEAD, LANE, WIDE

Array = npt.NDArray[Any]
Run = tuple[int, int, int]  # row, first column, length
Piece = tuple[int, int]  # of a window in a picture: where it is, and where it goes


@cache
def halves(window: int) -> Array:
    """True for the pixels of the first half: two quadrants across from each other, bool (w, w)."""
    away = np.arange(window) - window // 2
    y, x = np.meshgrid(away, away, indexing="ij")
    # Of the axes every other pixel, so that both halves have their centre in the window's.
    first: Array = (x * y > 0) | ((y == 0) & (x % 2 == 0)) | ((x == 0) & (y % 2 == 1))
    first.flags.writeable = False
    return first


def _runs(window: int, half: Array) -> tuple[list[Run], list[Run]]:
    """What a half has of each row but the middle one: left quadrant, right one."""
    left: list[Run] = []
    right: list[Run] = []
    for row in [*range(window // 2), *range(window // 2 + 1, window)]:
        columns = np.flatnonzero(half[row])
        (left if columns[0] == 0 else right).append((row, int(columns[0]), len(columns)))
    return left, right


@cache
def vectors(window: int) -> int:
    """Vectors of 16 that a half takes."""
    left, right = zip(*(_runs(window, half) for half in (halves(window), ~halves(window))), strict=True)
    longest = max(sum(run[2] for run in a + b) for a, b in zip(left, right, strict=True))
    return int(-(-(longest + window) // WIDE))


@cache
def places(window: int) -> Array:
    """Which pixel of the window (row * window + column) is at each place, -1 where there is none: int64
    (2, vectors(window) * 16)."""
    made = np.full((2, vectors(window) * WIDE), -1)
    middle = window // 2
    for out, half in zip(made, (halves(window), ~halves(window)), strict=True):
        left, right = _runs(window, half)
        line = np.where(half[middle], middle * window + np.arange(window), -1)
        parts = [row * window + np.arange(first, first + length) for row, first, length in left]
        parts += [line] + [row * window + np.arange(first, first + length) for row, first, length in right]
        whole = np.concatenate(parts)
        out[: len(whole)] = whole
    made.flags.writeable = False
    return made


@cache
def in_blocks(window: int) -> Array:
    """`places` in a map of the window in blocks of eight pixels of a row (`response.starts`), int64."""
    row, column = np.divmod(np.maximum(places(window), 0), window)
    return np.where(places(window) >= 0, row * (-(-window // 8) * 8) + _column_in_blocks(window)[column], -1)


def _column_in_blocks(window: int) -> Array:
    column = np.arange(window)
    last = window // 8 * 8
    return np.where(column < last, column, column + 8 * (-(-window // 8)) - window)


@cache
def moves(window: int, pitch: int) -> Array:
    """How a window of a picture of `pitch` columns gets there, as `pack_loops.cut` takes it: int64. First where eight
    windows' sums begin; how many moves there are, how many of the middle row, how much goes at once, where the middle
    pixel is; then of each move its place in the picture and here."""
    at_once = WIDE if window > WIDE else WIDE // 2
    lines: list[Piece] = []
    found: list[Piece] = []
    # A piece writes a whole vector, also beyond its run: what is before the middle row goes from the front, what is
    # behind it from the back, so that each wrong pixel is overwritten by the next piece.
    for h, half in enumerate((halves(window), ~halves(window))):
        left, right = _runs(window, half)
        to = h * vectors(window) * WIDE
        for row, first, length in left:
            found += _pieces(row * pitch + first, to, length, at_once, after=True)
            to += length
        lines += _pieces(window // 2 * pitch, to, window, at_once, after=True)
        to += window
        late: list[list[Piece]] = []
        for row, first, length in right:
            late.append(_pieces(row * pitch + first, to, length, at_once, after=False))
            to += length
        found += [piece for pieces in reversed(late) for piece in pieces]
    head = [*(LANE * np.arange(8)), len(found), len(lines), at_once, window // 2 * (pitch + 1)]
    made = np.array([*head, *np.ravel(found + lines)], np.int64)
    assert len(head) == HEAD
    return made


def _pieces(place: int, to: int, length: int, at_once: int, *, after: bool) -> list[Piece]:
    """A row in whole vectors; a short one with what is after it, or before it."""
    if length < at_once:
        apart = 0 if after else length - at_once
        return [(place + apart, to + apart)]
    starts = [*range(0, length - at_once, at_once), length - at_once]
    return [(place + start, to + start) for start in starts]


@cache
def line_masks(window: int) -> Array:
    """1 for the pixels of a half in the pieces of the middle row (`moves`), f32 (pieces, 16)."""
    middle, at_once, made = window // 2, WIDE if window > WIDE else WIDE // 2, []
    for half in (halves(window), ~halves(window)):
        for start, _ in _pieces(0, 0, window, at_once, after=True):
            one = np.zeros(WIDE, np.float32)
            one[:at_once] = half[middle, start : start + at_once]
            made.append(one)
    return aligned(np.array(made))
