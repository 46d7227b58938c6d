"""Regions measured one after the other, as one loop: split, ground, light above it."""

from __future__ import annotations

from kernels.ir.table import COLUMNS
from kernels.loops.language import I64, at, loop, sqrt
from kernels.regions.background_loops import darkest, plain_sums, plane_loop, ring_of, weigh_tile
from kernels.regions.boundary_noise_loops import rim_share
from kernels.regions.initial_guess_loops import CENTRED, ELSEWHERE, LAST, LIGHT, SPLIT, grays_of, light_of
from kernels.regions.noise_correlation_loops import lever_of, one_sided
from kernels.regions.shot_noise_loops import LESS, shot_of, shot_tile
from kernels.regions.skew_correction_loops import DOUBT, believed, form_of, righted, tilt_tile
from kernels.regions.structs import Frames, Light, Patch, Regions, RingPixels, Rules, Slope, Tile, Work
from kernels.regions.tile_loops import BESIDE, CORE, blank, grown_bits, heal, load_tile, own_bits
from kernels.regions.valley_loops import blurred, parts_of, tops_of
from kernels.regions.window_loops import fetched

ROOM = 8192  # pixels of a tile, with what vectors touch around it


@loop
def part_runs(i: int, of: Regions, count: int, many: int, breadth: int, part: I64, width: int, runs: int) -> int:
    """Turn region i into its parts, the first in its place and the others at the end; returns the number of runs."""
    left, top = of.box[4 * i], of.box[4 * i + 2]
    columns, rows = of.box[4 * i + 1] - left + 1, of.box[4 * i + 3] - top + 1
    for p in range(many):
        # Parts are LAST: they are measured as they are, never split again.
        j = i if p == 0 else count + p - 1
        of.start[2 * j] = runs
        of.owner[j], of.state[j] = of.owner[i], LAST
        low, high, first, last = columns, -1, rows, -1
        for r in range(rows):
            inside = 0
            for c in range(columns):
                # `part` has a border of one pixel around the box, hence the + 1.
                if part[(r + 1) * breadth + 1 + c] == p:
                    k = (top + r) * width + left + c
                    if not inside:
                        of.own_first[runs] = k
                        runs += 1
                        inside = 1
                    of.own_last[runs - 1] = k
                    low, high, first, last = min(low, c), max(high, c), min(first, r), r
                else:
                    inside = 0
        of.start[2 * j + 1] = runs - of.start[2 * j]
        of.box[4 * j], of.box[4 * j + 1] = left + low, left + high
        of.box[4 * j + 2], of.box[4 * j + 3] = top + first, top + last
    return int(runs)


@loop
def parts_in(i: int, f: Frames, of: Regions, rule: Rules, t: Work) -> int:
    """How many parts region i is to be split into, 1 for none; `t.part` says to which each pixel of it belongs, in rows
    of `breadth_of` it."""
    w, h = of.box[4 * i + 1] - of.box[4 * i] + 1, of.box[4 * i + 3] - of.box[4 * i + 2] + 1
    # No two pixels of a box lie farther apart than its diagonal: a shorter one than `split` holds one maximum that
    # counts.
    if of.state[i] != SPLIT or rule.split <= 0.0 or (
            float((w - 1) * (w - 1) + (h - 1) * (h - 1)) < rule.split * rule.split):  # fmt: skip
        return 1
    # The blur looks `radius` pixels beyond the box.
    frame, x0, y0 = of.owner[i] + of.base, of.box[4 * i] - rule.radius, of.box[4 * i + 2] - rule.radius
    columns, rows = w + 2 * rule.radius, h + 2 * rule.radius
    breadth, narrow = (columns + 7) // 8 * 8, breadth_of(w)
    own_bits(i, of, f.height, f.width, rule.margin, t.bits)
    # What is no number would spread through the blur over all that it reaches.
    if load_tile(f, frame * f.height * f.width, x0, y0 - frame * f.height, rows, columns, breadth, t.tile):
        blank(t.tile, rows * breadth)
    patch = Patch(t.tile, breadth, rule.radius, rule.radius, h, w)
    blurred(patch, rule.weights, rule.radius, t.work, t.light, narrow)
    # Counting maxima costs far less than climbing to them, and most regions have one.
    if tops_of(h, w, rule.margin, rule.margin, t.light, narrow, t.bits, rule.table, t.acc) < 2:
        return 1
    return int(parts_of(h, w, t.light, narrow, rule.split, rule.depth, t.part, t.tops))


