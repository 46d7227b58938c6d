"""Centres of blobs (`centre_loops`) with whoever is near each, in memory that is asked for as a whole."""

from __future__ import annotations

from kernels.host.centre_loops import centres_loop
from kernels.host.centre_rows import ALWAYS
from kernels.host.crowd_loops import crowded_loop
from kernels.host.lane_loops import KNOWN
from kernels.host.look_loops import WAITING
from kernels.host.loops import F64, I64, LANES, PIXELS, at, loop
from kernels.host.near_loops import near_loop, near_numbers, near_room
from kernels.host.pool_loops import NOISES, pooled_loop
from kernels.host.single_centres import NOTES
from kernels.host.turn_loops import words_of

EACH = NOTES + NOISES + 11  # floats of a blob: its state, how it was seen, where its window is, how it moves
NEIGHBOURS = 8  # nearest neighbours whose light is taken out


def centred_room(count: int, size: int, pitch: int, reach: float, height: int, width: int) -> tuple[int, int, int]:
    """Entries of the whole numbers, of the floats and of the vectors that `centred_loop` works in."""
    whole, floats = near_room(count, reach, height, width, NEIGHBOURS)
    area = size * pitch
    return (whole + 3 * count + 272 + 3 * words_of(count), window_room(size, pitch) + EACH * count + floats,
            4 * area + 12 * pitch + KNOWN + 2 * WAITING + 32)  # fmt: skip


@loop
def window_room(size: int, pitch: int) -> int:
    """Floats that a window of a blob by itself takes."""
    return 12 * size * pitch + 17 * pitch + 576 + 8 * KNOWN


@loop
def centred_loop(image: PIXELS, total: int, height: int, width: int, frames: I64, sign: float, exact: int, count: int,
                 start: F64, sigma: float, radius: int, size: int, pitch: int, reach: float, fixed: F64, ring: I64,
                 many: int, crowds: F64, grain: float, nothing: float, lines: int, shapes: int, together: int,
                 whole: I64, floats: F64, vectors: LANES, rows: F64) -> int:  # fmt: skip
    """`centres_loop` with the neighbours of all blobs, those closer than `reach`, in memory of which `centred_room`
    says how much there has to be; `together`: those of a
    frame tell the noise of pixels together (`pooled_loop`)."""
    due, state = at(whole, near_numbers(count, reach, height, width, NEIGHBOURS)), at(floats, window_room(size, pitch))
    crowd = near_loop(start, at(start, count), frames, count, reach, height, width, NEIGHBOURS, whole,
                      at(state, EACH * count))  # fmt: skip
    area, known = size * pitch, KNOWN + 2 * pitch + 2 * WAITING
    centres_loop(image, total, height, width, frames, sign, exact, count, whole, NEIGHBOURS, start, state,
                 at(state, 11 * count), at(state, 15 * count), at(state, 17 * count), due, sigma, radius, size, pitch,
                 fixed, floats, ring, many, vectors, at(vectors, area), at(vectors, area + known), grain, nothing,
                 lines, shapes, rows)  # fmt: skip
    if together:
        pooled_loop(frames, count, many, radius, at(state, NOTES * count), at(state, 17 * count), rows)
    if crowd > 0 and lines != ALWAYS:
        crowded_loop(count, whole, NEIGHBOURS, state, sigma, radius, crowds, rows)
    return 0
