"""A batch of frames: multi-target tracking of the textbook, in the order of a frame.

1. usable detections in order (`detections.py`);
2. every track predicted, over a gap in one step (`kalman.py`);
3. chi-square gate with the covariance of prediction, detection and mass (`gating.py`, `masses.py`);
4. global nearest neighbour, against the price of being unmatched, after the step at which the fewest things are lost;
   second association of what turned (`assignment.py`);
   what an edge hides in part (`hidden.py`); what turned while nobody saw it (`turns.py`); how what begins is likely to
   move (`flow.py`);
5. the light of the frame (`light.py`), merged measurements (`merging.py`);
6. corrections, births, coasting and ends (`tracks.py`); mergers and splits told (`relations.py`); rows (`rows.py`).

(Bar-Shalom, Li, Kirubarajan: Estimation with Applications to Tracking and Navigation, 2001; Blackman, Popoli: Design
and Analysis of Modern Tracking Systems, 1999.)
"""

from __future__ import annotations

from kernels.loops.language import F64, I64, U8, at, load, loop, mask, popcount, sqrt
from pipelines.trackers.association.assignment import (
    GONE,
    OWNER,
    UNSEEN,
    UNSURE_OWNER,
    first_association,
    second_association,
)
from pipelines.trackers.association.detections import accept
from pipelines.trackers.association.flow import foretell, learn_flow
from pipelines.trackers.association.gating import gated, priced
from pipelines.trackers.association.grid import cells_across
from pipelines.trackers.association.kalman import predict
from pipelines.trackers.association.light import learn_light
from pipelines.trackers.association.merging import merge
from pipelines.trackers.association.model import CROWD, CUT, CUT_SHIFT, LASTING, LONG, MOST_SKIPPED, RATE
from pipelines.trackers.association.records import (
    Detections,
    Frame,
    Given,
    Memory,
    Pairs,
    Population,
    Relations,
    Settings,
    Tracks,
    Work,
)
from pipelines.trackers.association.relations import find_parents, splits
from pipelines.trackers.association.rows import (
    LEFT_IMAGE,
    LOST,
    MERGED,
    NONE,
    NOT_DETECTED,
    PREDICTED,
    ROW,
    TENTATIVE,
    TRACKED,
    write_row,
)
from pipelines.trackers.association.tracks import born, ended, first_variance, move, sighted, uncover_sighted
from pipelines.trackers.association.turns import rejoin

FINISHED, MORE_ROWS, MORE_PAIRS, DISORDER = range(4)
"""What a batch returns: all is done; the next frame needs more room for tracks or rows, or for pairs; the next frame's
index does not rise."""

HALVINGS = 20
"""Of what a quantile lies in, when it is first found."""


@loop
def advance(p: Population, index: int, time: float, fps: float) -> float:
    """`pipelines.trackers.base.Clock.advance`; -1 where the index does not rise."""
    step = 0.0
    if p.index >= 0:
        if index <= p.index:
            return -1.0
        # By the stamps where they say something: a camera that leaves frames out and numbers the rest without a gap
        # still has its clock.
        elapsed = time - p.time
        step = elapsed * fps
        if not (fps != 0.0 and step - step == 0.0 and step > 0.01):
            step = float(index - p.index)
        if fps == 0.0 and elapsed - elapsed == 0.0 and elapsed > 0.0:
            p.rate = step / elapsed
    p.index, p.time = index, time
    return step


@loop
def learn_spacing(p: Population, m: int, s: Settings) -> int:
    """Mean distance of things, from the number of detections."""
    spacing = sqrt((s.right + 1.0) * (s.bottom + 1.0) / float(max(m, 1)))
    p.spacing = p.spacing + (RATE if p.spacing > 0.0 else 1.0) * (spacing - p.spacing)
    return 0


@loop
def exceeded(d: Detections, m: int, many: float) -> float:
    """The second moment that at most so many of the detections exceed, by bisection."""
    low, high = 0.0, 0.0
    for j in range(m):
        high = max(high, d.width[j] * d.width[j])
    for _ in range(HALVINGS):
        middle, above = 0.5 * (low + high), 0
        for j in range(m):
            above += int(d.width[j] * d.width[j] > middle)
        if float(above) > many:
            low = middle
        else:
            high = middle
    return float(high)


@loop
def learn_moment(p: Population, d: Detections, m: int) -> int:
    """Median second moment of a crowd's detections, by stochastic approximation (Robbins, Monro 1951)."""
    above, many, total = 0, 0, 0.0
    # A comparison a detection in place of a sort: the estimate rises by RATE / 2 where all detections are above it and
    # falls by as much where none is.
    for j in range(0, m, 8):
        width, here = load(d.width, j), (1 << min(m - j, 8)) - 1
        moment = width * width
        many += popcount(mask(moment > 0.0) & here)
        above += popcount(mask(moment > p.moment) & here)
    if many >= CROWD:
        if p.moment <= 0.0:
            for j in range(m):
                total += d.width[j] * d.width[j]
        share = float(above) / float(many)
        p.moment = p.moment * (1.0 + RATE * (share - 0.5)) if p.moment > 0.0 else total / float(many)
        # Things of many sizes have moments of many sizes, and a long one is no two then.
        if p.long_moment <= 0.0:
            p.long_moment = exceeded(d, m, LONG * float(many))
        longer = 0
        for j in range(0, m, 8):
            width, here = load(d.width, j), (1 << min(m - j, 8)) - 1
            longer += popcount(mask(width * width > p.long_moment) & here)
        p.long_moment = p.long_moment * (1.0 + RATE * (float(longer) / float(many) - LONG))
    return 0


