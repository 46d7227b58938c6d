"""Centres of small blobs, as loops (what it computes: `kernels.centroids.centroid`): as many at a time as a vector
has lanes, those whose windows lie in the picture (`centroid_simd`) and those at its edges
(`truncated_gaussian_windows`, `truncated_gaussian_fit_simd`); one after the other where pixels are no numbers
(`centroid_scalar`).

Which way a blob goes, and what comes out, depends on its own frame alone.
"""

from __future__ import annotations

from kernels.centroids.batch_step_loops import begun, gone_on, look, put_off
from kernels.centroids.centre_scalar import NOTES, alone, company
from kernels.centroids.centroid_simd import AMPLITUDE, BORDER, LEVEL, MIDDLE_X, MIDDLE_Y, NOISE, ODD, SPREAD, X, Y
from kernels.centroids.error_sums_simd import light_lanes, radial_lanes, summed_lanes
from kernels.centroids.gauss_seidel_loops import COLOURS, coloured, sections, shown, stirred, words_of
from kernels.centroids.rows_simd import radial_rows, rows_lanes, written
from kernels.centroids.shape_simd import shape_lanes
from kernels.centroids.structs import Blobs, Crowd, Method, Vectors, Windows
from kernels.centroids.truncated_gaussian_errors import errors_lanes
from kernels.centroids.truncated_gaussian_windows import filled_edges
from kernels.loops.language import F64, at, clear_lowest_bit, ctz, lane_count, loop, rint
from kernels.regions.structs import Frames
from kernels.regions.window_loops import fetched, fits

COMPACT = 1.25  # widths of the weights; what is wider at a glance may be two blobs: it begins where it was found
AHEAD = 16  # blobs, in which memory has time to bring the pixels of a window
TURNS = 24  # looks at blobs that have neighbours


@loop
def rows_of_lanes(b: Blobs, w: Windows, v: Vectors, how: Method, filled: int, edge: int, alone: int,
                  noises: F64) -> int:  # fmt: skip
    """Write the rows and NOISES of those of the first `filled` lanes that are not ODD. With `shapes` rows of blobs with
    light get the sums of that (`shape_lanes`), and no area."""
    # Behind what `summed_lanes` uses of `work`: three windows, ten rows and 5 vectors, rounded up to 8.
    out = at(v.work, 3 * w.size * w.pitch + 10 * w.pitch + 8)
    if edge:
        # The errors at an edge compare with the model where there is no picture; shapes count only what is above the
        # level.
        filled_edges(v.values, w.size, w.pitch, 1, v.lane, v.work)
        errors_lanes(v.values, w.size, w.pitch, w.sigma, v.lane, v.work)
        light_lanes(v.values, w.radius, w.pitch, v.lane)
        if how.shapes:
            filled_edges(v.values, w.size, w.pitch, 0, v.lane, v.work)
    else:
        summed_lanes(v.values, w.radius, w.pitch, w.sigma, v.lane, v.work)
        if not how.shapes:
            light_lanes(v.values, w.radius, w.pitch, v.lane)
    if how.shapes:
        shape_lanes(v.values, w.radius, w.pitch, w.sigma, int(edge == 0), v.lane, v.work)
    if rows_lanes(edge, alone, w, how, v.lane, v.work, out):
        radial_lanes(v.values, w.radius, w.pitch, w.sigma, v.lane, v.work, at(out, 12))
        radial_rows(at(out, 12), v.lane, out)
    written(v.ids, filled, v.lane, out, noises, b.count, b.rows)
    return 0


