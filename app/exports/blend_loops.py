"""What is drawn onto planes of luma and colour (`app.exports.planes`), as loops: small shapes with soft edges, and
trails that pale.

Both go over squares of two by two pixels, which share one place in the planes of colour: its change is the mean of
what its four pixels ask for.
"""

from __future__ import annotations

from kernels.host.loops import I32, I64, U8, at, flags, higher, loop, lowest

FULL = 255
WHOLE = 65025  # FULL * FULL: what is left of a pixel's ground where nothing is drawn
WORD = 64
COLUMNS = 8  # of a list of shapes: where it begins on its sheet, height, width, left, top, luma, two of colour


@loop
def stamped(y: U8, u: U8, v: U8, pitch: int, half: int, height: int, width: int, sheet: U8, marks: I64, count: int,
            dark: int) -> int:  # fmt: skip
    """Draw shapes, one after the other.

    Args:
        y, u, v, pitch, half: the planes and the bytes from row to row.
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
        for row in range(max(top, 0) // 2, (max(min(top + high, height), 0) + 1) // 2):
            for column in range(max(left, 0) // 2, (max(min(left + wide, width), 0) + 1) // 2):
                kept, rim, face = 0, 0, 0
                for k in range(4):
                    py, px = 2 * row + k // 2, 2 * column + k % 2
                    sy, sx = py - top, px - left
                    keep = WHOLE
                    if sy >= 0 and sy < high and sx >= 0 and sx < wide and py < height and px < width:
                        a, b = int(shape[2 * (sy * wide + sx)]), int(shape[2 * (sy * wide + sx) + 1])
                        if a + b > 0:
                            keep = (FULL - a) * (FULL - b)
                            first, second = a * (FULL - b), b * FULL
                            here = py * pitch + px
                            y[here] = (int(y[here]) * keep + dark * first + luma * second + WHOLE // 2) // WHOLE
                            rim += first
                            face += second
                    kept += keep
                if kept < 4 * WHOLE:
                    there = row * half + column
                    u[there] = (int(u[there]) * kept + 128 * rim + blue * face + 2 * WHOLE) // (4 * WHOLE)
                    v[there] = (int(v[there]) * kept + 128 * rim + red * face + 2 * WHOLE) // (4 * WHOLE)
    return 0


@loop
def trailed(y: U8, u: U8, v: U8, pitch: int, half: int, height: int, line: int, opacity: U8, tint: U8, born: I32,
            now: int, trail: int, palette: I64, strong: int, weak: int) -> int:  # fmt: skip
    """Draw what is left of trails, and forget what is too old.

    Args:
        y, u, v, pitch, half: as in `stamped`.
        height: rows of the layers, even; line: their pixels a row, a multiple of WORD.
        opacity, tint, born: of each pixel how much of it a trail covers, 0..FULL, the trail's place in `palette`, and
            the frame in which it was drawn.
        now, trail: this frame, and how many frames a trail lasts.
        palette: luma and the two of colour.
        strong, weak: of FULL parts, how far a trail covers the ground when it is new and when it is about to vanish.

    Returns:
        How many pixels are drawn.
    """
    drawn = 0
    for row in range(0, height, 2):
        for place in range(0, line, WORD):
            here = row * line + place
            word = flags(opacity, here) | flags(opacity, here + line)
            while word != 0:
                column = lowest(word) // 2
                word = higher(word)
                if word != 0 and lowest(word) // 2 == column:
                    word = higher(word)
                su, sv, sw = 0.0, 0.0, 0.0
                for k in range(4):
                    i = here + 2 * column + k % 2 + line * (k // 2)
                    if opacity[i] != 0:
                        age = now - int(born[i])
                        if age >= trail:
                            opacity[i] = 0
                        else:
                            share = float(strong) - float(strong - weak) * (float(age) / float(trail))
                            w = float(opacity[i]) * share / 65025.0
                            ink = 3 * int(tint[i])
                            j = (row + k // 2) * pitch + place + 2 * column + k % 2
                            y[j] = int(float(y[j]) + (float(palette[ink]) - float(y[j])) * w + 0.5)
                            su += w * float(palette[ink + 1])
                            sv += w * float(palette[ink + 2])
                            sw += w
                            drawn += 1
                if sw > 0.0:
                    c = (row // 2) * half + place // 2 + column
                    u[c] = int(float(u[c]) + 0.25 * (su - float(u[c]) * sw) + 0.5)
                    v[c] = int(float(v[c]) + 0.25 * (sv - float(v[c]) * sw) + 0.5)
    return drawn
