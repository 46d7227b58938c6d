"""A blob that goes by itself, from where it begins to its row."""

from __future__ import annotations

from kernels.centroids.centroid_loops import SETTLED
from kernels.centroids.centroid_scalar import ground_of, visit, window, without
from kernels.centroids.centroid_simd import BORDER
from kernels.centroids.pooled_noise_loops import NOISES
from kernels.centroids.radial_symmetry_loops import radial
from kernels.centroids.row_loops import NOTED, STILL, chosen, oblong, row_of, summary
from kernels.centroids.shape_simd import in_a_lane, shape_lanes, shape_row
from kernels.centroids.structs import Blobs, Gaussian, Method, Vectors, Window, Windows
from kernels.centroids.truncated_gaussian_fit import LIKELY, errors_loop
from kernels.ir.table import COLUMNS
from kernels.loops.language import as_f64_rows, at, loop, rint, sqrt
from kernels.regions.structs import Frames

NOTES = 6  # numbers of a blob's state before its NOISES


@loop
def single(i: int, b: Blobs, f: Frames, w: Windows, v: Vectors, how: Method, frame: int, most: int, cut: int) -> int:
    """The row of blob i that went by itself. `cut`: its window lies cut in `room`, and has all pixels (1) or not (0);
    -1 where it is not, since it was lost."""
    room, area, lost = v.room, w.size * w.pitch, cut < 0
    left, top = int(b.middle[2 * i]) - w.radius - BORDER, int(b.middle[2 * i + 1]) - w.radius - BORDER
    on = Window(left, top, w.size, w.pitch, at(w.fixed, 0), at(w.fixed, w.pitch), at(w.fixed, w.pitch + area),
                at(w.fixed, w.pitch + 2 * area), at(room, 0), at(room, area), at(room, 2 * area), at(room, 3 * area),
                at(room, 4 * area + 64), at(room, 4 * area))  # fmt: skip
    amplitudes, widths, out = at(b.state, 2 * b.count), at(b.state, 3 * b.count), on.out
    # A lost blob's window is not the one in `room`: it is cut anew where the blob began, its neighbours taken out.
    if cut < 0:
        cut = window(f, on, frame)
        without(i, on, b.near, most, at(b.seen, 0), at(b.seen, b.count), at(b.seen, 2 * b.count),
                at(b.seen, 3 * b.count))  # fmt: skip
        ground_of(on, cut)
        b.state[4 * b.count + i], b.state[5 * b.count + i] = out[0], out[1]
    half, xy, oval = out[4], out[5], 0  # of the last step, where it went by steps
    noise = b.state[5 * b.count + i]
    amplitude, spread = amplitudes[i], widths[i]
    g = Gaussian(b.state[i], b.state[b.count + i], amplitude, spread, b.state[4 * b.count + i])
    summary(i, on, cut, g.x, g.y, amplitudes, widths, g.background, w.sigma)
    if not cut and not lost:  # it was fitted
        errors_loop(on, g, max(0, -top), min(w.size, f.height - top), noise,
                    noise / (LIKELY * LIKELY * w.sigma * w.sigma), at(out, 2))  # fmt: skip
    row_of(i, b, g, w, how, lost, not cut, noise, out)
    pixel, even = out[6], out[7]
    for c in range(NOISES):
        b.state[(NOTES + c) * b.count + i] = out[NOTED + c]
    if cut and pixel > 0.0 and not lost:
        oval = oblong(i, half, xy, spread, w.sigma, b.rows)
    # Shapes are those of vectors, so the window becomes a lane of its own.
    if how.shapes and pixel >= 0.0:
        turned, sums = as_f64_rows(at(room, 4 * area + 17 * w.pitch + 576)), as_f64_rows(on.work)
        in_a_lane(on.values, on.there, cut, b.state[4 * b.count + i], area, turned, at(turned, area))
        shape_lanes(turned, w.radius, w.pitch, w.sigma, 0, at(turned, area), sums)
        shape_row(i, sums, b.rows)
    # Radial symmetry needs a whole window, a round blob and its light above the noise.
    better = (
        cut
        and pixel > 0.0
        and not oval
        and chosen(how.lines, most == 0, amplitude, spread, max(noise, how.grain), w.radius)
    )
    if better and radial(on, BORDER, g.x - float(left), g.y - float(top), spread, w.sigma, out):
        o = COLUMNS * i
        b.rows[o], b.rows[o + 1] = out[0] + float(left), out[1] + float(top)
        b.rows[o + 8] = max(sqrt(pixel * out[2]), SETTLED)
        b.rows[o + 9] = b.rows[o + 9] * (1.0 - STILL * min(even, pixel) / pixel)
    return 0


@loop
def alone(i: int, b: Blobs, f: Frames, w: Windows, v: Vectors, how: Method, frame: int, glance: int) -> int:
    """Blob i by itself, its neighbours left alone: its row, or only how bright and wide it is."""
    b.middle[2 * i], b.middle[2 * i + 1] = rint(b.start[i]), rint(b.start[b.count + i])
    whole = visit(i, b, f, w, v, frame, 0, glance)
    if not glance:
        single(i, b, f, w, v, how, frame, 0, whole)
    return 0


@loop
def company(i: int, b: Blobs, f: Frames, w: Windows, v: Vectors, how: Method, frame: int, most: int) -> int:
    """A turn of blob i by itself, its neighbours as they were `seen`, and its row by then."""
    x, y = b.state[i], b.state[b.count + i]
    whole = visit(i, b, f, w, v, frame, most, 0)
    b.moved[i] = max(abs(b.state[i] - x), abs(b.state[b.count + i] - y))
    if whole < 0:
        b.due[i], b.moved[i] = 0, 0.0
    single(i, b, f, w, v, how, frame, most, whole)
    return 0
