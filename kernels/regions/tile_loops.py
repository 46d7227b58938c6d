"""A region in a tile of pixels, as loops: which pixels are its own, the ground below, the light above it.

The bits of a row of a tile are a whole number, the leftmost column the lowest bit. `bits` holds PLANES of them, a row
an entry, with EDGE empty rows above and below.
"""

from __future__ import annotations

from kernels.ir.bits import WORD
from kernels.loops.language import F64, I64, at, load, loop, splat, sqrt, store, where
from kernels.regions.structs import Frames, Regions

MOST = 60  # rows and columns of a tile's bits
EDGE, PLANE = 2, 64
# Where each plane begins in `bits`, PLANE rows apart. OWN: grows; OTHER: of other regions, grows; INSIDE: of the
# picture; CORE: the mask; GROWN, INNER, BENEATH: OWN after `grow` steps, one and two less; BESIDE: CORE without bad
# pixels.
OWN, OTHER, INSIDE, CORE, GROWN, INNER, CONTESTED, BESIDE, BENEATH = 0, 64, 128, 192, 256, 320, 384, 448, 512
PLANES = 576
FARTHEST = 3.0000000054977558e38  # 3e38 as f32
CLIP, CLIPPED = 2.5, 0.9113  # standard deviations beyond which a value is none of the ground, and the variance left
CLIPS = 4  # looks at the ground
RIDGE = 1.0  # what holds a slope that the pixels leave open


@loop
def own_bits(i: int, of: Regions, height: int, width: int, margin: int, bits: I64) -> int:
    """Fill the planes OWN, CORE, OTHER and INSIDE around region i; returns whether others are there."""
    # Rows count through all frames, one below the other.
    row, board = (of.owner[i] + of.base) * height, at(of.board, of.owner[i] * height * of.pitch)
    x0, y0 = of.box[4 * i] - margin, of.box[4 * i + 2] - margin
    columns = of.box[4 * i + 1] - of.box[4 * i] + 1 + 2 * margin
    rows = of.box[4 * i + 3] - of.box[4 * i + 2] + 1 + 2 * margin
    # Columns of the tile that are in the picture. At most MOST bits are shifted: no sign, no overflow.
    low, high = max(0, -x0), min(columns, width - x0)
    across = ((1 << (high - low)) - 1) << low
    for r in range(rows + 2 * EDGE):
        bits[OWN + r], bits[OTHER + r], bits[INSIDE + r], bits[CONTESTED + r] = 0, 0, 0, 0
    for k in range(of.start[2 * i], of.start[2 * i] + of.start[2 * i + 1]):
        y = of.own_first[k] // width
        x = of.own_first[k] - y * width
        r = y - y0 + EDGE
        # A run becomes its bits, the leftmost column the lowest.
        bits[OWN + r] = bits[OWN + r] | (((1 << (of.own_last[k] - of.own_first[k] + 1)) - 1) << (x - x0))
    company, every = 0, (1 << columns) - 1
    # The board has an empty word before each row, which takes a box that begins left of the picture: x0 + WORD is never
    # negative, and // and % are those of C.
    k, s = (x0 + WORD) // WORD, (x0 + WORD) % WORD
    # Shifts in two steps: with s = 0 it would be one by 64, which a word does not have.
    rest, beyond = (2 << (WORD - 1 - s)) - 1, (every >> 1) >> (WORD - 1 - s)
    low, high = max(0, row - y0), min(rows, row + height - y0)
    for r in range(low, high):
        # The word's upper bits come down by an arithmetic shift: `rest` cuts off the copies of its sign.
        p = (y0 + r - row) * of.pitch + k  # two words of the board hold the row's bits
        near = ((int(board[p]) >> s) & rest & every) | (((int(board[p + 1]) & beyond) << 1) << (WORD - 1 - s))
        own = bits[OWN + EDGE + r]
        other = near - (near & own)
        bits[INSIDE + EDGE + r], bits[OTHER + EDGE + r] = across, other
        company = company | other
    for r in range(rows + 2 * EDGE):
        bits[CORE + r] = bits[OWN + r]
    return int(company != 0)