@loop
def lanes_alone(b: Blobs, f: Frames, w: Windows, v: Vectors, how: Method, filled: int, edge: int, glance: int,
                put_by: int) -> int:  # fmt: skip
    """The rows of up to a vector of blobs as if each were alone, of those that wait where none is `filled`; with
    `glance` only how bright and wide they are, and where they go on from, into `state` and `middle`.

    Args:
        put_by: how many wait.

    Returns:
        How many wait now.
    """
    # Most blobs arrive in few steps; the slow ones would hold up their whole vector. So a new vector is left once FEW
    # of its lanes are open, these wait (`put_off`), and go on together when a vector of such is full.
    hasty = int(filled > 0)
    if filled:
        begun(v.ids, filled, b.start, b.state, b.count, b.middle, v.lane)
    else:
        filled = gone_on(v.ids, v.waiting, v.who, put_by, v.lane)
        put_by -= filled
    look(b, f, w, v, 0, edge, glance, hasty)
    if not glance:
        put_by = put_off(v.ids, filled, v.lane, v.waiting, v.who, put_by)
        rows_of_lanes(b, w, v, how, filled, edge, 1, at(b.state, NOTES * b.count))
    for k in range(filled):
        i = v.ids[k]
        # A lane that is ODD goes by itself, in f64 (`cut_lanes` says why).
        if v.lane[ODD, k] > 0.0:
            alone(i, b, f, w, v, how, b.frame[i] * f.height * f.width, glance)
        elif glance:
            b.state[2 * b.count + i], b.state[3 * b.count + i] = v.lane[AMPLITUDE, k], v.lane[SPREAD, k]
            if float(v.lane[SPREAD, k]) <= COMPACT * w.sigma and not edge:
                x, y = b.middle[2 * i] + float(v.lane[X, k]), b.middle[2 * i + 1] + float(v.lane[Y, k])
                mx, my = rint(x), rint(y)
                b.state[i], b.state[b.count + i] = x, y
                if fits(mx, my, w.radius + BORDER, f.height, f.width, w.size, w.pitch):
                    b.middle[2 * i], b.middle[2 * i + 1] = mx, my
    return put_by


@loop
def lanes_together(b: Blobs, f: Frames, w: Windows, v: Vectors, how: Method, most: int, filled: int, edge: int,
                   put_by: int) -> int:  # fmt: skip
    """One turn of up to a vector of blobs (of those that wait where none is `filled`): their fixed points without the
    light of their neighbours, as these were `seen`, and their rows. A blob's row is that of its last turn, since
    what shifts it by less than STIRRED changes no more of it. Returns how many wait now; `put_by` did."""
    hasty = int(filled > 0)
    if filled:
        begun(v.ids, filled, b.start, b.state, b.count, b.middle, v.lane)
    else:
        filled = gone_on(v.ids, v.waiting, v.who, put_by, v.lane)
        put_by -= filled
    look(b, f, w, v, most, edge, 0, hasty)
    put_by = put_off(v.ids, filled, v.lane, v.waiting, v.who, put_by)
    for k in range(filled):
        i = v.ids[k]
        if v.lane[ODD, k] == 0.0:
            mx, my = float(v.lane[MIDDLE_X, k]), float(v.lane[MIDDLE_Y, k])
            x, y = mx + float(v.lane[X, k]), my + float(v.lane[Y, k])
            # Moves are taken before the state is overwritten: they say whom the next turn has to ask.
            b.moved[i] = max(abs(x - b.state[i]), abs(y - b.state[b.count + i]))
            b.state[i], b.state[b.count + i] = x, y
            b.state[2 * b.count + i], b.state[3 * b.count + i] = v.lane[AMPLITUDE, k], v.lane[SPREAD, k]
            b.state[4 * b.count + i], b.state[5 * b.count + i] = v.lane[LEVEL, k], v.lane[NOISE, k]
            b.middle[2 * i], b.middle[2 * i + 1] = mx, my
    rows_of_lanes(b, w, v, how, filled, edge, 0, at(b.state, NOTES * b.count))
    for k in range(filled):
        i = v.ids[k]
        if v.lane[ODD, k] > 0.0:
            company(i, b, f, w, v, how, b.frame[i] * f.height * f.width, most)
            if b.due[i] and not fits(
                b.middle[2 * i], b.middle[2 * i + 1], w.radius + BORDER, f.height, f.width, w.size, w.pitch
            ):
                b.due[i] = 2  # it has come to an edge
    return put_by


