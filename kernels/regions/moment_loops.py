"""Regions as lists of pixels, of any size: grow, the ground around, and the moments of the light above it, as loops.

(Small regions are measured in tiles: `kernels.regions.region_tiles`.) All sums are in the order of the lists.
"""

from __future__ import annotations

from kernels.ir.table import COLUMNS
from kernels.loops.language import F64, I32, I64, at, loop, sqrt
from kernels.loops.robust_mean import middle
from kernels.regions.boundary_noise_loops import edge_list, rim_share
from kernels.regions.noise_correlation_loops import lever_of, one_sided
from kernels.regions.shot_noise_loops import LESS, SHOTS, shot_list, shot_of
from kernels.regions.skew_correction_loops import SUMS as TILTS
from kernels.regions.skew_correction_loops import form_of, righted, tilt_list
from kernels.regions.structs import (
    Bounds,
    Frames,
    Ground,
    Light,
    Listed,
    Moments,
    PlaneFit,
    Rings,
    Seen,
    Settings,
    Slope,
    Sorting,
    Surroundings,
)

FARTHEST = 3.0000000054977558e38  # 3e38 as f32


@loop
def beside(flat: I32, edge: I64, count: int, first: int, last: int, out: I64) -> int:
    """The free pixels at the offsets first..last of a rising list, rising, each once."""
    found, latest = 0, -1
    for n in range(count):
        # Ranges of neighbouring pixels overlap; the list rises, so that what is not beyond `latest` has been written
        # already.
        for p in range(edge[n] + first, edge[n] + last + 1):
            if p > latest and flat[p] == 0:
                out[found] = p
                found += 1
                latest = p
    return found


@loop
def grow_loop(flat: I32, width: int, edge: I64, count: int, room: int, lists: I64, r: Rings) -> int:
    """One dilation by eight neighbours: the ring around a rising list of pixels, and the largest and smallest region
    beside each of its pixels. A pixel that two regions reach grows on as the largest's."""
    # Rows above, beside and below give a rising list each; merging three rising lists keeps reading order, without a
    # sort.
    a = beside(flat, edge, count, -width - 1, -width + 1, lists)
    b = beside(flat, edge, count, -1, 1, at(lists, room))
    c = beside(flat, edge, count, width - 1, width + 1, at(lists, 2 * room))
    # A three-way merge: all heads that equal the least go on together, so that no pixel comes twice.
    i, j, k, found = 0, room, 2 * room, 0
    b += room
    c += 2 * room
    none = 9223372036854775807
    while i < a or j < b or k < c:
        p, q, s = none, none, none
        if i < a:
            p = lists[i]
        if j < b:
            q = lists[j]
        if k < c:
            s = lists[k]
        least = min(p, min(q, s))
        r.pixel[found] = least
        found += 1
        i += p == least
        j += q == least
        k += s == least
    for n in range(found):
        p = r.pixel[n]
        most, least = -1, none
        for line in range(3):
            start = p + (line - 1) * width - 1
            for m in range(3):
                # 0 is free and the border is negative: neither is a region.
                one = flat[start + m] - 1
                if one >= 0:
                    most = max(most, one)
                    least = min(least, one)
        r.high[n], r.low[n] = most, least
    # Only now: had the canvas been written while it was read, a ring would have depended on the order of its pixels.
    for n in range(found):
        flat[r.pixel[n]] = r.high[n] + 1
    return found


@loop
def grown_loop(flat: I32, pitch: int, core: Listed, count: int, steps: int, room: int, lists: I64, r: Rings,
               ends: I64) -> int:  # fmt: skip
    """All rings around the regions one after the other, and where each step ends; the canvas is clean afterwards."""
    # The canvas holds region + 1, 0 where free.
    for n in range(count):
        flat[core.pixel[n]] = core.owner[n] + 1
    ends[0] = 0
    for s in range(steps):
        end = ends[s]
        ring = Rings(at(r.pixel, end), at(r.high, end), at(r.low, end))
        # Only the ring before has free neighbours: what lies farther in is surrounded.
        if s == 0:
            ends[1] = grow_loop(flat, pitch, core.pixel, count, room, lists, ring)
        else:
            start = ends[s - 1]
            ends[s + 1] = end + grow_loop(flat, pitch, at(r.pixel, start), end - start, room, lists, ring)
    for n in range(count):
        flat[core.pixel[n]] = 0
    for n in range(ends[steps]):
        flat[r.pixel[n]] = 0
    return int(ends[steps])