@loop
def grown_bits(rows: int, margin: int, steps: int, grow: int, company: int, bits: I64) -> int:
    """Grow the region, and what is around it, by a pixel of eight neighbours, `steps` times.

    A pixel belongs to who reaches it first; one that both reach at once is CONTESTED and both's.
    """
    # Without a ring before the outermost one the plane is empty, and `INNER` less nothing is the whole mask.
    if grow < 2:
        for r in range(EDGE, rows + EDGE):
            bits[BENEATH + r] = 0
    # Snapshots before the step: after s steps OWN has grown by s pixels.
    for s in range(steps + 1):
        if s == grow - 2:
            for r in range(EDGE, rows + EDGE):
                bits[BENEATH + r] = bits[OWN + r]
        if s == max(grow - 1, 0):
            for r in range(EDGE, rows + EDGE):
                bits[INNER + r] = bits[OWN + r]
        if s == grow:
            for r in range(EDGE, rows + EDGE):
                bits[GROWN + r] = bits[OWN + r]
        if s == steps:
            return 0
        if company:
            # What is farther off meets nothing of the region's in the steps that are left.
            low = max(margin - 2 * steps + s + 1, 0) + EDGE
            high = rows + 2 * EDGE - low
            # In place: rows r - 1 and r are carried along as they were before this step, since the row above is
            # overwritten. `above` is the union of both, so that u is the column of three, which then widens to left and
            # right.
            mine, yours = bits[OWN + low], bits[OTHER + low]
            above, over = bits[OWN + low - 1] | mine, bits[OTHER + low - 1] | yours
            for r in range(low, high):
                below, under, inside = bits[OWN + r + 1], bits[OTHER + r + 1], bits[INSIDE + r]
                u, v, taken = above | below, over | under, mine | yours
                u, v = (u | (u << 1) | (u >> 1)) & inside, (v | (v << 1) | (v >> 1)) & inside
                # Whoever holds a pixel keeps it: growth goes into free ones alone.
                u, v = u - (u & taken), v - (v & taken)
                bits[CONTESTED + r] = bits[CONTESTED + r] | (u & v)
                bits[OWN + r], bits[OTHER + r] = mine | u, yours | v
                above, over, mine, yours = mine | below, yours | under, below, under
        else:
            # After s steps the region lies within s + 1 pixels of its box: other rows need no look.
            low, high = margin - s - 1 + EDGE, rows - margin + s + 1 + EDGE
            mine = bits[OWN + low]
            above = bits[OWN + low - 1] | mine
            for r in range(low, high):
                below = bits[OWN + r + 1]
                u = above | below
                bits[OWN + r] = (u | (u << 1) | (u >> 1)) & bits[INSIDE + r]
                above, mine = mine | below, below
    return 0


@loop
def load_tile(f: Frames, frame: int, left: int, top: int, rows: int, columns: int, pitch: int, tile: F64) -> int:
    """The light of a tile; beyond the picture that of its nearest pixel. Returns whether some is no number.

    Args:
        frame: its first pixel among all frames'.
    """
    # Vectors go on behind a row's last pixel: that must still be memory of the frames.
    line = frame + top * f.width + left
    if left >= 0 and top >= 0 and left + columns <= f.width and top + rows <= f.height and (
            line + (rows - 1) * f.width + pitch <= f.total):  # fmt: skip
        # Vectors read the frame itself: the whole tile lies in the picture.
        # v * 0 is 0, but NaN of what is no number or infinite: a sum a row in place of a comparison a vector.
        odd = splat(0.0)
        for r in range(rows):
            some = splat(0.0)
            for k in range(0, pitch, 8):
                v = load(f.image, line + k) * f.sign
                store(tile, r * pitch + k, v)
                some += v * 0.0
            odd += some
            line += f.width
        store(tile, rows * pitch, odd)
        wrong = 0
        for k in range(8):
            if tile[rows * pitch + k] != 0.0:
                wrong = 1
        return wrong
    # At the picture's edge, pixel by pixel: coordinates are clamped, which repeats the nearest pixel.
    wrong = 0
    for r in range(rows):
        y = min(max(top + r, 0), f.height - 1)
        for c in range(pitch):
            x = min(max(left + c, 0), f.width - 1)
            one = f.image[frame + y * f.width + x] * f.sign
            tile[r * pitch + c] = one
            if one - one != 0.0:
                wrong = 1
    return wrong


