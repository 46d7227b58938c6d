"""Centres of blobs (`centre_loops`) with each one's neighbours, in memory that is allocated once."""

from __future__ import annotations

from kernels.centroids.batch_step_loops import WAITING
from kernels.centroids.centre_loops import first_looks, sorted_blobs, turns
from kernels.centroids.centre_scalar import NOTES
from kernels.centroids.centroid_simd import COVER, KNOWN
from kernels.centroids.gauss_seidel_loops import words_of
from kernels.centroids.neighbour_crosstalk_loops import crowded_loop
from kernels.centroids.pooled_noise_loops import NOISES, pooled_loop
from kernels.centroids.row_loops import ALWAYS
from kernels.centroids.structs import Blobs, Memory, Method, Starts, Vectors, Windows
from kernels.loops.language import at, loop
from kernels.loops.neighbour_loops import Points, near_loop, near_numbers, near_room
from kernels.regions.structs import Frames

EACH = NOTES + NOISES + 11  # floats of a blob: its state, how it was seen, where its window is, how it moves
NEIGHBOURS = 8  # nearest neighbours whose light is taken out
BEGIN, LOOK, TURN = 0, 1, 2  # steps of `centred_step`


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
def centred_step(f: Frames, w: Windows, how: Method, memory: Memory, own: Memory, of: Starts, step: int, first: int,
                 end: int) -> int:  # fmt: skip
    """One of the steps of `centred_loop`.

    BEGIN   finds who is near whom; returns how many have a neighbour
    LOOK    at the blobs `first` to `end` - 1, in an order of their own; several may do that at once
    TURN    those that have neighbours look at each other; `first` is how many

    Args:
        memory: of which `centred_room` says how much there has to be.
        own: for windows, of each who looks: the first 272 whole numbers behind what `due` takes, `window_room` floats
            and all the vectors.
    """
    # All memory is cut from three arrays: floats of a blob begin behind the window of the caller itself, each kind of
    # number at a multiple of `count` (EACH in all).
    whole, state = memory.whole, at(memory.floats, window_room(w.size, w.pitch))
    count, due = of.count, at(whole, near_numbers(of.count, w.reach, f.height, f.width, NEIGHBOURS))
    shift, lane = at(state, 17 * count), at(own.vectors, w.size * w.pitch)
    b = Blobs(of.frame, whole, of.start, state, at(state, 11 * count), count, at(state, 15 * count), shift,
              at(shift, count), due, of.rows)  # fmt: skip
    v = Vectors(own.whole, at(own.whole, 16), own.vectors, lane, at(lane, KNOWN + 2 * w.pitch + 2 * WAITING),
                at(lane, COVER + 2 * w.pitch), at(own.whole, 160), own.floats)  # fmt: skip
    # Neighbours of all frames are found before any look, so that threads that look share what they only read.
    if step == BEGIN:
        points = Points(of.start, at(of.start, count), of.frame, count)
        crowd = near_loop(points, w.reach, f.height, f.width, NEIGHBOURS, whole, at(state, EACH * count))
        sorted_blobs(b, f, w, NEIGHBOURS)
        return int(crowd)
    if step == LOOK:
        return int(first_looks(b, f, w, v, how, first, end))
    turns(b, f, w, v, how, NEIGHBOURS)
    # Pooling comes first: it rescales each blob's own noise, to which neighbours add afterwards.
    if of.together:
        pooled_loop(of.frame, count, w.many, w.radius, at(state, NOTES * count), shift, of.rows)
    if first > 0 and how.lines != ALWAYS:
        crowded_loop(count, whole, NEIGHBOURS, state, w.sigma, w.radius, w.crowds, of.rows)
    return 0


@loop
def centred_loop(f: Frames, w: Windows, how: Method, memory: Memory, of: Starts) -> int:
    """The rows of all blobs: those alone to the end first, then the others with their neighbours, those closer than
    `reach`.

    Args:
        memory: of which `centred_room` says how much there has to be.
    """
    due = near_numbers(of.count, w.reach, f.height, f.width, NEIGHBOURS)
    own = Memory(at(memory.whole, due + 3 * of.count), memory.floats, memory.vectors)
    crowd = centred_step(f, w, how, memory, own, of, BEGIN, 0, 0)
    centred_step(f, w, how, memory, own, of, LOOK, 0, of.count)
    centred_step(f, w, how, memory, own, of, TURN, crowd, 0)
    return 0
