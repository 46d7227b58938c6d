"""The work of `kernels.host.weighing` in three loops: grow, look at the ground, weigh what stands on it."""

from __future__ import annotations

from kernels.host.correlation_loops import lever_of, one_sided
from kernels.host.loops import F64, I32, I64, PIXELS, at, loop, sqrt
from kernels.host.region_loops import (
    above,
    grow_loop,
    levels_loop,
    lights,
    moments_loop,
    plane_rest,
    plane_sums,
    share_out,
)
from kernels.host.rim_loops import edge_list, rim_share
from kernels.host.shot_loops import LESS, SHOTS, shot_list, shot_of
from kernels.host.tilt_loops import SUMS as TILTS
from kernels.host.tilt_loops import form_of, righted, tilt_list
from kernels.ir.table import COLUMNS

FARTHEST = 3.0000000054977558e38  # 3e38 as f32
SUMS = 11  # what `moments_loop` gives: area, mass, two middles, x, y, xx, xy, yy, lever of x and of y
AREA, MASS, AT_X, AT_Y, AT_XX, AT_XY, AT_YY, LEVER_X, LEVER_Y = 0, 1, 4, 5, 6, 7, 8, 9, 10


@loop
def grown_loop(flat: I32, pitch: int, core: I64, labels: I64, count: int, steps: int, room: int, lists: I64,
               pixels: I64, high: I64, low: I64, ends: I64) -> int:  # fmt: skip
    """All rings around the regions one after the other, and where each step ends; the canvas is clean afterwards."""
    for n in range(count):
        flat[core[n]] = labels[n] + 1
    ends[0] = 0
    for s in range(steps):
        end = ends[s]
        if s == 0:
            ends[1] = grow_loop(flat, pitch, core, count, room, lists, pixels, high, low)
        else:
            start = ends[s - 1]
            ends[s + 1] = end + grow_loop(flat, pitch, at(pixels, start), end - start, room, lists, at(pixels, end),
                                          at(high, end), at(low, end))  # fmt: skip
    for n in range(count):
        flat[core[n]] = 0
    for n in range(ends[steps]):
        flat[pixels[n]] = 0
    return int(ends[steps])


@loop
def ground_loop(image: PIXELS, height: int, width: int, sign: float, core: I64, labels: I64, count: int, regions: int,
                around: I64, high: I64, low: I64, rings: int, level: int, whole: int, blur: float, light: F64, cx: F64,
                cy: F64, ones: F64, plain: F64, pixels: I64, owners: I64, share: F64, value: F64, x: F64, y: F64,
                number: I64, start: I64, sorted_: F64, buffer: F64, bins: I64, out: F64, levels: F64, variance: F64,
                ok: I64, normal: F64, right: F64) -> int:  # fmt: skip
    """Sums of the masks alone (`plain`, SUMS rows), the level around each region, and the normal equations of the
    planes; returns how many pixels lie around."""
    lights(image, height, width, sign, core, count, light, cx, cy)
    for n in range(count):
        ones[n] = 1.0
    moments_loop(cx, cy, labels, ones, ones, count, regions, plain, at(plain, regions), at(plain, 2 * regions),
                 at(plain, 3 * regions), at(plain, 4 * regions), at(plain, 5 * regions), at(plain, 6 * regions),
                 at(plain, 7 * regions), at(plain, 8 * regions), at(plain, 9 * regions),
                 at(plain, 10 * regions))  # fmt: skip
    if level:
        return 0
    found = share_out(around, high, low, rings, pixels, owners, share)
    lights(image, height, width, sign, pixels, found, value, x, y)
    levels_loop(owners, value, found, regions, whole, number, start, sorted_, buffer, bins, out, levels, variance)
    plane_sums(owners, value, x, y, found, regions, at(plain, AT_X * regions), at(plain, AT_Y * regions), levels,
               variance, blur, ok, normal, right)  # fmt: skip
    return int(found)


@loop
def planes_loop(owners: I64, rest: F64, x: F64, y: F64, ok: I64, pixels: int, regions: int, ground: F64, levels: F64,
                left: F64, used: I64, noise: F64) -> int:  # fmt: skip
    """What the planes leave, as the variance of a pixel; `ground` becomes the planes themselves."""
    plane_rest(owners, rest, x, y, ok, pixels, ground, left, used)
    for i in range(regions):
        ground[3 * i] = ground[3 * i] + levels[i]
        noise[i] = left[i] / float(max(used[i] - 3, 1))
    return 0


