"""A look at as many blobs as a vector has lanes: windows cut, the fixed point found in them.

A blob that lies too far from its window's middle afterwards is looked at again in a new window, and one that needs many
more steps than the others in the same. Few do; they wait until there is a vector of them, so that the others need not.
`waiting` holds what is known of them in two vectors a number of WAITING, and `who` their numbers.
"""

from __future__ import annotations

from kernels.centroids.background_simd import flattened, level_lanes
from kernels.centroids.centroid_scalar import OFF, OUTSIDE, ROUNDS, beyond
from kernels.centroids.centroid_simd import (
    AMPLITUDE,
    BORDER,
    GROUND,
    LEVEL,
    LOOKS,
    MIDDLE_X,
    MIDDLE_Y,
    OBLONG,
    ODD,
    OPEN,
    SLANT,
    SPREAD,
    START_X,
    START_Y,
    STEPPED,
    X,
    Y,
    cut_lanes,
    settle,
    without_others,
)  # fmt: skip
from kernels.centroids.structs import Blobs, Neighbours, Vectors, Windows
from kernels.centroids.truncated_gaussian_fit_simd import fit_lanes
from kernels.centroids.truncated_gaussian_windows import cover_lanes, cut_edges, level_edges
from kernels.loops.language import F64, I64, LANES, at, lane_count, load_row, loop, rint, store
from kernels.regions.structs import Frames
from kernels.regions.window_loops import fits

AWAY = -1.0  # ODD of a blob that is looked at again
WAITING = 11  # numbers that are kept of each


@loop
def begun(ids: I64, filled: int, start: F64, state: F64, count: int, middle: F64, lane: LANES) -> int:
    """Put the blobs `ids` into the lanes; the first is in those that are not filled, too."""
    # Lanes that are not filled compute the first blob again: no lane needs a test, and none computes with garbage.
    for k in range(filled, lane_count(lane)):
        ids[k] = ids[0]
    for k in range(lane_count(lane)):
        i = ids[k]
        mx, my = middle[2 * i], middle[2 * i + 1]
        lane[X, k], lane[Y, k] = state[i] - mx, state[count + i] - my
        lane[AMPLITUDE, k], lane[SPREAD, k] = state[2 * count + i], state[3 * count + i]
        lane[START_X, k], lane[START_Y, k] = start[i] - mx, start[count + i] - my
        lane[MIDDLE_X, k], lane[MIDDLE_Y, k] = mx, my
        lane[GROUND, k], lane[LOOKS, k], lane[STEPPED, k] = 0.0, 0.0, 0.0
    return filled


@loop
def gone_on(ids: I64, waiting: LANES, who: I64, many: int, lane: LANES) -> int:
    """Load the blobs that wait longest into the lanes; returns how many of the `many` these are, a vector at most."""
    width = lane_count(lane)
    filled = min(many, width)
    for k in range(width):
        # Lanes that are not filled repeat the first of those that wait.
        w = k if k < filled else 0
        ids[k] = who[w]
        lane[X, k], lane[Y, k] = waiting[0, w], waiting[1, w]
        lane[AMPLITUDE, k], lane[SPREAD, k] = waiting[2, w], waiting[3, w]
        lane[START_X, k], lane[START_Y, k] = waiting[4, w], waiting[5, w]
        lane[MIDDLE_X, k], lane[MIDDLE_Y, k] = waiting[6, w], waiting[7, w]
        lane[GROUND, k], lane[LOOKS, k], lane[STEPPED, k] = waiting[8, w], waiting[9, w], waiting[10, w]
    # The second vector of those that wait moves to the front: there are fewer than two.
    for c in range(WAITING):
        store(waiting, c, load_row(waiting, WAITING + c))
    for w in range(many - filled):
        who[w] = who[width + w]
    return filled


@loop
def put_off(ids: I64, filled: int, lane: LANES, waiting: LANES, who: I64, many: int) -> int:
    """Store those of the first `filled` lanes that are to be looked at again (ODD below 0) behind the `many` that wait;
    returns how many wait now, fewer than two vectors."""
    width = lane_count(lane)
    for k in range(filled):
        if lane[ODD, k] < 0.0:
            w = many % width
            c = many // width * WAITING
            who[many] = ids[k]
            waiting[c, w], waiting[c + 1, w] = lane[X, k], lane[Y, k]
            waiting[c + 2, w], waiting[c + 3, w] = lane[AMPLITUDE, k], lane[SPREAD, k]
            waiting[c + 4, w], waiting[c + 5, w] = lane[START_X, k], lane[START_Y, k]
            waiting[c + 6, w], waiting[c + 7, w] = lane[MIDDLE_X, k], lane[MIDDLE_Y, k]
            waiting[c + 8, w], waiting[c + 9, w] = lane[GROUND, k], lane[LOOKS, k]
            waiting[c + 10, w] = lane[STEPPED, k]
            many += 1
    return many


