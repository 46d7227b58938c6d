"""Connected components measured in NumPy: what `kernels.components.moments` is tested against, with its bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.centroids.centroid import FEATURE_DTYPE
from kernels.components.blobs import _light
from kernels.components.moments import RING, chance
from kernels.regions.boundary_noise_loops import rim_share
from kernels.regions.labels import Canvas
from kernels.regions.noise_correlation_loops import SECTORS, factor_of, lever_of, one_sided, sector_of, sectors_of
from kernels.regions.pixel_lists import BLUR, RIDGE, largest
from kernels.regions.shot_noise_loops import INSIDE, LESS, shot_of
from kernels.regions.skew_correction_loops import DOUBT, MOST, PULL, STEEP, VAGUE

Array = npt.NDArray[Any]


def _moments(x: Array, y: Array, labels: Array, v: Array, count: int) -> Array:
    """Rows with the weighted mean and central moments of labelled pixels; `area` counts them, sigma is NaN."""
    rows = np.zeros(count, FEATURE_DTYPE)
    rows["area"] = np.bincount(labels, minlength=count)
    rows["mass"] = mass = np.bincount(labels, v, count)
    rows["peak"], rows["sigma"] = 1.0, np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        for name, place in (("x", x), ("y", y)):
            # From the middle of the label's pixels, so that a far corner of the picture costs no digits.
            middle = np.bincount(labels, place, count) / np.maximum(rows["area"], 1)
            rows[name] = middle + np.bincount(labels, v * (place - middle[labels]), count) / mass
        dx, dy = x - rows["x"][labels], y - rows["y"][labels]
        for name, product in (("xx", dx * dx), ("xy", dx * dy), ("yy", dy * dy)):
            rows[name] = np.bincount(labels, v * product, count) / mass
        rows["stretch"], rows["lean"] = 0.5 * (rows["xx"] - rows["yy"]), rows["xy"]
    return rows


def measured_rows(
    place: Canvas, core: Array, labels: Array, count: int, images: Array, params: Mapping[str, Any], grain: float
) -> Array:
    """A row a label, for core pixels at the flat indices `core` of a canvas: what `weighed` gives."""
    _, y, x = place.inside(core)
    rings = grow(place, core, labels, params["grow"] + (0 if params["background"] == "level" else RING))

    def light_at(pixels: Array) -> tuple[Array, Array, Array]:
        at, down, along = place.inside(pixels)
        return _light(images[at, down, along], params), down, along

    plain = _moments(x, y, labels, np.ones(len(x)), count)
    below = _ground(core, labels, plain, light_at, rings[params["grow"] :], params, grain)
    ground = below.plane

    def clear(pixels: Array, owners: Array, share: Array) -> tuple[Array, Array, Array, Array]:
        """x, y, light above the ground by shares, and the shares, 0 for dead pixels."""
        value, py, px = light_at(pixels)
        share = np.where(np.isfinite(value), share, 0.0)
        below = ground[owners, 0]
        if params["background"] == "slope":
            dx, dy = px - plain["x"][owners], py - plain["y"][owners]
            below = below + ground[owners, 1] * dx + ground[owners, 2] * dy
        return px, py, np.where(share > 0, value - below, 0.0) * share, share

    pixels, owners, share = shared(rings[: params["grow"]])
    pixels, owners = np.concatenate((core, pixels)), np.concatenate((labels, owners))
    px, py, v, share = clear(pixels, owners, np.concatenate((np.ones(len(core)), share)))
    rows = _moments(px, py, owners, v, count)
    rows["area"] = plain["area"]
    rows["peak"] = largest(labels, v[: len(labels)], count)
    lever, tilted = _squares(rows, owners, px, py, share), tilts(rows, owners, px, py, v, share)
    far, n = params["grow"], len(core)
    shots = _shots(rows, labels, px[:n], py[:n], v[:n], share[:n])
    before = labels, v[:n], share[:n]
    ring = shared(rings[max(far - 2, 0) : max(far - 1, 0)])
    if len(ring[0]):
        before = ring[1], *clear(*ring)[2:]
    around, holders, share = shared(rings[max(far - 1, 0) : far])
    px, py, v, share = clear(around, holders, share)
    edges = np.stack(
        [np.bincount(of, each * each, count) for of, *both in ((holders, v, share), before) for each in both]
    )
    rim = _squares(rows, holders, px, py, v)
    moment = np.stack([np.bincount(holders, v * (px - rows["x"][holders]), count),
                       np.bincount(holders, v * (py - rows["y"][holders]), count)])  # fmt: skip
    finished(rows, plain, lever, rim, moment, edges, below, tilted, shots, grain, far, params["background"] == "slope",
             chance(params))  # fmt: skip
    return rows


def _squares(rows: Array, owners: Array, x: Array, y: Array, v: Array) -> Array:
    """(2, rows): the sums of v^2 x^2 and of v^2 y^2 over the pixels of each row, from its centre."""
    dx, dy = x - rows["x"][owners], y - rows["y"][owners]
    return np.stack([np.bincount(owners, v * v * (d * d), len(rows)) for d in (dx, dy)])


def _squares(rows: Array, owners: Array, x: Array, y: Array, v: Array) -> Array:
    """(2, rows): the sums of v^2 x^2 and of v^2 y^2 over the pixels of each row, from its centre."""
    dx, dy = x - rows["x"][owners], y - rows["y"][owners]
    return np.stack([np.bincount(owners, v * v * (d * d), len(rows)) for d in (dx, dy)])


def _shots(rows: Array, owners: Array, x: Array, y: Array, v: Array, share: Array) -> Array:
    """(rows, SHOTS): sums of 1, x, y, d2, d2^2, their products, those with the light, and its square."""
    form = forms(rows)[owners].T
    dx, dy = x - rows["x"][owners], y - rows["y"][owners]
    d = form[0] * dx * dx + form[1] * dy * dx + form[2] * (dy * dy)
    ok = (share > 0) & (form[0] > 0) & (d <= INSIDE)
    owners, dx, dy, d, v = owners[ok], dx[ok], dy[ok], d[ok], v[ok]
    base = np.ones(len(v)), dx, dy, d, d * d
    each = [base[a] * base[b] for a in range(5) for b in range(a, 5)]
    each += [v * one for one in base] + [v * v]
    return np.stack([np.bincount(owners, one, len(rows)) for one in each], axis=1)


def _plane(planes: Array, owners: Array, x: Array, y: Array) -> Array:
    return np.asarray(planes[owners, 0] + x * planes[owners, 1] + y * planes[owners, 2])


def _factors(owners: Array, rest: Array, x: Array, y: Array, number: Array, normal: Array, noise: Array) -> Array:
    """(regions, 2): `factor_of` of each."""
    factors = np.tile((1.0, 0.0), (len(number), 1))
    for i in range(len(number)):
        own, a, sectors = owners == i, normal[i], sectors_of(int(number[i]))
        place = [sector_of(*both, sectors) for both in zip(x[own], y[own], strict=True)]
        sums = [np.bincount(np.array(place, int), rest[own] * (each[own] - a[0, k] / a[0, 0]), SECTORS)
                for k, each in ((1, x), (2, y))]  # fmt: skip
        wide, high = (a[k, k] - a[0, k] * a[0, k] / a[0, 0] for k in (1, 2))
        factor_of(*sums, sectors, noise[i] * (wide + high), factors[i])
    return factors


def _ground(
    core: Array, labels: Array, plain: Array, light_at: Callable[[Array], tuple[Array, Array, Array]],
    rings: list[tuple[Array, Array, Array]], params: Mapping[str, Any], grain: float,
) -> Ground:  # fmt: skip
    """Background of each label."""
    count = len(plain)
    ground, tilt, lean = np.zeros((count, 3)), np.zeros((2, count)), np.zeros((2, count))
    factors = np.tile((1.0, 0.0), (count, 1))
    if params["background"] == "level":
        ground[:, 0] = params["level"] * (1.0 if params["polarity"] == "bright" else -1.0)
        return Ground(ground, np.full(count, np.nan), tilt, lean, factors)
    around, owners, _ = shared(rings)
    light, y, x = light_at(around)
    there = np.isfinite(light)
    owners, values = owners[there], light[there].astype(np.float64)
    dx, dy = x[there] - plain["x"][owners], y[there] - plain["y"][owners]
    found, noise, spread, used = planes(owners, values, dx, dy, count, grain)
    if params["background"] == "ring":
        ground[:, 0], noise, _ = levels(owners, values, count)
        lean = found[:, 1:].T * np.sqrt(believed(found, noise, spread, 1.0))
    else:
        ground, tilt = found, spread
    number = np.bincount(owners, minlength=count)
    rest = used.rest - _plane(used.slopes, owners[used.ok], dx[used.ok], dy[used.ok])
    factors = _factors(owners[used.ok], rest, dx[used.ok], dy[used.ok], number, used.normal, noise)
    bare = number == 0
    if bare.any():
        value, _, _ = light_at(core)
        darkest = -largest(labels, np.where(np.isfinite(value), -value, -np.float32(3e38)), count)
        ground[bare, 0] = darkest[bare]
    return Ground(ground, np.where(bare, np.nan, noise), tilt, lean, factors)


def finished(
    rows: Array, plain: Array, lever: Array, rim: Array, moment: Array, edges: Array, ground: Ground, tilts: Array,
    shots: Array, grain: float, grow: int, slope: bool, share: float,
) -> None:  # fmt: skip
    """sigma and anisotropy of rows, centres without what tilts their light, and what stands where there is none; in
    place.

    Args:
        plain: rows of the mask alone.
        lever: (2, rows) the sums of share^2 x^2 and share^2 y^2 of each row's pixels.
        rim: (2, rows) those of light^2 x^2 and light^2 y^2 of the pixels of the outermost ring: a rim that still has
            light cuts some of it off, on this side or that.
        moment: (2, rows) the sums of light times x, and times y, of the same pixels.
        tilts: of `tilts`.
        shots: (rows, SHOTS) of `shot_noise_loops.shot_list`.
        edges: (4, rows) light^2 and share^2 of the outermost ring, and of the one before.
        share: of `chance`.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        # The pixels' own noise, that of the ground's slope, what is cut off, and the slope of a level ground.
        noise, leans = np.maximum(ground.noise, grain), lever * ground.lean
        small = np.minimum(rows["xx"], rows["yy"])
        cut = np.array([rim_share(*numbers) for numbers in zip(*edges, noise, plain["area"], small, strict=True)])
        core, levers = np.stack((plain["area"] * plain["xx"], plain["area"] * plain["yy"])), np.empty((2, len(rows), 3))
        for k, i in np.ndindex(2, len(rows)):
            lever_of(lever[k, i], core[k, i], *ground.factors[i], slope, levers[k, i])
        own, lacks, part = levers.transpose(2, 0, 1)
        tilt = part * ground.tilt * noise
        beside = np.array([one_sided(*pair, slope) for pair in zip(moment.flat, rim.flat, strict=True)])
        beside = beside.reshape(moment.shape)
        spread = own * noise + lever * lever * tilt + share * cut * rim + leans * leans + beside
        shot = np.empty((len(rows), 2))
        for i in range(len(rows)):
            shot_of(shots[i], noise[i], float(grain), shot[i])
        light = np.stack([shot[:, 0] * rows["mass"] * rows[name] for name in ("xx", "yy")])
        spread = spread + np.where(light > LESS * (lacks * noise), light, LESS * (lacks * noise))
        dx, dy, reach = rows["x"] - plain["x"], rows["y"] - plain["y"], np.sqrt(plain["area"]) + grow
        dark = ~(rows["mass"] > 0) | ~(dx * dx + dy * dy <= reach * reach)
        square = rows["mass"] * rows["mass"]
        sure = believed(ground.plane, noise * ground.factors[:, 0], ground.tilt)
        kept = np.where(tilts[:, 0] > 0, sure, 0.0)
        off = righted(rows, tilts, kept, ground.plane, shot[:, 1], spread / square, lever / rows["mass"], tilt)
        sx, sy = np.where(kept > 0, off[2:] * square, spread)
        rows["x"], rows["y"] = rows["x"] - off[0], rows["y"] - off[1]
        rows["sigma"] = np.sqrt(0.5 * (sx + sy)) / rows["mass"]
        rows["anisotropy"] = np.where(sx + sy > 0, (sx - sy) / (sx + sy), 0.0)
    for name in ("x", "y", "sigma"):
        rows[name] = np.where(dark, plain[name], rows[name])
    rows["anisotropy"][dark] = 0.0
    flat = dark | ~((rows["xx"] > 0) & (rows["yy"] > 0))  # noise can leave a negative second moment
    for name in ("xx", "xy", "yy"):
        rows[name] = np.where(flat, plain[name], rows[name])
    rows["stretch"], rows["lean"] = 0.5 * (rows["xx"] - rows["yy"]), rows["xy"]