@loop
def cut_by_border(p: Population, d: Detections, m: int, s: Settings) -> int:
    """What the picture's border cuts off shifts a centre inwards."""
    usual = sqrt(p.moment)
    for j in range(m):
        inward = min(min(d.x[j], s.right - d.x[j]), min(d.y[j], s.bottom - d.y[j])) + 0.5
        width = usual if p.moment > 0.0 else d.width[j]
        d.cut[j] = 0.0
        if inward < CUT * width:  # seldom
            part = 1.0 - inward / (CUT * width)
            shift = CUT_SHIFT * width * part * part
            d.cut[j] = shift * shift
    return 0


@loop
def learn_speed(p: Population, total: float, many: int) -> int:
    """Mean square velocity of the believed tracks that are seen: of `many`, whose squares on both axes are `total`."""
    if many > 0:
        mean = 0.5 * total / float(many)
        p.speed2 = p.speed2 + (RATE if p.speed2 > 0.0 else 1.0) * (mean - p.speed2)
    return 0


@loop
def list_newcomers(d: Detections, m: int) -> int:
    """The list `d.other` of detections that no track has, by y and x, so that ids do not depend on where the grid lies.
    Returns how many."""
    many = 0
    for j in range(m):
        if d.owner[j] < 0:
            place = many
            while place > 0 and (d.y[d.other[place - 1]] > d.y[j] or (
                d.y[d.other[place - 1]] == d.y[j] and d.x[d.other[place - 1]] > d.x[j]
            )):
                d.other[place] = d.other[place - 1]
                place -= 1
            d.other[place] = j
            many += 1
    return many


@loop
def report(t: Tracks, columns: F64, p: Population, f: Frame, s: Settings, w: Work, r: Relations, out: U8,
           seen_as: I64) -> int:  # fmt: skip
    """Corrections, rows, ends and births of a frame whose detections are shared out; of each row the feature that it
    was seen as, alone (where that begins among the floats of the frame's, -1 for none). Returns how many rows."""
    d = f.seen
    count, kept, start, row, total, many, back = p.tracks, 0, 0, 0, 0.0, 0, 0
    variance, believed = first_variance(s, p), TRACKED if s.min_hits <= 1.0 else TENTATIVE
    for i in range(count):
        how, stays, state, why = w.how[i], 1, TENTATIVE, NONE
        if how == GONE:
            if kept < start:
                move(t, columns, start, kept, i - start)
            kept, start = kept + i - start, i + 1
            continue
        seen_as[row] = -1
        if how == UNSEEN:
            t.missed[i] = t.missed[i] + 1.0
            state, why = PREDICTED, NOT_DETECTED
            x, y = t.x[i], t.y[i]
            if not (x >= -0.5 and y >= -0.5 and x <= s.right + 0.5 and y <= s.bottom + 0.5):
                why = LEFT_IMAGE
            if ended(t, i, s, p):
                state, stays = LOST, 0
        elif how >= OWNER:
            t.missed[i], t.gap[i], t.px[i], t.py[i] = 0.0, 0.0, t.x[i], t.y[i]
            guest = how != OWNER and how != UNSURE_OWNER
            # Of the two, only the one without a detection of its own counts frames: the other is still measured.
            t.merged[i] = t.merged[i] + 1.0 if guest else 0.0
            state, why = TRACKED, MERGED if guest else NONE
            if t.merged[i] > LASTING or how >= UNSURE_OWNER:  # no crossing (any more): where it is, nothing tells
                state = PREDICTED
            if t.merged[i] > s.max_missed:
                state, stays = LOST, 0
        else:
            back += int(t.missed[i] > 0.0)
            sighted(t, i, d, w.found[i], how, variance, s, p)
            seen_as[row] = d.order[w.found[i]]
            t.merged[i] = 0.0
            if t.host[i] + t.parent[i] > 0.0:
                splits(t, i, s, p, r)
            state = TRACKED if t.hits[i] >= s.min_hits else TENTATIVE
        if state == TRACKED:
            total += t.vx[i] * t.vx[i] + t.vy[i] * t.vy[i]
            many += 1
        write_row(t, i, p, state, why, at(out, row * ROW))
        row += 1
        if stays == 0:  # what stays between two that go is moved at once
            if kept < start:
                move(t, columns, start, kept, i - start)
            kept, start = kept + i - start, i + 1
    # After all rows are written: what a frame teaches holds from the next one on, and no row depends on the order of
    # tracks.
    learn_speed(p, total, many)
    if kept < start:
        move(t, columns, start, kept, count - start)
    kept = kept + count - start
    old = kept
    for k in range(list_newcomers(d, f.count)):
        born(t, kept, p, d, d.other[k], variance)
        write_row(t, kept, p, believed, NONE, at(out, row * ROW))
        seen_as[row] = d.order[d.other[k]]
        p.next_track += 1
        kept += 1
        row += 1
    p.newcomers = p.newcomers + RATE * ((float(kept - old + back) if count > 0 else 0.0) - p.newcomers)
    p.tracks = kept
    return row


