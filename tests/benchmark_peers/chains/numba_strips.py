"""The loops over strips and rows of `numba.py`, compiled when first called."""

from __future__ import annotations

from typing import cast

import numpy as np

from app.benchmark.peers.base import Array
from tests.benchmark_peers.chains.numba_rows import (
    AMOUNT_F32,
    FLOOR,
    HALO,
    PAD,
    W11,
    F,
    across_row,
    at,
    bytes_row,
    dilate_row,
    down_row,
    erode_row,
    foreground_row,
    gauss_across,
    gauss_down,
    mirror,
    next_state,
    numba,
    pad_row,
    peaks_row,
    products_row,
    response_row,
    sobel_l1,
    sobel_l2,
    sum3_row,
)


def strips(function: F) -> F:
    """Compiled when first called; prange is a loop over threads."""
    return cast(F, numba.njit(parallel=True, error_model="numpy")(function)) if numba else function


@strips
def seed_strips(
    clip: Array, out: Array, edges: Array, first: bool, state: Array, steady: Array, smooth: Array, down: Array,
    gray: Array,
) -> None:  # fmt: skip
    """IIR, bytes, binomial, Sobel L1, threshold."""
    n, width = clip.shape[1], clip.shape[2]
    flat = clip.reshape(clip.shape[0], n, width * clip.shape[3])
    for s in numba.prange(len(edges) - 1):
        low, high = edges[s], edges[s + 1]
        base = max(0, low - HALO)
        for t in range(clip.shape[0]):
            done, ready = max(0, low - 3), max(0, low - 1)
            for y in range(low, high):
                while ready < min(n, y + 2):
                    while done < min(n, ready + 3):
                        next_state(flat[t, done], gray[s, 0, :width], state[s, done - base], first and t == 0)
                        bytes_row(state[s, done - base], steady[s, done & 7])
                        done += 1
                    r = ready
                    down_row(steady[s, at(r - 2, n)], steady[s, at(r - 1, n)], steady[s, at(r, n)],
                          steady[s, at(r + 1, n)], steady[s, at(r + 2, n)], down[s, 0], width, PAD)  # fmt: skip
                    pad_row(down[s, 0], width, 2)
                    across_row(down[s, 0], smooth[s, r & 7], width)
                    pad_row(smooth[s, r & 7], width, 1)
                    ready += 1
                sobel_l1(smooth[s, at(y - 1, n)], smooth[s, at(y, n)], smooth[s, at(y + 1, n)], out[t, y])


@strips
def seed_float_strips(
    clip: Array, out: Array, edges: Array, first: bool, state: Array, smooth: Array, down: Array, gray: Array
) -> None:
    """IIR, Gaussian, Sobel magnitude, threshold, in f32; the states themselves are the rows that the Gaussian takes."""
    n, width = clip.shape[1], clip.shape[2]
    flat = clip.reshape(clip.shape[0], n, width * clip.shape[3])
    for s in numba.prange(len(edges) - 1):
        low, high = edges[s], edges[s + 1]
        base = max(0, low - HALO)
        for t in range(clip.shape[0]):
            done, ready = max(0, low - 3), max(0, low - 1)
            for y in range(low, high):
                while ready < min(n, y + 2):
                    while done < min(n, ready + 3):
                        next_state(flat[t, done], gray[s, 0, :width], state[s, done - base], first and t == 0)
                        done += 1
                    r = ready
                    gauss_down(state[s, mirror(r - 2, n) - base], state[s, mirror(r - 1, n) - base],
                                state[s, r - base], state[s, mirror(r + 1, n) - base],
                                state[s, mirror(r + 2, n) - base], down[s, 0])  # fmt: skip
                    pad_row(down[s, 0], width, 2)
                    gauss_across(down[s, 0], smooth[s, r & 7], width)
                    pad_row(smooth[s, r & 7], width, 1)
                    ready += 1
                sobel_l2(smooth[s, at(y - 1, n)], smooth[s, at(y, n)], smooth[s, at(y + 1, n)], out[t, y])