class Ground(NamedTuple):
    """What is below n regions: `plane` (n, 3), value at the region's middle and slopes in x and y; `noise` (n,),
    variance of a pixel; `tilt` (2, n), variances of the slopes for pixels of variance 1; `lean` (2, n),
    slopes that a ground has which is taken to be level; `factors` (n, 2), what its texture makes of that
    (`noise_correlation_loops.factor_of`)."""

    plane: Array
    noise: Array
    tilt: Array
    lean: Array
    factors: Array


def forms(rows: Array) -> Array:
    """(rows, 3): of each `skew_correction_loops.form_of`, 0 where there is none."""
    xx, xy, yy = rows["xx"], rows["xy"], rows["yy"]
    with np.errstate(divide="ignore", invalid="ignore"):
        det = xx * yy - xy * xy
        there = (xx > 0) & (yy > 0) & (det > 0)
        return np.ascontiguousarray(np.where(there, np.stack((yy / det, -2.0 * xy / det, xx / det)), 0.0).T)


def tilts(rows: Array, owners: Array, x: Array, y: Array, v: Array, share: Array) -> Array:
    """(rows, SUMS), of listed pixels: `skew_correction_loops.tilt_list`."""
    every = forms(rows)
    form = every.T[:, owners]
    dx, dy = x - rows["x"][owners], y - rows["y"][owners]
    d = form[0] * dx * dx + form[1] * dy * dx + form[2] * (dy * dy)
    one = np.maximum(1.0 - 0.25 * d, 0.0)
    w = one * one
    wv, u = w * v, w * share
    each = (u, wv, wv * dx, wv * dy, wv * d, v * one * (one - 0.5 * d), u * share * (dx * dx), u * share * (dy * dy),
            u * u * (dx * dx), u * u * (dy * dy))  # fmt: skip
    sums = np.stack([np.bincount(owners, one, len(rows)) for one in each], axis=1)
    return np.where(every[:, :1] > 0, sums, 0.0)