@loop
def linked(t: Tracks, count: int, f: Frame, s: Settings, p: Population, q: Pairs, w: Work) -> int:
    """The first association of a frame: how many tracks go without, or -1 where pairs need more room.

    Where most things are none where they were expected, and they are more than the steps that are tried, the camera may
    have left frames out without a stamp that says so. The step in which the fewest are lost counts, if that halves them
    (maximum likelihood of the time that passed, all things moving as they did). What is tried is kept in `p`, so that
    more room changes nothing.
    """
    d = f.seen
    while True:
        for j in range(f.count if p.skipped > 0 else 0):
            d.owner[j], d.suitors[j] = -1, 0
        if gated(t, count, f, s, p, q, w) < 0:
            return -1
        priced(t, count, d, p, q, w)
        unseen = first_association(count, d, f.count, q, w)
        if p.settled or (p.skipped == 0 and 2 * unseen <= MOST_SKIPPED):
            return int(unseen)
        many, lost = 0, 0
        for i in range(count):
            if t.hits[i] >= s.min_hits and t.missed[i] == 0.0:
                many += 1
                lost += int(w.found[i] < 0)
        if p.skipped == 0:
            if 2 * lost <= many or 2 * f.count <= many or many <= MOST_SKIPPED:
                return int(unseen)
            p.fewest, p.best = lost // 2 + 1, 0
        elif lost < p.fewest:
            p.fewest, p.best = lost, p.skipped
        step = 1 if p.skipped < MOST_SKIPPED else p.best - p.skipped
        p.settled = int(p.skipped >= MOST_SKIPPED)
        if step == 0:
            return int(unseen)
        predict(t, count, float(step), s)
        p.skipped += step


@loop
def batch(t: Tracks, columns: F64, memory: Memory, s: Settings, p: Population, given: Given, rows: int,
          out: U8, seen_as: I64) -> int:  # fmt: skip
    """Frames p.done .. frames - 1.

    Args:
        t, columns: the tracks, and all of their block.
        rows: that `out`, bytes of TRACK_DTYPE, and `seen_as` (see `report`) have room for.

    Returns:
        FINISHED, or why it stopped before frame p.done.
    """
    d, w, q, g, r = memory.detections, memory.work, memory.pairs, memory.cells, memory.relations
    frames = given.frames
    starts, sizes = at(given.lists, frames), at(given.lists, 2 * frames)
    counts = at(given.lists, 3 * frames)
    for k in range(p.done, frames):
        p.done = k
        count = p.tracks
        if count + sizes[k] + 8 > t.room or p.relations + 2 * count > r.room or p.rows + count + sizes[k] > rows:
            return MORE_ROWS
        # A frame that needed more room is begun again. What was done to tracks and population is not done twice; the
        # detections are taken in anew, since the light of the frame has been divided out of their masses.
        if p.predicted == 0:
            step = advance(p, given.lists[k], given.times[k], s.fps)
            if step < 0.0:
                return DISORDER
            predict(t, count, step, s)
        across = cells_across(sizes[k], g, s)
        m = accept(at(given.found, starts[k]), sizes[k], t, count, p.light, across, s, d, g)
        if p.predicted == 0:
            learn_spacing(p, m, s)
            learn_moment(p, d, m)
        p.predicted = 1
        cut_by_border(p, d, m, s)
        f = Frame(d, m, across, g)
        lean = p.lean  # that of the frame before, by which this one is linked
        unseen = linked(t, count, f, s, p, q, w)
        if unseen < 0:
            return MORE_PAIRS
        # Before the second association, which compares masses: under a lamp that flickers none of them is like its
        # track's.
        learn_light(t, count, d, m, s, p, w)
        if second_association(t, unseen, f, s, p, q, w) < 0:
            p.lean = lean
            return MORE_PAIRS
        # Each takes what those before it left: a merger explains a missing detection with the tracks that are there, a
        # turn with one that began meanwhile, a parent explains a detection that no track has.
        merge(t, unseen, d, across, g, s, p, w, r)
        rejoin(t, count, unseen, d, s, p, w)
        find_parents(t, d, m, across, g, s, w)
        uncover_sighted(t, count, d, p, q, w)
        learn_flow(t, count, d, across, g, s, p, w)
        foretell(t, d, m, across, g, s, p, w)
        counts[k] = report(t, columns, p, f, s, w, r, at(out, p.rows * ROW), at(seen_as, p.rows))
        p.rows += counts[k]
        p.predicted, p.light, p.skipped, p.settled = 0, p.next_light, 0, 0
    p.done = frames
    return FINISHED