@strips
def harris_strips(
    clip: Array, out: Array, edges: Array, _: bool, smooth: Array, down: Array, xx: Array, xy: Array, yy: Array,
    response: Array, tall: Array, sums: Array,
) -> None:  # fmt: skip
    """Binomial, gradient products, sums of 3x3, Harris, non-maximum suppression, threshold."""
    n, width = clip.shape[1], clip.shape[2]
    for s in numba.prange(len(edges) - 1):
        low, high = edges[s], edges[s + 1]
        for t in range(clip.shape[0]):
            done, kept, ready = max(0, low - 3), max(0, low - 2), max(0, low - 1)
            flat = clip[t].reshape(n, width)
            for y in range(low, high):
                while ready < min(n, y + 2):  # rows of the response
                    while kept < min(n, ready + 2):  # of the products
                        while done < min(n, kept + 2):  # of the smoothed bytes
                            down_row(flat[mirror(done - 2, n)], flat[mirror(done - 1, n)], flat[done],
                                  flat[mirror(done + 1, n)], flat[mirror(done + 2, n)], down[s, 0], width,
                                  0)  # fmt: skip
                            pad_row(down[s, 0], width, 2)
                            across_row(down[s, 0], smooth[s, done & 7], width)
                            pad_row(smooth[s, done & 7], width, 1)
                            done += 1
                        k = kept & 7
                        products_row(smooth[s, at(kept - 1, n)], smooth[s, k], smooth[s, at(kept + 1, n)], xx[s, k],
                                  xy[s, k], yy[s, k], width)  # fmt: skip
                        pad_row(xx[s, k], width, 1)
                        pad_row(xy[s, k], width, 1)
                        pad_row(yy[s, k], width, 1)
                        kept += 1
                    a, b, c = at(ready - 1, n), at(ready, n), at(ready + 1, n)
                    sum3_row(xx[s, a], xx[s, b], xx[s, c], sums[s, 0])
                    sum3_row(xy[s, a], xy[s, b], xy[s, c], sums[s, 1])
                    sum3_row(yy[s, a], yy[s, b], yy[s, c], sums[s, 2])
                    response_row(sums[s, 0], sums[s, 1], sums[s, 2], response[s, b], width)
                    pad_row(response[s, b], width, 1)
                    ready += 1
                peaks_row(response[s, at(y - 1, n)], response[s, at(y, n)], response[s, at(y + 1, n)], tall[s, 0],
                       out[t, y])  # fmt: skip


@strips
def background_strips(
    clip: Array, out: Array, edges: Array, first: bool, mean: Array, variance: Array, seen: Array, eroded: Array,
    down: Array,
) -> None:  # fmt: skip
    """Foreground by running mean and variance, opening 3x3; pixels outside do not count."""
    n, width = clip.shape[1], clip.shape[2]
    for s in numba.prange(len(edges) - 1):
        low, high = edges[s], edges[s + 1]
        base = max(0, low - HALO)
        for t in range(clip.shape[0]):
            done, ready = max(0, low - 2), max(0, low - 1)
            flat = clip[t].reshape(n, width)
            for y in range(low, high):
                while ready < min(n, y + 2):
                    while done < min(n, ready + 2):
                        if first and t == 0:
                            mean[s, done - base] = flat[done]
                            variance[s, done - base] = FLOOR
                        foreground_row(flat[done], mean[s, done - base], variance[s, done - base], seen[s, done & 7])
                        done += 1
                    a, b, c = max(ready - 1, 0) & 7, ready & 7, min(ready + 1, n - 1) & 7
                    erode_row(seen[s, a], seen[s, b], seen[s, c], down[s, 0], eroded[s, b], width)
                    ready += 1
                a, b, c = max(y - 1, 0) & 7, y & 7, min(y + 1, n - 1) & 7
                dilate_row(eroded[s, a], eroded[s, b], eroded[s, c], down[s, 0], out[t, y])


@strips
def unsharp_strips(clip: Array, out: Array, edges: Array, _: bool, down: Array) -> None:
    """A Gaussian of 11 taps, unsharp, back to bytes."""
    n, width = clip.shape[1], clip.shape[2]
    for s in numba.prange(len(edges) - 1):
        for t in range(clip.shape[0]):
            for y in range(edges[s], edges[s + 1]):
                a, b, c = mirror(y - 5, n), mirror(y - 4, n), mirror(y - 3, n)
                d, e, g, h = mirror(y - 2, n), mirror(y - 1, n), mirror(y + 1, n), mirror(y + 2, n)
                i, j, k = mirror(y + 3, n), mirror(y + 4, n), mirror(y + 5, n)
                for x in range(width):
                    down[s, 0, PAD + x] = (
                        np.float32(clip[t, a, x, 0]) * W11[0] + np.float32(clip[t, b, x, 0]) * W11[1]
                        + np.float32(clip[t, c, x, 0]) * W11[2] + np.float32(clip[t, d, x, 0]) * W11[3]
                        + np.float32(clip[t, e, x, 0]) * W11[4] + np.float32(clip[t, y, x, 0]) * W11[5]
                        + np.float32(clip[t, g, x, 0]) * W11[6] + np.float32(clip[t, h, x, 0]) * W11[7]
                        + np.float32(clip[t, i, x, 0]) * W11[8] + np.float32(clip[t, j, x, 0]) * W11[9]
                        + np.float32(clip[t, k, x, 0]) * W11[10]
                    )  # fmt: skip
                pad_row(down[s, 0], width, 5)
                for x in range(width):
                    p = PAD + x
                    smooth = (
                        down[s, 0, p - 5] * W11[0] + down[s, 0, p - 4] * W11[1] + down[s, 0, p - 3] * W11[2]
                        + down[s, 0, p - 2] * W11[3] + down[s, 0, p - 1] * W11[4] + down[s, 0, p] * W11[5]
                        + down[s, 0, p + 1] * W11[6] + down[s, 0, p + 2] * W11[7] + down[s, 0, p + 3] * W11[8]
                        + down[s, 0, p + 4] * W11[9] + down[s, 0, p + 5] * W11[10]
                    )  # fmt: skip
                    here = np.float32(clip[t, y, x, 0])
                    sharp = np.rint(here + AMOUNT_F32 * (here - smooth))
                    out[t, y, x] = np.uint8(min(max(sharp, np.float32(0)), np.float32(255)))