@loop
def heal(rows: int, columns: int, pitch: int, shift: int, down: int, tile: F64, bits: I64) -> int:
    """Take pixels that are no numbers out of GROWN, INNER and OWN; their light becomes 0. Returns the core's left."""
    left = 0
    for r in range(rows):
        gone = 0
        for c in range(pitch):
            v = tile[r * pitch + c]
            if v - v != 0.0:
                tile[r * pitch + c] = 0.0
                # Columns of padding are no bits of the region.
                if c < columns:
                    gone = gone | (1 << (c + shift))
        b = down + r + EDGE
        bits[OWN + b] = bits[OWN + b] - (bits[OWN + b] & gone)
        bits[GROWN + b] = bits[GROWN + b] - (bits[GROWN + b] & gone)
        bits[INNER + b] = bits[INNER + b] - (bits[INNER + b] & gone)
        # CORE itself stays: it still says which pixels the mask has.
        bits[BESIDE + b] = bits[CORE + b] - (bits[CORE + b] & gone)
        left = left | bits[BESIDE + b]
    return int(left != 0)


@loop
def blank(tile: F64, count: int) -> int:
    """Put 0 where a pixel is no number."""
    for k in range(count):
        if tile[k] - tile[k] != 0.0:
            tile[k] = 0.0
    return 0


@loop
def summed(acc: F64, count: int, out: F64) -> int:
    """The sums of `count` vectors of eight."""
    # In the order in which a register is folded, 8, 4, 2: the same bits for all that adds lanes so, and less rounding
    # than one after the other.
    for n in range(count):
        a = 8 * n
        out[n] = ((acc[a] + acc[a + 4]) + (acc[a + 2] + acc[a + 6])) + (
            (acc[a + 1] + acc[a + 5]) + (acc[a + 3] + acc[a + 7])
        )
    return 0


@loop
def clipped_level(values: F64, there: F64, count: int, acc: F64, out: F64) -> int:
    """Level of the values where `there` is 1 (at least one is), blind to outliers, and their variance.

    Mean and variance of those within CLIP standard deviations of the mean before, until as many stay, CLIPS times at
    most. `there` is 0 from `count` to the next multiple of eight. `out`: three numbers, `acc`: 24.
    """
    # Counted from some value of the list: squares of differences that are small lose no digits.
    mid, far, variance, before = values[0], 1e308, 0.0, -1.0
    for k in range(count):
        if there[k] > 0.0:
            mid = values[k]
            break
    for turn in range(CLIPS):
        n, s, q = splat(0.0), splat(0.0), splat(0.0)
        for k in range(0, count, 8):
            d = load(values, k) - mid
            # The first turn takes all (`far` is huge); later ones take what lies within CLIP deviations of the mean
            # before.
            m = where(abs(d) <= far, load(there, k), 0.0)
            d = where(m > 0.0, d, 0.0)
            n += m
            s += d
            q += d * d
        store(acc, 0, n)
        store(acc, 8, s)
        store(acc, 16, q)
        summed(acc, 3, out)
        one = max(out[0], 1.0)
        shift = out[1] / one
        variance = max(out[2] - out[1] * shift, 0.0) / max(one - 1.0, 1.0)
        # A normal distribution cut at CLIP deviations keeps CLIPPED of its variance.
        if turn > 0:
            variance = variance / CLIPPED
        mid += shift
        far = CLIP * sqrt(variance) + 1e-30
        # As many as before: the same ones, as good as always, so that another turn would change nothing.
        if one == before:
            break
        before = one
    out[0], out[1] = mid, variance
    return 0