@loop
def share_out(core: Listed, count: int, r: Rings, first: int, last: int, out: Listed) -> int:
    """The first `count` pixels of the core, then first..last - 1 of the rings, as pixels of regions; those that two
    regions reach belong to both by half, the second halves behind all others. Returns how many there are."""
    for n in range(count):
        out.pixel[n], out.owner[n], out.share[n] = core.pixel[n], core.owner[n], 1.0
    found = count + last - first
    for k in range(first, last):
        n = count + k - first
        out.pixel[n], out.owner[n], out.share[n] = r.pixel[k], r.high[k], 1.0
        if r.high[k] != r.low[k]:
            out.share[n] = 0.5
            out.pixel[found], out.owner[found], out.share[found] = r.pixel[k], r.low[k], 0.5
            # Second halves lie behind all others, so that the first entries stay in reading order.
            found += 1
    return found


@loop
def values_of(f: Frames, on: Listed, count: int) -> int:
    """Light and place of pixels of a canvas: frames with a border of one pixel, one below the other."""
    pitch = f.width + 2
    # A canvas has a border of one pixel, so that neighbours need no test for the picture's edge. A pixel's row is found
    # by division once a row: pixels of a list are in reading order.
    row, base, line = -1, 0, 0
    for n in range(count):
        p = on.pixel[n]
        if row < 0 or p < row or p >= row + pitch:
            frame = p // (pitch * (f.height + 2))
            line = (p - frame * pitch * (f.height + 2)) // pitch
            row = frame * pitch * (f.height + 2) + line * pitch
            base = frame * f.height * f.width + (line - 1) * f.width
        on.value[n] = f.image[base + p - row - 1] * f.sign
        on.x[n], on.y[n] = float(p - row - 1), float(line - 1)
    return 0


@loop
def moments_loop(on: Listed, pixels: int, regions: int, m: Moments) -> int:
    """Weighted means and central second moments of the light of each region, and the sums of share^2 (x - cx)^2 and of
    share^2 (y - cy)^2. All of `m` begins at 0."""
    for n in range(pixels):
        i = on.owner[n]
        m.area[i] = m.area[i] + 1.0
        m.mass[i] = m.mass[i] + on.light[n]
        m.middle_x[i] = m.middle_x[i] + on.x[n]
        m.middle_y[i] = m.middle_y[i] + on.y[n]
    for i in range(regions):
        one = max(m.area[i], 1.0)
        m.middle_x[i] = m.middle_x[i] / one
        m.middle_y[i] = m.middle_y[i] / one
    for n in range(pixels):  # from the middle of the pixels, so that a far corner of the picture costs no digits
        i = on.owner[n]
        m.x[i] = m.x[i] + on.light[n] * (on.x[n] - m.middle_x[i])
        m.y[i] = m.y[i] + on.light[n] * (on.y[n] - m.middle_y[i])
    # Without light this is no number; `finish_loop` looks at the mass before it believes it.
    for i in range(regions):
        m.x[i] = m.middle_x[i] + m.x[i] / m.mass[i]
        m.y[i] = m.middle_y[i] + m.y[i] / m.mass[i]
    # A pass of its own about the centre: sum v x^2 - mass x^2 would cancel digits far from the middle.
    for n in range(pixels):
        i = on.owner[n]
        dx, dy = on.x[n] - m.x[i], on.y[n] - m.y[i]
        m.xx[i] = m.xx[i] + on.light[n] * (dx * dx)
        m.xy[i] = m.xy[i] + on.light[n] * (dx * dy)
        m.yy[i] = m.yy[i] + on.light[n] * (dy * dy)
        m.lever_x[i] = m.lever_x[i] + on.share[n] * on.share[n] * (dx * dx)
        m.lever_y[i] = m.lever_y[i] + on.share[n] * on.share[n] * (dy * dy)
    for i in range(regions):
        m.xx[i] = m.xx[i] / m.mass[i]
        m.xy[i] = m.xy[i] / m.mass[i]
        m.yy[i] = m.yy[i] / m.mass[i]
    return 0


