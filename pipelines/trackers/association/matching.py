"""The exact cheapest assignment by shortest augmenting paths, as a loop over sparse pairs.

After Jonker and Volgenant (Computing 38, 325, 1987): tracks are taken in one after the other, each along the cheapest
path of exchanges, which Dijkstra's method finds under the reduced costs cost - u - v >= 0. Every track has besides its
pairs a way out of its own, which costs `miss`. A path never leaves the connected part of the graph in which it begins,
so that parts are solved each on its own without being looked for.
"""

from __future__ import annotations

from kernels.loops.language import at, loop
from pipelines.trackers.association.records import Pairs, Work

FAR = 1e300
STEPS = 500_000  # pairs looked at along paths; from then on who waits takes its cheapest free one: bounds the cost


@loop
def take_cheapest(i: int, q: Pairs, miss: float, w: Work) -> int:
    """The cheapest free detection for one track, or -1."""
    best, w.choice[i] = miss, -1
    for p in range(w.first[i], w.first[i + 1]):
        if w.holder[q.what[p]] < 0 and q.cost[p] < best:
            best, w.choice[i] = q.cost[p], q.what[p]
    if w.choice[i] >= 0:
        w.holder[w.choice[i]] = i
        return 1
    return 0


@loop
def matched(tracks: int, detections: int, q: Pairs, miss: float, w: Work) -> int:
    """The detection of each track, or -1, in `choice`.

    Args:
        tracks, detections: how many there are.
        q: the pairs; those of track i are w.first[i] .. w.first[i + 1].
        miss: what a track without a detection costs; dearer pairs are never chosen.
        w: to work in.

    Returns:
        How many tracks have one.
    """
    first, what, cost, choice, holder = at(w.first, 0), at(q.what, 0), at(q.cost, 0), at(w.choice, 0), at(w.holder, 0)
    u, v, near, back, front, seen = at(w.u, 0), at(w.v, 0), at(w.near, 0), at(w.back, 0), at(w.front, 0), at(w.seen, 0)
    for j in range(detections):
        holder[j], v[j], near[j], seen[j] = -1, 0.0, FAR, 0
    held, steps, waiting = 0, 0, 0
    # Row reduction: with v = 0 and u the cheapest of each track all reduced costs are >= 0, and a track whose cheapest
    # detection is free takes it without a path. In most frames that is every track.
    for i in range(tracks):  # the best for each, where it is still free
        best, at_best = miss, -1
        for p in range(first[i], first[i + 1]):
            if cost[p] < best or (cost[p] == best and at_best < 0):
                best, at_best = cost[p], what[p]
        u[i] = best
        choice[i] = -1
        if at_best >= 0:
            if holder[at_best] < 0:
                holder[at_best], choice[i] = i, at_best
                held += 1
            else:
                choice[i] = -2
                waiting += 1
    if waiting == 0:
        return held
    for start in range(tracks):
        if choice[start] != -2:
            continue
        if steps > STEPS:
            held += take_cheapest(start, q, miss, w)
            continue
        row, far, lost, lost_row = start, 0.0, FAR, start
        fronts, done, end = 0, 0, -1
        while True:
            # Any track on the way may be the one that goes without: that ends a path, too, and the cheapest such end is
            # kept.
            out = far + (miss - u[row])
            if out < lost:
                lost, lost_row = out, row
            for p in range(first[row], first[row + 1]):
                j = what[p]
                if cost[p] <= miss and seen[j] < 2:
                    steps += 1
                    d = far + (cost[p] - u[row] - v[j])
                    if d < near[j]:
                        near[j], back[j] = d, row
                        if seen[j] == 0:
                            seen[j] = 1
                            front[fronts] = j
                            fronts += 1
            # The first `done` of the front are settled, in the order of their distance.
            pick = -1
            for k in range(done, fronts):
                steps += 1
                if pick < 0 or near[front[k]] < near[front[pick]]:
                    pick = k
            if pick < 0 or lost < near[front[pick]]:
                far = lost
                break
            j = front[pick]
            front[pick] = front[done]
            front[done] = j
            done += 1
            seen[j] = 2
            far = near[j]
            if holder[j] < 0:
                end = j
                break
            row = holder[j]
        # What was settled nearer than the end moves by the difference, on both sides: the pairs that are chosen have
        # the reduced cost 0 again, and no other becomes negative, which Dijkstra's method needs of the next path.
        u[start] = u[start] + far
        for k in range(done):
            j = front[k]
            if holder[j] >= 0:
                u[holder[j]] = u[holder[j]] + (far - near[j])
            v[j] = v[j] - (far - near[j])
        if end < 0:  # somebody on the path goes without
            end = choice[lost_row]
            choice[lost_row] = -1
            row = lost_row
            while row != start:
                row = back[end]
                other = choice[row]
                holder[end], choice[row] = row, end
                end = other
        else:
            held += 1
            row = -1
            while row != start:
                row = back[end]
                other = choice[row]
                holder[end], choice[row] = row, end
                end = other
        # Only what was touched is put back, so that a frame of thousands costs what its conflicts cost.
        for k in range(fronts):
            near[front[k]], seen[front[k]] = FAR, 0
    return held