@loop
def weigh_loop(image: PIXELS, height: int, width: int, sign: float, core: I64, labels: I64, count: int, regions: int,
               around: I64, high: I64, low: I64, beneath: int, inner: int, grown: int, slope: int, light: F64,
               number: I64, ground: F64, noise: F64, kept: F64, nothing: float, plain: F64, all_: I64, all_high: I64,
               all_low: I64, pixels: I64, owners: I64, share: F64, value: F64, x: F64, y: F64, v: F64, peak: F64,
               sums: F64, rim: F64, moment: F64, edges: F64, form: F64, tilts: F64, shots: F64) -> int:  # fmt: skip
    """Sums of the light above the ground (`sums`, SUMS rows, 0 before) and the largest of each region; `rim` (of x,
    then of y, 0 before) is what `blobs._squares` gives, `moment` (likewise) the sums of light times place of the same
    pixels, `edges` (0 before) EDGES of both rings; `tilts` and `shots` (0
    before) what `tilt.tilts` and `shot_list` give.

    Args:
        kept: share of each ground's slopes that cannot be noise.
        inner: of the `grown` pixels around, where the last ring begins; `beneath`: where the one before does, of which
            there is none if it is there, too.
        number: pixels around each region; where there are none its darkest pixel is the ground and `nothing` the noise.
        all_, all_high, all_low: room for count + grown pixels.
    """
    for i in range(regions):
        if number[i] == 0:
            ground[3 * i], noise[i] = 1e308 * 10.0, nothing
    for n in range(count):
        i = labels[n]
        if number[i] == 0:
            one = light[n] if light[n] - light[n] == 0.0 else FARTHEST
            ground[3 * i] = min(ground[3 * i], one)
        all_[n], all_high[n], all_low[n] = core[n], i, i
    for n in range(grown):
        all_[count + n], all_high[count + n], all_low[count + n] = around[n], high[n], low[n]
    found = share_out(all_, all_high, all_low, count + grown, pixels, owners, share)
    lights(image, height, width, sign, pixels, found, value, x, y)
    above(value, x, y, owners, share, found, count, ground, at(plain, AT_X * regions), at(plain, AT_Y * regions), slope,
          v, peak)  # fmt: skip
    moments_loop(x, y, owners, v, share, found, regions, sums, at(sums, regions), at(sums, 2 * regions),
                 at(sums, 3 * regions), at(sums, 4 * regions), at(sums, 5 * regions), at(sums, 6 * regions),
                 at(sums, 7 * regions), at(sums, 8 * regions), at(sums, 9 * regions),
                 at(sums, 10 * regions))  # fmt: skip
    tilted = 0
    for i in range(regions):
        f = 3 * i
        form[f], form[f + 1], form[f + 2] = 0.0, 0.0, 0.0
        form_of(sums[AT_XX * regions + i], sums[AT_XY * regions + i], sums[AT_YY * regions + i], at(form, f))
        tilted += kept[i] > 0.0
    shot_list(x, y, owners, v, share, count, at(sums, AT_X * regions), at(sums, AT_Y * regions), form, shots)
    if tilted > 0:
        tilt_list(x, y, owners, v, share, found, at(sums, AT_X * regions), at(sums, AT_Y * regions), form, tilts)
    if beneath == inner:
        edge_list(owners, v, share, count, regions, edges, 2)
    else:
        last = share_out(at(around, beneath), at(high, beneath), at(low, beneath), inner - beneath, pixels, owners,
                         share)  # fmt: skip
        lights(image, height, width, sign, pixels, last, value, x, y)
        above(value, x, y, owners, share, last, 0, ground, at(plain, AT_X * regions), at(plain, AT_Y * regions), slope,
              v, peak)  # fmt: skip
        edge_list(owners, v, share, last, regions, edges, 2)
    last = share_out(at(around, inner), at(high, inner), at(low, inner), grown - inner, pixels, owners, share)
    lights(image, height, width, sign, pixels, last, value, x, y)
    above(value, x, y, owners, share, last, 0, ground, at(plain, AT_X * regions), at(plain, AT_Y * regions), slope, v,
          peak)  # fmt: skip
    for n in range(last):
        i = owners[n]
        dx, dy = x[n] - sums[AT_X * regions + i], y[n] - sums[AT_Y * regions + i]
        rim[i] = rim[i] + v[n] * v[n] * (dx * dx)
        rim[regions + i] = rim[regions + i] + v[n] * v[n] * (dy * dy)
        moment[i] = moment[i] + v[n] * dx
        moment[regions + i] = moment[regions + i] + v[n] * dy
    edge_list(owners, v, share, last, regions, edges, 0)
    return int(found)


