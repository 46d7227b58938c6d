"""What is drawn onto planes of luma and colour (`app.exports.planes`), as loops: small shapes with soft edges, and
trails that pale.

Both go over squares of two by two pixels, which share one place in the planes of colour: its change is the mean of
what its four pixels ask for.
"""

from __future__ import annotations

from kernels.loops.language import I32, I64, U8, at, clear_lowest_bit, ctz, loop, nonzero_bytes
from kernels.loops.structs import Struct, struct

FULL = 255
WHOLE = 65025  # FULL * FULL: what is left of a pixel's ground where nothing is drawn
WORD = 64
COLUMNS = 8  # of a list of shapes: where it begins on its sheet, height, width, left, top, luma, two of colour


@struct
class Canvas(Struct):
    """Planes of luma and colour."""

    y: U8
    u: U8
    v: U8
    pitch: int  # bytes from row to row of luma
    half: int  # of colour


@struct
class Layers(Struct):
    """What is drawn of trails, a number a pixel."""

    opacity: U8  # how much of it a trail covers, 0..FULL
    tint: U8  # the trail's place in the palette
    born: I32  # the frame in which it was drawn
    height: int  # rows, even
    line: int  # pixels a row, a multiple of WORD


@struct
class Paling(Struct):
    """How trails pale."""

    now: int  # this frame
    trail: int  # how many frames a trail lasts
    palette: I64  # luma and the two of colour
    strong: int  # of FULL parts, how far a trail covers the ground when it is new
    weak: int  # and when it is about to vanish


@loop
def stamped(on: Canvas, height: int, width: int, sheet: U8, marks: I64, count: int, dark: int) -> int:
    """Draw shapes, one after the other.

    Args:
        height, width: of what may be drawn on.
        sheet: of each pixel of a shape how much of it is the dark rim and how much the face upon it, 0..FULL.
        marks: COLUMNS numbers a shape; left and top are the pixel at which its corner lies, maybe outside.
        dark: the luma of rims, which have no colour.
    """
    for m in range(count):
        mark = at(marks, COLUMNS * m)
        high, wide, left, top = mark[1], mark[2], mark[3], mark[4]
        luma, blue, red = mark[5], mark[6], mark[7]
        shape = at(sheet, mark[0])
        # Squares of two by two pixels: rows and columns of the planes of colour, cut to what may be drawn on.
        for row in range(max(top, 0) // 2, (max(min(top + high, height), 0) + 1) // 2):
            for column in range(max(left, 0) // 2, (max(min(left + wide, width), 0) + 1) // 2):
                kept, rim, face = 0, 0, 0
                for k in range(4):
                    py, px = 2 * row + k // 2, 2 * column + k % 2
                    sy, sx = py - top, px - left
                    # Compositing of two layers ("over"; Porter, Duff 1984) in whole numbers: what is left of the
                    # ground, of the rim and of the face adds up to WHOLE.
                    keep = WHOLE
                    if sy >= 0 and sy < high and sx >= 0 and sx < wide and py < height and px < width:
                        a, b = int(shape[2 * (sy * wide + sx)]), int(shape[2 * (sy * wide + sx) + 1])
                        if a + b > 0:
                            keep = (FULL - a) * (FULL - b)
                            first, second = a * (FULL - b), b * FULL
                            here = py * on.pitch + px
                            # Half of the divisor is added: the result is rounded.
                            on.y[here] = (int(on.y[here]) * keep + dark * first + luma * second + WHOLE // 2) // WHOLE
                            rim += first
                            face += second
                    kept += keep
                # Colour is the mean of what the four pixels ask for; 128 is no colour.
                if kept < 4 * WHOLE:
                    there = row * on.half + column
                    on.u[there] = (int(on.u[there]) * kept + 128 * rim + blue * face + 2 * WHOLE) // (4 * WHOLE)
                    on.v[there] = (int(on.v[there]) * kept + 128 * rim + red * face + 2 * WHOLE) // (4 * WHOLE)
    return 0


@loop
def trailed(on: Canvas, layers: Layers, how: Paling) -> int:
    """Draw what is left of trails, and forget what is too old.

    Returns:
        How many pixels are drawn.
    """
    drawn = 0
    for row in range(0, layers.height, 2):
        for place in range(0, layers.line, WORD):
            here = row * layers.line + place
            # A bit a pixel, of two rows at once: eight bytes that are not 0 are found in one word.
            word = nonzero_bytes(layers.opacity, here) | nonzero_bytes(layers.opacity, here + layers.line)
            while word != 0:
                # Two bits of a word are one square: the second one is cleared with the first.
                column = ctz(word) // 2
                word = clear_lowest_bit(word)
                if word != 0 and ctz(word) // 2 == column:
                    word = clear_lowest_bit(word)
                su, sv, sw = 0.0, 0.0, 0.0
                for k in range(4):
                    i = here + 2 * column + k % 2 + layers.line * (k // 2)
                    if layers.opacity[i] != 0:
                        # A trail that is too old is forgotten where it is met, so that later frames skip it.
                        age = how.now - int(layers.born[i])
                        if age >= how.trail:
                            layers.opacity[i] = 0
                        else:
                            # From `strong` to `weak`, linear in its age.
                            share = float(how.strong) - float(how.strong - how.weak) * (float(age) / float(how.trail))
                            w = float(layers.opacity[i]) * share / 65025.0
                            ink = 3 * int(layers.tint[i])
                            j = (row + k // 2) * on.pitch + place + 2 * column + k % 2
                            on.y[j] = int(float(on.y[j]) + (float(how.palette[ink]) - float(on.y[j])) * w + 0.5)
                            su += w * float(how.palette[ink + 1])
                            sv += w * float(how.palette[ink + 2])
                            sw += w
                            drawn += 1
                if sw > 0.0:
                    # The ground's colour is kept by what the four pixels leave of it.
                    c = (row // 2) * on.half + place // 2 + column
                    on.u[c] = int(float(on.u[c]) + 0.25 * (su - float(on.u[c]) * sw) + 0.5)
                    on.v[c] = int(float(on.v[c]) + 0.25 * (sv - float(on.v[c]) * sw) + 0.5)
    return drawn
