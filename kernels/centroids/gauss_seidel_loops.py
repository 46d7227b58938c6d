"""Whose turn it is, of blobs that have neighbours."""

from __future__ import annotations

from kernels.centroids.centroid_loops import NARROW, WIDE
from kernels.centroids.structs import Crowd
from kernels.ir.table import COLUMNS
from kernels.loops.language import F64, I64, at, clear_lowest_bit, ctz, loop, sqrt

BEYOND = 0.25  # share of its move by which a blob is shown farther on, once most have settled: the others follow sooner
AGAIN, LAST = 4, 16  # turns from one leap to the next, by which what is left has become a multiple of the last move,
# and the turn of the last: what it stirs comes to rest in those that remain
DAMPED = 0.7  # share of a leap that is taken: what it comes from shrinks ever faster or slower where models are far off
ALIKE = 0.9  # cosine of the angle between two moves from which on they are of one kind
SLOWEST = 0.995  # share of its move that a blob is believed to make again
STIRRED = 4e-4  # px; a blob whose neighbours' moves shift it by less is not looked at again
COLOURS = 12  # of blobs with neighbours: none has its neighbours'


@loop
def words_of(count: int) -> int:
    """Words that hold a bit of each of so many, 32 a word."""
    return (count + 31) // 32


@loop
def stirred(i: int, near: I64, most: int, x: F64, y: F64, shift: F64, sigma: float) -> int:
    """Whether the last moves of blob i's neighbours can have shifted it by more than STIRRED."""
    total = 0.0
    for n in range(most):
        j = near[i * most + n]
        if j < 0:
            return 0
        if shift[j] > 0.0:
            # By how much a neighbour's move shifts a blob falls with the overlap of their light. The steps bound it
            # from above at distances of 0, sqrt(12), sqrt(20) and 6 sigma; a bound suffices, since whoever may have
            # been shifted is looked at again.
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
            if total > STIRRED:
                return 1
    return 0


@loop
def sections(count: int, kind: I64, order: I64, heads: I64) -> int:
    """Put the blobs in the order of their kinds (0 to 3), and of their numbers."""
    # A counting sort: stable, so that the order within a kind is that of the numbers, whatever thread or platform.
    for k in range(5):
        heads[k] = 0
    for i in range(count):
        heads[kind[i] + 1] += 1
    for k in range(4):
        heads[k + 1] += heads[k]
    for i in range(count):
        k = kind[i]
        order[heads[k]] = i
        heads[k] += 1
    return 0


@loop
def coloured(count: int, near: I64, most: int, colour: I64, order: I64, heads: I64) -> int:
    """Give neighbours different colours (of which there are COLOURS), and put the blobs that have neighbours in the
    order of their colours, then of their numbers of neighbours; returns how many there are.

    Blobs of a colour are looked at together, none seeing what becomes of another. `heads` gets where those of a colour
    and a number of neighbours end in the order, at colour * (most + 1) + number.
    """
    for k in range(COLOURS * (most + 1) + 1):
        heads[k] = 0
    # Greedy colouring in the order of numbers: each takes the first colour that none of its lower neighbours has; the
    # last colour takes what is left, should a blob have more neighbours than there are colours.
    for i in range(count):
        if near[i * most] >= 0:
            used, n = 0, 0
            while n < most and near[i * most + min(n, most - 1)] >= 0:
                j = near[i * most + n]
                if j < i:
                    used = used | order[j]  # until all have a colour, its bit
                n += 1
            one = 0
            while one < COLOURS - 1 and (used >> one) & 1:
                one += 1
            colour[i], order[i] = one * (most + 1) + n, 1 << one
            heads[colour[i] + 1] = heads[colour[i] + 1] + 1
    # Counts become starts; the placing below moves each start to the end of its kind, which is what callers read.
    for k in range(COLOURS * (most + 1)):
        heads[k + 1] = heads[k + 1] + heads[k]
    many = 0
    for i in range(count):
        if near[i * most] >= 0:
            order[heads[colour[i]]] = i
            heads[colour[i]] = heads[colour[i]] + 1
            many += 1
    return int(many)


@loop
def leap_of(i: int, near: I64, most: int, x: float, y: float, own: float, amplitude: F64, before: F64,
            sigma: float) -> float:  # fmt: skip
    """Aitken's extrapolation: how many moves such as x, y blob i still has to go, if they go on to shrink by the same
    factor each turn; 0 where they do not shrink so, and where it follows another: its nearest is fainter, or a
    neighbour has leapt.

    Two that are close move each other for hundreds of turns, by a little less each time (Aitken, Proc. R. Soc. Edinb.
    46, 1926). `before`: the move of each blob in the turn before, in x and in y, and whether it leapt.
    """
    # Moves that shrink by the same factor q each turn add up to move / (1 - q). The estimate of q is <now, before> /
    # |before|^2; the leap counts only where the two moves point the same way (the squared cosine exceeds ALIKE^2) and
    # never goes farther than half a sigma.
    ux, uy = before[3 * i], before[3 * i + 1]
    product, was, now = x * ux + y * uy, ux * ux + uy * uy, x * x + y * y
    faint = own <= amplitude[near[i * most]]
    if not (faint and product > 0.0 and product * product > ALIKE * ALIKE * was * now):
        return 0.0
    for n in range(most):
        if near[i * most + n] < 0:
            break
        if before[3 * near[i * most + n] + 2] > 0.0:
            return 0.0
    rate = min(product / was, SLOWEST)
    return float(min(DAMPED * (1.0 + BEYOND) / (1.0 - rate), 0.5 * sigma / sqrt(now)))