@loop
def colour_turn(c: Crowd, f: Frames, w: Windows, v: Vectors, how: Method, begin: int, end: int, turn: int,
                alert: int) -> int:  # fmt: skip
    """A turn of those of a colour that others have stirred; returns whether there are any. With `alert`, those that are
    not `awake` are asked, too. The words behind `awake` get a bit of each whose turn it is (`shown`)."""
    b = c.blobs
    # First those whose windows are whole, then those at the picture's edges, whose windows hold fewer pixels and go
    # another way. Bits of `awake` say who may have been shifted; from the second turn on only these are visited, a word
    # of 32 at a time.
    half, busy, filled, put_by = w.radius + BORDER, 0, 0, 0
    for edge in range(2):
        asked, each, k, m = at(c.awake, edge * c.words), edge == 0 and (turn == 1 or alert), begin >> 5, begin - 1
        # Bits below `begin` belong to the colour before.
        word = asked[k] >> (begin & 31) << (begin & 31)
        while m < end:
            m += 1
            # Either each place in turn, or the places whose bits are set; `end` when there are none left.
            if not each:
                while word == 0 and (k + 1) << 5 < end:
                    k += 1
                    word = asked[k]
                m = end if word == 0 else min((k << 5) + ctz(word), end)
                word = clear_lowest_bit(word)
            # The pixels of the blob AHEAD places on are fetched while this one's vector is being filled.
            i = c.order[min(m + AHEAD, c.count - 1)]
            if turn == 1 and edge == 0:
                place = (int(b.middle[2 * i + 1]) - half) * f.width + int(b.middle[2 * i]) - half
                fetched(f.image, b.frame[i] * f.height * f.width + place, f.width, w.size, w.size)
            # The second pass (`edge`) asks for the bits that the first set: of those whose turn it is, whose window is
            # not whole.
            i, its = c.order[min(m, end - 1)], 0
            if m < end and b.due[i]:
                if edge:
                    its = b.due[i] == 2
                else:
                    b.due[i], p, one = 1, m >> 5, 1 << (m & 31)
                    # The bit of this blob is cleared before its neighbours may set it again for the next turn.
                    c.awake[p] = (c.awake[p] | one) - one
                    if turn == 1 or stirred(i, b.near, c.most, at(b.seen, 0), at(b.seen, b.count), b.shift, w.sigma):
                        busy = 1
                        c.awake[c.words + p] = c.awake[c.words + p] | one
                        its = fits(b.middle[2 * i], b.middle[2 * i + 1], half, f.height, f.width, w.size, w.pitch)
                        b.due[i] = 2 - its
            if its:
                v.ids[filled] = i
                filled += 1
            # A vector runs when it is full, when those that wait fill one, and, at the end, with what is left; with no
            # new ones (`filled` 0) it is those that wait.
            while filled == lane_count(v.lane) or put_by >= lane_count(v.lane) or (m == end and filled + put_by > 0):
                put_by = lanes_together(b, f, w, v, how, c.most, filled, edge, put_by)
                filled = 0
    return busy


