"""Windows and their columns packed by halves (`registration.windows.packing`), and their products, as loops."""

from __future__ import annotations

from kernels.loops.language import (
    F32,
    F64,
    I64,
    LANES,
    PIXELS,
    at,
    load,
    load_minus,
    load_row,
    loop,
    row_sums,
    splat,
    splat_like,
    store,
)
from pipelines.trackers.registration.windows.structs import PATTERNS, Packing

WIDE = 16  # pixels in a vector
HEAD, MOVES, LINES, AT_ONCE, MIDDLE = 12, 8, 9, 10, 11  # of `packing.moves`: its head's length, what it holds
LANE = 16  # sums of a window


@loop
def cut(images: PIXELS, start: int, moves: I64, masks: LANES, parts: F32, pixels: F32) -> int:
    """Pack a window, its pixels less the one in its middle.

    Args:
        start: its first pixel. moves: as `packing.moves`.
        masks, parts: the same memory, as `packing.line_masks`.
        pixels: filled but for what is behind a half's last pixel.
    """
    middle, rows, lines = start + moves[MIDDLE], moves[MOVES], moves[LINES]
    # Vectors of 16 pixels of wide windows; those of the middle row, whose pixels belong to both halves, are masked.
    if moves[AT_ONCE] == WIDE:
        for k in range(HEAD, HEAD + 2 * rows, 2):
            store(pixels, moves[k + 1], load_minus(masks, images, start + moves[k], middle))
        for k in range(lines):
            o = HEAD + 2 * (rows + k)
            store(pixels, moves[o + 1], load_minus(masks, images, start + moves[o], middle) * load_row(masks, k))
    else:
        # Narrow windows: eight pixels at a time.
        one = float(images[middle])
        for k in range(HEAD, HEAD + 2 * rows, 2):
            store(pixels, moves[k + 1], load(images, start + moves[k]) - one)
        for k in range(lines):
            o = HEAD + 2 * (rows + k)
            store(pixels, moves[o + 1], (load(images, start + moves[o]) - one) * load(parts, WIDE * k))
    return 0


@loop
def keep(column: F64, part: int, places: I64, count: int, kept: F32) -> int:
    """Pack columns.

    Args:
        column: six maps of `part` values. places: as `packing.in_blocks`, `count` of them.
        kept: filled: of each vector of pixels its six columns.
    """
    # Vector k // WIDE of pixels is followed by those of its six columns.
    for k in range(count):
        to, o = (k // WIDE * PATTERNS) * WIDE + k % WIDE, places[k]
        for p in range(PATTERNS):
            if o >= 0:
                kept[to + p * WIDE] = column[p * part + o]
            else:
                kept[to + p * WIDE] = 0.0
    return 0


@loop
def unpack(kept: F32, places: I64, count: int, part: int, column: F64) -> int:
    """Back, as they were rounded; 0 between them."""
    for k in range(0, PATTERNS * part, 8):
        store(column, k, splat(0.0))
    for k in range(count):
        to, o = (k // WIDE * PATTERNS) * WIDE + k % WIDE, places[k]
        if o >= 0:
            for p in range(PATTERNS):
                column[p * part + o] = kept[to + p * WIDE]
    return 0


@loop
def half_sums(columns: LANES, room: LANES, count: int, out: LANES) -> int:
    """A half's products with the six columns, its sum and its sum of squares, as vectors that are to be added up."""
    a0, a1, a2, a3 = splat_like(out, 0.0), splat_like(out, 0.0), splat_like(out, 0.0), splat_like(out, 0.0)
    a4, a5, total, squares = splat_like(out, 0.0), splat_like(out, 0.0), splat_like(out, 0.0), splat_like(out, 0.0)
    for k in range(count):
        v, column = load_row(room, k), at(columns, PATTERNS * k)
        a0 += v * load_row(column, 0)
        a1 += v * load_row(column, 1)
        a2 += v * load_row(column, 2)
        a3 += v * load_row(column, 3)
        a4 += v * load_row(column, 4)
        a5 += v * load_row(column, 5)
        total += v
        squares += v * v
    store(out, 0, a0)
    store(out, 1, a1)
    store(out, 2, a2)
    store(out, 3, a3)
    store(out, 4, a4)
    store(out, 5, a5)
    store(out, 6, total)
    store(out, 7, squares)
    return 0


@loop
def sums(images: PIXELS, start: int, packing: Packing, columns: LANES, count: int, out: F64) -> int:
    """Of each half of a window its products with the six columns, its sum and its sum of squares, LANE values; of
    pixels less the one in its middle, which changes no answer. Returns whether all of them are numbers.

    The sums are of single precision, as the columns are: they err by some 1e-7 of the light's power, of which noise of
    0.1 grey values in a contrast of 100 is 1e-6. Contrasts must be within 1e-15 to 1e17, else nothing is seen.

    Args:
        start: the window's first pixel.
        packing: with room for 2 count + 16 vectors, of which the first 2 count were 0 before the first window.
        columns: as `pack_loops.keep` leaves them; count: vectors of a half.
    """
    cut(images, start, packing.moves, packing.masks, packing.parts, packing.pixels)
    half_sums(columns, packing.room, count, at(packing.room, 2 * count))
    half_sums(at(columns, PATTERNS * count), at(packing.room, count), count, at(packing.room, 2 * count + 8))
    # Sixteen vectors are added up at once: LANE sums.
    row_sums(out, 0, packing.room, 2 * count)
    # Infinities and NaN make the sum of squares NaN when multiplied by 0.
    return 1 if (out[7] + out[15]) * 0.0 == 0.0 else 0
