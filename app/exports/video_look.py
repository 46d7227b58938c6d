"""How an exported video looks besides its tracks: words and a stopwatch burnt in, contrast, pace, and a body that stays
still."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.plots.lettering import lettering
from kernels.errors import InputError
from kernels.opencv import cv2

Bytes = npt.NDArray[np.uint8]
CLOCKS = {"s": 1.0, "ms": 1e3, "us": 1e6}
"""Units of the stopwatch, and how many of them a second has."""
LINES, COLUMNS, SMALLEST, LARGEST = 18, 28, 14, 48
"""Letters are so high that so many lines fill a picture's height, or so many of them its width (about 45 letters of
text), within so many px."""
RIM = 2
"""Pixels of the dark rim around letters, so that they can be read on any picture."""
WHITE, DARK, NEUTRAL = 235, 24, 128
"""Luma of letters and of their rim, and of the planes of colour where there is none."""


@dataclass(frozen=True, slots=True)
class Note:
    """Words that are burnt in.

    Args:
        words: one line.
        first, end: the frames of the clip in which they are seen, one past the last; None for an open end.
    """

    words: str
    first: int | None = None
    end: int | None = None

    def seen(self, frame: int) -> bool:
        """Whether they are seen in a frame."""
        return (self.first is None or frame >= self.first) and (self.end is None or frame < self.end)


@dataclass(frozen=True, slots=True)
class VideoLook:
    """See the module.

    Args:
        notes: words in the upper left corner, below one another.
        stopwatch: a key of CLOCKS: the time of each frame in the upper right corner; "" for none.
        zero: the frame from which it counts; None for the clip's own zero (its trigger, or its first frame).
        levels: what is shown black and white, as shares of full scale; None: found in the first frames.
        gamma: 1 is linear; larger ones brighten what is dark.
        slower: how many times slower than life it plays; None for a pace that can be watched.
        follow: the tracks relative to which the picture stays still: one takes its motion away, two or more (a body)
            their turning, too.
        marks: whether tracks are drawn in.

    Raises:
        InputError: a value that makes no sense.
    """

    notes: tuple[Note, ...] = ()
    stopwatch: str = ""
    zero: int | None = None
    levels: tuple[float, float] | None = None
    gamma: float = 1.0
    slower: float | None = None
    follow: tuple[int, ...] = ()
    marks: bool = True

    def __post_init__(self) -> None:
        if self.stopwatch and self.stopwatch not in CLOCKS:
            raise InputError(f"a stopwatch counts {', '.join(CLOCKS)}, not {self.stopwatch!r}")
        low, high = self.levels or (0.0, 1.0)
        if not (math.isfinite(low) and math.isfinite(high) and low < high and abs(low) < 1e6 and high < 1e6):
            raise InputError(f"levels are what is shown black and white, as shares of full scale such as 0.02,0.4, not "
                             f"{low:g},{high:g}")  # fmt: skip
        if not 0.05 <= self.gamma <= 20:
            raise InputError(f"a gamma is between 0.05 and 20, not {self.gamma:g}")
        if self.slower is not None and not 1e-3 <= self.slower <= 1e6:
            raise InputError(f"a video plays .001 to 1000000 times slower than life, not {self.slower:g}")


PLAIN = VideoLook()
"""Tracks alone."""


def parse_note(text: str) -> Note:
    """Words, with the frames in which they are seen before them or not.

    >>> parse_note("impact"), parse_note("20:60 impact at 3 m/s"), parse_note(":5 before")
    (Note(words='impact', first=None, end=None), Note(words='impact at 3 m/s', first=20, end=60), Note(words='before', \
first=None, end=5))

    Raises:
        InputError: there are no words, or more than a line.
    """
    match = re.fullmatch(r"(\d*):(\d*) (.*)", text.strip(), re.DOTALL)
    first, end, words = match.groups() if match else ("", "", text)
    words = words.strip()
    if not words or not words.isprintable():
        raise InputError(f'--text takes a line of words, such as "impact" or "20:60 impact", not {text!r}')
    note = Note(words, int(first) if first else None, int(end) if end else None)
    if note.first is not None and note.end is not None and note.first >= note.end:
        raise InputError(f"--text {text!r} is seen in no frame; write FIRST:END, END not included")
    return note


def clock_words(seconds: float, unit: str, fps: float) -> str:
    """What a stopwatch shows, with as many digits as tell two frames apart.

    >>> clock_words(0.0125, "ms", 1000), clock_words(-0.0125, "ms", 8000), clock_words(0.0125, "s", 1000)
    ('12.5 ms', '-12.50 ms', '0.0125 s')
    >>> clock_words(2.5e-5, "us", 200000), clock_words(-1e-9, "s", 100)
    ('25.0 µs', '0.000 s')
    """
    step = CLOCKS[unit] / fps
    digits = max(0, math.ceil(-math.log10(step)) + (step < 10))
    value = round(CLOCKS[unit] * seconds, digits) + 0.0
    return f"{value:.{digits}f} {unit.replace('u', 'µ')}"


class Burner:
    """Burns words into the planes of a video's frames.

    Args:
        look: which.
        size: height and width of the picture in the frame, px; what lies below is left alone.
        fps: capture rate; finite with a stopwatch.
        zero: the time from which the stopwatch counts, s.
    """

    def __init__(self, look: VideoLook, size: tuple[int, int], fps: float, zero: float) -> None:
        self._look, self._height, self._width, self._fps, self._zero = look, *size, fps, zero
        self._letters = max(SMALLEST, min(LARGEST, size[0] // LINES, size[1] // COLUMNS))

    def burn(self, luma: Bytes, colours: Sequence[Bytes], frame: int, time: float) -> None:
        """Burn what is seen in a frame at a time, s, into its planes."""
        line = round(1.35 * self._letters)
        below = self._letters + RIM + 4
        clock = clock_words(time - self._zero, self._look.stopwatch, self._fps) if self._look.stopwatch else ""
        edge = self._width - 8
        if clock:
            edge -= self._put(clock, luma, colours, edge, below, at_right=True) + 16
        for note in self._look.notes:
            if note.seen(frame):
                self._put(note.words, luma, colours, 8, below, room=edge - 8 if below <= line else self._width - 16)
                below += line

    def _put(
        self, words: str, luma: Bytes, colours: Sequence[Bytes], x: int, baseline: int, *, at_right: bool = False,
        room: int = 1 << 30,
    ) -> int:  # fmt: skip
        """Words with their baseline there, made smaller where they have no room; how wide they are."""
        mask, under = lettering(words, self._letters)
        if mask.shape[1] + 2 * RIM > room:
            mask, under = lettering(words, max(SMALLEST - 4, self._letters * max(1, room) // mask.shape[1]))
        face = np.pad(mask, RIM)
        rim = np.asarray(cv2.dilate(face, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * RIM + 1, 2 * RIM + 1))))
        height, width = int(face.shape[0]), int(face.shape[1])
        left, top = x - width if at_right else x, baseline + under + RIM - height
        rows = slice(max(0, top), min(self._height, top + height))
        columns = slice(max(0, left), min(self._width, left + width))
        if rows.start >= rows.stop or columns.start >= columns.stop:
            return width
        part = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
        rim, face = rim[part], face[part]
        _blend(luma[rows, columns], rim, DARK)
        _blend(luma[rows, columns], face, WHITE)
        first, begin = (rows.start + 1) // 2, (columns.start + 1) // 2
        half = rim[2 * first - rows.start :: 2, 2 * begin - columns.start :: 2]
        for plane in colours:
            there = plane[first : first + half.shape[0], begin : begin + half.shape[1]]
            _blend(there, half[: there.shape[0], : there.shape[1]], NEUTRAL)
        return width


def _blend(under: Bytes, cover: Bytes, value: int) -> None:
    """Put a value over part of a plane, as far as each pixel is covered, 0 to 255."""
    mixed = under.astype(np.int32) * (255 - cover.astype(np.int32)) + value * cover.astype(np.int32)
    under[:] = (mixed + 127) // 255