@loop
def sorted_blobs(b: Blobs, f: Frames, w: Windows, most: int) -> int:
    """Put all blobs where they begin, and in the order of their kinds: bit 0 for a window that reaches beyond the
    picture, bit 1 for a blob with neighbours.

    Args:
        b: `start` is where they begin. Room for NOTES + NOISES, 4, 2, 5 and 3 numbers a blob is behind `state`, `seen`,
            `middle`, `shift` and `due`, and behind that of `due` for 272 more and for three times `words_of` the blobs.
        most: neighbours of each.
    """
    half = w.radius + BORDER
    kind, order, heads = at(b.due, b.count), at(b.due, 2 * b.count), at(b.due, 3 * b.count + 32)
    for i in range(b.count):
        b.state[i], b.state[b.count + i] = b.start[i], b.start[b.count + i]
        b.state[2 * b.count + i], b.state[3 * b.count + i] = 0.0, w.sigma
        b.middle[2 * i], b.middle[2 * i + 1] = rint(b.start[i]), rint(b.start[b.count + i])
        b.due[i], b.shift[i], b.moved[i] = 1, 1.0, -1.0
        # A window reaches beyond the picture if its ring does.
        edge = fits(b.middle[2 * i], b.middle[2 * i + 1], half, f.height, f.width, w.size, w.pitch) == 0
        kind[i] = edge + 2 * (b.near[i * most] >= 0)
    sections(b.count, kind, order, heads)
    return 0


@loop
def first_looks(b: Blobs, f: Frames, w: Windows, v: Vectors, how: Method, first: int, end: int) -> int:
    """Bring those alone, of the blobs number `first` to `end` - 1 in the order of `sorted_blobs`, to the end; take a
    glance at the others: a step, if they look like one blob. Vectors are filled with one kind only."""
    half, filled, put_by, frame_size = w.radius + BORDER, 0, 0, f.height * f.width
    kind, order = at(b.due, b.count), at(b.due, 2 * b.count)
    for n in range(first, end):
        i, j = order[n], order[min(n + AHEAD, end - 1)]
        edge, glance = kind[i] & 1, kind[i] >> 1
        if not kind[j] & 1:
            place = (int(b.middle[2 * j + 1]) - half) * f.width + int(b.middle[2 * j]) - half
            fetched(f.image, b.frame[j] * frame_size + place, f.width, w.size, w.size)
        v.ids[filled] = i
        filled += 1
        # The next of another kind ends a vector, as do the last and a full one.
        last = n == end - 1 or kind[order[min(n + 1, b.count - 1)]] != kind[i]
        while filled == lane_count(v.lane) or put_by >= lane_count(v.lane) or (last and filled + put_by > 0):
            put_by = lanes_alone(b, f, w, v, how, filled, edge, glance, put_by)
            filled = 0
    return 0


@loop
def turns(b: Blobs, f: Frames, w: Windows, v: Vectors, how: Method, most: int) -> int:
    """The blobs that have neighbours, each with these as they are by then (Gauss and Seidel, colour by colour, with
    some overrelaxation), until none shifts another."""
    colour, order, heads = at(b.due, b.count), at(b.due, 2 * b.count), at(b.due, 3 * b.count + 32)
    crowd = coloured(b.count, b.near, most, colour, order, heads)
    c = Crowd(b, order, colour, crowd, words_of(b.count), at(b.due, 3 * b.count + 272), at(b.shift, 2 * b.count), most)
    for k in range(3 * c.words):
        c.awake[k] = 0
    for n in range(crowd):
        for k in range(4):
            # At first each is shown as the glance left it, and nobody has moved before.
            b.seen[k * b.count + order[n]] = b.state[k * b.count + order[n]]
        for k in range(3):
            c.before[3 * order[n] + k] = 0.0
        c.place[order[n]] = n
    busy, turn, alarm = crowd > 0, 1, 0
    while busy and turn <= TURNS:
        busy, begin = 0, 0
        for one in range(COLOURS):
            # `coloured` leaves the end of each kind: of the kind with most neighbours it is the end of the colour.
            end = heads[one * (most + 1) + most]
            if end > begin:
                if colour_turn(c, f, w, v, how, begin, end, turn, turn <= alarm):
                    busy = 1
                # A blob with more neighbours than its list holds wakes only those it knows: after it moved, all are
                # asked once.
                if shown(c, w.sigma, how.nothing, begin, end, turn):
                    alarm = turn + 1
                begin = end
        turn += 1
    return 0