@loop
def strayed(i: int, near: I64, most: int, count: int, x: float, y: float, start: F64) -> int:
    """Whether blob i is nearer to where one of its neighbours began than to where it began itself: with noise and the
    other's light the fit can leave its own minimum for the neighbour's, where it takes all of that light."""
    dx, dy = x - start[i], y - start[count + i]
    gone = dx * dx + dy * dy
    for n in range(most):
        j = near[i * most + n]
        if j < 0:
            break
        ax, ay = start[j] - start[i], start[count + j] - start[count + i]
        if ax * ax + ay * ay >= 4.0 * gone:  # so are all that follow
            break
        bx, by = x - start[j], y - start[count + j]
        if bx * bx + by * by < gone:
            return 1
    return 0


@loop
def shown(c: Crowd, sigma: float, nothing: float, begin: int, end: int, turn: int) -> int:
    """Copy the state of the blobs begin..end - 1 of the `order` (one colour) after a turn to where neighbours read it
    (`seen`); each AGAIN'th turn some of them are put where they are about to end (`leap_of`). Those that have
    `strayed` get no light and no place.

    The bits in `awake` of neighbours of those that have moved become 1: no others can be `stirred`, but by a blob
    that has more neighbours than it knows. Returns whether one of these has moved.

    Args:
        place: where a blob is in the order.
        awake: `words` with a bit of each place, 32 a word; behind them as many that say whose turn it was, and those
            that say whose it was the last time. Of all others nothing has to be said.
    """
    b = c.blobs
    # The first word may hold bits of the colour before: shifting out and in again clears those below `begin`.
    crowded, turns, last = 0, at(c.awake, c.words), at(c.awake, 2 * c.words)
    at_word = begin >> 5
    word = (turns[at_word] | last[at_word]) >> (begin & 31) << (begin & 31)
    while True:
        while word == 0 and (at_word + 1) << 5 < end:
            at_word += 1
            word = turns[at_word] | last[at_word]
        m = (at_word << 5) + ctz(word)
        if m >= end:
            break
        i, word = c.order[m], clear_lowest_bit(word)
        b.shift[i], x, y, leapt = 0.0, 0.0, 0.0, 0.0
        if b.moved[i] >= 0.0:  # it was looked at
            # Successive overrelaxation: a blob is shown a quarter of its move farther on than it is, which its
            # neighbours then follow. Not in the first turns, whose moves are far from the limit.
            beyond = BEYOND if turn >= 3 and b.moved[i] > 0.0 else 0.0
            x, y = b.state[i] - b.seen[i], b.state[b.count + i] - b.seen[b.count + i]
            if turn > AGAIN and turn <= LAST and turn % AGAIN == 0 and b.moved[i] > 0.0:
                leap = leap_of(i, b.near, c.most, x, y, b.state[2 * b.count + i], at(b.seen, 2 * b.count), c.before,
                               sigma)  # fmt: skip
                if leap > 1.0 + BEYOND:
                    beyond, leapt = leap - 1.0, 1.0
            for k in range(4):
                now = b.state[k * b.count + i]
                then = now + beyond * (now - b.seen[k * b.count + i])
                if k < 2 and b.moved[i] > 0.0:
                    b.shift[i] = max(b.shift[i], abs(then - b.seen[k * b.count + i]))
                if k == 2:
                    then = max(then, 0.0)
                if k == 3:
                    then = min(max(then, sigma * NARROW), sigma * WIDE)
                b.seen[k * b.count + i] = then
            # A blob that took another's place gives up: its row says that it is not found, and its light becomes 0 for
            # the others, so that the owner of the place gets it back.
            if b.moved[i] > 0.0 and strayed(i, b.near, c.most, b.count, b.state[i], b.state[b.count + i], b.start):
                o = COLUMNS * i
                b.rows[o], b.rows[o + 1], b.rows[o + 8], b.rows[o + 9] = b.start[i], b.start[b.count + i], nothing, 0.0
                b.rows[o + 10], b.rows[o + 11] = nothing, nothing
                b.state[i], b.state[b.count + i], b.seen[2 * b.count + i] = b.start[i], b.start[b.count + i], 0.0
                b.due[i], b.shift[i] = 0, 1.0
            b.moved[i] = -1.0
            # Whoever has a full list of neighbours may have others that it does not know, which no bit wakes.
            if b.shift[i] > 0.0:
                crowded += b.near[i * c.most + c.most - 1] >= 0
                for n in range(c.most):
                    if b.near[i * c.most + n] < 0:
                        break
                    p = c.place[b.near[i * c.most + n]]
                    c.awake[p >> 5] = c.awake[p >> 5] | 1 << (p & 31)
        c.before[3 * i], c.before[3 * i + 1], c.before[3 * i + 2] = x, y, leapt
    for k in range(begin >> 5, (end + 31) >> 5):
        # The bits of this colour alone: the first and the last word may hold bits of other colours, which stay as they
        # are.
        own = (1 << min(end - (k << 5), 32)) - (1 << max(begin - (k << 5), 0))
        last[k] = (last[k] | own) - own | turns[k] & own
        turns[k] = (turns[k] | own) - own
    return int(crowded > 0)