@loop
def look(b: Blobs, f: Frames, w: Windows, v: Vectors, most: int, edge: int, glance: int, hasty: int) -> int:
    """Cut the windows of a vector of blobs and step to the fixed points in them, as `centroid_scalar.visit` does for
    one; all windows are at an `edge` of the picture, or none.

    What comes out is `lane`, and where their windows are cut; ODD of a lane is above 0 where a blob has to go by
    itself, AWAY where another window is better, or where it has to go on (`hasty`).
    """
    half = w.radius + BORDER
    # Windows at edges are fitted, which leaves OBLONG and SLANT as they are: rows read them of all lanes.
    for k in range(lane_count(v.lane)):
        v.lane[OPEN, k], v.lane[ODD, k], v.lane[OBLONG, k], v.lane[SLANT, k] = 1.0, 0.0, 0.0, 0.0
        top, left = int(v.lane[MIDDLE_Y, k]) - half, int(v.lane[MIDDLE_X, k]) - half
        v.places[k] = b.frame[v.ids[k]] * f.height * f.width + top * f.width + left
    if edge:
        cover_lanes(f.height, f.width, w.size, w.pitch, v.lane)
        cut_edges(f, v.places, w.size, w.pitch, v.values, v.lane)
    else:
        cut_lanes(f.image, v.places, f.width, f.sign, f.exact, w.size, w.pitch, v.values, v.lane)
    if most > 0:
        others = Neighbours(b.near, most, v.ids, at(b.seen, 0), at(b.seen, b.count), at(b.seen, 2 * b.count),
                            at(b.seen, 3 * b.count))  # fmt: skip
        without_others(others, half, w.pitch, v.lane, v.work, v.values)
    if edge:
        level_edges(v.values, w.size, w.pitch, v.lane)
        if glance:
            store(v.lane, LEVEL, load_row(v.lane, LEVEL) * 0.0)  # the values are above it
            settle(v.values, w.radius, w.pitch, w.sigma, glance, hasty, v.lane, v.work)
        else:
            fit_lanes(v.values, w.size, w.pitch, w.sigma, v.lane, v.work)
    else:
        level_lanes(v.values, w.ring, w.many, v.lane)
        flattened(v.values, w.size, w.pitch, v.lane)
        settle(v.values, w.radius, w.pitch, w.sigma, glance, hasty, v.lane, v.work)
    if glance:
        return 0
    for k in range(lane_count(v.lane)):
        # Still open: it has not arrived, keeps its window and its count of steps, and waits.
        if v.lane[ODD, k] == 0.0 and v.lane[OPEN, k] > 0.0 and not edge:
            v.lane[ODD, k] = AWAY
        elif v.lane[ODD, k] == 0.0:
            v.lane[LOOKS, k], v.lane[STEPPED, k] = v.lane[LOOKS, k] + 1.0, 0.0
            x, y = float(v.lane[X, k]), float(v.lane[Y, k])
            sx, sy = float(v.lane[START_X, k]), float(v.lane[START_Y, k])
            far = (
                beyond(float(v.lane[MIDDLE_X, k]) + x, float(v.lane[MIDDLE_Y, k]) + y, f.height, f.width)
                > OUTSIDE * w.sigma
            )
            # Alone, a blob that has strayed is brought back to where it began (`centroid_scalar.visit`).
            if far or not (abs(x - sx) <= float(w.radius) and abs(y - sy) <= float(w.radius)):
                v.lane[ODD, k] = 1.0
            elif float(v.lane[LOOKS, k]) < float(ROUNDS) and (abs(x) > OFF or abs(y) > OFF):
                # The window moves by whole pixels, and all places in it by as much: they count from its middle.
                dx, dy = rint(x), rint(y)
                mx, my = float(v.lane[MIDDLE_X, k]) + dx, float(v.lane[MIDDLE_Y, k]) + dy
                # At an edge any window can be cut (what is missing is masked); else the new one has to lie in the
                # picture whole.
                if edge or fits(mx, my, half, f.height, f.width, w.size, w.pitch):
                    v.lane[MIDDLE_X, k], v.lane[MIDDLE_Y, k], v.lane[ODD, k] = mx, my, AWAY
                    v.lane[X, k], v.lane[Y, k] = x - dx, y - dy
                    v.lane[START_X, k], v.lane[START_Y, k] = sx - dx, sy - dy
                else:
                    v.lane[ODD, k] = 1.0
    return 0