@loop
def levels_loop(on: Listed, pixels: int, regions: int, whole: int, s: Sorting, g: Ground) -> int:
    """Of the values of each region the mean of the middle half, their robust variance, and their number; pixels that
    are no numbers are left out. `whole`: they are whole numbers."""
    for i in range(regions):
        g.number[i] = 0
    for n in range(pixels):
        if on.value[n] - on.value[n] == 0.0:
            g.number[on.owner[n]] = g.number[on.owner[n]] + 1
    # A counting sort by region: how many, where each begins, then the values.
    place = 0
    for i in range(regions):
        s.start[i] = place
        place += g.number[i]
        g.number[i] = 0
    for n in range(pixels):
        if on.value[n] - on.value[n] == 0.0:
            i = on.owner[n]
            s.ordered[s.start[i] + g.number[i]] = on.value[n]
            g.number[i] = g.number[i] + 1
    for i in range(regions):
        g.middle[i], g.noise[i] = 0.0, 0.0
        if g.number[i] > 0:
            lowest, highest = 1e308, -1e308
            for n in range(g.number[i]):
                v = s.ordered[s.start[i] + n]
                s.buffer[n] = v
                lowest, highest = min(lowest, v), max(highest, v)
            middle(s.buffer, g.number[i], lowest, highest, whole, s.bins, s.out)
            g.middle[i], g.noise[i] = s.out[0], s.out[1]
    return 0


@loop
def plane_sums(on: Listed, pixels: int, regions: int, plain: Moments, g: Ground, blur: float, p: PlaneFit) -> int:
    """The normal equations of the least-squares planes through the pixels around each region, within three robust
    standard deviations of its level; x and y become offsets from the region's middle."""
    for n in range(pixels):
        i = on.owner[n]
        p.ok[n] = 0
        v = on.value[n]
        if v - v == 0.0:
            dx, dy = on.x[n] - plain.x[i], on.y[n] - plain.y[i]
            on.x[n], on.y[n] = dx, dy
            # From the level and the region's middle: sums of squares of small numbers lose no digits.
            rest = v - g.middle[i]
            # 1e-6: of a ground without any noise its own level must pass.
            p.ok[n] = abs(rest) <= 3.0 * sqrt(g.noise[i] + blur) + 1e-6
            if p.ok[n]:
                on.value[n] = rest
                a, b = 9 * i, 3 * i
                p.normal[a] = p.normal[a] + 1.0
                p.normal[a + 1] = p.normal[a + 1] + dx
                p.normal[a + 2] = p.normal[a + 2] + dy
                p.normal[a + 4] = p.normal[a + 4] + dx * dx
                p.normal[a + 5] = p.normal[a + 5] + dx * dy
                p.normal[a + 8] = p.normal[a + 8] + dy * dy
                p.right[b] = p.right[b] + rest
                p.right[b + 1] = p.right[b + 1] + dx * rest
                p.right[b + 2] = p.right[b + 2] + dy * rest
    # The lower triangle, which the solver reads, too.
    for i in range(regions):
        a = 9 * i
        p.normal[a + 3], p.normal[a + 6], p.normal[a + 7] = p.normal[a + 1], p.normal[a + 2], p.normal[a + 5]
    return 0


@loop
def ground_loop(f: Frames, core: Listed, count: int, regions: int, r: Rings, b: Bounds, how: Settings,
                s: Surroundings) -> int:  # fmt: skip
    """Moments of the masks alone, and, where the ground is not given, the level around each region and the normal
    equations of its plane; returns how many pixels are around."""
    values_of(f, core, count)
    moments_loop(core, count, regions, s.plain)
    if how.given:
        return 0
    found = share_out(core, 0, r, b.grown, b.end, s.listed)
    values_of(f, s.listed, found)
    levels_loop(s.listed, found, regions, f.exact, s.sorting, s.ground)
    plane_sums(s.listed, found, regions, s.plain, s.ground, how.blur, s.fit)
    return int(found)


