"""Detections that hold two tracks: what `second_loops.mergers_loop` means, in NumPy."""

from __future__ import annotations

import itertools

import numpy as np

from kernels.host.logarithm import logs
from pipelines.features import Features
from pipelines.trackers.columns import Array, Columns
from pipelines.trackers.linking.assignment import gate_pairs
from pipelines.trackers.linking.second_loops import BLUR, MERGED_MASS, NEAREST
from pipelines.trackers.linking.unseen import length


def mergers(
    t: Columns, found: Features, noise: Array, choice: Array, inside: Array, min_hits: float, max_speed: float,
    gate: float,
) -> tuple[Array, Array]:  # fmt: skip
    """Find detections that hold two believed tracks, of which at least one went without.

    Two tracks make a merger if the detection lies at their common centre of mass and if the sum of their masses
    explains its mass better than either does. The nearer one (or the one that has it) gets it, in place in
    `choice`.

    Args:
        t: columns of the blob tracker.
        found: features, by rising y.
        noise: variance of each, px^2.
        choice: the feature of each track, or -1.
        inside: whether each track is expected in the picture: what is outside shares nothing.
        min_hits: sightings of a believed track.
        max_speed: px/frame.
        gate: largest squared distance in standard deviations.

    Returns:
        For each track the distance in px to the one it is merged with, or 0; and the shift (2, n) from the
        detection to the winner's own place.
    """
    n = len(t)
    apart, shift = np.zeros(n), np.zeros((2, n))
    believed = (t["hits"] >= min_hits) & (t["mass"] > 0)
    lost = np.flatnonzero(believed & (choice < 0) & inside)
    if not len(lost):
        return apart, shift
    radius = max_speed * np.maximum(t["gap"][lost], 1.0)
    who, what = gate_pairs(t["x"][lost], t["y"][lost], radius, found["x"], found["y"])
    who = lost[who]
    heavy = found["mass"][what] > MERGED_MASS * t["mass"][who]
    if not heavy.any():
        return apart, shift
    who, what = who[heavy], what[heavy]
    owner = np.full(len(found), -1)
    mine = np.flatnonzero((choice >= 0) & believed)
    owner[choice[mine]] = mine
    free = np.ones(len(found), bool)
    free[choice[choice >= 0]] = False
    for j in np.unique(what).tolist():
        members = [i for i in who[what == j].tolist() if apart[i] == 0]
        zx, zy = found["x"][j], found["y"][j]
        members.sort(key=lambda i: (length(t["x"][i] - zx, t["y"][i] - zy), i))
        if not free[j] and owner[j] < 0:
            continue
        pairs = itertools.combinations(members[:NEAREST], 2) if free[j] else ((int(owner[j]), i) for i in members)
        fits = [(_distance(t, found, noise, j, a, b), a, b) for a, b in pairs]
        best = min(fits, default=(np.inf, 0, 0))
        if best[0] > gate:
            continue
        _, a, b = best
        choice[a] = j
        apart[a] = apart[b] = max(float(length(t["x"][a] - t["x"][b], t["y"][a] - t["y"][b])), 1e-9)
        share = t["mass"][b] / (t["mass"][a] + t["mass"][b])
        shift[:, a] = share * (t["x"][a] - t["x"][b]), share * (t["y"][a] - t["y"][b])
    return apart, shift


def _distance(t: Columns, found: Features, noise: Array, j: int, a: int, b: int) -> float:
    """Squared distance in standard deviations of detection j from the centre of mass of tracks a and b."""
    ma, mb, mass = float(t["mass"][a]), float(t["mass"][b]), float(found["mass"][j])
    if abs(logs(mass / (ma + mb))) > min(abs(logs(mass / ma)), abs(logs(mass / mb))):
        return np.inf
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    dx = found["x"][j] - wa * t["x"][a] - wb * t["x"][b]
    dy = found["y"][j] - wa * t["y"][a] - wb * t["y"][b]
    # A threshold does not cut a merger quite at its centre of mass.
    wide, high = t["x"][a] - t["x"][b], t["y"][a] - t["y"][b]
    blur = BLUR * (wide * wide + high * high)
    return float((dx * dx + dy * dy) / (wa * wa * t["p00"][a] + wb * wb * t["p00"][b] + noise[j] + blur))
