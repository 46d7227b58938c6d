"""Regions measured one after the other, as one loop: split, ground, light above it."""

from __future__ import annotations

from kernels.host.correlation_loops import lever_of, one_sided
from kernels.host.ground_loops import darkest, plain_sums, plane_loop, ring_of, weigh_tile
from kernels.host.light_loops import CENTRED, ELSEWHERE, LAST, LIGHT, SPLIT, light_of
from kernels.host.loops import F64, I64, PIXELS, U8, at, loop, sqrt
from kernels.host.peak_loops import blurred, parts_of, tops_of
from kernels.host.rim_loops import rim_share
from kernels.host.shot_loops import LESS, shot_of, shot_tile
from kernels.host.tile_loops import BESIDE, CORE, blank, grown_bits, heal, load_tile, own_bits
from kernels.host.tilt_loops import DOUBT, believed, form_of, righted, tilt_tile
from kernels.host.window_loops import fetched
from kernels.ir.table import COLUMNS

ROOM = 8192  # pixels of a tile, with what vectors touch around it


@loop
def part_runs(i: int, count: int, many: int, rows: int, columns: int, breadth: int, part: I64, width: int, left: int,
              top: int, own_first: I64, own_last: I64, start: I64, box: I64, owner: I64, state: I64,
              runs: int) -> int:  # fmt: skip
    """Turn region i into its parts, the first in its place and the others at the end; returns the number of runs."""
    for p in range(many):
        j = i if p == 0 else count + p - 1
        start[2 * j] = runs
        owner[j], state[j] = owner[i], LAST
        low, high, first, last = columns, -1, rows, -1
        for r in range(rows):
            inside = 0
            for c in range(columns):
                if part[(r + 1) * breadth + 1 + c] == p:
                    k = (top + r) * width + left + c
                    if not inside:
                        own_first[runs] = k
                        runs += 1
                        inside = 1
                    own_last[runs - 1] = k
                    low, high, first, last = min(low, c), max(high, c), min(first, r), r
                else:
                    inside = 0
        start[2 * j + 1] = runs - start[2 * j]
        box[4 * j], box[4 * j + 1], box[4 * j + 2], box[4 * j + 3] = left + low, left + high, top + first, top + last
    return int(runs)


