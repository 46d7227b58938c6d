"""Whose turn it is, of blobs that have neighbours."""

from __future__ import annotations

from kernels.host.loops import F64, I64, loop

COLOURS = 12  # of blobs with neighbours: none has its neighbours'


@loop
def stirring(i: int, near: I64, most: int, x: F64, y: F64, shift: F64, sigma: float) -> float:
    """How far the last moves of blob i's neighbours can have shifted it, px."""
    total = 0.0
    for n in range(most):
        j = near[i * most + n]
        if j >= 0:
            dx, dy = (x[i] - x[j]) / sigma, (y[i] - y[j]) / sigma
            d = dx * dx + dy * dy
            share = 0.001
            if d < 12.0:
                share = 1.0
            elif d < 20.0:
                share = 0.5
            elif d < 36.0:
                share = 0.1
            total += share * shift[j]
    return float(total)


@loop
def coloured(count: int, near: I64, most: int, colour: I64, order: I64, heads: I64) -> int:
    """Give neighbours different colours (of which there are COLOURS), and put the blobs that have neighbours in the
    order of their colours, then of their numbers of neighbours; returns how many there are.

    Blobs of a colour are looked at together, none seeing what becomes of another.
    """
    for k in range(COLOURS * (most + 1) + 1):
        heads[k] = 0
    for i in range(count):
        if near[i * most] >= 0:
            used, n = 0, 0
            while n < most and near[i * most + min(n, most - 1)] >= 0:
                j = near[i * most + n]
                if j < i:
                    used = used | (1 << (colour[j] // (most + 1)))
                n += 1
            one = 0
            while one < COLOURS - 1 and (used >> one) & 1:
                one += 1
            colour[i] = one * (most + 1) + n
            heads[colour[i] + 1] = heads[colour[i] + 1] + 1
    for k in range(COLOURS * (most + 1)):
        heads[k + 1] = heads[k + 1] + heads[k]
    many = 0
    for i in range(count):
        if near[i * most] >= 0:
            order[heads[colour[i]]] = i
            heads[colour[i]] = heads[colour[i]] + 1
            many += 1
    return int(many)