@loop
def planes_loop(on: Listed, pixels: int, regions: int, p: PlaneFit, g: Ground) -> int:
    """The planes below the regions, and what they leave, as the variance of a pixel."""
    for n in range(pixels):
        if p.ok[n]:
            i = on.owner[n]
            one = on.value[n] - (p.plane[3 * i] + on.x[n] * p.plane[3 * i + 1] + on.y[n] * p.plane[3 * i + 2])
            p.left[i] = p.left[i] + one * one
            p.used[i] = p.used[i] + 1
    for i in range(regions):
        g.level[i], g.slope_x[i], g.slope_y[i] = p.plane[3 * i] + g.middle[i], p.plane[3 * i + 1], p.plane[3 * i + 2]
        # Residual sum of squares over its degrees of freedom.
        g.noise[i] = p.left[i] / float(max(p.used[i] - 3, 1))  # three parameters of a plane
    return 0


@loop
def above(on: Listed, pixels: int, core: int, g: Ground, plain: Moments, slope: int, peak: F64) -> int:
    """Light above the ground, by shares; the largest of each region's core. Pixels that are no numbers have none."""
    for n in range(pixels):
        i = on.owner[n]
        if on.value[n] - on.value[n] != 0.0:
            on.share[n] = 0.0
            on.light[n] = 0.0
        else:
            below = g.level[i]
            if slope:
                below = below + g.slope_x[i] * (on.x[n] - plain.x[i]) + g.slope_y[i] * (on.y[n] - plain.y[i])
            on.light[n] = (on.value[n] - below) * on.share[n]
        # The list begins with the mask's own pixels: the peak is looked for there alone.
        if n < core:
            peak[i] = max(peak[i], on.light[n])
    return 0


@loop
def ring_above(f: Frames, core: Listed, r: Rings, first: int, last: int, slope: int, s: Surroundings,
               peak: F64) -> int:  # fmt: skip
    """The light of a ring above the ground, in the list; returns how many pixels it has."""
    found = share_out(core, 0, r, first, last, s.listed)
    values_of(f, s.listed, found)
    above(s.listed, found, 0, s.ground, s.plain, slope, peak)
    return int(found)


@loop
def weigh_loop(f: Frames, core: Listed, count: int, regions: int, r: Rings, b: Bounds, how: Settings, s: Surroundings,
               seen: Seen) -> int:  # fmt: skip
    """What is seen of the regions above their ground; all of `seen` begins at 0. Where nothing is around a region its
    darkest pixel is the ground and `nothing` the noise."""
    g, m, on, rim = s.ground, seen.sums, s.listed, seen.rim
    for i in range(regions):
        # Infinities (the language has no literal): minimum and maximum begin there.
        if g.number[i] == 0:
            g.level[i], g.noise[i] = 1e308 * 10.0, how.nothing
        seen.peak[i] = -1e308 * 10.0
    for n in range(count):
        i = core.owner[n]
        if g.number[i] == 0:
            # v - v is 0 of every number, and NaN of infinities and of what is no number.
            one = core.value[n] if core.value[n] - core.value[n] == 0.0 else FARTHEST
            g.level[i] = min(g.level[i], one)
    found = share_out(core, count, r, 0, b.grown, on)
    values_of(f, on, found)
    above(on, found, count, g, s.plain, how.slope, seen.peak)
    moments_loop(on, found, regions, m)
    tilted = 0
    for i in range(regions):
        form_of(m.xx[i], m.xy[i], m.yy[i], at(seen.form, 3 * i))
        tilted += g.kept[i] > 0.0
    # The first `count` of the list are the mask's pixels: rims would look like noise of the light.
    shot_list(on, count, m, seen.form, seen.shots)
    if tilted > 0:
        tilt_list(on, found, m, seen.form, seen.tilts)
    # `before` is the ring before the outermost one; where the region grows by less than two it is the mask, whose light
    # still leads the list.
    last = count
    if b.beneath < b.inner:
        last = ring_above(f, core, r, b.beneath, b.inner, how.slope, s, seen.peak)
    edge_list(on, last, rim.before, rim.fewer)
    # The list is written anew from here on: the mask's light has been used up.
    last = ring_above(f, core, r, b.inner, b.grown, how.slope, s, seen.peak)
    for n in range(last):
        i = on.owner[n]
        dx, dy = on.x[n] - m.x[i], on.y[n] - m.y[i]
        rim.xx[i] = rim.xx[i] + on.light[n] * on.light[n] * (dx * dx)
        rim.yy[i] = rim.yy[i] + on.light[n] * on.light[n] * (dy * dy)
        rim.moment_x[i] = rim.moment_x[i] + on.light[n] * dx
        rim.moment_y[i] = rim.moment_y[i] + on.light[n] * dy
    edge_list(on, last, rim.square, rim.many)
    return int(found)


