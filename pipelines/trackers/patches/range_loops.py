"""Where windows correlate best near a place, to whole pixels, as a loop (`anywhere.in_range`)."""

from __future__ import annotations

from kernels.host.loops import F64, I64, PIXELS, at, eight, loop, put, sqrt, vec

BESIDE = 24  # places along x that are looked at together
EVEN = 1e-12  # of its squares; a window whose light differs less is constant


@loop
def correlate(image: PIXELS, height: int, width: int, count: int, slot: I64, x: F64, y: F64, search: int, w: int,
              pitch: int, pixels: F64, norm: F64, best: F64, work: F64) -> int:  # fmt: skip
    """The best places of windows, by zero-normalised cross-correlation.

    Args:
        slot: whose reference each of `count` windows has; pixels, norm: of references.
        x, y: whole px; the window about them lies in the picture. search: how far from them, px.
        best: gets x and y of each, px: the first of the best where several are; x, y where nothing correlates.
        work: room for a region of (w + 2 search) rows of (w + 2 search + 48) values, and five rows.
    """
    half, size = w // 2, float(w * w)
    stride = (w + 2 * search + 7) // 8 * 8 + 2 * BESIDE
    light, squares, sums = at(work, 0), at(work, stride), at(work, 2 * stride)
    powers, products, block = at(work, 3 * stride), at(work, 4 * stride), at(work, 5 * stride)
    for n in range(count):
        cx, cy, own = int(x[n]), int(y[n]), slot[n] * w * pitch
        left, top = max(cx - half - search, 0), max(cy - half - search, 0)
        rows, columns = min(cy + half + search + 1, height) - top, min(cx + half + search + 1, width) - left
        base = float(image[cy * width + cx])
        base = base if base - base == 0.0 else 0.0  # no number
        for r in range(rows):
            for c in range(0, stride, 8):
                put(block, r * stride + c, eight(0.0))
            for c in range(columns):
                block[r * stride + c] = float(image[(top + r) * width + left + c]) - base
        best[2 * n], best[2 * n + 1] = x[n], y[n]
        most = 0.0 - 1.0
        for v in range(rows - w + 1):
            for c in range(0, stride, 8):
                s, t = eight(0.0), eight(0.0)
                for r in range(w):
                    g = vec(block, (v + r) * stride + c)
                    s += g
                    t += g * g
                put(light, c, s)
                put(squares, c, t)
            for u in range(0, columns - w + 1, BESIDE):
                a, b, d = eight(0.0), eight(0.0), eight(0.0)
                for r in range(w):
                    k = (v + r) * stride + u
                    for c in range(w):
                        f = pixels[own + r * pitch + c]
                        a += vec(block, k + c) * f
                        b += vec(block, k + c + 8) * f
                        d += vec(block, k + c + 16) * f
                put(products, u, a)
                put(products, u + 8, b)
                put(products, u + 16, d)
            for u in range(0, columns - w + 1, 8):
                s, t = eight(0.0), eight(0.0)
                for c in range(w):
                    s += vec(light, u + c)
                    t += vec(squares, u + c)
                put(sums, u, s)
                put(powers, u, t)
            for u in range(columns - w + 1):
                power = powers[u] - sums[u] * sums[u] / size
                score = products[u] / (norm[slot[n]] * sqrt(power)) if power > EVEN * powers[u] else 0.0
                if score > most and power - power == 0.0:
                    most = score
                    best[2 * n], best[2 * n + 1] = float(left + u + half), float(top + v + half)
    return 0
