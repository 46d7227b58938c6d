"""Centres of blobs (`centre_loops`) with whoever is near each, in memory that is asked for as a whole."""

from __future__ import annotations

from kernels.centroids.batch_step_loops import WAITING
from kernels.centroids.centre_loops import centres_loop
from kernels.centroids.centre_scalar import NOTES
from kernels.centroids.centroid_simd import COVER, KNOWN
from kernels.centroids.gauss_seidel_loops import words_of
from kernels.centroids.neighbour_crosstalk_loops import crowded_loop
from kernels.centroids.pooled_noise_loops import NOISES, pooled_loop
from kernels.centroids.row_loops import ALWAYS
from kernels.centroids.structs import Blobs, Memory, Method, Vectors, Windows
from kernels.loops.language import F64, I64, at, loop
from kernels.loops.neighbour_loops import Points, near_loop, near_numbers, near_room
from kernels.regions.structs import Frames

EACH = NOTES + NOISES + 11  # floats of a blob: its state, how it was seen, where its window is, how it moves
NEIGHBOURS = 8  # nearest neighbours whose light is taken out


def centred_room(count: int, w: Windows, height: int, width: int) -> tuple[int, int, int]:
    """Entries of the whole numbers, of the floats and of the vectors that `centred_loop` works in."""
    whole, floats = near_room(count, w.reach, height, width, NEIGHBOURS)
    area = w.size * w.pitch
    return (whole + 3 * count + 272 + 3 * words_of(count), window_room(w.size, w.pitch) + EACH * count + floats,
            4 * area + 12 * w.pitch + KNOWN + 2 * WAITING + 32)  # fmt: skip


@loop
def window_room(size: int, pitch: int) -> int:
    """Floats that a window of a blob by itself takes."""
    return 12 * size * pitch + 17 * pitch + 576 + 8 * KNOWN


@loop
def centred_loop(f: Frames, w: Windows, how: Method, memory: Memory, frames: I64, count: int, start: F64, together: int,
                 rows: F64) -> int:  # fmt: skip
    """`centres_loop` with the neighbours of all blobs, those closer than `reach`, in memory of which `centred_room`
    says how much there has to be; `together`: those of a
    frame tell the noise of pixels together (`pooled_loop`)."""
    whole, floats, vectors = memory.whole, memory.floats, memory.vectors
    due = at(whole, near_numbers(count, w.reach, f.height, f.width, NEIGHBOURS))
    state = at(floats, window_room(w.size, w.pitch))
    shift, ids, lane = at(state, 17 * count), at(due, 3 * count), at(vectors, w.size * w.pitch)
    points = Points(start, at(start, count), frames, count)
    crowd = near_loop(points, w.reach, f.height, f.width, NEIGHBOURS, whole, at(state, EACH * count))
    b = Blobs(frames, whole, start, state, at(state, 11 * count), count, at(state, 15 * count), shift,
              at(shift, count), due, rows)  # fmt: skip
    v = Vectors(ids, at(ids, 16), vectors, lane, at(lane, KNOWN + 2 * w.pitch + 2 * WAITING),
                at(lane, COVER + 2 * w.pitch), at(ids, 160), floats)  # fmt: skip
    centres_loop(b, f, w, v, how, NEIGHBOURS)
    if together:
        pooled_loop(frames, count, w.many, w.radius, at(state, NOTES * count), shift, rows)
    if crowd > 0 and how.lines != ALWAYS:
        crowded_loop(count, whole, NEIGHBOURS, state, w.sigma, w.radius, w.crowds, rows)
    return 0