def believed(ground: Array, noise: Array, tilt: Array, doubt: float = DOUBT) -> Array:
    """Share of each ground's slopes that cannot be noise: 0 where they are not above `doubt` times their variance.

    Args:
        ground: (n, 3) planes.
        noise: (n,) variance of a pixel.
        tilt: (2, n) variances of the slopes for pixels of variance 1.
    """
    gx, gy = ground[:, 1], ground[:, 2]
    square = gx * gx + gy * gy
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(square > 0, np.maximum(1.0 - doubt * (noise * (tilt[0] + tilt[1])) / square, 0.0), 0.0)


def righted(
    rows: Array, sums: Array, kept: Array, ground: Array, noise: Array, variance: Array, lever: Array, slope: Array
) -> Array:
    """(4, rows): what to take off x and y, and their variances then; `skew_correction_loops.righted` of each row.

    Args:
        noise: variance of a thing's pixel.
        variance: (2, rows) of x and y without any tilt.
        lever: (2, rows) how far a slope of the ground below all of the region moves x and y.
        slope: (2, rows) variances of such slopes.
    """
    gx, gy = ground[:, 1:].T
    with np.errstate(divide="ignore", invalid="ignore"):
        height, moved = sums[:, 1] / sums[:, 0], sums[:, 5]
        tilted = (kept > 0) & (sums[:, 0] > 0) & (sums[:, 1] > 0)
        told = 0.5 * sums[:, 4] - moved
        both, some, square = noise / rows["mass"], moved * moved, told * told
        near = np.stack((rows["xx"], rows["yy"])) / height
        alone = variance - lever * lever * slope
        pulls, wides, seen = [], [], []
        for k, (one, two) in enumerate((("xx", "xy"), ("xy", "yy"))):
            pull = PULL * kept * (rows[one] * gx + rows[two] * gy) / height
            pull = pull * pull
            wide = (noise * sums[:, 8 + k] - 2.0 * (moved * (both * sums[:, 6 + k])) + some * alone[k]) / square
            far = MOST * np.sqrt(pull + np.maximum(wide, 0.0))
            pulls.append(pull)
            wides.append(wide)
            seen.append(np.clip(sums[:, 2 + k] / told, -far, far))
        xx, xy, yy, (x, y) = rows["xx"], rows["xy"], rows["yy"], seen
        steep = (x * (x * yy) - 2.0 * (x * (y * xy)) + y * (y * xx)) / (xx * yy - xy * xy)
        off, left = np.zeros((2, 2, len(rows)))
        for k, (pull, wide) in enumerate(zip(pulls, wides, strict=True)):
            common = (both * sums[:, 6 + k] - moved * alone[k]) / told
            part = pull / (pull + wide)
            tilt, rest = part * seen[k], 1.0 - part
            vague = VAGUE * steep * tilt
            far = lever[k] - part * near[k]
            error = alone[k] + rest * rest * pull + far * far * slope[k] + part * (part * wide - 2.0 * common)
            found = tilted & (told > 0) & (pull > 0) & (wide >= 0)
            off[k] = np.where(found, tilt + STEEP * steep * tilt, 0.0)
            left[k] = np.where(found, np.maximum(error, 0.0) + vague * vague,
                               np.where(tilted, variance[k] + pull, variance[k]))  # fmt: skip
    return np.concatenate((off, left))


