"""What is said of options of the commands, in the words of the window's fields."""

from __future__ import annotations

FIELDS = {
    " (--offset)": " (see “frames ahead”)", "--offset": "“frames ahead”", "--frames": "“Frames”",
    "--within": "“within”", "--match": "pairs that you write yourself", "--least": "“in at least”",
    "--square": "“Side of a square”", "--wand": "“Length”", "--ends": "“Tracks of the ends”",
    "--fps": "“Frames a second”", "--origin": "“Origin”",
    "--size": "“Size of pictures”", "`fusetrack calibrate`": "Calibration",
}  # fmt: skip
"""Options, and the fields that they are here; longer ones first."""


def in_window(sentence: str) -> str:
    """A sentence of a command as the window says it.

    >>> in_window("--within PX allows more")
    '“within” allows more'
    """
    for option, named in FIELDS.items():
        sentence = sentence.replace(f"{option} PX", named).replace(option, named)
    return sentence
