"""Centres by radial symmetry, as a loop: the point nearest to all lines along the gradient (Parthasarathy, Nature
Methods 9:724, 2012)."""

from __future__ import annotations

from kernels.centroids.structs import Window
from kernels.loops.language import F64, at, loop, sqrt

SPREAD, NARROW = 0.12, 1.3  # variance of gradients for pixels of variance 1, px of width below which it is less; of
# errors of blobs of .7 to 1.4 widths of the weights in even noise and in their own, to sqrt(weights / width)


@loop
def radial(on: Window, border: int, px: float, py: float, spread: float, sigma: float, out: F64) -> int:
    """The centre of symmetry of a window without its border, its first pixel at 0, 0.

    A line counts by the gradient's square over its distance from where it is steep (px, py), as in the paper, the
    gradients the means of 3 x 3.

    Args:
        spread, sigma: the blob's width and that of the weights by which the noise of pixels is estimated, px.
        out: x, y, and the mean variance of both for pixels of variance 1.

    Returns:
        Whether there is one: gradients in more than one direction.
    """
    values, pitch, size = on.values, on.pitch, on.size
    g_x, g_y = at(on.clear, 0), at(on.clear, size * pitch)  # `clear`, and the mask behind it, are free by now
    many = size - 2 * border - 1
    # Gradients at corners between four pixels, from both diagonals: twice the slopes along x and y.
    for r in range(many):
        for c in range(many):
            p = (r + border) * pitch + c + border
            u = values[p + 1] - values[p + pitch]
            v = values[p] - values[p + pitch + 1]
            g_x[r * many + c] = u - v
            g_y[r * many + c] = -u - v
    axx, axy, ayy, bx, by = 0.0, 0.0, 0.0, 0.0, 0.0
    cxx, cxy, cyy = 0.0, 0.0, 0.0
    # The outermost corners have no 3 x 3 of their own.
    for r in range(1, many - 1):
        for c in range(1, many - 1):
            x, y = 0.0, 0.0
            for k in range(3):
                p = (r + k - 1) * many + c
                x += g_x[p - 1] + g_x[p] + g_x[p + 1]
                y += g_y[p - 1] + g_y[p] + g_y[p + 1]
            x, y = x / 18.0, y / 18.0
            square = x * x + y * y
            if square > 0.0:
                mx, my = float(c + border) + 0.5, float(r + border) + 0.5
                # 1/4 keeps the weight finite for a corner on the centre.
                weight = 1.0 / sqrt((mx - px) * (mx - px) + (my - py) * (my - py) + 0.25)
                nxx, nxy, nyy = y * y, -x * y, x * x  # the normal's products times the gradient's square
                axx += weight * nxx
                axy += weight * nxy
                ayy += weight * nyy
                bx += weight * (nxx * mx + nxy * my)
                by += weight * (nxy * mx + nyy * my)
                cxx += nxx
                cxy += nxy
                cyy += nyy
    det = axx * ayy - axy * axy
    # One direction alone: all lines are parallel, and any point along them is as near.
    if not det > 1e-12 * (axx + ayy) * (axx + ayy):
        return 0
    out[0], out[1] = (bx * ayy - by * axy) / det, (by * axx - bx * axy) / det
    # A line's direction errs by the noise of the gradient over its length, at the centre by that times the distance.
    ixx, ixy, iyy, slim = ayy / det, -axy / det, axx / det, sigma / spread
    vxx = ixx * (ixx * cxx + ixy * cxy) + ixy * (ixx * cxy + ixy * cyy)
    vyy = ixy * (ixy * cxx + iyy * cxy) + iyy * (ixy * cxy + iyy * cyy)
    out[2] = 0.5 * (vxx + vyy) * (SPREAD * min(1.0, spread / NARROW)) * sqrt(slim)
    return 1