def grow(canvas: Canvas, core: Array, labels: Array, steps: int) -> list[tuple[Array, Array, Array]]:
    """Grow all regions by one pixel (of eight neighbours) `steps` times, within the picture.

    Args:
        canvas: clean, and clean again afterwards.
        core: flat canvas indices of the regions' pixels, rising.
        labels: the regions' numbers, from 0.
        steps: how often.

    Returns:
        A list a step: flat indices of the pixels that were reached, rising, and the largest and smallest of the regions
        that reach them. Where they differ the pixel is contested, and grows on as the largest's.
    """
    flat, places, around = canvas.labels, canvas.places, canvas.neighbours()
    flat[core] = labels + 1
    edge, rings = core, []
    for _ in range(steps):
        near = (edge[:, None] + around).reshape(-1)
        near = near[flat[near] == 0]
        places[near] = np.arange(len(near))  # of equal ones the last stays
        ring = np.sort(near[places[near] == np.arange(len(near))])
        high = np.full(len(ring), -1, np.int32)
        low = np.full(len(ring), 2**32 - 1, np.uint32)  # no region, -1, is the largest number without a sign
        for offset in around:
            beside = np.maximum(flat[ring + offset], 0) - 1
            np.maximum(high, beside, out=high)
            np.minimum(low, beside.view(np.uint32), out=low)
        flat[ring] = high + 1
        rings.append((ring, high.astype(np.int64), low.astype(np.int64)))
        edge = ring
    for touched in (core, *(ring for ring, _, _ in rings)):
        flat[touched] = 0
    return rings