@loop
def tiles_loop(image: PIXELS, total: int, base: int, height: int, width: int, sign: float, count: int, runs: int,
               start: I64, box: I64, own_first: I64, own_last: I64, owner: I64, state: I64, board: I64, pitch: int,
               frame_words: int, grow: int, steps: int, margin: int, level: int, slope: int, given: float, blur: float,
               grain: float, rim: float, split: float, depth: float, weights: F64, radius: int, table: U8,
               iota: F64, bits: I64, part: I64, tops: I64, tile: F64, ring: F64, light: F64, work: F64, acc: F64,
               sums: F64, plain: F64, ground: F64, nothing: float, side: int, limit: float,
               rows_: F64) -> int:  # fmt: skip
    """The rows of `count` regions and of the parts they are split into.

    Args:
        base: the first frame of the board.
        state: of each region: SPLIT, LAST, or LIGHT and ELSEWHERE, which get no row here. Small ones (`light_of`)
            become LIGHT where they are not split.
        grow, steps: pixels around that are the region's, and those with the ring.
        margin: of a tile's bits.
        level, slope, given: of the ground: it is `given`; it is a plane.
        weights, radius: of the blur before maxima are looked for.
        table: eight 0 or 1 for each byte.
        side: of `light_of`; 0 for none.
        limit: px^2, half the sum of second moments up to which CENTRED ones need no centre and no sigma.

    Returns:
        How many regions there are now.
    """
    reach = max(steps, radius)
    shift = margin - reach
    levers = at(sums, 32)
    across, there = at(ring, ROOM // 2), at(light, ROOM // 2)  # a tile has less than half of the room
    i, ahead = 0, 0
    while i < count:
        if state[i] == ELSEWHERE or state[i] == LIGHT:
            i += 1
            continue
        ahead = max(ahead, i + 1)
        while ahead < count and state[min(ahead, count - 1)] > LAST:
            ahead += 1
        if ahead < count:  # its memory has time to come nearer while this one is measured
            across_, down_ = box[4 * ahead + 1] - box[4 * ahead], box[4 * ahead + 3] - box[4 * ahead + 2]
            fetched(image, (box[4 * ahead + 2] - reach) * width + box[4 * ahead] - reach, width,
                    across_ + 2 * reach, down_ + 2 * reach)  # fmt: skip
        frame = owner[i] + base
        company = own_bits(i, start, box, own_first, own_last, at(board, owner[i] * frame_words), pitch, frame * height,
                           height, width, margin, bits)  # fmt: skip
        w, h = box[4 * i + 1] - box[4 * i] + 1, box[4 * i + 3] - box[4 * i + 2] + 1
        x0, y0 = box[4 * i] - reach, box[4 * i + 2] - reach
        columns, rows = w + 2 * reach, h + 2 * reach
        breadth = (columns + 7) // 8 * 8
        odd = load_tile(image, total, frame * height * width, height, width, sign, x0, y0 - frame * height, rows,
                        columns, breadth, tile)  # fmt: skip
        alive = 1
        if split > 0.0 and state[i] == SPLIT and float((w - 1) * (w - 1) + (h - 1) * (h - 1)) >= split * split:
            if odd:
                blank(tile, rows * breadth)
            narrow = (w + 7) // 8 * 8 + 8
            blurred(tile, breadth, weights, radius, reach, reach, h, w, work, light, narrow)
            many = tops_of(h, w, margin, margin, light, narrow, bits, table, acc)
            if many > 1:
                many = parts_of(h, w, light, narrow, split, depth, part, tops)
                if many > 1:
                    runs = part_runs(i, count, many, h, w, narrow, part, width, box[4 * i], box[4 * i + 2], own_first,
                                     own_last, start, box, owner, state, runs)  # fmt: skip
                    count += many - 1
                    continue
            if odd:
                load_tile(image, total, frame * height * width, height, width, sign, x0, y0 - frame * height, rows,
                          columns, breadth, tile)  # fmt: skip
        if side > 0 and light_of(i, image, width, frame * height, sign, start, box, own_first, own_last, side, nothing,
                                 rows_):  # fmt: skip
            state[i] = LIGHT
            i += 1
            continue
        grown_bits(h + 2 * margin, margin, steps, grow, company, bits)
        bright = CORE
        if odd:
            alive = heal(rows, columns, breadth, shift, shift, tile, bits)
            bright = BESIDE
        plain_sums(i, start, own_first, own_last, width, x0, y0, plain)
        px, py = plain[1], plain[2]
        ground[0], ground[1], ground[2], ground[3], ground[4], ground[5] = given, 0.0, 0.0, nothing, 0.0, 0.0
        ground[6], ground[7], ground[14], ground[15] = 0.0, 0.0, 1.0, 0.0
        if not level:
            around = ring_of(tile, rows, shift, shift, breadth, iota, bits, ring, across, light, there)
            if around:
                plane_loop(ring, across, light, there, around, px, py, slope, blur, acc, ground)
            else:
                ground[0] = darkest(tile, rows, breadth, shift, shift, bits, bright)
        weigh_tile(tile, rows, columns, breadth, reach - grow, shift, shift, bits, bright, table, iota, px, py, company,
                   state[i] != CENTRED, ground, acc, sums)  # fmt: skip
        if state[i] == CENTRED and not sums[3] + sums[5] <= 2.0 * limit * sums[0]:  # its sigma may be wanted
            weigh_tile(tile, rows, columns, breadth, reach - grow, shift, shift, bits, bright, table, iota, px, py,
                       company, 1, ground, acc, sums)  # fmt: skip
        o = COLUMNS * i
        x, y, xx, xy, yy, sigma, uneven = px, py, plain[3], plain[4], plain[5], nothing, 0.0
        mass, peak = sums[0], sums[22] if alive else 0.0
        if mass > 0.0 and alive:
            mx, my = sums[1] / mass, sums[2] / mass
            far = sqrt(plain[0]) + float(grow)
            if mx * mx + my * my <= far * far:
                noise = grain if ground[3] < grain else ground[3]
                lx = max(sums[14] - 2.0 * (mx * sums[7]) + mx * mx * sums[6], 0.0)
                ly = max(sums[9] - 2.0 * (my * sums[8]) + my * my * sums[6], 0.0)
                cx = max(sums[15] - 2.0 * (mx * sums[11]) + mx * mx * sums[10], 0.0)
                cy = max(sums[13] - 2.0 * (my * sums[12]) + my * my * sums[10], 0.0)
                leans, leant = lx * ground[6], ly * ground[7]  # of the ground that stays below the light
                vx, vy = sums[3] / mass - mx * mx, sums[5] / mass - my * my
                cut = rim * rim_share(sums[10], sums[16], sums[17], sums[18], noise, plain[0], min(vx, vy))
                beside = one_sided(sums[20] - mx * sums[19], cx, slope)
                lever_of(lx, plain[0] * plain[3], ground[14], ground[15], slope, levers)
                ex, lacks = levers[2] * ground[4] * noise, levers[1] * noise
                sx = levers[0] * noise + lx * lx * ex + cut * cx + leans * leans + beside
                beside = one_sided(sums[21] - my * sums[19], cy, slope)
                lever_of(ly, plain[0] * plain[5], ground[14], ground[15], slope, levers)
                ey, lack = levers[2] * ground[5] * noise, levers[1] * noise
                sy = levers[0] * noise + ly * ly * ey + cut * cy + leant * leant + beside
                x, y = px + mx, py + my
                if vx > 0.0 and vy > 0.0:
                    xx, xy, yy = vx, sums[4] / mass - mx * my, vy
                    formed = (state[i] != CENTRED or 0.5 * (xx + yy) > limit) and form_of(xx, xy, yy, at(ground, 8))
                    kept = believed(ground[1], ground[2], noise * ground[14], ground[4], ground[5],
                                    DOUBT) if formed else 0.0  # fmt: skip
                    if formed:
                        shot_tile(tile, rows, columns, breadth, shift, shift, bits, bright, table, iota, px, py, x, y,
                                  xx, yy, ground, at(ground, 8), acc, sums)  # fmt: skip
                        shot_of(sums, noise, grain, at(ground, 12))
                        sx += max(ground[12] * mass * xx, LESS * lacks)
                        sy += max(ground[12] * mass * yy, LESS * lack)
                        noise = ground[13]
                    if kept > 0.0:
                        tilt_tile(tile, rows, columns, breadth, reach - grow, shift, shift, bits, table, iota, px, py,
                                  x, y, company, ground, at(ground, 8), acc, sums)  # fmt: skip
                        square = mass * mass
                        righted(sums, kept, ground[1], ground[2], mass, xx, xy, yy, noise, sx / square, sy / square,
                                lx / mass, ly / mass, ex, ey, at(ground, 8))  # fmt: skip
                        x, y = x - ground[8], y - ground[9]
                        sx, sy = ground[10] * square, ground[11] * square
                sigma = sqrt(0.5 * (sx + sy)) / mass
                uneven = (sx - sy) / (sx + sy) if sx + sy > 0.0 else 0.0
        rows_[o], rows_[o + 1] = x + float(x0), y + float(y0 - frame * height)
        rows_[o + 2], rows_[o + 3] = mass, peak
        rows_[o + 4], rows_[o + 5], rows_[o + 6], rows_[o + 7], rows_[o + 8] = plain[0], xx, xy, yy, sigma
        rows_[o + 9], rows_[o + 10], rows_[o + 11] = uneven, 0.5 * (xx - yy), xy
        i += 1
    return int(count)
