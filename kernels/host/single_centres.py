"""A blob that goes by itself, from where it begins to its row."""

from __future__ import annotations

from kernels.host.centre_rows import NOTED, STILL, chosen, oblong, row_of, summary
from kernels.host.centroid_loops import SETTLED
from kernels.host.edge_fit import LIKELY, errors_loop
from kernels.host.lane_loops import BORDER
from kernels.host.lane_shape import in_a_lane, shape_lanes, shape_row
from kernels.host.loops import F64, I64, PIXELS, at, eights, loop, rint, sqrt
from kernels.host.pool_loops import NOISES
from kernels.host.radial_loops import radial
from kernels.host.single_loops import ground_of, visit, window, without
from kernels.ir.table import COLUMNS

NOTES = 6  # numbers of a blob's state before its NOISES

@loop
def single(i: int, image: PIXELS, total: int, frame: int, height: int, width: int, sign: float, near: I64, most: int,
           start: F64, state: F64, seen: F64, count: int, middle: F64, sigma: float, radius: int, size: int, pitch: int,
           fixed: F64, room: F64, lost: int, cut: int, grain: float, nothing: float, lines: int,
           shapes: int, rows: F64) -> int:  # fmt: skip
    """The row of blob i that went by itself. `cut`: its window lies cut in `room`, and has all pixels (1) or not (0);
    -1 where it is not."""
    area = size * pitch
    inner, ring, core, iota = at(fixed, 0), at(fixed, pitch), at(fixed, pitch + area), at(fixed, pitch + 2 * area)
    values, there, clear, mask = at(room, 0), at(room, area), at(room, 2 * area), at(room, 3 * area)
    out, work = at(room, 4 * area), at(room, 4 * area + 64)
    left, top = int(middle[2 * i]) - radius - BORDER, int(middle[2 * i + 1]) - radius - BORDER
    if cut < 0:
        cut = window(image, total, frame, height, width, sign, left, top, size, pitch, inner, iota, values, there)
        without(i, near, most, at(seen, 0), at(seen, count), at(seen, 2 * count), at(seen, 3 * count), left, top, size,
                pitch, iota, work, values)  # fmt: skip
        ground_of(values, there, ring, cut, size, pitch, mask, work, out)
        state[4 * count + i], state[5 * count + i] = out[0], out[1]
    half, xy, oval = out[4], out[5], 0  # of the last step, where it went by steps
    x, y, spread, noise = state[i], state[count + i], state[3 * count + i], state[5 * count + i]
    amplitude = state[2 * count + i]
    summary(i, cut, values, there, x, y, at(state, 2 * count), at(state, 3 * count), state[4 * count + i], left, top,
            sigma, size, pitch, inner, core, iota, clear, mask, work, out)  # fmt: skip
    if not cut and not lost:  # it was fitted
        errors_loop(values, there, left, top, max(0, -top), min(size, height - top), x, y, amplitude, spread,
                    state[4 * count + i], noise, noise / (LIKELY * LIKELY * sigma * sigma), pitch, iota, work,
                    at(out, 2))  # fmt: skip
    row_of(i, lost, not cut, radius, start[i], start[count + i], x, y, amplitude, spread, state[4 * count + i], noise,
           sigma, grain, nothing, out, rows)  # fmt: skip
    pixel, even = out[6], out[7]
    for c in range(NOISES):
        state[(NOTES + c) * count + i] = out[NOTED + c]
    if cut and pixel > 0.0 and not lost:
        oval = oblong(i, half, xy, spread, sigma, rows)
    if shapes and pixel >= 0.0:
        turned, sums = eights(at(room, 4 * area + 17 * pitch + 576)), eights(work)
        in_a_lane(values, there, cut, state[4 * count + i], area, turned, at(turned, area))
        shape_lanes(turned, radius, pitch, sigma, 0, at(turned, area), sums)
        shape_row(i, sums, rows)
    better = cut and pixel > 0.0 and not oval and chosen(lines, most == 0, amplitude, spread, max(noise, grain), radius)
    if better and radial(values, pitch, BORDER, size, x - float(left), y - float(top), spread, sigma, clear, out):
        o = COLUMNS * i
        rows[o], rows[o + 1] = out[0] + float(left), out[1] + float(top)
        rows[o + 8] = max(sqrt(pixel * out[2]), SETTLED)
        rows[o + 9] = rows[o + 9] * (1.0 - STILL * min(even, pixel) / pixel)
    return 0


@loop
def alone(i: int, image: PIXELS, total: int, frame: int, height: int, width: int, sign: float, near: I64, start: F64,
          state: F64, seen: F64, count: int, middle: F64, sigma: float, radius: int, size: int, pitch: int, fixed: F64,
          room: F64, glance: int, grain: float, nothing: float, lines: int, shapes: int,
          rows: F64) -> int:  # fmt: skip
    """Blob i by itself, its neighbours left alone: its row, or only how bright and wide it is."""
    middle[2 * i], middle[2 * i + 1] = rint(start[i]), rint(start[count + i])
    whole = visit(i, image, total, frame, height, width, sign, near, 0, start, state, seen, count, middle, sigma,
                  radius, size, pitch, glance, fixed, room)  # fmt: skip
    if not glance:
        single(i, image, total, frame, height, width, sign, near, 0, start, state, seen, count, middle, sigma, radius,
               size, pitch, fixed, room, whole < 0, whole, grain, nothing, lines, shapes, rows)  # fmt: skip
    return 0


@loop
def company(i: int, image: PIXELS, total: int, frame: int, height: int, width: int, sign: float, near: I64, most: int,
            start: F64, state: F64, seen: F64, count: int, middle: F64, moved: F64, due: I64, sigma: float, radius: int,
            size: int, pitch: int, fixed: F64, room: F64, grain: float, nothing: float, lines: int, shapes: int,
            rows: F64) -> int:  # fmt: skip
    """A turn of blob i by itself, its neighbours as they were `seen`, and its row by then."""
    x, y = state[i], state[count + i]
    whole = visit(i, image, total, frame, height, width, sign, near, most, start, state, seen, count, middle, sigma,
                  radius, size, pitch, 0, fixed, room)  # fmt: skip
    moved[i] = max(abs(state[i] - x), abs(state[count + i] - y))
    if whole < 0:
        due[i], moved[i] = 0, 0.0
    single(i, image, total, frame, height, width, sign, near, most, start, state, seen, count, middle, sigma, radius,
           size, pitch, fixed, room, whole < 0, whole, grain, nothing, lines, shapes, rows)  # fmt: skip
    return 0