def levels(labels: Array, values: Array, count: int) -> tuple[Array, Array, Array]:
    """Mean of the middle half of each label's values, their robust variance, and their number.

    `values` are taken as f32. The variance is that of a Gaussian with the same quartiles; a label without values gets
    0 and 0.
    """
    number = np.bincount(labels, minlength=count)
    # One sort of whole numbers instead of two of pairs: the label above the value's bits, put into rising order.
    bits = values.astype(np.float32).view(np.int32).astype(np.int64)
    key = np.sort((labels.astype(np.int64) << 32) + (bits ^ ((bits >> 63) & 0x7FFFFFFF)) + 2**31)
    bits = (key & 0xFFFFFFFF) - 2**31
    ordered = (bits ^ ((bits >> 63) & 0x7FFFFFFF)).astype(np.int32).view(np.float32).astype(np.float64)
    start = np.cumsum(number) - number
    place = np.arange(len(ordered)) - np.repeat(start, number)
    low, high = number // 4, number - number // 4
    middle = (place >= np.repeat(low, number)) & (place < np.repeat(high, number))
    owner = np.repeat(np.arange(count), number)
    level = np.bincount(owner, np.where(middle, ordered, 0.0), count) / np.maximum(high - low, 1)
    if not len(ordered):
        return level, np.zeros(count), number
    last = len(ordered) - 1
    upper = ordered[np.minimum(start + np.minimum(high, np.maximum(number - 1, 0)), last)]
    lower = ordered[np.minimum(start + low, last)]
    return level, np.where(number > 0, (upper - lower) / 1.349, 0.0) ** 2, number


