"""Whether a rate that was tried is enough for one that is wanted: of disks and of pipelines alike."""

from __future__ import annotations

MARGIN = 1.25
"""What must be sustained above the rate that is wanted: disks and processors have slow seconds."""


def spares(sustained: float, wanted: float) -> bool:
    """Whether so many frames a second are enough with a quarter to spare."""
    return sustained >= MARGIN * wanted


def enough_words(sustained: float, wanted: float, just: str = "", short: str = "") -> str:
    """What a rate is for another, in words.

    Args:
        sustained, wanted: frames a second.
        just: what may happen where they are about the same; short: what will where it is too little.

    >>> enough_words(125, 100)
    'enough for 100 frames/s with a quarter to spare'
    >>> enough_words(124, 100, just="some may wait")
    'only just enough for 100 frames/s, without a quarter to spare: some may wait'
    >>> enough_words(99, 100, short="most wait")
    'NOT enough for 100 frames/s: most wait'
    """
    if spares(sustained, wanted):
        return f"enough for {wanted:g} frames/s with a quarter to spare"
    if sustained >= wanted:
        words, what = f"only just enough for {wanted:g} frames/s, without a quarter to spare", just
    else:
        words, what = f"NOT enough for {wanted:g} frames/s", short
    return f"{words}: {what}" if what else words