@loop
def finish_loop(rows: F64, regions: int, s: Surroundings, seen: Seen, how: Settings, out: F64) -> int:
    """The rows of all regions (`FEATURE`): sigma from the pixels' own noise, the noise of the ground's slope, what the
    rim cuts off, and the slope of a level ground; centres without what tilts their light. `out`: seven numbers."""
    levers = at(out, 4)
    g, m, plain, rim = s.ground, seen.sums, s.plain, seen.rim
    for i in range(regions):
        mass = m.mass[i]
        # Rounding to whole gray values leaves noise even where the ground shows none.
        least = how.grain if g.noise[i] < how.grain else g.noise[i]
        lx, ly = m.lever_x[i], m.lever_y[i]
        leans, leant = lx * g.lean_x[i], ly * g.lean_y[i]
        xx, xy, yy, area = m.xx[i], m.xy[i], m.yy[i], plain.area[i]
        # Variances of the first moments, term by term as in `region_tiles.tile_row`; over mass^2 they are px^2.
        cut = how.rim * rim_share(rim.square[i], rim.many[i], rim.before[i], rim.fewer[i], least, area,
                                  min(xx, yy))  # fmt: skip
        lever_of(lx, area * plain.xx[i], g.factor[i], g.alike[i], how.slope, levers)
        ex, lacks = levers[2] * g.tilt_x[i] * least, levers[1] * least
        sx = levers[0] * least + lx * lx * ex + cut * rim.xx[i] + leans * leans
        sx += one_sided(rim.moment_x[i], rim.xx[i], how.slope)
        lever_of(ly, area * plain.yy[i], g.factor[i], g.alike[i], how.slope, levers)
        ey, lack = levers[2] * g.tilt_y[i] * least, levers[1] * least
        sy = levers[0] * least + ly * ly * ey + cut * rim.yy[i] + leant * leant
        sy += one_sided(rim.moment_y[i], rim.yy[i], how.slope)
        px, py, x, y = plain.x[i], plain.y[i], m.x[i], m.y[i]
        # Where the light above the ground nearly cancels, its centre may lie anywhere: farther from the mask's centre
        # than its size it is not believed, and the mask's own centre is given, as uncertain as can be.
        dx, dy, reach = x - px, y - py, sqrt(area) + how.grow
        lit = mass > 0.0 and dx * dx + dy * dy <= reach * reach
        shot_of(at(seen.shots, SHOTS * i), least, how.grain, out)
        sx += max(out[0] * mass * xx, LESS * lacks)
        sy += max(out[0] * mass * yy, LESS * lack)
        if lit and g.kept[i] > 0.0 and seen.form[3 * i] > 0.0:
            square = mass * mass
            light = Light(mass, xx, xy, yy, out[1], sx / square, sy / square)
            slope = Slope(g.kept[i], g.slope_x[i], g.slope_y[i], lx / mass, ly / mass, ex, ey)
            righted(at(seen.tilts, TILTS * i), light, slope, out)
            x, y, sx, sy = x - out[0], y - out[1], out[2] * square, out[3] * square
        # One sigma for both axes, and by how much they differ: sigma_x^2, sigma_y^2 = sigma^2 (1 +- uneven).
        sigma, uneven = sqrt(0.5 * (sx + sy)) / mass, (sx - sy) / (sx + sy) if sx + sy > 0.0 else 0.0
        if not lit:
            x, y, sigma, xx, uneven = px, py, how.nothing, how.nothing, 0.0
        if not (xx > 0.0 and yy > 0.0):  # noise can leave a negative second moment
            xx, xy, yy = plain.xx[i], plain.xy[i], plain.yy[i]
        o = COLUMNS * i
        rows[o], rows[o + 1], rows[o + 2], rows[o + 3], rows[o + 4] = x, y, mass, seen.peak[i], area
        rows[o + 5], rows[o + 6], rows[o + 7], rows[o + 8], rows[o + 9] = xx, xy, yy, sigma, uneven
        rows[o + 10], rows[o + 11] = 0.5 * (xx - yy), xy
    return 0