class Used(NamedTuple):
    """What planes are made of: `ok`, which values have a say; `rest`, by how much these exceed their labels' levels;
    (count, 3, 3) the sums of 1, x, y and their products; (count, 3) the planes above the levels."""

    ok: Array
    rest: Array
    normal: Array
    slopes: Array


def planes(
    labels: Array, values: Array, x: Array, y: Array, count: int, grain: float = 0.0
) -> tuple[Array, Array, Array, Used]:
    """Least-squares planes through each label's values, and the variance of what they leave.

    Values farther than three robust standard deviations from their label's level have no say. A slope that the
    pixels do not fix (too few, or all in a row) is 0. `grain` is the variance of the values by their rounding, which
    makes quartiles of little noise equal.

    Returns:
        (count, 3): value at x = y = 0, slopes in x and y; (count,) variances; and (2, count) the variances of both
        slopes for values of variance 1; and what they are made of.
    """
    level, variance, _ = levels(labels, values, count)
    ok = abs(values - level[labels]) <= 3.0 * np.sqrt(variance[labels] + BLUR * grain) + 1e-6
    owner, rest = labels[ok], values[ok] - level[labels[ok]]
    base = np.stack((np.ones(len(owner)), x[ok], y[ok]))
    normal = np.empty((count, 3, 3))
    right = np.empty((count, 3, 1))
    for i in range(3):
        right[:, i, 0] = np.bincount(owner, base[i] * rest, count)
        for j in range(3):
            normal[:, i, j] = np.bincount(owner, base[i] * base[j], count)
    # A pixel's worth of ridge holds what the pixels leave open and changes nothing that they fix.
    normal += RIDGE
    found = np.linalg.solve(normal, right)[:, :, 0]
    slopes = found.copy()
    left = rest - (base * found[owner].T).sum(axis=0)
    used = np.bincount(owner, minlength=count)
    found[:, 0] += level
    spread = 1.0 / np.stack((normal[:, 1, 1], normal[:, 2, 2]))
    variance = np.bincount(owner, left * left, count) / np.maximum(used - 3, 1)
    return found, variance, spread, Used(ok, rest, normal, slopes)


def shared(rings: list[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    """The pixels of `grow` as a region list with shares: a contested pixel stands there twice, with a half each."""
    empty = np.zeros(0, np.int64)
    pixels = np.concatenate([empty, *(ring for ring, _, _ in rings)])
    high = np.concatenate([empty, *(h for _, h, _ in rings)])
    low = np.concatenate([empty, *(lo for _, _, lo in rings)])
    contested = high != low
    share = np.where(contested, 0.5, 1.0)
    return (
        np.concatenate((pixels, pixels[contested])),
        np.concatenate((high, low[contested])),
        np.concatenate((share, share[contested])),
    )
