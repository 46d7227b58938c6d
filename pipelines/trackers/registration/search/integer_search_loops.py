"""Where windows correlate best near a place, to whole pixels, as a loop (`integer_search_zncc.in_range`)."""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, load, loop, splat, sqrt, store
from pipelines.trackers.registration.windows.structs import Picture, Templates

BESIDE = 24  # places along x that are looked at together
EVEN = 1e-12  # of its squares; a window whose light differs less is constant


@loop
def correlate(
    picture: Picture, count: int, slot: I64, x: F64, y: F64, search: int, refs: Templates, best: F64, work: F64
) -> int:
    """The best places of windows, by zero-normalised cross-correlation.

    Args:
        slot: whose reference each of `count` windows has.
        x, y: whole px; the window about them lies in the picture. search: how far from them, px.
        best: gets x and y of each, px: the first of the best where several are; x, y where nothing correlates.
        work: room for a region of (w + 2 search) rows of (w + 2 search + 48) values, and five rows.
    """
    w = refs.w
    half, size = w // 2, float(w * w)
    stride = (w + 2 * search + 7) // 8 * 8 + 2 * BESIDE
    light, squares, sums = at(work, 0), at(work, stride), at(work, 2 * stride)
    powers, products, block = at(work, 3 * stride), at(work, 4 * stride), at(work, 5 * stride)
    for n in range(count):
        cx, cy, own = int(x[n]), int(y[n]), slot[n] * w * refs.pitch
        # The region is cut at the picture's edge: places whose window would reach beyond are not tried.
        left, top = max(cx - half - search, 0), max(cy - half - search, 0)
        rows, columns = (
            min(cy + half + search + 1, picture.height) - top,
            min(cx + half + search + 1, picture.width) - left,
        )
        # Less the middle pixel, so that sums of squares of faint texture on a bright ground keep their digits.
        base = float(picture.image[cy * picture.width + cx])
        base = base if base - base == 0.0 else 0.0  # no number
        # Columns beyond the region are 0: vectors of places there are computed and never compared.
        for r in range(rows):
            for c in range(0, stride, 8):
                store(block, r * stride + c, splat(0.0))
            for c in range(columns):
                block[r * stride + c] = float(picture.image[(top + r) * picture.width + left + c]) - base
        best[2 * n], best[2 * n + 1] = x[n], y[n]
        most = 0.0 - 1.0
        for v in range(rows - w + 1):
            # Sums of light and squares down each column of the w rows; along x they are summed again below: w + w
            # additions a place in place of w * w.
            for c in range(0, stride, 8):
                s, t = splat(0.0), splat(0.0)
                for r in range(w):
                    g = load(block, (v + r) * stride + c)
                    s += g
                    t += g * g
                store(light, c, s)
                store(squares, c, t)
            # The cross-correlation of BESIDE places at once: each reference pixel is loaded once for three vectors.
            for u in range(0, columns - w + 1, BESIDE):
                a, b, d = splat(0.0), splat(0.0), splat(0.0)
                for r in range(w):
                    k = (v + r) * stride + u
                    for c in range(w):
                        f = refs.pixels[own + r * refs.pitch + c]
                        a += load(block, k + c) * f
                        b += load(block, k + c + 8) * f
                        d += load(block, k + c + 16) * f
                store(products, u, a)
                store(products, u + 8, b)
                store(products, u + 16, d)
            for u in range(0, columns - w + 1, 8):
                s, t = splat(0.0), splat(0.0)
                for c in range(w):
                    s += load(light, u + c)
                    t += load(squares, u + c)
                store(sums, u, s)
                store(powers, u, t)
            for u in range(columns - w + 1):
                # The reference has mean 0, so that only the window's own mean has to be taken off its power.
                power = powers[u] - sums[u] * sums[u] / size
                score = products[u] / (refs.norm[slot[n]] * sqrt(power)) if power > EVEN * powers[u] else 0.0
                # `power - power` is NaN for what is no number. The comparison is strict: the first of equal places is
                # kept.
                if score > most and power - power == 0.0:
                    most = score
                    best[2 * n], best[2 * n + 1] = float(left + u + half), float(top + v + half)
    return 0