@loop
def runs_of_parts(rows: int, columns: int, part: I64) -> int:
    """Runs that the parts of a region have, all together (`parts_in`)."""
    breadth, many = breadth_of(columns), 0
    for r in range(rows):
        before = -1
        for c in range(columns):
            own = part[(r + 1) * breadth + 1 + c]
            many += own >= 0 and own != before
            before = own
    return many


@loop
def breadth_of(columns: int) -> int:
    """Numbers that a row of `part` takes."""
    return (columns + 7) // 8 * 8 + 8


@loop
def tile_row(i: int, f: Frames, of: Regions, rule: Rules, t: Work, limit: float) -> int:
    """The row of region i.

    Args:
        limit: of `tiles_loop`.
    """
    # The tile reaches as far as the ring or the blur; the planes of bits reach `margin` and are shifted against it.
    reach = max(rule.steps, rule.radius)
    shift, levers = rule.margin - reach, at(t.sums, 32)
    # The second halves of two buffers serve as buffers of their own.
    across, there = at(t.ring, ROOM // 2), at(t.light, ROOM // 2)  # a tile has less than half of the room
    frame = of.owner[i] + of.base
    company = own_bits(i, of, f.height, f.width, rule.margin, t.bits)
    w, h = of.box[4 * i + 1] - of.box[4 * i] + 1, of.box[4 * i + 3] - of.box[4 * i + 2] + 1
    x0, y0 = of.box[4 * i] - reach, of.box[4 * i + 2] - reach
    columns, rows = w + 2 * reach, h + 2 * reach
    breadth = (columns + 7) // 8 * 8
    odd = load_tile(f, frame * f.height * f.width, x0, y0 - frame * f.height, rows, columns, breadth, t.tile)
    alive = 1
    grown_bits(h + 2 * rule.margin, rule.margin, rule.steps, rule.grow, company, t.bits)
    # BESIDE is the core without pixels that are no numbers.
    bright = CORE
    if odd:
        alive = heal(rows, columns, breadth, shift, shift, t.tile, t.bits)
        bright = BESIDE
    plain_sums(i, of.start, of.own_first, of.own_last, f.width, x0, y0, t.plain)
    px, py = t.plain[1], t.plain[2]
    # ground: 0-2 level and slopes, 3 variance of a pixel, 4-5 variances of slopes for pixels of variance 1, 6-7 slopes
    # of a ground that is taken to be level, 8-11 scratch (form, then what `righted` gives), 12-13 shot noise, 14-15
    # texture.
    for k in range(16):
        t.ground[k] = 0.0
    t.ground[0], t.ground[3], t.ground[14] = rule.given, rule.nothing, 1.0
    on = Tile(t.tile, rows, columns, breadth, reach - rule.grow, shift, shift, t.bits, bright, rule.table,
              rule.iota, px, py, company)  # fmt: skip
    if not rule.level:
        around = ring_of(on, t.ring, across, t.light, there)
        if around:
            pixels = RingPixels(t.ring, across, t.light, there, around, px, py)
            plane_loop(pixels, rule.slope, rule.blur, t.acc, t.ground)
        else:
            t.ground[0] = darkest(t.tile, rows, breadth, shift, shift, t.bits, bright)
    # The outermost rings are needed for sigma alone, which a region that is CENTRED elsewhere mostly does not need.
    weigh_tile(on, of.state[i] != CENTRED, t.ground, t.acc, t.sums)  # fmt: skip
    # `not <=` and no `>`: what is NaN is weighed again, too.
    if of.state[i] == CENTRED and not t.sums[3] + t.sums[5] <= 2.0 * limit * t.sums[0]:  # its sigma may be wanted
        weigh_tile(on, 1, t.ground, t.acc, t.sums)  # fmt: skip
    o = COLUMNS * i
    x, y, xx, xy, yy, sigma, uneven = px, py, t.plain[3], t.plain[4], t.plain[5], rule.nothing, 0.0
    mass, peak = t.sums[0], t.sums[22] if alive else 0.0
    if mass > 0.0 and alive:
        # A centre farther off than the region is wide comes from light that nearly cancels: then the mask's own centre
        # stays.
        mx, my = t.sums[1] / mass, t.sums[2] / mass
        far = sqrt(t.plain[0]) + float(rule.grow)
        if mx * mx + my * my <= far * far:
            noise = rule.grain if t.ground[3] < rule.grain else t.ground[3]
            # sums: 0 mass, 1-2 first, 3-5 second moments; 6-9 share^2 by 1, x, y, yy and 14 by xx; 10-13 and 15 the
            # same of light^2 in the outermost ring; 16 share^2 there; 17-18 light^2 and share^2 of the ring before;
            # 19-21 light there by 1, x, y. Sums were taken about the region's own middle; about the centre (mx, my) of
            # the light they are, by the parallel axis theorem, S2 - 2 m S1 + m^2 S0.
            lx = max(t.sums[14] - 2.0 * (mx * t.sums[7]) + mx * mx * t.sums[6], 0.0)
            ly = max(t.sums[9] - 2.0 * (my * t.sums[8]) + my * my * t.sums[6], 0.0)
            cx = max(t.sums[15] - 2.0 * (mx * t.sums[11]) + mx * mx * t.sums[10], 0.0)
            cy = max(t.sums[13] - 2.0 * (my * t.sums[12]) + my * my * t.sums[10], 0.0)
            leans, leant = lx * t.ground[6], ly * t.ground[7]  # of the ground that stays below the light
            vx, vy = t.sums[3] / mass - mx * mx, t.sums[5] / mass - my * my
            # The variances of the first moments, sx and sy, are a sum of: noise of pixels, noise of the slope below,
            # what the rim cuts off by chance, a slope that is not taken off, and what lies beside the region on one
            # side.
            cut = rule.rim * rim_share(
                t.sums[10], t.sums[16], t.sums[17], t.sums[18], noise, t.plain[0], min(vx, vy)
            )
            beside = one_sided(t.sums[20] - mx * t.sums[19], cx, rule.slope)
            lever_of(lx, t.plain[0] * t.plain[3], t.ground[14], t.ground[15], rule.slope, levers)
            # The lever times a slope is how far a slope below all of the region moves a moment.
            ex, lacks = levers[2] * t.ground[4] * noise, levers[1] * noise
            sx = levers[0] * noise + lx * lx * ex + cut * cx + leans * leans + beside
            beside = one_sided(t.sums[21] - my * t.sums[19], cy, rule.slope)
            lever_of(ly, t.plain[0] * t.plain[5], t.ground[14], t.ground[15], rule.slope, levers)
            ey, lack = levers[2] * t.ground[5] * noise, levers[1] * noise
            sy = levers[0] * noise + ly * ly * ey + cut * cy + leant * leant + beside
            x, y = px + mx, py + my
            if vx > 0.0 and vy > 0.0:
                xx, xy, yy = vx, t.sums[4] / mass - mx * my, vy
                # Only what is kept as the row needs the form: wide regions, and those that no window centres.
                formed = (of.state[i] != CENTRED or 0.5 * (xx + yy) > limit) and form_of(
                    xx, xy, yy, at(t.ground, 8)
                )
                kept = believed(t.ground[1], t.ground[2], noise * t.ground[14], t.ground[4], t.ground[5],
                                DOUBT) if formed else 0.0  # fmt: skip
                if formed:
                    # From here on `sums` holds other sums: all that weigh_tile left there is used up, but for mass.
                    shot_tile(on, x, y, xx, yy, t.ground, at(t.ground, 8), t.acc, t.sums)  # fmt: skip
                    shot_of(t.sums, noise, rule.grain, at(t.ground, 12))
                    # Variance that grows by out[0] with the light: sum of out[0] v x^2 over the thing is out[0] mass
                    # xx.
                    sx += max(t.ground[12] * mass * xx, LESS * lacks)
                    sy += max(t.ground[12] * mass * yy, LESS * lack)
                    noise = t.ground[13]
                if kept > 0.0:
                    tilt_tile(on, x, y, t.ground, at(t.ground, 8), t.acc, t.sums)  # fmt: skip
                    square = mass * mass
                    shape = Light(mass, xx, xy, yy, noise, sx / square, sy / square)
                    below = Slope(kept, t.ground[1], t.ground[2], lx / mass, ly / mass, ex, ey)
                    # The form in ground[8] is used up and makes way for the shifts and variances.
                    righted(t.sums, shape, below, at(t.ground, 8))
                    x, y = x - t.ground[8], y - t.ground[9]
                    sx, sy = t.ground[10] * square, t.ground[11] * square
            # A centroid is a ratio: sx and sy are variances of the first moments, and over the mass they are px^2.
            sigma = sqrt(0.5 * (sx + sy)) / mass
            uneven = (sx - sy) / (sx + sy) if sx + sy > 0.0 else 0.0
    of.rows[o], of.rows[o + 1] = x + float(x0), y + float(y0 - frame * f.height)
    of.rows[o + 2], of.rows[o + 3] = mass, peak
    of.rows[o + 4], of.rows[o + 5], of.rows[o + 6], of.rows[o + 7], of.rows[o + 8] = t.plain[0], xx, xy, yy, sigma
    of.rows[o + 9], of.rows[o + 10], of.rows[o + 11] = uneven, 0.5 * (xx - yy), xy
    grays_of(i, f, of, rule.nothing)
    return 0


@loop
def tiles_loop(f: Frames, of: Regions, rule: Rules, t: Work, count: int, runs: int, side: int,
               limit: float) -> int:  # fmt: skip
    """The rows of `count` regions and of the parts they are split into.

    Args:
        of: those that are LIGHT and ELSEWHERE get no row here. Small ones (`light_of`) become LIGHT where they are not
            split.
        count, runs: of the regions, as they are by now.
        side: of `light_of`; 0 for none.
        limit: px^2, half the sum of second moments up to which CENTRED ones need no centre and no sigma.

    Returns:
        How many regions there are now.
    """
    reach = max(rule.steps, rule.radius)
    i, ahead = 0, 0
    while i < count:
        if of.state[i] == ELSEWHERE or of.state[i] == LIGHT:
            i += 1
            continue
        ahead = max(ahead, i + 1)
        # `ahead` is the next region that a tile is loaded of.
        while ahead < count and of.state[min(ahead, count - 1)] > LAST:
            ahead += 1
        if ahead < count:  # its memory has time to come nearer while this one is measured
            across, down = of.box[4 * ahead + 1] - of.box[4 * ahead], of.box[4 * ahead + 3] - of.box[4 * ahead + 2]
            fetched(f.image, (of.box[4 * ahead + 2] - reach) * f.width + of.box[4 * ahead] - reach, f.width,
                    across + 2 * reach, down + 2 * reach)  # fmt: skip
        many = parts_in(i, f, of, rule, t)
        # The first part takes the region's place and is measured next; the others queue up at the end.
        if many > 1:
            runs = part_runs(i, of, count, many, breadth_of(of.box[4 * i + 1] - of.box[4 * i] + 1), t.part, f.width,
                             runs)  # fmt: skip
            count += many - 1
            continue
        # Small regions get their first guess from the picture itself, and all else from the refinement of centres.
        if side > 0 and light_of(i, f, of, (of.owner[i] + of.base) * f.height, side, rule.nothing):
            of.state[i] = LIGHT
        else:
            tile_row(i, f, of, rule, t, limit)
        i += 1
    return int(count)