@loop
def finish_loop(rows: F64, plain: F64, sums: F64, peak: F64, rim: F64, moment: F64, edges: F64, tilt: F64, noise: F64,
                factors: F64, ground: F64, lean: F64, kept: F64, form: F64, tilts: F64, shots: F64, regions: int,
                grain: float, grow: float, slope: int, part: float, nothing: float, out: F64) -> int:  # fmt: skip
    """The rows of all regions: `kernels.host.weighing.finished`; `part` of the `rim` counts. `out`: seven numbers."""
    levers = at(out, 4)
    for i in range(regions):
        mass = sums[MASS * regions + i]
        least = grain if noise[i] < grain else noise[i]
        lx, ly = sums[LEVER_X * regions + i], sums[LEVER_Y * regions + i]
        leans, leant = lx * lean[i], ly * lean[regions + i]
        xx, xy, yy = sums[AT_XX * regions + i], sums[AT_XY * regions + i], sums[AT_YY * regions + i]
        cut = part * rim_share(edges[i], edges[regions + i], edges[2 * regions + i], edges[3 * regions + i], least,
                               plain[AREA * regions + i], min(xx, yy))  # fmt: skip
        area = plain[AREA * regions + i]
        lever_of(lx, area * plain[AT_XX * regions + i], factors[2 * i], factors[2 * i + 1], slope, levers)
        ex, lacks = levers[2] * tilt[i] * least, levers[1] * least
        sx = levers[0] * least + lx * lx * ex + cut * rim[i] + leans * leans + one_sided(moment[i], rim[i], slope)
        lever_of(ly, area * plain[AT_YY * regions + i], factors[2 * i], factors[2 * i + 1], slope, levers)
        ey, lack = levers[2] * tilt[regions + i] * least, levers[1] * least
        sy = levers[0] * least + ly * ly * ey + cut * rim[regions + i] + leant * leant
        sy += one_sided(moment[regions + i], rim[regions + i], slope)
        px, py = plain[AT_X * regions + i], plain[AT_Y * regions + i]
        x, y = sums[AT_X * regions + i], sums[AT_Y * regions + i]
        dx, dy, reach = x - px, y - py, sqrt(plain[AREA * regions + i]) + grow
        lit = mass > 0.0 and dx * dx + dy * dy <= reach * reach
        shot_of(at(shots, SHOTS * i), least, grain, out)
        sx += max(out[0] * mass * xx, LESS * lacks)
        sy += max(out[0] * mass * yy, LESS * lack)
        least = out[1]
        if lit and kept[i] > 0.0 and form[3 * i] > 0.0:
            square = mass * mass
            righted(at(tilts, TILTS * i), kept[i], ground[3 * i + 1], ground[3 * i + 2], mass, xx, xy, yy, least,
                    sx / square, sy / square, lx / mass, ly / mass, ex, ey, out)  # fmt: skip
            x, y, sx, sy = x - out[0], y - out[1], out[2] * square, out[3] * square
        sigma, uneven = sqrt(0.5 * (sx + sy)) / mass, (sx - sy) / (sx + sy) if sx + sy > 0.0 else 0.0
        if not lit:
            x, y, sigma, xx, uneven = px, py, nothing, nothing, 0.0
        if not (xx > 0.0 and yy > 0.0):
            xx, xy, yy = plain[AT_XX * regions + i], plain[AT_XY * regions + i], plain[AT_YY * regions + i]
        o = COLUMNS * i
        rows[o], rows[o + 1], rows[o + 2], rows[o + 3], rows[o + 4] = x, y, mass, peak[i], plain[AREA * regions + i]
        rows[o + 5], rows[o + 6], rows[o + 7], rows[o + 8], rows[o + 9] = xx, xy, yy, sigma, uneven
        rows[o + 10], rows[o + 11] = 0.5 * (xx - yy), xy
    return 0
